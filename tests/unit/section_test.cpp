// Sections: their numbers, and how they change along a beam.

#include <models/beam.hpp>
#include <models/section.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace {

using namespace stoss;
using models::SectionProperties;

void expect_same(const SectionProperties& a, const SectionProperties& b) {
    EXPECT_NEAR(a.area / b.area, 1.0, 1e-14);
    EXPECT_NEAR(a.second_moment / b.second_moment, 1.0, 1e-14);
    EXPECT_NEAR(a.contact_curvature, b.contact_curvature, 1e-12);
}

TEST(Section, EllipseOfEqualAxesIsACircle) {
    expect_same(models::Ellipse{0.02, 0.02}.properties(), models::Circle{0.01}.properties());
}

TEST(Section, EllipseIsStruckAtTheEndOfItsHeight) {
    const SectionProperties flat = models::Ellipse{0.04, 0.02}.properties();
    EXPECT_NEAR(flat.second_moment, std::numbers::pi / 4 * 0.02 * 1e-6, 1e-20);
    EXPECT_NEAR(1.0 / flat.contact_curvature, 0.02 * 0.02 / 0.01, 1e-14);
}

TEST(Section, TubeWithoutHoleIsACircle) {
    expect_same(models::Tube{0.01, 0.0}.properties(), models::Circle{0.01}.properties());
}

TEST(Section, TubeIsACircleLessItsHole) {
    const auto tube = models::Tube{0.01, 0.008}.properties();
    const auto outer = models::Circle{0.01}.properties(), hole = models::Circle{0.008}.properties();
    EXPECT_NEAR(tube.area, outer.area - hole.area, 1e-18);
    EXPECT_NEAR(tube.second_moment, outer.second_moment - hole.second_moment, 1e-22);
}

TEST(Section, HeightIsAlongTheMotionAndThicknessTheLeastOfWhatIsStruck) {
    const auto expect = [](const SectionProperties& section, double height, double thickness) {
        EXPECT_DOUBLE_EQ(section.height, height);
        EXPECT_DOUBLE_EQ(section.thickness, thickness);
    };
    expect(models::Circle{0.01}.properties(), 0.02, 0.02);
    expect(models::Tube{0.01, 0.007}.properties(), 0.02, 0.003);
    expect(models::Tube{0.01, 0.0}.properties(), 0.02, 0.02);
    expect(models::Rectangle{0.03, 0.05}.properties(), 0.05, 0.03);
    expect(models::Ellipse{0.06, 0.02}.properties(), 0.02, 0.02);
    expect(models::ISection{0.1, 0.2, 0.01, 0.006}.properties(), 0.2, 0.01);
    const auto rectangle = models::Rectangle{0.03, 0.05}.properties();
    const models::GeneralSection general{rectangle.area, rectangle.second_moment};
    EXPECT_NEAR(general.properties().height, 0.05, 1e-16);
}

TEST(Section, IWithAWebAsWideAsItsFlangesIsARectangle) {
    expect_same(models::ISection{0.03, 0.05, 0.004, 0.03}.properties(),
                models::Rectangle{0.03, 0.05}.properties());
}

TEST(Section, RectangleIsFlatAndBendsWithTheCubeOfItsHeight) {
    const auto rectangle = models::Rectangle{0.03, 0.02}.properties();
    EXPECT_EQ(rectangle.contact_curvature, 0.0);
    EXPECT_NEAR(rectangle.second_moment, 0.03 * 8e-6 / 12, 1e-20);
}

models::Section stepped_cone() {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.01}},
                        {0.5, models::Circle{0.02}},
                        {0.5, models::Tube{0.03, 0.02}},
                        {1.0, models::Tube{0.03, 0.01}}};
    return {profile};
}

TEST(Profile, ChangesEachDimensionLinearlyAndStepsToTheRight) {
    const models::Section section = stepped_cone();
    EXPECT_FALSE(section.is_uniform());
    expect_same(section.properties(0.0), models::Circle{0.01}.properties());
    expect_same(section.properties(0.25), models::Circle{0.015}.properties());
    expect_same(section.properties(0.5), models::Tube{0.03, 0.02}.properties());
    expect_same(section.properties(0.75), models::Tube{0.03, 0.015}.properties());
    expect_same(section.properties(1.0), models::Tube{0.03, 0.01}.properties());
}

TEST(Profile, AnInfiniteContactRadiusStaysFlat) {
    models::Profile profile;
    profile.stations = {{0.0, models::GeneralSection{1e-4, 1e-9}},
                        {1.0, models::GeneralSection{3e-4, 5e-9}}};
    const auto middle = profile.properties(0.5);
    EXPECT_EQ(middle.contact_curvature, 0.0);
    EXPECT_NEAR(middle.area, 2e-4, 1e-18);
}

models::Beam cone() {
    models::Beam beam;
    beam.length = 0.8;
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.02}}, {1.0, models::Circle{0.005}}};
    beam.section = {profile};
    beam.material = {2e11, 0.3, 7850.0};
    return beam;
}

