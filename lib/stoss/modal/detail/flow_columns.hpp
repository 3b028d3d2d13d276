#pragma once
/// The numbers of one mode in the tables of propagators.hpp.

#include <array>
#include <cstddef>

#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_response.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::modal::detail {

/// Lagrange's polynomials of the Gauss nodes: l_k(u) = sum_m coefficient[k][m] u^m.
constexpr std::array<std::array<double, 3>, 3> lagrange() {
    const auto& c = Gauss3::node;
    std::array<std::array<double, 3>, 3> coefficients{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double a = c[(k + 1) % 3], b = c[(k + 2) % 3];
        const double scale = 1.0 / ((c[k] - a) * (c[k] - b));
        coefficients[k] = {scale * a * b, -scale * (a + b), scale};
    }
    return coefficients;
}

/// `node_polynomial` z^w = sum_m coefficient[w][m] u^m, w = 0 ... 3.
inline std::array<std::array<double, PolynomialResponse::powers>, 4> defects() {
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

/// Response at fraction c of the step to a force that is a polynomial in u.
struct Responses {
    std::array<double, 3> q{}, v{};                ///< to the force l_k
    std::array<double, 4> defect_q{}, defect_v{};  ///< to `node_polynomial` z^w

    Responses(double eigenvalue, double damping, double step, double c) {
        static const auto to_nodes = lagrange();
        static const auto to_defects = defects();
        const PolynomialResponse y = polynomial_response(eigenvalue, damping, c * step);
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

/// The columns of the free motion over a step.
template <class At>
void fill_flow(double eigenvalue, double damping, double step, const At& at) {
    using Column = FlowColumn;
    const ModalFlow whole = modal_flow(eigenvalue, damping, step);
    at(Column::qq) = whole.qq;
    at(Column::qv) = whole.qv;
    at(Column::vq) = whole.vq;
    at(Column::vv) = whole.vv;
}

/// The columns that carry a motion over a step: flow and responses at the nodes and at the end, and
/// the defects at these places. `at(column)`: place of a number.
template <class At>
void fill_motion(double eigenvalue, double damping, double step, const At& at) {
    using Column = FlowColumn;
    fill_flow(eigenvalue, damping, step, at);
    const Responses at_end(eigenvalue, damping, step, 1.0);
    for (std::size_t k = 0; k < 3; ++k) {
        at(Column::end_response_q[k]) = at_end.q[k];
        at(Column::end_response_v[k]) = at_end.v[k];
    }
    for (std::size_t w = 0; w < 4; ++w) {
        at(Column::defect_q[w]) = at_end.defect_q[w];
        at(Column::defect_v[w]) = at_end.defect_v[w];
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = Gauss3::node[i];
        const ModalFlow flow = modal_flow(eigenvalue, damping, c * step);
        at(Column::node_qq[i]) = flow.qq;
        at(Column::node_qv[i]) = flow.qv;
        at(Column::node_vq[i]) = flow.vq;
        at(Column::node_vv[i]) = flow.vv;
        const Responses response(eigenvalue, damping, step, c);
        for (std::size_t k = 0; k < 3; ++k) {
            at(Column::response_q[3 * i + k]) = response.q[k];
            at(Column::response_v[3 * i + k]) = response.v[k];
        }
        for (std::size_t w = 0; w < 4; ++w)
            at(Column::node_defect[4 * i + w]) = response.defect_q[w];
    }
}

/// All columns of one mode.
template <class At>
void fill_columns(double eigenvalue, double damping, double step, const At& at) {
    using Column = FlowColumn;
    fill_motion(eigenvalue, damping, step, at);
    for (std::size_t b = 0; b < 2; ++b) {
        const double c = Gauss3::between[b];
        const ModalFlow flow = modal_flow(eigenvalue, damping, c * step);
        at(Column::between_qq[b]) = flow.qq;
        at(Column::between_qv[b]) = flow.qv;
        const Responses response(eigenvalue, damping, step, c);
        for (std::size_t k = 0; k < 3; ++k) at(Column::between_response[3 * b + k]) = response.q[k];
        for (std::size_t w = 0; w < 4; ++w)
            at(Column::between_defect[4 * b + w]) = response.defect_q[w];
    }
}

}  // namespace stoss::modal::detail
