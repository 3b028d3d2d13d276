#pragma once
/// A collision by the splitting scheme to a wanted tolerance: runs until their error is small
/// enough (theory/splitting_scheme.md 12.9, 12.10).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/splitting_collision.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// What is known of the error of a run.
struct ErrorEstimate {
    double cor = 0.0, impulse = 0.0;

    double largest() const { return std::max(cor, impulse); }
};

/// What is kept of a run until a finer one has been made: each corrected by its deviation, which is
/// zero for a run that does not know it. The energies of a run are corrected already.
class CoarserRun {
  public:
    /// `modes`: memory for the energies of the vibrations.
    CoarserRun(const CollisionResult& run, const RunDifference& deviation,
               std::vector<double>& modes);

    /// Of `fine` from the run that is kept.
    RunDifference difference(const CollisionResult& fine, const RunDifference& deviation) const;

  private:
    double cor_, impulse_;
    const std::vector<double>& modes_;
};

/// Error of a run that differs from the truth by `deviation`, as far as that is known (12.9).
ErrorEstimate error_of_deviation(const CollisionResult& run, double effective_mass,
                                 const RunDifference& deviation);

/// Error of the finer of two runs from how they differ (12.10); `ratio` > 1 is the kappa of the
/// coarser one divided by that of the finer one. For laws that jump or remember: trusted with order
/// 2 only.
ErrorEstimate error_of_refinement(const CollisionResult& fine, double effective_mass,
                                  const RunDifference& difference, double ratio);

/// A collision to a tolerance: finer and finer runs, until one is good enough (12.9) or,
/// for laws that need it, two of them agree (12.10).
template <contact::ContactLaw Law>
class CollisionBySplitting {
  public:
    CollisionBySplitting(const ContactPair& pair, const modal::Propagators& propagators,
                         const contact::Contact<Law>& contact, double tolerance, double time_limit,
                         SplittingMemory& memory, CollisionResult& result,
                         CollisionRecord<Law>* record = nullptr)
        : pair_(pair),
          propagators_(propagators),
          contact_(contact),
          memory_(prepared(memory, pair, propagators)),
          result_(result),
          run_(pair, propagators, contact_, memory, record),
          tolerance_(tolerance),
          time_limit_(time_limit) {}

    /// Starts the first run. False: the bodies do not approach each other.
    bool begin() {
        clear();
        result_.approach_speed = pair_.approach_velocity(pair_.initial_rates);
        if (!(result_.approach_speed > 0.0 && pair_.overlap(pair_.initial_rates) > 0.0)) {
            result_.status = Status::no_approach;
            return false;
        }
        const ToleranceFactors& may = run_.tolerance_factors();
        step_resolution_.kappa =
            std::min(may.largest_kappa, may.kappa * core::pow(tolerance_, 1.0 / error_order));
        step_resolution_.negligible = may.negligible * tolerance_;
        run_.start(run_.knows_its_error() ? step_resolution_ : step_resolution_.coarser(ratio_),
                   time_limit_, result_, nullptr);
        return true;
    }

    /// The run that has been started.
    SplittingCollision<Law>& run() { return run_; }

    /// Evaluates the run that has ended. True: another run is needed and has been started.
    bool judge() {
        steps_ += result_.steps;
        ++runs_;
        if (!run_.knows_its_error() && !coarser_) return run_again();
        const bool ends = result_.status != Status::separated || is_good_enough();
        if (ends) {
            result_.steps = steps_;
            return false;
        }
        return run_again();
    }

    /// The same motion once more, in steps fine enough to be looked at.
    void write_history(History& history) {
        const bool parted = result_.status == Status::separated;
        if (!parted && result_.status != Status::not_separated) return;
        constexpr double samples = 2000.0;
        CollisionResult again;
        StepResolution step_resolution = step_resolution_;
        step_resolution.longest = (parted ? result_.separation : time_limit_) / samples;
        SplittingCollision<Law>(pair_, propagators_, contact_, memory_)
            .run(step_resolution, time_limit_, again, &history);
    }

  private:
    static constexpr double finest = 1.0 / 16.0;  // kappa at which roundoff takes over
    static constexpr std::size_t many = 100;      // sub-impacts: more may amplify roundoff

