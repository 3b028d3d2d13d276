#pragma once
/// A collision by the splitting scheme: exact flow of the modes, the contact force as a parabola
/// over each step, found by collocation at three Gauss nodes (docs/theory/splitting_scheme.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/continuity.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/largest_force.hpp>
#include <stoss/impact/detail/pair_motion.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/impact/detail/step_resolution.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

/// The difference of two runs in the quantities that decide whether a run is accepted.
struct RunDifference {
    double cor = 0.0;
    double impulse = 0.0;  ///< relative
    double modes = 0.0;    ///< of the energies of all vibrations, as a vector
};

/// One run through a collision at one step_resolution.
template <contact::ContactLaw Law>
class SplittingCollision {
  public:
    SplittingCollision(const ContactPair& pair, const modal::Propagators& propagators,
                       const contact::Contact<Law>& contact, SplittingMemory& memory,
                       CollisionRecord<Law>* record = nullptr)
        : record_(record),
          pair_(pair),
          propagators_(propagators),
          kernels_(memory.motion.kernels()),
          untouched_(contact),
          contact_(contact),
          memory_(memory),
          motion_(memory.motion),
          n_(propagators.padded()),
          knows_its_error_(knows_its_error(pair, contact)) {
        if constexpr (may_remember_approach)
            remembers_approach_ = contact::remembers_approach(contact);
        // Derivatives need finer steps where a later approach depends on an earlier one.
        if (record && remembers_approach_) knows_its_error_ = false;
    }

    /// True if the run carries along how far it deviates from the truth. It does for modes that
    /// move alone and laws whose force vanishes with the overlap and remembers at most how fast the
    /// bodies approached: then nothing jumps where contact begins or ends.
    bool knows_its_error() const { return knows_its_error_; }
    static bool knows_its_error(const ContactPair& pair,
                                [[maybe_unused]] const contact::Contact<Law>& contact) {
        if (pair.coupled) return false;
        if constexpr (is_smooth || !may_be_continuous)
            return is_smooth;
        else
            return contact::is_continuous(contact);
    }

    const ToleranceFactors& tolerance_factors() const {
        if (!knows_its_error()) return record_ ? for_derivatives : with_compared_runs;
        return is_smooth ? with_known_error : with_known_error_and_rates;
    }

    /// True for a law whose force is a function of the overlap alone and vanishes with it.
    static constexpr bool is_smooth = Law::is_elastic &&
                                      std::is_same_v<typename Law::Memory, contact::NoMemory> &&
                                      !requires(const Law law, contact::NoMemory memory) {
        law.end_overlap(memory);
    };

    /// True for a law whose run may know its error; with rates it depends on the numbers of the
    /// law.
    static constexpr bool may_be_continuous =
        is_smooth ||
        (!Law::is_elastic && !contact::Hysteretic<Law> && !contact::Piecewise<Law> &&
         !contact::BeginsAtDent<Law> &&
         !requires(const Law law, typename Law::Memory memory) { law.end_overlap(memory); });

    static constexpr bool may_remember_approach =
        may_be_continuous && !std::is_same_v<typename Law::Memory, contact::NoMemory>;

    /// The whole run. Precondition: the bodies, and their surfaces, approach each other at t = 0.
    void run(const StepResolution& step_resolution, double time_limit, CollisionResult& result,
             History* history) {
        start(step_resolution, time_limit, result, history);
        go_on();
    }

    /// The rest of a run.
    void go_on() {
        while (advance()) {
            do {
                find_free_overlaps();
                solve();
                apply_forces();
            } while (!is_accepted());
            take_step();
        }
    }

    // The parts of a run, for those who solve the steps of several collisions side by side.

    /// True if the rates at the nodes of a step are needed.
    bool with_rates() const { return with_rates_always || pair_.damped; }
    modal::Rates rates() const {
        if (!with_rates()) return modal::Rates::none;
        return with_rates_always && knows_its_error() ? modal::Rates::everywhere
                                                      : modal::Rates::at_nodes;
    }

    /// The step in contact that comes next: what its forces follow from, and what they lead to.
    struct Step {
        int level = 0;
        const modal::Propagator* flow = nullptr;
        const modal::Compliances* compliance = nullptr;
        int wanted = 0;                  ///< the level at which it was tried first
        modal::NodeOverlaps free;        ///< without forces
        time::NodeForces nodes;          ///< to be found, rates only if `with_rates`
        DeviationForce deviation;        ///< to be found if `knows_its_error`
        modal::Overlap of_modes;         ///< overlap of the modes at the end, under these forces
        modal::Overlap end;              ///< less what the residual flexibility yields
        double approach_velocity = 0.0;  ///< V_rel [m/s] there
    };

    /// Precondition: as that of `run`.
    void start(const StepResolution& step_resolution, double time_limit, CollisionResult& result,
               History* history) {
        step_resolution_ = step_resolution;
        to_piece_ = static_cast<int>(std::lround(2.0 - 2.5 * core::log2(step_resolution.kappa)));
        to_turn_ = has_memory ? 5 : to_piece_;
        time_limit_ = time_limit;
        result_ = &result;
        history_ = history;
        contact_ = untouched_;
        approach_deviation_ = 0.0;
        now_ = {memory_.q.data(), memory_.v.data()};
        next_ = {memory_.next_q.data(), memory_.next_v.data()};
        off_ = {memory_.deviation_q.data(), memory_.deviation_v.data()};
        next_off_ = {memory_.next_deviation_q.data(), memory_.next_deviation_v.data()};
        separated_ = {memory_.separated_q.data(), memory_.separated_v.data()};
        separated_deviation_ = {memory_.separated_deviation_q.data(),
                                memory_.separated_deviation_v.data()};
        has_separated_ = false;
        motion_.start(now_);
        std::fill(memory_.deviation_q.begin(), memory_.deviation_q.end(), 0.0);
        std::fill(memory_.deviation_v.begin(), memory_.deviation_v.end(), 0.0);
        limits_ = {
            .growth = tolerance_factors().growth(step_resolution.kappa),
            .closing = tolerance_factors().closing(step_resolution.kappa),
            .contact_resonance = tolerance_factors().contact_resonance * step_resolution.kappa,
            .epsilon = step_resolution.epsilon(),
            .exactness = std::max(tolerance_factors().exactness * step_resolution.negligible,
                                  std::numeric_limits<double>::epsilon()),
            .longest = propagators_.longest()};
        for (const double p : pair_.phi) limits_.compliance += p * p;
        coarsest_level_ = propagators_.level_within(step_resolution.longest);
        event_level_ = coarsest_level_;
        while (event_level_ < last_level &&
               propagators_.step(event_level_) * propagators_.fastest() > brief)
            ++event_level_;
        onset_level_ = contact_level_ = event_level_;
        finest_level_ = std::max(propagators_.level_within(all_resolved * step_resolution.kappa /
                                                           propagators_.highest_omega()),
                                 coarsest_level_);
        resolved_level_ = finest_level_;
        per_event_step_ = 1.0 / propagators_.step(event_level_);
        t_ = 0.0;
        x_ = 0.0;
        approach_velocity_ = motion_.approach_velocity(now_);
        graze_level_ = graze_level();
        rate_ = pair_.overlap(pair_.initial_rates);
        acceleration_ = 0.0;
        impulse_ = work_ = contact_work_ = contact_loss_ = 0.0;
        force_ = 0.0;
        peak_force_ = 0.0;
        result.peak_force_error = 0.0;
        steps_ = 0;
        stalled_ = 0;
        compression_end_.reset();
        result.sub_impacts.clear();
        result.status = Status::not_separated;
        result.approach_speed = approach_velocity_;
        initial_energy_ = energy_of(motion_.modes(now_), 0, pair_.modes());
        result.initial_energy = initial_energy_;
        record();
        remembered_ = 0;
        if (record_) record_->clear(n_);
        begin_contact();
    }

