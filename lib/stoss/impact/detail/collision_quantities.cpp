#include <stoss/impact/detail/collision_quantities.hpp>

#include <cmath>

namespace stoss::impact {

QuantitySeeds seeds_of(Quantity quantity, const RunSums& run) {
    QuantitySeeds seeds;
    const double v0 = run.approach_speed;
    switch (quantity) {
        case Quantity::cor_kinematic:
            seeds.approach_velocity = -1.0 / v0;
            seeds.approach_speed = run.approach_velocity / (v0 * v0);
            break;
        case Quantity::cor_kinetic:
            seeds.impulse = 1.0 / run.compression_impulse;
            seeds.compression_impulse =
                -run.impulse / (run.compression_impulse * run.compression_impulse);
            break;
        case Quantity::cor_energetic: {
            const double e = std::sqrt(1.0 - run.work / run.compression_work);
            seeds.work = -0.5 / (e * run.compression_work);
            seeds.compression_work =
                0.5 * run.work / (e * run.compression_work * run.compression_work);
            break;
        }
        case Quantity::impulse:
            seeds.impulse = 1.0;
            break;
        case Quantity::peak_force:
            seeds.peak_force = 1.0;
            break;
        case Quantity::compression_end:
            seeds.compression_end = 1.0;
            break;
        case Quantity::separation:
            seeds.separation = 1.0;
            break;
        case Quantity::energy_rigid:
            seeds.energy_rigid = 1.0 / run.initial_energy;
            seeds.initial_energy = -run.energy_rigid / (run.initial_energy * run.initial_energy);
            break;
        case Quantity::energy_vibration:
            seeds.energy_vibration = 1.0 / run.initial_energy;
            seeds.initial_energy =
                -run.energy_vibration / (run.initial_energy * run.initial_energy);
            break;
        case Quantity::margins:
            break;
    }
    return seeds;
}

}  // namespace stoss::impact
