#include <models/theory_limits.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

constexpr double share_that_matters = 0.01;            // of the initial energy
constexpr double usual_shear_coefficient = 5.0 / 6.0;  // of a general section that gives none

/// What bends, shears and moves at one place.
struct SectionConstants {
    double bending = 0.0;         // E I
    double shear = 0.0;           // k G A
    double mass = 0.0;            // rho A
    double rotary_inertia = 0.0;  // rho I
};

SectionConstants constants_at(const Beam& beam, double xi) {
    const Material& material = beam.material_at(xi);
    const SectionProperties section = beam.section.properties(xi);
    const auto* const theory = std::get_if<Timoshenko>(&beam.theory);
    const auto of_shape = theory ? beam.shear_coefficient(xi)
                                 : beam.section.shear_coefficient(xi, material.poisson_ratio);
    const double k = of_shape.value_or(usual_shear_coefficient);
    const double shear_modulus = material.youngs_modulus / (2.0 * (1.0 + material.poisson_ratio));
    return {material.youngs_modulus * section.second_moment, k * shear_modulus * section.area,
            material.density * section.area, material.density * section.second_moment};
}

/// 1 - omega_T/omega: by how much shear and rotary inertia lower the frequency omega of Euler and
/// Bernoulli's theory for a wave of the same length; omega_T from (theory/beam.md 1.7), Huang
/// (1961).
double loss_of_frequency(const SectionConstants& at, double omega) {
    const double square = omega * std::sqrt(at.mass / at.bending);  // of the wave number
    const double product = at.shear * at.bending * square * square;
    const double sum =
        at.mass * (at.bending * square + at.shear) + at.rotary_inertia * at.shear * square;
    const double root = std::sqrt(sum * sum - 4.0 * at.mass * at.rotary_inertia * product);
    return 1.0 - std::sqrt(2.0 * product / (sum + root)) / omega;
}

/// omega over the cut-off frequency sqrt(k G A/(rho I)) of Timoshenko's theory.
double cut_off_ratio(const SectionConstants& at, double omega) {
    return omega * std::sqrt(at.rotary_inertia / at.shear);
}

/// True if Hertz's area carries that force: a spring of exponent 3/2, without adhesion, not yet
/// yielding.
bool has_hertz_area(const contact::Law& law, double force) {
    return std::visit(
        [&](const auto& each) {
            if constexpr (
                !requires { each.exponent; } || requires { each.pull_off_force; } ||
                requires { each.yield_strain; }) {
                return false;
            } else if constexpr (requires { each.yield_overlap; }) {
                return force <= *each.stiffness * core::pow(*each.yield_overlap, 1.5);
            } else {
                return each.exponent == 1.5;
            }
        },
        law);
}

/// True if the law yields by itself.
bool has_plasticity(const contact::Law& law) {
    return std::holds_alternative<contact::ThorntonNing>(law) ||
           std::holds_alternative<contact::ThorntonNingAdhesive>(law) ||
           std::holds_alternative<contact::JacksonGreen>(law) ||
           std::holds_alternative<contact::WaltonBraun>(law);
}

/// The smaller one of those that are given; none if none is.
std::optional<double> lesser_yield_stress(const BeamCollision& parameters, double xi) {
    const auto own = parameters.beam.material_at(xi).yield_stress;
    const auto other = parameters.striker.surface_material().yield_stress;
    if (own && other) return std::min(*own, *other);
    return own ? own : other;
}

/// Duration [s] of the sub-impact with the largest force; none without sub-impacts.
std::optional<double> duration_of_hardest(const impact::CollisionResult& result) {
    const auto hardest =
        std::ranges::max_element(result.sub_impacts, {}, &impact::SubImpact::peak_force);
    if (hardest == result.sub_impacts.end()) return std::nullopt;
    return hardest->end - hardest->start;
}

}  // namespace

