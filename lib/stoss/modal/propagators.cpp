#include <stoss/modal/propagators.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <stoss/modal/modal_flow.hpp>
#include <stoss/modal/modal_response.hpp>

namespace stoss::modal {

namespace {

/// Lagrange's polynomials of the Gauss nodes: l_k(u) = sum_m coefficient[k][m] u^m.
std::array<std::array<double, 3>, 3> lagrange() {
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
std::array<std::array<double, PolynomialResponse::powers>, 4> defects() {
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

/// The columns of one mode.
template <class At>
void fill(double eigenvalue, double damping, double step, At at) {
    using Column = FlowColumn;
    const auto write_flow = [&](double time, std::size_t qq, std::size_t qv) {
        const ModalFlow flow = modal_flow(eigenvalue, damping, time);
        at(qq) = flow.qq;
        at(qv) = flow.qv;
        return flow;
    };
    const ModalFlow whole = write_flow(step, Column::qq, Column::qv);
    at(Column::vq) = whole.vq;
    at(Column::vv) = whole.vv;
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
        const ModalFlow flow = write_flow(c * step, Column::node_qq[i], Column::node_qv[i]);
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
    for (std::size_t b = 0; b < 2; ++b) {
        const double c = Gauss3::between[b];
        write_flow(c * step, Column::between_qq[b], Column::between_qv[b]);
        const Responses response(eigenvalue, damping, step, c);
        for (std::size_t k = 0; k < 3; ++k) at(Column::between_response[3 * b + k]) = response.q[k];
        for (std::size_t w = 0; w < 4; ++w)
            at(Column::between_defect[4 * b + w]) = response.defect_q[w];
    }
}

}  // namespace

Propagators::Propagators(std::span<const double> eigenvalues, std::span<const double> dampings,
                         double longest_step)
    : modes_(eigenvalues.size()),
      padded_((modes_ + lanes - 1) / lanes * lanes),
      eigenvalues_(padded_, 0.0),
      dampings_(padded_, 0.0),
      omegas_(padded_, 0.0),
      inverse_(padded_, 0.0),
      slots_(std::make_unique<std::array<Slot, levels>>()) {
    std::copy(eigenvalues.begin(), eigenvalues.end(), eigenvalues_.begin());
    std::copy(dampings.begin(), dampings.end(), dampings_.begin());
    for (int l = 0; l < levels; ++l) {
        steps_[static_cast<std::size_t>(l)] =
            std::ldexp(l % 2 == 0 ? longest_step : longest_step / std::numbers::sqrt2, -(l / 2));
    }
    for (std::size_t j = 0; j < modes_; ++j) {
        if (eigenvalues_[j] > 0.0) inverse_[j] = 1.0 / eigenvalues_[j];
        omegas_[j] = std::sqrt(eigenvalues_[j]);
        fastest_ = std::max(fastest_, omegas_[j] + dampings_[j]);
        highest_omega_ = std::max(highest_omega_, omegas_[j]);
    }
}

const Propagator& Propagators::level(int l) const {
    Slot& slot = (*slots_)[static_cast<std::size_t>(l)];
    std::call_once(slot.made, [&] { make(slot, step(l)); });
    return slot.level;
}

void Propagators::make(Slot& slot, double step) const {
    slot.numbers.resize(FlowColumn::count * padded_, 0.0);
    slot.level = {step, eigenvalues_.data(), dampings_.data(), slot.numbers.data()};
    for (std::size_t j = 0; j < modes_; ++j) {
        double* const first = slot.numbers.data() + Propagator::place(j);
        fill(eigenvalues_[j], dampings_[j], step,
             [&](std::size_t column) -> double& { return first[column * lanes]; });
    }
}

}  // namespace stoss::modal
