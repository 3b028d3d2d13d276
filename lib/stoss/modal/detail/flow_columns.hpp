#pragma once
/// The numbers of one mode in the tables of propagators.hpp.

#include <array>
#include <cstddef>

#include <stoss/core/gauss3.hpp>
#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_response.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal::detail {

/// Lagrange's polynomials of the Gauss nodes: l_k(u) = sum_m coefficient[k][m] u^m.
constexpr std::array<std::array<double, 3>, 3> lagrange() {
    const auto& c = core::Gauss3::node;
    std::array<std::array<double, 3>, 3> coefficients{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = c[(k + 1) % 3], b = c[(k + 2) % 3];
        const double scale = 1.0 / ((c[k] - a) * (c[k] - b));
        coefficients[k] = {scale * a * b, -scale * (a + b), scale};
    }
    return coefficients;
}

/// `node_polynomial` z^w = sum_m coefficient[w][m] u^m, w = 0 ... 3.
constexpr std::array<std::array<double, PolynomialResponse::powers>, 4> defects() {
    std::array<std::array<double, PolynomialResponse::powers>, 4> coefficients{};
    coefficients[0] = {-1.0, 12.0, -30.0, 20.0};
    for (std::size_t w = 1; w < 4; ++w) {
        for (std::size_t m = 0; m < PolynomialResponse::powers; ++m) {
            const double below = m > 0 ? coefficients[w - 1][m - 1] : 0.0;
            coefficients[w][m] = 2.0 * below - coefficients[w - 1][m];
        }
    }
    return coefficients;
}

/// Response at fraction c of the step to a force that is a polynomial in u; `y`: over c times the
/// step.
struct Responses {
    std::array<double, 3> q{}, v{};                ///< to the force l_k
    std::array<double, 4> defect_q{}, defect_v{};  ///< to `node_polynomial` z^w

    Responses(const PolynomialResponse& y, double c) {
        static constexpr auto to_nodes = lagrange();
        static constexpr auto to_defects = defects();
        double power = 1.0;
        for (std::size_t m = 0; m < PolynomialResponse::powers; ++m, power *= c) {
            for (std::size_t k = 0; m < 3 && k < 3; ++k) {
                q[k] += to_nodes[k][m] * power * y.q[m];
                v[k] += to_nodes[k][m] * power * y.v[m];
            }
            for (std::size_t w = 0; w < 4; ++w) {
                defect_q[w] += to_defects[w][m] * power * y.q[m];
                defect_v[w] += to_defects[w][m] * power * y.v[m];
            }
        }
    }
};

/// Fractions of a step to which the columns lead: the end, the nodes, and halfway between these.
constexpr std::array<double, 6> places{1.0,
                                       core::Gauss3::node[0],
                                       core::Gauss3::node[1],
                                       core::Gauss3::node[2],
                                       core::Gauss3::between[0],
                                       core::Gauss3::between[1]};
/// How a mode gets to these places.
using StepsToPlaces = std::array<ModalStep, places.size()>;

/// The columns of the free motion over a step. `at(column)`: place of a number.
template <class At>
void fill_flow(const ModalFlow& flow, const At& at) {
    using Column = FlowColumn;
    at(Column::qq) = flow.qq;
    at(Column::qv) = flow.qv;
    at(Column::vq) = flow.vq;
    at(Column::vv) = flow.vv;
}

/// The columns that carry a motion to the end of a step.
template <class At>
void fill_end(const ModalStep& step, const At& at) {
    using Column = FlowColumn;
    fill_flow(step.flow, at);
    const Responses response(step.response, 1.0);
    for (std::size_t k = 0; k < 3; ++k) {
        at(Column::end_response_q[k]) = response.q[k];
        at(Column::end_response_v[k]) = response.v[k];
    }
    for (std::size_t w = 0; w < 4; ++w) {
        at(Column::defect_q[w]) = response.defect_q[w];
        at(Column::defect_v[w]) = response.defect_v[w];
    }
}

/// The columns that carry it to node i.
template <class At>
void fill_node(const ModalStep& step, std::size_t i, const At& at) {
    using Column = FlowColumn;
    at(Column::node_qq[i]) = step.flow.qq;
    at(Column::node_qv[i]) = step.flow.qv;
    at(Column::node_vq[i]) = step.flow.vq;
    at(Column::node_vv[i]) = step.flow.vv;
    const Responses response(step.response, core::Gauss3::node[i]);
    for (std::size_t k = 0; k < 3; ++k) {
        at(Column::response_q[3 * i + k]) = response.q[k];
        at(Column::response_v[3 * i + k]) = response.v[k];
    }
    for (std::size_t w = 0; w < 4; ++w) {
        at(Column::node_defect[4 * i + w]) = response.defect_q[w];
        at(Column::node_defect_v[4 * i + w]) = response.defect_v[w];
    }
}

/// The columns that carry it to place b between the nodes.
template <class At>
void fill_between(const ModalStep& step, std::size_t b, const At& at) {
    using Column = FlowColumn;
    at(Column::between_qq[b]) = step.flow.qq;
    at(Column::between_qv[b]) = step.flow.qv;
    at(Column::between_vq[b]) = step.flow.vq;
    at(Column::between_vv[b]) = step.flow.vv;
    const Responses response(step.response, core::Gauss3::between[b]);
    for (std::size_t k = 0; k < 3; ++k) {
        at(Column::between_response[3 * b + k]) = response.q[k];
        at(Column::between_response_v[3 * b + k]) = response.v[k];
    }
    for (std::size_t w = 0; w < 4; ++w) {
        at(Column::between_defect[4 * b + w]) = response.defect_q[w];
        at(Column::between_defect_v[4 * b + w]) = response.defect_v[w];
    }
}

/// All columns of one mode.
template <class At>
void fill_columns(const StepsToPlaces& steps, const At& at) {
    fill_end(steps[0], at);
    for (std::size_t i = 0; i < 3; ++i) fill_node(steps[1 + i], i, at);
    for (std::size_t b = 0; b < 2; ++b) fill_between(steps[4 + b], b, at);
}

}  // namespace stoss::modal::detail
