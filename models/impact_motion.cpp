#include <models/impact_motion.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include <models/beam_body.hpp>
#include <models/beam_residual.hpp>
#include <models/rigid_motion.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

/// The modes of one body and how they move at time 0.
struct BodyModes {
    std::vector<double> eigenvalues, dampings, coordinates, rates;
    std::optional<BeamBody> beam;
    BeamResidual residual;                       // of a beam
    std::optional<AxialModes> axial = {};        // of a beam that moves along its axis
    std::size_t begin = 0;                       // place of the first one in the system
    std::size_t rigid = 0;                       // of displacement and turning
    std::optional<std::size_t> tangential = {};  // place of the motion across the axis
    std::optional<std::size_t> lateral = {};     // along the second tangent; then the turning

    std::size_t size() const { return eigenvalues.size(); }
};

/// One more mode, the last one.
void add_mode_at_rest(double eigenvalue, double damping, BodyModes& modes) {
    modes.eigenvalues.push_back(eigenvalue);
    modes.dampings.push_back(damping);
    modes.coordinates.push_back(0.0);
    modes.rates.push_back(0.0);
}

/// One more rigid mode, the last one. `inertia`: mass, or moment of inertia. Returns its place.
std::size_t add_rigid_mode(double inertia, double velocity, BodyModes& modes) {
    add_mode_at_rest(0.0, 0.0, modes);
    modes.rates.back() = std::sqrt(inertia) * velocity;
    return modes.size() - 1;
}

/// Motion along the second tangent at time 0; 0 of bodies that have none.
template <class Kind>
bool moves_laterally(const Kind& kind) {
    if constexpr (requires { kind.lateral_angular_velocity; })
        return kind.lateral_velocity != 0.0 || kind.lateral_angular_velocity != 0.0;
    else if constexpr (requires { kind.lateral_velocity; })
        return kind.lateral_velocity != 0.0;
    else
        return false;
}

BodyModes modes_of(const PointBody& body) {
    const double root = std::sqrt(body.mass);
    return {{body.stiffness / body.mass},
            {body.damping / body.mass},
            {root * body.displacement},
            {root * body.velocity},
            {},
            {},
            {},
            0,
            body.stiffness == 0.0 ? 1U : 0U};
}

BodyModes modes_of(const SphereBody& sphere) {
    const double root = std::sqrt(sphere.mass), turn = std::sqrt(sphere.inertia());
    return {{0.0, 0.0},
            {0.0, 0.0},
            {root * sphere.displacement, 0.0},
            {root * sphere.velocity, turn * sphere.angular_velocity},
            {},
            {},
            {},
            0,
            2};
}

BodyModes modes_of(const RigidBar& bar) {
    const double root = std::sqrt(bar.mass), turn = std::sqrt(bar.inertia());
    return {{0.0, 0.0},
            {0.0, 0.0},
            {root * bar.displacement, turn * bar.angle},
            {root * bar.velocity, turn * bar.angular_velocity},
            {},
            {},
            {},
            0,
            2};
}

BodyModes modes_of(const BeamInMotion& given) {
    BodyModes modes;
    modes.beam.emplace(given.beam, given.mesh());
    const modal::ModalBasis& basis = modes.beam->basis;
    modes.eigenvalues.assign(basis.eigenvalues.begin(), basis.eigenvalues.end());
    modes.dampings.assign(basis.damping.begin(), basis.damping.end());
    modes.rigid = static_cast<std::size_t>(basis.rigid);
    modes.coordinates.assign(modes.size(), 0.0);
    modes.rates.assign(modes.size(), 0.0);
    const std::vector<double> rates = rigid_rates(
        given.beam, {given.velocity, given.angular_velocity}, modes.beam->rigid_momenta);
    std::ranges::copy(rates, modes.rates.begin());
    return modes;
}

BodyModes modes_of(const Surface& /*surface*/) {
    return {};
}

