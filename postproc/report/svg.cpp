#include <postproc/report/svg.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <stoss/core/error.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    std::string result;
    std::size_t at = 0;
    for (std::size_t hit; (hit = text.find(from, at)) != std::string::npos;) {
        result.append(text, at, hit - at).append(to);
        at = hit + from.size();
    }
    text = result.append(text, at);
}

/// Removes every piece from `begin` to `end`, both included.
void remove_between(std::string& text, std::string_view begin, std::string_view end) {
    for (std::size_t at = 0; (at = text.find(begin, at)) != std::string::npos;) {
        const std::size_t last = text.find(end, at + begin.size());
        if (last == std::string::npos) return;
        text.erase(at, last + end.size() - at);
    }
}

/// Lines without the blanks around them; empty lines and groups without content go.
void compact(std::string& text) {
    std::vector<std::string_view> lines;
    const std::string_view all = text;
    for (std::size_t at = 0; at < all.size();) {
        const std::size_t end = std::min(all.find('\n', at), all.size());
        std::string_view line = all.substr(at, end - at);
        at = end + 1;
        const std::size_t first = line.find_first_not_of(" \t");
        if (first == std::string_view::npos) continue;
        line = line.substr(first, line.find_last_not_of(" \t") - first + 1);
        if (line == "</g>" && !lines.empty() && lines.back().starts_with("<g ") &&
            lines.back().find('>') + 1 == lines.back().size()) {
            lines.pop_back();
        } else {
            lines.push_back(line);
        }
    }
    std::string result;
    for (const std::string_view line : lines) result.append(line).append("\n");
    text = std::move(result);
}

/// A point symbol that the figures use: gnuplot's name, ours, and its shape.
struct Symbol {
    std::string_view gnuplot;
    std::string_view name;
    std::string_view shape;
};

constexpr std::array<Symbol, 8> symbols{{
    {"gpPt6", "disc", "<circle id='{}' fill='currentColor' r='1'/>"},
    {"gpPt5", "circle",
     "<circle id='{}' fill='none' stroke='currentColor' stroke-width='0.4' r='0.9'/>"},
    {"gpPt4", "square", "<path id='{}' fill='currentColor' d='M-.9-.9h1.8v1.8h-1.8z'/>"},
    {"gpPt3", "box",
     "<path id='{}' fill='none' stroke='currentColor' stroke-width='0.4' "
     "d='M-.8-.8h1.6v1.6h-1.6z'/>"},
    {"gpPt8", "up", "<path id='{}' fill='currentColor' d='M0-1.2 1.1.7h-2.2z'/>"},
    {"gpPt10", "down", "<path id='{}' fill='currentColor' d='M0 1.2 1.1-.7h-2.2z'/>"},
    {"gpPt12", "diamond", "<path id='{}' fill='currentColor' d='M0-1.3 1.1 0 0 1.3-1.1 0z'/>"},
    {"gpPt1", "cross",
     "<path id='{}' fill='none' stroke='currentColor' stroke-width='0.5' "
     "d='M-1-1 1 1M1-1-1 1'/>"},
}};

/// The definitions of the symbols that `svg` uses, in place of gnuplot's whole list of symbols and
/// filters. The uses get our names.
std::string define_symbols(std::string& svg, const std::string& prefix) {
    std::string definitions;
    for (const Symbol& symbol : symbols) {
        const std::string use = fmt::format("'#{}'", symbol.gnuplot);
        if (svg.find(use) == std::string::npos) continue;
        const std::string id = fmt::format("{}_{}", prefix, symbol.name);
        definitions += fmt::format(fmt::runtime(symbol.shape), id);
        replace_all(svg, use, fmt::format("'#{}'", id));
    }
    return definitions.empty() ? definitions : "<defs>" + definitions + "</defs>\n";
}

constexpr std::string_view fonts = "font-family=\"Helvetica, Arial, Liberation Sans, sans-serif\"";

}  // namespace

std::string tidy_svg(const std::string& svg, const std::string& prefix, const std::string& name,
                     const std::string& description) {
    const auto last = svg.find_last_not_of(" \t\r\n");
    if (last == std::string::npos ||
        !std::string_view(svg).substr(0, last + 1).ends_with("</svg>")) {
        throw core::FileError("gnuplot's drawing of " + name +
                              " is not complete: is the temporary directory full?");
    }
    std::string text = svg;
    replace_all(text, "<svg ",
                fmt::format("<svg role=\"img\" aria-label=\"{}\" ", core::escape_markup(name)));
    remove_between(text, "<title>", "</title>");
    remove_between(text, "<desc>", "</desc>");
    remove_between(text, "<defs>", "</defs>");
    const std::string definitions = define_symbols(text, prefix);
    const std::string opening = "<g id=\"gnuplot_canvas\">";
    replace_all(text, opening,
                fmt::format("<desc>{}</desc>\n{}<g id=\"{}\" {}>", core::escape_markup(description),
                            definitions, core::escape_markup(prefix), fonts));
    replace_all(text, "id=\"gnuplot_plot_", "id=\"" + prefix + "_plot_");
    replace_all(text, "font-family=\"Arial\" ", "");  // one for all, see `opening`
    replace_all(text, "<text>", "<text xml:space=\"preserve\">");
    for (std::size_t before = 0; before != text.size();) {  // emptied groups may empty others
        before = text.size();
        compact(text);
    }
    return text;
}

std::string svg_element(const std::string& svg) {
    const auto begin = svg.find("<svg");
    return begin == std::string::npos ? std::string() : svg.substr(begin);
}

}  // namespace stoss::postproc