/// A beam that vibrates: the beam of the case, or a striking beam.
class TheoryLimits::VibratingBeam {
  public:
    /// `basis`: over all freedoms of the mesh.
    VibratingBeam(const Beam& beam, const Mesh& mesh, modal::ModalBasis basis,
                  const std::vector<ModeMotion>& vibration)
        : beam_(beam), mesh_(mesh_of(beam, mesh)), basis_(std::move(basis)) {
        const Eigen::Index modes = vibration_modes();
        inverse_frequency_ = basis_.eigenvalues.tail(modes).array().sqrt().inverse();
        Eigen::ArrayXd displacement = Eigen::ArrayXd::Zero(modes), slope = displacement;
        for (int node = 0; node < mesh_.nodes(); ++node) {
            displacement = displacement.max(row(mesh_.w(node)).abs());
            slope = slope.max(row(mesh_.theta(node)).abs());
        }
        largest_displacement_ = displacement;
        largest_slope_ = slope;
        vibration_ = Eigen::ArrayXd::Zero(modes);
        for (const ModeMotion& each : vibration) {
            const Eigen::Index j = each.mode - 1 - basis_.rigid;
            const double amplitude =
                std::abs(each.displacement) + std::abs(each.velocity) * inverse_frequency_[j];
            vibration_[j] += amplitude / displacement[j];
        }
    }

    Eigen::Index vibration_modes() const { return basis_.modes() - basis_.rigid; }

    /// [rad/s]; 0 without vibration modes.
    double highest_frequency() const { return std::sqrt(basis_.eigenvalues[basis_.modes() - 1]); }

    /// omega [rad/s] of the highest mode that matters: all above it have together less than a
    /// hundredth of the initial energy. 0 if none matters. `energies`: of the vibration modes.
    double frequency_that_matters(std::span<const double> energies) const {
        double above = 0.0;
        for (std::size_t j = energies.size(); j-- > 0;) {
            above += energies[j];
            if (above >= share_that_matters) {
                return std::sqrt(basis_.eigenvalues[basis_.rigid + static_cast<Eigen::Index>(j)]);
            }
        }
        return 0.0;
    }

    /// How far the wave of that frequency is from the end of the theory of the beam.
    double wave_excess(double xi, double omega) const {
        if (omega == 0.0) return 0.0;
        const SectionConstants at = constants_at(beam_, xi);
        return beam_.has_shear() ? cut_off_ratio(at, omega) : loss_of_frequency(at, omega);
    }

    struct Motion {
        double displacement = 0.0;  ///< [m]
        double slope = 0.0;         ///< [rad]
    };

    /// Estimates of the largest deflection and slope by the vibration modes up to the last
    /// separation. A pulse of impulse J and peak force F that begins at t_0 moves a mode by at most
    ///     q_j = |phi_j| min(J/omega_j, J (t_f - t_0), 2 F/omega_j^2);
    /// those of all modes and sub-impacts are combined as the root of the sum of their squares
    /// (Chopra 2012, section 13.7). `normal`: component of the contact force across the beam.
    Motion largest_motion(double xi, double normal, const impact::CollisionResult& result) const {
        const Eigen::VectorXd phi =
            basis_.shapes.transpose() * mesh_.interpolation(xi * beam_.length);
        const auto& s = inverse_frequency_;
        Eigen::ArrayXd squares = Eigen::ArrayXd::Zero(s.size());
        for (const impact::SubImpact& each : result.sub_impacts) {
            const double impulse = std::abs(each.impulse);
            squares += (impulse * s)
                           .min(impulse * (result.separation - each.start))
                           .min(2.0 * each.peak_force * s.square())
                           .square();
        }
        squares *= (normal * phi.tail(s.size()).array()).square();
        squares += vibration_.square();
        return {std::sqrt((squares * largest_displacement_.square()).sum()),
                std::sqrt((squares * largest_slope_.square()).sum())};
    }

    /// True if pins or clamps hold it at two places or more.
    bool is_held_twice() const {
        return std::ranges::count_if(beam_.supports, [](const Support& support) {
                   return support.type == SupportType::pin || support.type == SupportType::clamp;
               }) >= 2;
    }

