/// The C library of Emscripten computes fma with integers, which takes ten times as long as a
/// product. Nearly all calls ask for the error of a product; that takes a few products and sums.

#include <cmath>

extern "C" {

// The names that `--wrap=fma` of the linker gives: the library's, and what is called in its place.
double __real_fma(double a, double b, double c);  // NOLINT(bugprone-reserved-identifier)
double __wrap_fma(double a, double b, double c);  // NOLINT(bugprone-reserved-identifier)

double __wrap_fma(double a, double b, double c) {  // NOLINT(bugprone-reserved-identifier)
    constexpr double largest = 0x1p900, smallest = 0x1p-900;  // nothing over- or underflows between
    const double product = a * b;
    const double size = std::fabs(product);
    if (c != -product || !(std::fabs(a) < largest) || !(std::fabs(b) < largest) ||
        !(size < largest && size > smallest))
        return __real_fma(a, b, c);
    // a and b in two parts of 26 bits each (Dekker 1971).
    constexpr double splitter = 0x1p27 + 1.0;
    const double a_shifted = splitter * a, b_shifted = splitter * b;
    const double a_high = a_shifted - (a_shifted - a), a_low = a - a_high;
    const double b_high = b_shifted - (b_shifted - b), b_low = b - b_high;
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}
}