    /// Goes on to the next step in contact. False: the run has ended.
    bool advance() {
        while (result_->status == Status::not_separated) {
            check_stop_();
            if (!ended_ && t_ < time_limit_ && !rests(contact_.end_overlap())) {
                if (!is_nearly_over() || releases_before_edge()) {
                    step_.wanted =
                        std::max(modal::Propagators::level_of(prediction_.step), coarsest_level_);
                    choose(std::max(step_.wanted, level_to_release()));
                    return true;
                }
                // Nothing lies ahead where the overlap has just vanished.
                ended_ = finish(prediction_.ahead < core::infinity ? prediction_.ahead : 0.0);
                if (!ended_) {
                    note(Record::Kind::resumed);
                    enter_contact();
                    predict_step();
                }
                continue;
            }
            end_contact();
            if (!ended_ || !move_apart() || !(t_ < time_limit_)) break;
            begin_contact();
        }
        conclude();
        return false;
    }

    /// How the step begins: overlap [m], its rate and acceleration, force [N] and by how much it
    /// deviates.
    struct Onset {
        double overlap, rate, acceleration, force, deviation;
    };
    Onset onset() const { return {x_, rate_, acceleration_, force_, deviation_force_}; }
    const StepLimits& limits() const { return limits_; }
    /// The contact as it is now.
    const contact::Contact<Law>& contact() const { return contact_; }
    /// What the deviation of the approach speed adds to the force [N] at overlap x and rate v
    /// (12.16).
    double force_of_approach(double x, double v) const {
        if (approach_deviation_ == 0.0) return 0.0;
        return approach_deviation_ / approach_variation *
               (faster_->force(x, v) - contact_.force(x, v));
    }
    /// Grows when the limits change.
    std::size_t contacts() const { return contacts_; }

    /// The motion of the step, for callers that move several collisions at once; not where loads
    /// act. They say with `arrive` where it led.
    modal::MotionLane motion() const {
        return {step_.flow, n_, shape().in_v, rates(), now_, next_, off_, next_off_};
    }
    /// The same where `nodes` has the forces of the step.
    void set_end(const modal::Overlap& of_modes) { set_end(of_modes, seen_by_law(of_modes)); }
    void set_end(const modal::Overlap& of_modes, const modal::Overlap& end) {
        step_.of_modes = of_modes;
        step_.end = end;
        step_.approach_velocity = motion_.approach_velocity(next_);
    }

    /// Where the step leads without forces.
    void find_free_overlaps() {
        const modal::Propagator& flow = *step_.flow;
        const modal::ModalState deviation = off_;
        kernels_.free_overlaps(flow, n_, shape(), now_, rates(),
                               knows_its_error() ? &deviation : nullptr, step_.free);
        if (!pair_.loaded) return;
        // The kernels move the modes under the contact force alone; the loads are added
        // (theory/collision.md 6.13).
        for (std::size_t i = 0; i < 3; ++i) {
            const modal::Overlap change = pair_.load_response(flow.step * modal::Gauss3::node[i]);
            step_.free.x[i] += change.x;
            step_.free.v[i] += change.v;
            const modal::Overlap seen = pair_.load_response(flow.step * seen_places[i]);
            step_.free.seen[i] += seen.x;
            step_.free.seen_v[i] += seen.v;
        }
    }

    /// The forces of the step.
    void solve() {
        const modal::Compliances& compliance = *step_.compliance;
        const double h = step_.flow->step;
        const time::Triple guess = forces_ahead(h);
        FreeStep free{step_.free.v, step_.free.seen, step_.free.seen_v, step_.free.deviation_v};
        if (with_rates_always)
            free = yields_to_first_force(free, force_, deviation_force_, residual(), h);
        // A copy of its own: the loop keeps it in registers.
        const time::NodeForces nodes =
            with_rates()
                ? time::solve_node_forces<true>(contact_, step_.free.x, free.v, compliance.x,
                                                compliance.v, guess, limits_.exactness)
                : time::solve_node_forces<false>(contact_, step_.free.x, free.v, compliance.x,
                                                 compliance.v, guess, limits_.exactness);
        if constexpr (may_be_continuous) {
            if (knows_its_error()) step_.deviation = drive_deviation(nodes, free);
        }
        step_.nodes = nodes;
    }

    /// The step; who solves it elsewhere writes its forces here.
    Step& step() { return step_; }

    /// The motion under the forces of the step.
    void apply_forces() {
        time::NodeForces& nodes = step_.nodes;
        if (!nodes.solved) {
            if (!is_shortest()) return;
            // So short a step changes nothing but which of its nodes, by roundoff, touch.
            nodes.force = forces_ahead(step_.flow->step);
        }
        const modal::Propagator& flow = *step_.flow;
        const modal::DeviationStep deviation{off_, next_off_, step_.deviation.nodes,
                                             step_.deviation.defect};
        const modal::Overlap of_modes =
            with_loads(kernels_.apply_forces(flow, n_, shape(), now_, nodes.force, next_,
                                             carries_deviation() ? &deviation : nullptr),
                       flow.step);
        set_end(of_modes);
    }

    /// False: the forces are not solved, or the step meets an event; it is to be tried again,
    /// shorter.
    bool is_accepted() {
        if (!step_.nodes.solved && !is_shortest()) return refine();
        if (!std::isfinite(step_.end.x)) {
            result_->status = Status::not_finite;
            return true;
        }
        if (step_.level == last_level || !is_event(step_.end)) return true;
        return releases(step_.end) ? refine_to_release(step_.end) : refine();
    }

    /// True if the surfaces stop approaching each other inside the step.
    bool turns() const { return rate_ > 0.0 && !(step_.end.v > 0.0); }

    /// The step is over.
    void take_step() {
        if (result_->status == Status::not_finite) return;
        const modal::Overlap& end = step_.end;
        const time::NodeForces& nodes = step_.nodes;
        StepOutcome outcome =
            outcome_of_step(step_.flow->step, rate_, end, nodes, contact_.force(end.x, end.v));
        for (std::size_t k = 0; with_rates_always && k < 3; ++k)
            outcome.dissipated[k] = contact_.dissipated_power(nodes.x[k], nodes.v[k]);
        accept_step(outcome);
        predict_step();
    }

    /// The same for callers that know its outcome and the next step.
    void take_step(const StepOutcome& outcome, const StepPrediction& next) {
        if (result_->status == Status::not_finite) return;
        accept_step(outcome);
        prediction_ = next;
    }

    /// Truth less run at the last separation, to first order (12.8). Only if `knows_its_error`.
    const RunDifference& deviation() const { return deviation_; }

  private:
    using State = modal::ModalState;
    using Record = CollisionRecord<Law>;

    static constexpr bool with_rates_always = !Law::is_elastic;
    /// What the law remembers may change during contact.
    static constexpr bool has_memory =
        !std::is_same_v<typename Law::Memory, contact::NoMemory> && !may_be_continuous;
    static constexpr int last_level = modal::Propagators::levels - 1;
    static constexpr int octave = modal::Propagators::octave;
    static constexpr double all_resolved = 6.0;  // omega h/kappa of a step that resolves all modes
    static constexpr double brief = 0.3;         // (sqrt(lambda) + d) h of the event level
    static constexpr int to_release = 17;        // halvings of a step that meets the end of a force
    static constexpr double approach_variation = 1e-6;  // of the approach speed, relative
    static constexpr int to_graze = 17;  // and of one in which loads may turn the bodies around

    const modal::ContactShape& shape() const { return motion_.shape(); }
    void accept_state() { std::swap(now_, next_); }
    double residual() const { return pair_.residual_flexibility; }
    bool has_residual() const { return pair_.residual_flexibility != 0.0; }

    /// Level of the shortest step of a free motion. The loads may turn the rigid motion around in a
    /// fraction 2^-`to_graze` of the time in which they change its velocity by itself.
    int graze_level() const {
        const double load = std::abs(pair_.load_acceleration);
        const double shortest = std::ldexp(brief * approach_velocity_ / load, -to_graze);
        int level = event_level_;
        while (load > 0.0 && level < last_level && propagators_.step(level) > shortest) ++level;
        return level;
    }

