#pragma once
/// Loops over all modes of a collision, for the widest vector registers of the machine.
///
/// Every sum is taken in eight lanes and in one order, and nothing is contracted: the results are
/// the same bits on every machine. Arrays have `Propagators::padded()` entries and start on a cache
/// line. phi carries its sign: the overlap is x = -sum_j phi_j q_j. See
/// docs/theory/splitting_scheme.md.

#include <array>
#include <cstddef>
#include <vector>

#include <stoss/core/lanes.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal {

/// Coordinates q [sqrt(kg) m] and rates q' [sqrt(kg) m/s] of all modes.
struct ModalState {
    double* q;
    double* v;
};

/// The same, only to be read.
struct ConstModalState {
    const double* q;
    const double* v;
};

/// Overlap [m] and its rate [m/s].
struct Overlap {
    double x = 0.0;
    double v = 0.0;
};

/// Which rates of the overlap are wanted in a step.
enum class Rates {
    none,
    at_nodes,   ///< of the motion
    everywhere  ///< also between the nodes and at the end, and those of a deviation
};

/// Overlap and its rate at the Gauss nodes of a step.
struct NodeOverlaps {
    std::array<double, 3> x{};
    std::array<double, 3> v{};
    /// If a deviation is carried along: overlap where the law is seen, between the nodes and at the
    /// end; overlap of the deviation at the nodes. And their rates.
    std::array<double, 3> seen{}, deviation{};
    std::array<double, 3> seen_v{}, deviation_v{};
};

/// What the force at node k takes from the overlap and its rate at node i: [i][k].
struct Compliances {
    std::array<std::array<double, 3>, 3> x{};  ///< [m/N]
    std::array<std::array<double, 3>, 3> v{};  ///< [m/(N s)]
    /// Sums over modes, not over blocks [m/N]: what the force at node k takes from the overlap
    /// between the nodes and at the end, [0, 1, 2][k]; what the force `node_polynomial` z^w takes
    /// at node i, [i][w], and between the nodes and at the end.
    std::array<std::array<double, 3>, 3> seen{};
    std::array<std::array<double, 4>, 3> defect{}, seen_defect{};
    /// The same taken from the rate [m/(N s)].
    std::array<std::array<double, 3>, 3> seen_v{};
    std::array<std::array<double, 4>, 3> defect_v{}, seen_defect_v{};
};

/// Moments about the present instant of a force that is to act later [N s], [N s^2], [N s^3].
struct LateForce {
    double rest = 0.0;  ///< the time [s] in which it acts
    double impulse = 0.0, first = 0.0, second = 0.0;
};

/// How far the overlap can get from its cubic Hermite polynomial over a step of free motion (12.6).
struct FreeMotionBounds {
    double smooth = 0.0;  ///< b [m]: at u of the step by 16 u^2 (1-u)^2 b at most
    double any = 0.0;     ///< [m]: anywhere
};

/// How a force at the contact point moves the modes, and how they move the point. Of modes phi says
/// both. Blocks of coupled modes (coupled_modes.hpp) have what a unit impulse adds to q and q',
/// in_q and in_v, and the overlap -sum out_q q + out_v q'. All carry the sign of phi.
struct ContactShape {
    const double *in_v, *out_q;
    const double* reach;  ///< of the overlap for an amplitude of one
    const double *in_q = nullptr, *out_v = nullptr;

    ContactShape(const double* phi) : in_v(phi), out_q(phi), reach(phi) {}
};

/// A deviation of the motion, to first order, over a step.
struct DeviationStep {
    ModalState from, to;
    const std::array<double, 3>& force;   ///< deviation of the node forces [N]
    const std::array<double, 4>& defect;  ///< coefficients of the force node_polynomial z^w [N]
};

/// A deviation of the motion in free motion.
struct DeviationStates {
    ModalState from, to;
};

