#include <solvers/collision_columns.hpp>

#include <algorithm>
#include <array>

namespace stoss::solvers {

namespace {

/// What a column is computed from.
struct Collision {
    const models::BeamModel& model;
    double xi;
    const impact::CollisionResult& result;

    double mode_energy(std::size_t vibration) const {
        return vibration < result.energy.modes.size() ? result.energy.modes[vibration] : 0.0;
    }
};

struct Column {
    std::string_view name;
    double (*value)(const Collision&);
    bool known_without_separation = false;
};

constexpr std::array columns{
    Column{"xi", [](const Collision& c) { return c.xi; }, true},
    Column{"x_m", [](const Collision& c) { return c.xi * c.model.length(); }, true},
    Column{"approach_speed_m_per_s", [](const Collision& c) { return c.result.approach_speed; },
           true},
    Column{"cor_kinematic", [](const Collision& c) { return c.result.cor_kinematic; }},
    Column{"cor_kinetic", [](const Collision& c) { return c.result.cor_kinetic; }},
    Column{"cor_energetic", [](const Collision& c) { return c.result.cor_energetic; }},
    Column{"sub_impacts",
           [](const Collision& c) { return static_cast<double>(c.result.sub_impacts.size()); },
           true},
    Column{"compression_end_s", [](const Collision& c) { return c.result.compression_end; }},
    Column{"separation_s", [](const Collision& c) { return c.result.separation; }},
    Column{"impulse_N_s", [](const Collision& c) { return c.result.impulse; }},
    Column{"peak_force_N", [](const Collision& c) { return c.result.peak_force; }},
    Column{"energy_rigid", [](const Collision& c) { return c.result.energy.rigid; }},
    Column{"energy_vibration", [](const Collision& c) { return c.result.energy.vibration; }},
    Column{"energy_mode_1", [](const Collision& c) { return c.mode_energy(0); }},
    Column{"energy_mode_2", [](const Collision& c) { return c.mode_energy(1); }},
    Column{"energy_mode_3", [](const Collision& c) { return c.mode_energy(2); }},
    Column{"energy_mode_4", [](const Collision& c) { return c.mode_energy(3); }},
    Column{"energy_structural_loss",
           [](const Collision& c) { return c.result.energy.structural_loss; }},
    Column{"energy_contact_loss", [](const Collision& c) { return c.result.energy.contact_loss; }},
    Column{"energy_residual", [](const Collision& c) { return c.result.energy.residual; }},
    Column{"cor_error", [](const Collision& c) { return c.result.cor_error; }},
    Column{"tau_compression_end",
           [](const Collision& c) { return c.result.compression_end / c.model.time_scale(); }},
    Column{"tau_separation",
           [](const Collision& c) { return c.result.separation / c.model.time_scale(); }},
    Column{"impulse_nondimensional",
           [](const Collision& c) {
               return c.result.impulse / (c.model.force_scale() * c.model.time_scale());
           }},
};

constexpr auto names = [] {
    std::array<std::string_view, columns.size()> list;
    std::transform(columns.begin(), columns.end(), list.begin(),
                   [](const Column& c) { return c.name; });
    return list;
}();

}  // namespace

std::span<const std::string_view> collision_columns() {
    return names;
}

std::vector<double> collision_values(const models::BeamModel& model, double xi,
                                     const impact::CollisionResult& result) {
    const bool separated = result.status == impact::Status::separated;
    const Collision collision{model, xi, result};
    std::vector<double> values;
    values.reserve(columns.size());
    for (const Column& column : columns) {
        const bool known = separated || column.known_without_separation;
        values.push_back(known ? column.value(collision) : core::not_given);
    }
    return values;
}

}  // namespace stoss::solvers
