// Tables of modes: what is read, what is refused and where, and the way there and back.

#include <modes_of_file.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>

namespace {

using namespace stoss;
using solvers::NamedModes;

constexpr double pi = std::numbers::pi;

/// A file of its own for each test.
std::string write(const std::string& text) {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    const auto file = std::filesystem::temp_directory_path() /
                      (std::string("stoss_modal_file_") + test->name() + ".csv");
    io::write_text(file.string(), text);
    return file.string();
}

NamedModes read(const std::string& text, std::optional<int> rigid = {}) {
    return tests::read_modes(write(text), rigid);
}

/// "line:column key" of everything that is wrong.
std::vector<std::string> complaints(const std::string& text) {
    std::vector<std::string> found;
    try {
        read(text);
    } catch (const core::InputError& error) {
        for (const core::Diagnostic& each : error.diagnostics()) {
            found.push_back(std::to_string(each.line) + ":" + std::to_string(each.column) + " " +
                            each.violation.key);
        }
    }
    return found;
}

using Complaints = std::vector<std::string>;

TEST(ModalFile, GivesTheModesAtItsPoints) {
    const NamedModes modes = read(
        "mode;frequency_Hz;damping_ratio;tip;root\n"
        "1;0;0;1.5;-0.5\n"
        "2;100;0.01;2;0.25\n");
    EXPECT_EQ(modes.rigid, 1u);
    EXPECT_EQ(modes.points, (std::vector<std::string>{"tip", "root"}));
    EXPECT_EQ(modes.eigenvalues[0], 0.0);
    EXPECT_NEAR(modes.eigenvalues[1], std::pow(200.0 * pi, 2), 1e-9);
    EXPECT_NEAR(modes.damping[1], 2.0 * 0.01 * 200.0 * pi, 1e-12);
    const modal::ModalBody body = modes.at(*modes.find("root"));
    EXPECT_EQ(body.phi, (std::vector<double>{-0.5, 0.25}));
    EXPECT_EQ(body.rigid, 1u);
    EXPECT_FALSE(modes.find("middle"));
}

TEST(ModalFile, MayHaveDecimalCommasBetweenSemicolons) {
    const NamedModes modes = read("mode;frequency_Hz;tip\n1;0;1,5\n2;100,25;-2,5e-1\n");
    EXPECT_NEAR(modes.eigenvalues[1], std::pow(200.5 * pi, 2), 1e-9);
    EXPECT_EQ(modes.at(*modes.find("tip")).phi, (std::vector<double>{1.5, -0.25}));
    EXPECT_EQ(complaints("frequency_Hz;tip\n0;1,5\n100.25;2,5\n"),
              (Complaints{"2:3 tip", "3:8 tip"}));
}

TEST(ModalFile, DividesShapesByTheRootOfTheModalMass) {
    const NamedModes modes = read("frequency_Hz,modal_mass_kg,tip\n10,4,1\n");
    EXPECT_EQ(modes.shapes(0, 0), 0.5);
}

TEST(ModalFile, TakesNearlyRigidModesForRigidIfTold) {
    const std::string text = "frequency_Hz,tip\n0.0013,1\n0.002,-1\n50,2\n";
    EXPECT_EQ(read(text).rigid, 0u);
    const NamedModes modes = read(text, 2);
    EXPECT_EQ(modes.rigid, 2u);
    EXPECT_EQ(modes.eigenvalues[1], 0.0);
}

TEST(ModalFile, ReadsBackWhatWasWritten) {
    NamedModes modes;
    modes.eigenvalues = {0.0, 12345.678, 7.1e9};
    modes.damping = {0.3, 1.0 / 3.0, 0.0};
    modes.rigid = 1;
    modes.points = {"a", "b, quoted"};
    modes.shapes = Eigen::MatrixXd{{0.1, 1.0 / 7.0, -3.0}, {0.2, 0.0, 1e-17}};
    const NamedModes back = read(io::to_csv(solvers::mode_table(modes)));
    EXPECT_EQ(back.points, modes.points);
    EXPECT_EQ(back.damping, modes.damping);
    EXPECT_EQ(back.shapes, modes.shapes);
    for (std::size_t j = 0; j < 3; ++j)
        EXPECT_NEAR(back.eigenvalues[j], modes.eigenvalues[j], 1e-15 * modes.eigenvalues[j]);
}

TEST(ModalFile, TellsTheCellOfEverythingThatIsWrong) {
    EXPECT_EQ(complaints("frequency_Hz,damping_ratio,tip\n-1,0,1\n2,nan,x\n"),
              (Complaints{"2:1 frequency_Hz", "3:3 damping_ratio", "3:7 tip"}));
    EXPECT_EQ(complaints("frequency_Hz,tip\n200,1\n100,1\n"), Complaints{"3:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,tip\n10,1\n0,1\n"), Complaints{"3:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,modal_mass_kg,tip\n10,0,1\n"),
              Complaints{"2:4 modal_mass_kg"});
    EXPECT_EQ(complaints("frequency_Hz,modal_damping_1_per_s,tip\n0,1,1\n0,2,1\n"),
              Complaints{"3:3 modal_damping_1_per_s"});
    EXPECT_EQ(complaints("frequency_Hz,tip\n10,1,2\n"), Complaints{"2:1 "});
    EXPECT_EQ(complaints("tip\n1\n"), Complaints{"1:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz\n10\n"), Complaints{"1:1 "});
    EXPECT_EQ(complaints("frequency_Hz,tip\n"), Complaints{"1:1 "});
    EXPECT_EQ(complaints("frequency_Hz,damping_ratio,modal_damping_1_per_s,tip\n1,0,0,1\n"),
              Complaints{"1:1 damping_ratio"});
    EXPECT_EQ(complaints("frequency_Hz,tip\n1e300,1\n"), Complaints{"2:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,tip\n1e-200,1\n"), Complaints{"2:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,damping_ratio,tip\n1e9,1e300,1\n"),
              Complaints{"2:5 damping_ratio"});
    EXPECT_EQ(complaints("frequency_Hz,modal_mass_kg,tip\n10,1e-300,1e300\n"),
              Complaints{"2:11 tip"});
}

TEST(ModalFile, GivesTheResidualFlexibilityOfItsLastRow) {
    const std::string modes =
        "mode,frequency_Hz,damping_ratio,modal_mass_kg,tip,root\n"
        "1,0,0,4,1.5,-0.5\n"
        "2,100,0.01,4,2,0.25\n";
    const NamedModes without = read(modes);
    EXPECT_TRUE(without.residual_flexibility.empty());
    EXPECT_EQ(without.at(0).residual_flexibility, 0.0);
    for (const char* last : {"residual_flexibility,inf,0,1,2e-8,0\n", "3,Inf,,,2e-8,0\n"}) {
        const NamedModes with = read(modes + last);
        EXPECT_EQ(with.eigenvalues, without.eigenvalues);
        EXPECT_EQ(with.shapes, without.shapes);
        EXPECT_EQ(with.residual_flexibility, (std::vector<double>{2e-8, 0.0}));
        EXPECT_EQ(with.at(*with.find("tip")).residual_flexibility, 2e-8);
    }
}

TEST(ModalFile, ReadsBackTheResidualFlexibilityThatWasWritten) {
    NamedModes modes;
    modes.add("a", {{0.0, 1e6}, {0.0, 2.0}, {0.5, 1.0 / 3.0}, 1, {}, 1.0 / 7.0 * 1e-8});
    modes.add("b", {{0.0, 1e6}, {0.0, 2.0}, {0.5, -2.0}, 1, {}, 0.0});
    const NamedModes back = read(io::to_csv(solvers::mode_table(modes)));
    EXPECT_EQ(back.residual_flexibility, modes.residual_flexibility);
    EXPECT_EQ(back.shapes, modes.shapes);
    EXPECT_EQ(back.damping, modes.damping);
    modes.residual_flexibility = {0.0, 0.0};
    EXPECT_EQ(solvers::mode_table(modes).rows(), 2u);
}

TEST(ModalFile, TellsTheCellOfAWrongResidualFlexibility) {
    const std::string modes = "frequency_Hz,damping_ratio,modal_mass_kg,tip,root\n100,0,1,1,2\n";
    EXPECT_EQ(complaints(modes + "inf,0,1,-1e-9,x\n"), (Complaints{"3:9 tip", "3:15 root"}));
    EXPECT_EQ(complaints(modes + "inf,0,1,inf,\n"), (Complaints{"3:9 tip", "3:13 root"}));
    EXPECT_EQ(complaints(modes + "inf,0.1,2,1e-9,0\n"),
              (Complaints{"3:5 damping_ratio", "3:9 modal_mass_kg"}));
    EXPECT_EQ(complaints(modes + "inf,0,1,0,0\n200,0,1,1,1\n"), Complaints{"3:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,tip\n0,1\ninf,1e-9\n"), Complaints{"3:1 frequency_Hz"});
    EXPECT_EQ(complaints("frequency_Hz,tip\ninf,1e-9\n"), Complaints{"1:1 "});
}

TEST(ModalFile, MayHaveManyPoints) {
    std::string text = "frequency_Hz";
    for (int i = 0; i < 100'000; ++i) text += ",p" + std::to_string(i);
    for (int mode = 1; mode <= 5; ++mode) {
        text += '\n' + std::to_string(mode);
        for (int i = 0; i < 100'000; ++i) text += ",1";
    }
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(read(text).points.size(), 100'000u);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
