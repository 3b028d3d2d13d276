#include <models/law_materials.hpp>

#include <cmath>
#include <variant>

#include <stoss/core/fields.hpp>

namespace stoss::models {

contact::Law with_materials(contact::Law law, const SurfaceMaterial& own,
                            const SurfaceMaterial& other) {
    const double none = core::infinity;
    const bool own_yields = own.yield_stress.value_or(none) <= other.yield_stress.value_or(none);
    const SurfaceMaterial& softer = own_yields ? own : other;
    std::visit(
        [&]<class L>(L& each) {
            if constexpr (requires { each.work_of_adhesion; }) {
                if (!each.pull_off_force && !each.work_of_adhesion && own.surface_energy &&
                    other.surface_energy)
                    each.work_of_adhesion =
                        2.0 * std::sqrt(*own.surface_energy) * std::sqrt(*other.surface_energy);
            }
            if constexpr (requires { each.yield_pressure; }) {
                if (!each.yield_overlap && !each.yield_pressure && softer.yield_stress)
                    each.yield_pressure = 1.6 * *softer.yield_stress;
            }
            if constexpr (requires { each.yield_strain; }) {
                if (!each.yield_strain && !each.yield_stress && softer.yield_stress)
                    each.yield_stress = *softer.yield_stress;
                if (!each.poisson_ratio) each.poisson_ratio = softer.poisson_ratio;
            }
        },
        law);
    return law;
}

}  // namespace stoss::models
