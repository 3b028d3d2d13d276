/// Elementary functions against 50 digits, and at the ends of their ranges.
#include <stoss/core/elementary.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace core = stoss::core;
using Exact = boost::multiprecision::cpp_bin_float_50;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::min();

/// |ours - exact| in units in the last place of the result.
double error_in_ulp(double ours, const Exact& exact) {
    int k = 0;
    (void)std::frexp(static_cast<double>(exact), &k);
    const Exact unit = ldexp(Exact(1), std::max(k - 53, -1074));
    return static_cast<double>(abs((Exact(ours) - exact) / unit));
}

struct Function {
    std::string name;
    double (*ours)(double);
    Exact (*exact)(const Exact&);
    std::function<double(std::mt19937_64&)> argument;
};

std::function<double(std::mt19937_64&)> between(double low, double high) {
    return [=](std::mt19937_64& random) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
}
/// Of all sizes from 10^low to 10^high, of either sign if `both`.
std::function<double(std::mt19937_64&)> of_size(double low, double high, bool both) {
    return [=](std::mt19937_64& random) {
        const double size =
            std::pow(10.0, std::uniform_real_distribution<double>(low, high)(random));
        return both && random() % 2 == 0 ? -size : size;
    };
}

#define STOSS_SAME(name) [](const Exact& x) -> Exact { return name(x); }

std::vector<Function> functions() {
    return {
        {"exp", core::exp, STOSS_SAME(exp), between(-700.0, 700.0)},
        {"exp", core::exp, STOSS_SAME(exp), of_size(-20.0, 0.0, true)},
        {"exp", core::exp, STOSS_SAME(exp), between(-745.0, -708.0)},
        {"exp", core::exp, STOSS_SAME(exp), between(-708.39, -707.0)},
        {"exp2", core::exp2, [](const Exact& x) -> Exact { return pow(Exact(2), x); },
         between(-1000.0, 1000.0)},
        {"exp2", core::exp2, [](const Exact& x) -> Exact { return pow(Exact(2), x); },
         between(-1022.0, -1020.0)},
        {"expm1", core::expm1, STOSS_SAME(expm1), of_size(-20.0, 2.5, true)},
        {"log", core::log, STOSS_SAME(log), of_size(-300.0, 300.0, false)},
        {"log", core::log, STOSS_SAME(log), between(0.5, 1.5)},
        {"log", core::log, STOSS_SAME(log), of_size(-322.0, -308.0, false)},
        {"log2", core::log2, [](const Exact& x) -> Exact { return log(x) / log(Exact(2)); },
         of_size(-300.0, 300.0, false)},
        {"log10", core::log10, STOSS_SAME(log10), of_size(-300.0, 300.0, false)},
        {"log1p", core::log1p, STOSS_SAME(log1p), of_size(-20.0, 20.0, false)},
        {"log1p", core::log1p, STOSS_SAME(log1p), between(-0.999, 0.5)},
        {"cbrt", core::cbrt, STOSS_SAME(cbrt), of_size(-300.0, 300.0, true)},
        {"sin", core::sin, STOSS_SAME(sin), between(-10.0, 10.0)},
        {"sin", core::sin, STOSS_SAME(sin), of_size(-20.0, 14.0, true)},
        {"cos", core::cos, STOSS_SAME(cos), between(-10.0, 10.0)},
        {"cos", core::cos, STOSS_SAME(cos), of_size(-20.0, 14.0, true)},
        {"tan", core::tan, STOSS_SAME(tan), of_size(-20.0, 8.0, true)},
        {"asin", core::asin, STOSS_SAME(asin), between(-1.0, 1.0)},
        {"asin", core::asin, STOSS_SAME(asin), of_size(-20.0, 0.0, true)},
        {"acos", core::acos, STOSS_SAME(acos), between(-1.0, 1.0)},
        {"atan", core::atan, STOSS_SAME(atan), of_size(-20.0, 20.0, true)},
        {"sinh", core::sinh, STOSS_SAME(sinh), of_size(-20.0, 2.8, true)},
        {"cosh", core::cosh, STOSS_SAME(cosh), of_size(-20.0, 2.8, true)},
        {"tanh", core::tanh, STOSS_SAME(tanh), of_size(-20.0, 2.0, true)},
    };
}

constexpr int arguments = 2000;
constexpr double half_a_unit = 0.51;

TEST(Elementary, FunctionsAreRoundedToHalfAUnitInTheLastPlace) {
    std::mt19937_64 random(1);
    for (const Function& each : functions()) {
        double worst = 0.0, at = 0.0;
        for (int i = 0; i < arguments; ++i) {
            const double x = each.argument(random);
            const double error = error_in_ulp(each.ours(x), each.exact(Exact(x)));
            if (!(error <= worst)) {
                worst = error;
                at = x;
            }
        }
        EXPECT_LT(worst, half_a_unit) << each.name << " at " << at;
    }
}

TEST(Elementary, PowersAreRoundedToHalfAUnitInTheLastPlace) {
    std::mt19937_64 random(2);
    for (int i = 0; i < arguments; ++i) {
        const double x = of_size(-30.0, 30.0, false)(random), y = between(-9.0, 9.0)(random);
        const Exact exact = pow(Exact(x), Exact(y));
        if (exact > 1e300 || exact < 1e-300) continue;
        ASSERT_LT(error_in_ulp(core::pow(x, y), exact), half_a_unit) << x << "^" << y;
        ASSERT_LT(error_in_ulp(core::pow(x, 0.25), pow(Exact(x), Exact(0.25))), half_a_unit) << x;
    }
}

