#include <array>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collider_memory.hpp>
#include <stoss/impact/detail/splitting_collision.hpp>
#include <stoss/impact/detail/step_lanes.hpp>

namespace stoss::impact {

/// Collisions by one law in lanes of vector registers. Each advances alone to its next step in
/// contact; the steps in contact of all lanes are computed together. What does not suit the lanes
/// is computed alone.
template <class Law>
class Collider::Lanes {
  public:
    /// `first`: the first collision, taken from the stream.
    Lanes(CollisionStream& stream, Workspace::Memory& memory,
          const CollisionStream::Collision& first)
        : stream_(stream), memory_(memory), next_(first) {
        steps_.law_has_rates = law_has_rates;
        if (SplittingLaw<Law>::may_remember_approach) steps_.force_of_approach = force_of_approach;
        const Law* const law = std::get_if<Law>(&first.contact.law);
        if (!law) return;
        if (has_vectors(*law)) {
            take_powers(*law);
        } else {
            steps_.law = evaluate;
            steps_.dissipated_power = dissipated_power;
        }
    }

    void run() {
        for (std::size_t i = 0; i < count; ++i) {
            if (begin(i) && advance(i)) load_step(busy_count_++, i);
        }
        while (busy_count_ > 0) step();
    }

  private:
    static constexpr std::size_t count = StepLanes::count;
    using Run = SplittingCollision<Law>;
    static_assert(SplittingLaw<Law>::may_be_continuous);
    static constexpr bool law_has_rates = SplittingLaw<Law>::has_rates;
    static constexpr bool has_powers = contact::OfDampedPowers<Law>;

    /// True of a law whose text the lanes have in vectors.
    static bool has_vectors([[maybe_unused]] const Law& law) {
        if constexpr (std::is_same_v<Law, contact::Hertz>) return law.exponent == 1.5;
        if constexpr (has_powers) return law.stiffness && law.powers({}).takes_roots();
        return false;
    }

    /// The exponents of the lanes.
    void take_powers([[maybe_unused]] const Law& law) {
        if constexpr (has_powers) steps_.powers = law.powers({});
    }
    bool has_powers_of_lanes([[maybe_unused]] const Law& law) const {
        if constexpr (has_powers)
            return law.stiffness && law.powers({}).has_powers_of(steps_.powers);
        return has_vectors(law);
    }

    /// StepLanes::Law of laws that have no text in vectors.
    static void evaluate(const StepLanes& lanes, std::size_t begin, std::size_t width,
                         const double* overlap, const double* rate, double* force,
                         double* by_overlap, double* by_rate) {
        for (std::size_t i = 0; i < width; ++i) {
            const Run* const run = run_of(lanes, begin + i);
            const double v = law_has_rates ? rate[i] : 0.0;
            if (!by_overlap) {
                force[i] = run ? run->state().contact.force(overlap[i], v) : 0.0;
                continue;
            }
            time::LawPoint at{};
            if (run) at = time::law_point<law_has_rates>(run->state().contact, overlap[i], v);
            force[i] = at.force;
            by_overlap[i] = at.by_x;
            if (by_rate) by_rate[i] = at.by_v;
        }
    }

    /// StepLanes::OfLaw.
    static void dissipated_power(const StepLanes& lanes, std::size_t begin, std::size_t width,
                                 const double* overlap, const double* rate, double* power) {
        for (std::size_t i = 0; i < width; ++i) {
            const Run* const run = run_of(lanes, begin + i);
            power[i] = run ? run->state().contact.dissipated_power(overlap[i], rate[i]) : 0.0;
        }
    }
    static void force_of_approach(const StepLanes& lanes, std::size_t begin, std::size_t width,
                                  const double* overlap, const double* rate, double* force) {
        for (std::size_t i = 0; i < width; ++i) {
            const Run* const run = run_of(lanes, begin + i);
            force[i] =
                run ? run->contact_phase().error().force_of_approach(overlap[i], rate[i]) : 0.0;
        }
    }

    static const Run* run_of(const StepLanes& lanes, std::size_t i) {
        return static_cast<const Run*>(lanes.run[i]);
    }

    Slot& slot(std::size_t i) { return *memory_.slots[i]; }
    Run& run_of(std::size_t i) { return *runs_[i]; }

