#pragma once
/// A long motion that a run keeps in its checkpoint now and then.

#include <chrono>
#include <functional>
#include <vector>

#include <solvers/case/problem.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss::solvers {

/// Follows a motion and keeps its state, with what was recorded of it.
class KeptMotion {
  public:
    /// `record()`: all numbers beside the state of the motion that the run needs to go on. Keeps
    /// references to the motion and the options.
    KeptMotion(motion::ImpactMotion& moving, const RunOptions& options,
               std::function<std::vector<double>()> record);

    /// What an earlier run has kept: takes up the state of the motion, and returns the record;
    /// empty if there is nothing.
    std::vector<double> take_up();

    /// Goes on to `time` [s] or until `ended` answers false. Keeps the state where that is due.
    /// False: the run is to stop, and the state is kept.
    bool advance(double time, const std::function<bool(const motion::Impact&)>& ended);

  private:
    using Clock = std::chrono::steady_clock;

    bool is_due() const;
    void keep();

    motion::ImpactMotion& moving_;
    const RunOptions& options_;
    std::function<std::vector<double>()> record_;
    Clock::time_point next_;
};

}  // namespace stoss::solvers
