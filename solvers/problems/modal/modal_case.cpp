#include <solvers/problems/modal/modal_case.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <Eigen/QR>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/modal/modal_gradient.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

double rigid_velocity(const ReadBody& body, Eigen::Index point) {
    double velocity = 0.0;
    for (std::size_t j = 0; j < body.modes.rigid; ++j)
        velocity +=
            body.modes.shapes(point, static_cast<Eigen::Index>(j)) * body.motion.rigid_rates[j];
    return velocity;
}

core::Violation no_such_point(const std::string& key, const std::string& point,
                              const NamedModes& modes) {
    const auto nearest = core::nearest_word(point, modes.points);
    return {key, point, "is not a point of the table of modes",
            nearest ? "did you mean `" + *nearest + "`?"
                    : "the points are " + core::listed(modes.points, "and")};
}

/// The rows of the rigid modes that belong to the points of a motion.
Eigen::MatrixXd rigid_rows(const NamedModes& modes, const std::vector<Eigen::Index>& points) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()),
                         static_cast<Eigen::Index>(modes.rigid));
    for (std::size_t i = 0; i < points.size(); ++i) {
        rows.row(static_cast<Eigen::Index>(i)) =
            modes.shapes.row(points[i]).head(static_cast<Eigen::Index>(modes.rigid));
    }
    return rows;
}

/// Rates and loads a of the rigid modes with Phi_r a = the velocities and accelerations of the
/// points.
void read_motion(const TabledBody& given, const NamedModes& modes, const std::string& key,
                 models::ModalMotion& motion, Violations& violations) {
    motion.rigid_rates.assign(modes.rigid, 0.0);
    if (given.motion.empty()) return;
    std::vector<Eigen::Index> points;
    Eigen::MatrixXd motions(static_cast<Eigen::Index>(given.motion.size()), 2);
    for (std::size_t i = 0; i < given.motion.size(); ++i) {
        const auto point = modes.find(given.motion[i].point);
        if (!point) {
            violations.push_back(no_such_point(fmt::format("{}.motion[{}].point", key, i),
                                               given.motion[i].point, modes));
            return;
        }
        points.push_back(*point);
        motions.row(static_cast<Eigen::Index>(i)) << given.motion[i].velocity,
            given.motion[i].acceleration;
    }
    const Eigen::MatrixXd rows = rigid_rows(modes, points);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
    if (qr.rank() < rows.cols()) {
        violations.push_back(
            {key + ".motion", "",
             fmt::format("does not determine the motion of {} rigid modes", modes.rigid),
             "give velocities of as many points, not all of them at one place"});
        return;
    }
    const Eigen::MatrixXd rates = qr.solve(motions);
    const Eigen::MatrixXd off = rows * rates - motions;
    if (off.col(0).norm() > 1e-6 * motions.col(0).norm() ||
        off.col(1).norm() > 1e-6 * motions.col(1).norm()) {
        violations.push_back({key + ".motion", "",
                              modes.rigid == 0 ? "is not possible: this body has no rigid mode"
                                               : "is not the motion of a rigid body",
                              ""});
    }
    motion.rigid_rates.assign(rates.col(0).begin(), rates.col(0).end());
    motion.rigid_loads.assign(rates.col(1).begin(), rates.col(1).end());
}

