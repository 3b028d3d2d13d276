#include <models/key_points.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace stoss::models {

namespace {

using namespace input;

/// Of a length of an element. Truncation and roundoff of smooth functions are then about 1e-12.
constexpr double short_step = 0x1p-10;

/// Points in the element of the mesh that holds x [m]: over most of it on the side with more room,
/// or near x.
core::Stencil stencil_in_element(const fem::BeamMesh& mesh, double x, bool is_wide) {
    int element = 0;
    while (element + 1 < mesh.elements() && mesh.node_position(element + 1) <= x) ++element;
    const double left = x - mesh.node_position(element);
    const double right = mesh.element_length(element) - left;
    const int first = right >= left ? 0 : -6;
    constexpr double steps = core::Stencil::points + 1;
    if (is_wide) return {x, std::max(left, right) / steps, first};
    const double length = short_step * mesh.element_length(element);
    return {x, length, std::min(left, right) > steps * length ? -3 : first};
}

/// The node at x with an element on both sides; none at an end of the beam.
std::optional<int> inner_node_at(const fem::BeamMesh& mesh, double x) {
    const std::optional<int> node = mesh.node_at(x);
    return node && *node > 0 && *node < mesh.elements() ? node : std::nullopt;
}

/// True if the shear force or the shear stiffness may jump at a node: a support, a spring or a mass
/// is there, or the section or the material becomes another one.
bool has_jump_of_shear(const Beam& beam, const fem::BeamMesh& mesh, int node) {
    const auto is_there = [&](const auto& each) {
        return mesh.node_at(each.xi * mesh.length()) == node;
    };
    const auto any = [&](const auto& list) { return std::ranges::any_of(list, is_there); };
    const auto* const profile = std::get_if<Profile>(&beam.section.shape);
    const bool has_step = profile && std::ranges::count_if(profile->stations, is_there) > 1;
    return has_step || any(beam.supports) || any(beam.springs) || any(beam.dashpots) ||
           any(beam.masses) || any(beam.materials);
}

}  // namespace

KeyPoints points_around(const Beam& beam, const BeamBody& body, double x, bool are_scaled) {
    const fem::BeamMesh& mesh = body.mesh;
    // With shear it is a ratio of polynomials, a residual mode has its root.
    const bool is_flexibility_polynomial =
        !body.compliance || (!beam.has_shear() && !body.residual_mode);
    KeyPoints points;
    points.is_polynomial = beam.is_uniform() && is_flexibility_polynomial && !are_scaled;
    const std::optional<int> node = inner_node_at(mesh, x);
    // A uniform beam without shear is as smooth at a node as its shapes: their slopes do not jump.
    if (!node || (beam.is_uniform() && !beam.has_shear())) {
        points.stencils = {stencil_in_element(mesh, x, points.is_polynomial)};
        return points;
    }
    const double at = mesh.node_position(*node);
    points.stencils = {{at, short_step * mesh.element_length(*node - 1), -6},
                       {at, short_step * mesh.element_length(*node), 0}};
    points.modes_may_have_kink = beam.has_shear() && has_jump_of_shear(beam, mesh, *node);
    return points;
}

namespace {

/// Factors of two blocks, of which an empty one is 0, and their sum.
std::vector<double> sum(double a, const std::vector<double>& x, double b,
                        const std::vector<double>& y) {
    std::vector<double> all(std::max(x.size(), y.size()), 0.0);
    for (std::size_t j = 0; j < x.size(); ++j) all[j] += a * x[j];
    for (std::size_t j = 0; j < y.size(); ++j) all[j] += b * y[j];
    return all;
}

}  // namespace

InputChange change_along(const KeyPoints& points, std::span<const CollisionInputs> inputs) {
    constexpr std::size_t half = core::Stencil::points;
    InputChange change = change_along(points.stencils.front(), inputs.first(half));
    if (points.stencils.size() == 1) {
        if (points.is_polynomial) change.roughness.clear();
        return change;
    }
    const InputChange after = change_along(points.stencils.back(), inputs.subspan(half));
    for (std::size_t block = 0; block < all_blocks; ++block) {
        const std::vector<double>&left = change.slope[block], &right = after.slope[block];
        const bool may_have_kink = block == law || points.modes_may_have_kink;
        change.roughness[block] =
            may_have_kink ? sum(-1.0, left, 1.0, right) : std::vector<double>{};
        change.slope[block] = sum(0.5, left, 0.5, right);
    }
    return change;
}

}  // namespace stoss::models
