#include <solvers/beam_case.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

// Of the initial energy: beyond the first a run warns, beyond the second it has failed.
constexpr double tolerated_residual = 0.01, admissible_residual = 0.1;

}  // namespace

void refuse(const io::Document& document, const std::vector<core::Violation>& violations) {
    io::Problems problems;
    for (const core::Violation& violation : violations) {
        problems.push_back(document.locate(violation));
    }
    io::throw_if_any(document, std::move(problems));
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

void judge(Outcome& outcome, std::span<const Ended> collisions) {
    std::size_t unfinished = 0, lost = 0, unbalanced = 0;
    double largest = 0.0;
    for (const Ended& collision : collisions) {
        unfinished += collision.status == impact::Status::not_separated;
        lost += collision.status == impact::Status::not_finite;
        if (collision.status != impact::Status::separated) continue;
        unbalanced += std::abs(collision.energy_residual) > tolerated_residual;
        largest = std::max(largest, std::abs(collision.energy_residual));
    }
    const auto warn = [&](std::size_t count, const std::string& words) {
        if (count == 0) return;
        const std::string who = collisions.size() == 1
                                    ? "the collision"
                                    : fmt::format("{} of {} collisions", count, collisions.size());
        outcome.warnings.push_back(who + words);
    };
    warn(unfinished, ": no end within the time limit; raise integration.time_limit");
    warn(lost, ": the motion left the finite numbers; reduce integration.step");
    warn(unbalanced,
         fmt::format(
             ": the energies do not add up, by {:.2g} of the initial energy at worst; reduce "
             "integration.step or use integration.force: implicit",
             largest));
    if (unfinished + lost > 0 || largest > admissible_residual)
        outcome.ending = Ending::numerical_failure;
}

}  // namespace stoss::solvers