    double energy_of(const ModesView& modes, std::size_t begin, std::size_t end) const {
        double energy = 0.0;
        for (std::size_t j = begin; j < end; ++j) energy += pair_.mode_energy(j, modes.q, modes.v);
        return energy;
    }

    // ---- contact

    /// The begin of a sub-impact.
    void begin_contact() {
        contact_loss_ += contact_.accept(x_, rate_);
        result_->sub_impacts.push_back({t_, 0.0, 0.0, 0.0});
        impulse_at_onset_ = impulse_;
        peak_ = peak_error_ = 0.0;
        ++contacts_;
        unseen_overlap_ = roundoff_of_overlap();
        onset_level_ = onset_level();
        deviation_force_ = 0.0;
        limits_.onset = propagators_.step(onset_level_);
        release_ = core::infinity;
        resolved_level_ = resolved_level();
        limits_.resolution = propagators_.step(resolved_level_);
        slope_ = 0.0;
        // A law that pushes again after a release has not begun anew.
        const bool is_onset = !(x_ > contact_.begin_overlap());
        if (is_onset) onset_rate_ = rate_;
        if (is_onset && remembers_approach_ && knows_its_error()) note_approach();
        note(is_onset ? Record::Kind::onset : Record::Kind::resumed);
        enter_contact();
        ended_ = false;
        predict_step();
    }

    /// What the law remembers of the approach deviates by the rate at the true instant of contact
    /// (12.16).
    void note_approach() {
        const std::size_t size = pair_.modes();
        const double x = pair_.overlap({off_.q, size}), v = pair_.overlap({off_.v, size});
        approach_deviation_ = (v - acceleration_ * x / rate_) / rate_;
        faster_ = contact_;
        faster_->accept(x_, (1.0 + approach_variation) * rate_);
    }

    /// The end of a sub-impact: force or overlap have vanished, or it is too late.
    void end_contact() {
        SubImpact& sub_impact = result_->sub_impacts.back();
        sub_impact.end = t_;
        sub_impact.peak_force = peak_;
        if (peak_ > peak_force_) {
            peak_force_ = peak_;
            result_->peak_force_error = peak_error_ / peak_;
        }
        sub_impact.impulse = impulse_ - impulse_at_onset_;
        if (!ended_) return;
        if (has_residual() && !contact_.released()) {
            // Where the force ends with a jump, the spring loses what it has stored.
            const double last = contact_.unlimited_force(contact_.end_overlap(), 0.0);
            contact_loss_ += 0.5 * residual() * last * last;
        }
        leave_contact();
        if (record_ && record_->back().kind == Record::Kind::step) note(Record::Kind::end);
        separate();
    }

    /// From the overlap of the modes to that of the law, and the force: where a free motion ends in
    /// contact. A law with rates has no force there yet (one that has gets a residual mode
    /// instead); one without rates, or whose dent attracts, loads the spring at once.
    void enter_contact() {
        of_modes_ = {x_, rate_};
        force_ = contact_.force(x_, rate_);
        if (!has_residual()) return;
        if constexpr (with_rates_always && !contact::BeginsAtDent<Law>) {
            force_ = 0.0;
        } else {
            double slope = 0.0;
            for (int iteration = 0; iteration < time::most_iterations; ++iteration) {
                const double before = force_;
                const core::Dual law = contact_.force(
                    core::Dual::variable(of_modes_.x - residual() * force_), core::Dual(rate_));
                const SeriesForce series =
                    series_force(law.value, law.derivative, force_, residual());
                force_ = series.force;
                slope = law.derivative;
                if (std::abs(force_ - before) <= limits_.exactness * std::abs(force_)) break;
            }
            x_ = of_modes_.x - residual() * force_;
            rate_ = of_modes_.v / (1.0 + residual() * slope);
            // Where a force sets in with a jump, the spring is loaded with a loss.
            double onset = of_modes_.x;
            if constexpr (contact::BeginsAtDent<Law>)
                onset = std::max(onset, std::nextafter(contact_.begin_overlap(), core::infinity));
            contact_loss_ += contact_.stored_energy(onset) - contact_.stored_energy(x_) -
                             0.5 * residual() * force_ * force_;
        }
    }

    /// From the overlap of the law to that of the modes: where contact ends, and with it the force.
    void leave_contact() {
        if (!has_residual()) return;
        x_ = of_modes_.x;
        rate_ = of_modes_.v;
    }

    /// The overlap of the law at the end of the step, where the modes have `of_modes`.
    modal::Overlap seen_by_law(const modal::Overlap& of_modes) const {
        if (!has_residual()) return of_modes;
        const time::Triple& forces = step_.nodes.force;
        if constexpr (with_rates_always) {
            return seen_by_law_with_rates(contact_, of_modes, forces, residual(), step_.flow->step,
                                          limits_.exactness);
        } else {
            return impact::seen_by_law(contact_, of_modes, time::dot(parabola_weights[2], forces),
                                       residual());
        }
    }

    /// The level of the longest step that is admitted, as all shorter ones are; `finest` if none
    /// is. Looks for it from `level` on.
    template <class Admits>
    int longest_level(int level, int finest, Admits admits) const {
        level = std::min(level, finest);
        while (level > coarsest_level_ && admits(level - 1)) --level;
        while (level < finest && !admits(level)) ++level;
        return level;
    }

    /// True if the force of a step from here changes the velocity by no more than `part` of it.
    bool is_slight(int level, double part) const {
        const double h = propagators_.step(level);
        const double force = std::abs(contact_.force(x_ + rate_ * h, rate_));
        return limits_.compliance * force * h <= part * rate_;
    }

    /// The longest first step in which the force changes the velocity by less than epsilon of it;
    /// at an onset long enough for the overlap to grow beyond its roundoff.
    int onset_level() {
        const double epsilon = tolerance_factors().onset * limits_.epsilon;
        const bool is_onset = !(x_ > contact_.end_overlap());
        const double unseen = is_onset ? unseen_overlap_ / rate_ : 0.0;
        return longest_level(onset_level_, last_level, [&](int level) {
            return !(propagators_.step(level) > unseen) || is_slight(level, epsilon);
        });
    }

    /// The level of the longest step that resolves vibrations as far as they matter (12.5). What
    /// mode j adds to the overlap: what it brings from before, and what the onset of a force P(v t)
    /// stirs up in it, about phi_j^2 P(v / omega_j) / omega_j^2.
    int resolved_level() {
        amplitudes();
        for (std::size_t j = 0; j < motion_.size(); ++j) {
            const double omega = motion_.omega(j);
            if (omega == 0.0) continue;
            const double force = std::abs(contact_.force(x_ + rate_ / omega, rate_));
            memory_.reach[j] += motion_.mobility(j) * force * propagators_.inverse_eigenvalues()[j];
        }
        // In the time in which the force stops the bodies, by order of magnitude.
        contact_level_ = longest_level(contact_level_, onset_level_,
                                       [&](int level) { return is_slight(level, 1.0); });
        const double admissible =
            step_resolution_.negligible * rate_ * propagators_.step(contact_level_);
        return longest_level(resolved_level_, finest_level_, [&](int level) {
            return kernels_.unresolved(propagators_, propagators_.step(level),
                                       memory_.reach.data()) <= admissible;
        });
    }

    /// True if the last interval of the contact has begun (12.4). It has where a step would move
    /// the overlap by its roundoff, however large the force of a law that attracts still is.
    bool is_nearly_over() const {
        const double left = x_ - contact_.end_overlap();
        return prediction_.nearly_over ||
               (rate_ < 0.0 && limits_.closing * left <= unseen_overlap_);
    }

