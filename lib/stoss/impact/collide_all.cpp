#include <array>
#include <memory>
#include <variant>

#include <stoss/impact/collide.hpp>
#include <stoss/impact/collider_memory.hpp>
#include <stoss/impact/splitting_collision.hpp>
#include <stoss/impact/step_lanes.hpp>

namespace stoss::impact {

/// Collisions in lanes: each goes on by itself to its next step in contact; the forces of all these
/// steps are solved at once.
class Collider::Lanes {
  public:
    Lanes(CollisionStream& stream, Workspace::Memory& memory) : stream_(stream), memory_(memory) {}

    void run() {
        for (std::size_t i = 0; i < count; ++i) {
            if (begin(i) && advance(i)) busy_[busy_count_++] = i;
        }
        while (busy_count_ > 0) step();
    }

  private:
    static constexpr std::size_t count = StepLanes::count;
    using Run = SplittingCollision<contact::Hertz>;

    Seat& seat(std::size_t i) { return *memory_.seats[i]; }
    Run& run_of(std::size_t i) { return seat(i).in_lane->run(); }

    /// Begins the next collision of the stream that goes into a lane; what does not is computed
    /// alone. False: there are no more.
    bool begin(std::size_t i) {
        while (stream_.next(next_)) {
            Seat& seat = memory_.seat(i, next_.collider->tables_, next_.first, next_.second);
            ids_[i] = next_.id;
            if (!suits(seat)) {
                seat.collide(next_.contact, next_.time_limit, seat.result, nullptr);
            } else if (fill(i)) {
                return true;
            }
            stream_.take(next_.id, seat.result);
        }
        return false;
    }

    /// True if the next collision can be computed in a lane.
    bool suits(const Seat& seat) const {
        const auto* const law = std::get_if<contact::Hertz>(&next_.contact.law);
        return law && law->exponent == 1.5 && law->stiffness > 0.0 && !seat.pair.coupled &&
               std::holds_alternative<time::Splitting>(seat.tables->scheme);
    }

    /// False: the bodies do not approach each other.
    bool fill(std::size_t i) {
        Seat& seat = this->seat(i);
        const auto& law = std::get<contact::Hertz>(next_.contact.law);
        const double tolerance = std::get<time::Splitting>(seat.tables->scheme).tolerance;
        seat.in_lane.emplace(
            seat.pair, seat.tables->ladder,
            contact::Contact(law, next_.contact.separation, seat.pair.effective_mass), tolerance,
            next_.time_limit, seat.splitting, seat.result);
        steps_.stiffness[i] = law.stiffness;
        shown_[i] = nullptr;
        return seat.in_lane->begin();
    }

    /// To the next step in contact in the lane, be it of another collision. False: there is none.
    bool advance(std::size_t i) {
        while (!run_of(i).advance()) {
            if (seat(i).in_lane->judge()) continue;
            stream_.take(ids_[i], seat(i).result);
            if (!begin(i)) return false;
        }
        return true;
    }

    /// One step in contact of each lane.
    void step() {
        bool with_rates = false;
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            run_of(i).look_ahead();
            show(i);
            with_rates |= run_of(i).with_rates();
        }
        solve_(steps_, with_rates);
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            write_forces(i, run_of(i).step());
            run_of(i).push();
        }
        std::size_t still = 0;
        for (std::size_t b = 0; b < busy_count_; ++b) {
            const std::size_t i = busy_[b];
            bool goes_on = true;
            if (run_of(i).stands()) {
                run_of(i).take_step();
                goes_on = advance(i);
            }
            if (goes_on) busy_[still++] = i;
        }
        busy_count_ = still;
    }

    /// The step that lane i is to solve.
    void show(std::size_t i) {
        const Run::Step& step = run_of(i).step();
        const Run::Onset onset = run_of(i).onset();
        steps_.overlap[i] = onset.overlap;
        steps_.rate[i] = onset.rate;
        steps_.acceleration[i] = onset.acceleration;
        steps_.force_before[i] = onset.force;
        steps_.step[i] = step.flow->step;
        for (std::size_t k = 0; k < 3; ++k) {
            steps_.free_x[k][i] = step.free.x[k];
            steps_.free_v[k][i] = step.free.v[k];
            steps_.free_seen[k][i] = step.free.seen[k];
            steps_.free_deviation[k][i] = step.free.deviation[k];
        }
        if (shown_[i] == step.compliance) return;
        steps_.set_compliances(i, *step.compliance);
        shown_[i] = step.compliance;
    }

    void write_forces(std::size_t i, Run::Step& step) const {
        step.nodes.solved = steps_.solved[i];
        for (std::size_t k = 0; k < 3; ++k) {
            step.nodes.v[k] = steps_.v[k][i];
            step.nodes.force[k] = steps_.force[k][i];
            step.nodes.slope[k] = steps_.slope[k][i];
            step.deviation.nodes[k] = steps_.deviation_force[k][i];
        }
        for (std::size_t w = 0; w < 4; ++w) step.deviation.defect[w] = steps_.defect[w][i];
    }

    CollisionStream& stream_;
    Workspace::Memory& memory_;
    const SolveLanes solve_ = solve_lanes();
    StepLanes steps_;
    CollisionStream::Collision next_;
    std::array<std::size_t, count> ids_{};
    std::array<const modal::Compliances*, count> shown_{};  // those that are in the lanes
    std::array<std::size_t, count> busy_{};                 // lanes with a collision
    std::size_t busy_count_ = 0;
};

void Collider::collide_all(CollisionStream& stream, Workspace& workspace) {
    Lanes(stream, workspace.memory()).run();
}

}  // namespace stoss::impact
