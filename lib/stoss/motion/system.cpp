#include <stoss/motion/system.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <Eigen/Cholesky>
#include <stoss/contact/attraction.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>

namespace stoss::motion {

namespace {

using Violations = std::vector<core::Violation>;

/// `each`: what has one of the numbers.
void check_numbers(const std::string& name, const std::vector<double>& values, std::size_t size,
                   bool is_signed, Violations& found, std::string_view each = "mode") {
    if (values.size() != size)
        found.push_back({name, std::to_string(values.size()),
                         fmt::format("must hold {} numbers, one a {}", size, each), ""});
    for (std::size_t j = 0; j < values.size(); ++j) {
        if (std::isfinite(values[j]) && (is_signed || values[j] >= 0.0)) continue;
        found.push_back({fmt::format("{}[{}]", name, j), fmt::format("{:g}", values[j]),
                         is_signed ? "must be finite" : "must be finite and >= 0", ""});
    }
}

double overlap_at_start(const System& system, std::size_t c) {
    const Contact& contact = system.contacts[c];
    double overlap = -contact.gap;
    for (std::size_t j = 0; j < system.modes(); ++j)
        overlap -= contact.phi[j] * system.coordinates[j];
    for (const Drive& drive : system.drives)
        if (!drive.surfaces.empty()) overlap += drive.surfaces[c] * core::cos(drive.phase);
    return overlap;
}

/// What an impact by this law is refused for, with keys that begin with its name.
Violations check_law(const contact::Law& law, const std::string& name) {
    Violations found = std::visit(
        [](const auto& each) -> Violations { return contact::check_all_numbers(each); }, law);
    for (core::Violation& each : found) each.key = name + '.' + each.key;
    return found;
}

/// True if the damping follows from a wanted restitution and the mass of the relative motion.
bool needs_mass(const CompliantContact& compliant) {
    return std::visit(
        [&](const auto& law) {
            if constexpr (requires { law.restitution; }) {
                contact::Contact begun(law, compliant.separation, core::infinity);
                begun.accept(begun.begin_overlap(), 1.0);
                return !std::isfinite(contact::damping_at(begun, 1.0));
            }
            return false;
        },
        compliant.law);
}

void check_tangential_law(const ContactFriction& friction, const std::string& name,
                          Violations& found) {
    if (std::holds_alternative<contact::PartialSlip>(friction.tangential) &&
        friction.stiffness > 0.0)
        found.push_back({name + ".stiffness", fmt::format("{:g} N/m", friction.stiffness),
                         "is that of one spring: a bed of springs follows the normal law",
                         "give a stiffness_ratio > 0 instead"});
    const auto* const slider = std::get_if<contact::SpringSlider>(&friction.tangential);
    if (slider && slider->tangential_damping != 0.0)
        found.push_back({name + ".tangential.tangential_damping",
                         fmt::format("{:g}", slider->tangential_damping),
                         "must be 0: the slider has no dashpot here", ""});
}

void check_friction(const System& system, const Contact& contact, const std::string& name,
                    Violations& found) {
    const ContactFriction& friction = *contact.friction;
    const auto* compliant = std::get_if<CompliantContact>(&contact.law);
    if (!compliant) {
        found.push_back({name, "", "needs a force law: an impulse has no tangential spring", ""});
        return;
    }
    if (check_law(compliant->law, "").empty() &&
        contact::attracts(compliant->law, {1.0, compliant->separation}))
        found.push_back({name, "", "is not known of a law that attracts", ""});
    check_numbers(name + ".phi", friction.phi, system.modes(), true, found);
    if (!friction.lateral_phi.empty())
        check_numbers(name + ".lateral_phi", friction.lateral_phi, system.modes(), true, found);
    if (!(std::isfinite(friction.mu) && friction.mu >= 0.0))
        found.push_back(
            {name + ".mu", fmt::format("{:g}", friction.mu), "must be finite and >= 0", ""});
    for (const auto& [key, value] : {std::pair{".stiffness", friction.stiffness},
                                     std::pair{".stiffness_ratio", friction.stiffness_ratio}})
        if (!(std::isfinite(value) && value >= 0.0))
            found.push_back(
                {name + key, fmt::format("{:g}", value), "must be finite and >= 0", ""});
    if (!std::holds_alternative<contact::Smooth>(friction.tangential) &&
        (friction.stiffness > 0.0) == (friction.stiffness_ratio > 0.0))
        found.push_back({name + ".stiffness", fmt::format("{:g} N/m", friction.stiffness),
                         "is one of two ways to give the stiffness of the spring",
                         "give either a stiffness or a stiffness_ratio > 0"});
    check_tangential_law(friction, name, found);
}

/// `is_whole`: the bodies and drives have all their numbers.
void check_contact(const System& system, std::size_t c, bool is_whole, Violations& found) {
    const std::size_t before = found.size();
    const Contact& contact = system.contacts[c];
    const auto* const compliant = std::get_if<CompliantContact>(&contact.law);
    const std::string name = fmt::format("contacts[{}]", c);
    check_numbers(name + ".phi", contact.phi, system.modes(), true, found);
    if (const auto* newton = std::get_if<NewtonImpact>(&contact.law)) {
        if (!(newton->cor >= 0.0 && newton->cor <= 1.0))
            found.push_back(
                {name + ".cor", fmt::format("{:g}", newton->cor), "must be in [0, 1]", ""});
    } else {
        core::append(check_law(compliant->law, name + ".law"), found);
        if (!(compliant->effective_mass >= 0.0))
            found.push_back({name + ".effective_mass",
                             fmt::format("{:g} kg", compliant->effective_mass), "must be >= 0",
                             ""});
    }
    if (contact.friction) check_friction(system, contact, name + ".friction", found);
    if (!std::isfinite(contact.gap)) {
        found.push_back({name + ".gap", fmt::format("{:g} m", contact.gap), "must be finite", ""});
        return;
    }
    if (!is_whole || found.size() > before) return;
    if (std::ranges::all_of(contact.phi, [](double phi) { return phi == 0.0; })) {
        found.push_back({name + ".phi", "", "is zero: neither body can move there", ""});
        return;
    }
    if (compliant && std::isinf(effective_mass(system, c)) && needs_mass(*compliant))
        found.push_back({name + ".law.restitution", "",
                         "needs a body that moves as a whole: its mass gives the damping",
                         "give the damping itself, `damping_factor` or `damping`"});
    double scale = std::abs(contact.gap);
    for (std::size_t j = 0; j < system.modes(); ++j)
        scale += std::abs(contact.phi[j] * system.coordinates[j]);
    for (const Drive& drive : system.drives)
        if (!drive.surfaces.empty()) scale += std::abs(drive.surfaces[c]);
    const double overlap = overlap_at_start(system, c);
    if (overlap > 1e-12 * scale)
        found.push_back({name + ".gap", fmt::format("{:g} m", contact.gap),
                         fmt::format("the bodies overlap by {:.4g} m at time 0", overlap),
                         "increase the gap, or move one of the bodies away"});
}

void check_drive(const System& system, std::size_t k, Violations& found) {
    const Drive& drive = system.drives[k];
    const std::string name = fmt::format("drives[{}]", k);
    if (!(std::isfinite(drive.frequency) && drive.frequency >= 0.0))
        found.push_back({name + ".frequency", fmt::format("{:g} rad/s", drive.frequency),
                         "must be finite and >= 0", ""});
    if (!std::isfinite(drive.phase))
        found.push_back(
            {name + ".phase", fmt::format("{:g} rad", drive.phase), "must be finite", ""});
    if (!drive.forces.empty())
        check_numbers(name + ".forces", drive.forces, system.modes(), true, found);
    if (!drive.surfaces.empty())
        check_numbers(name + ".surfaces", drive.surfaces, system.contacts.size(), true, found,
                      "contact");
}

/// True if a symmetric matrix, by rows, is positive definite or, to roundoff, semidefinite.
/// Precondition: so are its minors of two rows.
bool is_semidefinite(const std::vector<double>& matrix, std::size_t rows) {
    const auto size = static_cast<Eigen::Index>(rows);
    Eigen::MatrixXd raised = Eigen::Map<const Eigen::MatrixXd>(matrix.data(), size, size);
    const double largest = raised.diagonal().maxCoeff();
    if (largest == 0.0) return true;  // the whole matrix is 0
    raised.diagonal().array() += 1e-9 * largest;
    return raised.llt().info() == Eigen::Success;
}

void check_residual(const System& system, Violations& found) {
    const std::vector<double>& residual = system.residual_flexibility;
    const std::size_t contacts = system.contacts.size();
    if (residual.empty() || !found.empty()) return;
    const std::string name = "residual_flexibility";
    if (residual.size() != contacts * contacts) {
        found.push_back({name, std::to_string(residual.size()),
                         fmt::format("must hold {0} x {0} numbers", contacts), ""});
        return;
    }
    for (std::size_t c = 0; c < contacts; ++c) {
        const double own = residual[c * contacts + c];
        const auto* const compliant = std::get_if<CompliantContact>(&system.contacts[c].law);
        if (own != 0.0 && !(compliant && acts_in_series(compliant->law)))
            found.push_back({fmt::format("contacts[{}]", c), "",
                             "has a residual flexibility, but its force sets in with a jump",
                             "add a mode that replaces the omitted modes"});
        for (std::size_t d = 0; d < contacts; ++d) {
            const double value = residual[c * contacts + d];
            const double bound = own * residual[d * contacts + d] * (1.0 + 1e-9);
            if (std::isfinite(value) && value == residual[d * contacts + c] && own >= 0.0 &&
                value * value <= bound)
                continue;
            found.push_back({fmt::format("{}[{}]", name, c * contacts + d),
                             fmt::format("{:g} m/N", value),
                             "must be a number of a symmetric matrix that is positive definite, or "
                             "semidefinite",
                             ""});
        }
    }
    if (found.empty() && !is_semidefinite(residual, contacts))
        found.push_back({name, "", "must be positive definite, or semidefinite", ""});
}

}  // namespace

bool acts_in_series(const contact::Law& law) {
    return std::visit(
        [](const auto& each) {
            const contact::Contact contact(each, contact::Separation::zero_overlap, 1.0);
            const bool ends_with_a_force =
                contact.unlimited_force(contact.end_overlap(), 0.0) != 0.0;
            return !ends_with_a_force && !contact::damps_from_onset(each);
        },
        law);
}

double effective_mass(const System& system, std::size_t contact) {
    const Contact& at = system.contacts[contact];
    const double given = std::get<CompliantContact>(at.law).effective_mass;
    if (given > 0.0) return given;
    double rigid = 0.0;
    for (std::size_t j = 0; j < system.modes(); ++j)
        if (system.eigenvalues[j] == 0.0) rigid += at.phi[j] * at.phi[j];
    return rigid > 0.0 ? 1.0 / rigid : core::infinity;
}

std::size_t directions(const System& system) {
    std::size_t each = 1;
    for (const Contact& contact : system.contacts)
        if (contact.friction)
            each = std::max(each, contact.friction->lateral_phi.empty() ? std::size_t{2} : 3);
    return each * system.contacts.size();
}

const std::vector<double>& direction(const System& system, std::size_t d) {
    const std::size_t contacts = system.contacts.size();
    if (d < contacts) return system.contacts[d].phi;
    const ContactFriction& friction = *system.contacts[d % contacts].friction;
    return d < 2 * contacts ? friction.phi : friction.lateral_phi;
}

std::vector<core::Violation> check(const System& system) {
    Violations found;
    const std::size_t modes = system.modes();
    if (modes == 0) found.push_back({"eigenvalues", "", "is empty: no body can move", ""});
    check_numbers("eigenvalues", system.eigenvalues, modes, false, found);
    check_numbers("dampings", system.dampings, modes, false, found);
    check_numbers("coordinates", system.coordinates, modes, true, found);
    check_numbers("rates", system.rates, modes, true, found);
    for (std::size_t k = 0; k < system.drives.size(); ++k) check_drive(system, k, found);
    const bool is_whole = found.empty();
    for (std::size_t c = 0; c < system.contacts.size(); ++c)
        check_contact(system, c, is_whole, found);
    check_residual(system, found);
    return found;
}

}  // namespace stoss::motion