TEST(Elementary, PowersWithTheLargestExponentsAreRoundedToTwoUnits) {
    std::mt19937_64 random(4);
    for (int i = 0; i < arguments; ++i) {
        const double x = 1.0 + of_size(-14.0, -1.0, true)(random);
        const double y = between(-700.0, 700.0)(random) / std::log(x);
        ASSERT_LT(error_in_ulp(core::pow(x, y), pow(Exact(x), Exact(y))), 2.0) << x << "^" << y;
    }
}

TEST(Elementary, AnglesAndHypotenusesOfPointsOfAllSizesAreRoundedToHalfAUnit) {
    std::mt19937_64 random(3);
    for (int i = 0; i < arguments; ++i) {
        const double x = of_size(-20.0, 20.0, true)(random), y = of_size(-20.0, 20.0, true)(random);
        ASSERT_LT(error_in_ulp(core::atan2(y, x), atan2(Exact(y), Exact(x))), half_a_unit)
            << y << " " << x;
        const double near = x * between(0.1, 10.0)(random);
        ASSERT_LT(error_in_ulp(core::atan2(near, x), atan2(Exact(near), Exact(x))), half_a_unit);
        ASSERT_LT(error_in_ulp(core::hypot(near, x), sqrt(Exact(near) * near + Exact(x) * x)),
                  half_a_unit);
        const double huge = std::ldexp(x, 900);
        ASSERT_EQ(core::hypot(std::ldexp(near, 900), huge), std::ldexp(core::hypot(near, x), 900));
    }
}

TEST(Elementary, SpecialValuesAreThoseOfC) {
    using Real = double (*)(double);
    const std::vector<std::pair<Real, Real>> both{
        {core::exp, std::exp},     {core::exp2, std::exp2}, {core::expm1, std::expm1},
        {core::log, std::log},     {core::log2, std::log2}, {core::log10, std::log10},
        {core::log1p, std::log1p}, {core::cbrt, std::cbrt}, {core::sin, std::sin},
        {core::cos, std::cos},     {core::tan, std::tan},   {core::asin, std::asin},
        {core::acos, std::acos},   {core::atan, std::atan}, {core::sinh, std::sinh},
        {core::cosh, std::cosh},   {core::tanh, std::tanh}};
    for (std::size_t f = 0; f < both.size(); ++f) {
        for (const double x : {0.0, -0.0, 1.0, -1.0, 2.0, -2.0, infinite, -infinite, nan, smallest,
                               -smallest, 1e-320, -1e-320, 1e-200}) {
            const double ours = both[f].first(x), theirs = both[f].second(x);
            if (std::isnan(theirs)) {
                EXPECT_TRUE(std::isnan(ours)) << f << " of " << x;
            } else {
                EXPECT_DOUBLE_EQ(ours, theirs) << f << " of " << x;
                EXPECT_EQ(std::signbit(ours), std::signbit(theirs)) << f << " of " << x;
            }
        }
    }
}

TEST(Elementary, SpecialPowersAndAnglesAreThoseOfC) {
    const std::vector<double> values{0.0, -0.0, 1.0, -1.0,     2.0,       -2.0, 3.0,   0.5,
                                     0.7, -0.7, 1.5, infinite, -infinite, nan,  1e300, -1e300};
    for (const double x : values) {
        for (const double y : values) {
            const auto same = [&](double ours, double theirs, const char* name) {
                if (std::isnan(theirs)) {
                    EXPECT_TRUE(std::isnan(ours)) << name << " of " << x << ", " << y;
                } else {
                    EXPECT_DOUBLE_EQ(ours, theirs) << name << " of " << x << ", " << y;
                    EXPECT_EQ(std::signbit(ours), std::signbit(theirs))
                        << name << " of " << x << ", " << y;
                }
            };
            same(core::pow(x, y), std::pow(x, y), "pow");
            same(core::atan2(x, y), std::atan2(x, y), "atan2");
            same(core::hypot(x, y), std::hypot(x, y), "hypot");
        }
    }
}

TEST(Elementary, SineAndCosineTogetherHaveTheBitsOfEach) {
    std::vector<double> angles{0.0, -0.0, 1e-300, 0x1p-61, 0x1p-60, 0.25, 1e16, -1e300};
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> exponent(-30.0, 15.0);
    for (int i = 0; i < 10000; ++i) angles.push_back(core::pow(10.0, exponent(random)));
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    for (const double angle : angles) {
        const core::SineCosine both = core::sine_cosine(angle);
        EXPECT_EQ(bits(both.sine), bits(core::sin(angle))) << angle;
        EXPECT_EQ(bits(both.cosine), bits(core::cos(angle))) << angle;
    }
}

TEST(Elementary, AnglesBeyondTheDigitsOfADoubleHaveNoSine) {
    EXPECT_TRUE(std::isnan(core::sin(1e16)));
    EXPECT_TRUE(std::isnan(core::cos(-1e300)));
    EXPECT_TRUE(std::isnan(core::tan(infinite)));
}

}  // namespace
