// Frequencies of beams that taper, carry masses or rest on springs, against closed forms.

#include <models/beam_matrices.hpp>
#include <models/beam_model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include <published_mesh.hpp>
#include <roots.hpp>

namespace {

using namespace stoss;

constexpr double length = 0.7;

models::Beam cantilever(const models::Section& section) {
    models::Beam beam;
    beam.length = length;
    beam.section = section;
    beam.material = {7e10, 0.33, 2700.0};
    beam.supports = {{models::SupportType::clamp, 1.0}};
    return beam;
}

/// omega_j of the first modes.
std::vector<double> frequencies(const models::Beam& beam, int elements, int modes) {
    models::Mesh mesh;
    mesh.elements = elements;
    mesh.modes = modes;
    mesh.constraints = fem::ConstraintMethod::elimination;
    EXPECT_TRUE(models::check(beam, mesh).empty());
    const auto basis = models::modes_of(models::supported_beam(beam, mesh), beam, modes);
    std::vector<double> omega;
    for (const double lambda : basis.eigenvalues) omega.push_back(std::sqrt(lambda));
    return omega;
}

/// omega l^2 sqrt(rho A_0/(E I_0)) of a cantilever that comes to a point at its free end. Kirchhoff
/// (1879): J_n(z) I_(n+1)(z) + I_n(z) J_(n+1)(z) = 0 with z = 2 sqrt(kappa); wedge n = 1, cone 2.
std::vector<double> pointed(int n, std::size_t count) {
    const auto f = [&](double z) {
        using boost::math::cyl_bessel_i, boost::math::cyl_bessel_j;
        return cyl_bessel_j(n, z) * cyl_bessel_i(n + 1, z) +
               cyl_bessel_i(n, z) * cyl_bessel_j(n + 1, z);
    };
    std::vector<double> kappa = roots(f, 1.0, 0.1, count);
    for (double& z : kappa) z = 0.25 * z * z;
    return kappa;
}

/// Scale omega_0 = sqrt(E I_0/(rho A_0))/l^2 of the clamped section.
double scale(const models::Beam& beam) {
    const auto root = beam.section.properties(1.0);
    return std::sqrt(beam.material.youngs_modulus * root.second_moment /
                     (beam.material.density * root.area)) /
           (length * length);
}

/// A millionth of the full dimension replaces the point: it changes no digit that is compared.
constexpr double point = 1e-6;

models::Section wedge() {
    models::Profile profile;
    profile.stations = {{0.0, models::Rectangle{0.03, 0.02 * point}},
                        {1.0, models::Rectangle{0.03, 0.02}}};
    return {profile};
}

models::Section cone() {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.01 * point}}, {1.0, models::Circle{0.01}}};
    return {profile};
}

TEST(PointedCantilever, HasTheFrequenciesOfKirchhoff) {
    const std::vector<double> known_wedge = pointed(1, 3), known_cone = pointed(2, 3);
    EXPECT_NEAR(known_wedge[0], 5.3151, 5e-5);
    EXPECT_NEAR(known_cone[0], 8.7193, 5e-5);
    const models::Beam first = cantilever(wedge()), second = cantilever(cone());
    const auto of_wedge = frequencies(first, 160, 3), of_cone = frequencies(second, 160, 3);
    for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_NEAR(of_wedge[j] / (scale(first) * known_wedge[j]), 1.0, 1e-5) << "mode " << j + 1;
        EXPECT_NEAR(of_cone[j] / (scale(second) * known_cone[j]), 1.0, 1e-5) << "mode " << j + 1;
    }
}

TEST(TaperedBeam, ConvergesWithOrderFour) {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.005}}, {1.0, models::Circle{0.01}}};
    const models::Beam beam = cantilever({profile});
    const double exact = frequencies(beam, 320, 3)[2];
    const double coarse = frequencies(beam, 20, 3)[2] - exact;
    const double fine = frequencies(beam, 40, 3)[2] - exact;
    EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.1);
    EXPECT_GT(fine, 0.0) << "a Ritz value lies above the exact one";
}

