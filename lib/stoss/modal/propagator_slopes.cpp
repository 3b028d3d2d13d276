#include <stoss/modal/propagator_slopes.hpp>

#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/detail/flow_columns.hpp>
#include <stoss/modal/detail/forced_mode.hpp>

namespace stoss::modal {

namespace {

constexpr double small_square = 2.0;

/// (sin x - x cos x)/x^3 of a square |x^2| < `small_square`; 1/3 at 0.
double bessel_part(double square) {
    // sum over n of (-x^2)^n (2 n + 2)/(2 n + 3)!
    constexpr double unseen = 1e-19;
    double term = 1.0 / 6.0, sum = 0.0;
    for (int n = 0; std::abs(term) > unseen; ++n) {
        sum += (2.0 * n + 2.0) * term;
        term *= -square / ((2.0 * n + 4.0) * (2.0 * n + 5.0));
    }
    return sum;
}

/// g = s * s, the convolution of the response to a unit impulse with itself (theory/gradients.md
/// 26.6), and its derivatives by t.
struct ImpulseConvolution {
    double g, rate, curvature;
};

/// Of a mode that creeps, by its slow and its fast rate [1/s]; a = d/2, w^2 = a^2 - lambda. The
/// equations of g would cancel.
ImpulseConvolution creeping_convolution(double eigenvalue, double a, double w, double t) {
    const double fast = a + w, slow = eigenvalue > 0.0 ? eigenvalue / fast : 0.0;
    const double grown = core::exp(-slow * t), decayed = core::exp(-fast * t);
    const double by_slow = slow * grown, by_fast = fast * decayed;
    const double square = 4.0 * w * w;
    return {(t * (grown + decayed) - (grown - decayed) / w) / square,
            (grown + decayed - t * (by_slow + by_fast) + (by_slow - by_fast) / w) / square,
            (t * (slow * by_slow + fast * by_fast) - 2.0 * (by_slow + by_fast) -
             (slow * by_slow - fast * by_fast) / w) /
                square};
}

/// `flow`: over t >= 0; it has sine and cosine.
ImpulseConvolution impulse_convolution(const ModalFlow& flow, double eigenvalue, double damping,
                                       double t) {
    const double a = 0.5 * damping, square = (eigenvalue - a * a) * t * t;
    if (square <= -small_square)
        return creeping_convolution(eigenvalue, a, std::sqrt(-square) / t, t);
    const double s = flow.qv;
    const double cosine = flow.vv + a * s;  // exp(-a t) cos w t
    const double g = square >= small_square
                         ? 0.5 * (s - t * cosine) / (eigenvalue - a * a)
                         : 0.5 * t * t * t * core::exp(-a * t) * bessel_part(square);
    const double rate = -a * g + 0.5 * t * s;
    return {g, rate, s - damping * rate - eigenvalue * g};
}

}  // namespace

FlowSlopes flow_slopes(const ModalFlow& flow, double eigenvalue, double damping, double t) {
    const auto [g, rate, curvature] = impulse_convolution(flow, eigenvalue, damping, t);
    FlowSlopes slopes;
    slopes.by_eigenvalue = {-rate - damping * g, -g, eigenvalue * g - flow.qv, -rate};
    slopes.by_damping = {eigenvalue * g, -rate, eigenvalue * rate, -curvature};
    return slopes;
}

namespace {

/// A number with its derivatives by lambda and d.
struct Slope {
    double value = 0.0, lambda = 0.0, damping = 0.0;

    friend Slope operator+(Slope a, Slope b) {
        return {a.value + b.value, a.lambda + b.lambda, a.damping + b.damping};
    }
    friend Slope operator-(Slope a, Slope b) {
        return {a.value - b.value, a.lambda - b.lambda, a.damping - b.damping};
    }
    friend Slope operator*(Slope a, Slope b) {
        return {a.value * b.value, a.lambda * b.value + a.value * b.lambda,
                a.damping * b.value + a.value * b.damping};
    }
    friend Slope operator*(double a, Slope b) { return {a * b.value, a * b.lambda, a * b.damping}; }
    friend Slope operator*(Slope a, double b) { return b * a; }
    friend Slope operator/(Slope a, double b) { return {a.value / b, a.lambda / b, a.damping / b}; }
    Slope& operator+=(Slope b) { return *this = *this + b; }
    Slope& operator*=(double b) { return *this = *this * b; }
};

struct Response {
    std::array<Slope, ResponseSlopes::powers> q, v;
};

/// A modal flow with its derivatives.
struct FlowWithSlopes {
    Slope qq, qv, vq, vv;

