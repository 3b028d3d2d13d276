#pragma once
/// How far a collision is from where the theory ends: the conditions under which the equations of
/// beam and contact hold (docs/limits.md), and the largest Hertz contact.

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <models/beam_model.hpp>
#include <stoss/contact/geometry.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::models {

/// A condition of the theory: a number of each collision must be at most `bound`.
struct TheoryLimit {
    std::string quantity;  ///< what the number is
    double bound = 0.0;
    std::string rule;    ///< what is wrong above the bound
    std::string source;  ///< where the rule is from
    std::string remedy;  ///< what to do about it
};

/// Hertz's contact under the peak force of a collision.
struct PeakContact {
    std::optional<double> radius = {};    ///< sqrt(a b) of the contact ellipse [m]
    std::optional<double> pressure = {};  ///< p_0 in its middle [Pa]
};

/// The limits of the theory for the collisions of one model. What does not depend on the collision
/// is computed once; a collision then costs a few operations for each mode.
class TheoryLimits {
  public:
    /// Refers to the model, and takes the modes of a striking beam from it.
    explicit TheoryLimits(const BeamModel& model);

    /// The limits; those of a striking beam are the last.
    const std::vector<TheoryLimit>& limits() const { return limits_; }

    /// The number of each limit, in the order of `limits()`, of a collision at xi. None: the limit
    /// does not apply, or the bodies did not separate.
    std::vector<std::optional<double>> values(double xi,
                                              const impact::CollisionResult& result) const;

    /// Empty where Hertz's area does not apply: the exponent is not 3/2, the surfaces touch along a
    /// line, the law has adhesion or has yielded; or the bodies did not separate.
    PeakContact peak_contact(double xi, const impact::CollisionResult& result) const;

  private:
    class VibratingBeam;

    void add_contact_limits();
    /// `name` of the beam in sentences, `key` of it in a case.
    void add_beam_limits(const Beam& beam, const std::string& name, const std::string& key);
    /// The contact on a beam.
    struct ContactOn {
        double xi = 0.0;
        std::optional<double> axis = {};  // longer half axis of the ellipse [m]; none: unknown
        double normal = 1.0;              // component of the contact force across the beam
    };
    void add_contact_values(double xi, const std::optional<contact::ContactEllipse>& ellipse,
                            const impact::CollisionResult& result,
                            std::vector<std::optional<double>>& values) const;
    void add_beam_values(const VibratingBeam& beam, const ContactOn& contact,
                         const impact::CollisionResult& result,
                         std::vector<std::optional<double>>& values) const;

    /// The contact ellipse under 1 N at xi; nothing where the surfaces touch along a line.
    std::optional<contact::ContactEllipse> unit_ellipse(double xi) const;
    /// The ellipse under the peak force, if Hertz's area applies.
    std::optional<contact::ContactEllipse> peak_ellipse(
        double xi, const impact::CollisionResult& result) const;

    const BeamCollision& parameters() const;

    const BeamModel& model_;
    std::vector<TheoryLimit> limits_;
    std::vector<std::shared_ptr<const VibratingBeam>> beams_;  // the struck one; a striking one
    std::size_t vibrations_of_struck_beam_ = 0;  // in the energies, before those of a striking beam
    std::optional<contact::ContactEllipse> uniform_ellipse_;  // if it is the same everywhere
};

}  // namespace stoss::models