    /// Begins the next collision of the stream that goes into a lane; what does not is computed
    /// alone. False: there are no more.
    bool begin(std::size_t i) {
        while (std::exchange(has_next_, false) || stream_.next(next_)) {
            Slot& slot = memory_.slot(i, next_.collider->tables_, next_.first, next_.second);
            ids_[i] = next_.id;
            if (!suits(slot)) {
                slot.collide(next_.contact, next_.time_limit, slot.result, nullptr);
            } else if (fill(i)) {
                return true;
            }
            stream_.take(next_.id, slot.result);
        }
        return false;
    }

    /// True if the next collision can be computed in a lane.
    bool suits(const Slot& slot) const {
        const auto* const law = std::get_if<Law>(&next_.contact.law);
        if (!law || !(steps_.law || has_powers_of_lanes(*law))) return false;
        if constexpr (std::is_same_v<Law, contact::Hertz>) {
            if (!(law->stiffness > 0.0)) return false;
        }
        if (!std::holds_alternative<time::Splitting>(slot.tables->scheme)) return false;
        return SplittingLaw<Law>::can_know_its_error(slot.pair, contact_of(*law, slot));
    }

    contact::Contact<Law> contact_of(const Law& law, const Slot& slot) const {
        return {law, next_.contact.separation, slot.pair.effective_mass};
    }

    /// False: the bodies do not approach each other.
    bool fill(std::size_t i) {
        Slot& slot = this->slot(i);
        const auto& law = std::get<Law>(next_.contact.law);
        const double tolerance = std::get<time::Splitting>(slot.tables->scheme).tolerance;
        in_lane_[i].emplace(slot.pair, slot.tables->propagators, contact_of(law, slot), tolerance,
                            next_.time_limit, slot.splitting, slot.result);
        if constexpr (std::is_same_v<Law, contact::Hertz>) steps_.stiffness[i] = *law.stiffness;
        steps_.residual[i] = slot.pair.residual_flexibility;
        shown_[i] = nullptr;
        contacts_[i] = 0;
        steps_.run[i] = runs_[i] = &in_lane_[i]->run();
        return in_lane_[i]->begin();
    }

    /// To the next step in contact in the lane, be it of another collision. False: there is none.
    bool advance(std::size_t i) {
        while (!run_of(i).advance()) {
            if (in_lane_[i]->judge()) continue;
            stream_.take(ids_[i], slot(i).result);
            if (!begin(i)) return false;
        }
        return true;
    }

    /// One step in contact of each lane.
    void step() {
        find_free_overlaps();
        steps_of_.solve(steps_, with_rates_);
        apply_forces();
        steps_of_.conclude(steps_);
        set_ends();
        const std::size_t were_busy = std::exchange(busy_count_, 0);
        with_rates_ = false;
        for (std::size_t b = 0; b < were_busy; ++b) {
            const std::size_t i = busy_[b];
            if (take_step(i)) {
                load_step(busy_count_++, i);
            } else {
                steps_.motion[i].level = nullptr;
                steps_.run[i] = nullptr;
            }
        }
    }

    void find_free_overlaps() {
        motions_of_.free_overlaps_of_lanes(steps_);
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            if (is_moved(i)) continue;
            ContactPhase<Law>& contact = run_of(i).contact_phase();
            contact.collocation().find_free_overlaps();
            const modal::NodeOverlaps& free = contact.step().free;
            for (std::size_t k = 0; k < 3; ++k) {
                steps_.free_x[k][i] = free.x[k];
                steps_.free_v[k][i] = free.v[k];
                steps_.free_seen[k][i] = free.seen[k];
                steps_.free_deviation[k][i] = free.deviation[k];
                steps_.free_seen_v[k][i] = free.seen_v[k];
                steps_.free_deviation_v[k][i] = free.deviation_v[k];
            }
        }
    }

