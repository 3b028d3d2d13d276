#include <postproc/report/html.hpp>

#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <postproc/report/page_files.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

std::string html_text(const std::string& text) {
    const std::string safe = core::escape_markup(text);
    std::string result;
    for (std::size_t at = 0; at < safe.size();) {
        const std::size_t open = safe.find("_{", at);
        const std::size_t close =
            open == std::string::npos ? std::string::npos : safe.find('}', open);
        if (close == std::string::npos) return result + safe.substr(at);
        result += safe.substr(at, open - at);
        result += "<sub>" + safe.substr(open + 2, close - open - 2) + "</sub>";
        at = close + 1;
    }
    return result;
}

std::string html_number(double value, int digits) {
    if (std::isnan(value)) return "–";
    if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
    std::string text = fmt::format("{:.{}g}", value, digits);
    const std::size_t exponent = text.find('e');
    std::string power;
    if (exponent != std::string::npos) {
        const int number = std::stoi(text.substr(exponent + 1));
        power = fmt::format(" × 10<sup>{}{}</sup>", number < 0 ? "−" : "", std::abs(number));
        text.resize(exponent);
    }
    if (text.front() == '-') text = "−" + text.substr(1);
    return text + power;
}

std::string html_table(const HtmlRow& header, const std::vector<HtmlRow>& rows,
                       std::size_t first_number) {
    const auto line = [&](const HtmlRow& cells, const char* tag) {
        std::string text = "<tr>";
        for (std::size_t i = 0; i < cells.size(); ++i) {
            text += fmt::format("<{0}{1}>{2}</{0}>", tag, i >= first_number ? " class=\"n\"" : "",
                                cells[i]);
        }
        return text + "</tr>\n";
    };
    std::string table = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>" +
                        line(header, "th") + "</thead>\n<tbody>\n";
    for (const HtmlRow& row : rows) table += line(row, "td");
    return table + "</tbody></table></div>\n";
}

std::string html_section(const std::string& heading, const std::string& content) {
    if (content.empty()) return {};
    return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", core::escape_markup(heading),
                       content);
}

std::string html_page(const std::string& title, const std::string& body) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</"
        "html>\n",
        core::escape_markup(title), page_files::style, body);
}

}  // namespace stoss::postproc
