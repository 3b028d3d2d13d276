#pragma once
/// Exact gradients of what a collision results in (docs/theory/gradients.md).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <stoss/contact/laws.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/collide.hpp>

namespace stoss::impact {

/// What a gradient may be of; units as in CollisionResult.
enum class Quantity {
    cor_kinematic,
    cor_kinetic,
    cor_energetic,
    impulse,
    peak_force,
    compression_end,
    separation,
    energy_rigid,
    energy_vibration,
    /// No result and without a name: the margins of all grazes, a gradient for each in order of
    /// time. None of laws whose contact ends elsewhere than at the surface.
    margins
};

constexpr auto enum_names(Quantity) {
    return std::array{
        core::EnumName{Quantity::cor_kinematic, "cor_kinematic",
                       "Newton's coefficient of restitution"},
        core::EnumName{Quantity::cor_kinetic, "cor_kinetic",
                       "Poisson's coefficient of restitution"},
        core::EnumName{Quantity::cor_energetic, "cor_energetic",
                       "Stronge's coefficient of restitution"},
        core::EnumName{Quantity::impulse, "impulse", "impulse of the contact force [N s]"},
        core::EnumName{Quantity::peak_force, "peak_force", "largest contact force [N]"},
        core::EnumName{Quantity::compression_end, "compression_end", "end of compression t_c [s]"},
        core::EnumName{Quantity::separation, "separation", "last separation t_f [s]"},
        core::EnumName{Quantity::energy_rigid, "energy_rigid",
                       "fraction of the initial energy in the rigid modes"},
        core::EnumName{Quantity::energy_vibration, "energy_vibration",
                       "fraction of the initial energy in the vibrations"}};
}

/// The quantity in a result. Not finite if it has none.
double value_of(const CollisionResult& result, Quantity quantity);

/// The numbers of the modes by which derivatives are wanted. Those by the motion at the begin, by
/// the residual flexibility and by the law cost no time of their own.
struct ModeNumbers {
    bool shapes = true;  ///< phi, and the loads on rigid modes
    bool eigenvalues = true, dampings = true;
    bool rigid_shapes = false;  ///< phi of rigid modes and the loads on them; cost little

    bool of_all_modes() const { return shapes || eigenvalues || dampings; }
    bool any() const { return of_all_modes() || rigid_shapes; }
};

/// The numbers of a law that are given, in the order of its fields: bit p is that of number p.
using LawNumbers = std::uint32_t;
inline constexpr LawNumbers all_law_numbers = ~LawNumbers{0};

/// A change of phi of both bodies, per unit of any number.
struct ShapeChange {
    std::span<const double> first, second;  ///< in the order of the modes; empty: none
};

/// What gradients are wanted of, and by what.
struct GradientRequest {
    std::span<const Quantity> quantities;
    ModeNumbers by = {};
    LawNumbers law = all_law_numbers;
    /// Only the derivative along this change is wanted, not those by phi: it costs less.
    std::optional<ShapeChange> along = {};
};

/// Derivatives by what one body brings, each in the order and per unit of ModalBody and MovingBody.
/// Empty: not wanted. NaN in phi: only those of the rigid modes are.
struct BodyGradient {
    std::vector<double> eigenvalues;  ///< of rigid modes: 0; they stay rigid
    std::vector<double> damping, phi;
    /// NaN for a law that damps from the onset, if the body has none: there is no derivative.
    double residual_flexibility = 0.0;
    std::vector<double> rigid_rates, vibration, vibration_rates, rigid_loads;
};

/// Derivative of one quantity by one number of the contact law.
struct LawSlope {
    std::string_view name;  ///< as in YAML
    double value = 0.0;     ///< of the number, SI
    double slope = 0.0;     ///< quantity per unit of the number; NaN: not asked for
};

/// What a change of the sequence of sub-impacts would be.
enum class Event {
    begins,    ///< one more sub-impact begins after this one
    vanishes,  ///< this sub-impact vanishes
    merges,    ///< this sub-impact and the next one become one
    splits     ///< this sub-impact becomes two
};

/// How far the collision is from another sequence of sub-impacts: all results have a kink there.
struct Graze {
    Event event = Event::begins;
    std::size_t sub_impact = 0;  ///< which one, from 0
    double time = 0.0;           ///< where gap or overlap is least or largest [s]
    double margin = 0.0;         ///< that gap or overlap [m]: the event comes where it falls to 0
};

/// All derivatives of one quantity.
struct CollisionGradient {
    Quantity quantity = Quantity::cor_kinematic;
    BodyGradient first, second;
    double along = 0.0;         ///< GradientRequest::along, if it is given
    std::vector<LawSlope> law;  ///< of the numbers that are given, in the order of `fields()`
    Graze graze = {};           ///< of `Quantity::margins`: the one whose margin this is of

    /// Derivative by a number of the law; none if the law has no such number, or it is not given.
    std::optional<double> by_law(std::string_view name) const;
};

/// A collision with the gradients of some quantities, in the order in which they are asked for.
struct CollisionWithGradients {
    CollisionResult result;
    std::vector<CollisionGradient> gradients;  ///< none if the bodies did not separate
};

/// Computes one; see Collider::collide_with_gradients. Errors: core::Stopped if the StopScope of
/// this thread (core/interrupt.hpp) says so.
CollisionWithGradients collide_with_gradients(const MovingBody& first, const MovingBody& second,
                                              const ContactSetup& contact, const Scheme& scheme,
                                              double time_limit,
                                              std::span<const Quantity> quantities);

}  // namespace stoss::impact
