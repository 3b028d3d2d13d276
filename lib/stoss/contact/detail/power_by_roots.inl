// x^p by square roots, for any number type Real: double, or a vector of doubles (one contact a
// lane). Not a header: included where Real's operators and sqrt are known (core/number.hpp,
// core/vector.inl).

/// Precondition: contact::takes_roots(p).
template <class Real>
STOSS_INLINE Real power_by_roots(Real x, double p) {
    if (p == 1.5) return x * sqrt(x);
    if (p == 1.0) return x;
    if (p == 0.5) return sqrt(x);
    if (p == 0.25) return sqrt(sqrt(x));
    return x * x * sqrt(x);
}