/// Coordinates of the vibrations: what a point does divided by the shape there.
void read_vibration(const TabledBody& given, const NamedModes& modes, const std::string& key,
                    models::ModalMotion& motion, Violations& violations) {
    if (given.vibration.empty()) return;
    const int rigid = static_cast<int>(modes.rigid), all = static_cast<int>(modes.shapes.cols());
    motion.vibration.assign(static_cast<std::size_t>(all - rigid), 0.0);
    motion.vibration_rates = motion.vibration;
    for (std::size_t i = 0; i < given.vibration.size(); ++i) {
        const PointVibration& each = given.vibration[i];
        const std::string here = fmt::format("{}.vibration[{}]", key, i);
        const auto point = modes.find(each.point);
        if (!point) violations.push_back(no_such_point(here + ".point", each.point, modes));
        if (each.mode <= rigid || each.mode > all) {
            violations.push_back({here + ".mode", std::to_string(each.mode),
                                  each.mode > all
                                      ? fmt::format("the table has only {} modes", all)
                                      : fmt::format("the first {} modes are rigid", rigid),
                                  fmt::format("give a mode from {} to {}", rigid + 1, all)});
            continue;
        }
        if (!point) continue;
        const auto shape = modes.shapes.col(each.mode - 1);
        // Mass-normalised modes are of one size: a table may have points at the node alone.
        if (std::abs(shape[*point]) <= 1e-6 * modes.shapes.cwiseAbs().maxCoeff()) {
            violations.push_back({here + ".point", each.point,
                                  fmt::format("is at a node of mode {}", each.mode),
                                  "name a point that the mode moves"});
            continue;
        }
        const auto j = static_cast<std::size_t>(each.mode - 1 - rigid);
        motion.vibration[j] += each.displacement / shape[*point];
        motion.vibration_rates[j] += each.velocity / shape[*point];
    }
}

/// Unit translation is Phi_r a with a.a = m, if the rigid modes are mass-normalised.
void check_mass(const TabledBody& given, const NamedModes& modes, const std::string& key,
                Violations& violations) {
    if (!given.mass) return;
    std::vector<Eigen::Index> all;
    for (Eigen::Index i = 0; i < modes.shapes.rows(); ++i) all.push_back(i);
    const Eigen::MatrixXd rows = rigid_rows(modes, all);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows.rows());
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
    if (rows.cols() == 0 || qr.rank() < rows.cols()) {
        violations.push_back({key + ".mass", core::with_unit(*given.mass, "kg"),
                              "cannot be compared: the points do not distinguish the rigid modes",
                              "leave it out, or add points to the table"});
        return;
    }
    const Eigen::VectorXd translation = qr.solve(ones);
    const double mass = translation.squaredNorm();
    if ((rows * translation - ones).norm() > 1e-3 * ones.norm()) {
        violations.push_back({key + ".mass", core::with_unit(*given.mass, "kg"),
                              "cannot be compared: the rigid modes hold no translation",
                              "leave it out"});
    } else if (std::abs(mass - *given.mass) > 1e-3 * *given.mass) {
        violations.push_back(
            {key + ".mass", core::with_unit(*given.mass, "kg"),
             fmt::format("the rigid modes are normalised by a mass of {:.6g} kg", mass),
             "shapes must be mass-normalised in SI units, 1/sqrt(kg); or give modal_mass_kg"});
    }
}

/// Modes and motion by the cells of the table.
void settle(ReadBody& body, const TabledBody& given, const std::string& key,
            Violations& violations) {
    body.modes = modes_of(body.cells);
    body.motion = {};
    read_motion(given, body.modes, key, body.motion, violations);
    read_vibration(given, body.modes, key, body.motion, violations);
}

ReadBody read_body(const io::Document& document, const TabledBody& given, const std::string& key,
                   Violations& violations) {
    refuse(document, check_file(document, key + ".modes", given.modes));
    const std::string file = path_in_case(document, given.modes);
    ReadBody body{read_mode_cells(file, given.rigid_modes), {}, io::read_text(file), {}};
    check_mass(given, modes_of(body.cells), key, violations);
    settle(body, given, key, violations);
    return body;
}

void check_contact(const ModalImpact& impact, Violations& violations) {
    core::append(models::check(impact.contact, "contact"), violations);
    models::append_missing(models::check_without_bodies(impact.contact.law, "contact"), violations);
}

void find_points(ModalCase& all, Violations& violations) {
    const auto& names = all.impact.points.empty() ? all.body.modes.points : all.impact.points;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto point = all.body.modes.find(names[i])) {
            all.points.push_back(*point);
        } else {
            violations.push_back(
                no_such_point(fmt::format("points[{}]", i), names[i], all.body.modes));
        }
    }
}

