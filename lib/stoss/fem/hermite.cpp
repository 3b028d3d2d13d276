#include <stoss/fem/hermite.hpp>

namespace stoss::fem {

Eigen::Vector4d hermite_shape(double s, double h) {
    const double r = 1.0 - s;
    return {r * r * (1.0 + 2.0 * s), h * s * r * r, s * s * (1.0 + 2.0 * r), -h * r * s * s};
}

Eigen::Vector4d hermite_slope(double s, double h) {
    const double r = 1.0 - s;
    const double bow = 6.0 * s * r / h;
    return {-bow, r * (1.0 - 3.0 * s), bow, s * (1.0 - 3.0 * r)};
}

Eigen::Vector4d hermite_curvature(double s, double h) {
    const double bend = (12.0 * s - 6.0) / (h * h);
    return {bend, (6.0 * s - 4.0) / h, -bend, (6.0 * s - 2.0) / h};
}

Eigen::Matrix4d hermite_mass(double density, double h) {
    // One constant a kind of entry: entries that must cancel in a rigid motion are equal bit by
    // bit.
    const double unit = density * h / 420.0;
    const double ww = 156.0 * unit, ww_far = 54.0 * unit;
    const double wt = 22.0 * h * unit, wt_far = 13.0 * h * unit;
    const double tt = 4.0 * h * h * unit, tt_far = 3.0 * h * h * unit;
    return Eigen::Matrix4d{{ww, wt, ww_far, -wt_far},
                           {wt, tt, wt_far, -tt_far},
                           {ww_far, wt_far, ww, -wt},
                           {-wt_far, -tt_far, -wt, tt}};
}

Eigen::Matrix4d hermite_stiffness(double stiffness, double h) {
    const double tt = 2.0 * stiffness / h;
    const double wt = 3.0 * tt / h;
    const double ww = 2.0 * wt / h;
    return Eigen::Matrix4d{
        {ww, wt, -ww, wt}, {wt, 2.0 * tt, -wt, tt}, {-ww, -wt, ww, -wt}, {wt, tt, -wt, 2.0 * tt}};
}

}  // namespace stoss::fem
