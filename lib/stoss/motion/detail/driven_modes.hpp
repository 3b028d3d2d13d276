#pragma once
/// The exact motion of all modes under drives, and what contact forces add to it.

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <stoss/core/aligned.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/directions.hpp>
#include <stoss/motion/detail/node_motion.hpp>
#include <stoss/motion/system.hpp>

namespace stoss::motion {

/// Time, coordinates and rates of all modes.
struct State {
    double time = 0.0;         ///< [s]
    core::AlignedVector q, v;  ///< [sqrt(kg) m], [sqrt(kg) m/s]; with zeros up to padded_modes

    State() = default;
    /// At time 0.
    explicit State(const System& system);
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

/// The modes of a system in the memory of the kernels (modal/modal_kernels.hpp).
struct ModeTables {
    /// Keeps a reference to `system`. `longest`: step of the first level [s].
    ModeTables(const System& system, double longest);

    const System& system;
    Directions directions;
    modal::Propagators propagators;
    bool has_driven_modes = false;  ///< a drive has forces on modes
};

/// Forces at the Gauss nodes of a step along one direction.
struct NodeForce {
    std::size_t direction = 0;
    std::array<double, 3> force{};  ///< [N]
};

/// Numbers of all modes for a step of one length: flow and responses at the three Gauss nodes
/// (points 0, 1, 2) and at the end (point 3).
class StepTable {
  public:
    static constexpr std::size_t points = 4;

    /// Keeps a reference to `modes`. Of no step yet.
    explicit StepTable(const ModeTables& modes);
    /// Becomes that of a step of any length [s].
    void set(double step);
    /// The same for `move_freely` alone, with few of the numbers.
    void set_free(double step);
    /// False: it is for `move_freely` alone.
    bool is_whole() const { return is_whole_; }

    double step() const { return level_.step; }
    /// From the begin of the step to a point [s].
    double time_to(std::size_t point) const;

    /// Sum of -phi_j q_j and of -phi_j q_j' along direction d at the nodes, without contact forces.
    /// `phases`: those at `from`.
    void free_nodes(std::size_t d, const State& from, const DrivePhases& phases,
                    NodeMotion& nodes) const;
    /// What the driven surfaces add to the overlap of a contact at a point, and to its rate.
    ContactMotion surface(std::size_t contact, const DrivePhases& phases, std::size_t point) const;

    /// cos(W_k t + b_k) at a point.
    double cosine(std::size_t k, const DrivePhases& phases, std::size_t point) const {
        const Turn& turn = turns_[points * k + point];
        return phases.cosine(k) * turn.cosine - phases.sine(k) * turn.sine;
    }

    /// The state at the end without contact forces; with one of them.
    void move_freely(const State& from, const DrivePhases& phases, State& to) const;
    void move(const State& from, const DrivePhases& phases, const NodeForce& force,
              State& to) const;
    /// Adds what a force does to the state at the end.
    void add_force(const NodeForce& force, State& to) const;

    /// The rates of all modes at a node, as to.v; without contact forces.
    void free_rates(const State& from, const DrivePhases& phases, std::size_t node,
                    State& to) const;
    /// Adds what a force does to them.
    void add_force_to_rates(const NodeForce& force, std::size_t node, State& to) const;

    /// What unit forces at the nodes along one direction take from overlap and rate along another
    /// one at node i: sum over modes of phi_c phi_d times the response, and of normals the residual
    /// flexibility R_cd, [m/N] and [m/(N s)]. Made when first asked for.
    struct Compliance {
        NodeMatrix x{}, v{};
    };
    /// Null: a force along one of them does nothing along the other.
    const Compliance* compliance(std::size_t c, std::size_t d) const;

  private:
    /// Responses to a drive at the points: to the cosine and the sine, of coordinate and rate.
    struct DriveResponse {
        double cos_q = 0.0, sin_q = 0.0, cos_v = 0.0, sin_v = 0.0;
    };

    void forget();
    std::size_t first_point() const { return is_whole_ ? 0 : points - 1; }
    void fill_drives();
    void make(Compliance& compliance, std::size_t c, std::size_t d) const;
    void add_drives(const DrivePhases& phases, std::size_t point, bool of_coordinates,
                    State& to) const;
    const DriveResponse& drive_response(std::size_t d, std::size_t k, std::size_t point) const;
    // Columns of the drives: cos_q, sin_q, cos_v, sin_v of each point, for each drive.
    const double* drive_column(std::size_t k, std::size_t point, std::size_t column) const {
        return driven_.data() + (4 * (points * k + point) + column) * modes_.directions.padded();
    }

    const ModeTables& modes_;
    bool is_whole_ = true;
    modal::Propagator level_;
    core::AlignedVector numbers_;
    core::AlignedVector driven_;
    struct Turn {
        double cosine = 1.0, sine = 0.0;
    };
    std::vector<Turn> turns_;  // of drive k from the begin to point p: [points k + p]
    mutable std::vector<Compliance> compliances_;
    mutable std::vector<char> has_compliance_;
    mutable std::vector<DriveResponse> drive_responses_;  // [(points k + p) directions + d]
    mutable std::vector<char> has_drive_response_;        // of direction d
};

/// Tables of steps of the lengths longest 2^(-l/2), made when first asked for.
class StepTables {
  public:
    static constexpr int levels = modal::Propagators::levels;

    explicit StepTables(const ModeTables& modes) : modes_(modes) {}

    double longest() const { return modes_.propagators.longest(); }
    double step(int level) const { return modes_.propagators.step(level); }
    /// The level of the longest step within `time` > 0 [s]; the last one, if none is.
    int level_within(double time) const;
    const StepTable& at(int level);
    /// The same for `StepTable::move_freely` alone.
    const StepTable& free_at(int level);

  private:
    std::unique_ptr<StepTable>& slot(int level) { return tables_[static_cast<std::size_t>(level)]; }

    const ModeTables& modes_;
    std::array<std::unique_ptr<StepTable>, levels> tables_;
};

/// The state after the free motion over any time [s], exactly. `phases`: those at `from`.
void move_freely(const ModeTables& modes, const State& from, const DrivePhases& phases, double time,
                 State& to);

/// The same over a time so short that (sqrt(lambda) + d + W) time <= 0.3 for all modes and drives,
/// by Taylor's series.
void move_briefly(const ModeTables& modes, const State& from, const DrivePhases& phases,
                  double time, State& to);

/// What steps of length h [s] do not resolve of vibrations that reach so far [m]
/// (theory/splitting_scheme.md 12.5).
double unresolved(const ModeTables& modes, double h, const core::AlignedVector& reach);

/// Overlap and rate of contact c.
ContactMotion contact_motion(const ModeTables& modes, std::size_t c, const State& state);

/// y [m] along a tangent and its rate: the displacement of the second body along it less that of
/// the first one. 0 if the direction has no modes.
ContactMotion tangent_motion(const ModeTables& modes, std::size_t d, const State& state);

/// Velocity [m/s] that the drives give the surface of contact c towards the first body.
double surface_velocity(const System& system, std::size_t c, double time);

}  // namespace stoss::motion
