#include <stoss/core/double_double.hpp>
#include <stoss/core/elementary.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace stoss::core {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

using Pair = DoubleDouble;

/// a 2^k, without error unless it leaves the normal numbers.
Pair scaled(Pair a, int k) {
    return {std::ldexp(a.high, k), std::ldexp(a.low, k)};
}

// Constants as high and low parts.
constexpr Pair ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Pair ln10{0x1.26bb1bbb55516p+1, -0x1.f48ad494ea3e9p-53};
constexpr Pair pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr Pair half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double half_pi_rest = -0x1.f1976b7ed8fbcp-110;  // half_pi less its two parts

/// sum c_k x^k.
template <std::size_t n>
double polynomial(const std::array<double, n>& c, double x) {
    double sum = c[n - 1];
    for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + c[k];
    return sum;
}

/// 1/first!, 1/(first + by)!, ..., with alternating signs if `alternate`.
template <std::size_t n>
constexpr std::array<double, n> inverse_factorials(int first, int by, bool alternate) {
    std::array<double, n> c{};
    for (std::size_t k = 0; k < n; ++k) {
        double factorial = 1.0;
        for (int i = 2; i <= first + by * static_cast<int>(k); ++i) factorial *= i;
        c[k] = (alternate && k % 2 == 1 ? -1.0 : 1.0) / factorial;
    }
    return c;
}

/// A sixth.
constexpr Pair sixth{0x1.5555555555555p-3, 0x1.5555555555555p-57};

/// e^r - 1 for |r| < 0.36: the first three terms in full, the others in double.
Pair expm1_near_zero(Pair r) {
    static constexpr auto c = inverse_factorials<13>(4, 1, false);
    const Pair square = r * r, half_square{0.5 * square.high, 0.5 * square.low};
    const double fourth = square.high * square.high;
    return r + (half_square + (square * r * sixth + Pair(fourth * polynomial(c, r.high))));
}

/// e^x = 2^k (1 + rest).
struct Exponential {
    int k;
    Pair rest;

    explicit Exponential(Pair x) : k(static_cast<int>(std::nearbyint(x.high / ln2.high))) {
        const double n = k;
        // The third part of ln 2 is below what counts.
        const Pair r = (x - Pair::exact_product(n, ln2.high)) - Pair::exact_product(n, ln2.low);
        rest = expm1_near_zero(r);
    }
    Pair value() const { return scaled(Pair(1.0) + rest, k); }
    Pair minus_one() const { return k == 0 ? rest : value() - Pair(1.0); }
};

/// Beyond these the exponential has no bits left, or leaves the range.
constexpr double largest_exponent = 710.0, smallest_exponent = -746.0;

double exp_of(Pair x) {
    if (!(x.high < largest_exponent)) return x.high > 0.0 ? infinite : nan;
    if (x.high < smallest_exponent) return 0.0;
    const Exponential e(x);
    const Pair one = Pair(1.0) + e.rest;
    if (e.k >= -1021) return std::ldexp(double(one), e.k);
    // A subnormal result is rounded once: where its last bit lies.
    const double unit = std::ldexp(1.0, -1074 - e.k);
    const double shift = 1.5 * unit / std::numeric_limits<double>::epsilon();
    const Pair sum = Pair::exact_sum(shift, one.high);
    const double near = sum.high - shift;
    const double rest = sum.low + one.low;
    const double step = rest > 0.5 * unit ? unit : rest < -0.5 * unit ? -unit : 0.0;
    return std::ldexp(near + step, e.k);
}

/// ln x of a normal number: x = 2^k m, ln m = 2 artanh s with s = (m - 1)/(m + 1), |s| < 0.172: the
/// first two terms of the series in full, the others in double.
Pair log_of(Pair x) {
    int k = 0;
    double m = std::frexp(x.high, &k);
    constexpr double root_half = 0x1.6a09e667f3bcdp-1;
    if (m < root_half) {
        m *= 2.0;
        --k;
    }
    const Pair mantissa{m, std::ldexp(x.low, -k)};
    const Pair s = (mantissa - Pair(1.0)) / (mantissa + Pair(1.0));
    static constexpr auto c = [] {
        std::array<double, 13> odd{};
        for (std::size_t j = 0; j < odd.size(); ++j)
            odd[j] = 2.0 / (2.0 * static_cast<double>(j) + 5.0);
        return odd;
    }();
    const Pair square = s * s, cube = square * s;
    constexpr Pair two_thirds{0x1.5555555555555p-1, 0x1.5555555555555p-55};
    const double fifth = square.high * cube.high;
    const Pair tail = two_thirds * cube + Pair(fifth * polynomial(c, square.high));
    const double n = k;
    return Pair(n) * ln2 + (Pair(2.0 * s.high, 2.0 * s.low) + tail);
}

