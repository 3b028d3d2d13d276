#pragma once
/// Elementary functions with the same bits on every machine.
///
/// The mathematical library of the system picks a variant of sin, exp or pow by what the processor
/// has (with or without fused multiply-add); their results differ in the last bit. These functions
/// use additions, multiplications, divisions and roots of IEEE 754 alone. Special values are those
/// of C (Annex F). The largest error of 10^5 random arguments of each is below 0.51 units in the
/// last place (tests/unit/elementary_test.cpp: against 50 digits); of powers with |y ln x| beyond
/// 20 it is below 2 units.

namespace stoss::core {

double exp(double x);
double exp2(double x);
/// exp(x) - 1, also where that is small.
double expm1(double x);
/// Natural logarithm; -infinity at 0, NaN below.
double log(double x);
double log2(double x);
double log10(double x);
/// log(1 + x), also where that is small.
double log1p(double x);
/// x^y; NaN for x < 0 unless y is an integer.
double pow(double x, double y);
double cbrt(double x);
/// sqrt(x^2 + y^2) without overflow on the way.
double hypot(double x, double y);

/// Functions of angles [rad]. Precondition of these: |x| < 2^50; NaN beyond, as double has no
/// digits left for the angle there.
double sin(double x);
double cos(double x);
double tan(double x);
/// Sine and cosine of one angle, the same numbers in half the time.
struct SineCosine {
    double sine, cosine;
};
SineCosine sine_cosine(double x);
/// [rad]
double asin(double x);
double acos(double x);
double atan(double x);
/// The angle [rad] of (x, y), from -pi to pi.
double atan2(double y, double x);

double sinh(double x);
double cosh(double x);
double tanh(double x);

}  // namespace stoss::core
