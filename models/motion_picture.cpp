#include <models/motion_picture.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <variant>

#include <Eigen/Geometry>

#include <stoss/core/elementary.hpp>

namespace stoss::models {

namespace {

using Place = std::array<double, 2>;
using Points = std::vector<std::array<double, 3>>;

constexpr int beam_segments = 100, circle_segments = 48;
constexpr double steel = 7850.0;  // [kg/m^3]

double drawn_radius(const PointBody& body) {
    return core::cbrt(3.0 * body.mass / (4.0 * std::numbers::pi * steel));
}
double drawn_radius(const SphereBody& sphere) {
    return sphere.radius;
}

/// From the origin of a body to the place where it touches: that of a beam is its end xi = 0, of
/// others the centre.
Place contact_place(const Body& body, double xi, double side) {
    return std::visit(
        [&](const auto& kind) -> Place {
            if constexpr (requires { lever(kind, xi, side, 1.0); }) {
                const Lever to = lever(kind, xi, side, 1.0);
                return {to.along, to.up};
            } else if constexpr (requires { drawn_radius(kind); }) {
                return {0.0, side * drawn_radius(kind)};
            } else if constexpr (requires { kind.beam; }) {
                return {xi * kind.beam.length, 0.0};
            } else {
                return {0.0, 0.0};
            }
        },
        body.kind);
}

/// Half of what a body extends along the tangent [m], and where its middle is.
struct Extent {
    double half = 0.0, middle = 0.0;
};
Extent extent_of(const Body& body) {
    return std::visit(
        [](const auto& kind) -> Extent {
            if constexpr (requires { drawn_radius(kind); })
                return {drawn_radius(kind), 0.0};
            else if constexpr (requires { kind.beam; })
                return {0.5 * kind.beam.length, 0.5 * kind.beam.length};
            else if constexpr (requires { kind.length; })
                return {0.5 * kind.length, 0.0};
            else
                return {};
        },
        body.kind);
}

/// A circle around `centre` that begins and ends at its lowest point; `across`: 0 in the plane of
/// tangent and axis, 2 in that of axis and second tangent.
Points circle(const Place& centre, double radius, std::size_t across) {
    Points points;
    for (int k = 0; k <= circle_segments; ++k) {
        const double angle = 2.0 * std::numbers::pi * (k % circle_segments) / circle_segments;
        std::array<double, 3> point{centre[0], centre[1], 0.0};
        point[across] += radius * core::sin(angle);
        point[1] -= radius * core::cos(angle);
        points.push_back(point);
    }
    return points;
}

}  // namespace

MotionPicture::MotionPicture(const MotionModel& model, const MotionSystem& made)
    : model_(model), made_(made), centres_(model.bodies.size()) {
    for (const MotionContact& contact : model.contacts)
        ends_.push_back({index_of(contact.first.body), index_of(contact.second.body)});
    place_bodies();
    for (std::size_t i = 0; i < model.bodies.size(); ++i) add_points(i);
}

std::size_t MotionPicture::index_of(const std::string& name) const {
    const auto found = std::ranges::find(model_.bodies, name, &Body::name);
    return static_cast<std::size_t>(found - model_.bodies.begin());
}

/// Along the contacts, from the first body of each group on.
void MotionPicture::place_bodies() {
    for (std::size_t first = 0; first < model_.bodies.size(); ++first) {
        if (centres_[first]) continue;
        place_beside(first);
        for (bool has_grown = true; has_grown;) {
            has_grown = false;
            for (std::size_t c = 0; c < ends_.size(); ++c) {
                const MotionContact& contact = model_.contacts[c];
                const auto [up, down] = ends_[c];
                if (centres_[up].has_value() == centres_[down].has_value()) continue;
                const Place above = contact_place(model_.bodies[up], contact.first.xi, lower_side);
                const Place below =
                    contact_place(model_.bodies[down], contact.second.xi, upper_side);
                if (centres_[down]) {
                    const Place& at = *centres_[down];
                    centres_[up] = {at[0] + below[0] - above[0],
                                    at[1] + below[1] + contact.gap - above[1]};
                } else {
                    const Place& at = *centres_[up];
                    centres_[down] = {at[0] + above[0] - below[0],
                                      at[1] + above[1] - contact.gap - below[1]};
                }
                has_grown = true;
            }
        }
    }
}

/// To the right of all that is placed.
void MotionPicture::place_beside(std::size_t body) {
    double right = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < centres_.size(); ++i) {
        if (!centres_[i]) continue;
        const Extent extent = extent_of(model_.bodies[i]);
        right = std::max(right, (*centres_[i])[0] + extent.middle + extent.half);
    }
    const Extent own = extent_of(model_.bodies[body]);
    centres_[body] =
        std::isfinite(right) ? Place{right + 2.0 * own.half - own.middle, 0.0} : Place{0.0, 0.0};
}

void MotionPicture::add_line(std::size_t body, const Points& points) {
    std::vector<std::size_t>& line = lines_.emplace_back();
    for (const auto& point : points) {
        line.push_back(points_.size());
        points_.push_back(point);
        bodies_.push_back(body);
    }
}

