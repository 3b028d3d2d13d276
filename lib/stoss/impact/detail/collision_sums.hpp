#pragma once
/// What a run of the splitting scheme adds up: impulse, work and losses of the contact force; what
/// of them belongs to a sub-impact, to compression, and to the time before the last separation
/// (theory/splitting_scheme.md 12.8, theory/collision.md 6.4 to 6.8).

#include <cstddef>
#include <optional>

#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/run_instant.hpp>
#include <stoss/impact/detail/splitting_motion.hpp>
#include <stoss/time/detail/largest_force.hpp>

namespace stoss::impact {

/// The difference of two runs in the quantities that decide whether a run is accepted.
struct RunDifference {
    double cor = 0.0;
    double impulse = 0.0;  ///< relative
    double modes = 0.0;    ///< of the energies of all vibrations, as a vector
};

class CollisionSums {
  public:
    /// `motion` must live as long as this is used.
    explicit CollisionSums(SplittingMotion& motion) : motion_(motion) {}

    /// For one more run, from the present state on; what is known at its end goes to `result`.
    void start(double approach_velocity, CollisionResult& result);

    /// A step in contact: impulse [N s] and work on V_rel [J].
    void add_step(double impulse, double work) {
        work_ += work;
        impulse_ += impulse;
    }
    /// What the force took from the modes [J].
    void add_contact_work(double work) { contact_work_ += work; }
    /// What the contact law turned into heat or kept [J].
    void add_contact_loss(double loss) { contact_loss_ += loss; }

    void begin_sub_impact(double time);
    /// The largest force [N] of a piece of the present sub-impact.
    void note_force(const time::Largest& largest) {
        if (!(largest.value > peak_)) return;
        peak_ = largest.value;
        peak_error_ = largest.error;
    }
    void end_sub_impact(double time);

    bool compression_has_ended() const { return compression_end_.has_value(); }
    /// V_rel vanishes, after `impulse` [N s] and `work` [J] more than there are so far.
    void end_compression(double time, double impulse, double work) {
        compression_end_ = time;
        compression_impulse_ = impulse_ + impulse;
        compression_work_ = work_ + work;
    }

    /// The bodies part, perhaps for good.
    void separate(const RunInstant& at);

    /// The end of the run. `corrected`: the energies are those of the motion as its deviation
    /// corrects it.
    void conclude(std::size_t steps, bool corrected);
    /// Truth less run at the last separation, to first order (12.8), if it is carried along.
    const RunDifference& deviation() const { return deviation_; }

    /// The present state; `stored`: energy in the contact [J].
    Sample sample(const RunInstant& at, double stored);

  private:
    void take_energies(EnergyBalance& balance, const ModesView& modes) const;
    ModesView corrected_modes();
    void find_deviation();

    SplittingMotion& motion_;
    CollisionResult* result_ = nullptr;
    double initial_energy_ = 0.0;                     // [J]
    double impulse_ = 0.0, work_ = 0.0;               // [N s]; of P on V_rel [J]
    double contact_work_ = 0.0, contact_loss_ = 0.0;  // [J]
    double impulse_at_onset_ = 0.0;                   // of the present sub-impact [N s]
    double peak_ = 0.0, peak_error_ = 0.0;            // likewise [N]
    double peak_force_ = 0.0;                         // of the sub-impacts before [N]
    std::optional<double> compression_end_;
    double compression_impulse_ = 0.0;                       // [N s]
    double compression_work_ = 0.0, separation_work_ = 0.0;  // [J]
    bool has_separated_ = false;
    modal::ModalState separated_{}, separated_deviation_{};  // at the last separation
    RunDifference deviation_;
};

}  // namespace stoss::impact
