#pragma once
/// `over:`, a key of the case that runs through a range. For many cheap computations: the number is
/// set where it lies in the parameters, and the case is not read again.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <solvers/case/sweep.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// How the numbers of a range follow each other.
enum class Spacing { linear, logarithmic };

constexpr auto enum_names(Spacing) {
    return std::array{core::EnumName{Spacing::linear, "linear", "equal differences"},
                      core::EnumName{Spacing::logarithmic, "logarithmic", "equal ratios"}};
}

/// A key that runs from one value to another, both included.
struct KeyRange {
    std::string key;
    std::string from;
    std::string to;
    int points = 101;
    Spacing spacing = Spacing::linear;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &KeyRange::key, "path of the key, e.g. contact.damping").required(),
            core::field("from", &KeyRange::from,
                        "first value, a number with its unit as for the key itself")
                .required(),
            core::field("to", &KeyRange::to, "last value").required(),
            core::field("points", &KeyRange::points, "", core::closed(2, 1e6), "number of values"),
            core::field("spacing", &KeyRange::spacing, "spacing of the values")};
    }
};

/// The numbers of a range in SI.
struct Steps {
    double from = 0.0, to = 0.0;
    std::size_t points = 2;
    Spacing spacing = Spacing::linear;

    double operator[](std::size_t index) const;
};

/// A violation for each key that `over:` and `sweep:` have twice: its values would be replaced.
std::vector<core::Violation> check_repeated_keys(const std::vector<KeyRange>& over,
                                                 const std::optional<Sweep>& sweep);

/// What is wrong with a key of `over:` that holds something else than a real number.
core::Violation is_no_quantity(const std::string& key);

using core::number_at;
using core::NumberKey;

/// Reads the case at both ends of a range: `read(changed)` gets the document with the key set and
/// returns what is wrong with it; it may throw core::InputError instead.
/// Returns the steps. Errors: core::InputError with all that is wrong with the range, at its place.
/// `index` is that of the range in `over:`; `unit` that of the key.
Steps read_range(const io::Document& document, const KeyRange& range, std::size_t index,
                 std::string_view unit,
                 const std::function<std::vector<core::Violation>(const io::Document&)>& read);

/// "speed_m_per_s": the column of a key.
std::string column_of(std::string_view path, std::string_view unit);

}  // namespace stoss::solvers