/// What the logarithms have where there is none to compute; `found`: there is.
double log_at_the_ends(double x, bool& found) {
    found = false;
    if (x == 0.0) return -infinite;
    if (!(x > 0.0)) return x < 0.0 ? nan : x;
    if (x == infinite) return x;
    found = true;
    return 0.0;
}

/// ln x of a positive finite number, subnormal ones included.
Pair log_of_any(double x) {
    constexpr double smallest = std::numeric_limits<double>::min();
    if (x >= smallest) return log_of(x);
    return log_of(std::ldexp(x, 64)) - Pair(64.0) * ln2;
}

// exp, log, pow and the inverse functions of angles are in loops over forces: computed by tables,
// with the same accuracy (Tang 1989, 1990).

constexpr int entries = 128, entry_bits = 7;

/// x rounded to a multiple of 2^-bits.
double on_grid(double x, int bits) {
    return std::ldexp(std::nearbyint(std::ldexp(x, bits)), -bits);
}

/// Mantissas z of the logarithm lie between these bits and twice that number; 1 is in the middle of
/// its interval.
constexpr std::uint64_t first_mantissa = 0x3fe6900000000000;
constexpr int mantissa_bits = 52;
constexpr int log_grid = 41;   // k ln 2 + ln z has no error there
constexpr int step_grid = 42;  // nor has a number of steps ln 2/128

/// arctan r of |r| < 2^-6: the first two terms in full, the others in double.
Pair arctan_near_zero(Pair r) {
    const Pair square = r * r;
    const double x2 = square.high;
    const double fifth = r.high * x2 * x2 * (1.0 / 5.0 - x2 * (1.0 / 7.0 - x2 * (1.0 / 9.0)));
    return r - (square * r / Pair(3.0) - Pair(fifth));
}

struct Tables {
    struct Logarithm {
        double inverse;    ///< c: 1/z in the middle of an interval, in 26 bits
        double high, low;  ///< -ln c
    };
    std::array<Logarithm, entries> logarithm;
    std::array<Pair, entries> power;      ///< 2^(i/128)
    std::array<Pair, entries + 1> angle;  ///< arctan(i/128)
    double ln2_high, ln2_low;
    double step_high, step_low;  ///< ln 2/128

    Tables() {
        ln2_high = on_grid(ln2.high, log_grid);
        ln2_low = double(ln2 - Pair(ln2_high));
        const Pair step = scaled(ln2, -entry_bits);
        step_high = on_grid(step.high, step_grid);
        step_low = double(step - Pair(step_high));
        for (std::size_t i = 0; i < entries; ++i) {
            constexpr std::uint64_t interval = std::uint64_t{1} << (mantissa_bits - entry_bits);
            const double middle =
                std::bit_cast<double>(first_mantissa + i * interval + interval / 2);
            const bool holds_one = std::abs(middle - 1.0) < 1.0 / 256.0;
            const double inverse = holds_one ? 1.0 : on_grid(1.0 / middle, 25);
            const Pair minus = holds_one ? Pair(0.0) : -log_of(inverse);
            const double high = on_grid(minus.high, log_grid);
            logarithm[i] = {inverse, high, double(minus - Pair(high))};
            const double share = static_cast<double>(i) / entries;
            power[i] = Pair(1.0) + expm1_near_zero(Pair(0.5 * share) * ln2);
            power[i] = power[i] * power[i];
        }
        for (std::size_t i = 0; i < entries; ++i) {
            const auto k = static_cast<double>(i);
            const Pair between = Pair(entries) / Pair(k * (k + 1.0) + entries * entries);
            angle[i + 1] = angle[i] + arctan_near_zero(between);
        }
    }
};

const Tables& tables() {
    static const Tables all;
    return all;
}