    SectionProperties section(double xi) const { return beam_.section.properties(xi); }

  private:
    /// One freedom in each vibration mode.
    Eigen::ArrayXd row(Eigen::Index freedom) const {
        return basis_.shapes.row(freedom).tail(vibration_modes()).transpose().array();
    }

    Beam beam_;
    fem::BeamMesh mesh_;
    modal::ModalBasis basis_;
    Eigen::ArrayXd inverse_frequency_;                     // 1/omega_j [s] of each vibration mode
    Eigen::ArrayXd largest_displacement_, largest_slope_;  // of each vibration mode, at the nodes
    Eigen::ArrayXd vibration_;                             // largest q_j of what vibrates already
};

const BeamCollision& TheoryLimits::parameters() const {
    return model_.parameters();
}

TheoryLimits::TheoryLimits(const BeamModel& model) : model_(model) {
    const Mesh& mesh = parameters().mesh;
    const auto add = [&](const Beam& beam, modal::ModalBasis basis,
                         const std::vector<ModeMotion>& vibration) {
        beams_.push_back(
            std::make_shared<const VibratingBeam>(beam, mesh, std::move(basis), vibration));
    };
    add_contact_limits();
    add(parameters().beam, model.beam().basis(), parameters().motion.vibration);
    add_beam_limits(parameters().beam, "the beam", "beam");
    if (const StrikingBeam* const other = parameters().striker.striking_beam()) {
        const modal::ModalBody struck = model.beam().at(0.0);
        vibrations_of_struck_beam_ = struck.modes() - struck.rigid;
        add(other->beam, model.striking_beam()->basis, other->vibration);
        add_beam_limits(other->beam, "the striking beam", "striker.beam");
    }
    if (parameters().beam.is_uniform()) uniform_ellipse_ = unit_ellipse(0.0);
}

void TheoryLimits::add_contact_limits() {
    limits_.push_back({"half axis of the contact over the radius of curvature of the gap", 0.1,
                       "Hertz's contact must be small against the radii of the surfaces",
                       "Johnson 1985, section 4.1",
                       "measure the force over the overlap and give contact.law with its "
                       "stiffness and exponent"});
    limits_.push_back({"peak pressure of the contact over the yield stress", 1.6,
                       "the softer body yields below its surface", "Johnson 1985, section 6.1",
                       "use `contact.law: thornton_ning` or `walton_braun`"});
    limits_.push_back(
        {"period of the highest mode over the duration of the contact with the "
         "largest force",
         0.5, "the contact would excite omitted modes", "spectrum of a Hertz pulse, docs/limits.md",
         "raise mesh.modes"});
}

void TheoryLimits::add_beam_limits(const Beam& beam, const std::string& name,
                                   const std::string& key) {
    if (beam.has_shear()) {
        limits_.push_back({"frequency of the highest mode of " + name +
                               " that matters over the cut-off frequency",
                           1.0, "above it Timoshenko's theory has a second spectrum",
                           "Stephen and Puchegger 2006",
                           "use the problem modal_impact with modes of a solid mesh"});
    } else {
        limits_.push_back({"loss of frequency by shear and rotary inertia in the highest mode of " +
                               name + " that matters",
                           0.05,
                           "its wavelength is too short against the height of the section for "
                           "Euler and Bernoulli's theory",
                           "Timoshenko 1921, Huang 1961", "use `" + key + ".theory: timoshenko`"});
    }
    limits_.push_back({"half axis of the contact over the thickness of " + name, 0.1,
                       "Hertz's contact must be small against both bodies",
                       "Johnson 1985, section 4.1",
                       "measure the force over the overlap and give contact.law with its "
                       "stiffness and exponent"});
    limits_.push_back(
        {"estimated slope of " + name + " by vibration, in rad,", 0.1,
         "the theory assumes small slopes; at 0.1 rad the error of the curvature is 1.5 %",
         "Gere and Timoshenko 1997, section 9.2", "reduce the speed"});
    limits_.push_back({"estimated deflection of " + name + " by vibration over its height", 0.2,
                       "supports that do not slide would stretch the beam and raise its lowest "
                       "frequency by 4 %",
                       "Woinowsky-Krieger 1950", "reduce the speed, or let a support slide"});
}

