#pragma once
/// Pieces that the reports of several problems share.

#include <span>
#include <string>
#include <string_view>

#include <postproc/report/run_data.hpp>
#include <stoss/io/json.hpp>

namespace stoss::postproc {

/// A value as HTML: yes or no, text, a number; lists and objects as written in the file.
std::string html_value(const io::Value& value);

/// The value of a key as HTML; "–" if there is none.
std::string html_value_at(const io::Value& object, std::string_view key);

/// The text of a key; "" if there is none.
std::string text_at(const io::Value& object, std::string_view key);

/// The items of a list in an object; none if there is no such list.
const io::Value::Array& items_at(const io::Value& object, std::string_view key);

/// "not separated" for "not_separated", escaped.
std::string in_words(std::string status);

/// How something ended, for the head of the report: green if it is `separated` or `complete`.
std::string status_badge(const std::string& status, const std::string& count = "");

/// A quantity of a run: its SI value and its nondimensional one; either may be missing.
struct Quantity {
    const char* name;
    const char* symbol;          ///< `_{...}` is a subscript
    const char* si;              ///< key of summary.json, with its unit; "" for none
    const char* nondimensional;  ///< key of summary.json; "" for none
};

/// Name, symbol, values and unit of those quantities that the summary holds; the sentence
/// `if_none` if it holds none of them.
std::string quantity_table(const Run& run, std::span<const Quantity> quantities,
                           const std::string& if_none);

/// The first `most_rows` rows of a CSV file of the run, columns in words with their units.
/// Errors: as `read_table`.
std::string file_table(const Run& run, std::string_view name, std::size_t most_rows = 40);

}  // namespace stoss::postproc
