// What a run says of collisions whose e is not predictable.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include <solvers/problems/beam/beam_case.hpp>

namespace stoss::solvers {
namespace {

std::string warning_of(int modes, int elements) {
    models::Mesh mesh;
    mesh.modes = modes;
    mesh.elements = elements;
    Outcome outcome;
    outcome.summary = io::Value::object();
    warn_of_truncation(
        outcome, mesh,
        std::array{TruncatedCollision{0.3, 0.0132, {}}, TruncatedCollision{0.7, 0.0217, {}},
                   TruncatedCollision{0.9, 1e-5, {}}});
    return outcome.warnings.size() == 1 ? outcome.warnings.front() : "";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// Two bases that are both too coarse may agree by chance: the true change was 169 times larger.
TEST(TruncationWarning, NamesThePlacesWithoutAChangeThatIsNotKnown) {
    const std::string warning = warning_of(10, 40);
    EXPECT_TRUE(contains(warning, "2 of 3 collisions: e is not predictable")) << warning;
    EXPECT_TRUE(contains(warning, "at xi = 0.7, 0.3: finer settings")) << warning;
    EXPECT_TRUE(contains(warning, "`stoss converge` measures the change")) << warning;
    EXPECT_FALSE(contains(warning, "0.022")) << warning;
    EXPECT_FALSE(contains(warning, "0.013")) << warning;
}

TEST(TruncationWarning, NamesTheElementsIfTheyAreFewerThanFourForEachMode) {
    EXPECT_TRUE(contains(warning_of(10, 20),
                         "raise mesh.modes and mesh.elements (to four for "
                         "each mode, 40 or more)"));
    EXPECT_TRUE(contains(warning_of(10, 40), "raise mesh.modes; "));
}

}  // namespace
}  // namespace stoss::solvers