    static SplittingMemory& prepared(SplittingMemory& memory, const ContactPair& pair,
                                     const modal::Propagators& propagators) {
        memory.prepare(pair, propagators);
        return memory;
    }

    /// Forgets an earlier result, but keeps its memory.
    void clear() {
        std::vector<SubImpact> sub_impacts = std::move(result_.sub_impacts);
        std::vector<double> modes = std::move(result_.energy.modes);
        sub_impacts.clear();
        modes.clear();
        result_ = {};
        result_.sub_impacts = std::move(sub_impacts);
        result_.energy.modes = std::move(modes);
    }

    /// True if the last run is to be compared with a coarser one: it does not know its error, or
    /// this may be roundoff. A deviation predicts what a second run needs; after many sub-impacts,
    /// and where that has failed, it says little.
    bool needs_coarser_run() const {
        return !run_.knows_its_error() || result_.sub_impacts.size() > many || runs_ > 2;
    }

    /// Starts a run with the present resolution of the steps.
    bool run_again() {
        coarser_.emplace(result_, run_.knows_its_error() ? run_.deviation() : RunDifference{},
                         memory_.coarse_modes);
        run_.start(step_resolution_, time_limit_, result_, nullptr);
        return true;
    }

    /// Estimates the error of the last run. If it is not good enough, the next one is to be finer.
    bool is_good_enough() {
        const ToleranceFactors& may = run_.tolerance_factors();
        const ErrorEstimate error = estimated_error();
        result_.cor_error = error.cor;
        result_.impulse_error = error.impulse;
        *result_.peak_force_error += error.impulse;
        const double bound = std::max(may.safety * error.largest(),
                                      may.residual * std::abs(result_.energy.residual));
        result_.converged = bound <= tolerance_ && (coarser_ || !needs_coarser_run());
        if (result_.converged) return true;
        if (step_resolution_.kappa <= finest && !is_neighbour_) return true;
        refine(bound);
        return false;
    }

    /// Makes the next run finer than the last one, whose error is at most `bound`. Before a run
    /// that may end at the finest comes its neighbour: compared with a far coarser one, its error
    /// would be that of the latter.
    void refine(double bound) {
        constexpr double near = std::numbers::sqrt2, most = 4.0;
        const ToleranceFactors& may = run_.tolerance_factors();
        ratio_ = bound < core::infinity
                     ? std::clamp(core::pow(bound / (may.aim * tolerance_), 1.0 / error_order),
                                  may.refinement, most)
                     : most;
        if (is_neighbour_) ratio_ = near;
        is_neighbour_ = ratio_ > near * near && step_resolution_.kappa / ratio_ <= finest;
        if (is_neighbour_) ratio_ /= near;
        step_resolution_ = step_resolution_.coarser(1.0 / ratio_);
    }

    /// Of a run that knows its error: what it knows, or what the coarser run, corrected by what
    /// that knew, differs by.
    ErrorEstimate estimated_error() const {
        const double mass = pair_.effective_mass;
        if (!run_.knows_its_error()) {
            return error_of_refinement(result_, mass, coarser_->difference(result_, {}), ratio_);
        }
        const ErrorEstimate known = error_of_deviation(result_, mass, run_.deviation());
        if (!needs_coarser_run() || !coarser_) return known;
        const ErrorEstimate seen =
            error_of_deviation(result_, mass, coarser_->difference(result_, run_.deviation()));
        return {std::max(known.cor, seen.cor), std::max(known.impulse, seen.impulse)};
    }

    const ContactPair& pair_;
    const modal::Propagators& propagators_;
    const contact::Contact<Law> contact_;
    SplittingMemory& memory_;
    CollisionResult& result_;
    SplittingCollision<Law> run_;
    double tolerance_, time_limit_;
    StepResolution step_resolution_;
    double ratio_ = with_compared_runs.refinement;  // kappa of the run before / of the present one
    std::optional<CoarserRun> coarser_;
    std::size_t steps_ = 0;
    int runs_ = 0;
    bool is_neighbour_ = false;  // of a run that may be the last: the present one
};

}  // namespace stoss::impact
