#include <postproc/report/html.hpp>

#include <cmath>
#include <cstddef>

#include <fmt/format.h>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

constexpr const char* style = R"css(
@page { size: A4; margin: 16mm 18mm; }
:root { --ink: #1b1f24; --soft: #59636e; --rule: #d5dae0; --good: #00724f; --bad: #b54700; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.2rem 1.4rem 3rem; max-width: 58rem; background: #fff;
  color: var(--ink); font: 15px/1.5 Helvetica, Arial, "Liberation Sans", sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0.1rem 0 0.5rem; }
h2 { font-size: 1.08rem; margin: 0 0 0.6rem; padding-top: 0.55rem; border-top: 2px solid var(--ink); }
section { margin-top: 2rem; }
p { margin: 0.4rem 0; }
sub, sup { line-height: 0; }
.kind, .note, figcaption, footer { color: var(--soft); }
.kind { margin: 0; letter-spacing: 0.02em; }
.badge { display: inline-block; margin: 0 0.5rem 0.2rem 0; padding: 0.05rem 0.55rem;
  border: 1px solid currentColor; border-radius: 1rem; font-size: 0.88rem; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem;
  font-variant-numeric: tabular-nums; }
th, td { padding: 0.26rem 0.7rem 0.26rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--rule); }
th { font-weight: 600; border-bottom-color: var(--ink); }
td.n, th.n { text-align: right; }
td.n { white-space: nowrap; }
td:last-child, th:last-child { padding-right: 0; }
.pair { display: inline-block; margin-right: 1.1rem; }
.pair i, td i.key { color: var(--soft); font-style: normal; }
.bar { display: inline-block; height: 0.62rem; background: #0072b2; vertical-align: baseline; }
.figures { columns: 2 20rem; column-gap: 2rem; }
.figures.one { columns: 1; }
.figures.one figure { max-width: 34rem; margin: 0 auto; }
figure { margin: 0 0 1.6rem; break-inside: avoid; }
figure svg { display: block; width: 100%; height: auto; }
figcaption { font-size: 0.86rem; line-height: 1.42; margin-top: 0.4rem; }
pre { font-size: 0.82rem; line-height: 1.4; overflow-x: auto; background: #f6f7f9;
  padding: 0.8rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--soft); }
details { margin-top: 0.6rem; }
footer { margin-top: 2.4rem; font-size: 0.86rem; }
@media print {
  html { font-size: 12px; }
  body { padding: 0; max-width: none; font-size: 12px; }
  .scroll { overflow: visible; }
  section { margin-top: 1.3rem; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  .figures { columns: 2; column-gap: 6mm; break-inside: avoid; }
  .figures.one figure { max-width: 118mm; }
}
)css";

}  // namespace

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
    std::string table =
        "<div class=\"scroll\"><table>\n<thead>" + line(header, "th") + "</thead>\n<tbody>\n";
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
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        core::escape_markup(title), style, body);
}

}  // namespace stoss::postproc
