#pragma once
/// Motion and force of a contact at the Gauss nodes of a step.

#include <array>

namespace stoss::motion {

/// One number for each pair of nodes: [i][k].
using NodeMatrix = std::array<std::array<double, 3>, 3>;

/// Along the normal: overlap x [m], its rate and the force F. Across it: y [m], the displacement of
/// the second body along the tangent less that of the first one, its rate, and the tangential force
/// T [N] on the first body.
struct NodeMotion {
    std::array<double, 3> x{}, v{}, force{}, slope{};  ///< slope: dF/dx [N/m], of normals
};

}  // namespace stoss::motion
