#pragma once
/// Problem `bead`: published approximations of a bead's restitution beside the exact one.

#include <optional>
#include <string_view>
#include <tuple>

#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>

namespace stoss::solvers {

/// The dimensionless damping gamma runs through this range.
struct DampingRange {
    double from = 0.0;
    std::optional<double> to = {};
    int points = 1000;
    Spacing spacing = Spacing::linear;

    static constexpr auto fields() {
        return std::tuple{
            core::field("from", &DampingRange::from, "", core::non_negative, "first damping gamma"),
            core::field("to", &DampingRange::to, "", core::positive,
                        "last damping gamma; if left out, 0.1 or 1.1 times the damping at which "
                        "the bead sticks by the large-load formula, whichever is less"),
            core::field("points", &DampingRange::points, "", core::closed(2, 1e6),
                        "number of values"),
            core::field("spacing", &DampingRange::spacing, "spacing of the values")};
    }
};

/// u'' + gamma d/dt u^beta + u^alpha = g, u(0) = 0, u'(0) = 1.
struct ViscoelasticBead {
    double exponent = 1.5;
    double damping_exponent = 1.5;
    double load = 0.0;
    DampingRange damping;
    int degree = 21;

    static constexpr auto fields() {
        return std::tuple{
            core::field("exponent", &ViscoelasticBead::exponent, "", core::closed(1.0, 10.0),
                        "exponent alpha of the elastic part"),
            core::field("damping_exponent", &ViscoelasticBead::damping_exponent, "",
                        core::closed(1.0, 20.0), "exponent beta of the damping"),
            core::field("load", &ViscoelasticBead::load, "", core::closed(0.0, 1e8),
                        "dimensionless load g"),
            core::field("damping", &ViscoelasticBead::damping,
                        "range of the dimensionless damping gamma"),
            core::field("degree", &ViscoelasticBead::degree, "", core::closed(1, 41),
                        "degree n of the interpolation of Proposition 3, odd")};
    }
};

/// Keys of `bead` beside those of ViscoelasticBead.
struct Bead {
    static constexpr std::string_view name = "bead";
    static constexpr std::string_view meaning =
        "restitution of a viscoelastic bead over its damping, exact and by the published "
        "approximations, dimensionless";

    bool critical_loads = false;
    core::OrNone<Sweep> sweep;

    static constexpr auto fields() {
        return std::tuple{
            core::field("critical_loads", &Bead::critical_loads,
                        "true: compute also the load at which the bead sticks, for each gamma"),
            core::field("sweep", &Bead::sweep, "a key that takes several values")};
    }
};

extern const Problem bead_problem;

}  // namespace stoss::solvers
