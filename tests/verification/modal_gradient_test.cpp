/// Gradients of collisions of bodies that tables of modes give (docs/gradients.md).

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <solvers/problems/modal/modal_case.hpp>
#include <solvers/problems/modal/modal_gradient.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::tests {
namespace {

using impact::Quantity;
using solvers::ModalCase;
using solvers::ModalGradient;

constexpr std::array quantities{Quantity::cor_kinematic, Quantity::impulse, Quantity::peak_force,
                                Quantity::separation, Quantity::energy_vibration};

/// Exponents of mass, length and time in the unit of a number.
using Exponents = std::array<double, 3>;

/// Every number of the case below and of its tables.
const std::vector<std::pair<std::string, Exponents>>& numbers() {
    static const auto all = [] {
        constexpr double n = 1.5;  // of the law
        constexpr Exponents per_time{0, 0, -1}, per_mass{-0.5, 0, 0}, none{0, 0, 0},
            length{0, 1, 0};
        constexpr Exponents speed{0, 1, -1}, acceleration{0, 1, -2}, softness{-1, 0, 2};
        std::vector<std::pair<std::string, Exponents>> list{
            {"body.motion[0].velocity", speed},
            {"body.motion[0].acceleration", acceleration},
            {"body.motion[1].velocity", speed},
            {"body.motion[1].acceleration", acceleration},
            {"body.vibration[0].displacement", length},
            {"body.vibration[0].velocity", speed},
            {"striker.motion[0].velocity", speed},
            {"striker.vibration[0].velocity", speed},
            {"contact.stiffness", {1, 1 - n, -2}},
            {"contact.damping_factor", {0, -1, 1}},
            {"body.modes[5].tip", softness},
            {"body.modes[5].side", softness},
            {"striker.modes[0].modal_damping_1_per_s", per_time}};
        for (const std::string row : {"0", "1", "2", "3", "4"}) {
            list.push_back({"body.modes[" + row + "].modal_mass_kg", {1, 0, 0}});
            list.push_back({"body.modes[" + row + "].tip", none});
            list.push_back({"body.modes[" + row + "].side", none});
        }
        for (const std::string row : {"2", "3", "4"}) {
            list.push_back({"body.modes[" + row + "].frequency_Hz", per_time});
            list.push_back({"body.modes[" + row + "].damping_ratio", none});
        }
        for (const std::string row : {"0", "1", "2"})
            list.push_back({"striker.modes[" + row + "].head", per_mass});
        for (const std::string row : {"1", "2"}) {
            list.push_back({"striker.modes[" + row + "].frequency_Hz", per_time});
            list.push_back({"striker.modes[" + row + "].modal_damping_1_per_s", per_time});
        }
        return list;
    }();
    return all;
}

/// Two bodies by their tables: damped, loaded and vibrating, with modal masses and residual
/// flexibilities.
class ModalGradients : public testing::Test {
  protected:
    ModalCase read() const {
        io::write_text(folder_.file("bar.csv"),
                       "frequency_Hz,damping_ratio,modal_mass_kg,tip,side\n"
                       "0,0,0.4,1,1\n0,0,0.3,1.7,-0.2\n900,0.01,0.25,-1.9,0.8\n"
                       "2600,0.012,0.22,2.1,1.1\n5100,0.02,0.3,-2.2,0.4\ninf,,,2e-10,1e-10\n");
        io::write_text(folder_.file("hammer.csv"),
                       "frequency_Hz,modal_damping_1_per_s,head\n0,3,4\n1500,40,3\n4000,90,-2\n");
        std::string text =
            "problem: modal_impact\nbody:\n  modes: bar.csv\n  motion:\n"
            "    - {point: tip, velocity: -1.1 m/s, acceleration: -9 m/s^2}\n"
            "    - {point: side, velocity: -0.3 m/s, acceleration: -3 m/s^2}\n"
            "  vibration: [{mode: 3, point: side, displacement: 3e-6 m, velocity: 0.03 m/s}]\n"
            "striker:\n  kind: modes\n  modes: hammer.csv\n  point: head\n"
            "  motion: [{point: head, velocity: 0.6 m/s}]\n"
            "  vibration: [{mode: 2, point: head, velocity: 0.02 m/s}]\n"
            "contact: {law: hunt_crossley, stiffness: 2e9, damping_factor: 0.1}\n"
            "points: [tip, side]\n"
            "gradient_of: [cor_kinematic, impulse, peak_force, separation, energy_vibration]\n"
            "gradient:\n";
        for (const auto& number : numbers()) text += "  - \"" + number.first + "\"\n";
        ModalCase all = ModalCase::read(io::parse_yaml(text, folder_.file("case.yaml")));
        all.impact.integration.scheme = time::Splitting{1e-12};  // finer than a case may ask for
        return all;
    }