/// ln x of a normal number: x = 2^k z, c about 1/z: k ln 2 - ln c + ln(1 + r) with r = z c - 1
/// below 2^-8. Absolute error about 2^-65, relative 2^-59 near 1.
Pair quick_log(double x) {
    const Tables& all = tables();
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t beyond = bits - first_mantissa;
    const auto& entry = all.logarithm[(beyond >> (mantissa_bits - entry_bits)) % entries];
    const auto k = static_cast<double>(static_cast<std::int64_t>(beyond) >> mantissa_bits);
    const std::uint64_t mantissa = bits - (beyond & (std::uint64_t{0xfff} << mantissa_bits));
    const double z = std::bit_cast<double>(mantissa);
    // 26 bits times 26 bits have no error.
    const double z_high = std::bit_cast<double>(mantissa & ~((std::uint64_t{1} << 27) - 1));
    const Pair change = Pair::exact_sum(z_high * entry.inverse - 1.0, (z - z_high) * entry.inverse);
    const double r = change.high, square = r * r;
    const double odd = 1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0));
    const double even = 0.25 + square * (1.0 / 6.0 + square * 0.125);
    const double cubic = square * (r * odd - square * even);
    const Pair sum = Pair::fast_sum(k * all.ln2_high + entry.high, r);
    const double rest = sum.low + (change.low + (k * all.ln2_low + entry.low));
    return Pair::fast_sum(sum.high, rest + (cubic - 0.5 * square));
}

/// e^x of |x| < 700: x = (128 k + i) ln 2/128 + r.
double quick_exp(Pair x) {
    const Tables& all = tables();
    constexpr double shift = 0x1.8p52;  // rounds to an integer
    const double n = (x.high / all.step_high + shift) - shift;
    const double r = ((x.high - n * all.step_high) - n * all.step_low) + x.low;
    const double change =
        r + r * r * (0.5 + r * (1.0 / 6.0 + r * (1.0 / 24.0 + r * (1.0 / 120.0 + r / 720.0))));
    const auto steps = static_cast<std::int64_t>(n);
    const Pair& power = all.power[static_cast<std::size_t>(steps & (entries - 1))];
    const std::int64_t k = steps >> entry_bits;
    const double scale =
        std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << mantissa_bits);
    return (power.high + (power.low + power.high * change)) * scale;
}

constexpr double quick_exponent = 700.0;  // results that are normal numbers

bool is_normal(double x) {
    return x >= std::numeric_limits<double>::min() && x < infinite;
}

struct PairsOfAngle {
    Pair sine, cosine;
};

/// Of |r| <= pi/4: the first two terms in full, the others in double.
PairsOfAngle pairs_near_zero(Pair r) {
    static constexpr auto s = inverse_factorials<8>(5, 2, true);
    static constexpr auto c = inverse_factorials<8>(6, 2, true);
    const Pair square = r * r;
    const double x2 = square.high, x4 = x2 * x2;
    constexpr Pair twenty_fourth{0x1.5555555555555p-5, 0x1.5555555555555p-59};
    const Pair sine = r - (square * r * sixth - Pair(r.high * x4 * polynomial(s, x2)));
    const Pair cosine =
        Pair(1.0) - (Pair(0.5 * square.high, 0.5 * square.low) -
                     (square * square * twenty_fourth - Pair(x2 * x4 * polynomial(c, x2))));
    return {sine, cosine};
}

constexpr double largest_angle = 0x1p50;

/// Precondition: |x| < largest_angle.
PairsOfAngle pairs_of(Pair x) {
    const double n = std::nearbyint(x.high / half_pi.high);
    const Pair r =
        ((x - Pair::exact_product(n, half_pi.high)) - Pair::exact_product(n, half_pi.low)) -
        Pair::exact_product(n, half_pi_rest);
    const PairsOfAngle at = pairs_near_zero(r);
    switch (static_cast<long long>(n) & 3) {
        case 0:
            return at;
        case 1:
            return {at.cosine, -at.sine};
        case 2:
            return {-at.sine, -at.cosine};
        default:
            return {-at.cosine, at.sine};
    }
}

bool is_angle(double x) {
    return std::abs(x) < largest_angle;
}

/// a + c b, c in 8 bits: the high parts of b times c have no error.
Pair sum_with_product(Pair a, double c, Pair b) {
    const auto bits = std::bit_cast<std::uint64_t>(b.high);
    const double b_high = std::bit_cast<double>(bits & ~std::uint64_t{0xff});
    const Pair sum = Pair::exact_sum(a.high, c * b_high);
    return Pair::fast_sum(sum.high, sum.low + (a.low + c * ((b.high - b_high) + b.low)));
}

