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

/// Response at fraction c of the step to the force l_k.
struct LagrangeResponse {
    std::array<double, 3> q{}, v{};

    LagrangeResponse(double eigenvalue, double damping, double step, double c) {
        static const auto coefficients = lagrange();
        const PolynomialResponse y = polynomial_response(eigenvalue, damping, c * step);
        for (std::size_t k = 0; k < 3; ++k) {
            double power = 1.0;
            for (std::size_t m = 0; m < 3; ++m, power *= c) {
                q[k] += coefficients[k][m] * power * y.q[m];
                v[k] += coefficients[k][m] * power * y.v[m];
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
    constexpr std::size_t arrays = 4 + 12 + 6 + 18 + 2;
    slot.numbers.resize(arrays * padded_, 0.0);
    std::size_t used = 0;
    const auto take = [&](const double*& view) {
        double* const place = slot.numbers.data() + padded_ * used++;
        view = place;
        return place;
    };
    FlowLevel& level = slot.level;
    level.step = step;
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
    for (std::size_t k = 0; k < 3; ++k) {
        double *const q = take(level.push_q[k]), *const v = take(level.push_v[k]);
        for (std::size_t j = 0; j < modes_; ++j) {
            const LagrangeResponse response(eigenvalues_[j], dampings_[j], step, 1.0);
            q[j] = response.q[k];
            v[j] = response.v[k];
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
        for (std::size_t j = 0; j < modes_; ++j) {
            const ModalFlow flow = modal_flow(eigenvalues_[j], dampings_[j], c * step);
            node_qq[j] = flow.qq;
            node_qv[j] = flow.qv;
            node_vq[j] = flow.vq;
            node_vv[j] = flow.vv;
            const LagrangeResponse response(eigenvalues_[j], dampings_[j], step, c);
            for (std::size_t k = 0; k < 3; ++k) {
                response_q[k][j] = response.q[k];
                response_v[k][j] = response.v[k];
            }
        }
    }
}

}  // namespace stoss::modal
