#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <boost/math/quadrature/gauss.hpp>
#include <stoss/fem/constraints.hpp>
#include <stoss/fem/static_compliance.hpp>
#include <stoss/modal/modal_basis.hpp>

#include "aluminium_beam.hpp"

namespace {

using namespace stoss;
using fem::BeamTheory;
using fem::Support;
using fem::SupportKind;

/// A beam of round bar, 0.508 m long.
fem::BeamProperties round_bar() {
    fem::BeamProperties beam = tests::aluminium_beam(0.0, 0.0);
    const double radius = 6.35e-3, density = 2700.0;
    const double area = beam.mass_per_length / density;
    beam.rotary_inertia = density * 0.25 * area * radius * radius;
    beam.shear_stiffness = 0.886 * 26e9 * area;
    return beam;
}

/// The static compliance of that beam on a mesh with nodes at the supports.
fem::StaticCompliance compliance_of(int elements, const std::vector<Support>& supports,
                                    BeamTheory theory = BeamTheory::euler_bernoulli) {
    const fem::BeamProperties beam = round_bar();
    std::vector<double> places;
    for (const Support& each : supports) places.push_back(each.x);
    const fem::BeamMesh mesh(beam.length, elements, theory, places);
    const fem::BeamMatrices matrices = fem::assemble(mesh, beam);
    const fem::SupportedBeam supported =
        fem::support(mesh, matrices, supports, fem::ConstraintMethod::elimination);
    const double scale = beam.bending_stiffness / (beam.mass_per_length * std::pow(beam.length, 4));
    const auto rigid = static_cast<int>(supported.rigid_shapes.cols());
    const modal::ModalBasis basis =
        modal::modal_basis(supported.matrices.mass, supported.matrices.stiffness, {},
                           supported.rigid_shapes, {rigid + 1, scale});
    return {mesh, matrices, fem::held_freedoms(mesh, supports),
            supported.expand(basis.shapes).leftCols(rigid), [beam](double) { return beam; }};
}

/// Places at nodes, between them, and next to them.
std::vector<double> places() {
    return {0.0, 0.011, 0.0635, 0.2, 0.2 + 1e-7, 0.254, 0.33333, 0.4445, 0.5, 0.508};
}

void expect_compliance(const std::vector<Support>& supports,
                       const std::function<double(double a, double b)>& closed_form) {
    const fem::BeamProperties beam = round_bar();
    for (const int elements : {10, 80, 160}) {
        const fem::StaticCompliance compliance = compliance_of(elements, supports);
        for (const double x : places()) {
            const double expected = closed_form(x, beam.length - x) / beam.bending_stiffness;
            EXPECT_NEAR(compliance.at(x), expected, 1e-10 * std::abs(expected) + 1e-22)
                << elements << " elements, x = " << x;
        }
    }
}

const double l = 0.508;

TEST(StaticCompliance, OfACantileverIsItsClosedForm) {
    expect_compliance({{0.0, SupportKind::clamp}}, [](double a, double) { return a * a * a / 3; });
}

TEST(StaticCompliance, OfABeamOnTwoPinsIsItsClosedForm) {
    expect_compliance({{0.0, SupportKind::pin}, {l, SupportKind::pin}},
                      [](double a, double b) { return a * a * b * b / (3 * l); });
}

TEST(StaticCompliance, OfABeamBetweenClampsIsItsClosedForm) {
    expect_compliance({{0.0, SupportKind::clamp}, {l, SupportKind::clamp}},
                      [](double a, double b) { return std::pow(a * b / l, 3) / 3; });
}

TEST(StaticCompliance, OfAProppedCantileverIsItsClosedForm) {
    expect_compliance({{0.0, SupportKind::clamp}, {l, SupportKind::pin}}, [](double a, double b) {
        return a * a * a * b * b * (4 * l - a) / (12 * l * l * l);
    });
}

TEST(StaticCompliance, OfABeamBetweenClampAndSliderIsItsClosedForm) {
    expect_compliance({{0.0, SupportKind::clamp}, {l, SupportKind::slider}},
                      [](double a, double) { return a * a * a / 3 - a * a * a * a / (4 * l); });
}

TEST(StaticCompliance, OfABeamWithOverhangsIsItsClosedForm) {
    const double left = 0.127, right = 0.381, span = right - left;
    expect_compliance({{left, SupportKind::pin}, {right, SupportKind::pin}}, [=](double x, double) {
        if (x < left) return (left - x) * (left - x) * (left - x + span) / 3;
        if (x > right) return (x - right) * (x - right) * (x - right + span) / 3;
        return (x - left) * (x - left) * (right - x) * (right - x) / (3 * span);
    });
}

TEST(StaticCompliance, BetweenTwoPlacesOfACantileverIsItsClosedForm) {
    const fem::BeamProperties beam = round_bar();
    for (const auto theory : {BeamTheory::euler_bernoulli, BeamTheory::timoshenko}) {
        const double shear =
            theory == BeamTheory::timoshenko ? beam.bending_stiffness / beam.shear_stiffness : 0.0;
        for (const int elements : {3, 10, 80}) {
            const auto compliance = compliance_of(elements, {{0.0, SupportKind::clamp}}, theory);
            for (const double x : places()) {
                for (const double y : places()) {
                    const double a = std::min(x, y), b = std::max(x, y);
                    const double expected =
                        (a * a * (3 * b - a) / 6 + shear * a) / beam.bending_stiffness;
                    EXPECT_NEAR(compliance.between(x, y), expected, 1e-10 * expected + 1e-22)
                        << elements << " elements, " << x << ", " << y;
                    EXPECT_EQ(compliance.between(x, y), compliance.between(y, x));
                }
            }
        }
    }
}

/// Of a uniform beam it is exact, also where the inertia of rigid motions loads the elements.
TEST(StaticCompliance, BetweenTwoPlacesDoesNotDependOnTheMesh) {
    for (const auto& supports :
         {std::vector<Support>{}, {{0.127, SupportKind::pin}}, {{0.0, SupportKind::slider}}}) {
        const auto coarse = compliance_of(4, supports), fine = compliance_of(160, supports);
        for (const double x : places()) {
            for (const double y : places()) {
                const double scale = std::sqrt(fine.at(x) * fine.at(y));
                EXPECT_NEAR(coarse.between(x, y), fine.between(x, y), 1e-9 * scale)
                    << x << ' ' << y;
            }
        }
    }
}

/// Twice the strain energy under a unit force at x and the inertia of the rigid motions that it
/// causes, times EI: the integral of the squared bending moment.
double relieved(double x, double pivot_or_nan) {
    const bool is_free = std::isnan(pivot_or_nan);
    const double mean = 0.5 * l, inertia = l * l * l / 12;
    // Acceleration a + b s for unit mass per length.
    double a, b;
    if (is_free) {
        b = (x - mean) / inertia;
        a = 1 / l - b * mean;
    } else {
        const double p = pivot_or_nan, about = inertia + l * (mean - p) * (mean - p);
        b = (x - p) / about;
        a = -b * p;
    }
    const double reaction = is_free ? 0.0 : 1 - (a * l + b * l * l / 2);  // of the pin, downwards
    const auto moment = [&](double s) {
        double m = -(a * s * s / 2 + b * s * s * s / 6);
        if (s > x) m += s - x;
        if (!is_free && s > pivot_or_nan) m -= reaction * (s - pivot_or_nan);
        return m;
    };
    std::vector<double> ends{0.0, x, l};
    if (!is_free) ends.push_back(pivot_or_nan);
    std::sort(ends.begin(), ends.end());
    double sum = 0.0;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        if (!(ends[i] > ends[i - 1])) continue;
        sum += boost::math::quadrature::gauss<double, 10>::integrate(
            [&](double s) { return moment(s) * moment(s); }, ends[i - 1], ends[i]);
    }
    return sum;
}

TEST(StaticCompliance, OfAFreeBeamIsThatUnderTheInertiaOfItsRigidMotion) {
    EXPECT_NEAR(relieved(0.0, std::nan("")), l * l * l / 105, 1e-15);
    expect_compliance({}, [](double x, double) { return relieved(x, std::nan("")); });
}

TEST(StaticCompliance, OfAPinnedBeamIsThatUnderTheInertiaOfItsRotation) {
    const double pivot = 0.01905;
    expect_compliance({{pivot, SupportKind::pin}},
                      [=](double x, double) { return relieved(x, pivot); });
}

TEST(StaticCompliance, WithShearAddsTheDeflectionByShear) {
    const fem::BeamProperties beam = round_bar();
    const fem::StaticCompliance compliance =
        compliance_of(40, {{0.0, SupportKind::clamp}}, BeamTheory::timoshenko);
    for (const double x : places()) {
        const double expected = x * x * x / (3 * beam.bending_stiffness) + x / beam.shear_stiffness;
        EXPECT_NEAR(compliance.at(x), expected, 1e-10 * expected) << "x = " << x;
    }
}

}  // namespace
