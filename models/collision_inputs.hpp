#pragma once
/// All numbers that a collision takes of its bodies and of the law, and derivatives of its results
/// along a change of them (docs/theory/gradients.md).

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>
#include <models/beam_body.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/modal/modal_body.hpp>

namespace stoss::models {

/// The numbers, block by block: those of one body, those of the other one, those of the law.
using CollisionInputs = std::vector<std::vector<double>>;

/// Places of the blocks.
namespace input {
enum Block : std::size_t {
    eigenvalues,
    damping,
    phi,
    residual_flexibility,
    rigid_rates,
    vibration,
    vibration_rates,
    rigid_loads,
    of_a_body,  ///< as many; those of the second body begin here
    law = 2 * of_a_body,
    all_blocks
};
}  // namespace input

/// The rule for a key at which a case has no number.
inline constexpr std::string_view no_number_of_case = "is not a key with a number of this case";

/// What is wrong with a scheme of which gradients are to be taken, which `path` asks for.
std::optional<core::Violation> check_gradient_scheme(const std::string& path,
                                                     const impact::Scheme& scheme);

/// What is wrong with a key that a gradient is to be taken by, at the place `path` of the case:
/// there is no such number, none is given, or it is infinite.
std::optional<core::Violation> check_gradient_key(const std::string& path, const std::string& key,
                                                  const core::NumberKey& number);

/// The same of a key of a collision of modes, whose law has derivatives by its own numbers, but not
/// by those of a list.
std::optional<core::Violation> check_collision_key(const std::string& path, const std::string& key,
                                                   const core::NumberKey& number);

/// Numbers around that of a key, at which the formulas of the inputs are evaluated.
core::Stencil stencil_of(const core::NumberKey& number);

/// The numbers of a law that are given, in the order of its fields.
std::vector<double> numbers_of(const contact::Law& law);

/// What is said of a key between a law that damps from the onset and one that does not: with the
/// first a residual flexibility becomes a mode (docs/theory/modal_reduction.md 4.14), and all
/// results jump.
inline constexpr std::string_view has_other_modes_beside =
    "beside this value the model has other modes";

/// All of it.
CollisionInputs inputs_of(const modal::ModalBody& first, const ModalMotion& first_motion,
                          const modal::ModalBody& second, const ModalMotion& second_motion,
                          const contact::Law& law);

/// True if both have as many numbers in each block.
bool have_same_sizes(const CollisionInputs& a, const CollisionInputs& b);

/// How the inputs change with a number.
struct InputChange {
    CollisionInputs slope;  ///< per unit of the number; a block is empty if nothing changes
    /// Sixth difference over step, or what else tells a kink; empty: the inputs are smooth.
    CollisionInputs roughness;
    double scale = 1.0;     ///< of the number
    bool is_along = false;  ///< its shapes are those of GradientRequest::along
};

/// The change along the points of a stencil, from the inputs at all of them.
InputChange change_along(const core::Stencil& stencil, std::span<const CollisionInputs> inputs);

/// Which numbers of the modes change with any of them; `inputs`: at the number itself.
void note_modes(const InputChange& change, const CollisionInputs& inputs, impact::ModeNumbers& by);

/// Which numbers of the law do.
impact::LawNumbers law_numbers(const InputChange& change);

/// The derivative along the change of the quantity whose value is `value`; NaN if the inputs are
/// not smooth there.
double slope_along(const InputChange& change, const impact::CollisionGradient& gradient,
                   double value);

/// Exponents of the kilogram and of the second in a unit.
struct UnitExponents {
    double mass = 0.0, time = 0.0;
};

/// Those of the numbers of a law that are given, in the order of its fields. Nothing if the force
/// may depend on more than these numbers, or a unit is not known.
std::optional<std::vector<UnitExponents>> unit_exponents(const contact::Law& law);

/// The derivative of the quantity whose value is `value` if all modes of one body change alike
/// (theory/gradients.md 26.20, 26.21): that by motion, law and the other body in other units.
/// `body`: the first block of the body. `exponents`: of the law; it needs derivatives by the
/// numbers that have any.
///
/// Precondition: the other body is rigid, no mode is damped or loaded, and a residual flexibility
/// goes with phi^2/omega^2.
double slope_by_scaling(const ModeScaling& scaling, std::size_t body,
                        const impact::CollisionGradient& gradient, double value,
                        const CollisionInputs& inputs, std::span<const UnitExponents> exponents);

/// The nearest number of a key at which the sequence of sub-impacts is another one, by the slope of
/// the margin: all results have a kink there.
struct Kink {
    double distance = 0.0;  ///< from the number of the key, in its SI unit; of either sign
    impact::Event event = impact::Event::begins;
    std::size_t sub_impact = 0;  ///< as in impact::Graze
    double time = 0.0;           ///< [s]
};

/// Takes the kink to which a margin with that derivative leads, if it is nearer.
void take_nearer(std::optional<Kink>& nearest, const impact::Graze& graze, double slope);

/// A collision and its derivatives.
struct CollisionSlopes {
    impact::CollisionResult result;
    /// quantities x keys, per SI unit of the key. NaN: no derivative, for the `reason` of the key
    /// or because the model has a jump or a kink at its value. Empty if the bodies did not
    /// separate.
    Eigen::MatrixXd by_key;
    /// Of each key; only if they are asked for. None: no change of the key changes the sequence, to
    /// first order.
    std::vector<std::optional<Kink>> kinks = {};
};

}  // namespace stoss::models