    /// dP/dx [N/m] of a law that unloads more steeply than it loads, where the overlap falls: a
    /// step from the largest overlap has yet to meet it. Elsewhere 0.
    double unloading_slope() const {
        if (rate_ > 0.0) return 0.0;
        const double below = std::nextafter(x_, -core::infinity);
        return contact_.force(core::Dual::variable(below), core::Dual(rate_)).derivative;
    }

    /// What comes next in contact.
    void predict_step() {
        const double force = governing_force<with_rates_always>(
            contact_, x_, is_smooth ? force_ : contact_.force(x_, rate_));
        prediction_ = step_prediction(x_ - contact_.end_overlap(), rate_, acceleration_, force,
                                      slope_, limits_);
    }

    const modal::Propagator& flow_of(int level) {
        const auto l = static_cast<std::size_t>(level);
        if (!memory_.flows[l]) memory_.flows[l] = &propagators_.level(level);
        return *memory_.flows[l];
    }

    /// What the loads do to the next state, which the kernels have moved over that time.
    modal::Overlap with_loads(modal::Overlap end, double time) {
        if (!pair_.loaded) return end;
        const modal::Overlap change = pair_.move_by_loads(time, next_);
        return {end.x + change.x, end.v + change.v};
    }

    modal::Overlap free_step(const modal::Propagator& flow) {
        const modal::DeviationStates deviation{off_, next_off_};
        return with_loads(kernels_.move_freely(flow, n_, shape(), now_, next_,
                                               knows_its_error() ? &deviation : nullptr),
                          flow.step);
    }

    /// `kernels_.amplitudes` of the state. Of a rigid mode that damping slows down under a load it
    /// is the rate beyond the steady one that bends its path.
    double amplitudes() {
        const double sum = kernels_.amplitudes(propagators_, shape(), now_, memory_.reach.data());
        for (std::size_t j = 0; pair_.loaded && j < pair_.rigid; ++j) {
            if (pair_.dampings[j] == 0.0) continue;
            memory_.reach[j] =
                std::abs(pair_.phi[j] * (now_.v[j] - pair_.loads[j] / pair_.dampings[j]));
        }
        return sum;
    }

    /// Forces at the nodes of a step if the overlap went on as a parabola.
    time::Triple forces_ahead(double h) const {
        time::Triple force;
        for (std::size_t k = 0; k < 3; ++k) {
            const double s = h * modal::Gauss3::node[k];
            force[k] = contact_.force(x_ + s * (rate_ + 0.5 * s * acceleration_),
                                      rate_ + s * acceleration_);
        }
        return force;
    }

    const modal::Compliances& compliances(int level) {
        const auto l = static_cast<std::size_t>(level);
        if (!memory_.has_compliances[l]) {
            memory_.compliances[l] = kernels_.compliances(flow_of(level), n_, shape(), rates());
            if (has_residual())
                add_residual(memory_.compliances[l], residual(), propagators_.step(level),
                             with_rates_always);
            memory_.has_compliances[l] = true;
        }
        return memory_.compliances[l];
    }

    DeviationForce drive_deviation(const time::NodeForces& nodes,
                                   [[maybe_unused]] const FreeStep& free) const {
        const modal::Compliances& compliance = *step_.compliance;
        if constexpr (with_rates_always) {
            const double h = step_.flow->step;
            const LawAlong law = law_with_rates_along(contact_, free, force_, nodes.force,
                                                      compliance, residual(), h);
            const time::Triple of_approach{force_of_approach(nodes.x[0], nodes.v[0]),
                                           force_of_approach(nodes.x[1], nodes.v[1]),
                                           force_of_approach(nodes.x[2], nodes.v[2])};
            return deviation_force_with_rates(force_, law, nodes, step_.free.deviation,
                                              free.deviation_v, of_approach, compliance, residual(),
                                              h);
        } else {
            const LawAlong law =
                law_along(contact_, step_.free.seen, nodes.force, compliance, residual());
            return deviation_force(force_, law, nodes, step_.free.deviation, compliance,
                                   residual());
        }
    }

    /// True if the deviation moves with the step.
    bool carries_deviation() const { return knows_its_error() && step_.nodes.solved; }

    void choose(int level) {
        step_.level = level;
        step_.flow = &flow_of(level);
        step_.compliance = &compliances(level);
    }

    /// The step is to be half as long. False.
    bool refine() {
        choose(std::min(step_.level + octave, last_level));
        return false;
    }

    /// The step is to end just before the law would pull, by the cubic of the overlap. False.
    bool refine_to_release(const modal::Overlap& end) {
        constexpr int halvings = 8;
        const double h = step_.flow->step;
        const time::CubicStep overlap{x_, end.x, h * rate_, h * end.v};
        double before = 0.0, after = 1.0;
        for (int i = 0; i < halvings; ++i) {
            const double part = 0.5 * (before + after);
            (contact_.would_release(overlap(part), overlap.slope(part) / h) ? after : before) =
                part;
        }
        const double step = std::max(before, std::ldexp(1.0, -halvings)) * h;
        // Two runs that are compared must not differ in the steps before a release.
        if (knows_its_error()) release_ = t_ + after * h;
        choose(std::clamp(propagators_.level_within(step), step_.level + 1, last_level));
        return false;
    }

    /// True if the law would pull at the end of the step.
    bool releases(const modal::Overlap& end) const {
        return with_rates_always && contact_.would_release(end.x, end.v);
    }

    /// The level of a step that ends before the instant at which the law is expected to pull, or
    /// just after it if it may.
    int level_to_release() const {
        if (!(release_ < core::infinity)) return coarsest_level_;
        const int before = propagators_.level_within(release_ - t_);
        const int after = std::max(before - 1, coarsest_level_);
        return is_slight_release(propagators_.step(after), force_) ? after : before;
    }

    /// True if a step in which the law begins to pull may be h long, where a force [N] is left:
    /// its parabola misses the kink there.
    bool is_slight_release(double h, double force) const {
        constexpr double part = 1e-6;  // of what may be left to the rest of a contact
        return knows_its_error() && rate_ < 0.0 &&
               limits_.compliance * std::abs(force) * h <= part * limits_.epsilon * -rate_;
    }

    /// The instant at which the law is expected to pull, if a step of length h is over that led
    /// towards it: by the secant of the force.
    void expect_release(double h, double force_before) {
        if (!(release_ < core::infinity)) return;
        const double fall = force_before - force_;
        release_ = fall > 0.0 ? t_ + h * force_ / fall : core::infinity;
    }

    /// How often the step has been halved.
    int halvings() const { return (step_.level - step_.wanted) / octave; }
    bool is_shortest() const { return step_.level == last_level || halvings() >= to_release; }

    /// True if the step meets something that must not lie inside a step of its length.
    bool is_event(const modal::Overlap& end) {
        const int halvings = this->halvings();
        if (!(end.x > contact_.end_overlap()) && halvings < to_release) return true;
        if (halvings < to_turn_ && !compression_end_ && !(step_.approach_velocity > 0.0)) {
            return true;
        }
        // What is remembered may be the largest overlap.
        const bool turns = rate_ > 0.0 && !(end.v > 0.0);
        if constexpr (contact::Piecewise<Law>) {
            if (!contact_.is_of_one_piece(x_, end.x) && halvings < to_piece_) return true;
        }
        if constexpr (contact::Hysteretic<Law>) {
            const double kink = contact_.kink_overlap();
            if ((turns || (x_ < kink && end.x > kink)) && halvings < to_release) return true;
        } else if (has_memory && turns && halvings < to_turn_) {
            return true;
        }
        if (!(halvings < to_release && releases(end))) return false;
        const time::Triple& nodes = step_.nodes.force;
        return !is_slight_release(step_.flow->step,
                                  std::max({force_, nodes[0], nodes[1], nodes[2]}));
    }

