#pragma once
/// What a contact law is.
///
/// Convention of the whole library: overlap x > 0 while the bodies press on each other, its rate
/// v = dx/dt > 0 while they close, force F >= 0 pushes them apart. A law is one file in `laws/`:
/// one struct, named as its file (hunt_crossley.hpp defines HuntCrossley), that satisfies
/// `ContactLaw`.

#include <concepts>
#include <string_view>

#include <stoss/core/dual.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::contact {

/// Memory of a law whose force depends on the present overlap and rate only.
struct NoMemory {};

/// - `L::name`                      name in YAML
/// - `L::fields()`                  its parameters (core/fields.hpp)
/// - `L::is_elastic`                true: the force is d(stored_energy)/dx and nothing is ever lost
/// - `onset(v0)`                    memory of an impact that begins at approach speed v0 [m/s]
/// - `force(x, v, memory)`          force [N] at overlap x > 0 [m], rate v [m/s]; pure;
///                                  written once for double and core::Dual
/// - `stored_energy(x, memory)`     recoverable part of the contact energy [J]; the contact loss
///                                  is the work of force - d(stored_energy)/dx
/// - `accept(memory, x, v)`         told once after every accepted step: laws with memory move on
template <class L>
concept ContactLaw = core::Described<L> && std::default_initializable<L> &&
    requires(const L law, double x, core::Dual dual, typename L::Memory memory) {
    { L::name } -> std::convertible_to<std::string_view>;
    { L::meaning } -> std::convertible_to<std::string_view>;
    { L::is_elastic } -> std::convertible_to<bool>;
    { law.onset(x) } -> std::same_as<typename L::Memory>;
    { law.force(x, x, memory) } -> std::same_as<double>;
    { law.force(dual, dual, memory) } -> std::same_as<core::Dual>;
    { law.stored_energy(x, memory) } -> std::same_as<double>;
    { law.stored_energy(dual, memory) } -> std::same_as<core::Dual>;
    law.accept(memory, x, x);
};

}  // namespace stoss::contact
