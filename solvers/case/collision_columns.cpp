#include <solvers/case/collision_columns.hpp>

#include <algorithm>
#include <array>

#include <stoss/io/csv.hpp>

namespace stoss::solvers {

namespace {

using Result = const impact::CollisionResult&;

double mode_energy(Result result, std::size_t vibration) {
    return vibration < result.energy.modes.size() ? result.energy.modes[vibration] : 0.0;
}

struct ResultColumn {
    std::string_view name;
    double (*value)(Result);
    bool known_without_separation = false;
    double (*at_rest)(Result) = nullptr;  ///< of bodies that came to rest; none: not known
};

/// `CollisionResult::impulse` ends with the last separation.
double whole_impulse(Result result) {
    double sum = 0.0;
    for (const impact::SubImpact& each : result.sub_impacts) sum += each.impulse;
    return sum;
}

constexpr std::array of_result{
    ResultColumn{"approach_speed_m_per_s", [](Result r) { return r.approach_speed; }, true},
    ResultColumn{"cor_kinematic", [](Result r) { return r.cor_kinematic; }, false,
                 [](Result) { return 0.0; }},
    ResultColumn{"cor_kinetic", [](Result r) { return r.cor_kinetic; }},
    ResultColumn{"cor_energetic", [](Result r) { return r.cor_energetic; }},
    ResultColumn{"sub_impacts", [](Result r) { return static_cast<double>(r.sub_impacts.size()); },
                 true},
    ResultColumn{"compression_end_s",
                 [](Result r) { return r.compression_end.value_or(io::no_number); }},
    ResultColumn{"separation_s", [](Result r) { return r.separation; }},
    ResultColumn{"impulse_N_s", [](Result r) { return r.impulse; }, false, whole_impulse},
    ResultColumn{"peak_force_N", [](Result r) { return r.peak_force; }, false,
                 [](Result r) { return r.peak_force; }},
    ResultColumn{"energy_rigid", [](Result r) { return r.energy.rigid; }},
    ResultColumn{"energy_vibration", [](Result r) { return r.energy.vibration; }},
    ResultColumn{"energy_mode_1", [](Result r) { return mode_energy(r, 0); }},
    ResultColumn{"energy_mode_2", [](Result r) { return mode_energy(r, 1); }},
    ResultColumn{"energy_mode_3", [](Result r) { return mode_energy(r, 2); }},
    ResultColumn{"energy_mode_4", [](Result r) { return mode_energy(r, 3); }},
    ResultColumn{"energy_structural_loss", [](Result r) { return r.energy.structural_loss; }},
    ResultColumn{"energy_contact_loss", [](Result r) { return r.energy.contact_loss; }},
    ResultColumn{"energy_load_work", [](Result r) { return r.energy.load_work; }},
    ResultColumn{"energy_residual", [](Result r) { return r.energy.residual; }},
    ResultColumn{"cor_error", [](Result r) { return r.cor_error.value_or(io::no_number); }},
};

constexpr auto result_names = [] {
    std::array<std::string_view, of_result.size()> list;
    std::transform(of_result.begin(), of_result.end(), list.begin(),
                   [](const ResultColumn& c) { return c.name; });
    return list;
}();

constexpr std::array<std::string_view, 2> place_names{"xi", "x_m"};
constexpr std::array<std::string_view, 4> model_names{
    "rebound_speed_m_per_s", "tau_compression_end", "tau_separation", "impulse_nondimensional"};
constexpr std::array<std::string_view, 2> contact_names{"peak_pressure_Pa", "contact_radius_m"};
constexpr std::array<std::string_view, 2> error_names{"peak_force_error", truncation_column};

constexpr auto names = [] {
    std::array<std::string_view, place_names.size() + result_names.size() + model_names.size() +
                                     contact_names.size() + error_names.size()>
        list;
    auto end = std::copy(place_names.begin(), place_names.end(), list.begin());
    end = std::copy(result_names.begin(), result_names.end(), end);
    end = std::copy(model_names.begin(), model_names.end(), end);
    end = std::copy(contact_names.begin(), contact_names.end(), end);
    std::copy(error_names.begin(), error_names.end(), end);
    return list;
}();

}  // namespace

std::span<const std::string_view> result_columns() {
    return result_names;
}

bool came_to_rest(const impact::CollisionResult& result, double time_limit) {
    if (result.status != impact::Status::not_separated || result.sub_impacts.empty()) return false;
    const double end = result.sub_impacts.back().end;
    return end > result.separation && end < time_limit;
}

double known_restitution(const impact::CollisionResult& result, double time_limit) {
    if (result.status == impact::Status::separated) return result.cor_kinematic;
    return came_to_rest(result, time_limit) ? 0.0 : io::no_number;
}

std::vector<double> result_values(const impact::CollisionResult& result, bool at_rest) {
    const bool separated = result.status == impact::Status::separated;
    std::vector<double> values;
    values.reserve(names.size());
    for (const ResultColumn& column : of_result) {
        const bool known = separated || column.known_without_separation;
        const auto value = known ? column.value : at_rest ? column.at_rest : nullptr;
        values.push_back(value ? value(result) : io::no_number);
    }
    return values;
}

std::span<const std::string_view> collision_columns() {
    return names;
}

std::size_t column_index(std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::vector<double> collision_values(const BeamStudy& study, double xi,
                                     const impact::CollisionResult& result,
                                     std::optional<double> truncation) {
    const models::BeamModel& model = study.model;
    const bool at_rest = came_to_rest(result, model.time_limit());
    std::vector<double> values = result_values(result, at_rest);
    values.insert(values.begin(), {xi, xi * model.scales().length});
    const double T = model.scales().time;
    for (const double value :
         {model.rebound_speed(xi, result), result.compression_end.value_or(io::no_number) / T,
          result.separation / T, result.impulse / (model.scales().force * T)}) {
        values.push_back(result.status == impact::Status::separated ? value : io::no_number);
    }
    const models::PeakContact peak = study.limits.peak_contact(xi, result);
    const bool has_peak = at_rest || result.status == impact::Status::separated;
    const std::optional<double> peak_error =
        has_peak ? result.peak_force_error : std::optional<double>();
    for (const auto& each : {peak.pressure, peak.radius, peak_error, truncation})
        values.push_back(each.value_or(io::no_number));
    return values;
}

}  // namespace stoss::solvers
