#pragma once
/// The exact motion of all modes under drives, and what contact forces add to it.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Time, coordinates and rates of all modes.
struct State {
    double time = 0.0;         ///< [s]
    std::vector<double> q, v;  ///< [sqrt(kg) m], [sqrt(kg) m/s]
};

/// cos(W_k t + b_k) and sin of all drives at one time.
class DrivePhases {
  public:
    /// Those at that time; computed once for calls in a row.
    const DrivePhases& at(const System& system, double time);

    double cosine(std::size_t k) const { return cosines_[k]; }
    double sine(std::size_t k) const { return sines_[k]; }

  private:
    std::optional<double> time_;
    std::vector<double> cosines_, sines_;
};

/// Overlap [m] of a contact and its rate [m/s].
struct ContactMotion {
    double x = 0.0, v = 0.0;
};

/// Numbers of all modes for a step of one length: flow and responses at the three Gauss nodes
/// (points 0, 1, 2) and at the end (point 3).
class StepTable {
  public:
    static constexpr std::size_t points = 4;

    StepTable(const System& system, double step);

    double step() const { return step_; }

    /// The state at a point without contact forces. `phases`: those at `from`.
    void move_freely(const System& system, const State& from, const DrivePhases& phases,
                     std::size_t point, State& to) const;
    /// Responses at a point to the force 1 at node k, zero at the others: one number a mode.
    const double* response_q(std::size_t point, std::size_t node) const {
        return column(response + 2 * (3 * point + node));
    }
    const double* response_v(std::size_t point, std::size_t node) const {
        return column(response + 2 * (3 * point + node) + 1);
    }
    /// From the begin of the step to a point [s].
    double time_to(std::size_t point) const;

    /// What unit forces at the nodes along direction d take from overlap and rate along direction c
    /// at node i: sum over modes of phi_c phi_d times the response, and of normals the residual
    /// flexibility R_cd, [m/N] and [m/(N s)]. Made when first asked for.
    struct Compliance {
        std::array<std::array<double, 3>, 3> x{}, v{};
    };
    const Compliance& compliance(const System& system, std::size_t c, std::size_t d) const;

  private:
    // Columns of n numbers: flow qq, qv, vq, vv of each point; responses q and v of each point to
    // each node; responses cos_q, sin_q, cos_v, sin_v of each point to each drive.
    static constexpr std::size_t flow = 0, response = 4 * points,
                                 driven = response + 2 * 3 * points;
    const double* column(std::size_t c) const { return numbers_.data() + c * modes_; }
    double* column(std::size_t c) { return numbers_.data() + c * modes_; }
    void fill_flow_and_responses(const System& system);
    void fill_drives(const System& system);

    double step_;
    std::size_t modes_;
    std::vector<double> numbers_;
    std::size_t directions_;
    mutable std::vector<std::unique_ptr<Compliance>> compliances_;  // directions x directions
};

/// Tables of steps of the lengths longest 2^(-l/2), made when first asked for.
class StepTables {
  public:
    static constexpr int levels = 160;

    StepTables(const System& system, double longest) : system_(system), longest_(longest) {}

    double longest() const { return longest_; }
    double step(int level) const;
    /// The level of the longest step within `time` > 0 [s]; the last one, if none is.
    int level_within(double time) const;
    const StepTable& at(int level);

  private:
    const System& system_;
    double longest_;
    std::array<std::unique_ptr<StepTable>, levels> tables_;
};

/// The state after the free motion over any time [s], exactly. `phases`: those at `from`.
void move_freely(const System& system, const State& from, const DrivePhases& phases, double time,
                 State& to);

/// Overlap and rate of contact c.
ContactMotion contact_motion(const System& system, std::size_t c, const State& state);

/// y [m] along a tangent (`phi`: its mode values) and its rate: the displacement of the second body
/// along it less that of the first one. 0 if `phi` is empty.
ContactMotion tangent_motion(const std::vector<double>& phi, const State& state);

/// Velocity [m/s] that the drives give the surface of contact c towards the first body.
double surface_velocity(const System& system, std::size_t c, double time);

}  // namespace stoss::motion
