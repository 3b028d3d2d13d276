#include <models/sliding_rod.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

std::vector<core::Violation> check(const SlidingRod& rod) {
    std::vector<core::Violation> found;
    const std::string angles = fmt::format("[{}] rad", fmt::join(rod.angles, ", "));
    if (rod.angles.empty()) {
        found.push_back({"angles", angles, "must hold at least one angle", ""});
    } else if (!std::is_sorted(rod.angles.begin(), rod.angles.end(), std::less_equal<>())) {
        found.push_back({"angles", angles, "must rise from one to the next", ""});
    }
    if (rod.friction.empty() && rod.relative_friction.empty()) {
        found.push_back({"friction", "", "is missing",
                         "add `friction` (mu) or `relative_friction` (mu in units of the critical "
                         "one)"});
    }
    const auto is_held = [&](double angle) { return is_valid(rod_contact(rod, angle, 0.0)); };
    if (found.empty() && !std::all_of(rod.angles.begin(), rod.angles.end(), is_held)) {
        found.push_back(
            {"length", core::with_unit(rod.length, "m"),
             "gives a contact whose inverse mass is no finite number in double precision",
             "bring length and mass closer to 1"});
    }
    if (!found.empty()) return found;
    for (const double share : rod.relative_friction) {
        const auto is_too_large = [&](double angle) {
            return share * critical_friction(rod_contact(rod, angle, 0.0).A) >
                   rigid::largest_friction;
        };
        if (std::none_of(rod.angles.begin(), rod.angles.end(), is_too_large)) continue;
        found.push_back(
            {"relative_friction", fmt::format("{}", share),
             fmt::format("gives a coefficient of friction above {}", rigid::largest_friction), ""});
        break;
    }
    return found;
}

rigid::RigidBody rod_body(const SlidingRod& rod, double angle) {
    // A thin rod has no moment of inertia about its axis; no impulse at the tip acts about it.
    constexpr double slender = 1e-6;
    rigid::RigidBody body;
    body.mass = rod.mass;
    body.inertia = (rod.mass * rod.length * rod.length / 12.0 * Eigen::Vector3d(slender, 1.0, 1.0))
                       .asDiagonal();
    body.orientation = Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ());
    body.position = 0.5 * rod.length * Eigen::Vector3d(core::cos(angle), core::sin(angle), 0.0);
    body.velocity = {-rod.speed, 0.0, 0.0};
    return body;
}

rigid::ContactFrame rod_frame() {
    rigid::ContactFrame frame;
    frame.n = Eigen::Vector3d::UnitY();
    frame.t = Eigen::Vector3d::UnitX();
    frame.o = Eigen::Vector3d::UnitZ();
    return frame;
}

rigid::ContactProblem rod_contact(const SlidingRod& rod, double angle, double mu) {
    return contact_problem(rod_body(rod, angle), rigid::RigidBody::fixed(), rod_frame(), mu);
}

double critical_friction(const rigid::ContactMatrix& A) {
    const double coupling = std::abs(A.nt);
    double mu = A.nn / coupling;
    while (std::fma(mu, coupling, -A.nn) < 0.0) mu = std::nextafter(mu, core::infinity);
    return mu;
}

}  // namespace stoss::models
