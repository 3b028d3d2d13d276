#pragma once
/// The contact law in series with the residual flexibility R of the bodies
/// (theory/collision.md 6.15, theory/splitting_scheme.md 12.12).
///
/// The modes give the overlap x, the law sees delta = x - R F. At the Gauss nodes of a step this is
/// R on the diagonal of the compliances. Where the force is seen elsewhere it follows from the
/// parabola through the node forces by one step of Newton's method.

#include <array>
#include <cstddef>

#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::impact {

/// Values at u of Lagrange's polynomials of `places`.
template <std::size_t n>
constexpr std::array<double, n> lagrange_values(const std::array<double, n>& places, double u) {
    std::array<double, n> values{};
    for (std::size_t k = 0; k < n; ++k) {
        values[k] = 1.0;
        for (std::size_t m = 0; m < n; ++m) {
            if (m != k) values[k] *= (u - places[m]) / (places[k] - places[m]);
        }
    }
    return values;
}

/// Their derivatives.
template <std::size_t n>
constexpr std::array<double, n> lagrange_slopes(const std::array<double, n>& places, double u) {
    std::array<double, n> slopes{};
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t skip = 0; skip < n; ++skip) {
            if (skip == k) continue;
            double term = 1.0 / (places[k] - places[skip]);
            for (std::size_t m = 0; m < n; ++m) {
                if (m != k && m != skip) term *= (u - places[m]) / (places[k] - places[m]);
            }
            slopes[k] += term;
        }
    }
    return slopes;
}

/// The parabola through the node forces between the nodes and at the end of a step, as
/// modal::Compliances::seen counts these places: weights of the node forces.
inline constexpr std::array<std::array<double, 3>, 3> parabola_weights{
    lagrange_values(modal::Gauss3::node, modal::Gauss3::between[0]),
    lagrange_values(modal::Gauss3::node, modal::Gauss3::between[1]),
    lagrange_values(modal::Gauss3::node, 1.0)};

/// Step times the rate of the force at the Gauss nodes, of the cubic through the force at the begin
/// of the step and the node forces: weights of these four.
inline constexpr std::array<std::array<double, 4>, 3> rate_weights = [] {
    constexpr std::array<double, 4> places{0.0, modal::Gauss3::node[0], modal::Gauss3::node[1],
                                           modal::Gauss3::node[2]};
    return std::array{lagrange_slopes(places, places[1]), lagrange_slopes(places, places[2]),
                      lagrange_slopes(places, places[3])};
}();

/// The same at the end of the step, of the cubic through the node forces and the force at the end.
inline constexpr std::array<double, 4> end_rate_weights =
    lagrange_slopes(std::array<double, 4>{modal::Gauss3::node[0], modal::Gauss3::node[1],
                                          modal::Gauss3::node[2], 1.0},
                    1.0);

/// The cubic through the force at the begin of the step and the node forces, where the law is seen
/// as modal::Compliances::seen counts these places: weights of these four, and of step times rate.
inline constexpr std::array<double, 3> seen_places{modal::Gauss3::between[0],
                                                   modal::Gauss3::between[1], 1.0};
inline constexpr std::array<double, 4> cubic_places{0.0, modal::Gauss3::node[0],
                                                    modal::Gauss3::node[1], modal::Gauss3::node[2]};
inline constexpr std::array<std::array<double, 4>, 3> cubic_weights{
    lagrange_values(cubic_places, seen_places[0]), lagrange_values(cubic_places, seen_places[1]),
    lagrange_values(cubic_places, seen_places[2])};
inline constexpr std::array<std::array<double, 4>, 3> cubic_slopes{
    lagrange_slopes(cubic_places, seen_places[0]), lagrange_slopes(cubic_places, seen_places[1]),
    lagrange_slopes(cubic_places, seen_places[2])};

/// Step times the rates of what the force has beyond that cubic, as the polynomial through all
/// seven places says: at place q or node q, of its value at place p: [q][p].
inline constexpr auto beyond_cubic_slopes = [](const std::array<double, 3>& where) {
    constexpr std::array<double, 7> places{cubic_places[0], cubic_places[1], cubic_places[2],
                                           cubic_places[3], seen_places[0],  seen_places[1],
                                           seen_places[2]};
    std::array<std::array<double, 3>, 3> slopes{};
    for (std::size_t q = 0; q < 3; ++q) {
        const std::array<double, 7> all = lagrange_slopes(places, where[q]);
        slopes[q] = {all[4], all[5], all[6]};
    }
    return slopes;
};
inline constexpr auto beyond_cubic_at_places = beyond_cubic_slopes(seen_places);
inline constexpr auto beyond_cubic_at_nodes = beyond_cubic_slopes(modal::Gauss3::node);

/// Adds R [m/N] to what the node forces take from the overlap; for laws with rates also to what
/// they take from its rate, over a step [s].
inline void add_residual(modal::Compliances& compliances, double residual, double step,
                         bool law_has_rates) {
    for (std::size_t i = 0; i < 3; ++i) {
        compliances.x[i][i] += residual;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!law_has_rates) {
                compliances.seen[i][k] += residual * parabola_weights[i][k];
                continue;
            }
            compliances.v[i][k] += residual * rate_weights[i][k + 1] / step;
            compliances.seen[i][k] += residual * cubic_weights[i][k + 1];
            compliances.seen_v[i][k] += residual * cubic_slopes[i][k + 1] / step;
        }
    }
}

}  // namespace stoss::impact
