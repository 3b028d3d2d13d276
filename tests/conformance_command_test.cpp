/// `stoss conformance` by the real command, with replacements of the programs that it calls.

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <command.hpp>
#include <models/conformance.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

class ConformanceCommand : public testing::Test {
  protected:
    Ended stoss(const std::vector<std::string>& arguments) const {
        return stoss_command(arguments, {.directory = folder_.path()});
    }

    /// A program on the search path that does what the lines of the shell say.
    void install(const std::string& name, const std::string& lines) const {
        std::filesystem::create_directories(folder_.file("bin"));
        const std::string file = folder_.file("bin/" + name);
        io::write_text(file, "#!/bin/sh\n" + lines);
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
        setenv("PATH", (folder_.file("bin") + ":" + path_).c_str(), 1);
    }

    /// Lines that answer every question as a ball without damping does, but for the first `but`.
    static std::string elastic_answers(std::size_t but = 0) {
        std::string lines;
        for (const auto& each : models::conformance_questions()) {
            if (each.number <= but) continue;
            lines += fmt::format("echo answer {} 1e-300 {}\n", each.number, each.speed);
        }
        return lines;
    }

    void TearDown() override { setenv("PATH", path_.c_str(), 1); }

    TemporaryDirectory folder_;
    std::string path_ = std::getenv("PATH");
};

TEST_F(ConformanceCommand, AnswersOfAnyProgramGiveTableFigureAndReport) {
    io::Table answers;
    std::vector<double> cor;
    std::vector<std::int64_t> numbers;
    for (const auto& each : models::conformance_questions()) {
        if (each.parameters != models::ConformanceParameters::own) continue;
        numbers.push_back(static_cast<std::int64_t>(each.number));
        cor.push_back(each.cor + 0.01);
    }
    answers.add("question", numbers);
    answers.add("cor", cor);
    io::write_text(folder_.file("mine.csv"), io::to_csv(answers));
    const Ended ended =
        stoss({"conformance", "--program", "mine", "--answers", "mine.csv", "-o", "out"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "| own, without gravity | 1.0e-02 (40 of 40) |")) << ended.out;
    EXPECT_TRUE(contains(ended.out, "| calibrated, with gravity | – |")) << ended.out;
    for (const char* name : {"report.html", "figures/own.svg", "figures/calibrated.svg",
                             "conformance.md", "questions.csv", "provenance.json"})
        EXPECT_TRUE(std::filesystem::exists(folder_.file(std::string("out/") + name))) << name;
    const io::Table table = io::read_csv(folder_.file("out/answers.csv"));
    EXPECT_EQ(table.rows(), 80u + 160u);
}

TEST_F(ConformanceCommand, CalibratedAnswersOfOurOwnAreWithin1e10) {
    io::write_text(folder_.file("mine.csv"), "question,cor\n1,0.1\n");
    ASSERT_EQ(
        stoss({"conformance", "--program", "mine", "--answers", "mine.csv", "-o", "out"}).code, 0);
    const auto summary =
        io::parse_json(io::read_text(folder_.file("out/summary.json")), "summary.json");
    const io::Value& own = summary.find("programs")->items()->back();
    EXPECT_EQ(*own.find("program")->text(), "Stoss");
    EXPECT_LE(*own.find("cor_error_max_calibrated")->number(), 1e-10);
    EXPECT_EQ(*own.find("answers")->number(), 160.0);
}