    FlowWithSlopes(double eigenvalue, double damping, double t) {
        const ModalFlow flow = modal_flow(eigenvalue, damping, t);
        const FlowSlopes by = flow_slopes(flow, eigenvalue, damping, t);
        qq = {flow.qq, by.by_eigenvalue.qq, by.by_damping.qq};
        qv = {flow.qv, by.by_eigenvalue.qv, by.by_damping.qv};
        vq = {flow.vq, by.by_eigenvalue.vq, by.by_damping.vq};
        vv = {flow.vv, by.by_eigenvalue.vv, by.by_damping.vv};
    }
};

}  // namespace

ResponseSlopes response_slopes(double eigenvalue, double damping, double t) {
    const Slope lambda{eigenvalue, 1.0, 0.0}, d{damping, 0.0, 1.0};
    const Response y = detail::response_over(
        eigenvalue, damping, t,
        [&](double part) { return detail::response_of_series<Response>(lambda, d, part); },
        [&](double part) { return FlowWithSlopes(eigenvalue, damping, part); });
    ResponseSlopes slopes;
    for (std::size_t m = 0; m < ResponseSlopes::powers; ++m) {
        slopes.q_by_eigenvalue[m] = y.q[m].lambda;
        slopes.v_by_eigenvalue[m] = y.v[m].lambda;
        slopes.q_by_damping[m] = y.q[m].damping;
        slopes.v_by_damping[m] = y.v[m].damping;
    }
    return slopes;
}

namespace {

/// The columns of one mode at the fraction c of the step, for the outputs q and v.
template <class At>
void fill(double eigenvalue, double damping, double step, double c, std::size_t q, std::size_t v,
          At at) {
    using Column = StepColumn;
    const auto write = [&](std::size_t kind, const ModalFlow& flow,
                           const ResponseSlopes::Numbers& by_q,
                           const ResponseSlopes::Numbers& by_v) {
        at(kind + Column::at(q, Column::q)) = flow.qq;
        at(kind + Column::at(q, Column::v)) = flow.qv;
        at(kind + Column::at(v, Column::q)) = flow.vq;
        at(kind + Column::at(v, Column::v)) = flow.vv;
        constexpr auto to_nodes = detail::lagrange();
        for (std::size_t k = 0; k < 3; ++k) {
            double power = 1.0;
            for (std::size_t m = 0; m < 3; ++m, power *= c) {
                at(kind + Column::at(q, Column::force + k)) += to_nodes[k][m] * power * by_q[m];
                at(kind + Column::at(v, Column::force + k)) += to_nodes[k][m] * power * by_v[m];
            }
        }
    };
    const FlowSlopes flow =
        flow_slopes(modal_flow(eigenvalue, damping, c * step), eigenvalue, damping, c * step);
    const ResponseSlopes response = response_slopes(eigenvalue, damping, c * step);
    write(Column::by_eigenvalue, flow.by_eigenvalue, response.q_by_eigenvalue,
          response.v_by_eigenvalue);
    write(Column::by_damping, flow.by_damping, response.q_by_damping, response.v_by_damping);
}

}  // namespace

PropagatorSlopes::PropagatorSlopes(const Propagators& propagators)
    : propagators_(propagators),
      slots_(std::make_unique<std::array<Slot, Propagators::levels>>()) {}

const double* PropagatorSlopes::level(const Propagator& flow) const {
    Slot& slot = (*slots_)[flow.number];
    std::call_once(slot.made, [&] {
        slot.numbers.resize(StepColumn::count * propagators_.padded(), 0.0);
        for (std::size_t j = 0; j < propagators_.padded(); ++j) {
            double* const first = slot.numbers.data() + place(j);
            const auto at = [&](std::size_t column) -> double& {
                return first[column * Propagator::lanes];
            };
            const double lambda = flow.eigenvalues[j], d = flow.dampings[j];
            for (std::size_t i = 0; i < core::Gauss3::nodes; ++i)
                fill(lambda, d, flow.step, core::Gauss3::node[i], StepColumn::node_q + i,
                     StepColumn::node_v + i, at);
            fill(lambda, d, flow.step, 1.0, StepColumn::end_q, StepColumn::end_v, at);
        }
    });
    return slot.numbers.data();
}

}  // namespace stoss::modal
