#include <models/modal_collision.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

void check_length(const std::string& key, std::size_t length, std::size_t wanted,
                  const char* of_what, Violations& violations) {
    if (length == wanted) return;
    violations.push_back(
        {key, fmt::format("{} numbers", length),
         fmt::format("must have one number for each of the {} {}", wanted, of_what), ""});
}

/// Every number of the motion must be finite.
void check_motion(const ModalMotion& motion, const std::string& key, Violations& violations) {
    const auto check = [&](const char* name, const std::vector<double>& values, const char* unit) {
        for (std::size_t j = 0; j < values.size(); ++j)
            core::append(core::check_number(fmt::format("{}.{}[{}]", key, name, j), values[j],
                                            core::finite, unit),
                         violations);
    };
    check("rigid_rates", motion.rigid_rates, "kg^0.5 m/s");
    check("vibration", motion.vibration, "kg^0.5 m");
    check("vibration_rates", motion.vibration_rates, "kg^0.5 m/s");
    check("rigid_loads", motion.rigid_loads, "kg^0.5 m/s^2");
}

/// Roundoff of a matrix that a user computed elsewhere, relative to its largest number.
constexpr double matrix_tolerance = 1e-9;

/// What is wrong with the damping that couples the modes, in words; empty if nothing is.
/// Precondition: the dampings of the modes are finite.
std::string coupling_rule(const modal::ModalBody& body) {
    const Eigen::MatrixXd& coupling = body.coupled_damping;
    const auto modes = static_cast<Eigen::Index>(body.modes());
    if (coupling.rows() != coupling.cols() || coupling.rows() > modes)
        return fmt::format("must be square, with at most one row for each of the {} modes", modes);
    if (!coupling.allFinite()) return "must be finite numbers";
    const double size = coupling.cwiseAbs().maxCoeff();
    if ((coupling - coupling.transpose()).cwiseAbs().maxCoeff() > matrix_tolerance * size)
        return "must be symmetric";
    Eigen::MatrixXd damping = coupling;
    damping.diagonal() += Eigen::Map<const Eigen::VectorXd>(body.damping.data(), damping.rows());
    const Eigen::VectorXd rates =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(damping, Eigen::EigenvaluesOnly)
            .eigenvalues();
    if (rates[0] < -matrix_tolerance * damping.cwiseAbs().maxCoeff())
        return fmt::format(
            "must be positive semidefinite with `damping` added to its diagonal: the smallest "
            "eigenvalue is {}",
            core::with_unit(rates[0], "1/s"));
    return {};
}

void check_coupling(const modal::ModalBody& body, const std::string& key, Violations& violations) {
    const Eigen::MatrixXd& coupling = body.coupled_damping;
    if (coupling.size() == 0) return;
    if (std::string rule = coupling_rule(body); !rule.empty())
        violations.push_back({key + ".coupled_damping",
                              fmt::format("{} x {}", coupling.rows(), coupling.cols()),
                              std::move(rule), ""});
}

void check_body(const ModesInMotion& given, const std::string& key, Violations& violations) {
    const modal::ModalBody& body = given.body;
    const ModalMotion& motion = given.motion;
    const std::size_t modes = body.modes();
    check_length(key + ".eigenvalues", body.eigenvalues.size(), modes, "modes", violations);
    check_length(key + ".damping", body.damping.size(), modes, "modes", violations);
    if (body.rigid > modes) {
        violations.push_back({key + ".rigid", std::to_string(body.rigid),
                              fmt::format("must be at most the number of modes, {}", modes), ""});
    }
    if (!violations.empty()) return;
    check_length(key + ".rigid_rates", motion.rigid_rates.size(), body.rigid, "rigid modes",
                 violations);
    for (const auto& [name, values] : {std::pair{".vibration", &motion.vibration},
                                       std::pair{".vibration_rates", &motion.vibration_rates}}) {
        if (!values->empty())
            check_length(key + name, values->size(), modes - body.rigid, "vibration modes",
                         violations);
    }
    if (!motion.rigid_loads.empty())
        check_length(key + ".rigid_loads", motion.rigid_loads.size(), body.rigid, "rigid modes",
                     violations);
    check_motion(motion, key, violations);
    core::append(core::check_number(key + ".residual_flexibility", body.residual_flexibility,
                                    core::non_negative, "m/N"),
                 violations);
    for (std::size_t j = 0; j < modes; ++j) {
        const auto number = [&](const char* name, double value, const core::Range& range,
                                const char* unit) {
            core::append(
                core::check_number(fmt::format("{}.{}[{}]", key, name, j), value, range, unit),
                violations);
        };
        number("eigenvalues", body.eigenvalues[j],
               j < body.rigid ? core::closed(0.0, 0.0) : core::positive, "1/s^2");
        number("damping", body.damping[j], core::non_negative, "1/s");
        number("phi", body.phi[j], core::finite, "kg^-0.5");
    }
    if (violations.empty()) check_coupling(body, key, violations);
}

