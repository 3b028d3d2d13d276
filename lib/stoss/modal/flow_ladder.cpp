#include <stoss/modal/flow_ladder.hpp>

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

}  // namespace

FlowLadder::FlowLadder(std::span<const double> eigenvalues, std::span<const double> dampings,
                       double longest_step)
    : modes_(eigenvalues.size()),
      padded_((modes_ + lanes - 1) / lanes * lanes),
      eigenvalues_(padded_, 0.0),
      dampings_(padded_, 0.0),
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
        fastest_ = std::max(fastest_, std::sqrt(eigenvalues_[j]) + dampings_[j]);
    }
}

const FlowLevel& FlowLadder::level(int l) const {
    Slot& slot = (*slots_)[static_cast<std::size_t>(l)];
    std::call_once(slot.made, [&] { make(slot, step(l)); });
    return slot.level;
}

void FlowLadder::make(Slot& slot, double step) const {
    constexpr std::size_t arrays = 4 + 12 + 6 + 18 + 18 + 8 + 12 + 2;
    slot.numbers.resize(arrays * padded_, 0.0);
    std::size_t used = 0;
    const auto take = [&](const double*& view) {
        double* const place = slot.numbers.data() + padded_ * used++;
        view = place;
        return place;
    };
    FlowLevel& level = slot.level;
    level.step = step;
    level.eigenvalues = eigenvalues_.data();
    level.dampings = dampings_.data();
    double *const qq = take(level.qq), *const qv = take(level.qv);
    double *const vq = take(level.vq), *const vv = take(level.vv);
    double *const smooth = take(level.smooth_bound), *const any = take(level.any_bound);
    for (std::size_t j = 0; j < modes_; ++j) {
        const ModalFlow flow = modal_flow(eigenvalues_[j], dampings_[j], step);
        qq[j] = flow.qq;
        qv[j] = flow.qv;
        vq[j] = flow.vq;
        vv[j] = flow.vv;
        // Of a vibration A is its amplitude, of a rigid mode its rate (modal_kernels.hpp).
        const double d = dampings_[j], omega = std::sqrt(eigenvalues_[j]);
        if (omega > 0.0) {
            smooth[j] = std::pow((omega + d) * step, 4) / 384.0;
            any[j] = std::min(smooth[j], 2.0 + 0.25 * omega * step);
        } else {
            smooth[j] = step * std::pow(d * step, 3) / 384.0;
            any[j] = std::min(smooth[j], 2.0 * step);
        }
    }
    std::array<double*, 3> push_q{}, push_v{};
    std::array<double*, 4> defect_q{}, defect_v{};
    for (std::size_t k = 0; k < 3; ++k) {
        push_q[k] = take(level.push_q[k]);
        push_v[k] = take(level.push_v[k]);
    }
    for (std::size_t w = 0; w < 4; ++w) {
        defect_q[w] = take(level.defect_q[w]);
        defect_v[w] = take(level.defect_v[w]);
    }
    for (std::size_t j = 0; j < modes_; ++j) {
        const Responses response(eigenvalues_[j], dampings_[j], step, 1.0);
        for (std::size_t k = 0; k < 3; ++k) {
            push_q[k][j] = response.q[k];
            push_v[k][j] = response.v[k];
        }
        for (std::size_t w = 0; w < 4; ++w) {
            defect_q[w][j] = response.defect_q[w];
            defect_v[w][j] = response.defect_v[w];
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = Gauss3::node[i];
        double *const node_qq = take(level.node_qq[i]), *const node_qv = take(level.node_qv[i]);
        double *const node_vq = take(level.node_vq[i]), *const node_vv = take(level.node_vv[i]);
        std::array<double*, 3> response_q{}, response_v{};
        for (std::size_t k = 0; k < 3; ++k) {
            response_q[k] = take(level.response_q[i][k]);
            response_v[k] = take(level.response_v[i][k]);
        }
        std::array<double*, 4> node_defect{};
        for (std::size_t w = 0; w < 4; ++w) node_defect[w] = take(level.node_defect[i][w]);
        for (std::size_t j = 0; j < modes_; ++j) {
            const ModalFlow flow = modal_flow(eigenvalues_[j], dampings_[j], c * step);
            node_qq[j] = flow.qq;
            node_qv[j] = flow.qv;
            node_vq[j] = flow.vq;
            node_vv[j] = flow.vv;
            const Responses response(eigenvalues_[j], dampings_[j], step, c);
            for (std::size_t k = 0; k < 3; ++k) {
                response_q[k][j] = response.q[k];
                response_v[k][j] = response.v[k];
            }
            for (std::size_t w = 0; w < 4; ++w) node_defect[w][j] = response.defect_q[w];
        }
    }
    for (std::size_t b = 0; b < 2; ++b) {
        const double c = Gauss3::between[b];
        double* const between_qq = take(level.between_qq[b]);
        double* const between_qv = take(level.between_qv[b]);
        std::array<double*, 3> response_q{};
        for (std::size_t k = 0; k < 3; ++k) response_q[k] = take(level.between_response[b][k]);
        std::array<double*, 4> defect{};
        for (std::size_t w = 0; w < 4; ++w) defect[w] = take(level.between_defect[b][w]);
        for (std::size_t j = 0; j < modes_; ++j) {
            const ModalFlow flow = modal_flow(eigenvalues_[j], dampings_[j], c * step);
            between_qq[j] = flow.qq;
            between_qv[j] = flow.qv;
            const Responses response(eigenvalues_[j], dampings_[j], step, c);
            for (std::size_t k = 0; k < 3; ++k) response_q[k][j] = response.q[k];
            for (std::size_t w = 0; w < 4; ++w) defect[w][j] = response.defect_q[w];
        }
    }
}

}  // namespace stoss::modal
