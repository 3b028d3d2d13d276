#include <stoss/fem/timoshenko.hpp>

#include <stoss/fem/hermite.hpp>

namespace stoss::fem {

namespace {

/// `nodal` of the Hermite element, with what the shear strain adds between them.
Vector7d with_shear(const Eigen::Vector4d& nodal, double constant, double linear,
                    double quadratic) {
    return (Vector7d() << nodal.head<2>(), constant, linear, quadratic, nodal.tail<2>()).finished();
}

}  // namespace

Vector7d timoshenko_deflection(double s, double h) {
    const double arch = h * s * (1.0 - s), wave = arch * (1.0 - 2.0 * s);
    return with_shear(hermite_shape(s, h), wave, arch, wave);
}

Vector7d timoshenko_rotation(double s, double h) {
    return with_shear(hermite_slope(s, h), -6.0 * s * (1.0 - s), 0.0, 0.0);
}

Vector7d timoshenko_curvature(double s, double h) {
    return with_shear(hermite_curvature(s, h), (12.0 * s - 6.0) / h, 0.0, 0.0);
}

Vector7d timoshenko_shear(double s, double) {
    return with_shear(Eigen::Vector4d::Zero(), 1.0, 1.0 - 2.0 * s, 1.0 - 6.0 * s * (1.0 - s));
}

}  // namespace stoss::fem
