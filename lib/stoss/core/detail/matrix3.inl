// Vectors and matrices of three rows, for any number type Real: double, or a vector of doubles. Not
// a header: included where Real's operators are known (core/number.hpp, core/vector.inl).

template <class Real>
using Triple = std::array<Real, 3>;
template <class Real>
using Matrix3 = std::array<Triple<Real>, 3>;

template <class A, class Real>
STOSS_INLINE Real dot(const std::array<A, 3>& a, const Triple<Real>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

template <class Real>
STOSS_INLINE Triple<Real> cross(const Triple<Real>& u, const Triple<Real>& w) {
    return {u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]};
}

/// Inverse of a 3x3 matrix; not finite if it is singular.
template <class Real>
STOSS_INLINE Matrix3<Real> inverse3(const Matrix3<Real>& m) {
    const Triple<Real> r0 = cross(m[1], m[2]), r1 = cross(m[2], m[0]), r2 = cross(m[0], m[1]);
    const Real scale = Real(1.0) / dot(m[0], r0);
    Matrix3<Real> inverse;
    for (std::size_t k = 0; k < 3; ++k) inverse[k] = {scale * r0[k], scale * r1[k], scale * r2[k]};
    return inverse;
}
