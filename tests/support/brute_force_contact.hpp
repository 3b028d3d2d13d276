#pragma once
/// Maximum dissipation by brute force in extended precision: nothing of the solver's method is
/// used.

#include <array>
#include <cmath>
#include <limits>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <stoss/rigid/contact_problem.hpp>

namespace stoss::tests {

/// Minimises y.A^ y/2 - y.b^ over the convex set |y| <= mu (b_n - a.y)/A_nn of the tangential
/// impulses on the plane of maximum compression: golden-section search over parallel lines, on each
/// line the minimum in closed form. Twice, the second time with lines across the edge of the set,
/// so that both components come out well.
class BruteForceContact {
  public:
    using Wide = boost::multiprecision::cpp_bin_float_quad;

    explicit BruteForceContact(const rigid::ContactProblem& problem)
        : A_nn_(problem.A.nn), b_n_(problem.b.n), mu_(problem.mu) {
        const Wide nt = problem.A.nt, no = problem.A.no;
        a_ = {nt / A_nn_, no / A_nn_};
        h_ = {problem.b.t - a_[0] * b_n_, problem.b.o - a_[1] * b_n_};
        C_tt_ = problem.A.tt - nt * a_[0];
        C_to_ = problem.A.to - nt * a_[1];
        C_oo_ = problem.A.oo - no * a_[1];
    }

    /// The impulse (n, t, o) [N s].
    std::array<Wide, 3> impulse() const {
        if (b_n_ < 0) return {0, 0, 0};
        Vector y = search({1, 0});
        // The edge of the set runs across the gradient of |y| + mu a.y.
        const Wide length = sqrt(y[0] * y[0] + y[1] * y[1]);
        if (length > 0) {
            const Vector across{y[0] / length + mu_ * a_[0], y[1] / length + mu_ * a_[1]};
            const Wide size = sqrt(across[0] * across[0] + across[1] * across[1]);
            if (size > 0) y = search({-across[1] / size, across[0] / size});
        }
        return {b_n_ / A_nn_ - a_[0] * y[0] - a_[1] * y[1], y[0], y[1]};
    }

  private:
    using Vector = std::array<Wide, 2>;

    /// The lowest point of the objective on the line p * along + s * across, in the set.
    struct Lowest {
        bool feasible;
        Wide objective;
        Vector y;
    };

    Lowest lowest_on_line(const Wide& p, const Vector& along) const {
        const Vector across{-along[1], along[0]};
        // (p along + s across) in the cone: s^2 (1 - k^2) + 2 s g k + p^2 - g^2 <= 0 and g >= k s,
        // with the height g - k s of the cone over the line.
        const Wide g = mu_ * (b_n_ / A_nn_ - p * (a_[0] * along[0] + a_[1] * along[1]));
        const Wide k = mu_ * (a_[0] * across[0] + a_[1] * across[1]);
        const Wide quadratic = (1 - k) * (1 + k), discriminant = g * g - p * p * quadratic;
        if (discriminant < 0) return {false, 0, {0, 0}};
        const Wide root = sqrt(discriminant);
        // The two crossings of the double cone; those on the upper half bound the segment.
        const Wide gk = g * k;
        const Wide stable = gk > 0 ? -gk - root : -gk + root;
        const Wide s1 = quadratic != 0 ? stable / quadratic : Wide(0);
        const Wide s2 = stable != 0 ? (p * p - g * g) / stable : Wide(0);
        const bool up1 = quadratic != 0 && g >= k * s1, up2 = g >= k * s2;
        Wide low, high;
        if (up1 && up2) {
            low = s1 < s2 ? s1 : s2;
            high = s1 < s2 ? s2 : s1;
        } else if (up1 || up2) {  // a half line
            low = high = up1 ? s1 : s2;
            const Wide infinity = std::numeric_limits<Wide>::infinity();
            if (k > 0) {
                low = -infinity;
            } else {
                high = infinity;
            }
        } else {
            return {false, 0, {0, 0}};
        }
        const Vector Cp{C_tt_ * along[0] + C_to_ * along[1], C_to_ * along[0] + C_oo_ * along[1]};
        const Vector Cs{C_tt_ * across[0] + C_to_ * across[1],
                        C_to_ * across[0] + C_oo_ * across[1]};
        const Wide curvature = across[0] * Cs[0] + across[1] * Cs[1];
        const Wide coupling = across[0] * Cp[0] + across[1] * Cp[1];
        const Wide pull = across[0] * h_[0] + across[1] * h_[1];
        Wide s = (pull - p * coupling) / curvature;
        if (s < low) s = low;
        if (s > high) s = high;
        const Wide objective = p * p * (along[0] * Cp[0] + along[1] * Cp[1]) / 2 +
                               p * s * coupling + s * s * curvature / 2 -
                               p * (along[0] * h_[0] + along[1] * h_[1]) - s * pull;
        return {true, objective, {p * along[0] + s * across[0], p * along[1] + s * across[1]}};
    }

    /// The origin is in the set and the objective is 0 there: the minimum lies in the ellipse where
    /// it is <= 0.
    Vector search(const Vector& along) const {
        const Wide det = C_tt_ * C_oo_ - C_to_ * C_to_;
        const Vector y0{(C_oo_ * h_[0] - C_to_ * h_[1]) / det,
                        (C_tt_ * h_[1] - C_to_ * h_[0]) / det};
        const Wide energy = sqrt(y0[0] * h_[0] + y0[1] * h_[1]);
        const auto reach = [&](const Vector& e) {
            const Wide spread =
                (C_oo_ * e[0] * e[0] - 2 * C_to_ * e[0] * e[1] + C_tt_ * e[1] * e[1]) / det;
            return energy * sqrt(spread);
        };
        const Wide centre = along[0] * y0[0] + along[1] * y0[1], half = reach(along);
        Wide low = centre - half, high = centre + half;
        const Wide golden = (sqrt(Wide(5)) - 1) / 2;
        Wide p1 = high - golden * (high - low), p2 = low + golden * (high - low);
        Lowest at1 = lowest_on_line(p1, along), at2 = lowest_on_line(p2, along);
        Lowest best{true, 0, {0, 0}};
        for (int step = 0; step < 320; ++step) {
            for (const Lowest* at : {&at1, &at2}) {
                if (at->feasible && at->objective < best.objective) best = *at;
            }
            // Outside the set everything is higher; the set contains p = 0.
            if (!at1.feasible && !at2.feasible && p1 < 0 && p2 > 0) {
                low = p1;
                high = p2;
                p1 = high - golden * (high - low);
                p2 = low + golden * (high - low);
                at1 = lowest_on_line(p1, along);
                at2 = lowest_on_line(p2, along);
                continue;
            }
            const bool keep_left = at1.feasible && at2.feasible   ? at1.objective < at2.objective
                                   : at1.feasible || at2.feasible ? at1.feasible
                                                                  : p1 > 0;
            if (keep_left) {
                high = p2;
                p2 = p1;
                at2 = at1;
                p1 = high - golden * (high - low);
                at1 = lowest_on_line(p1, along);
            } else {
                low = p1;
                p1 = p2;
                at1 = at2;
                p2 = low + golden * (high - low);
                at2 = lowest_on_line(p2, along);
            }
            const Wide size = abs(p1) > abs(p2) ? abs(p1) : abs(p2);
            if (high - low <= size * Wide(1e-18)) break;
        }
        return best.y;
    }

    Wide A_nn_, b_n_, mu_;
    Vector a_, h_;
    Wide C_tt_, C_to_, C_oo_;
};

}  // namespace stoss::tests