/// V = pi l (R^2 + R r + r^2)/3, centroid l/4 (R^2 + 2 R r + 3 r^2)/(R^2 + R r + r^2) from R.
TEST(Beam, FrustumHasItsVolumeAndCentroid) {
    const models::Beam beam = cone();
    const double R = 0.02, r = 0.005, sum = R * R + R * r + r * r;
    EXPECT_NEAR(beam.mass() / (7850.0 * std::numbers::pi * 0.8 * sum / 3), 1.0, 1e-14);
    EXPECT_NEAR(beam.centre_of_mass(), 0.2 * (R * R + 2 * R * r + 3 * r * r) / sum, 1e-15);
}

TEST(Beam, PointMassesMoveTheCentreAndObeySteiner) {
    models::Beam beam = cone();
    const double mass = beam.mass(), centre = beam.centre_of_mass(), own = beam.inertia(centre);
    EXPECT_NEAR(beam.inertia(0.1), own + mass * std::pow(centre - 0.1, 2), 1e-15);
    beam.masses = {{0.75, 0.5, 1e-3}};
    const double both = beam.centre_of_mass();
    EXPECT_NEAR(both, (mass * centre + 0.5 * 0.6) / (mass + 0.5), 1e-15);
    EXPECT_NEAR(beam.inertia(both),
                own + mass * std::pow(centre - both, 2) + 0.5 * std::pow(0.6 - both, 2) + 1e-3,
                1e-14);
}

TEST(Beam, UniformProfileHasTheNumbersOfAUniformSection) {
    models::Beam profile = cone(), uniform = cone();
    models::Profile same;
    same.stations = {{0.0, models::Circle{0.01}}, {1.0, models::Circle{0.01}}};
    profile.section = {same};
    uniform.section = {models::Circle{0.01}};
    EXPECT_NEAR(profile.bending_stiffness() / uniform.bending_stiffness(), 1.0, 1e-14);
    EXPECT_NEAR(profile.time_scale() / uniform.time_scale(), 1.0, 1e-14);
    EXPECT_NEAR(profile.inertia(0.1) / uniform.inertia(0.1), 1.0, 1e-14);
}

/// Cowper (1966), J. Appl. Mech. 33, 335, table 1, and limits in which one shape becomes another.
TEST(ShearCoefficient, OfShapesThatMeetAgree) {
    for (const double nu : {0.0, 0.3, 0.5}) {
        const double circle = models::Circle{0.01}.shear_coefficient(nu).value();
        EXPECT_NEAR(circle, 6.0 * (1.0 + nu) / (7.0 + 6.0 * nu), 1e-15);
        EXPECT_NEAR((models::Ellipse{0.02, 0.02}.shear_coefficient(nu).value()), circle, 1e-14);
        EXPECT_NEAR((models::Tube{0.01, 0.0}.shear_coefficient(nu).value()), circle, 1e-14);
        const double thin = models::Tube{0.01, 0.01 * (1.0 - 1e-9)}.shear_coefficient(nu).value();
        EXPECT_NEAR(thin, 2.0 * (1.0 + nu) / (4.0 + 3.0 * nu), 1e-8) << "thin tube of Cowper";
        const double rectangle = models::Rectangle{0.01, 0.03}.shear_coefficient(nu).value();
        EXPECT_NEAR(rectangle, 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu), 1e-15);
        const models::ISection web{0.01, 0.03, 1e-12, 0.01};
        EXPECT_NEAR(web.shear_coefficient(nu).value(), rectangle, 1e-8);
    }
    EXPECT_NEAR((models::Ellipse{1e-4, 1.0}.shear_coefficient(0.0).value()), 0.9, 1e-6)
        << "tall and thin";
    const models::ISection flanges{0.1, 0.1, 0.001, 1e-6};
    const double web = 1e-6 * 0.099 / flanges.properties().area;
    EXPECT_NEAR(flanges.shear_coefficient(0.3).value() / web, 1.0, 0.05)
        << "the web takes the shear";
}

TEST(ShearCoefficient, OfAProfileIsThatOfItsShapeThere) {
    models::Profile profile;
    profile.stations = {{0.0, models::Circle{0.01}},
                        {0.5, models::Circle{0.02}},
                        {0.5, models::Rectangle{0.01, 0.03}},
                        {1.0, models::Rectangle{0.02, 0.03}}};
    const models::Section section{profile};
    EXPECT_EQ(section.shear_coefficient(0.2, 0.3), models::Circle{1.0}.shear_coefficient(0.3));
    EXPECT_EQ(section.shear_coefficient(0.7, 0.3),
              (models::Rectangle{1.0, 1.0}.shear_coefficient(0.3).value()));
    EXPECT_FALSE((models::GeneralSection{1.0, 1.0}.shear_coefficient(0.3)));
}

}  // namespace