    static impact::CollisionResult collide(const ModalCase& all, std::size_t point) {
        const modal::ModalBody body = all.body.modes.at(all.points[point]);
        const modal::ModalBody striker = all.striking_body();
        return impact::collide(all.body.motion.of(body), all.striker_motion().of(striker),
                               all.contact(), all.impact.integration.scheme,
                               all.time_limit(striker));
    }

    static solvers::GradientRow gradient(const ModalCase& all, std::size_t point) {
        const impact::Collider collider(all.body.modes.at(0), all.striking_body(), all.contact(),
                                        all.impact.integration.scheme);
        impact::Collider::Workspace workspace;
        return ModalGradient(all).row(point, collider, workspace);
    }

    const TemporaryDirectory folder_;
};

TEST_F(ModalGradients, AreTheLimitsOfDifferences) {
    const ModalCase all = read();
    for (const std::size_t point : {0U, 1U}) {
        const solvers::GradientRow row = gradient(all, point);
        for (std::size_t k = 0; k < numbers().size(); ++k) {
            ModalCase changed = all;
            const core::NumberKey number = changed.number_at(numbers()[k].first);
            const double value = number.value().value();
            const core::Stencil stencil{value, 3e-5 * std::abs(value)};
            std::array<double, quantities.size()> slopes{};
            for (std::size_t i = 0; i < core::Stencil::points; ++i) {
                number.set(stencil.number(i));
                ASSERT_TRUE(changed.settle().empty());
                const impact::CollisionResult result = collide(changed, point);
                for (std::size_t q = 0; q < quantities.size(); ++q)
                    slopes[q] += stencil.weight(i) * impact::value_of(result, quantities[q]);
            }
            for (std::size_t q = 0; q < quantities.size(); ++q) {
                const double found = row.slopes[k * quantities.size() + q];
                const double size = std::abs(row.results[q] / value);
                EXPECT_NEAR(found, slopes[q], 1e-6 * std::abs(slopes[q]) + 1e-8 * size)
                    << numbers()[k].first << " " << q << " " << point;
            }
        }
    }
}

/// e and the fraction of energy have no unit; the sum over all numbers knows no reference.
TEST_F(ModalGradients, KnowNoUnits) {
    const ModalCase all = read();
    constexpr std::array without_unit{std::size_t{0}, std::size_t{4}};
    for (const std::size_t point : {0U, 1U}) {
        const solvers::GradientRow row = gradient(all, point);
        for (const std::size_t q : without_unit) {
            for (std::size_t dimension = 0; dimension < 3; ++dimension) {
                double sum = 0.0, magnitude = 0.0;
                for (std::size_t k = 0; k < numbers().size(); ++k) {
                    const double part = numbers()[k].second[dimension] * row.values[k] *
                                        row.slopes[k * quantities.size() + q];
                    sum += part;
                    magnitude += std::abs(part);
                }
                EXPECT_GT(magnitude, 0.0);
                EXPECT_LT(std::abs(sum), 1e-9 * magnitude) << point << " " << q << " " << dimension;
            }
        }
    }
}

/// A point mass on a rigid body and a spring: e = 1, P = 2 m* v, t = pi sqrt(m*/k).
TEST_F(ModalGradients, AreTheClosedFormsOfTwoMasses) {
    io::write_text(folder_.file("mass.csv"), "frequency_Hz,all\n0,0.5\n");  // 4 kg
    const ModalCase all = ModalCase::read(io::parse_yaml(
        "problem: modal_impact\nbody: {modes: mass.csv}\n"
        "striker: {kind: point_mass, mass: 1 kg, velocity: 2 m/s}\n"
        "contact: {law: hertz, stiffness: 1e6, exponent: 1}\nintegration: {tolerance: 1e-11}\n"
        "gradient: [striker.mass, striker.velocity, contact.stiffness, \"body.modes[0].all\"]\n"
        "gradient_of: [cor_kinematic, impulse, separation]\n",
        folder_.file("masses.yaml")));
    const solvers::GradientRow row = gradient(all, 0);
    constexpr double m = 1.0, m_2 = 4.0, v = 2.0, share = m_2 / (m + m_2), reduced = m * share;
    const double time = std::acos(-1.0) * std::sqrt(reduced / 1e6);
    const std::array<std::array<double, 3>, 4> logarithmic{
        {{0.0, share, 0.5 * share},  // d(log m*)/d(log m) = M/(m + M)
         {0.0, 1.0, 0.0},
         {0.0, 0.0, -0.5},
         {0.0, -2.0 * (1 - share), -(1 - share)}}};  // M = phi^-2
    EXPECT_NEAR(row.results[1], 2.0 * reduced * v, 1e-9);
    EXPECT_NEAR(row.results[2], time, 1e-9 * time);
    for (std::size_t k = 0; k < logarithmic.size(); ++k) {
        for (std::size_t q = 0; q < 3; ++q)
            EXPECT_NEAR(row.slopes[3 * k + q] * row.values[k] / row.results[q], logarithmic[k][q],
                        1e-9)
                << k << " " << q;
    }
}

TEST_F(ModalGradients, NameTheNumberThatCannotChangeAlone) {
    io::write_text(folder_.file("mass.csv"), "frequency_Hz,all,again\n0,0.5,0.5\n");
    const ModalCase all = ModalCase::read(io::parse_yaml(
        "problem: modal_impact\nbody:\n  modes: mass.csv\n"
        "  motion: [{point: all, velocity: -1 m/s}, {point: again, velocity: -1 m/s}]\n"
        "striker: {kind: point_mass}\ncontact: {law: hertz, stiffness: 1e6}\n"
        "gradient: [\"body.motion[0].velocity\", contact.stiffness]\n",
        folder_.file("masses.yaml")));
    const ModalGradient gradient(all);
    EXPECT_NE(gradient.keys()[0].reason.find("is not the motion of a rigid body"),
              std::string::npos);
    EXPECT_TRUE(gradient.keys()[1].reason.empty());
}

/// With damping the residual flexibility becomes a mode.
TEST_F(ModalGradients, NameTheDampingThatMakesAMode) {
    const std::string rows = "frequency_Hz,all\n0,0.5\n900,1.5\n";
    for (const bool has_residual : {false, true}) {
        io::write_text(folder_.file("bar.csv"), rows + (has_residual ? "inf,2e-9\n" : ""));
        const ModalCase all = ModalCase::read(
            io::parse_yaml("problem: modal_impact\nbody: {modes: bar.csv}\n"
                           "striker: {kind: point_mass, mass: 1 kg, velocity: 2 m/s}\n"
                           "contact: {law: linear_damping, stiffness: 1e9, damping: 0}\n"
                           "gradient: [contact.damping, contact.stiffness]\n",
                           folder_.file("bar.yaml")));
        const ModalGradient gradient(all);
        EXPECT_EQ(gradient.keys()[0].reason,
                  has_residual ? "beside this value the model has other modes" : "");
        EXPECT_EQ(gradient.keys()[1].reason, "");
    }
}

}  // namespace
}  // namespace stoss::tests
