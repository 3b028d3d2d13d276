#include <gtest/gtest.h>

#include <solved_case.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {
namespace {

/// A support off the nodes of ten equal elements needs an eleventh.
TEST(ModalAnalysis, GivesTheElementsOfItsMesh) {
    const TemporaryDirectory folder;
    const auto outcome = solve(
        "problem: modal_analysis\nbeam:\n  length: 400 mm\n  section: {shape: circle, radius: 6 "
        "mm}\n"
        "  material: steel\n  supports: [{type: pin, xi: 0.33}]\nmesh: {elements: 10, modes: 4}\n",
        {1, true}, folder.file("case.yaml"));
    EXPECT_EQ(*outcome.summary.find("elements")->number(), 11.0);
}

}  // namespace
}  // namespace stoss::tests
