#include <stoss/contact/continuity.hpp>
#include <stoss/impact/collide.hpp>

#include <algorithm>
#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/detail/collider_memory.hpp>
#include <stoss/impact/detail/newmark_collision.hpp>
#include <stoss/impact/detail/splitting_collision.hpp>

namespace stoss::impact {

std::string_view to_string(Status status) {
    switch (status) {
        case Status::separated:
            return "separated";
        case Status::no_approach:
            return "no_approach";
        case Status::not_separated:
            return "not_separated";
        case Status::not_finite:
            return "not_finite";
    }
    return "unknown";
}

void History::add(Sample sample) {
    const std::size_t most = capacity_ - capacity_ % 2;  // then this one is at an even place
    if (samples_.size() == most) {
        for (std::size_t i = 1; 2 * i < samples_.size(); ++i) {
            samples_[i] = std::move(samples_[2 * i]);
        }
        samples_.resize(most / 2);
        stride_ *= 2;
    }
    samples_.push_back(std::move(sample));
}

namespace {

/// Ten periods of the slowest vibration [s], 2^20 s at most: the shortest step of the tables is a
/// fixed fraction of it, and must resolve the contact.
double longest_step(const ContactPair& pair) {
    constexpr double angle = 64.0, most = 1048576.0;  // [rad], [s]
    if (pair.modes() == pair.rigid) return most;
    const double slowest = *std::min_element(
        pair.eigenvalues.begin() + static_cast<std::ptrdiff_t>(pair.rigid), pair.eigenvalues.end());
    return std::min(most, core::exp2(std::round(core::log2(angle / std::sqrt(slowest)))));
}

}  // namespace

Collider::Tables::Tables(const modal::ModalBody& first, const modal::ModalBody& second,
                         const ContactSetup& setup, const Scheme& choice)
    : pair(first, second, contact::damps_from_onset(setup.law)),
      propagators(pair.coupled ? pair.coupled->eigenvalues() : pair.eigenvalues,
                  pair.coupled ? pair.coupled->dampings() : pair.dampings, longest_step(pair)),
      slopes(propagators),
      contact(setup),
      scheme(choice) {
    if (pair.coupled && std::holds_alternative<time::Newmark>(scheme)) {
        throw core::NumericalError(
            "Newmark's scheme does not support damping that couples the modes; use the splitting "
            "scheme");
    }
}

Collider::Slot& Collider::Workspace::Memory::slot(std::size_t i,
                                                  const std::shared_ptr<const Tables>& tables,
                                                  const Approach& first, const Approach& second) {
    std::unique_ptr<Slot>& place = slots[i];
    if (!place || place->tables != tables) place = std::make_unique<Slot>(tables);
    ContactPair& pair = place->pair;
    pair.set(first, second);
    if (pair.loaded && (pair.coupled || std::holds_alternative<time::Newmark>(tables->scheme))) {
        throw core::NumericalError(
            "constant forces on the bodies need the splitting scheme and modes that no damping "
            "couples");
    }
    return *place;
}

void Collider::Slot::collide(const ContactSetup& setup, double time_limit, CollisionResult& to,
                             History* history) {
    std::visit(
        [&]<class Law, class Choice>(const Law& law, const Choice& scheme) {
            if constexpr (std::is_same_v<Choice, time::Newmark>) {
                to = NewmarkCollision(pair, law, setup.separation, scheme).run(time_limit, history);
            } else {
                const contact::Contact<Law> contact(law, setup.separation, pair.effective_mass);
                CollisionBySplitting collision(pair, tables->propagators, contact, scheme.tolerance,
                                               time_limit, splitting, to);
                if (!collision.begin()) return;
                do {
                    collision.run().go_on();
                } while (collision.judge());
                if (history) collision.write_history(*history);
            }
        },
        setup.law, tables->scheme);
}

Collider::Workspace::Workspace() = default;
Collider::Workspace::Workspace(Workspace&&) noexcept = default;
Collider::Workspace& Collider::Workspace::operator=(Workspace&&) noexcept = default;
Collider::Workspace::~Workspace() = default;

Collider::Workspace::Memory& Collider::Workspace::memory() {
    if (!memory_) memory_ = std::make_unique<Memory>();
    return *memory_;
}

Collider::Collider(const modal::ModalBody& first, const modal::ModalBody& second,
                   const ContactSetup& contact, const Scheme& scheme)
    : tables_(std::make_shared<const Tables>(first, second, contact, scheme)) {}

void Collider::collide(const Approach& first, const Approach& second, double time_limit,
                       Workspace& workspace, CollisionResult& result, History* history) const {
    collide(first, second, tables_->contact, time_limit, workspace, result, history);
}

void Collider::collide(const Approach& first, const Approach& second, const ContactSetup& setup,
                       double time_limit, Workspace& workspace, CollisionResult& result,
                       History* history) const {
    workspace.memory().slot(0, tables_, first, second).collide(setup, time_limit, result, history);
}

CollisionResult collide(const MovingBody& first, const MovingBody& second,
                        const ContactSetup& contact, const Scheme& scheme, double time_limit,
                        History* history) {
    const Collider collider(first.body, second.body, contact, scheme);
    Collider::Workspace workspace;
    CollisionResult result;
    collider.collide(first.approach(), second.approach(), time_limit, workspace, result, history);
    return result;
}

}  // namespace stoss::impact
