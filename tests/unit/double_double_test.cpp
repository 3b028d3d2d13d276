#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include <stoss/core/double_double.hpp>

namespace {

namespace core = stoss::core;
using core::DoubleDouble;

TEST(DoubleDouble, ProductHasTheBitsOfFusedMultiplyAdd) {
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> mantissa(-1.0, 1.0);
    std::uniform_int_distribution<int> exponent(-300, 300);
    for (int i = 0; i < 100000; ++i) {
        const double a = std::ldexp(mantissa(random), exponent(random));
        const double b = std::ldexp(mantissa(random), exponent(random));
        const DoubleDouble product = DoubleDouble::exact_product(a, b);
        EXPECT_EQ(product.high, a * b);
        EXPECT_EQ(product.low, std::fma(a, b, -(a * b)));
    }
}

TEST(DoubleDouble, MinorIsFreeOfCancellation) {
    const double small = std::ldexp(1.0, -40);
    EXPECT_EQ(double(core::difference_of_products(1.0 + small, 1.0 - small, 1.0, 1.0)),
              -small * small);
}

}  // namespace
