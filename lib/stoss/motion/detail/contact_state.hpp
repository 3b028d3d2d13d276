#pragma once
/// One contact of a motion under way.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>

#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/any_friction.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/impact_motion.hpp>
#include <stoss/time/detail/contact_step.hpp>

namespace stoss::motion {

/// What a contact does at present.
enum class Phase {
    apart,     ///< there is a gap, or the surfaces just touch without a force
    touching,  ///< the law acts
    resting,   ///< the body follows the driven surface; Newton's law of impact alone
    leaving    ///< overlap remains, but the force has ended or is negligible
};

/// Accuracy of the steps in contact.
struct StepAccuracy {
    double kappa = 1.0;   ///< of steps (theory/splitting_scheme.md 12.3)
    double growth = 2.0;  ///< step/time since the zero of the overlap behind
    double closing = 2.0 / 3.0;
    double negligible = 0.0;  ///< part of the overlap that steps may leave unresolved
    double onset = 0.0;       ///< relative change of velocity in a first step
    double rest = 0.0;        ///< the same that is neglected at the end of a contact
    double exactness = 0.0;   ///< of the forces, relative
    int to_piece = 2;         ///< halvings of a step from one piece of a force curve to the next

    /// `tolerance`: relative error of one collision that is aimed at.
    explicit StepAccuracy(double tolerance);
};

struct ContactState {
    std::optional<AnyContact> law;  ///< none: Newton's law of impact
    std::optional<AnyFriction> friction;
    double tangential_mobility = 0.0;      ///< of its tangent, coupling to the normal added [1/kg]
    bool is_smooth = true;                 ///< see motion::is_smooth
    bool remembers = false;                ///< the law has a memory
    bool has_rates = false;                ///< see motion::has_rates
    bool needs_approach = false;           ///< see motion::needs_approach
    double mobility = 0.0;                 ///< sum phi_j^2 [1/kg]
    std::optional<std::size_t> only_mode;  ///< the one that the contact moves, if it is one

    Phase phase = Phase::apart;
    double x = 0.0, v = 0.0;                              ///< overlap [m] and its rate [m/s]
    double acceleration = 0.0, force = 0.0, slope = 0.0;  ///< in contact, as of the last step
    time::StepLimits limits{};
    double touching = 0.0;        ///< roundoff of the overlap [m]: the surfaces just touch
    double still = 0.0;           ///< of its rate [m/s]
    double fastest = 0.0;         ///< largest sum of rates of its modes so far [m/s]
    bool acts = false;            ///< its force is among the unknowns of the present step
    double ahead = 0.0;           ///< time in which the overlap vanishes [s], while `leaving`
    Impact impact;                ///< the present one
    bool is_felt = false;         ///< it is more than roundoff
    bool is_undamped = false;     ///< it began without the approach speed that the law needs
    bool lacked_damping = false;  ///< so did an impact that was felt
    bool is_in_dent = false;      ///< it began in the dent of an earlier one
    bool met_dent = false;        ///< so did an impact that was felt

    ContactMotion next;            ///< at the end of the step that is tried
    TangentMotion tangent{};       ///< y and y' at its begin, while it acts; 0 without a tangent
    TangentMotion tangent_next{};  ///< at its end
    double from_cubic = 0.0;       ///< [m] by which its overlap is off the cubic through the ends

    /// Shows an archive (core/state_numbers.hpp) what it is between two steps.
    template <class Archive>
    void visit(Archive& archive) {
        archive(phase, x, v, acceleration, force, slope, limits, touching, still, fastest, ahead,
                impact, is_felt, is_undamped, lacked_damping, is_in_dent, met_dent);
        if (law) archive(*law);
        if (friction) archive(*friction);
    }

    /// Overlap [m] that must not be passed: where contact begins, or ends.
    double begin_overlap() const { return law ? law->begin_overlap() : 0.0; }
    double end_overlap() const { return law ? law->end_overlap() : 0.0; }

    /// Roundoff [m/s] of the rates that the bodies have had, after some hundred steps. Bodies that
    /// a wave leaves at rest touch or meet again at such rates.
    double roundoff_of_rest() const {
        return 256.0 * std::numeric_limits<double>::epsilon() * fastest;
    }
    /// True of an impact that closes and opens by no more than that.
    bool is_roundoff() const {
        return std::max(impact.approach_speed, mobility * impact.impulse) <= roundoff_of_rest();
    }
    /// True if no more than that is left of an impact: the bodies rest beside each other.
    bool is_at_rest() const {
        return is_felt && std::abs(v) <= roundoff_of_rest() && end_overlap() == 0.0 &&
               x <= 16.0 * touching;
    }

    /// True if the overlap vanishes in the step that is tried. Bodies that close at its begin and
    /// at its end go on to touch: they have just met, and their overlap is still roundoff.
    bool parts_in_step() const {
        const bool closes = v > 0.0 && next.v > 0.0;
        return !closes && !(next.x > end_overlap());
    }

    /// True if the step that is tried leads to another piece of the force curve, at its end or at
    /// one of its nodes: their overlaps [m].
    bool changes_piece(const std::array<double, 3>& nodes) const {
        const auto is_elsewhere = [&](double at) { return !law->is_of_one_piece(x, at); };
        return is_elsewhere(next.x) || std::ranges::any_of(nodes, is_elsewhere);
    }

    /// True if the surfaces touch without a force, to roundoff.
    bool touches() const {
        return phase == Phase::apart && std::abs(x - begin_overlap()) <= touching;
    }
    /// True if they touch and do not move: they act as soon as they are pushed together.
    bool just_touches() const { return touches() && std::abs(v) <= still; }
    /// True if they touch and already move together: contact begins.
    bool closes_now() const { return touches() && x >= begin_overlap() && v > still; }
};

/// True if a gap stays open over a step of length h [s] (12.6): the Bernstein coefficients of the
/// cubic through its ends, less `error`, the largest deviation of the gap from that cubic [m].
/// `begin`, `end`: overlap and rate, counted from where contact begins. `touching`: overlaps [m]
/// within which the surfaces just touch, as they do at the end of a step up to where they close.
bool stays_open(const ContactMotion& begin, const ContactMotion& end, double h, double error,
                double touching);

/// The fraction of a step of length h [s] at which the gap of an apart contact closes, by the cubic
/// through its ends. Of surfaces that part at the begin of the step (`touching` as above) it is the
/// next zero. Precondition: they overlap at the end of the step.
double closing_fraction(const ContactState& contact, double h, double touching);

/// Looks for the instant inside a step at which the gap of an apart contact closes: Newton's method
/// on the exact motion, in a bracket that shrinks.
class CrossingSearch {
  public:
    /// `time` [s] after the begin of the step: where to look first; `step` [s]: the gap is open at
    /// its begin and closed at its end; `exact` [s]: roundoff of the instant.
    CrossingSearch(double time, double step, double exact)
        : time_(time), high_(step), exact_(exact), last_step_(step) {}

    double time() const { return time_; }
    /// Takes the motion of the contact at `time`. False: that is the instant.
    bool goes_on(const ContactState& contact);

  private:
    double time_, low_ = 0.0, high_, exact_, last_step_;
    int count_ = 0;
};

}  // namespace stoss::motion
