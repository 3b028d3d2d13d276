#pragma once
/// What a motion under way consists of, and what can be asked of it.

#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include <stoss/motion/detail/contact_state.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/series_compliance.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// State of all modes and contacts, and the energy balance. Each derived class adds one part of the
/// motion to its base: ContactEvents, RestingBodies, InstantImpacts, FreeSteps, ForcedSteps and
/// ContactSteps.
class MotionState {
  public:
    /// `tolerance`: as of ImpactMotion.
    MotionState(System system, double tolerance);
    MotionState(const MotionState&) = delete;
    MotionState& operator=(const MotionState&) = delete;

    const System& system() const { return system_; }
    const State& state() const { return now_; }
    MotionStatus status() const { return status_; }
    const ContactState& contact(std::size_t c) const { return contacts_[c]; }
    std::size_t impacts() const { return impacts_; }
    std::size_t steps() const { return steps_; }
    /// As ImpactMotion::slip_rate.
    std::array<double, 2> slip_rate(std::size_t c) const;
    bool is_touching() const;
    MotionEnergy energy() const;

    /// As ImpactMotion::displace.
    void displace(std::span<const double> coordinates, std::span<const double> rates);

    /// Shows an archive (core/state_numbers.hpp) what the motion is between two steps.
    template <class Archive>
    void visit(Archive& archive) {
        archive(now_.time, now_.q, now_.v, contacts_, status_, energy_, impacts_, steps_);
    }

  protected:
    const DrivePhases& phases() { return phases_.at(system_, now_.time); }
    double energy_of(const State& state) const;
    /// False: the motion has diverged.
    bool overlaps_are_finite() const;
    /// Overlaps and rates of all contacts as the state is now; as it is at the end of a step.
    void look();
    void look_ahead();
    /// The same as `look` after a jump of the rates of the modes. Forces that act in series with a
    /// flexibility go on to act: the overlaps stay.
    void look_after_jump();
    /// Finds what is roundoff in all overlaps now: the surfaces just touch.
    void find_roundoff();
    /// That [m], and what is roundoff of the rate [m/s].
    double roundoff_of_overlap(std::size_t c) const { return contacts_[c].touching; }
    double roundoff_of_rate(std::size_t c) const { return contacts_[c].still; }
    /// Work [J] of the constant forces from the state now to the next one.
    double load_work() const;
    /// Power [W] of the harmonic forces on a state.
    double drive_power(const State& state) const;
    /// The same of a state at a point of a step that begins now.
    double drive_power(const State& state, const StepTable& table, std::size_t point);

    System system_;
    StepAccuracy accuracy_;
    ModeTables modes_;
    StepTables tables_;
    SeriesCompliance series_;
    State now_, next_, point_;  // point_: inside a step
    DrivePhases phases_;        // at now_
    std::vector<ContactState> contacts_;
    MotionStatus status_ = MotionStatus::running;
    MotionEnergy energy_;
    double fastest_ = 0.0;  // of all modes and drives [1/s]
    bool is_damped_ = false, is_driven_ = false, is_loaded_ = false;
    bool is_vibrating_ = false;  // a mode has a frequency or a damping
    double goal_ = 0.0;          // where the motion is to stop, to the last bit [s]
    std::size_t impacts_ = 0, steps_ = 0;
    std::vector<Impact> ended_;  // in the last step

  private:
    void make_contacts();
    /// `cosine(k)`: cos(W t + b) of drive k.
    template <class Cosine>
    double drive_power(const State& state, const Cosine& cosine) const {
        double power = 0.0;
        for (std::size_t k = 0; k < system_.drives.size(); ++k) {
            const Drive& drive = system_.drives[k];
            if (drive.frequency == 0.0 || drive.forces.empty()) continue;
            double sum = 0.0;
            for (std::size_t j = 0; j < system_.modes(); ++j) sum += drive.forces[j] * state.v[j];
            power += cosine(k) * sum;
        }
        return power;
    }
};

}  // namespace stoss::motion
