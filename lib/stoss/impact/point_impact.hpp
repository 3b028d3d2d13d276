#pragma once
/// A point mass hits a wall under a one-step scheme with a fixed step, and what the scheme did to
/// it: docs/theory/point_impact.md (Papetti, Avanzini and Rocchesso 2011).

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/hunt_crossley_impact.hpp>
#include <stoss/time/one_step.hpp>

namespace stoss::impact {

/// The schemes for one freedom.
using OneStepScheme = std::variant<time::Trapezoid, time::Verlet, time::Heun, time::RungeKutta4,
                                   time::SemiImplicitEuler, time::NewmarkBeta, time::Splitting2,
                                   time::Splitting4, time::DiscreteGradient>;

/// What the velocity is set to when the overlap is gone.
enum class OutputVelocity {
    computed,  ///< left as the scheme has it
    fitted,    ///< (10.4)
    exact      ///< by Lambert's W
};

constexpr auto enum_names(OutputVelocity) {
    return std::array{
        core::EnumName{OutputVelocity::computed, "computed", "as the scheme computes it"},
        core::EnumName{
            OutputVelocity::fitted, "fitted",
            "by the fit of Papetti et al. 2011 (7), where its error is within error_bound"},
        core::EnumName{OutputVelocity::exact, "exact", "by the closed form with Lambert's W"}};
}

/// Corrections of Papetti et al. 2011 that hold any scheme to the closed forms of the impact. They
/// exist for Hunt and Crossley's law and Hertz's without external force.
struct Correction {
    bool phase_curve = false;
    OutputVelocity output_velocity = OutputVelocity::computed;
    double error_bound = core::infinity;

    /// True if there is a correction.
    bool is_any() const { return phase_curve || output_velocity != OutputVelocity::computed; }

    static constexpr auto fields() {
        return std::tuple{
            core::field("phase_curve", &Correction::phase_curve,
                        "true: in every step the overlap follows from the velocity by the closed "
                        "form x(v)"),
            core::field("output_velocity", &Correction::output_velocity, "velocity at separation"),
            core::field("error_bound", &Correction::error_bound, "",
                        core::Range{0.0, core::infinity, false, false},
                        "largest relative error of the fitted velocity that is accepted")};
    }
};

/// The body and what it hits. External force [N] constant, > 0 presses; it acts during contact.
struct PointImpact {
    contact::Law law;                                                  ///< of the wall
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
    core::Required mass = {};                                          ///< [kg]
    double external_force = 0.0;                                       ///< [N]
};

/// How it is computed.
struct PointScheme {
    OneStepScheme scheme;      ///< and its parameters
    Correction correction;     ///< none by default
    core::Required step = {};  ///< [s]
};

/// One sample of an impact: t [s], x [m], v [m/s], H [J] kinetic and stored energy.
struct PointSample {
    double time, overlap, velocity, energy;  ///< t [s], x [m], v [m/s], H [J]
};

/// What became of one impact. Deviations are from the closed forms, over the samples in contact;
/// none where the law has none.
struct PointImpactResult {
    Status status = Status::not_finite;             ///< how it ended
    std::optional<double> output_velocity = {};     ///< v [m/s] at the first sample without contact
    std::optional<double> predicted_velocity = {};  ///< v + h a of the step that led there
    std::optional<double> overlap_deviation = {};   ///< max |x - x(v)| [m]
    std::optional<double> complex_deviation = {};   ///< the same, x(v) complex beyond the rebound
    std::optional<double> energy_deviation = {};    ///< max |H - H(v)| [J]
    std::size_t contact_samples = 0;                ///< samples in contact
    std::size_t steps = 0;                          ///< of the scheme
    std::size_t force_evaluations = 0;              ///< calls of the law: force or stored energy
};

/// Impacts of one body under one scheme.
class PointImpacts {
  public:
    /// Preconditions: mass and step are positive; corrections only where the law has closed forms.
    PointImpacts(const PointImpact& impact, const PointScheme& scheme, std::size_t most_steps);

    /// One impact from x = 0 at v > 0 [m/s] to the first sample without contact, or `most_steps`
    /// steps. With `measure` the deviations are found; `samples`, if not null, receives every
    /// sample.
    PointImpactResult run(double velocity, bool measure,
                          std::vector<PointSample>* samples = nullptr) const;

    /// The motion `steps` steps from a state within an impact at `velocity`, contact or not.
    time::PointState march(double velocity, time::PointState state, std::size_t steps) const;

  private:
    PointImpact impact_;
    PointScheme scheme_;
    std::size_t most_steps_;
};

/// True if the impact has the closed forms of impact/hunt_crossley_impact.hpp.
bool has_closed_forms(const PointImpact& impact);

/// The closed forms for an impact at `velocity` [m/s]. Precondition: `has_closed_forms`.
HuntCrossleyImpact closed_forms(const PointImpact& impact, double velocity);

/// The motion of an impact, whatever the scheme.
struct PointReference {
    /// `not_separated`: the body stays, or 100,000 steps did not reach the end of contact.
    Status status = Status::not_finite;
    std::vector<PointSample> samples;  ///< complete if `status` is `separated`
};

/// The motion integrated to 1e-12: a sample where the velocity has fallen to each of `velocities`
/// [m/s], which fall themselves, and one at the end of contact. To 1e-6 after the instant at which
/// `zero_force` cuts off a force that would pull.
PointReference reference_motion(const PointImpact& impact, double velocity,
                                const std::vector<double>& velocities);

/// Velocity [m/s] at the end of contact: by the closed form or, where there is none, by
/// `restitution`; where the external force pulls the body off, that of `reference_motion`. None
/// if the bodies do not part.
std::optional<double> reference_velocity(const PointImpact& impact, double velocity);

}  // namespace stoss::impact
