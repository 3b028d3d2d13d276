#pragma once
/// What further modes would change of the restitution: the error of modal truncation of a collision
/// (docs/theory/number_of_modes.md).

#include <array>
#include <cstddef>
#include <optional>

#include <models/beam_model.hpp>

namespace stoss::models {

/// A basis is compared with one that has fewer modes by this factor.
inline constexpr double truncation_ratio = 1.4;

/// |change of e| by all modes beyond p is this share of the change from p / truncation_ratio to p,
/// both with residual flexibility, where lambda grows as in bending. With half as many elements for
/// the second, the change by finer elements is in it too.
inline constexpr double truncation_share_of_bending = 0.1;

/// The same for a model: more where a beam with shear is stout enough for its modes to be waves of
/// shear, of an inclined beam, with a dashpot, and by a law whose damping begins with the contact
/// or follows from the approach speed.
double truncation_share(const BeamModel& model);

/// The same by the contact law alone, where lambda grows as in bending.
double truncation_share(const impact::ContactSetup& contact);

/// The same for bases without residual flexibility, whose error falls with p to the power -3.
double truncation_without_residual(double cor, double coarser_cor);

/// The basis that `parameters` is compared with: fewer modes on half as many elements (on as many,
/// if half are too few for the modes), or, without residual flexibility, as many modes with it.
/// nullopt: there is none, as all its modes are rigid or vibrate already.
std::optional<BeamCollision> compared_basis(const BeamCollision& parameters);

/// e_N of a collision; none if the bodies did not part.
std::optional<double> restitution_of(const impact::CollisionResult& result);

/// True if e_N does not fall evenly with p, so that two bases may agree by chance: waves along the
/// axis of an inclined beam, waves of shear, or a force curve with kinks.
bool converges_unevenly(const BeamCollision& parameters);

/// The number of the highest mode that vibrates at first contact; 0 if none does.
int highest_vibrating_mode(const BeamCollision& parameters);

/// The estimate for collisions of one beam: a second collision each, and a third one with shear
/// or a force curve with kinks. Safe to share between threads.
class Truncation {
  public:
    /// Solves an eigenproblem if the other basis has other elements. Newmark's scheme is replaced
    /// by the splitting scheme, which is faster, for both. Throws core::NumericalError if the modes
    /// cannot be computed.
    explicit Truncation(const BeamModel& model);

    /// Estimate at xi for this result: |change of e_N| by further modes; none if it is not
    /// known, or one of the collisions did not end with the bodies apart.
    std::optional<double> of(double xi, const impact::CollisionResult& result) const;

    /// e_N of the collisions of an estimate: of the model's own basis, of the other, and of the
    /// one that the other is compared with.
    static constexpr std::size_t most_compared = 3;
    using Restitutions = std::array<std::optional<double>, most_compared>;

    /// For callers that compute the compared collisions themselves: a model for each of them that
    /// is still needed, null for others. Writes into `known` what the result says itself.
    std::array<const BeamModel*, most_compared> compared(const impact::CollisionResult& result,
                                                         Restitutions& known) const;
    /// The estimate from them.
    std::optional<double> estimate(const Restitutions& cors) const;

  private:
    std::optional<BeamModel> own_, other_, third_;
    double share_;  ///< of the change from the other basis
};

}  // namespace stoss::models