TEST_F(ConformanceCommand, AnswersMayBeSetApartBySemicolonsWithDecimalCommas) {
    io::write_text(folder_.file("mine.csv"), "question;cor\n1;0,5\n2;0,25\n");
    const Ended ended =
        stoss({"conformance", "--program", "mine", "--answers", "mine.csv", "-o", "out"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const io::Table found = io::read_csv(folder_.file("out/answers.csv"));
    EXPECT_EQ(found.numbers("cor_given")[0], 0.5);
    EXPECT_EQ(found.numbers("cor_given")[1], 0.25);
}

TEST_F(ConformanceCommand, AMissingTableOfAnswersLeavesNoDirectory) {
    const Ended ended =
        stoss({"conformance", "--program", "mine", "--answers", "none.csv", "-o", "out"});
    EXPECT_EQ(ended.code, 2) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(ConformanceCommand, AnElasticProgramGivesOneForEveryQuestion) {
    install("yade", elastic_answers());
    const Ended ended = stoss({"conformance", "--program", "yade", "-o", "out", "--quiet"});
    ASSERT_EQ(ended.code, 0) << ended.err;
    EXPECT_TRUE(contains(ended.out, "| 0.1 | 1.0000 |")) << ended.out;
    const std::string script = io::read_text(folder_.file("out/questions.py"));
    EXPECT_TRUE(contains(script, "'en': 0.95")) << script;
    EXPECT_TRUE(contains(script, "'betan': ")) << script;
}

TEST_F(ConformanceCommand, EveryInputAsksEveryQuestionThatItsProgramCanTake) {
    install("lmp", elastic_answers());
    ASSERT_EQ(stoss({"conformance", "--program", "lammps", "-o", "out", "--quiet"}).code, 0);
    const std::string input = io::read_text(folder_.file("out/in.lammps"));
    for (std::size_t number = 1; number <= 160; ++number)
        EXPECT_TRUE(contains(input, fmt::format("print \"answer {} ", number))) << number;
    EXPECT_TRUE(contains(input, "damping tsuji")) << input;
    EXPECT_TRUE(contains(input, "wall/gran hertz/history")) << input;
}

TEST_F(ConformanceCommand, AQuestionWithoutAnswerIsAnError) {
    install("lmp", elastic_answers(3));
    const Ended ended = stoss({"conformance", "--program", "lammps", "-o", "out"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_TRUE(contains(ended.err, "LAMMPS answered 157 of 160 questions; its output: "))
        << ended.err;
}

TEST_F(ConformanceCommand, AProgramThatFailsIsNamedWithItsWords) {
    install("lmp", "echo bad pair style\nexit 1\n");
    const Ended ended = stoss({"conformance", "--program", "lammps", "-o", "out"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_TRUE(contains(ended.err, "LAMMPS failed with code 1; its output: out/lammps.log"))
        << ended.err;
    EXPECT_EQ(io::read_text(folder_.file("out/lammps.log")), "bad pair style\n");
}

TEST_F(ConformanceCommand, AProgramThatASignalEndsIsNamed) {
    install("lmp", "kill -SEGV $$\n");
    const Ended ended = stoss({"conformance", "--program", "lammps", "-o", "out"});
    EXPECT_EQ(ended.code, 3);
    EXPECT_TRUE(contains(ended.err, "LAMMPS was ended by signal 11; its output: out/lammps.log"))
        << ended.err;
}

TEST_F(ConformanceCommand, ASignalToStossAloneEndsTheProgramAtOnce) {
    install("lmp", "echo $$ >started.part; mv started.part started; exec sleep 60\n");
    Running running({"conformance", "--program", "lammps", "-o", "out"},
                    {.directory = folder_.path()});
    const std::string started = folder_.file("out/started");
    while (!std::filesystem::exists(started)) usleep(10'000);
    const auto begin = std::chrono::steady_clock::now();
    running.signal(SIGTERM);
    const Ended ended = running.wait();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
    EXPECT_TRUE(contains(ended.err, "interrupted")) << ended.err;
    EXPECT_EQ(kill(std::stoi(io::read_text(started)), 0), -1);  // it is gone
}

TEST_F(ConformanceCommand, AProgramThatIsNotThereIsRefusedWithItsPackage) {
    install("lmp", "exit 127\n");
    const Ended ended = stoss({"conformance", "--program", "lammps", "-o", "out"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, "is not installed")) << ended.err;
    EXPECT_TRUE(contains(ended.err, "apt install lammps")) << ended.err;
}

TEST_F(ConformanceCommand, AnUnknownProgramIsRefusedWithASuggestion) {
    const Ended ended = stoss({"conformance", "--program", "ligghts", "-o", "out"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, "did you mean `liggghts`?")) << ended.err;
    EXPECT_FALSE(std::filesystem::exists(folder_.file("out")));
}

TEST_F(ConformanceCommand, AnswersByWhichTheBallGainsEnergyAreAWarning) {
    io::write_text(folder_.file("mine.csv"), "question,cor\n1,0.1\n3,7\n");
    const Ended ended =
        stoss({"conformance", "--program", "mine", "--answers", "mine.csv", "-o", "out"});
    EXPECT_EQ(ended.code, 0);
    EXPECT_TRUE(contains(ended.err,
                         "1 of 2 answers are above 1: the ball would gain energy; the "
                         "first is 7 of question 3"))
        << ended.err;
}

TEST_F(ConformanceCommand, AnswersOfAnotherProgramCannotHaveTheNameOfStoss) {
    io::write_text(folder_.file("mine.csv"), "question,cor\n1,0.1\n");
    const Ended ended =
        stoss({"conformance", "--program", "Stoss", "--answers", "mine.csv", "-o", "out"});
    EXPECT_EQ(ended.code, 2);
    EXPECT_TRUE(contains(ended.err, "give the answers another name")) << ended.err;
}

TEST_F(ConformanceCommand, BadAnswersAreRefusedWithTheirLine) {
    const auto refusal = [&](const std::string& text) {
        io::write_text(folder_.file("bad.csv"), text);
        const Ended ended =
            stoss({"conformance", "--program", "mine", "--answers", "bad.csv", "-o", "out"});
        EXPECT_EQ(ended.code, 2);
        return ended.err;
    };
    EXPECT_TRUE(contains(refusal("question,cor\n161,0.5\n"), "bad.csv:2:1: error: question: 161"));
    EXPECT_TRUE(contains(refusal("cor,question\n0.5,1\n0.6,1\n"),
                         "bad.csv:3:5: error: question: 1: has two answers"));
    EXPECT_TRUE(contains(refusal("question,cor\n1,-0.5\n"), "bad.csv:2:3: error: cor: -0.5"));
    EXPECT_TRUE(contains(refusal("question,cor\n1,nan\n"), "must be a finite number"));
    EXPECT_TRUE(contains(refusal("question,cor\n1\n"), "the row has 1 cell"));
    EXPECT_TRUE(contains(refusal("question,cor\n"), "has no answer"));
    const std::string all = refusal("question,cor\n161,0.5\n1\n2,-1\n3,0.5\n3,x\n");
    for (const char* place : {"bad.csv:2:1: error: question: 161",
                              "bad.csv:3:1: error: the row has", "bad.csv:4:3: error: cor: -1",
                              "bad.csv:6:1: error: question: 3: has", "bad.csv:6:1: error: cor: x"})
        EXPECT_TRUE(contains(all, place)) << place << "\n" << all;
    EXPECT_TRUE(contains(refusal("number,cor\n1,0.5\n"), "question"));
}

}  // namespace
}  // namespace stoss::tests