void MotionPicture::add_points(std::size_t index) {
    const Body& body = model_.bodies[index];
    const Place centre = *centres_[index];
    Part part{&body, &made_.bodies.at(body.name), points_.size(), 0, centre, {}, {}};
    const auto at = [&](double x, double y) {
        return std::array<double, 3>{centre[0] + x, centre[1] + y, 0.0};
    };
    if (const auto* const bar = std::get_if<RigidBar>(&body.kind)) {
        Points corners;
        for (const auto& [xi, side] :
             {std::pair{0.0, lower_side}, std::pair{1.0, lower_side}, std::pair{1.0, upper_side},
              std::pair{0.0, upper_side}, std::pair{0.0, lower_side}}) {
            const Lever to = lever(*bar, xi, side, 1.0);
            corners.push_back(at(to.along, to.up));
        }
        add_line(index, corners);
    } else if (const auto* const sphere = std::get_if<SphereBody>(&body.kind)) {
        add_line(index, circle(centre, sphere->radius, 0));
        add_line(index, {at(0.0, 0.0), at(0.0, -sphere->radius)});
        if (is_spatial(model_)) add_line(index, circle(centre, sphere->radius, 2));
    } else if (const auto* const point = std::get_if<PointBody>(&body.kind)) {
        add_line(index, circle(centre, drawn_radius(*point), 0));
    } else if (const auto* const beam = std::get_if<BeamInMotion>(&body.kind)) {
        add_axis(index, *beam, part);
    } else {
        double left = centre[0], right = centre[0], widest = 0.0;
        for (std::size_t c = 0; c < ends_.size(); ++c) {
            for (const std::size_t own : {0U, 1U}) {
                if (ends_[c][own] != index) continue;
                const MotionContact& contact = model_.contacts[c];
                const BodyPlace& there = own == 0 ? contact.second : contact.first;
                const std::size_t touched = ends_[c][1 - own];
                const Body& it = model_.bodies[touched];
                const double side = own == 0 ? upper_side : lower_side;
                const double x = (*centres_[touched])[0] + contact_place(it, there.xi, side)[0];
                left = std::min(left, x);
                right = std::max(right, x);
                widest = std::max(widest, extent_of(it).half);
            }
        }
        add_line(index, {{left - widest, centre[1], 0.0}, {right + widest, centre[1], 0.0}});
    }
    part.end = points_.size();
    parts_.push_back(std::move(part));
}

/// The line of a beam through the centres of its sections.
void MotionPicture::add_axis(std::size_t index, const BeamInMotion& beam, Part& part) {
    const std::optional<AxialModes>& axial = part.modes->axial;
    part.shapes.resize(beam_segments + 1, part.modes->beam->basis.modes());
    if (axial) part.along.resize(beam_segments + 1, axial->basis.modes());
    Points points;
    for (int k = 0; k <= beam_segments; ++k) {
        const double xi = static_cast<double>(k) / beam_segments;
        points.push_back({part.centre[0] + xi * beam.beam.length, part.centre[1], 0.0});
        part.shapes.row(k) = part.modes->beam->shapes_at(xi).transpose();
        if (axial) part.along.row(k) = axial->shapes_at(xi).transpose();
    }
    add_line(index, points);
}

std::vector<double> MotionPicture::displacements(double time,
                                                 std::span<const double> coordinates) const {
    std::vector<double> all(3 * points_.size(), 0.0);
    for (const Part& part : parts_) {
        const BodyInSystem& modes = *part.modes;
        const auto q = [&](std::size_t j) { return coordinates[modes.begin + j]; };
        Eigen::Vector3d of_centre = Eigen::Vector3d::Zero();
        Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
        std::visit(
            [&](const auto& kind) {
                if constexpr (requires { kind.mass; }) {
                    const double root = std::sqrt(kind.mass);
                    of_centre[1] = q(0) / root;
                    if (modes.tangential) of_centre[0] = coordinates[*modes.tangential] / root;
                    if (modes.lateral) of_centre[2] = coordinates[*modes.lateral] / root;
                }
                if constexpr (requires { kind.motion; }) {
                    for (const HarmonicMotion& each : kind.motion)
                        of_centre[1] +=
                            each.amplitude *
                            core::cos(2.0 * std::numbers::pi * each.frequency * time + each.phase);
                }
                if constexpr (requires { kind.inertia(); }) {
                    const double turn = std::sqrt(kind.inertia());
                    Eigen::Vector3d angles(0.0, 0.0, q(1) / turn);
                    if constexpr (requires { kind.lateral_angular_velocity; })
                        if (modes.lateral) angles[0] = -coordinates[*modes.lateral + 1] / turn;
                    const double angle = angles.norm();
                    if (angle > 0.0)
                        rotation = Eigen::AngleAxisd(angle, angles / angle).toRotationMatrix();
                }
            },
            part.body->kind);
        for (std::size_t i = part.begin; i < part.end; ++i) {
            const Eigen::Vector3d arm(points_[i][0] - part.centre[0],
                                      points_[i][1] - part.centre[1], points_[i][2]);
            Eigen::Vector3d moved = of_centre + rotation * arm - arm;
            if (part.shapes.size() > 0) {
                const auto row = static_cast<Eigen::Index>(i - part.begin);
                for (Eigen::Index j = 0; j < part.shapes.cols(); ++j)
                    moved[1] += part.shapes(row, j) * q(static_cast<std::size_t>(j));
                for (Eigen::Index j = 0; j < part.along.cols(); ++j)
                    moved[0] += part.along(row, j) *
                                coordinates[*modes.tangential + static_cast<std::size_t>(j)];
            }
            std::copy_n(moved.data(), 3, all.data() + 3 * i);
        }
    }
    return all;
}

}  // namespace stoss::models