/// Adds `scale` times the mode values of a beam along the tangent at a place [1/sqrt(kg)] to `phi`:
/// its surface moves along with the axis, and by the rotation of the section times half of its
/// height (theory/impact_motion.md 27.24).
void add_axial_shape(const BodyModes& modes, const Beam& beam, double xi, double side, double scale,
                     std::vector<double>& phi) {
    const AxialModes& axial = *modes.axial;
    const double offset = 0.5 * side * beam.section.properties(xi).height;
    double* to = phi.data() + modes.begin;
    const Eigen::VectorXd rotations =
        modes.beam->basis.shapes.transpose() * modes.beam->mesh.rotation(xi * beam.length);
    for (Eigen::Index j = 0; j < rotations.size(); ++j) to[j] -= scale * offset * rotations[j];
    to += *modes.tangential;
    const Eigen::VectorXd along = axial.shapes_at(xi);
    for (const double each : along) *to++ += scale * each;
    if (axial.residual.modes.empty()) return;
    const Eigen::Index row = axial.residual.at(xi);
    for (Eigen::Index k = 0; k < axial.residual.shapes.cols(); ++k)
        to[k] += scale * axial.residual.shapes(row, k);
}

/// m [kg] of the relative motion of the bodies of a contact as a whole; 0: none moves so. A point
/// mass does so on a spring too, which is soft beside a contact. `phi`: mode values at the contact.
double effective_mass(const MotionContact& given, const std::vector<double>& phi,
                      std::vector<double> eigenvalues, const MotionModel& model,
                      const std::map<std::string, BodyModes>& modes) {
    for (const BodyPlace* const place : {&given.first, &given.second})
        if (model.find(place->body)->is<PointBody>())
            eigenvalues[modes.at(place->body).begin] = 0.0;
    double sum = 0.0;
    for (std::size_t j = 0; j < phi.size(); ++j)
        if (eigenvalues[j] == 0.0) sum += phi[j] * phi[j];
    return sum > 0.0 ? 1.0 / sum : 0.0;
}

/// The model on its way to a system.
class Assembly {
  public:
    explicit Assembly(const MotionModel& model) : model_(model) {
        std::vector<const Body*> bodies;
        for (const Body& body : model.bodies) bodies.push_back(&body);
        std::ranges::sort(bodies, {}, &Body::name);
        for (const Body* const body : bodies) add(*body);
    }

    MotionSystem system() {
        MotionSystem made;
        std::vector<std::size_t> by_name(model_.contacts.size());
        for (std::size_t i = 0; i < by_name.size(); ++i) by_name[i] = i;
        std::ranges::sort(by_name, {}, [&](std::size_t i) { return model_.contacts[i].name; });
        made.order.resize(by_name.size());
        for (std::size_t place = 0; place < by_name.size(); ++place) {
            made.order[by_name[place]] = place;
            system_.contacts.push_back(contact(model_.contacts[by_name[place]]));
        }
        add_residual_flexibility(by_name);
        add_gravity();
        for (const HarmonicForce& force : model_.forces) add_force(force);
        add_surfaces(by_name);
        made.system = std::move(system_);
        for (auto& [name, modes] : modes_) {
            BodyInSystem body{modes.begin, modes.tangential, modes.lateral, std::move(modes.beam),
                              std::move(modes.axial)};
            for (auto* const place : {&body.tangential, &body.lateral})
                if (*place) **place += body.begin;
            made.bodies.emplace(name, std::move(body));
        }
        return made;
    }

