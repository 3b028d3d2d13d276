#include <models/steep_sections.hpp>

#include <algorithm>
#include <cmath>

#include <models/beam_matrices.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/fem/beam_mesh.hpp>

namespace stoss::models {

namespace {

/// Of these, one element has a factor of the stiffness of 2^(40/n). Measured on shoulders: with 80
/// elements their error of e is then a few millionths.
constexpr double elements_per_octave = 1.0 / 40.0;

/// The least length of such an element, over that of the beam. In shorter ones roundoff is larger
/// than what they gain.
constexpr double least_length = 2e-5;

/// log2 of the largest over the smallest value of EI or of A, whichever changes more, between two
/// places xi.
double octaves_between(const Beam& beam, double left, double right) {
    constexpr int points = 16;
    std::vector<double> stiffnesses, masses;
    for (int i = 0; i < points; ++i) {
        const auto at = properties_of(beam, left + (right - left) * (i + 0.5) / points);
        stiffnesses.push_back(at.bending_stiffness);
        masses.push_back(at.mass_per_length);  // rho is constant between two nodes
    }
    const auto ratio = [](const std::vector<double>& values) {
        const auto [least, largest] = std::minmax_element(values.begin(), values.end());
        return *largest / *least;
    };
    return core::log2(std::max(ratio(stiffnesses), ratio(masses)));
}

}  // namespace

std::vector<double> nodes_in_steep_sections(const Beam& beam, int elements) {
    std::vector<double> nodes;
    if (beam.section.is_uniform()) return nodes;
    std::vector<double> places;
    for (const auto& point : points_on_nodes(beam)) places.push_back(point.second);
    std::ranges::sort(places);
    for (std::size_t i = 1; i < places.size(); ++i) {
        const double left = places[i - 1], width = places[i] - left;
        if (width <= fem::node_tolerance) continue;
        const double needed =
            elements_per_octave * elements * octaves_between(beam, left, places[i]);
        const double count =
            std::min(std::ceil(needed - 1e-6), std::floor(width / least_length + 1e-6));
        if (count <= elements * width) continue;
        for (int k = 1; k < count; ++k) nodes.push_back((left + width * k / count) * beam.length);
    }
    return nodes;
}

}  // namespace stoss::models
