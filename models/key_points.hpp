#pragma once
/// Numbers of a key at which the formulas of a collision's inputs are evaluated: around a number of
/// the case, and around a place on a beam, where nodes of the mesh may be.

#include <cstddef>
#include <span>
#include <vector>

#include <models/beam.hpp>
#include <models/beam_body.hpp>
#include <models/collision_inputs.hpp>
#include <stoss/core/stencil.hpp>

namespace stoss::models {

/// One stencil; or two, one on each side of a node of the mesh.
struct KeyPoints {
    std::vector<core::Stencil> stencils;
    /// The inputs are polynomials over the stencil, up to degree 6: its length does not matter.
    bool is_polynomial = false;
    /// Mode values may have a kink at the node: a force, a mass or another section acts there. Else
    /// their kink is an error of the elements alone.
    bool modes_may_have_kink = false;

    std::size_t count() const { return stencils.size() * core::Stencil::points; }
    const core::Stencil& stencil_of(std::size_t i) const {
        return stencils[i / core::Stencil::points];
    }
    /// Point number `i`: those of the first stencil, then those of the second one.
    double number(std::size_t i) const { return stencil_of(i).number(i % core::Stencil::points); }
};

/// Around the place x [m] on a beam. `are_scaled`: rates, or shapes that are no polynomials, change
/// with the place too.
KeyPoints points_around(const Beam& beam, const BeamBody& body, double x, bool are_scaled);

/// The change along the points, from the inputs at all of them. At a node it is the mean of both
/// sides, and what differs between them is its roughness.
InputChange change_along(const KeyPoints& points, std::span<const CollisionInputs> inputs);

}  // namespace stoss::models