/// arctan(a/b) of 0 <= a <= b: arctan c + arctan r, c = i/128 next to a/b, r = (a - c b)/(b + c a)
/// below 2^-8. Relative error about 2^-63.
Pair quick_arctan(Pair a, Pair b) {
    constexpr double shift = 0x1.8p52;  // rounds to an integer
    const double i = (a.high / b.high * entries + shift) - shift;
    const double c = i / entries;
    const Pair across = sum_with_product(a, -c, b), along = sum_with_product(b, c, a);
    const double inverse = 1.0 / along.high;
    const double r = across.high * inverse, square = r * r;
    const Pair product = Pair::exact_product(r, along.high);
    const double rest = (across.high - product.high) - product.low;
    const double r_low = (rest + (across.low - r * along.low)) * inverse;
    const double cubic = r * square * (1.0 / 3.0 - square * (1.0 / 5.0 - square * (1.0 / 7.0)));
    const Pair start = tables().angle[static_cast<std::size_t>(i)];
    const Pair sum = Pair::exact_sum(start.high, r);
    return Pair::fast_sum(sum.high, sum.low + (start.low + (r_low - cubic)));
}

/// The angle of (x, y).
Pair angle_of(Pair y, Pair x) {
    const Pair across = abs(y), along = abs(x);
    const bool is_steep = across.high > along.high;
    Pair angle = is_steep ? half_pi - quick_arctan(along, across) : quick_arctan(across, along);
    if (x.high < 0.0) angle = pi - angle;
    return y.high < 0.0 ? -angle : angle;
}

/// Below this the functions that begin as x are x.
constexpr double tiny = 0x1p-60;

}  // namespace

double exp(double x) {
    return std::abs(x) < quick_exponent ? quick_exp(x) : exp_of(x);
}

double exp2(double x) {
    if (std::abs(x) > 2000.0) return x > 0.0 ? infinite : 0.0;
    if (std::isnan(x)) return x;
    const double n = std::nearbyint(x);
    if (n == x) return std::ldexp(1.0, static_cast<int>(n));
    return exp_of(Pair(x) * ln2);
}

double expm1(double x) {
    if (std::abs(x) < tiny || std::isnan(x)) return x;
    if (x > largest_exponent) return infinite;
    if (x < -50.0) return -1.0;
    const Exponential e(x);
    if (e.k > 60) return exp_of(x);
    return double(e.minus_one());
}

double log(double x) {
    if (is_normal(x)) return double(quick_log(x));
    bool found = false;
    const double end = log_at_the_ends(x, found);
    return found ? double(log_of_any(x)) : end;
}

double log2(double x) {
    bool found = false;
    const double end = log_at_the_ends(x, found);
    if (!found) return end;
    int k = 0;
    if (std::frexp(x, &k) == 0.5) return k - 1.0;
    return double(log_of_any(x) / ln2);
}

double log10(double x) {
    bool found = false;
    const double end = log_at_the_ends(x, found);
    return found ? double(log_of_any(x) / ln10) : end;
}

double log1p(double x) {
    if (std::abs(x) < tiny || std::isnan(x)) return x;
    if (x == infinite) return x;
    if (!(x > -1.0)) return x == -1.0 ? -infinite : nan;
    return double(log_of(Pair::exact_sum(1.0, x)));
}

/// x^y of a positive finite number.
static double power_of(double x, double y) {
    if (is_normal(x) && std::abs(y) < 0x1p60) {
        const Pair exponent = Pair(y) * quick_log(x);
        if (std::abs(exponent.high) < quick_exponent) return quick_exp(exponent);
    }
    const Pair exponent = Pair(y) * log_of_any(x);
    if (std::isfinite(exponent.high)) return exp_of(exponent);
    return (y > 0.0) == (x > 1.0) ? infinite : 0.0;
}

double pow(double x, double y) {
    if (y == 0.0 || x == 1.0) return 1.0;
    if (x > 0.0 && x < infinite && std::abs(y) < infinite) return power_of(x, y);
    const bool is_integer = std::nearbyint(y) == y;
    if (x < 0.0 && x > -infinite && is_integer && std::abs(y) < infinite) {
        const bool is_odd = std::fmod(y, 2.0) != 0.0;
        return is_odd ? -power_of(-x, y) : power_of(-x, y);
    }
    return std::pow(x, y);  // zero, infinities, NaN: no digits to differ in
}

