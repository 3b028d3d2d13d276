#include <models/clumps.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <boost/random/uniform_01.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/sphere.hpp>
#include <stoss/core/text.hpp>

namespace stoss::models {

namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

// Roundoff would exceed the volume and the moments of a body that is more slender.
constexpr double largest_slenderness = 1e6;

/// No body has a moment larger than the sum of the two others.
void check_inertia(const Shape& shape, const std::string& key,
                   std::vector<core::Violation>& violations) {
    if (!shape.inertia) return;
    const Triple& I = *shape.inertia;
    const auto wrong = check_triple(I, key + ".inertia");
    core::append(wrong, violations);
    if (!wrong.empty() || 2.0 * *std::max_element(I.begin(), I.end()) <= I[0] + I[1] + I[2]) return;
    violations.push_back(
        {key + ".inertia", fmt::format("[{:g}, {:g}, {:g}] kg m^2", I[0], I[1], I[2]),
         "are not possible: one moment is larger than the sum of the two others", ""});
}

/// `point` is well formed, and not so far from the spheres that nothing else counts.
void check_place(const Triple& point, const Shape& shape, const std::string& key,
                 std::vector<core::Violation>& violations) {
    const auto wrong = check_triple(point, key);
    core::append(wrong, violations);
    const Triple& first = shape.spheres[0].position;
    if (!wrong.empty() || !check_triple(first, key).empty()) return;
    const double radius = std::ranges::max_element(shape.spheres, {}, &ShapeSphere::radius)->radius;
    const double reach = largest_slenderness * radius;
    if ((vector_of(point) / reach - vector_of(first) / reach).norm() <= 1.0) return;
    violations.push_back(
        {key, "",
         fmt::format("is more than {:g} times the largest radius away from the first sphere",
                     largest_slenderness),
         ""});
}

void check_spheres(const Shape& shape, const std::string& key,
                   std::vector<core::Violation>& violations) {
    if (shape.spheres.empty()) {
        violations.push_back({key + ".spheres", "", "is empty", "give at least one sphere"});
        return;
    }
    std::size_t apart = 0;
    for (std::size_t i = 0; i < shape.spheres.size(); ++i) {
        const Triple& position = shape.spheres[i].position;
        check_place(position, shape, fmt::format("{}.spheres[{}].position", key, i), violations);
        if (position != shape.spheres[0].position) ++apart;
    }
    if (shape.spheres.size() > 1 && apart == 0) {
        violations.push_back({key + ".spheres", fmt::format("{} spheres", shape.spheres.size()),
                              "are all at one point: the largest sphere alone is the same body",
                              "place the spheres side by side, or give one sphere"});
    }
}

/// The spheres of a shape as they are given.
std::vector<granular::Member> members_of(const Shape& shape) {
    std::vector<granular::Member> members;
    for (const ShapeSphere& sphere : shape.spheres)
        members.push_back({vector_of(sphere.position), sphere.radius});
    return members;
}

}  // namespace

std::vector<core::Violation> check(const std::vector<Shape>& shapes) {
    std::vector<core::Violation> violations;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const Shape& shape = shapes[i];
        const std::string key = fmt::format("shapes[{}]", i);
        for (std::size_t j = 0; j < i; ++j) {
            if (shapes[j].name != shape.name) continue;
            violations.push_back({key + ".name", shape.name,
                                  fmt::format("is the name of shapes[{}], too", j),
                                  "give it another name"});
        }
        check_spheres(shape, key, violations);
        check_inertia(shape, key, violations);
        if (!shape.centre || shape.spheres.empty()) continue;
        check_place(*shape.centre, shape, key + ".centre", violations);
        if (!shape.inertia) {
            violations.push_back({key + ".centre", "", "is given without `inertia`",
                                  "give `inertia` as well: the moments about this centre"});
        }
    }
    return violations;
}

std::vector<core::Violation> check_shape_name(const std::string& name, const std::string& key,
                                              const std::vector<Shape>& shapes) {
    std::vector<std::string> names;
    for (const Shape& shape : shapes) names.push_back(shape.name);
    if (std::find(names.begin(), names.end(), name) != names.end()) return {};
    if (names.empty())
        return {
            {key, name, "is the name of a shape, but the case has no `shapes`", "give `shapes`"}};
    const auto near = core::nearest_word(name, names);
    return {{key, name, "is not a name in `shapes`; write " + core::listed(names),
             near ? "did you mean `" + *near + "`?" : ""}};
}