    /// The state at the end of the step, and what the step did.
    void accept_step(const StepOutcome& outcome) {
        const double h = step_.flow->step;
        const double velocity_before = approach_velocity_, force_before = force_;
        for (std::size_t k = 0; with_rates() && k < 3; ++k) {
            const time::NodeForces& nodes = step_.nodes;
            const double weight = h * modal::Gauss3::weight[k];
            contact_work_ += weight * nodes.force[k] * nodes.v[k];
            contact_loss_ += weight * outcome.dissipated[k];
        }
        if (record_) note_step(outcome.force);
        accept_state();
        if (carries_deviation()) {
            std::swap(off_, next_off_);
            const double end = time::dot(parabola_weights[2], step_.nodes.force);
            deviation_force_ = step_.deviation.at_end() - (outcome.force - end);
        }
        ++steps_;
        note_peak(h, outcome);
        of_modes_ = step_.of_modes;
        x_ = step_.end.x;
        rate_ = step_.end.v;
        acceleration_ = outcome.acceleration;
        slope_ = outcome.slope;
        force_ = outcome.force;
        approach_velocity_ = step_.approach_velocity;
        contact_loss_ += contact_.accept(x_, rate_);
        if constexpr (contact::Hysteretic<Law>) slope_ = std::max(slope_, unloading_slope());
        if (record_) note_memory();
        note_compression_end(h, velocity_before, outcome.impulse, force_before);
        // V_rel falls by what the impulse takes from it, and rises evenly by the loads.
        work_ += 0.5 * outcome.impulse * (velocity_before + approach_velocity_) +
                 pair_.load_acceleration * (outcome.moment - 0.5 * h * outcome.impulse);
        impulse_ += outcome.impulse;
        advance_time(h);
        if constexpr (with_rates_always) expect_release(h, force_before);
        record();
        ended_ = contact_.released() || !(x_ > contact_.end_overlap());
    }

    /// The largest force of the sub-impact so far, with that of the step: of a smooth law it is the
    /// force at the largest overlap.
    void note_peak(double h, const StepOutcome& outcome) {
        Largest largest{std::max(force_, outcome.peak), 0.0};
        const modal::Overlap& end = step_.end;
        if constexpr (is_smooth) {
            if (turns() && step_.nodes.solved) {
                const Largest overlap = largest_overlap(h, x_, rate_, step_.nodes.x, end.x, end.v);
                const core::Dual force =
                    contact_.force(core::Dual::variable(overlap.value), core::Dual(0.0));
                largest = {force.value, force.derivative * overlap.error};
            }
        } else {
            largest = largest_force(force_, step_.nodes.force, outcome.force);
        }
        if (!(largest.value > peak_)) return;
        peak_ = largest.value;
        peak_error_ = largest.error;
    }

    /// The end of compression, if it lies in the step [t_, t_ + h] just taken: V_rel falls by what
    /// the impulse takes from it.
    void note_compression_end(double h, double velocity_before, double impulse,
                              double force_before) {
        if (compression_end_ || approach_velocity_ > 0.0) return;
        const double slope_before = motion_.approach_acceleration(next_, force_before);
        const double slope_after = motion_.approach_acceleration(now_, force_);
        const time::CubicStep velocity{velocity_before, approach_velocity_, h * slope_before,
                                       h * slope_after};
        const double fraction = velocity.root();
        compression_end_ = t_ + h * fraction;
        note_compression(fraction);
        // Of this step's impulse: the share that takes V_rel, and what the load adds, to zero.
        const double added = pair_.load_acceleration * h;
        const double share = impulse == 0.0 ? 0.0
                                            : (velocity_before + fraction * added) /
                                                  (velocity_before + added - approach_velocity_);
        compression_impulse_ = impulse_ + share * impulse;
        compression_work_ = work_ + 0.5 * share * impulse * velocity_before;
    }

    // ---- the end of contact

    /// The rest of a sub-impact: the remaining impulse at once, then free motion to zero overlap.
    /// False if the bodies turn back into each other before.
    bool finish(double rest) {
        if (record_) note(Record::Kind::rest)->length = rest;
        modal::LateForce late{rest};
        for (std::size_t k = 0; k < 3; ++k) {
            const double s = modal::Gauss3::node[k] * rest;
            const double w = modal::Gauss3::weight[k] * rest;
            const double x = x_ + s * (rate_ + 0.5 * s * acceleration_);
            const double v = rate_ + s * acceleration_;
            const double force = contact_.force(x, v);
            late.impulse += w * force;
            late.first += s * w * force;
            late.second += 0.5 * s * s * w * force;
            contact_work_ += w * force * v;
            if constexpr (!Law::is_elastic) contact_loss_ += w * contact_.dissipated_power(x, v);
        }
        leave_contact();
        const modal::Overlap change =
            kernels_.apply_impulse_moments(propagators_, late, shape(), now_);
        x_ += change.x;
        rate_ += change.v;
        const double velocity_before = approach_velocity_;
        approach_velocity_ = motion_.approach_velocity(now_);
        work_ += 0.5 * late.impulse * (velocity_before + approach_velocity_);
        impulse_ += late.impulse;
        if (!compression_end_ && !(approach_velocity_ > 0.0)) {
            compression_end_ = t_;
            note_compression(0.0);
            compression_impulse_ = impulse_;
            compression_work_ = work_;
        }
        force_ = 0.0;
        // Where a law pulls at the end, the spring is stretched: without it the bodies are apart.
        const bool is_apart = has_residual() && !(x_ > contact_.end_overlap());
        const bool has_ended =
            is_apart || move_freely(Side::overlapping, true) == FreeMotionEnd::crossed;
        of_modes_ = {x_, rate_};
        if (has_ended) contact_loss_ += contact_.accept(x_, rate_);
        return has_ended;
    }

    // ---- free motion

    enum class Side { apart, overlapping };
    enum class FreeMotionEnd { crossed, turned, separated, late };

    /// Free motion while the overlap keeps its sign, exactly to the instant at which it vanishes.
    /// No zero is missed: each step is proven free of them (12.6), but for those shorter than the
    /// event level's step. `until_turn`: ends also where overlapping bodies close again.
    FreeMotionEnd move_freely(Side side, bool until_turn = false) {
        const double sign = side == Side::apart ? -1.0 : 1.0;
        edge_ = side == Side::apart ? contact_.begin_overlap() : contact_.end_overlap();
        begin_of_free_ = t_;
        if (record_) note(Record::Kind::free)->edge = edge_;
        forget_bounds();
        // Only steps that resolve all modes show whether a released law has a force again.
        const int longest =
            side == Side::overlapping && contact_.released() ? event_level_ : coarsest_level_;
        int level = std::max(likely_level(event_level_, sign, true), longest);
        int patience = 0, since_reach = 0;
        const double leaving = -rate_;
        double over = core::infinity;  // the instant at which only loads can still bring them back
        const int shortest = resuming_level();
        const FreeMotionEnd outcome = [&] {
            for (;;) {
                check_stop_();
                if (rests(edge_)) return FreeMotionEnd::late;
                if (side == Side::apart &&
                    motion_.parts_for_good(now_, approach_velocity_, reach()))
                    return FreeMotionEnd::separated;
                if (side == Side::apart && pair_.loaded) {
                    over = std::min(over, widest_gap(reach()));
                    if (t_ >= over) return FreeMotionEnd::separated;
                }
                if (t_ >= time_limit_) return FreeMotionEnd::late;
                const modal::Propagator& flow = flow_of(level);
                const modal::Overlap end = free_step(flow);
                const bool crossed = sign * (end.x - edge_) < 0.0;
                const bool resumes = side == Side::overlapping && may_resume(flow.step, end);
                const bool closes =
                    until_turn && !crossed && closes_unfelt(flow.step, end, leaving);
                const bool proven = !crossed && !resumes && !closes && is_proven(level, sign, end);
                const int finest = resumes  ? shortest
                                   : closes ? std::max(shortest, graze_level_)
                                            : graze_level_;
                if (!proven && level < finest) {
                    level = std::min(level + octave * halvings_before_zero(crossed, end), finest);
                    patience = 3;
                    continue;
                }
                if (!proven && !crossed && level < last_level) {
                    if (const double part = dip(flow.step, sign, end); part > 0.0) {
                        level = std::max(level + 1, propagators_.level_within(part * flow.step));
                        continue;
                    }
                }
                if (crossed) {
                    // Near the begin of a long step the root would lose digits.
                    const double fraction = crossing(flow.step, end);
                    const bool is_near = fraction < 0.1 && level < last_level;
                    const bool leaves = sign * rate_ >= 0.0 ||
                                        (side == Side::apart && turns_unseen(flow.step, end));
                    // Bodies that leave throughout so short a step cross by roundoff only.
                    const bool by_roundoff = is_at_edge(end.x) || sign * end.v >= 0.0;
                    if (is_near && !(is_at_edge(x_) && (!leaves || by_roundoff))) {
                        const int nearer =
                            is_at_edge(x_) ? 0
                                           : propagators_.level_within(2.0 * fraction * flow.step);
                        level = std::min(std::max(level + octave, nearer), last_level);
                        continue;
                    }
                    if (!(is_near && leaves)) {
                        if (t_ + fraction * flow.step > over) return FreeMotionEnd::separated;
                        move_to_crossing(flow.step, fraction, end);
                        return FreeMotionEnd::crossed;
                    }
                }
                move(flow, end);
                if (crossed) x_ = edge_;  // by roundoff only
                if ((resumes && !contact_.would_release(x_, rate_)) ||
                    (until_turn && !(rate_ < 0.0)))
                    return FreeMotionEnd::turned;
                if (pair_.damped && ++since_reach == 8) {
                    forget_bounds();
                    since_reach = 0;
                }
                level = std::max(likely_level(level, sign, --patience < 0), longest);
            }
        }();
        if (record_) {
            record_->back().length = t_ - begin_of_free_;
            record_->back().crosses = outcome == FreeMotionEnd::crossed;
        }
        return outcome;
    }

