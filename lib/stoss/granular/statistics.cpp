#include <stoss/core/elementary.hpp>
#include <stoss/granular/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <stoss/core/parallel.hpp>
#include <stoss/granular/pair_list.hpp>

namespace stoss::granular {

namespace {

/// Volume [m^3] of a sphere below a plane at height `h` above its lowest point: a cap.
double cap(double radius, double h) {
    const double depth = std::clamp(h, 0.0, 2.0 * radius);
    return std::numbers::pi * depth * depth * (radius - depth / 3.0);
}

double distance_to_border(const Region& region, const Eigen::Vector3d& x) {
    return std::min((x - region.low).minCoeff(), (region.high - x).minCoeff());
}

template <class Masses>
double height_of_centre(const Masses& bodies, const Upwards& up) {
    double moment = 0.0, mass = 0.0;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        moment += up.height(bodies.position[i]) / bodies.motion[i].inverse_mass;
        mass += 1.0 / bodies.motion[i].inverse_mass;
    }
    return moment / mass;
}

}  // namespace

std::vector<double> radial_distribution(const Spheres& spheres, const Region& region, double range,
                                        std::size_t bins) {
    std::vector<Eigen::Vector3d> centres;
    for (const Eigen::Vector3d& x : spheres.position) {
        if (distance_to_border(region, x) >= 0.0) centres.push_back(x);
    }
    std::sort(centres.begin(), centres.end(), [](const auto& a, const auto& b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    });
    const double width = range / static_cast<double>(bins);
    const auto bin_of = [&](double r) { return static_cast<std::size_t>(r / width); };
    std::vector<double> pairs(bins, 0.0), about(bins, 0.0);
    for (std::size_t i = 0; i < centres.size(); ++i) {
        // Whole bins within the border.
        const double border = distance_to_border(region, centres[i]);
        const std::size_t whole = std::min(bins, bin_of(border));
        const double reach = static_cast<double>(whole) * width;
        for (std::size_t k = 0; k < whole; ++k) about[k] += 1.0;
        const auto count = [&](const Eigen::Vector3d& other) {
            const std::size_t bin = bin_of((other - centres[i]).norm());
            if (bin < whole) pairs[bin] += 1.0;
        };
        for (std::size_t j = i; j-- > 0 && centres[i].x() - centres[j].x() < reach;)
            count(centres[j]);
        for (std::size_t j = i + 1; j < centres.size() && centres[j].x() - centres[i].x() < reach;
             ++j) {
            count(centres[j]);
        }
    }
    const double density = static_cast<double>(centres.size()) / (region.high - region.low).prod();
    std::vector<double> g(bins, std::numeric_limits<double>::quiet_NaN());
    for (std::size_t k = 0; k < bins; ++k) {
        const double inner = width * static_cast<double>(k), outer = inner + width;
        const double shell =
            4.0 / 3.0 * std::numbers::pi * (core::pow(outer, 3) - core::pow(inner, 3));
        if (about[k] > 0.0) g[k] = pairs[k] / (about[k] * density * shell);
    }
    return g;
}

double solid_fraction(const Spheres& spheres, double area, double low, double high,
                      const Upwards& up) {
    double volume = 0.0;
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const double radius = spheres.motion[i].radius;
        const double bottom = up.height(spheres.position[i]) - radius;
        volume += cap(radius, high - bottom) - cap(radius, low - bottom);
    }
    return volume / (area * (high - low));
}

double mean_height(const Spheres& spheres, const Upwards& up) {
    return height_of_centre(spheres, up);
}

double mean_height(const Bodies& bodies, const Upwards& up) {
    return height_of_centre(bodies, up);
}

DeepestOverlap deepest_overlap(Spheres spheres, std::span<const Wall> walls) {
    PairList list;
    core::Workers one_thread(1);
    list.rebuild(spheres, walls, 0.0, one_thread);
    DeepestOverlap deepest;
    const auto add = [&](double overlap, double radius) {
        deepest.depth = std::max(deepest.depth, overlap);
        deepest.share = std::max(deepest.share, overlap / radius);
    };
    for (const Pair& pair : list.pairs()) {
        const Eigen::Vector3d& x = spheres.position[pair.first];
        const double r = spheres.motion[pair.first].radius;
        if (pair.second & wall_bit) {
            add(r - near(walls[pair.second & ~wall_bit], x).distance, r);
        } else {
            const double other = spheres.motion[pair.second].radius;
            add(r + other - (x - spheres.position[pair.second]).norm(), std::min(r, other));
        }
    }
    return deepest;
}

double highest_point(const Spheres& spheres, const Upwards& up) {
    double highest = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < spheres.size(); ++i)
        highest = std::max(highest, up.height(spheres.position[i]) + spheres.motion[i].radius);
    return highest;
}

}  // namespace stoss::granular