TEST(TaperedBeam, UniformProfileHasTheFrequenciesOfAUniformBeam) {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.01}},
                        {0.25, models::Circle{0.01}},
                        {0.25, models::Circle{0.01}},
                        {1.0, models::Circle{0.01}}};
    const auto uniform = frequencies(cantilever({models::Circle{0.01}}), 40, 8);
    const auto same = frequencies(cantilever({profile}), 40, 8);
    for (std::size_t j = 0; j < uniform.size(); ++j)
        EXPECT_NEAR(same[j] / uniform[j], 1.0, 1e-11) << "mode " << j + 1;
}

/// A round cantilever whose radius grows from 3 mm to `thick` over `width` of its length, from
/// xi = 0.3 on, with further stations inside that change nothing.
models::Beam shouldered(double thick, double width, int stations) {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.003}}};
    for (int i = 0; i <= stations + 1; ++i) {
        const double u = static_cast<double>(i) / (stations + 1);
        profile.stations.push_back({0.3 + width * u, models::Circle{0.003 + (thick - 0.003) * u}});
    }
    profile.stations.push_back({1.0, models::Circle{thick}});
    models::Beam beam;
    beam.length = 0.3;
    beam.section = {profile};
    beam.material = {2.1e11, 0.3, 7850.0};
    beam.supports = {{models::SupportType::clamp, 0.0}};
    return beam;
}

int elements_of(const models::Beam& beam, int wanted) {
    models::Mesh mesh;
    mesh.elements = wanted;
    return models::mesh_of(beam, mesh).elements();
}

TEST(SteepShoulder, HasElementsInProportionToTheirNumberAndToTheLogarithmOfTheStiffness) {
    // log2 of (8.8125/3.1875)^4 = 5.87: the places at which EI is looked at are inside.
    for (const int n : {80, 160, 320, 640})
        EXPECT_EQ(elements_of(shouldered(0.009, 0.003, 0), n),
                  std::ceil(0.3 * n) + std::ceil(5.87 * n / 40) + std::ceil(0.697 * n - 1e-6))
            << n;
    EXPECT_EQ(elements_of(shouldered(0.003, 0.003, 0), 80), 24 + 1 + 56) << "nothing changes";
    EXPECT_EQ(elements_of(shouldered(0.009, 0.5, 0), 80), 80) << "equal elements are enough";
    EXPECT_EQ(elements_of(shouldered(0.009, 0.0, 0), 80), 80) << "a step";
}

TEST(SteepShoulder, HasNoElementBelowTwoHundredThousandthsOfTheLength) {
    EXPECT_EQ(elements_of(shouldered(0.009, 2e-4, 0), 4000), 1200 + 10 + 2800);
}

TEST(SteepShoulder, HasTheFrequenciesOfOneInManyStations) {
    for (const bool has_shear : {false, true}) {
        for (const double width : {0.003, 0.006, 0.02}) {
            models::Beam beam = shouldered(0.009, width, 0);
            models::Beam reference = shouldered(0.009, width, 15);
            if (has_shear) beam.theory = reference.theory = models::Timoshenko{};
            const auto omega = frequencies(beam, 80, 6);
            const auto known = frequencies(reference, 640, 6);
            for (std::size_t j = 0; j < 6; ++j)
                EXPECT_NEAR(omega[j] / known[j], 1.0, 1e-6 * static_cast<double>((j + 1) * (j + 1)))
                    << "mode " << j + 1 << ", " << width << ", shear " << has_shear;
        }
    }
}

/// Its elements are so short that their stiffness is 1e9 times that of their neighbours.
TEST(SteepShoulder, KeepsTheDigitsOfTheFirstFrequencyOnTheShortestElements) {
    const double one = frequencies(shouldered(0.009, 2e-4, 0), 80, 2)[0];
    const double halves = frequencies(shouldered(0.009, 2e-4, 1), 160, 2)[0];
    EXPECT_NEAR(one / halves, 1.0, 1e-5);
}

