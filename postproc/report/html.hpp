#pragma once
/// Pieces of HTML. Everything that comes from a file goes through one of these functions.

#include <string>
#include <vector>

#include <postproc/report/svg.hpp>

namespace stoss::postproc {

/// Escaped text in which `_{...}` is a subscript.
std::string html_text(const std::string& text);

/// A number with so many significant digits, a real minus sign and powers of ten; "–" for NaN.
std::string html_number(double value, int digits = 6);

/// A row of cells that are HTML already.
using HtmlRow = std::vector<std::string>;

/// A table. Columns from `first_number` on are set to the right, as numbers.
std::string html_table(const HtmlRow& header, const std::vector<HtmlRow>& rows,
                       std::size_t first_number);

/// `<section>` with a heading; nothing if `content` is empty.
std::string html_section(const std::string& heading, const std::string& content);

/// The whole page.
std::string html_page(const std::string& title, const std::string& body);

}  // namespace stoss::postproc
