#include <solvers/beam_case.hpp>

#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <stoss/core/units.hpp>

namespace stoss::solvers {

void refuse(const io::Document& document, const std::vector<core::Violation>& violations) {
    if (violations.empty()) return;
    std::vector<core::Diagnostic> diagnostics;
    for (const core::Violation& violation : violations) {
        diagnostics.push_back(document.locate(violation));
    }
    throw core::InputError(std::move(diagnostics));
}

core::Violation no_approach(std::string key, double xi, double approach_speed) {
    return {
        std::move(key), core::to_text(xi),
        fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s, must be > 0",
                    approach_speed),
        "V_rel = striker velocity - beam velocity at xi: turn the sign of the motion, or strike "
        "elsewhere"};
}

void add_model_scales(io::Value& summary, const models::BeamModel& model) {
    summary.set("time_scale_s", model.time_scale());
    summary.set("length_m", model.length());
    summary.set("force_scale_N", model.force_scale());
    summary.set("contact_stiffness_N_per_m_to_n", model.contact_stiffness());
    io::Value frequencies = io::Value::array();
    for (const double eigenvalue : model.basis().eigenvalues) {
        frequencies.append(std::sqrt(eigenvalue) / (2.0 * std::numbers::pi));
    }
    summary.set("modes", static_cast<std::int64_t>(model.basis().modes()));
    summary.set("rigid_modes", static_cast<std::int64_t>(model.basis().rigid));
    summary.set("frequencies_Hz", std::move(frequencies));
}

void warn_of(Outcome& outcome, impact::Status status, std::size_t count, double energy_residual) {
    const std::string subject = count == 1 ? "the collision" : fmt::format("{} collisions", count);
    if (status == impact::Status::not_separated) {
        outcome.warnings.push_back(
            subject + " had not ended at the time limit; raise integration.time_limit");
    }
    if (status == impact::Status::not_finite) {
        outcome.warnings.push_back(subject + " left the finite numbers; reduce integration.step");
    }
    if (status == impact::Status::separated && energy_residual > 0.01) {
        outcome.warnings.push_back(
            fmt::format("the energy of {} does not add up by {:.2g} of the initial energy; reduce "
                        "integration.step or use integration.force: implicit",
                        subject, energy_residual));
    }
}

}  // namespace stoss::solvers
