#include <stoss/motion/detail/slip_direction.hpp>

#include <cmath>

#include <Eigen/LU>
#include <stoss/core/elementary.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>

namespace stoss::motion {

using core::Gauss3;

const Eigen::Matrix3d& integrals_to_nodes() {
    static const Eigen::Matrix3d integrals = [] {
        constexpr double root = 10.0 * Gauss3::root;  // sqrt(15)
        Eigen::Matrix3d a;
        a << 5.0 / 36.0, 2.0 / 9.0 - root / 15.0, 5.0 / 36.0 - root / 30.0,  //
            5.0 / 36.0 + root / 24.0, 2.0 / 9.0, 5.0 / 36.0 - root / 24.0,   //
            5.0 / 36.0 + root / 30.0, 2.0 / 9.0 + root / 15.0, 5.0 / 36.0;
        return a;
    }();
    return integrals;
}

SlipTurn slip_turn(double h, const SlipPull& pull) {
    constexpr int most = 50;
    const Eigen::Matrix3d a = h * integrals_to_nodes();
    Eigen::Vector3d angle = Eigen::Vector3d::Zero(), rate;
    Eigen::Matrix3d matrix;
    double change = 1.0;
    for (int iteration = 0; iteration < most; ++iteration) {
        matrix.setIdentity();
        for (Eigen::Index k = 0; k < 3; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const double s = core::sin(angle[k]), c = core::cos(angle[k]);
            rate[k] = pull.across[at] * c - pull.along[at] * s;
            matrix.col(k) += (pull.across[at] * s + pull.along[at] * c) * a.col(k);
        }
        if (change < 1e-15) break;
        const Eigen::Vector3d step = matrix.partialPivLu().solve(a * rate - angle);
        angle += step;
        change = step.cwiseAbs().maxCoeff();
    }
    SlipTurn turn;
    for (std::size_t i = 0; i < 3; ++i) {
        turn.angle[i] = angle[static_cast<Eigen::Index>(i)];
        turn.end += h * Gauss3::weight[i] * rate[static_cast<Eigen::Index>(i)];
    }
    turn.by_rate = matrix.partialPivLu().solve(a);
    return turn;
}

}  // namespace stoss::motion
