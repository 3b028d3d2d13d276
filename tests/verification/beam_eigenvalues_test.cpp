// Frequencies of the finite-element beam against the roots of the characteristic equations.

#include <stoss/fem/constraints.hpp>
#include <stoss/modal/modal_basis.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "aluminium_beam.hpp"
#include "beam_closed_forms.hpp"

namespace {

using namespace stoss;
using closed_forms::Ends;
using fem::ConstraintMethod;
using fem::Support;
using fem::SupportKind;

const fem::BeamProperties beam = tests::aluminium_beam();

struct Case {
    std::string name;
    Ends ends;
    std::vector<Support> supports;
};

const Support left_pin{0.0, SupportKind::pin}, left_clamp{0.0, SupportKind::clamp};
const Support right_pin{beam.length, SupportKind::pin};
const Support right_clamp{beam.length, SupportKind::clamp};

const std::vector<Case> cases{
    {"pinned-pinned", Ends::pinned_pinned, {left_pin, right_pin}},
    {"clamped-free", Ends::clamped_free, {left_clamp}},
    {"clamped-clamped", Ends::clamped_clamped, {left_clamp, right_clamp}},
    {"clamped-pinned", Ends::clamped_pinned, {left_clamp, right_pin}},
    {"free-free", Ends::free_free, {}},
    {"pinned-free", Ends::pinned_free, {left_pin}},
};

/// Relative errors of the first `count` vibration frequencies.
std::vector<double> frequency_errors(const Case& c, int elements, int count,
                                     ConstraintMethod method = ConstraintMethod::elimination) {
    const fem::BeamMesh mesh(beam.length, elements);
    const fem::SupportedBeam body =
        fem::support(mesh, fem::assemble(mesh, beam), c.supports, method);
    const double scale = tests::eigenvalue_scale(beam);
    const modal::ModalBasis basis =
        modal::modal_basis(body.matrices.mass, body.matrices.stiffness, body.matrices.damping,
                           body.rigid_shapes, {body.rigid_shapes.cols() + count, scale});
    const std::vector<double> roots = closed_forms::characteristic_roots(c.ends, count);
    std::vector<double> errors;
    for (int i = 0; i < count; ++i) {
        const double root = roots[static_cast<std::size_t>(i)];
        errors.push_back(std::sqrt(basis.eigenvalues[basis.rigid + i] / scale) / (root * root) -
                         1.0);
    }
    return errors;
}

TEST(BeamEigenvalues, TenFrequenciesOfEightyElements) {
    for (const Case& c : cases) {
        for (const double error : frequency_errors(c, 80, 10)) {
            EXPECT_LT(std::abs(error), 3e-5) << c.name;
            EXPECT_GT(error, -1e-11) << c.name << ": a Ritz value lies above the exact one";
        }
    }
}

TEST(BeamEigenvalues, PenaltyAgreesAsWell) {
    for (const Case& c : cases) {
        for (const double error : frequency_errors(c, 80, 10, ConstraintMethod::penalty)) {
            EXPECT_LT(std::abs(error), 3e-5) << c.name;
        }
    }
}

TEST(BeamEigenvalues, ErrorFallsWithTheFourthPowerOfTheElement) {
    for (const Case& c : cases) {
        const std::vector<double> coarse = frequency_errors(c, 20, 4);
        const std::vector<double> fine = frequency_errors(c, 40, 4);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(std::log2(coarse[i] / fine[i]), 4.0, 0.05) << c.name << ' ' << i;
        }
    }
}

TEST(BeamEigenvalues, FiveThousandElementsKeepTheDigits) {
    // Roundoff of a factorisation in double would be of the size of the first eigenvalue here.
    for (const Case& c : cases) {
        for (const auto method : {ConstraintMethod::elimination, ConstraintMethod::penalty}) {
            for (const double error : frequency_errors(c, 5000, 10, method)) {
                EXPECT_LT(std::abs(error), 5e-9) << c.name;
            }
        }
    }
}

TEST(BeamEigenvalues, TwoElementsGiveTheFirstFrequencyToTwoPercent) {
    for (const Case& c : cases) {
        EXPECT_LT(std::abs(frequency_errors(c, 2, 1)[0]), 0.02) << c.name;
    }
}

}  // namespace
