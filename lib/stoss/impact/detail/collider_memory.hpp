#pragma once
/// What a Collider knows of its bodies, and where one collision of them is computed. Of
/// collide.cpp, collide_all.cpp and gradient.cpp alone.

#include <array>
#include <memory>

#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_by_splitting.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/splitting_collision.hpp>
#include <stoss/impact/detail/step_lanes.hpp>
#include <stoss/modal/propagator_slopes.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

struct Collider::Tables {
    ContactPair pair;
    modal::Propagators propagators;
    modal::PropagatorSlopes slopes;
    ContactSetup contact;
    Scheme scheme;

    Tables(const modal::ModalBody& first, const modal::ModalBody& second, const ContactSetup& setup,
           const Scheme& choice);
};

/// Memory for one collision at a time.
struct Collider::Slot {
    std::shared_ptr<const Tables> tables;
    ContactPair pair;
    SplittingMemory splitting;
    CollisionResult result;  // of a collision of many

    explicit Slot(const std::shared_ptr<const Tables>& owner) : tables(owner), pair(owner->pair) {}

    /// The whole collision of `pair`.
    void collide(const ContactSetup& setup, double time_limit, CollisionResult& to,
                 History* history);
};

struct Collider::Workspace::Memory {
    std::array<std::unique_ptr<Slot>, StepLanes::count> slots;

    /// A slot for that collision of the bodies of the tables; takes memory only if those before
    /// were others. Throws as Collider::collide.
    Slot& slot(std::size_t i, const std::shared_ptr<const Tables>& tables, const Approach& first,
               const Approach& second);
};

}  // namespace stoss::impact