  private:
    void add(const Body& body) {
        BodyModes modes = std::visit([](const auto& kind) { return modes_of(kind); }, body.kind);
        std::visit([&](const auto& kind) { add_tangential_modes(kind, body.name, modes); },
                   body.kind);
        if (modes.beam) add_residual(body.name, modes);  // its modes are the last ones
        modes.begin = system_.modes();
        const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
            to.insert(to.end(), from.begin(), from.end());
        };
        append(system_.eigenvalues, modes.eigenvalues);
        append(system_.dampings, modes.dampings);
        append(system_.coordinates, modes.coordinates);
        append(system_.rates, modes.rates);
        modes_.emplace(body.name, std::move(modes));
    }

    /// The replacement of the omitted modes of a beam, from the places where it is touched.
    void add_residual(const std::string& name, BodyModes& modes) const {
        std::vector<double> places;
        bool as_modes = false;
        for (const MotionContact& contact : model_.contacts) {
            for (const BodyPlace* const place : {&contact.first, &contact.second}) {
                if (place->body != name) continue;
                places.push_back(place->xi);
                as_modes = as_modes || !motion::acts_in_series(contact.contact->law);
            }
        }
        modes.residual = residual_of(*modes.beam, std::move(places), as_modes);
        for (const ResidualMode& each : modes.residual.modes)
            add_mode_at_rest(each.eigenvalue, each.damping, modes);
    }

    /// The modes of a beam along its axis, with the replacement of the omitted ones, from the
    /// places where friction acts.
    void add_axial_modes(const BeamInMotion& given, const std::string& name,
                         BodyModes& modes) const {
        std::vector<double> places;
        for (const MotionContact& contact : model_.contacts)
            for (const BodyPlace* const place : {&contact.first, &contact.second})
                if (contact.friction && place->body == name) places.push_back(place->xi);
        const double highest = modes.eigenvalues.back();
        const AxialModes& axial =
            modes.axial.emplace(given.beam, given.mesh(), std::move(places), highest);
        modes.tangential = modes.size();
        for (Eigen::Index j = 0; j < axial.basis.modes(); ++j)
            add_mode_at_rest(axial.basis.eigenvalues[j], axial.basis.damping[j], modes);
        for (const ResidualMode& each : axial.residual.modes)
            add_mode_at_rest(each.eigenvalue, each.damping, modes);
        if (axial.basis.rigid > 0)
            modes.rates[*modes.tangential] =
                std::sqrt(given.beam.mass()) * given.tangential_velocity;
    }

    /// Adds what unit forces in the contacts yield at the others [m/N].
    void add_residual_flexibility(const std::vector<std::size_t>& by_name) {
        std::vector<double> flexibility;
        for (const std::size_t c : by_name)
            for (const std::size_t d : by_name)
                flexibility.push_back(flexibility_between(model_.contacts[c], model_.contacts[d]));
        if (std::ranges::any_of(flexibility, [](double each) { return each != 0.0; }))
            system_.residual_flexibility = std::move(flexibility);
    }
    double flexibility_between(const MotionContact& contact, const MotionContact& other) const {
        double sum = 0.0;
        for (const auto& [at, sign] :
             {std::pair{&contact.first, 1.0}, std::pair{&contact.second, -1.0}}) {
            for (const auto& [by, way] :
                 {std::pair{&other.first, 1.0}, std::pair{&other.second, -1.0}}) {
                if (at->body != by->body) continue;
                const BeamResidual& residual = modes_.at(at->body).residual;
                if (residual.flexibility.size() == 0) continue;
                sum += sign * way * residual.flexibility(residual.at(at->xi), residual.at(by->xi));
            }
        }
        return sum;
    }

    /// The modes of a body along the tangents, if it moves there.
    template <class Kind>
    void add_tangential_modes(const Kind& kind, const std::string& name, BodyModes& modes) const {
        if constexpr (requires { kind.tangential_velocity; }) {
            if (model_.moves_along_tangent(name, kind.tangential_velocity)) {
                if constexpr (std::is_same_v<Kind, BeamInMotion>)
                    add_axial_modes(kind, name, modes);
                else
                    modes.tangential = add_rigid_mode(kind.mass, kind.tangential_velocity, modes);
            }
        }
        if constexpr (requires { kind.lateral_velocity; })
            if (is_spatial(model_))
                modes.lateral = add_rigid_mode(kind.mass, kind.lateral_velocity, modes);
        if constexpr (requires { kind.lateral_angular_velocity; })
            if (is_spatial(model_))
                add_rigid_mode(kind.inertia(), kind.lateral_angular_velocity, modes);
    }

    /// Adds `scale` times the mode values across the axis at a place [1/sqrt(kg)] to `phi`.
    void add_tangent(const BodyPlace& place, double side, double scale,
                     std::vector<double>& phi) const {
        const BodyModes& modes = modes_.at(place.body);
        if (!modes.tangential) return;
        double* const to = phi.data() + modes.begin;
        if (modes.axial) {
            const auto& kind = model_.find(place.body)->kind;
            const Beam& beam = std::get<BeamInMotion>(kind).beam;
            add_axial_shape(modes, beam, place.xi, side, scale, phi);
            return;
        }
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires {
                                  kind.tangential_velocity;
                                  kind.mass;
                              })
                    to[*modes.tangential] += scale / std::sqrt(kind.mass);
                if constexpr (requires { kind.inertia(); })
                    to[1] -= lever(kind, place.xi, side, scale).up / std::sqrt(kind.inertia());
            },
            model_.find(place.body)->kind);
    }

    /// The same along the second tangent.
    void add_lateral(const BodyPlace& place, double side, double scale,
                     std::vector<double>& phi) const {
        const BodyModes& modes = modes_.at(place.body);
        if (!modes.lateral) return;
        double* const to = phi.data() + modes.begin + *modes.lateral;
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires { kind.lateral_velocity; })
                    to[0] += scale / std::sqrt(kind.mass);
                if constexpr (requires { kind.lateral_angular_velocity; })
                    to[1] -= lever(kind, place.xi, side, scale).up / std::sqrt(kind.inertia());
            },
            model_.find(place.body)->kind);
    }

    /// Adds `scale` times the mode values at a place [1/sqrt(kg)] to `phi`.
    void add_shape(const BodyPlace& place, double side, double scale,
                   std::vector<double>& phi) const {
        const BodyModes& modes = modes_.at(place.body);
        const Body& body = *model_.find(place.body);
        double* const to = phi.data() + modes.begin;
        if (const auto* const point = std::get_if<PointBody>(&body.kind)) {
            to[0] += scale / std::sqrt(point->mass);
        } else if (const auto* const bar = std::get_if<RigidBar>(&body.kind)) {
            to[0] += scale / std::sqrt(bar->mass);
            to[1] += lever(*bar, place.xi, side, scale).along / std::sqrt(bar->inertia());
        } else if (const auto* const sphere = std::get_if<SphereBody>(&body.kind)) {
            to[0] += scale / std::sqrt(sphere->mass);
        } else if (modes.beam) {
            const Eigen::VectorXd shapes = modes.beam->shapes_at(place.xi);
            for (Eigen::Index j = 0; j < shapes.size(); ++j) to[j] += scale * shapes[j];
        }
    }

    /// The same of the modes that replace the omitted ones.
    void add_residual_shape(const BodyPlace& place, double scale, std::vector<double>& phi) const {
        const BodyModes& modes = modes_.at(place.body);
        const BeamResidual& residual = modes.residual;
        if (residual.modes.empty()) return;
        double* const to = phi.data() + modes.begin + modes.size() - residual.modes.size();
        const Eigen::Index row = residual.at(place.xi);
        for (Eigen::Index k = 0; k < residual.shapes.cols(); ++k)
            to[k] += scale * residual.shapes(row, k);
    }

    motion::Contact contact(const MotionContact& given) const {
        motion::Contact made;
        made.phi.assign(system_.modes(), 0.0);
        for (const auto& [place, side, sign] : {std::tuple{&given.first, lower_side, 1.0},
                                                std::tuple{&given.second, upper_side, -1.0}}) {
            add_shape(*place, side, sign, made.phi);
            add_residual_shape(*place, sign, made.phi);
        }
        if (given.friction) {
            motion::ContactFriction& friction = made.friction.emplace();
            friction.phi.assign(system_.modes(), 0.0);
            add_tangent(given.first, lower_side, 1.0, friction.phi);
            add_tangent(given.second, upper_side, -1.0, friction.phi);
            if (is_spatial(model_)) {
                friction.lateral_phi.assign(system_.modes(), 0.0);
                add_lateral(given.first, lower_side, 1.0, friction.lateral_phi);
                add_lateral(given.second, upper_side, -1.0, friction.lateral_phi);
            }
            friction.mu = given.friction->mu;
            friction.stiffness = given.friction->tangential_stiffness.value_or(0.0);
            friction.stiffness_ratio = given.friction->tangential_ratio.value_or(0.0);
            friction.tangential = given.friction->tangential;
        }
        made.gap = given.gap;
        if (given.contact)
            made.law = motion::CompliantContact{
                given.contact->law, given.contact->separation,
                effective_mass(given, made.phi, system_.eigenvalues, model_, modes_)};
        else
            made.law = motion::NewtonImpact{*given.cor};
        return made;
    }

    motion::Drive& drive_of(double frequency, double phase) {
        for (motion::Drive& each : system_.drives)
            if (each.frequency == frequency && each.phase == phase) return each;
        motion::Drive& drive = system_.drives.emplace_back();
        drive.frequency = frequency;
        drive.phase = phase;
        return drive;
    }

    std::vector<double>& forces_of(motion::Drive& drive) const {
        if (drive.forces.empty()) drive.forces.assign(system_.modes(), 0.0);
        return drive.forces;
    }

    /// Gravity moves free bodies by their rigid modes alone: the weight acts at the centre of mass.
    void add_gravity() {
        if (model_.gravity == 0.0) return;
        for (const Body& body : model_.bodies) {
            const BodyModes& modes = modes_.at(body.name);
            if (modes.rigid == 0) continue;
            double mass = 0.0;
            BodyPlace centre{body.name, 0.5};
            if (const auto* const point = std::get_if<PointBody>(&body.kind)) mass = point->mass;
            if (const auto* const bar = std::get_if<RigidBar>(&body.kind)) mass = bar->mass;
            if (const auto* const ball = std::get_if<SphereBody>(&body.kind)) mass = ball->mass;
            if (const auto* const beam = std::get_if<BeamInMotion>(&body.kind)) {
                mass = beam->beam.mass();
                centre.xi = beam->beam.centre_of_mass() / beam->beam.length;
            }
            std::vector<double> shape(system_.modes(), 0.0);
            add_shape(centre, on_axis, 1.0, shape);
            std::vector<double>& forces = forces_of(drive_of(0.0, 0.0));
            for (std::size_t j = modes.begin; j < modes.begin + modes.rigid; ++j)
                forces[j] -= mass * model_.gravity * shape[j];
        }
    }

    void add_force(const HarmonicForce& force) {
        const double frequency = 2.0 * std::numbers::pi * force.frequency;
        add_shape(force.on, on_axis, force.amplitude, forces_of(drive_of(frequency, force.phase)));
    }

    void add_surfaces(const std::vector<std::size_t>& by_name) {
        for (std::size_t place = 0; place < by_name.size(); ++place) {
            const MotionContact& contact = model_.contacts[by_name[place]];
            add_surface(contact.first, -1.0, place);
            add_surface(contact.second, 1.0, place);
        }
    }
    /// `towards`: 1 if a positive displacement closes the gap.
    void add_surface(const BodyPlace& at, double towards, std::size_t place) {
        const auto* const surface = std::get_if<Surface>(&model_.find(at.body)->kind);
        if (!surface) return;
        for (const HarmonicMotion& each : surface->motion) {
            motion::Drive& drive = drive_of(2.0 * std::numbers::pi * each.frequency, each.phase);
            if (drive.surfaces.empty()) drive.surfaces.assign(model_.contacts.size(), 0.0);
            drive.surfaces[place] += towards * each.amplitude;
        }
    }

    const MotionModel& model_;
    motion::System system_;
    std::map<std::string, BodyModes> modes_;
};

}  // namespace

