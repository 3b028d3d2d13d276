#include <string>

#include <gtest/gtest.h>
#include <solvers/app/results.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {
namespace {

TEST(ScalarWords, AreThoseOfATextANumberOrAFlag) {
    EXPECT_EQ(scalar_words("sticks", core::to_text), "sticks");
    EXPECT_EQ(scalar_words(0.5, core::to_text), "0.5");
    EXPECT_EQ(scalar_words(7, core::to_text), "7");
    EXPECT_EQ(scalar_words(io::no_number, core::to_text), ".nan");
    EXPECT_EQ(scalar_words(true, core::to_text), "true");
    EXPECT_EQ(scalar_words(false, core::to_text), "false");
}

TEST(ScalarWords, AreADashForWhatIsNoScalar) {
    EXPECT_EQ(scalar_words({}, core::to_text), "-");
    EXPECT_EQ(scalar_words(io::Value::object(), core::to_text), "-");
}

}  // namespace
}  // namespace stoss::solvers