void check_striker(const ModalCase& all, Violations& violations) {
    if (const StrikingModes* const given = all.striking_modes()) {
        if (!all.striker->modes.find(given->point))
            violations.push_back(no_such_point("striker.point", given->point, all.striker->modes));
        return;
    }
    const auto& [mass, velocity, acceleration] = std::get<StrikingMass>(all.impact.striker.kind);
    if (std::isfinite(mass)) return;
    const auto refuse_motion = [&](const char* key, double value, const char* unit) {
        if (value == 0.0) return;
        violations.push_back({key, core::with_unit(value, unit),
                              "a striker of infinite mass is inertially fixed and cannot move",
                              "give striker.mass, or let the body move instead"});
    };
    refuse_motion("striker.velocity", velocity, "m/s");
    refuse_motion("striker.acceleration", acceleration, "m/s^2");
}

void check_scheme(const ModalCase& all, Violations& violations) {
    if (!all.is_loaded() || !std::holds_alternative<time::Newmark>(all.impact.integration.scheme))
        return;
    violations.push_back({"integration.scheme", "newmark", "does not support accelerations",
                          "use `integration.scheme: splitting`"});
}

}  // namespace

ModalCase ModalCase::read(const io::Document& document) {
    auto [header, impact, expectations] =
        io::read<CaseHeader, ModalImpact, CaseExpectations>(document);
    ModalCase all{header, impact, expectations, {}, {}, {}};
    Violations violations;
    check_contact(impact, violations);
    all.body = read_body(document, impact.body, "body", violations);
    if (const StrikingModes* const given = all.striking_modes())
        all.striker = read_body(document, *given, "striker", violations);
    find_points(all, violations);
    check_striker(all, violations);
    check_scheme(all, violations);
    core::append(check_gradient_keys(all), violations);
    refuse(document, violations);
    for (const Eigen::Index point : all.points) {
        const double speed = all.approach_speed(point);
        if (speed > 0.0) continue;
        violations.push_back(
            {"points", all.name_of(point),
             fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s, must be "
                         "> 0",
                         speed),
             "V_rel = velocity of the striker - that of the body: turn the sign of a motion"});
    }
    refuse(document, violations);
    return all;
}

modal::ModalBody ModalCase::striking_body() const {
    if (const StrikingModes* const given = striking_modes())
        return striker->modes.at(striker->modes.find(given->point).value());
    return modal::point_mass(std::get<StrikingMass>(impact.striker.kind).mass);
}

models::ModalMotion ModalCase::striker_motion() const {
    if (striker) return striker->motion;
    const auto& [mass, velocity, acceleration] = std::get<StrikingMass>(impact.striker.kind);
    if (!std::isfinite(mass)) return {};
    return {{velocity * std::sqrt(mass)}, {}, {}, {acceleration * std::sqrt(mass)}};
}

double ModalCase::approach_speed(Eigen::Index point) const {
    const modal::ModalBody other = striking_body();
    const models::ModalMotion motion = striker_motion();
    double speed = -rigid_velocity(body, point);
    for (std::size_t j = 0; j < other.rigid; ++j) speed += other.phi[j] * motion.rigid_rates[j];
    return speed;
}

bool ModalCase::is_loaded() const {
    const auto acts = [](const models::ModalMotion& motion) {
        return std::ranges::any_of(motion.rigid_loads, [](double f) { return f != 0.0; });
    };
    return acts(body.motion) || acts(striker_motion());
}

double ModalCase::time_limit(const modal::ModalBody& striking) const {
    return impact.integration.time_limit.value_or(
        models::default_time_limit(body.modes.eigenvalues, striking.eigenvalues));
}

core::NumberKey ModalCase::number_at(std::string_view key) {
    constexpr std::string_view of_body = "body.modes", of_striker = "striker.modes";
    if (key.starts_with(of_body)) return body.cells.number_at(key.substr(of_body.size()));
    if (key.starts_with(of_striker) && striker)
        return striker->cells.number_at(key.substr(of_striker.size()));
    return core::number_at(impact, key);
}

std::vector<core::Violation> ModalCase::settle() {
    Violations violations;
    solvers::settle(body, impact.body, "body", violations);
    if (striker) solvers::settle(*striker, *striking_modes(), "striker", violations);
    check_striker(*this, violations);
    return violations;
}

}  // namespace stoss::solvers