    /// The level of the longest step of a free motion that is likely to be proven; no longer than
    /// that of `level` unless it `may_grow`. Of steps shorter than that of the event level nothing
    /// is proven.
    int likely_level(int level, double sign, bool may_grow) {
        const double gap = sign * (x_ - edge_), v = sign * rate_, a = sign * acceleration_;
        if (may_grow && level > event_level_) return std::max(level - octave, event_level_);
        // (12.6), if the gap went on as a parabola; bounds count twice.
        const double smooth = 16.0 / 3.0 * bounds(event_level_).smooth;
        const auto is_likely = [&](int l) {
            const double h = propagators_.step(l);
            const double end = gap + h * (v + h * (0.5 * a));
            if (!(end > 0.0)) return false;
            const double middle = gap + h * (0.5 * v + h * (a / 12.0));
            const double square = h * h * per_event_step_ * per_event_step_;
            if (middle >= smooth * (square * square)) return true;
            return std::min({gap, middle, end}) > 2.0 * bounds(l).any;
        };
        while (level < event_level_ && !is_likely(level)) level += octave;
        while (may_grow && level - octave >= coarsest_level_ && is_likely(level - octave))
            level -= octave;
        return level;
    }

    /// The bounds of a free motion that begins, or of one that damping has weakened, are those from
    /// the first time on that they are asked for.
    void forget_bounds() {
        reach_.reset();
        has_bounds_.fill(false);
    }
    /// Bound of what the vibrations add to the overlap [m].
    double reach() {
        if (!reach_) reach_ = amplitudes();
        return *reach_;
    }

    /// Roundoff [m] of the overlap, a sum over positions that were reached in many steps.
    double roundoff_of_overlap() {
        constexpr double roundoff = 16.0 * std::numeric_limits<double>::epsilon();
        return roundoff * motion_.magnitude(now_);
    }

    bool is_at_edge(double x) { return std::abs(x - edge_) <= roundoff_of_overlap(); }

    void advance_time(double h) {
        stalled_ = t_ + h > t_ ? 0 : stalled_ + 1;
        t_ += h;
    }

    /// (12.11): nothing but roundoff is left of the motion; `edge`: overlap at which contact ends.
    bool rests(double edge) {
        constexpr double roundoff = 1e-13;
        constexpr int most_stalled = 1000;
        if (stalled_ > most_stalled) return true;
        const double slowest = roundoff * result_->approach_speed;
        if (pair_.loaded || std::abs(approach_velocity_) > slowest) return false;
        const double least = roundoff * motion_.magnitude(now_);
        return std::abs(x_ - edge) <= least && amplitudes() <= least;
    }

    /// The instant at which the loads turn the rigid bodies around, if the gap is then too wide for
    /// the vibrations (6.14); infinity: it is not, or the bodies do not turn.
    double widest_gap(double reach) {
        const double back = motion_.approach_acceleration(now_, 0.0);
        if (!(approach_velocity_ < 0.0 && back > 0.0)) return core::infinity;
        const double rise = 0.5 * approach_velocity_ * approach_velocity_ / back;
        const bool is_wide = motion_.rigid_overlap(now_) - rise + reach < 0.0;
        return is_wide ? t_ - approach_velocity_ / back : core::infinity;
    }

    /// True if the law, once released, would press again at the end of a step or inside it.
    bool may_resume(double h, const modal::Overlap& end) {
        if (!contact_.released()) return false;
        const time::CubicStep overlap{x_, end.x, h * rate_, h * end.v};
        for (const double part : {0.25, 0.5, 0.75}) {
            const double x = overlap(part), v = overlap.slope(part) / h;
            if (contact_.would_release(x, v)) continue;
            // In a short step the overlap hardly changes by more than its roundoff.
            const double uncertain = 3.0 * roundoff_of_overlap() / h;
            if (!contact_.would_release(x, v - uncertain)) return true;
        }
        if (end.x > edge_) return !contact_.would_release(end.x, end.v);
        return presses_at_edge(overlap.slope(crossing(h, end)) / h);
    }

    /// True if the law would pull, and may not, just above an overlap [m] at a rate [m/s].
    bool would_release_above(double edge, double rate) const {
        const double least =
            std::max(edge + contact::onset_overlap, std::nextafter(edge, core::infinity));
        return contact_.would_release(least, rate);
    }
    /// True if the force vanishes before the overlap does. The rest of such a contact (12.4) does
    /// not say when, unless the last steps before a release would be lost in the roundoff of time
    /// or overlap.
    bool releases_before_edge() {
        constexpr double part = 1.0 / (1 << to_release);
        const double edge = contact_.end_overlap();
        return with_rates_always && would_release_above(edge, rate_) &&
               t_ + part * prediction_.ahead > t_ && part * (x_ - edge) > roundoff_of_overlap();
    }
    /// True if a released law presses again at the latest where the overlap is about to vanish at
    /// this rate [m/s]: its spring outweighs the damper at small overlaps, however small these are.
    bool presses_at_edge(double rate) const {
        return contact_.released() && !would_release_above(edge_, rate);
    }

    /// The level of the step in which a force sets in again: as short as that of a release, against
    /// the vibrations and, once released, against the time in which the overlap vanishes.
    int resuming_level() const {
        int level = event_level_;
        if (contact_.released())
            level = std::max(level, propagators_.level_within(std::abs((x_ - edge_) / rate_)));
        return std::min(level + octave * to_release, last_level);
    }

    /// True if bodies that touch close so slowly that they turn back, in a step of length h or
    /// with its deceleration, before their overlap exceeds its roundoff: no step would resolve
    /// that contact. A law that attracts has a force there all the same.
    bool turns_unseen(double h, const modal::Overlap& end) {
        if (!(is_at_edge(x_) && is_at_edge(end.x))) return false;
        const double lost = rate_ - end.v;
        const double turning = lost > 0.0 ? 0.5 * h * rate_ / lost : core::infinity;
        const double deepest = rate_ * std::min(turning, time_limit_ - t_);
        return deepest <= roundoff_of_overlap() &&
               !(contact_.force(std::nextafter(edge_, core::infinity), rate_) < 0.0);
    }