    void apply_forces() {
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            Run& run = run_of(i);
            SplittingStep& step = run.contact_phase().step();
            step.nodes.solved = steps_.solved[i];
            if (!steps_.solved[i]) steps_.motion[i].level = nullptr;
            if (!is_moved(i) || run.state().motion.needs_rates()) write_forces(i, step);
        }
        motions_of_.apply_forces_to_lanes(steps_);
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            if (is_moved(i)) continue;
            ContactPhase<Law>& contact = run_of(i).contact_phase();
            contact.collocation().apply_forces();
            steps_.end_x[i] = contact.step().of_modes.x;
            steps_.end_v[i] = contact.step().of_modes.v;
        }
    }

    void set_ends() {
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            if (!is_moved(i)) continue;
            const modal::Overlap of_modes{steps_.end_x[i], steps_.end_v[i]};
            run_of(i).contact_phase().collocation().set_end(of_modes,
                                                            {steps_.seen_x[i], steps_.seen_v[i]});
        }
    }

    /// To the next step in contact in the lane. False: there is none.
    bool take_step(std::size_t i) {
        Run& run = run_of(i);
        if (!run.is_accepted()) return true;
        if (steps_.solved[i]) {
            ContactPhase<Law>& contact = run.contact_phase();
            for (std::size_t k = 0; contact.collocation().turns() && k < 3; ++k)
                contact.step().nodes.x[k] = steps_.x[k][i];
            run.take_step(steps_.outcome(i), steps_.step_prediction(i));
        } else {
            run.take_step();  // the lane has no outcome, or not that of the forces that act
        }
        return advance(i);
    }

    /// True if the step in the lane is moved with the others. Else it is by itself: where loads
    /// act, and where its forces are not solved.
    bool is_moved(std::size_t i) const { return steps_.motion[i].level != nullptr; }

    /// Lane i has a step to take.
    void load_step(std::size_t place, std::size_t i) {
        busy_[place] = i;
        ContactPhase<Law>& contact = run_of(i).contact_phase();
        const RunState<Law>& state = run_of(i).state();
        const SplittingStep& step = contact.step();
        steps_.overlap[i] = state.at.x;
        steps_.rate[i] = state.at.rate;
        steps_.acceleration[i] = state.at.acceleration;
        steps_.force_before[i] = state.at.force;
        steps_.deviation_before[i] = contact.error().force();
        steps_.step[i] = step.flow->step;
        steps_.motion[i] = state.motion.lane(*step.flow);
        if (slot(i).pair.loaded) steps_.motion[i].level = nullptr;
        with_rates_ |= state.motion.needs_rates();
        if (shown_[i] != step.compliance) {
            steps_.set_compliances(i, *step.compliance, state.motion.rates);
            shown_[i] = step.compliance;
        }
        if (contacts_[i] != contact.count()) {
            steps_.set_limits(i, state.limits);
            take_law(i, state.contact);
            contacts_[i] = contact.count();
        }
    }

    /// The numbers of the law, which may have changed with the approach.
    void take_law(std::size_t i, [[maybe_unused]] const contact::Contact<Law>& contact) {
        if constexpr (has_powers) {
            const contact::DampedPowers powers = contact.powers();
            steps_.stiffness[i] = powers.stiffness;
            steps_.damping[i] = powers.damping;
            steps_.least_force[i] = contact.least_force();
        }
    }

    void write_forces(std::size_t i, SplittingStep& step) const {
        for (std::size_t k = 0; k < 3; ++k) {
            step.nodes.x[k] = steps_.x[k][i];
            step.nodes.v[k] = steps_.v[k][i];
            step.nodes.force[k] = steps_.force[k][i];
            step.nodes.slope[k] = steps_.slope[k][i];
            step.deviation.nodes[k] = steps_.deviation_force[k][i];
        }
        for (std::size_t w = 0; w < 4; ++w) step.deviation.defect[w] = steps_.defect[w][i];
    }

    CollisionStream& stream_;
    Workspace::Memory& memory_;
    const StepKernels& steps_of_ = step_kernels();
    const modal::ModalKernels& motions_of_ = modal::modal_kernels();
    StepLanes steps_;
    CollisionStream::Collision next_;
    bool has_next_ = true;  // the first one
    std::array<std::optional<CollisionBySplitting<Law>>, count> in_lane_;
    std::array<std::size_t, count> ids_{};
    std::array<const modal::Compliances*, count> shown_{};  // those that are in the lanes
    std::array<std::size_t, count> contacts_{};             // and of which contact the limits
    std::array<Run*, count> runs_{};
    std::array<std::size_t, count> busy_{};  // lanes with a collision
    std::size_t busy_count_ = 0;
    bool with_rates_ = false;  // one of them asks for rates
};

void Collider::collide_all(CollisionStream& stream, Workspace& workspace) {
    CollisionStream::Collision first;
    if (!stream.next(first)) return;
    std::visit(
        [&]<class Law>(const Law&) {
            using Suited =
                std::conditional_t<SplittingLaw<Law>::may_be_continuous, Law, contact::Hertz>;
            Lanes<Suited>(stream, workspace.memory(), first).run();
        },
        first.contact.law);
}

}  // namespace stoss::impact
