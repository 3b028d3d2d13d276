#pragma once
/// The contact law in series with the residual flexibility R of the bodies
/// (theory/collision.md 6.15, theory/splitting_scheme.md 12.12).
///
/// The modes give the overlap x, the law sees delta = x - R F. At the Gauss nodes of a step this is
/// R on the diagonal of the compliances. Where the force is seen elsewhere it follows from the
/// parabola through the node forces by one step of Newton's method.

#include <cstddef>

#include <stoss/modal/modal_kernels.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::impact {

/// Adds R [m/N] to what the node forces take from the overlap; for laws with rates also to what
/// they take from its rate, over a step [s].
inline void add_residual(modal::Compliances& compliances, double residual, double step,
                         bool law_has_rates) {
    for (std::size_t i = 0; i < 3; ++i) {
        compliances.x[i][i] += residual;
        for (std::size_t k = 0; k < 3; ++k) {
            if (!law_has_rates) {
                compliances.seen[i][k] += residual * time::parabola_weights[i][k];
                continue;
            }
            compliances.v[i][k] += residual * time::rate_weights[i][k + 1] / step;
            compliances.seen[i][k] += residual * time::cubic_weights[i][k + 1];
            compliances.seen_v[i][k] += residual * time::cubic_slopes[i][k + 1] / step;
        }
    }
}

}  // namespace stoss::impact
