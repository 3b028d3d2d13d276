#pragma once
/// The manual page and the completion of shells, from the descriptions of the commands.

#include <string>
#include <string_view>
#include <vector>

namespace stoss::solvers {

/// An option or an argument of a command.
struct OptionPage {
    std::vector<std::string> names;  ///< "-o", "--output"; empty for an argument
    std::string argument;            ///< the word in place of it, or after the option; "" if none
    std::string meaning;
};

/// A command.
struct CommandPage {
    std::string name;
    std::string meaning;
    std::vector<OptionPage> options;
    std::vector<std::string> words;  ///< that its first argument may be; empty: files
};

/// The manual page stoss(1), for `man`.
std::string man_page(const std::vector<CommandPage>& commands, std::string_view version);

/// The shells that `completion` knows.
std::vector<std::string> completed_shells();

/// A script that completes commands, options and names. `shell` is one of `completed_shells`.
std::string completion(const std::vector<CommandPage>& commands, std::string_view shell);

}  // namespace stoss::solvers