    /// True if overlapping bodies close again in a step of length h, and deep enough for the force
    /// that is left out (12.4) to matter beside the rate [m/s] at which they were leaving.
    bool closes_unfelt(double h, const modal::Overlap& end, double leaving) const {
        if (end.v < 0.0) return false;
        const double force = std::abs(contact_.force(std::max(x_, end.x), 0.0));
        return !(limits_.compliance * force * h <= limits_.epsilon * leaving);
    }

    /// How often a step that holds a zero of the overlap, or may hold one, is halved next: until it
    /// ends before the zero of the secant.
    int halvings_before_zero(bool crossed, const modal::Overlap& end) const {
        const double gap = std::abs(x_ - edge_);
        const double fraction = gap / (gap + std::abs(end.x - edge_));
        if (!crossed || gap == 0.0 || fraction > 0.5) return 1;
        return fraction > 0.25 ? 2 : 3;  // no more: it is no good where contact has just ended
    }

    /// (12.6): no zero of the overlap inside the step. The cubic Hermite polynomial of the gap has
    /// positive Bernstein coefficients, also after the largest error that it can have is taken off.
    bool is_proven(int level, double sign, const modal::Overlap& end) {
        const modal::FreeMotionBounds bound = bounds(level);
        const double third = propagators_.step(level) / 3.0;
        const double x0 = x_ - edge_, x1 = end.x - edge_;
        const double p0 = sign * x0, p1 = sign * (x0 + third * rate_);
        const double p2 = sign * (x1 - third * end.v), p3 = sign * x1;
        if (std::min({p0, p1, p2, p3}) > bound.any) return true;
        return p0 >= 0.0 && p0 + 3.0 * p1 >= 0.0 && 0.5 * (p1 + p2) >= 8.0 / 3.0 * bound.smooth &&
               p3 + 3.0 * p2 >= 0.0 && p3 > 0.0;
    }

