#pragma once
/// `gradient:`, keys by which the results of a struck beam are differentiated.

#include <array>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <models/beam_gradients.hpp>
#include <models/beam_model.hpp>
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

    static constexpr auto fields() {
        return std::tuple{
            core::field("gradient", &GradientKeys::gradient,
                        "keys by which the results are differentiated, such as "
                        "beam.material.youngs_modulus; location: the place of contact along the "
                        "beam"),
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

/// What is wrong with the keys for that collision.
std::vector<core::Violation> check_gradient_keys(const GradientKeys& wanted,
                                                 const models::BeamCollision& collision);

/// A place at which e is largest or least along the beam: there a shift of the place matters least.
struct SweetSpot {
    double xi = 0.0, cor = 0.0;
    bool is_largest = false;
    bool is_smooth = false;  ///< de/dxi = 0; else e has a kink there
};

/// The derivatives of the collisions of one model.
class GradientStudy {
  public:
    /// Precondition: `check_gradient_keys` found nothing and there are keys. The model lives as
    /// long as this.
    GradientStudy(const models::BeamModel& model, const GradientKeys& wanted);

    /// The derivatives for a collision at xi, key by key, per SI unit of the key; with kinks then
    /// their distances, key by key, and the events there (`event_words`). NaN where there is none.
    /// `xi_by_length` as of models::BeamGradients.
    std::vector<double> row(double xi, double xi_by_length) const;

    /// Between neighbouring places (xi) with derivatives of e by the place of contact of opposite
    /// signs, from their rows; none if they are not asked for.
    std::vector<SweetSpot> sweet_spots(std::span<const std::vector<double>> rows,
                                       std::span<const double> places) const;

    const models::BeamGradients& gradients() const { return gradients_; }
    const std::vector<impact::Quantity>& quantities() const { return quantities_; }

  private:
    SweetSpot sweet_spot_between(std::array<double, 2> places, std::array<double, 2> slopes) const;

    models::BeamGradients gradients_;
    std::vector<impact::Quantity> quantities_;
    bool with_kinks_;
};

/// The event and its sub-impact as one number, for rows that hold numbers alone.
double event_number(const models::Kink& kink);
/// "sub-impact 2 vanishes"; empty of NaN.
std::string event_words(double event);

/// gradient.csv: a row for each collision and key, with the derivatives of all quantities, and
/// these times number of the key over result.
class GradientTable {
  public:
    explicit GradientTable(const GradientKeys& wanted);

    /// `results`: the collision as `collision_columns` has it; `row`: of the study.
    void add(const GradientStudy& study, std::span<const double> results,
             std::span<const double> row);

    /// The rows so far; one for each key and collision.
    io::Table table() const;
    /// For each quantity and key the logarithmic derivative that is largest in magnitude
    /// (`log_cor_kinematic`), and with `with_places` the xi of it (`log_cor_kinematic_xi`). For
    /// each key the distance to the nearest kink (`kink`), and the xi of it.
    void add_to(io::Value& summary, bool with_places) const;

  private:
    std::vector<std::string> names_;  // of the numbers
    std::vector<std::string> key_, unit_;
    std::vector<std::vector<double>> numbers_;
    std::vector<impact::Quantity> quantities_;
    bool with_kinks_;
    std::vector<double> kinks_, events_;  // of the rows
};

/// A warning for each key by which there are no derivatives, with the reason; one that counts the
/// collisions beside which a result has a jump or a kink; one with the nearest kink, if it is
/// so near that the derivatives hold on one side only. `places`: xi of the rows.
void warn_of_gradient(std::vector<std::string>& warnings, const GradientStudy& study,
                      std::span<const std::vector<double>> rows, std::span<const double> places);

/// The change of xi with the length of the beam: `xi_on(length)` is the place for a length [m].
template <class Place>
double xi_by_length(const Place& xi_on, double length) {
    return -2.0 * (xi_on(length) - xi_on(2.0 * length)) / length;  // xi = a + b/length
}

}  // namespace stoss::solvers
