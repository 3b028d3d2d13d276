#pragma once
/// Exact gradients of a collision of a beam by the keys of its case (docs/theory/gradients.md).

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <models/beam_collision.hpp>
#include <models/beam_model.hpp>
#include <models/collision_inputs.hpp>
#include <models/key_points.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::models {

/// The key of the place of contact, x [m] from the left end.
inline constexpr std::string_view contact_place_key = "location";

/// What is wrong with keys that a gradient is to be taken by: none that is a number of the case,
/// one that moves a support or a mass, one of mesh or integration; coupled modes, a scheme without
/// gradients. `path` is the key that lists them. Empty if all is well.
std::vector<core::Violation> check_gradient(const BeamCollision& parameters,
                                            std::span<const std::string> keys,
                                            const std::string& path);

/// Derivatives of the collisions of one beam by numbers of its case.
///
/// A key changes modes, masses, motions and the contact law. The modes are differentiated by
/// Nelson's method, once for all places. What follows from them and from the key by formulas is
/// differentiated by seven values of the formulas (core/stencil.hpp), along the derivative of the
/// modes. The gradient of the collision by all of these is exact (impact/gradient.hpp). No
/// difference of collisions is taken.
class BeamGradients {
  public:
    /// `keys`: paths as in a case, such as "beam.material.youngs_modulus"; `contact_place_key`.
    /// Precondition: `check_gradient` found nothing; the model lives as long as this.
    BeamGradients(const BeamModel& model, std::vector<std::string> keys);

    /// The collision at xi and the derivatives of `quantities`. `xi_by_length` [1/m]: how xi
    /// changes with the length l of the beam; -xi/l for a place at a fixed distance.
    CollisionSlopes at(double xi, std::span<const impact::Quantity> quantities,
                       double xi_by_length = 0.0, bool with_kinks = false) const;

    const std::vector<std::string>& keys() const { return keys_; }
    /// SI units of the keys.
    const std::vector<std::string>& units() const { return units_; }
    /// Why there is no derivative by a key anywhere: equal eigenvalues, a spring that would hold a
    /// rigid motion, a value beside which the model has other modes. Empty: there is one.
    const std::string& reason(std::size_t key) const { return families_[key].reason; }
    /// The number that a key has for a collision at xi, SI.
    double value(std::size_t key, double xi) const;

  private:
    /// The bodies while one key changes; none: the place of contact.
    struct Family {
        KeyPoints points;
        std::vector<std::shared_ptr<const CollisionBodies>> bodies;  // at the points
        double length_slope = 0.0;                                   // of the beam, by the key
        InputChange change;                                          // at one place
        bool moves_shapes = false;  // what follows of the beam from the place changes
        bool has_one_contact = true;
        std::string reason;
        /// If all modes of one beam change alike, and no other numbers of the modes do.
        std::optional<ModeScaling> scaling = {};
        std::size_t scaled_body = 0;  // its first block of CollisionInputs
    };

    /// Around the place xi of the beam that strikes.
    KeyPoints points_on_striker(double xi) const;
    std::vector<Family> families_of(std::span<const KeyPoints> points) const;
    void note_changes();
    /// Keys that change all modes alike need no derivatives by the modes, unless others do.
    void take_scaling_apart(const CollisionInputs& nominal);
    /// True if the change is another one at each place.
    bool changes_with_place(const Family& family) const;
    InputChange change_of(const Family& family, double xi) const;
    InputChange change_of_place(double xi) const;

    const BeamModel& model_;
    std::vector<std::string> keys_, units_;
    std::vector<double> values_;
    std::vector<Family> families_;
    impact::ModeNumbers by_{false, false, false};    // that any key changes
    impact::LawNumbers law_ = 0;                     // likewise
    bool by_place_ = false;                          // a key is the place of contact
    bool by_length_ = false;                         // a key changes the length of the beam
    std::vector<UnitExponents> exponents_;           // of the law; empty: not needed
    std::shared_ptr<const CollisionBodies> places_;  // for differences of places
};

}  // namespace stoss::models