std::vector<core::Violation> check(const GivenClump& clump, const std::string& key) {
    std::vector<core::Violation> violations = check_triple(clump.position, key + ".position");
    core::append(check_triple(clump.velocity, key + ".velocity"), violations);
    core::append(check_triple(clump.angular_velocity, key + ".angular_velocity"), violations);
    const auto& q = clump.orientation;
    double length = 0.0;
    for (const double component : q) length = core::hypot(length, component);
    if (q.size() != 4) {
        violations.push_back({key + ".orientation", fmt::format("{} numbers", q.size()),
                              "must have four numbers: [w, x, y, z]", ""});
    } else if (std::abs(length - 1.0) > 1e-6) {
        violations.push_back({key + ".orientation", fmt::format("of length {:.6g}", length),
                              "must have length 1", ""});
    }
    return violations;
}

double SolidShape::bound() const {
    double bound = 0.0;
    for (const granular::Member& member : clump.members)
        bound = std::max(bound, member.place.norm() + member.radius);
    return bound;
}

double SolidShape::equivalent_radius() const {
    return core::cbrt(0.75 * volume / std::numbers::pi);
}

double SolidShape::volume_of_spheres() const {
    double volume = 0.0;
    for (const granular::Member& member : clump.members)
        volume += core::sphere_volume(member.radius);
    return volume;
}

SolidShape solid_of(const std::vector<Shape>& shapes, const std::string& name, double density) {
    const Shape& shape = *std::find_if(shapes.begin(), shapes.end(),
                                       [&](const Shape& one) { return one.name == name; });
    const std::vector<granular::Member> members = members_of(shape);
    const granular::MassProperties filled = granular::mass_properties(members);
    const granular::PrincipalAxes principal = granular::principal_axes(filled.inertia);
    SolidShape solid;
    granular::Clump& clump = solid.clump;
    solid.volume = filled.volume;
    clump.mass = shape.mass.value_or(density * filled.volume);
    clump.inertia = shape.inertia ? vector_of(*shape.inertia)
                                  : Vector3d(clump.mass / filled.volume * principal.moments);
    if (!shape.inertia) clump.orientation = principal.axes;
    const Vector3d centre = shape.centre ? vector_of(*shape.centre) : filled.centre;
    for (const granular::Member& member : members) {
        clump.members.push_back(
            {clump.orientation.conjugate() * (member.place - centre), member.radius});
    }
    return solid;
}

std::vector<granular::Clump> clumps_in(const std::vector<granular::Sphere>& bounds,
                                       const SolidShape& shape, int seed) {
    std::mt19937_64 engine(static_cast<std::uint64_t>(seed));
    boost::random::uniform_01<double> uniform;
    const double bound = shape.bound();
    std::vector<granular::Clump> clumps;
    for (const granular::Sphere& sphere : bounds) {
        const double scale = sphere.radius / bound;
        granular::Clump clump = shape.clump;
        for (granular::Member& member : clump.members) {
            member.place *= scale;
            member.radius *= scale;
        }
        clump.mass *= core::pow(scale, 3);
        clump.inertia *= core::pow(scale, 5);
        clump.position = sphere.position;
        clump.velocity = sphere.velocity;
        // Evenly over all orientations (Shoemake 1992).
        const double u = uniform(engine), a = 2.0 * std::numbers::pi * uniform(engine),
                     b = 2.0 * std::numbers::pi * uniform(engine);
        const double v = std::sqrt(1.0 - u), w = std::sqrt(u);
        clump.orientation =
            Quaterniond(w * core::cos(b), v * core::sin(a), v * core::cos(a), w * core::sin(b)) *
            clump.orientation;
        clumps.push_back(std::move(clump));
    }
    return clumps;
}

std::vector<granular::Clump> clumps_of(const std::vector<GivenClump>& given,
                                       const std::vector<Shape>& shapes, double density) {
    std::vector<granular::Clump> clumps;
    for (const GivenClump& one : given) {
        granular::Clump clump = solid_of(shapes, one.shape, density).clump;
        const auto& q = one.orientation;
        clump.orientation = Quaterniond(q[0], q[1], q[2], q[3]).normalized() * clump.orientation;
        clump.position = vector_of(one.position);
        clump.velocity = vector_of(one.velocity);
        clump.angular_velocity = vector_of(one.angular_velocity);
        clumps.push_back(std::move(clump));
    }
    return clumps;
}

granular::Clump clump_of(const granular::Sphere& sphere) {
    granular::Clump clump;
    clump.members = {{Vector3d::Zero(), sphere.radius}};
    clump.mass = sphere.mass;
    clump.inertia = Vector3d::Constant(0.4 * sphere.mass * sphere.radius * sphere.radius);
    clump.position = sphere.position;
    clump.velocity = sphere.velocity;
    clump.angular_velocity = sphere.angular_velocity;
    return clump;
}

}  // namespace stoss::models
