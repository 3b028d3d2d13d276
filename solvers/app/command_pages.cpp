#include <solvers/app/command_pages.hpp>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

/// Text for troff: a backslash, a dash and a point at the beginning of a line mean themselves.
std::string troff(std::string_view text) {
    std::string escaped;
    for (const char letter : text) {
        if (letter == '\\') escaped += "\\e";
        if (letter == '-') escaped += "\\-";
        if (letter != '\\' && letter != '-') escaped += letter;
    }
    return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

/// Text between single quotation marks of a shell.
std::string quoted_without_apostrophes(std::string_view text) {
    std::string words;
    for (const char letter : text) words += letter == '\'' ? ' ' : letter;
    return "'" + words + "'";
}

std::vector<std::string> option_names(const CommandPage& command) {
    std::vector<std::string> names;
    for (const OptionPage& option : command.options)
        names.insert(names.end(), option.names.begin(), option.names.end());
    return names;
}

std::string bash(const std::vector<CommandPage>& commands) {
    std::string all, cases;
    for (const CommandPage& command : commands) {
        all += (all.empty() ? "" : " ") + command.name;
        cases += fmt::format(
            "    {}) options={} words={} ;;\n", command.name,
            quoted_without_apostrophes(fmt::format("{}", fmt::join(option_names(command), " "))),
            quoted_without_apostrophes(fmt::format("{}", fmt::join(command.words, " "))));
    }
    return fmt::format(
        "# Completion of stoss for bash.\n"
        "_stoss() {{\n"
        "  local word=${{COMP_WORDS[COMP_CWORD]}} options= words=\n"
        "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$word\"))\n"
        "    return\n"
        "  fi\n"
        "  case ${{COMP_WORDS[1]}} in\n{}"
        "  esac\n"
        "  if [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "  elif [ \"$COMP_CWORD\" -eq 2 ] && [ -n \"$words\" ]; then\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
        "  fi\n"
        "}}\n"
        "complete -o default -F _stoss stoss\n",
        all, cases);
}

std::string zsh(const std::vector<CommandPage>& commands) {
    std::string names, cases;
    for (const CommandPage& command : commands) {
        names += fmt::format("    {}\n",
                             quoted_without_apostrophes(command.name + ':' + command.meaning));
        cases += fmt::format("    {}) options=({}) names=({}) ;;\n", command.name,
                             fmt::join(option_names(command), " "), fmt::join(command.words, " "));
    }
    return fmt::format(
        "#compdef stoss\n"
        "# Completion of stoss for zsh.\n"
        "_stoss() {{\n"
        "  local -a commands options names\n"
        "  if (( CURRENT == 2 )); then\n"
        "    commands=(\n{}    )\n"
        "    _describe command commands\n"
        "    return\n"
        "  fi\n"
        "  case ${{words[2]}} in\n{}"
        "  esac\n"
        "  if [[ ${{words[CURRENT]}} == -* ]]; then\n"
        "    compadd -- $options\n"
        "  elif (( CURRENT == 3 && $#names )); then\n"
        "    compadd -- $names\n"
        "  else\n"
        "    _files\n"
        "  fi\n"
        "}}\n"
        "_stoss \"$@\"\n",
        names, cases);
}

std::string fish(const std::vector<CommandPage>& commands) {
    std::string text = "# Completion of stoss for fish.\n";
    for (const CommandPage& command : commands) {
        text += fmt::format("complete -c stoss -n __fish_use_subcommand -f -a {} -d {}\n",
                            command.name, quoted_without_apostrophes(command.meaning));
        const std::string seen = fmt::format("'__fish_seen_subcommand_from {}'", command.name);
        for (const OptionPage& option : command.options) {
            std::string names;
            for (const std::string& name : option.names) {
                const bool is_long = name.starts_with("--");
                names += fmt::format(" -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
            }
            if (names.empty()) continue;
            text += fmt::format("complete -c stoss -n {}{}{} -d {}\n", seen, names,
                                option.argument.empty() ? "" : " -r",
                                quoted_without_apostrophes(option.meaning));
        }
        if (!command.words.empty())
            text += fmt::format("complete -c stoss -n {} -f -a '{}'\n", seen,
                                fmt::join(command.words, " "));
    }
    return text;
}

std::string option_text(const OptionPage& option) {
    std::string head = fmt::format("{}", fmt::join(option.names, ", "));
    if (!option.argument.empty()) head += (head.empty() ? "" : " ") + option.argument;
    return fmt::format(".TP\n.B {}\n{}\n", troff(head), troff(option.meaning));
}

}  // namespace

std::string man_page(const std::vector<CommandPage>& commands, std::string_view version) {
    std::string text = fmt::format(
        ".TH STOSS 1 \"\" \"stoss {}\" \"User commands\"\n"
        ".SH NAME\nstoss \\- computes collisions from cases in YAML\n"
        ".SH SYNOPSIS\n.B stoss\n.I command\n.RI [ argument ...]\n"
        ".SH DESCRIPTION\nA case is a YAML file with units. A run turns it into tables, figures "
        "and a report.\n"
        ".B stoss new\nwrites a case to start from,\n.B stoss describe\nexplains its keys.\n"
        ".SH COMMANDS\n",
        troff(version));
    for (const CommandPage& command : commands) {
        text += fmt::format(".SS stoss {}\n{}\n", command.name, troff(command.meaning));
        for (const OptionPage& option : command.options) text += option_text(option);
    }
    return text +
           ".SH EXIT STATUS\n"
           ".TP\n.B 0\ndone\n"
           ".TP\n.B 1\nan expectation of a case failed, or a comparison is above \\-\\-max\\-rmse\n"
           ".TP\n.B 2\nbad usage, bad case, or a file that cannot be read or written\n"
           ".TP\n.B 3\nnumerical failure\n"
           ".TP\n.B 130\ninterrupted; what is done is saved, \\-\\-resume goes on\n";
}

std::vector<std::string> completed_shells() {
    return {"bash", "zsh", "fish"};
}

std::string completion(const std::vector<CommandPage>& commands, std::string_view shell) {
    if (shell == "zsh") return zsh(commands);
    return shell == "fish" ? fish(commands) : bash(commands);
}

}  // namespace stoss::solvers
