#pragma once
/// What the splitting scheme makes use of in a contact law
/// (theory/splitting_scheme.md 12.8, 12.16).

#include <type_traits>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/impact/detail/contact_pair.hpp>

namespace stoss::impact {

template <contact::ContactLaw Law>
struct SplittingLaw {
    /// The force depends on the rate of the overlap too.
    static constexpr bool has_rates = !Law::is_elastic;

    /// The law remembers something of the motion so far.
    static constexpr bool remembers = !std::is_same_v<typename Law::Memory, contact::NoMemory>;

    /// The force is a function of the overlap alone.
    static constexpr bool depends_on_overlap_alone = !has_rates && !remembers;

    /// That function vanishes with the overlap.
    static constexpr bool is_smooth =
        depends_on_overlap_alone && !requires(const Law law, contact::NoMemory memory) {
        law.end_overlap(memory);
    };

    /// A run may know its error; with rates it depends on the numbers of the law.
    static constexpr bool may_be_continuous =
        is_smooth ||
        (has_rates && !contact::Hysteretic<Law> && !contact::Piecewise<Law> &&
         !contact::BeginsAtDent<Law> &&
         !requires(const Law law, typename Law::Memory memory) { law.end_overlap(memory); });

    static constexpr bool may_remember_approach = may_be_continuous && remembers;

    /// What the law remembers may change during contact.
    static constexpr bool memory_changes_in_contact = remembers && !may_be_continuous;

    /// True if a run can carry along how far it deviates from the truth. It can for modes that move
    /// alone and laws that remember at most how fast the bodies approached, and whose force is
    /// smooth but where contact begins and ends. If it jumps there (12.17), no spring may be in
    /// series.
    static bool can_know_its_error(const ContactPair& pair,
                                   [[maybe_unused]] const contact::Contact<Law>& contact) {
        if (pair.coupled) return false;
        if constexpr (is_smooth || !may_be_continuous)
            return is_smooth;
        else
            return contact::is_continuous(contact) ||
                   (pair.residual_flexibility == 0.0 && contact::jumps_at_onset(contact));
    }
};

/// The force [N] with which a contact ends where its overlap does, at a rate [m/s].
template <class Law>
double last_force(const contact::Contact<Law>& contact, double rate) {
    const double edge = contact.end_overlap();
    return contact.would_release(edge, rate) ? 0.0 : contact.unlimited_force(edge, rate);
}

}  // namespace stoss::impact
