#pragma once
/// A run of many spheres: the loop over its steps, its samples, pictures and checkpoints.

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <models/granular.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/problems/granular/sphere_output.hpp>
#include <stoss/granular/assembly.hpp>
#include <stoss/granular/spheres.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

/// Number of steps of that length [s] in a duration [s]; at least one.
std::size_t steps_in(double duration, double step);

/// What is summed and compared over the steps.
struct StepRecord {
    double energy_first = 0.0;     ///< at the start [J]
    double energy = 0.0;           ///< now [J]
    double error_reduction = 0.0;  ///< its work [J]
    double largest_gain = 0.0;     ///< of energy in a step, beyond all work on the spheres [J]
    double deepest = 0.0;          ///< overlap, of the steps that count [m]
    double fastest = 0.0;          ///< sphere [m/s]
    double deepest_share = 0.0;    ///< the largest overlap over the smaller radius
    double sweeps = 0.0;           ///< in all
    double steps = 0.0;            ///< in all
    double unconverged = 0.0;      ///< steps whose residual exceeds the tolerance
    double residual = 0.0;         ///< the largest of all steps [m/s]
    double largest_kinetic = 0.0;  ///< energy of all spheres at a time, the start included [J]
    double farthest_turn = 0.0;    ///< of a clump in a step [rad]
    double since_deepest = 0.0, since_residual = 0.0, since_fastest = 0.0, since_sweeps = 0.0,
           since_steps = 0.0;  ///< the same since the last sample

    /// Adds a step: the energy before and after it [J], the largest speed of a sphere [m/s] and the
    /// tolerance of the sweeps [m/s].
    void add(const granular::StepReport& report, double before, double after, double speed,
             double tolerance);
    void add_overlap(const granular::StepReport& report);  ///< to `deepest` and its share
    double sweeps_per_step() const { return since_sweeps / since_steps; }  ///< since the sample
    double unconverged_share() const { return steps > 0.0 ? unconverged / steps : 0.0; }
    void begin_sample();
};

/// The run of a problem. Derived classes own the spheres and say what a step and a sample are.
class SphereRun {
  public:
    SphereRun(const SphereRun&) = delete;
    SphereRun& operator=(const SphereRun&) = delete;
    virtual ~SphereRun() = default;

    /// Runs from the start, or from what the checkpoint holds, to the end or until it is stopped.
    Outcome solve(const CaseHeader& header, const CaseExpectations& expectations);

  protected:
    /// `columns`: of history.csv; `frames`: pictures over the run, besides that of the start; 0:
    /// none at all.
    SphereRun(std::span<const char* const> columns, std::size_t steps, int frames,
              const RunOptions& options);

    virtual std::size_t steps_done() const = 0;
    virtual double time() const = 0;  ///< [s]
    virtual std::size_t size() const = 0;
    virtual const granular::Spheres& spheres() = 0;
    /// One step; adds it to the record.
    virtual granular::StepReport step() = 0;
    /// True if history.csv has a row of the step that was done.
    virtual bool is_sample_due() const = 0;
    /// A row of history.csv. Called once a sample.
    virtual std::vector<double> sample() = 0;
    /// All that the further run depends on beside the record and the history, and back.
    virtual std::vector<double> state() = 0;
    virtual void restore(std::span<const double> state) = 0;
    virtual void add_results(Outcome& outcome) = 0;
    /// Words for why the run ended before its time.
    virtual std::string failure() const;

    /// True at the steps of `count` moments evenly spread over the run, its end among them.
    bool is_moment(std::size_t count) const;
    std::size_t steps() const { return steps_; }
    const std::vector<std::vector<double>>& rows() const { return rows_; }  ///< of history.csv
    io::Table history() const;
    const granular::StepReport& report() const { return report_; }  ///< of the last step
    StepRecord& record() { return record_; }
    const StepRecord& record() const { return record_; }
    const SphereFrames& frames() const { return frames_; }

  private:
    using Clock = std::chrono::steady_clock;

    bool run();
    void take_frame();
    void save();
    bool resume();
    std::string words() const;

    std::span<const char* const> columns_;
    std::size_t steps_, frames_wanted_;
    const RunOptions& options_;
    granular::StepReport report_;
    StepRecord record_;
    std::vector<std::vector<double>> rows_;
    SphereFrames frames_;
    Clock::time_point next_save_;
};

/// Adds the overlaps at the end of the last step of rigid spheres: a step reports those at its
/// beginning.
void include_end(granular::StepReport& last, const granular::Spheres& spheres,
                 std::span<const granular::Wall> walls);

/// A number and its unit with three digits, for messages.
std::string in_short(double value, std::string_view unit);

/// Warns of rigid spheres that overlap too far. `share`: of the smaller radius.
void warn_of_rigid_overlap(Outcome& outcome, double share);

/// Warns of contacts that the sweeps left unsolved so far that energies are untrue. `lost` [J]: by
/// the contacts.
void warn_of_unsolved_contacts(Outcome& outcome, const StepRecord& record, double lost,
                               const models::SphereStepping& stepping);

/// Warns if the fastest sphere [m/s] moved so far in a step [s] that contacts may have been missed.
/// `margin` [m]: of the pairs that are looked at.
void warn_of_missed_contacts(Outcome& outcome, double fastest, double step, double margin);

}  // namespace stoss::solvers
