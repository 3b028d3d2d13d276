#pragma once
/// The replacement of the omitted modes of a beam that is touched at several places
/// (theory/impact_motion.md 27.12).

#include <vector>

#include <Eigen/Core>
#include <models/beam_body.hpp>

namespace stoss::models {

/// The flexibility of the omitted modes between the places, or modes that have it.
struct BeamResidual {
    std::vector<double> places;   ///< xi, rising
    Eigen::MatrixXd flexibility;  ///< R between the places [m/N]; zero if modes replace it
    std::vector<ResidualMode> modes;
    Eigen::MatrixXd shapes;  ///< places x modes [1/sqrt(kg)]

    /// Of one of the places.
    Eigen::Index at(double xi) const;
};

/// The flexibility as modes of the frequency and damping of `mode`: R is the sum of u u^T over
/// vectors u, and each one is the shape u sqrt(lambda) of a mode.
BeamResidual residual_as_modes(BeamResidual residual, const ResidualMode& mode);

/// `places`: xi in any order, repeated or not. `as_modes`: modes are wanted; those of a
/// viscoelastic beam are modes in any case. A beam without residual flexibility gets none.
BeamResidual residual_of(const BeamBody& body, std::vector<double> places, bool as_modes);

}  // namespace stoss::models