void check_contact(const impact::ContactSetup& contact, Violations& violations) {
    std::visit(
        [&](const auto& law) {
            core::append(core::check_fields(law, "contact"), violations);
            for (core::Violation& each : check(law, contact.separation)) {
                each.key = "contact." + each.key;
                violations.push_back(std::move(each));
            }
        },
        contact.law);
    append_missing(check_without_bodies(contact.law, "contact", "is missing",
                                        "modes tell no shapes to compute it from; see "
                                        "contact/geometry.hpp"),
                   violations);
}

}  // namespace

ModesInMotion moving(modal::ModalBody body, double velocity) {
    core::throw_if_any(core::check_number("velocity", velocity, core::finite, "m/s"));
    ModesInMotion result{std::move(body), {}};
    const std::size_t rigid = result.body.rigid;
    if (velocity != 0.0 && (rigid != 1 || result.body.phi.empty())) {
        core::throw_if_any({{"velocity", fmt::format("{} m/s", velocity),
                             fmt::format("does not determine the motion of {} rigid modes", rigid),
                             "give motion.rigid_rates"}});
    }
    if (velocity != 0.0 && result.body.phi[0] == 0.0) {
        core::throw_if_any({{"velocity", core::with_unit(velocity, "m/s"),
                             "is not possible: the contact point is a node of the rigid mode",
                             "move the contact point, or give 0 m/s"}});
    }
    result.motion.rigid_rates.assign(rigid, 0.0);
    if (velocity != 0.0) result.motion.rigid_rates[0] = velocity / result.body.phi[0];
    return result;
}

ModesInMotion moving_mass(double mass, double velocity) {
    Violations violations = core::check_number("mass", mass, core::positive_or_infinite, "kg");
    core::append(core::check_number("velocity", velocity, core::finite, "m/s"), violations);
    if (std::isinf(mass) && velocity != 0.0)
        violations.push_back({"velocity", core::with_unit(velocity, "m/s"), "must be 0 m/s",
                              "an infinite mass does not move"});
    core::throw_if_any(std::move(violations));
    return moving(modal::point_mass(mass), velocity);
}

double default_time_limit(std::span<const double> first, std::span<const double> second) {
    double slowest = core::infinity;
    for (const auto eigenvalues : {first, second}) {
        for (const double eigenvalue : eigenvalues) {
            if (eigenvalue > 0.0) slowest = std::min(slowest, eigenvalue);
        }
    }
    return std::isfinite(slowest) ? 200.0 * std::numbers::pi / std::sqrt(slowest) : 100.0;
}

Collision collide(const ModesInMotion& first, const ModesInMotion& second,
                  const impact::ContactSetup& contact, const ModalCollisionOptions& options) {
    Violations violations;
    check_body(first, "first", violations);
    check_body(second, "second", violations);
    check_contact(contact, violations);
    core::append(core::check_fields(Integration{options.scheme, options.time_limit}, "integration"),
                 violations);
    core::throw_if_any(std::move(violations));
    const double limit = options.time_limit.value_or(
        default_time_limit(first.body.eigenvalues, second.body.eigenvalues));
    impact::History history(options.samples);
    Collision collision{impact::collide(first.motion.of(first.body), second.motion.of(second.body),
                                        contact, options.scheme, limit,
                                        options.samples > 0 ? &history : nullptr)};
    collision.history = history.samples();
    return collision;
}

}  // namespace stoss::models