/// One of several motions side by side, each with a deviation that is carried along. Of modes, not
/// of blocks.
struct MotionLane {
    const Propagator* level = nullptr;  ///< null: nothing moves in this lane
    std::size_t n = 0;
    const double* phi = nullptr;
    Rates rates = Rates::none;
    ModalState from{}, to{}, deviation_from{}, deviation_to{};
};

/// A step of each.
struct MotionLanes {
    std::array<MotionLane, core::lanes> motion;
    core::Rows<3> free_x, free_v, free_seen, free_deviation;  ///< NodeOverlaps
    core::Rows<3> free_seen_v, free_deviation_v;
    core::Rows<3> force, deviation_force;  ///< at the nodes [N]
    core::Rows<4> defect;                  ///< as in DeviationStep [N]
    core::Row end_x, end_v;                ///< Overlap at the end
};

/// Of `move_freely_briefly`: exact to roundoff, relative to the amplitude; no larger one is
/// allowed.
inline constexpr int roundoff_order = 12;

struct ModalKernels {
    /// Overlap at the nodes if no force acts; rates if they are asked for. `deviation`: one that is
    /// carried along, or null. Of modes, not of blocks.
    void (*free_overlaps)(const Propagator& level, std::size_t n, const ContactShape& shape,
                          ModalState from, Rates rates, const ModalState* deviation,
                          NodeOverlaps& nodes);
    /// What is taken from rates only as far as these are asked for.
    Compliances (*compliances)(const Propagator& level, std::size_t n, const ContactShape& shape,
                               Rates rates);
    /// State at the end of the step under the node forces [N]; that of a deviation which is carried
    /// along, or null.
    Overlap (*apply_forces)(const Propagator& level, std::size_t n, const ContactShape& shape,
                            ModalState from, const std::array<double, 3>& force, ModalState to,
                            const DeviationStep* deviation);
    /// `apply_forces` without force.
    Overlap (*move_freely)(const Propagator& level, std::size_t n, const ContactShape& shape,
                           ModalState from, ModalState to, const DeviationStates* deviation);
    /// Free motion over a time [s] so short that (sqrt(lambda) + d) |time| <= 0.3 for every mode:
    /// Taylor series of `order` + 1, at most `roundoff_order` + 1.
    Overlap (*move_freely_briefly)(const Propagators& propagators, double time, int order,
                                   const ContactShape& shape, ModalState from, ModalState to);
    /// Moves the state to where free motion leads as the late force would. Modes that hardly move
    /// on while it acts, (lambda + d^2) rest^2 < 1, are pushed as late as it acts; faster ones now.
    /// Returns the change of overlap and rate.
    Overlap (*apply_impulse_moments)(const Propagators& propagators, const LateForce& force,
                                     const ContactShape& shape, ModalState state);
    /// A_j reach_j: amplitude of a vibration, rate of a rigid mode. Returns the sum over the
    /// vibrations [m].
    double (*amplitudes)(const Propagators& propagators, const ContactShape& shape,
                         ModalState state, double* to);
    /// Bounds of free motion for a step of any length [s].
    FreeMotionBounds (*free_motion_bounds)(const Propagators& propagators, double step,
                                           const double* amplitudes);
    /// What steps [s] do not resolve of vibrations of these amplitudes [m] (12.5).
    double (*unresolved)(const Propagators& propagators, double step, const double* amplitudes);
    /// `free_overlaps` and `apply_forces` of each motion. Null for blocks.
    void (*free_overlaps_of_lanes)(MotionLanes& lanes);
    void (*apply_forces_to_lanes)(MotionLanes& lanes);
};

enum class Motions { modes, blocks };

/// The kernels for this machine.
const ModalKernels& modal_kernels(Motions motions = Motions::modes);

/// The kernels for each instruction set of this machine. All give the same bits, which a test
/// checks. Not safe while another thread calls either function.
std::vector<const ModalKernels*> all_modal_kernels(Motions motions = Motions::modes);

}  // namespace stoss::modal