double cbrt(double x) {
    if (x == 0.0 || !std::isfinite(x)) return x;
    int k = 0;
    double m = std::frexp(x, &k);
    const int shift = ((k % 3) + 3) % 3;
    m = std::ldexp(m, shift);
    const double guess = std::cbrt(m);
    const Pair cube = Pair::exact_product(guess, guess) * Pair(guess);
    const Pair root = Pair(guess) + (Pair(m) - cube) / Pair(3.0 * guess * guess);
    return std::ldexp(double(root), (k - shift) / 3);
}

double hypot(double x, double y) {
    const double larger = std::fmax(std::abs(x), std::abs(y));
    if (larger == 0.0 || !std::isfinite(x) || !std::isfinite(y)) return std::hypot(x, y);
    const int k = std::ilogb(larger);
    const double a = std::ldexp(x, -k), b = std::ldexp(y, -k);
    const double smaller = std::fmin(std::abs(a), std::abs(b));
    if (smaller < 0x1p-60) return larger;
    return std::ldexp(double(sqrt(Pair::exact_product(a, a) + Pair::exact_product(b, b))), k);
}

double sin(double x) {
    if (std::abs(x) < tiny) return x;
    return is_angle(x) ? double(pairs_of(x).sine) : nan;
}

double cos(double x) {
    return is_angle(x) ? double(pairs_of(x).cosine) : nan;
}

SineCosine sine_cosine(double x) {
    if (std::abs(x) < tiny) return {x, 1.0};
    if (!is_angle(x)) return {nan, nan};
    const PairsOfAngle at = pairs_of(x);
    return {double(at.sine), double(at.cosine)};
}

double tan(double x) {
    if (std::abs(x) < tiny) return x;
    if (!is_angle(x)) return nan;
    const PairsOfAngle at = pairs_of(x);
    return double(at.sine / at.cosine);
}

double asin(double x) {
    if (std::abs(x) < tiny) return x;
    if (!(std::abs(x) <= 1.0)) return nan;
    return double(angle_of(x, sqrt(Pair::exact_sum(1.0, -x) * Pair::exact_sum(1.0, x))));
}

double acos(double x) {
    if (!(std::abs(x) <= 1.0)) return nan;
    if (x == 1.0) return 0.0;
    return double(angle_of(sqrt(Pair::exact_sum(1.0, -x) * Pair::exact_sum(1.0, x)), x));
}

double atan(double x) {
    if (std::abs(x) < tiny || std::isnan(x)) return x;
    if (std::abs(x) > 0x1p60) return std::copysign(half_pi.high, x);
    return double(angle_of(x, 1.0));
}

double atan2(double y, double x) {
    if (x == 0.0 || y == 0.0 || !std::isfinite(x) || !std::isfinite(y)) return std::atan2(y, x);
    const int k = std::ilogb(std::fmax(std::abs(x), std::abs(y)));
    const double a = std::ldexp(y, -k), b = std::ldexp(x, -k);
    if (std::abs(a) < 0x1p-60 * std::abs(b)) return b > 0.0 ? y / x : std::copysign(pi.high, y);
    if (std::abs(b) < 0x1p-60 * std::abs(a)) return std::copysign(half_pi.high, y);
    return double(angle_of(a, b));
}

double sinh(double x) {
    if (std::abs(x) < tiny || !std::isfinite(x)) return x;
    if (std::abs(x) > 40.0) return std::copysign(exp_of(Pair(std::abs(x)) - ln2), x);
    const Pair change = Exponential(std::abs(x)).minus_one();
    return std::copysign(double(Pair(0.5) * (change + change / (Pair(1.0) + change))), x);
}

double cosh(double x) {
    if (!std::isfinite(x)) return std::abs(x);
    if (std::abs(x) > 40.0) return exp_of(Pair(std::abs(x)) - ln2);
    const Pair e = Exponential(x).value();
    return double(Pair(0.5) * (e + Pair(1.0) / e));
}

double tanh(double x) {
    if (std::abs(x) < tiny || std::isnan(x)) return x;
    if (std::abs(x) > 30.0) return std::copysign(1.0, x);
    const Pair change = Exponential(2.0 * x).minus_one();
    return double(change / (change + Pair(2.0)));
}

}  // namespace stoss::core
