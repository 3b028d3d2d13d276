#pragma once
/// Words and units for the names that a run writes (`separation_s`, `motion.speed_m_per_s`).

#include <string>
#include <string_view>
#include <vector>

#include <postproc/report/drawing.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::postproc {

/// Last part of a dotted key in words, with its unit: "angular velocity (rad/s)". α and β in a unit
/// are the two exponents of the law.
std::string words_of_key(std::string_view key);

/// A swept key as it is typed, with its unit: "striker.mass (kg)", for its last part may be that of
/// several keys. A motion has only one: "angular velocity (rad/s)".
std::string words_of_swept_key(std::string_view key);

/// A key as it is drawn: an angle in degrees, any other in the unit of its column.
struct DrawnKey {
    std::string name;     ///< with its unit: "motion.angle_deg" for "motion.angle_rad"
    double factor = 1.0;  ///< from a number of the table to the one that is drawn
};

DrawnKey drawn_key(std::string_view key);

/// How numbers are scaled for an axis, and the words for it after the label.
struct Magnitude {
    double factor = 1.0;
    std::string words;  ///< " (µm)", " (10^{-3})" or ""
};

/// The unit itself: "mm" of " (mm)".
std::string unit_of(const Magnitude& magnitude);

/// A power of a thousand, if the numbers are far from 1; none between 0.01 and 10,000.
Magnitude power_of_ten(const Extent& extent);

/// False of no unit, of one that has a prefix already (kg, ns), of 1/s, of angles and of percent.
bool takes_prefix(std::string_view unit);

/// The prefix of the unit (f, p, n, µ, m, k, M, G, T) that suits the largest number.
Magnitude si_prefix(const Extent& extent, std::string_view unit);

Extent scaled(Extent extent, double factor);

/// True if at least three positive values grow, or fall, by one ratio. Equal neighbours count once.
bool is_logarithmic(const std::vector<double>& values);

/// The axis of a key over its values, logarithmic if they are.
Axis key_axis(const std::string& label, const std::vector<double>& values);

/// A column as texts, numbers as short as possible: "-6", not "-6.0". No `column`: empty texts.
std::vector<std::string> row_labels(const io::Table& table, const std::string& column);

/// A swept value for the eye: "−6" for "-6"; other text as it is.
std::string with_minus(const std::string& value);

/// Axis of the restitution: 0 to 1 where the values fill a good part of it, else what they need.
Axis cor_axis(const Extent& extent);

/// A text of a figure without gnuplot's markup: "contact location ξ_c" for
/// "contact location {/:Italic ξ}_{c}".
std::string unmarked(const std::string& text);

/// A caption without markup: "e_N" for "e_{N}".
std::string spoken(const std::string& caption);

}  // namespace stoss::postproc
