#pragma once
/// Supports of a beam: which freedoms they hold, how they enter the matrices, what stays rigid.

#include <stoss/core/fields.hpp>
#include <stoss/fem/beam_mesh.hpp>

#include <Eigen/Core>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace stoss::fem {

/// What a support holds.
enum class SupportKind {
    pin,    ///< w = 0
    clamp,  ///< w = 0 and theta = 0
    slider  ///< theta = 0
};

constexpr std::array<core::EnumName<SupportKind>, 3> enum_names(SupportKind) {
    return {{{SupportKind::pin, "pin", "no deflection; free to rotate"},
             {SupportKind::clamp, "clamp", "neither deflection nor rotation"},
             {SupportKind::slider, "slider", "no rotation; free to deflect"}}};
}

/// A support at a node. A beam without supports is free.
struct Support {
    double x = 0.0;                       ///< place along the beam, 0 <= x <= length [m]
    SupportKind kind = SupportKind::pin;  ///< what it holds
};

/// How supports enter the matrices.
enum class ConstraintMethod { elimination, penalty };

constexpr std::array<core::EnumName<ConstraintMethod>, 2> enum_names(ConstraintMethod) {
    return {{{ConstraintMethod::elimination, "elimination", "the held freedoms are removed"},
             {ConstraintMethod::penalty, "penalty", "a stiff spring on every held freedom"}}};
}

/// The largest number of elements that `admissible_elements` proposes.
inline constexpr int most_elements = 20000;

/// Whether all places fall on nodes of `wanted` elements and, if not, the nearest counts that would
/// do.
struct ElementCounts {
    bool admissible = false;   ///< true: all places fall on nodes
    std::optional<int> below;  ///< largest admissible count < wanted; not set if `admissible`
    std::optional<int> above;  ///< smallest admissible count in (wanted, most_elements]; likewise
};

/// `places`: positions along the beam [m], each in [0, length]. Precondition: wanted >= 1.
ElementCounts admissible_elements(double length, std::span<const double> places, int wanted);

/// Numbers of the freedoms that the supports hold, each once, rising. Throws core::InputError if a
/// support is not at a node (see `admissible_elements`).
std::vector<Eigen::Index> held_freedoms(const BeamMesh& mesh, std::span<const Support> supports);

/// A beam under its supports, over the freedoms that remain.
struct SupportedBeam {
    BeamMatrices matrices;         ///< remaining x remaining
    Eigen::MatrixXd rigid_shapes;  ///< remaining x r, r in {0, 1, 2}: motions that supports and
                                   ///< springs allow without deformation; translation before
                                   ///< rotation (theory/supports.md 3.4)
    std::vector<Eigen::Index> remaining;  ///< number in the mesh of each remaining freedom, rising
    Eigen::Index dofs = 0;                ///< freedoms of the mesh

    /// Vectors over all freedoms of the mesh (dofs x columns) from vectors over the remaining ones:
    /// held freedoms are zero. What it gives back fits `BeamMesh::interpolation` at any x.
    Eigen::MatrixXd expand(const Eigen::MatrixXd& vectors) const;
};

/// Cuts matrices and rigid shapes over all freedoms down to those over `remaining`.
void reduce_to_remaining(SupportedBeam& beam);

/// Puts supports under a beam. Elimination (theory/supports.md 3.2) removes the held freedoms.
/// Penalty (theory/supports.md 3.3) keeps all and adds gamma v v^T to the stiffness for each held
/// freedom v, gamma = `penalty_factor` times the trace of the stiffness over the freedoms of the
/// same kind (deflections [N/m], rotations [N m]); the damping does not see the penalty. `springs`:
/// those in the matrices already (`add`); a motion that strains one is not rigid. Throws
/// core::InputError if a support is not at a node (see `admissible_elements`).
SupportedBeam support(const BeamMesh& mesh, const BeamMatrices& matrices,
                      std::span<const Support> supports, ConstraintMethod method,
                      double penalty_factor = 1e3, std::span<const NodeProperties> springs = {});

}  // namespace stoss::fem
