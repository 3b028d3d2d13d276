#pragma once
/// What a run records of one motion under way: rows of tables, and pictures of all bodies.

#include <array>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include <models/impact_motion.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/problems/motion/impact_motion.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace stoss::solvers {

/// How the names of quantities along the first and the second tangent begin.
inline constexpr std::array<const char*, 2> tangential_names{"tangential_", "lateral_"},
    slip_names{"slip_", "lateral_slip_"};

/// Tangents along which friction acts: 2 in space, 1 in a plane.
std::size_t tangents_of(const models::MotionModel& model);

/// All bodies at some moments of a motion, for ParaView.
class MotionFrames {
  public:
    /// `frames` of `samples`, evenly spaced; the first and the last sample are among them.
    explicit MotionFrames(const MotionOutput& output);

    /// Keeps the coordinates of sample k, if it is one of the frames.
    void take(std::size_t k, const motion::ImpactMotion& moving);

    /// All that was kept, as numbers and back.
    void put(std::vector<double>& numbers) const;
    void take_up(std::span<const double>& numbers);

    /// Appends vtk/motion.pvd and a file a frame.
    void add_to(Outcome& outcome, const models::MotionModel& model,
                const models::MotionSystem& made) const;

  private:
    std::size_t samples_, frames_;
    std::vector<double> kept_;  // rows of time [s] and coordinates
};

/// The rows of history.csv and impacts.csv of a motion under way.
class MotionRecorder {
  public:
    /// Keeps the last `most` impacts, and references to the model and its system.
    MotionRecorder(const models::MotionModel& model, const models::MotionSystem& made,
                   std::size_t most);

    /// A row of history.csv.
    void take(const motion::ImpactMotion& moving);
    /// A row of impacts.csv. `moving`: at the end of the impact.
    void take(const motion::Impact& impact, const motion::ImpactMotion& moving);

    std::size_t impacts() const { return count_; }  ///< that were taken
    /// The largest angle [rad] of each body of the model in the rows so far and at their impacts; 0
    /// of one that is no rigid bar.
    const std::vector<double>& largest_angles() const { return largest_angles_; }

    /// All that was recorded, as numbers and back.
    void put(std::vector<double>& numbers);
    void take_up(std::span<const double>& numbers);

    /// Moves the rows out.
    io::Table history();
    io::Table impact_table() const;

  private:
    std::size_t size() const { return model_.contacts.size(); }
    std::vector<std::vector<double>*> columns();
    std::string name_of(std::size_t place) const;

    const models::MotionModel& model_;
    const models::MotionSystem& made_;
    std::size_t most_, count_ = 0;
    std::vector<double> times_, modes_, contacts_, lost_, work_;
    std::vector<std::vector<double>> gaps_, rates_, forces_;
    std::size_t tangents_;                                              // of contacts with friction
    std::array<std::vector<std::vector<double>>, 2> friction_, slips_;  // along each of them
    std::deque<motion::Impact> impacts_;
    std::vector<double> largest_angles_;  // [rad]
};

}  // namespace stoss::solvers
