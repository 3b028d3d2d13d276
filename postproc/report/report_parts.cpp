#include <postproc/report/report_parts.hpp>

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

std::string html_value(const io::Value& value) {
    if (const auto flag = value.flag()) return *flag ? "yes" : "no";
    if (const auto* text = value.text()) return html_text(*text);
    if (const auto number = value.number()) return html_number(*number);
    return html_text(io::to_json(value, 0));
}

std::string html_value_at(const io::Value& object, std::string_view key) {
    const io::Value* value = object.find(key);
    return value == nullptr ? "–" : html_value(*value);
}

std::string text_at(const io::Value& object, std::string_view key) {
    const io::Value* value = object.find(key);
    return value != nullptr && value->text() != nullptr ? *value->text() : std::string();
}

const io::Value::Array& items_at(const io::Value& object, std::string_view key) {
    static const io::Value::Array none;
    const io::Value* value = object.find(key);
    return value != nullptr && value->items() != nullptr ? *value->items() : none;
}

std::string in_words(std::string status) {
    std::replace(status.begin(), status.end(), '_', ' ');
    return html_text(status);
}

std::string status_badge(const std::string& status, const std::string& count) {
    return fmt::format("<span class=\"badge {}\">{}{}</span>",
                       status == "separated" || status == "complete" ? "good" : "bad", count,
                       in_words(status));
}

std::string quantity_table(const Run& run, std::span<const Quantity> quantities,
                           const std::string& if_none) {
    std::vector<HtmlRow> rows;
    for (const Quantity& quantity : quantities) {
        const double si = number_at(run.summary, quantity.si);
        const double pure = number_at(run.summary, quantity.nondimensional);
        if (std::isnan(si) && std::isnan(pure)) continue;
        const auto cell = [](const char* key, double value) {
            return *key == '\0' || std::isnan(value) ? std::string() : html_number(value);
        };
        rows.push_back({quantity.name, html_text(quantity.symbol),
                        cell(quantity.nondimensional, pure), cell(quantity.si, si),
                        *quantity.si == '\0' ? "" : core::split_unit(quantity.si).unit});
    }
    if (rows.empty()) return "<p>" + if_none + "</p>\n";
    return html_table({"quantity", "symbol", "nondimensional", "SI", "unit"}, rows, 2);
}

namespace {

std::string cell(const io::Column& column, std::size_t row) {
    return std::visit(
        [&]<class T>(const std::vector<T>& values) {
            if constexpr (std::is_same_v<T, std::string>) {
                return html_text(with_minus(values[row]));
            } else {
                return html_number(static_cast<double>(values[row]));
            }
        },
        column.values);
}

}  // namespace

std::string file_table(const Run& run, std::string_view name, std::size_t most_rows) {
    const io::Table table = read_table(run, name);
    HtmlRow header;
    std::size_t first_number = 0;
    for (const io::Column& column : table.columns) {
        header.push_back(core::escape_markup(words_of_key(column.name)));
        const bool words = std::holds_alternative<std::vector<std::string>>(column.values);
        if (words && first_number + 1 == header.size()) first_number = header.size();
    }
    std::vector<HtmlRow> rows(std::min(table.rows(), most_rows));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        for (const io::Column& column : table.columns) rows[row].push_back(cell(column, row));
    }
    std::string html = html_table(header, rows, first_number);
    if (rows.size() < table.rows()) {
        html += fmt::format("<p class=\"note\">The first {} of {} rows of {}.</p>\n", rows.size(),
                            table.rows(), core::escape_markup(name));
    }
    return html;
}

}  // namespace stoss::postproc
