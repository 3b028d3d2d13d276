#include <postproc/svg.hpp>

#include <algorithm>
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

/// The one point symbol in use, a disc, in place of gnuplot's whole list of symbols and filters.
constexpr std::string_view definitions =
    "<defs><circle id='gpPt6' fill='currentColor' r='1'/></defs>";

constexpr std::string_view fonts = "font-family=\"Helvetica, Arial, Liberation Sans, sans-serif\"";

}  // namespace

std::string tidy_svg(const std::string& svg, const std::string& name,
                     const std::string& description) {
    const auto last = svg.find_last_not_of(" \t\r\n");
    if (last == std::string::npos ||
        !std::string_view(svg).substr(0, last + 1).ends_with("</svg>")) {
        throw core::FileError("gnuplot's drawing of " + name +
                              " is not complete: is the temporary directory full?");
    }
    std::string text = svg;
    remove_between(text, "<title>", "</title>");
    remove_between(text, "<desc>", "</desc>");
    remove_between(text, "<defs>", "</defs>");
    const std::string opening = "<g id=\"gnuplot_canvas\">";
    replace_all(
        text, opening,
        fmt::format("<desc>{}</desc>\n{}\n<g id=\"{}\" {}>", core::escape_markup(description),
                    definitions, core::escape_markup(name), fonts));
    replace_all(text, "id=\"gnuplot_plot_", "id=\"" + name + "_plot_");
    replace_all(text, "gpPt6", name + "_disc");
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