TEST(SteepShoulder, ConvergesWithOrderFour) {
    for (const bool has_shear : {false, true}) {
        models::Beam beam = shouldered(0.009, 0.003, 0);
        if (has_shear) beam.theory = models::Timoshenko{};
        const auto exact = frequencies(beam, 320, 4), coarse = frequencies(beam, 40, 4),
                   fine = frequencies(beam, 80, 4);
        for (std::size_t j = 0; j < 4; ++j)
            EXPECT_NEAR(std::log2((coarse[j] - exact[j]) / (fine[j] - exact[j])), 4.0, 0.3) << j;
    }
}

/// 0.70021302 by elements of degree 10.
TEST(SteepShoulder, GivesTheRestitutionOfElementsOfHighDegree) {
    models::BeamCollision parameters;
    parameters.beam = shouldered(0.009, 0.003, 0);
    parameters.mesh.modes = 20;
    parameters.mesh.constraints = fem::ConstraintMethod::elimination;
    parameters.striker = {models::Sphere{0.01}, models::SurfaceMaterial{2.1e11, 0.3}, 0.05, 1.0};
    std::get<contact::Hertz>(parameters.contact.law).stiffness = 5e9;
    ASSERT_TRUE(models::check(parameters).empty());
    EXPECT_NEAR(models::BeamModel(parameters).collide(0.25).cor_kinematic, 0.70021302, 4e-5);
    parameters.mesh.elements = 320;
    EXPECT_NEAR(models::BeamModel(parameters).collide(0.25).cor_kinematic, 0.70021302, 1e-6);
}

/// 1 + cos L cosh L + load(L) L (cos L sinh L - sin L cosh L) = 0 with L^2 = omega/omega_0: a
/// cantilever with m omega^2 - k at its tip, load = (m - k/omega^2)/(mu l).
std::vector<double> loaded(const std::function<double(double)>& load, std::size_t count) {
    const auto f = [&](double L) {
        return (1.0 + std::cos(L) * std::cosh(L) +
                load(L) * L * (std::cos(L) * std::sinh(L) - std::sin(L) * std::cosh(L))) /
               std::cosh(L);
    };
    return roots(f, 0.3, 0.05, count);
}

TEST(CantileverWithATipMass, HasTheFrequenciesOfTheClosedForm) {
    models::Beam beam = cantilever({models::Circle{0.01}});
    beam.masses = {{0.0, 1.7 * beam.mass(), 0.0}};
    const auto omega = frequencies(beam, 80, 5);
    const auto known = loaded([](double) { return 1.7; }, 5);
    for (std::size_t j = 0; j < 5; ++j)
        EXPECT_NEAR(omega[j] / (scale(beam) * known[j] * known[j]), 1.0, 1e-6) << "mode " << j + 1;
}

TEST(CantileverOnATipSpring, HasTheFrequenciesOfTheClosedForm) {
    models::Beam beam = cantilever({models::Circle{0.01}});
    const double stiffness = 20.0 * beam.bending_stiffness() / std::pow(length, 3);
    beam.springs = {{0.0, stiffness, 0.0}};
    const auto omega = frequencies(beam, 80, 5);
    const auto known = loaded([](double L) { return -20.0 / std::pow(L, 4); }, 5);
    for (std::size_t j = 0; j < 5; ++j)
        EXPECT_NEAR(omega[j] / (scale(beam) * known[j] * known[j]), 1.0, 1e-6) << "mode " << j + 1;
}

TEST(BeamOnSprings, IsHeldWhereTheyHoldIt) {
    models::Beam beam = cantilever({models::Circle{0.01}});
    const auto rigid = [&](std::vector<models::Support> supports,
                           std::vector<models::SpringSupport> springs) {
        beam.supports = std::move(supports);
        beam.springs = std::move(springs);
        models::Mesh mesh;
        mesh.modes = 6;
        EXPECT_TRUE(models::check(beam, mesh).empty());
        return models::modes_of(models::supported_beam(beam, mesh), beam, 6).rigid;
    };
    const models::Support pin{models::SupportType::pin, 0.25};
    EXPECT_EQ(rigid({}, {}), 2);
    EXPECT_EQ(rigid({}, {{0.5, 1e4, 0.0}}), 1);
    EXPECT_EQ(rigid({}, {{0.5, 0.0, 10.0}}), 1);
    EXPECT_EQ(rigid({}, {{0.5, 1e4, 10.0}}), 0);
    EXPECT_EQ(rigid({}, {{0.0, 1e4, 0.0}, {1.0, 1e4, 0.0}}), 0);
    EXPECT_EQ(rigid({pin}, {{0.25, 0.0, 10.0}}), 0);
    EXPECT_EQ(rigid({pin}, {{0.5, 1e4, 0.0}}), 0);
}

