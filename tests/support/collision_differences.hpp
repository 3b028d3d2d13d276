#pragma once
/// Derivatives of collisions of beams by keys of their cases, from differences of collisions.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::tests {

/// A case, where it is struck, and keys of it.
struct CollisionSample {
    models::BeamCollision collision;
    double xi = 0.5;
    std::vector<std::string> keys;
};

/// A difference of collisions, and how well it is known.
struct Difference {
    double slope = 0.0;
    double error = 0.0;     ///< difference to that over steps of half the length
    bool is_smooth = true;  ///< the sub-impacts are as many in all collisions
};

/// The collision with another number of the key [SI].
inline impact::CollisionResult changed(const CollisionSample& sample, const std::string& key,
                                       double number) {
    models::BeamCollision collision = sample.collision;
    if (key == models::contact_place_key)
        return models::BeamModel(collision).collide(number / collision.beam.length);
    core::number_at(collision, key).set(number);
    return models::BeamModel(collision).collide(sample.xi);
}

/// Of each quantity by the key at `number` [SI]. `sub_impacts`: of the collision there.
inline std::vector<Difference> differences(const CollisionSample& sample,
                                           std::span<const impact::Quantity> quantities,
                                           const std::string& key, double number,
                                           std::size_t sub_impacts) {
    std::vector<Difference> all(quantities.size());
    const core::Stencil wide{number, 4e-5 * number}, narrow{number, 2e-5 * number};
    for (std::size_t i = 0; i < core::Stencil::points; ++i) {
        for (const core::Stencil* stencil : {&wide, &narrow}) {
            if (stencil->weight(i) == 0.0) continue;
            const auto result = changed(sample, key, stencil->number(i));
            for (std::size_t q = 0; q < quantities.size(); ++q) {
                const double part = stencil->weight(i) * impact::value_of(result, quantities[q]);
                if (stencil == &wide) all[q].slope += part;
                all[q].error += stencil == &wide ? part : -part;
                all[q].is_smooth &= result.sub_impacts.size() == sub_impacts;
            }
        }
    }
    return all;
}

}  // namespace stoss::tests