const Body* MotionModel::find(const std::string& name) const {
    const auto found = std::ranges::find(bodies, name, &Body::name);
    return found == bodies.end() ? nullptr : &*found;
}

bool MotionModel::moves_along_tangent(const std::string& body, double velocity) const {
    return velocity != 0.0 || std::ranges::any_of(contacts, [&](const MotionContact& contact) {
               return contact.friction &&
                      (contact.first.body == body || contact.second.body == body);
           });
}

Mesh BeamInMotion::mesh() const {
    Mesh mesh;
    mesh.elements = elements;
    mesh.modes = modes;
    mesh.residual_flexibility = residual_flexibility;
    return mesh;
}

Lever lever(const RigidBar& bar, double xi, double side, double scale) {
    const double s = scale * (xi - 0.5) * bar.length, half = 0.5 * scale * side * bar.thickness;
    const double c = core::cos(bar.inclination), d = core::sin(bar.inclination);
    return {s * c - half * d, s * d + half * c};
}

Lever lever(const SphereBody& sphere, double /*xi*/, double side, double scale) {
    return {0.0, scale * side * sphere.radius};
}

bool is_spatial(const MotionModel& model) {
    return std::ranges::any_of(model.bodies, [](const Body& body) {
        return std::visit([](const auto& kind) { return moves_laterally(kind); }, body.kind);
    });
}

MotionSystem motion_system(const MotionModel& model) {
    return Assembly(model).system();
}

}  // namespace stoss::models