std::optional<contact::ContactEllipse> TheoryLimits::unit_ellipse(double xi) const {
    const contact::Gap gap = gap_at(parameters(), xi);
    if (!(gap.smaller > 0.0)) return std::nullopt;
    return contact::unit_contact_ellipse(contact_modulus(parameters(), xi), gap);
}

std::optional<contact::ContactEllipse> TheoryLimits::peak_ellipse(
    double xi, const impact::CollisionResult& result) const {
    if (result.status != impact::Status::separated) return std::nullopt;
    const auto unit = parameters().beam.is_uniform() ? uniform_ellipse_ : unit_ellipse(xi);
    if (!unit || !has_hertz_area(model_.contact_at(xi).law, result.peak_force)) return std::nullopt;
    return unit->under(result.peak_force);
}

PeakContact TheoryLimits::peak_contact(double xi, const impact::CollisionResult& result) const {
    const auto ellipse = peak_ellipse(xi, result);
    if (!ellipse) return {};
    return {ellipse->radius(), ellipse->pressure};
}

std::vector<std::optional<double>> TheoryLimits::values(
    double xi, const impact::CollisionResult& result) const {
    if (result.status != impact::Status::separated) {
        return std::vector<std::optional<double>>(limits_.size());
    }
    std::vector<std::optional<double>> values;
    values.reserve(limits_.size());
    const auto ellipse = peak_ellipse(xi, result);
    add_contact_values(xi, ellipse, result, values);
    const auto axis = ellipse ? std::optional(ellipse->a) : std::nullopt;
    add_beam_values(*beams_.front(), {xi, axis, core::cos(parameters().motion.inclination)}, result,
                    values);
    if (const StrikingBeam* const other = parameters().striker.striking_beam()) {
        add_beam_values(*beams_.back(), {other->xi, axis, 1.0}, result, values);
    }
    return values;
}

void TheoryLimits::add_contact_values(double xi,
                                      const std::optional<contact::ContactEllipse>& ellipse,
                                      const impact::CollisionResult& result,
                                      std::vector<std::optional<double>>& values) const {
    const auto yield_stress = has_plasticity(parameters().contact.law)
                                  ? std::nullopt
                                  : lesser_yield_stress(parameters(), xi);
    double slowest = core::infinity;  // of the highest modes
    for (const auto& beam : beams_) slowest = std::min(slowest, beam->highest_frequency());
    // b/R_y is never less than a/R_x.
    values.resize(values.size() + 3);
    auto of_contact = values.end() - 3;
    if (ellipse) of_contact[0] = ellipse->b * gap_at(parameters(), xi).larger;
    if (ellipse && yield_stress) of_contact[1] = ellipse->pressure / *yield_stress;
    if (const auto duration = duration_of_hardest(result))
        of_contact[2] = 2.0 * std::numbers::pi / (slowest * *duration);
}

void TheoryLimits::add_beam_values(const VibratingBeam& beam, const ContactOn& contact,
                                   const impact::CollisionResult& result,
                                   std::vector<std::optional<double>>& values) const {
    const std::size_t first = &beam == beams_.front().get() ? 0 : vibrations_of_struck_beam_;
    const auto energies = std::span(result.energy.modes)
                              .subspan(first, static_cast<std::size_t>(beam.vibration_modes()));
    const SectionProperties section = beam.section(contact.xi);
    const auto motion = beam.largest_motion(contact.xi, contact.normal, result);
    values.push_back(beam.wave_excess(contact.xi, beam.frequency_that_matters(energies)));
    values.push_back(contact.axis ? std::optional(*contact.axis / section.thickness)
                                  : std::nullopt);
    values.push_back(motion.slope);
    values.push_back(beam.is_held_twice() ? std::optional(motion.displacement / section.height)
                                          : std::nullopt);
}

}  // namespace stoss::models
