#pragma once
/// Problem `scheme_comparison`: what time schemes do to an impact of a point mass, or of a beam.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/point_impact.hpp>

namespace stoss::solvers {

/// A point mass that hits a wall, once or again and again.
struct PointMass {
    core::Required mass = {};
    core::Required speed = {};
    double external_force = 0.0;
    int rebounds = 1;

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PointMass::mass, "kg", core::positive, "mass m").required(),
            core::field("speed", &PointMass::speed, "m/s", core::positive,
                        "approach speed v_0 of the first impact")
                .required(),
            core::field(
                "external_force", &PointMass::external_force, "N", core::finite,
                "constant force f_e during contact; a positive one presses the body on the wall"),
            core::field("rebounds", &PointMass::rebounds, "", core::closed(1, 1e6),
                        "number of impacts in turn; each begins at x = 0 with the speed of the "
                        "last rebound")};
    }
};

/// The schemes for one freedom, and the splitting scheme that only a beam has.
using ComparableScheme = std::variant<time::Trapezoid, time::Verlet, time::Heun, time::RungeKutta4,
                                      time::SemiImplicitEuler, time::NewmarkBeta, time::Splitting2,
                                      time::Splitting4, time::DiscreteGradient, time::Splitting>;

/// One way to compute the impact.
struct ComparedScheme {
    core::OrNone<std::string> name;
    ComparableScheme scheme;
    int oversampling = 1;
    impact::Correction correction;

    std::string_view scheme_name() const;

    /// `name`, or that of the scheme.
    std::string label() const { return name.value_or(std::string(scheme_name())); }

    static constexpr auto fields() {
        return std::tuple{
            core::field("name", &ComparedScheme::name,
                        "name of its row, figures and keys; none: that of the scheme"),
            core::field("scheme", &ComparedScheme::scheme, "time scheme"),
            core::field("oversampling", &ComparedScheme::oversampling, "", core::closed(1, 65536),
                        "number of steps per sample"),
            core::field("correction", &ComparedScheme::correction,
                        "corrections of its results by closed forms")};
    }
};

/// Keys of `scheme_comparison`: those of a point mass or, with `beam`, of a struck beam.
struct SchemeComparison {
    static constexpr std::string_view name = "scheme_comparison";
    static constexpr std::string_view meaning =
        "comparison of time schemes on an impact of a point mass or a beam: energy, rebound, "
        "order, cost";

    core::OrNone<PointMass> point;
    core::OrNone<models::Beam> beam;
    core::OrNone<models::Striker> striker;
    models::Motion motion;
    models::BeamContact contact;
    models::Mesh mesh{.modes = 25};
    core::OrNone<Location> location;
    core::Required sample_rate = {};
    std::vector<ComparedScheme> schemes;
    int halvings = 6;
    bool as_published = false;

    static constexpr auto fields() {
        return std::tuple{
            core::field("point", &SchemeComparison::point, "a point mass that hits a wall"),
            core::field("beam", &SchemeComparison::beam, "a beam, in place of the point mass"),
            core::field("striker", &SchemeComparison::striker, "body that the beam meets"),
            core::field("motion", &SchemeComparison::motion, "rigid motion of the beam"),
            core::field("contact", &SchemeComparison::contact, "contact law").required(),
            core::field("mesh", &SchemeComparison::mesh, "discretisation of the beam"),
            core::field("location", &SchemeComparison::location,
                        "place at which the beam is struck"),
            core::field("sample_rate", &SchemeComparison::sample_rate, "Hz", core::positive,
                        "samples per second; a step is 1/(sample_rate oversampling)")
                .required(),
            core::field("schemes", &SchemeComparison::schemes, "schemes that are compared")
                .required(),
            core::field("halvings", &SchemeComparison::halvings, "", core::closed(0, 10),
                        "number of times that the step is halved to find order and work"),
            core::field("as_published", &SchemeComparison::as_published,
                        "true: measure also as Papetti et al. 2011 did, with the errors of the "
                        "published formulas")};
    }

    /// Of the point mass.
    impact::PointImpact impact() const {
        return {contact.law, contact.separation, point->mass, point->external_force};
    }
    double step(std::size_t index) const;  ///< of scheme number `index` [s]

    /// Precondition: the scheme is one for one freedom.
    impact::PointScheme how(std::size_t index) const;
};

extern const Problem scheme_comparison_problem;

}  // namespace stoss::solvers
