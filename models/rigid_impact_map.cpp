#include <models/rigid_impact_map.hpp>

#include <cmath>

#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

RigidContact contact_with(const RigidImpactMap& map, double mu) {
    return {map.given, mu, {}};
}

double speed(const rigid::ContactVector& b) {
    return core::hypot(core::hypot(b.n, b.t), b.o);
}

}  // namespace

rigid::ContactProblem RigidImpactMap::problem(double mu) const {
    return contact_with(*this, mu).problem();
}

rigid::ContactProblem from_direction(rigid::ContactProblem problem, double inclination,
                                     double azimuth) {
    problem.b = velocity_of(speed(problem.b), inclination, azimuth);
    return problem;
}

std::vector<core::Violation> check(const RigidImpactMap& map) {
    std::vector<core::Violation> found = check(contact_with(map, 0.0));
    if (map.friction.empty()) {
        found.push_back({"friction", "[]", "must hold at least one coefficient", ""});
    }
    if (map.azimuths.empty()) {
        found.push_back({"azimuths", "[] rad", "must hold at least one angle", ""});
    }
    if (!found.empty()) return found;
    if (!contact_with(map, 0.0).is_orthonormal()) {
        found.push_back({"frame.rule", "", "directions need orthonormal axes",
                         "leave `tangent` and `second_tangent` out"});
    }
    if (!(speed(map.problem(0.0).b) > 0.0)) {
        const bool bodies = std::holds_alternative<GivenBodies>(map.given);
        found.push_back({bodies ? "first.velocity" : "b", "0 m/s",
                         "is zero: the bodies have no relative velocity at the contact",
                         "give a velocity; only its magnitude counts"});
    }
    return found;
}

}  // namespace stoss::models