/// A rigid bar of mass m on two springs k at its ends: bounce omega^2 = 2k/m, pitch 6k/m.
TEST(BeamOnSprings, BouncesAndPitchesAsARigidBarWhenTheyAreSoft) {
    models::Beam beam = cantilever({models::Circle{0.01}});
    beam.supports.clear();
    const double k = 1e-5 * beam.bending_stiffness() / std::pow(length, 3);
    beam.springs = {{0.0, k, 0.0}, {1.0, k, 0.0}};
    const auto omega = frequencies(beam, 20, 3);
    EXPECT_NEAR(omega[0] * omega[0] * beam.mass() / (2.0 * k), 1.0, 2e-6);
    EXPECT_NEAR(omega[1] * omega[1] * beam.mass() / (6.0 * k), 1.0, 2e-6);
}

/// Blevins (1979), table 8-1, with beta l a root: slider-pin cos b = 0, slider-slider sin b = 0,
/// slider-free tan b = -tanh b.
TEST(BeamOnASlider, HasTheFrequenciesOfTheClosedForm) {
    const auto expect = [](std::vector<models::Support> supports,
                           const std::function<double(double)>& f) {
        models::Beam beam = cantilever({models::Circle{0.01}});
        beam.supports = std::move(supports);
        auto omega = frequencies(beam, 160, 6);
        omega.erase(omega.begin(), std::find_if(omega.begin(), omega.end(),
                                                [](double value) { return value > 0.0; }));
        const auto known = roots(f, 0.3, 0.05, 5);
        for (std::size_t j = 0; j < 5; ++j)
            EXPECT_NEAR(omega[j] / (scale(beam) * known[j] * known[j]), 1.0, 1e-6) << j + 1;
    };
    const models::Support left{models::SupportType::slider, 0.0};
    expect({left, {models::SupportType::pin, 1.0}}, [](double b) { return std::cos(b); });
    expect({left, {models::SupportType::slider, 1.0}}, [](double b) { return std::sin(b); });
    expect({left}, [](double b) { return std::sin(b) + std::cos(b) * std::tanh(b); });
}

/// With 1000 elements all lengths are equal; with 950 they differ at the mass.
TEST(BeamWithAMassOffTheEvenMesh, HasTheRestitutionOfEqualElements) {
    using Supports = std::vector<models::Support>;
    const Supports slider{{models::SupportType::slider, 0.0}}, pin{{models::SupportType::pin, 0.0}};
    for (const Supports& supports : {slider, pin, Supports{}}) {
        models::BeamCollision parameters;
        parameters.beam.length = 1.0;
        parameters.beam.section = {models::Rectangle{0.03, 0.01}};
        parameters.beam.material = {2.1e11, 0.3, 7850.0};
        parameters.beam.supports = supports;
        parameters.beam.masses = {{0.317, 0.05, 0.0}};
        parameters.mesh.modes = 60;
        parameters.striker = {models::Sphere{0.02}, models::SurfaceMaterial{2.1e11, 0.3}, 0.26,
                              0.5};
        std::get<contact::Hertz>(parameters.contact.law).stiffness = 1.5e10;
        const auto cor = [&](int elements) {
            parameters.mesh.elements = elements;
            EXPECT_TRUE(models::check(parameters).empty());
            return models::BeamModel(parameters).collide(0.86).cor_kinematic;
        };
        EXPECT_NEAR(cor(950), cor(1000), 3e-6) << supports.size();
    }
}

