#pragma once
/// `gradient:`, keys by which the results of a struck beam are differentiated.

#include <array>
#include <span>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <models/beam_model.hpp>
#include <solvers/case/gradient_table.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::solvers {

/// The same of a struck beam.
struct BeamGradientKeys : GradientKeys {
    static constexpr auto fields() {
        return fields_for(
            "keys by which the results are differentiated, such as beam.material.youngs_modulus; "
            "location: the place of contact along the beam");
    }
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

    /// `GradientRow::slopes` of a collision at xi. `xi_by_length` as of models::BeamGradients.
    std::vector<double> slopes(double xi, double xi_by_length) const;

    /// All of a collision. `columns`: its numbers as `collision_columns` has them; `slopes`: those
    /// there.
    GradientRow row(std::span<const double> columns, std::vector<double> slopes) const;

    /// Between neighbouring places with derivatives of e by the place of contact of opposite signs;
    /// none if they are not asked for.
    std::vector<SweetSpot> sweet_spots(std::span<const GradientRow> rows) const;

    std::span<const GradientKey> keys() const { return keys_; }
    const models::BeamGradients& gradients() const { return gradients_; }
    const std::vector<impact::Quantity>& quantities() const { return quantities_; }

  private:
    SweetSpot sweet_spot_between(std::array<double, 2> places, std::array<double, 2> slopes) const;

    models::BeamGradients gradients_;
    std::vector<GradientKey> keys_;
    std::vector<impact::Quantity> quantities_;
    bool with_kinks_;
};

/// The table of collisions of a beam.
inline GradientTable beam_gradient_table(const GradientKeys& wanted) {
    return {wanted, {"xi", "x_m"}};
}

/// The change of xi with the length of the beam: `xi_on(length)` is the place for a length [m].
template <class Place>
double xi_by_length(const Place& xi_on, double length) {
    return -2.0 * (xi_on(length) - xi_on(2.0 * length)) / length;  // xi = a + b/length
}

}  // namespace stoss::solvers
