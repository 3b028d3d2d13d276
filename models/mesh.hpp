#pragma once
/// `mesh:`, the discretisation of a beam.

#include <tuple>

#include <stoss/core/fields.hpp>
#include <stoss/fem/constraints.hpp>

namespace stoss::models {

/// Discretisation of the beam.
struct Mesh {
    int elements = 80;
    core::OrAuto<int> modes = {};
    double tolerance = 1e-4;
    bool residual_flexibility = true;
    fem::ConstraintMethod constraints = fem::ConstraintMethod::elimination;
    double penalty_factor = 1e3;

    static constexpr auto fields() {
        return std::tuple{
            core::field(
                "elements", &Mesh::elements, "", core::closed(2, 5000),
                "number of equal elements; a few more where supports, springs, masses or stations "
                "lie between nodes; with modes: auto a multiple of it if p needs that"),
            core::field("modes", &Mesh::modes, "", core::at_least(1),
                        "number p of lowest modes kept, rigid ones included; auto: as many as e "
                        "needs at nine of ten places"),
            core::field("tolerance", &Mesh::tolerance, "", core::positive,
                        "change of e by further modes above which e counts as not predictable; "
                        "modes: auto aims below it"),
            core::field("residual_flexibility", &Mesh::residual_flexibility,
                        "true: the omitted modes follow the contact force like one spring, and e "
                        "converges as p to the power -7 instead of -3"),
            core::field("constraints", &Mesh::constraints, "method that imposes the supports"),
            core::field("penalty_factor", &Mesh::penalty_factor, "", core::closed(1.0, 1e9),
                        "penalty gamma divided by tr(K)")};
    }
};

}  // namespace stoss::models