/// Two spans l_1, l_2 over a middle pin: the moment there is one, so the slopes that it causes on
/// both sides cancel: sum over the spans of coth(b l_i) - cot(b l_i) = 0 (Blevins 1979, 8-3).
TEST(BeamOnThreePins, HasTheFrequenciesOfTheClosedFormWhereverTheMiddleOneIs) {
    const double first = 1.0 / std::numbers::pi, second = 1.0 - first;
    models::Beam beam = cantilever({models::Circle{0.01}});
    beam.supports = {{models::SupportType::pin, 0.0},
                     {models::SupportType::pin, first},
                     {models::SupportType::pin, 1.0}};
    const auto known = roots(
        [&](double b) {
            const double x = b * first, y = b * second;
            return std::sin(y) * (std::sin(x) / std::tanh(x) - std::cos(x)) +
                   std::sin(x) * (std::sin(y) / std::tanh(y) - std::cos(y));
        },
        1.0, 0.01, 5);
    const auto error = [&](int elements) {
        const auto omega = frequencies(beam, elements, 5);
        double worst = 0.0;
        for (std::size_t j = 0; j < 5; ++j)
            worst = std::max(worst, std::abs(omega[j] / (scale(beam) * known[j] * known[j]) - 1.0));
        return worst;
    };
    EXPECT_LT(error(160), 1e-6);
    EXPECT_NEAR(std::log2(error(20) / error(40)), 4.0, 0.3);
}

TEST(BeamOfTwoMaterials, IsABeamWhoseSectionSteps) {
    // 2 E and 3 rho of one section are E and rho of a section with 2 I and 3 A.
    const models::GeneralSection section{1e-4, 2e-9};
    models::Beam beam = cantilever({section});
    beam.materials = {{0.3, {1.4e11, 0.33, 8100.0}}, {0.7, {7e10, 0.33, 2700.0}}};
    const models::GeneralSection stronger{3e-4, 4e-9};
    models::Profile profile;
    profile.stations = {{0.0, section},  {0.3, section}, {0.3, stronger},
                        {0.7, stronger}, {0.7, section}, {1.0, section}};
    const models::Beam stepped = cantilever({profile});
    const auto one = frequencies(beam, 40, 8), other = frequencies(stepped, 40, 8);
    for (std::size_t j = 0; j < one.size(); ++j)
        EXPECT_NEAR(one[j] / other[j], 1.0, 1e-11) << "mode " << j + 1;
    EXPECT_NEAR(beam.mass() / stepped.mass(), 1.0, 1e-14);
    EXPECT_NEAR(beam.centre_of_mass() / stepped.centre_of_mass(), 1.0, 1e-14);
    EXPECT_NEAR(beam.inertia(0.1) / stepped.inertia(0.1), 1.0, 1e-14);
    EXPECT_NEAR(beam.time_scale() / stepped.time_scale(), 1.0, 1e-14);
}

TEST(BeamOfTwoMaterials, IsStruckOnTheMaterialThatIsThere) {
    models::BeamCollision parameters;
    parameters.mesh = tests::published_mesh();
    parameters.beam = cantilever({models::Circle{0.01}});
    parameters.beam.materials = {{0.5, {2.1e11, 0.3, 7850.0}}};
    parameters.striker = {models::Sphere{0.02}, models::SurfaceMaterial{2.1e11, 0.3}, 0.1, 1.0};
    ASSERT_TRUE(models::check(parameters).empty());
    const models::BeamModel model(parameters);
    const double soft = 1.0 / ((1.0 - 0.33 * 0.33) / 7e10 + (1.0 - 0.09) / 2.1e11);
    const double hard = 2.1e11 / (2.0 * (1.0 - 0.09));
    EXPECT_NEAR(models::contact_stiffness(model.parameters(), 0.7).value() /
                    models::contact_stiffness(model.parameters(), 0.2).value(),
                hard / soft, 1e-12);
    const auto result = model.collide(0.3);
    EXPECT_NEAR(result.energy.residual, 0.0, 1e-4);
}

}  // namespace
