#pragma once
/// `gradient:` of a collision of two bodies: keys by which its results are differentiated, and
/// gradient.csv.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/collision_inputs.hpp>
#include <solvers/case/outcome.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// By which keys, and of what.
struct GradientKeys {
    core::OrNone<std::vector<std::string>> gradient = {};
    core::OrAuto<std::vector<impact::Quantity>> gradient_of = {};
    bool gradient_kinks = true;

    /// `keys`: what is said of the list.
    static constexpr auto fields_for(std::string_view keys) {
        return std::tuple{
            core::field("gradient", &GradientKeys::gradient, keys),
            core::field("gradient_of", &GradientKeys::gradient_of,
                        "results that are differentiated; auto: all of them. Each takes the time "
                        "of a collision"),
            core::field("gradient_kinks", &GradientKeys::gradient_kinks,
                        "also the distance of each key to the nearest number at which a sub-impact "
                        "begins, vanishes, merges with the next one or splits")};
    }

    bool has_gradient() const { return gradient && !gradient->empty(); }
    /// What is differentiated.
    std::vector<impact::Quantity> quantities() const;
};

/// What is wrong with the lists themselves: one is empty, or a key is there twice.
std::vector<core::Violation> check_gradient_lists(const GradientKeys& wanted);

/// Says what may be meant by keys at which the case has no number: `found` with hints. `names`:
/// paths of keys; `example`: what a hint without one says.
void suggest_keys(std::vector<core::Violation>& found, const std::vector<std::string>& names,
                  std::string_view example);

/// One key of the list.
struct GradientKey {
    std::string key;
    std::string unit;                  ///< SI
    std::string reason;                ///< why there is no derivative by it; empty: there is one
    std::optional<double> range = {};  ///< of a place: the length that it lies on, SI
};

/// One collision and its derivatives.
struct GradientRow {
    std::string where;            ///< which one, for messages: "at xi = 0.5"
    std::vector<double> place;    ///< the same as numbers of the table
    std::vector<double> values;   ///< of the keys, SI
    std::vector<double> results;  ///< of the quantities; NaN: there is none to differentiate
    /// Key by key the derivatives of all quantities, per SI unit of the key; with kinks then their
    /// distances, key by key, and the events there (`event_words`). NaN where there is none.
    std::vector<double> slopes;
};

/// The column of map.csv with that result.
std::string_view result_column(impact::Quantity quantity);

/// `GradientRow::slopes` of a collision with that many keys; NaN if it has no derivatives.
std::vector<double> slopes_in_row(const models::CollisionSlopes& slopes, std::size_t keys,
                                  std::size_t quantities, bool with_kinks);

/// The event and its sub-impact as one number, for rows that hold numbers alone.
double event_number(const models::Kink& kink);
/// "sub-impact 2 vanishes"; empty of NaN.
std::string event_words(double event);

/// gradient.csv: a row for each collision and key, with the derivatives of all quantities, and
/// these times number of the key over result.
class GradientTable {
  public:
    /// `place`: names of the numbers that tell which collision it is.
    GradientTable(const GradientKeys& wanted, std::vector<std::string> place);

    void add(std::span<const GradientKey> keys, const GradientRow& row);

    /// The rows so far; one for each key and collision.
    io::Table table() const;
    /// For each quantity and key the logarithmic derivative that is largest in magnitude
    /// (`log_cor_kinematic`), and with `with_places` the first number of its place
    /// (`log_cor_kinematic_xi`). For each key the distance to the nearest kink (`kink`), and the
    /// place of it.
    void add_to(io::Value& summary, bool with_places) const;

  private:
    std::size_t first_slope() const { return places_ + 1; }  // of the numbers

    std::size_t places_;
    std::vector<std::string> names_;  // of the numbers
    std::vector<std::string> key_, unit_;
    std::vector<std::vector<double>> numbers_;
    std::vector<impact::Quantity> quantities_;
    bool with_kinks_;
    std::vector<double> kinks_, events_;  // of the rows
};

/// Prints the change of e for 1 % more of each key, from the summary of one collision.
void add_gradient_lines(Outcome& outcome);

/// A warning for each key by which there are no derivatives, with the reason; one that counts the
/// collisions beside which a result has a jump or a kink; one with the nearest kink, if it is
/// so near that the derivatives hold on one side only: nearer than 0.1 % of the number of the key,
/// or of the range of a place.
void warn_of_gradient(std::vector<std::string>& warnings, std::span<const GradientKey> keys,
                      std::span<const GradientRow> rows);

}  // namespace stoss::solvers