    /// Where the gap is least inside a step that is too short to be proven, if its cubic is below
    /// zero there by more than roundoff; else 0.
    double dip(double h, double sign, const modal::Overlap& end) {
        if (!(sign * rate_ < 0.0 && sign * end.v > 0.0)) return 0.0;
        const time::CubicStep gap{sign * (x_ - edge_), sign * (end.x - edge_), sign * h * rate_,
                                  sign * h * end.v};
        double before = 0.0, after = 1.0;
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (before + after);
            (gap.slope(middle) < 0.0 ? before : after) = middle;
        }
        return gap(after) < -roundoff_of_overlap() ? after : 0.0;
    }

    const modal::FreeMotionBounds& bounds(int level) {
        const auto l = static_cast<std::size_t>(level);
        if (!has_bounds_[l]) {
            reach();
            bounds_[l] = kernels_.free_motion_bounds(propagators_, propagators_.step(level),
                                                     memory_.reach.data());
            has_bounds_[l] = true;
        }
        return bounds_[l];
    }

    void move(const modal::Propagator& flow, const modal::Overlap& end) {
        const double h = flow.step;
        ++steps_;
        accept_state();
        if (knows_its_error()) std::swap(off_, next_off_);
        follow_compression(h);
        advance_time(h);
        acceleration_ = (end.v - rate_) / h;
        x_ = end.x;
        rate_ = end.v;
        record();
    }

    /// External damping or loads may end the approach of the rigid bodies in free motion.
    void follow_compression(double h) {
        approach_velocity_ = motion_.approach_velocity(now_);
        if (compression_end_ || approach_velocity_ > 0.0) return;
        compression_end_ = t_ + motion_.approach_end(next_, h);
        note_compression(*compression_end_ - begin_of_free_);
        compression_impulse_ = impulse_;
        compression_work_ = work_;
    }

    /// Fraction of a step at which the overlap crosses the edge, to about 1e-7.
    double crossing(double h, const modal::Overlap& end) const {
        return time::CubicStep{x_ - edge_, end.x - edge_, h * rate_, h * end.v}.root(1e-7);
    }

    /// To the edge inside a step, no longer than that of the event level, that crosses it.
    void move_to_crossing(double h, double fraction, const modal::Overlap& end) {
        double time = h * fraction;
        modal::Overlap there = with_loads(
            kernels_.move_freely_briefly(propagators_, time, 12, shape(), now_, next_), time);
        const double correction = (edge_ - there.x) / there.v;  // Newton, once
        if (std::abs(correction) < 1e-3 * h) {
            time += correction;
            there = with_loads(
                kernels_.move_freely_briefly(propagators_, correction, 3, shape(), next_, next_),
                correction);
        }
        const double acceleration = (end.v - rate_) / h;
        ++steps_;
        accept_state();
        if (knows_its_error())
            kernels_.move_freely_briefly(propagators_, time, 3, shape(), off_, off_);
        follow_compression(time);
        advance_time(time);
        x_ = edge_;
        rate_ = there.v;
        acceleration_ = acceleration;
        record();
    }

    // ---- between and after contacts

    /// Free motion after a sub-impact. False if the run ends.
    bool move_apart() {
        force_ = 0.0;
        if (contact_.released()) {
            const FreeMotionEnd end = move_freely(Side::overlapping);
            if (end == FreeMotionEnd::turned) return true;  // the law pushes again
            if (end != FreeMotionEnd::crossed) return false;
            if (presses_at_edge(rate_)) {
                // For so short an instant that no step resolves it.
                result_->sub_impacts.push_back({t_, t_, 0.0, 0.0});
                separate();
            }
            contact_.accept(x_, rate_);
        }
        const FreeMotionEnd outcome = move_freely(Side::apart);
        if (outcome == FreeMotionEnd::separated) {
            result_->status = Status::separated;
            if (history_) record_aftermath();
        }
        return outcome == FreeMotionEnd::crossed;
    }

    /// For the history only: a little further.
    void record_aftermath() {
        constexpr double aftermath = 1.15;  // of t_f
        const modal::Propagator& flow = flow_of(coarsest_level_);
        while (t_ < aftermath * result_->separation) {
            check_stop_();
            const modal::Overlap end = free_step(flow);
            if (end.x > edge_) return;  // loads bring the bodies together again
            move(flow, end);
        }
    }

    void separate() {
        note(Record::Kind::separated);
        CollisionResult& result = *result_;
        result.separation = t_;
        result.separation_speed = -approach_velocity_;
        result.impulse = impulse_;
        separation_work_ = work_;
        has_separated_ = true;
        copy(now_, separated_);
        if (knows_its_error()) copy(off_, separated_deviation_);
    }

    void copy(const State& from, const State& to) const {
        std::copy_n(from.q, n_, to.q);
        std::copy_n(from.v, n_, to.v);
    }

    /// Where the energy is, from the state at the last separation.
    void take_energies_at_separation() {
        if (!has_separated_) return;
        // What a law with rates takes from the energy is that of the run.
        take_energies(result_->energy,
                      is_smooth && knows_its_error() ? deviated() : motion_.modes(separated_));
        if (knows_its_error()) note_deviation();
    }

    /// The motion as the deviation corrects it, written where the next state would be.
    ModesView deviated() {
        for (std::size_t j = 0; j < pair_.modes(); ++j) {
            next_.q[j] = separated_.q[j] + separated_deviation_.q[j];
            next_.v[j] = separated_.v[j] + separated_deviation_.v[j];
        }
        return {{next_.q, pair_.modes()}, {next_.v, pair_.modes()}};
    }

    void note_deviation() {
        deviation_.cor = -motion_.approach_velocity(separated_deviation_) / result_->approach_speed;
        deviation_.impulse =
            deviation_.cor / (1.0 + result_->separation_speed / result_->approach_speed);
        double sum = 0.0;
        for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) {
            const double energy =
                separated_.v[j] * separated_deviation_.v[j] +
                pair_.eigenvalues[j] * separated_.q[j] * separated_deviation_.q[j];
            sum += energy * energy;
        }
        deviation_.modes = std::sqrt(sum) / initial_energy_;
    }

    void take_energies(EnergyBalance& balance, const ModesView& modes) {
        const double scale = 1.0 / initial_energy_;
        balance.rigid = scale * energy_of(modes, 0, pair_.rigid);
        balance.modes.resize(pair_.modes() - pair_.rigid);
        balance.vibration = 0.0;
        for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) {
            balance.modes[j - pair_.rigid] = scale * pair_.mode_energy(j, modes.q, modes.v);
            balance.vibration += balance.modes[j - pair_.rigid];
        }
        balance.load_work = pair_.loaded ? scale * pair_.load_work(modes.q) : 0.0;
        balance.contact_loss = scale * contact_loss_;
        // What the contact took from the modes and the modes do not have is what damping took.
        const double brought = 1.0 + balance.load_work;
        balance.structural_loss =
            pair_.damped ? brought - scale * contact_work_ - balance.rigid - balance.vibration
                         : 0.0;
        balance.residual = balance.rigid + balance.vibration + balance.structural_loss +
                           balance.contact_loss - brought;
    }

    void conclude() {
        take_energies_at_separation();
        CollisionResult& result = *result_;
        result.steps = steps_;
        result.peak_force = peak_force_;
        result.compression_end = compression_end_;
        result.cor_kinematic = result.separation_speed / result.approach_speed;
        result.cor_kinetic = (result.impulse - compression_impulse_) / compression_impulse_;
        result.cor_energetic =
            std::sqrt(std::max(0.0, (compression_work_ - separation_work_) / compression_work_));
    }

    void record() {
        if (!history_ || !history_->wants(steps_)) return;
        const ModesView modes = motion_.modes(now_);
        EnergyBalance balance;
        take_energies(balance, modes);
        Sample sample{};
        sample.time = t_;
        sample.overlap = x_;
        sample.approach_velocity = approach_velocity_;
        sample.force = force_;
        sample.energy_rigid = balance.rigid;
        sample.energy_vibration = balance.vibration;
        sample.energy_contact =
            (contact_.stored_energy(x_) + 0.5 * residual() * force_ * force_) / initial_energy_;
        sample.energy_structural_loss = balance.structural_loss;
        sample.energy_contact_loss = balance.contact_loss;
        sample.energy_load_work = balance.load_work;
        sample.energy_modes = std::move(balance.modes);
        sample.body_modes.reserve(pair_.first_body_modes.size());
        sample.body_rates.reserve(pair_.first_body_modes.size());
        for (const std::size_t j : pair_.first_body_modes) {
            sample.body_modes.push_back(modes.q[j]);
            sample.body_rates.push_back(modes.v[j]);
            sample.body_displacement += pair_.phi[j] * modes.q[j];
        }
        history_->add(std::move(sample));
    }

    // ---- the record

    /// A piece that begins now; null: nobody wants a record.
    typename Record::Piece* note(typename Record::Kind kind) {
        if (!record_) return nullptr;
        typename Record::Piece& piece = record_->add(kind, now_, approach_velocity_, contact_);
        piece.seen = {x_, rate_};
        piece.force = force_;
        piece.acceleration = acceleration_;
        piece.onset_rate = onset_rate_;
        piece.remembered = remembered_;
        if constexpr (contact::Hysteretic<Law>) {
            if (remembered_ > 0) piece.largest_overlap = contact_.kink_overlap();
        }
        return &piece;
    }

    /// The step that is accepted.
    void note_step(double end_force) {
        typename Record::Piece& piece = *note(Record::Kind::step);
        piece.length = step_.flow->step;
        piece.flow = step_.flow;
        piece.nodes = step_.nodes.force;
        piece.node_x = step_.nodes.x;
        piece.node_v = step_.nodes.v;
        piece.end = step_.end;
        piece.end_force = end_force;
        record_->add_overlaps_along(piece, now_);
    }

    /// What the law remembers may be the overlap at the end of the step.
    void note_memory() {
        if constexpr (contact::Hysteretic<Law>) {
            if (contact_.kink_overlap() > record_->back().contact.kink_overlap())
                remembered_ = record_->size() - 1;
        }
    }

    /// V_rel vanishes in the last piece.
    void note_compression(double where) {
        if (!record_) return;
        record_->back().ends_compression = true;
        record_->back().compression = where;
    }

    CollisionRecord<Law>* record_;  // or null
    const ContactPair& pair_;
    const modal::Propagators& propagators_;
    const modal::ModalKernels& kernels_;
    const contact::Contact<Law>& untouched_;  // as each run finds it
    contact::Contact<Law> contact_;
    std::optional<contact::Contact<Law>> faster_;  // the same after a slightly faster approach
    SplittingMemory& memory_;
    PairMotion& motion_;
    State now_{}, next_{}, off_{}, next_off_{};  // off: the deviation
    State separated_{}, separated_deviation_{};  // at the last separation
    bool has_separated_ = false;
    std::size_t n_;
    bool knows_its_error_;
    bool remembers_approach_ = false;
    double approach_deviation_ = 0.0;  // of the approach speed, relative

    StepResolution step_resolution_;
    int to_turn_ = 0;   // halvings of a step that meets the end of compression
    int to_piece_ = 0;  // halvings of a step from one piece of the force curve to the next
    double time_limit_ = 0.0;
    CollisionResult* result_ = nullptr;
    History* history_ = nullptr;
    double initial_energy_ = 0.0;
    double per_event_step_ = 0.0;  // [1/s]
    int coarsest_level_ = 0;       // of the longest step that is wanted
    int event_level_ = 0, graze_level_ = 0, onset_level_ = 0;
    int contact_level_ = 0;                      // of a step about as long as a contact
    int resolved_level_ = 0, finest_level_ = 0;  // of steps that resolve what matters, and all

    double edge_ = 0.0;  // overlap that ends the present free motion [m]
    double t_ = 0.0, x_ = 0.0, rate_ = 0.0, acceleration_ = 0.0;  // overlap and its derivatives
    StepLimits limits_{};
    StepPrediction prediction_{};
    int stalled_ = 0;              // steps in a row that are shorter than the roundoff of time
    double unseen_overlap_ = 0.0;  // roundoff of the overlap in the present sub-impact [m]
    double slope_ = 0.0;  // largest dP/dx in the last step in contact, or ahead of it [N/m]
    Step step_;
    double release_ = core::infinity;  // when the law is expected to pull [s]; infinity: not known
    bool ended_ = false;               // the present sub-impact
    double force_ = 0.0, approach_velocity_ = 0.0;
    double deviation_force_ = 0.0;          // what the true force is more than that [N]
    double impulse_ = 0.0, work_ = 0.0;     // [N s]; of P on V_rel [J]
    double impulse_at_onset_ = 0.0;         // of the present sub-impact [N s]
    double peak_ = 0.0, peak_error_ = 0.0;  // likewise [N]
    double peak_force_ = 0.0;               // of the sub-impacts before [N]
    modal::Overlap of_modes_;               // in contact: what the law sees and what R yields
    std::size_t contacts_ = 0;              // begun, in all runs
    double contact_work_ = 0.0, contact_loss_ = 0.0;
    RunDifference deviation_;
    double onset_rate_ = 0.0, begin_of_free_ = 0.0;  // for the record: [m/s], [s]
    std::size_t remembered_ = 0;                     // for the record: step of the largest overlap
    std::size_t steps_ = 0;
    core::StopCheck check_stop_;
    std::optional<double> compression_end_;
    double compression_impulse_ = 0.0, compression_work_ = 0.0, separation_work_ = 0.0;
    std::array<modal::FreeMotionBounds, modal::Propagators::levels> bounds_;
    std::array<bool, modal::Propagators::levels> has_bounds_{};
    std::optional<double> reach_;  // of the vibrations in the present free motion [m]
};

}  // namespace stoss::impact
