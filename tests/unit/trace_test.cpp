#include <postproc/experiment/trace.hpp>

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <string>
#include <vector>

#include <encoder_signal.hpp>
#include <postproc/experiment/encoder.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace stoss::postproc {
namespace {

using tests::EncoderSignal;

/// A folder with one trace in it.
class TraceFile : public testing::Test {
  protected:
    void write(const std::string& text, const std::string& name = "trace.csv") {
        io::write_text(folder_.file(name), text);
    }

    Trace read(const std::vector<std::string>& options = {"pulses_per_revolution=2000"}) const {
        const std::string file = folder_.file("trace.csv");
        return read_trace(file, read_encoder_settings(file, options));
    }

    /// What the error says, without the folder.
    std::string error(const std::vector<std::string>& options = {
                          "pulses_per_revolution=2000"}) const {
        try {
            const std::string file = folder_.file("trace.csv");
            const EncoderSettings settings = read_encoder_settings(file, options);
            measured_restitution(read_trace(file, settings), settings);
            return "no error";
        } catch (const core::InputError& problem) {
            std::string text = problem.what();
            for (std::size_t at; (at = text.find(folder_.path() + "/")) != text.npos;) {
                text.erase(at, folder_.path().size() + 1);
            }
            return text;
        }
    }

    /// The closed-form signal as a table, each line by `line(i)`.
    template <class Line>
    void write_signal(const std::string& header, Line line) {
        std::string text = header + "\n";
        for (std::size_t i = 0; i < signal_.samples(); ++i) text += line(i) + "\n";
        write(text);
    }

    EncoderSignal signal_;
    tests::TemporaryDirectory folder_;
};

TEST_F(TraceFile, CountsBecomeRadians) {
    write("time_s,angle_counts\n0,100\n0.001,101\n0.002,99\n");
    const Trace trace = read();
    EXPECT_EQ(trace.time, (std::vector<double>{0.0, 0.001, 0.002}));
    EXPECT_NEAR(trace.angle[1] - trace.angle[0], 2.0 * std::numbers::pi / 2000.0, 1e-12);
    EXPECT_FALSE(trace.is_synthetic);
}

TEST_F(TraceFile, QuadratureHasFourCountsAPulse) {
    write("t,counts\n0,0\n1,8000\n");
    EXPECT_NEAR(
        read({"pulses_per_revolution=2000", "quadrature=true", "counter_range=65536"}).angle[1],
        2.0 * std::numbers::pi, 1e-12);
}

TEST_F(TraceFile, UnitsStandInTheHeader) {
    for (const char* header :
         {"Time [ms];Angle (deg)", "time_ms;theta_deg", "t [ms];position [deg]"}) {
        write(std::string(header) + "\n0;0\n500;90\n");
        const Trace trace = read({});
        EXPECT_DOUBLE_EQ(trace.time[1], 0.5) << header;
        EXPECT_NEAR(trace.angle[1], 0.5 * std::numbers::pi, 1e-12) << header;
    }
}

TEST_F(TraceFile, HeaderMayBeTheLastOfTheComments) {
    write("# recorded on a Tuesday\n# t [s]\tangle [rad]\n0\t1\n1\t1.5\n");
    write("# recorded on a Tuesday\n# t [s],angle [rad]\n0,1\n1,1.5\n");
    EXPECT_EQ(read({}).angle, (std::vector<double>{1.0, 1.5}));
}

TEST_F(TraceFile, TimeMayFollowFromTheRate) {
    write("counts\n5\n6\n7\n");
    EXPECT_EQ(read({"pulses_per_revolution=2000", "sampling_rate=2 kHz"}).time,
              (std::vector<double>{0.0, 5e-4, 1e-3}));
}

TEST_F(TraceFile, CounterThatBeginsAnewIsUnwound) {
    for (const auto& [range, name] :
         {std::pair{2000.0, "one revolution"}, std::pair{256.0, "8 bits"},
          std::pair{512.0, "9 bits"}, std::pair{2048.0, "11 bits"}, std::pair{65536.0, "16 bits"},
          std::pair{1048576.0, "20 bits"}}) {
        signal_.offset = 0.9 * range * signal_.resolution();
        write_signal("t,counts", [&, range = range](std::size_t i) {
            const double counts = static_cast<double>(signal_.counts(i)) + 0.25 * range;
            return fmt::format("{},{}", signal_.time(i),
                               counts - range * std::floor(counts / range));
        });
        const auto settings =
            read_encoder_settings(folder_.file("trace.csv"), {"pulses_per_revolution=2000"});
        EXPECT_NEAR(measured_restitution(read(), settings).cor.value, 0.5, 5e-3) << name;
    }
}

TEST_F(TraceFile, CountsBeyondTheRangeOfTheCounterAreRefused) {
    const std::string hint =
        "    hint: the range is the number of counts after which the counter begins anew, for "
        "example --counter-range 65536; it is often found if you leave it out";
    const std::vector<std::string> options{"pulses_per_revolution=2000", "counter_range=1000"};
    write("t,counts\n0,998\n0.1, 999\n0.2,1000\n");
    EXPECT_EQ(error(options),
              "trace.csv:4:5: error: angle: 1000 counts: cannot be: a counter with a range of 1000 "
              "counts shows 0 to 999\n" +
                  hint);
    write("t,counts\n0,-500\n1,-501\n");
    EXPECT_EQ(error(options),
              "trace.csv:3:3: error: angle: -501 counts: cannot be: a counter of both signs with a "
              "range of 1000 counts shows -500 to 499\n" +
                  hint);
}

TEST_F(TraceFile, CounterOfBothSignsIsUnwound) {
    write("t,counts\n0,498\n1,499\n2,-500\n3,-499\n");
    const std::string file = folder_.file("trace.csv");
    const auto settings =
        read_encoder_settings(file, {"pulses_per_revolution=2000", "counter_range=1000"});
    const Trace trace = read_trace(file, settings);
    EXPECT_NEAR(trace.angle[3] - trace.angle[0], 3.0 * trace.resolution, 1e-12);
}

TEST_F(TraceFile, SettingsStandBesideTheTrace) {
    write(
        "pulses_per_revolution: 500\nangle: {column: B, unit: counts}\ntime: {column: A, unit: "
        "ms}\n",
        "encoder.yaml");
    write("A,B\n0,0\n1000,125\n");
    const Trace trace = read({});
    EXPECT_DOUBLE_EQ(trace.time[1], 1.0);
    EXPECT_NEAR(trace.angle[1], 0.5 * std::numbers::pi, 1e-12);
}

TEST_F(TraceFile, MappedColumnWithoutUnitHasTheUnitOfItsHeader) {
    write("angle: {column: angle_rad}\n", "encoder.yaml");
    write("t,angle_rad\n0,1\n1,2\n");
    EXPECT_EQ(read({}).angle, (std::vector<double>{1.0, 2.0}));
}

TEST_F(TraceFile, RangeOfACounterWithoutCountsIsRefused) {
    write("t,angle [rad]\n0,1\n1,2\n");
    EXPECT_EQ(error({"counter_range=65536"}),
              "trace.csv:1:1: error: counter_range: 65536: is a number of counts, but the angle is "
              "in rad\n"
              "    hint: leave it out");
}

TEST_F(TraceFile, TwoColumnsThatFitAreRefused) {
    write("t,angle,theta\n0,1,1\n");
    EXPECT_EQ(error(),
              "trace.csv:1:1: error: angle: is not unique: the columns `angle` and `theta` both "
              "fit\n"
              "    hint: say which one in encoder.yaml: `angle: {column: ...}`");
}

TEST_F(TraceFile, SyntheticSaysSo) {
    write("# synthetic: computed by Stoss, not measured\nt,angle\n0,1\n1,2\n");
    EXPECT_TRUE(read({}).is_synthetic);
}

TEST_F(TraceFile, MissingColumnIsRefused) {
    write("time_s,voltage\n0,1\n");
    EXPECT_EQ(error(),
              "trace.csv:1:1: error: angle: is missing; the columns are time_s and voltage\n"
              "    hint: name the column `angle [counts]`, or say which one it is in encoder.yaml: "
              "`angle: "
              "{column: ...}`");
    write("# by hand\ncounts\n5\n");
    EXPECT_EQ(error(),
              "trace.csv:2:1: error: time: is missing; the columns are counts\n"
              "    hint: name the column `t [s]`, or give the sampling rate: --rate 2000");
}

TEST_F(TraceFile, CaseOfAHeaderDoesNotMatter) {
    write("TIME_MS,COUNTS\n0,1\n1,2\n");
    EXPECT_EQ(read().time, (std::vector<double>{0.0, 0.001}));
    write("Time [S],Angle [RAD]\n0,1\n1,2\n");
    EXPECT_EQ(read().time, (std::vector<double>{0.0, 1.0}));
}

TEST_F(TraceFile, TableWithoutNamesOfColumnsSaysSo) {
    write("0,1.5\n0.1,1.6\n");
    EXPECT_EQ(error(),
              "trace.csv:1:1: error: the first row holds numbers, but it must name the columns\n"
              "    hint: put a row with the names of the columns above them");
    write(std::string("\xFF\xFEt\0,\0c\0\n\0", 10));
    EXPECT_EQ(error(),
              "trace.csv:1:1: error: the table is not in UTF-8\n    hint: save it as CSV in UTF-8");
}

TEST_F(TraceFile, RowOfUnitsIsNamedAsTheCause) {
    write("time,angle\ns,rad\n0,1\n");
    EXPECT_EQ(error(),
              "trace.csv:2:1: error: angle: rad: must be a finite number\n"
              "    hint: if these are units, write them into the header, such as `t [s]`, and "
              "delete this row; "
              "--skip-bad leaves such rows out");
}

TEST_F(TraceFile, CutThatEndsBeforeItBeginsIsRefused) {
    write("t,counts\n0,1\n1,2\n");
    EXPECT_EQ(error({"from=0.5", "to=0.3"}),
              "options: error: from: 0.5 s: must be before `to`, 0.3 s");
    EXPECT_EQ(error({"from=5"}),
              "trace.csv: error: 0 samples are not enough for a trace\n"
              "    hint: --from and --to leave no more of it");
}

TEST_F(TraceFile, CountsWithoutResolutionAreRefused) {
    write("t,counts\n0,1\n1,2\n");
    EXPECT_EQ(error({}),
              "trace.csv:1:1: error: pulses_per_revolution: is missing: the angle is in counts\n"
              "    hint: give it: --pulses 2000, or in encoder.yaml");
}

TEST_F(TraceFile, TextForANumberIsRefusedWithItsLine) {
    write("t,counts\n0,1\n1,two\n2,3\n3,\n");
    EXPECT_EQ(error(),
              "trace.csv:3:1: error: counts: two: must be a finite number\n"
              "trace.csv:5:1: error: counts: the cell is empty\n"
              "    hint: --skip-bad leaves such rows out");
    EXPECT_EQ(read({"pulses_per_revolution=2000", "skip_bad=true"}).left_out, 2u);
}

TEST_F(TraceFile, DecimalCommaBetweenTabsIsRefused) {
    write("t\tangle\n0,5\t1\n");
    EXPECT_EQ(
        error(),
        "trace.csv:2:1: error: t: 0,5: must be a finite number\n"
        "    hint: write numbers with a decimal point; decimal commas are accepted if semicolons "
        "separate the cells, the header has no comma and no number has a point; --skip-bad leaves "
        "such rows out");
}

TEST_F(TraceFile, DecimalCommasBetweenSemicolonsAreRead) {
    write("t [ms];angle [deg]\n0,5;90\n1,5;180\n");
    const Trace trace = read({});
    EXPECT_EQ(trace.time, (std::vector<double>{0.5e-3, 1.5e-3}));
    EXPECT_NEAR(trace.angle[1] - trace.angle[0], std::numbers::pi / 2.0, 1e-14);
}

TEST_F(TraceFile, RowOfAnotherLengthIsRefused) {
    write("t,counts\n0,1\n1\n2,3\n");
    EXPECT_EQ(error(),
              "trace.csv:3:1: error: the row has 1 cell, but there are 2 columns\n"
              "    hint: --skip-bad leaves such rows out");
}

TEST_F(TraceFile, TimesThatDoNotAscendAreRefused) {
    write("t,counts\n0,1\n2,2\n1,3\n");
    EXPECT_EQ(error(),
              "trace.csv:4:1: error: time: 1 s: must be > 2 s, the time of the sample before (line "
              "3)\n    hint: sort the rows by time");
}

TEST_F(TraceFile, RoundedTimesAreRefusedWithAHintOfTheirDigits) {
    write("t,counts\n0,1\n0.001,2\n0.001,3\n");
    EXPECT_EQ(error(),
              "trace.csv:4:1: error: time: 0.001 s: must be > 0.001 s, the time of the sample "
              "before (line 3)\n    hint: write the times with more digits, or leave them out and "
              "give the sampling rate: --rate 2000");
}

TEST_F(TraceFile, JumpThatIsNoCounterIsRefused) {
    write_signal("t,counts", [&](std::size_t i) {
        return fmt::format("{},{}", signal_.time(i), signal_.counts(i) + (i < 400 ? 0 : 200));
    });
    EXPECT_EQ(error(),
              fmt::format("trace.csv:402:1: error: angle: jumps from {} to {} counts between two "
                          "samples: counts were lost, or the counter began again\n"
                          "    hint: if the counter began again, give its range: --counter-range "
                          "65536; otherwise cut the trace with --from and --to",
                          signal_.counts(399), signal_.counts(400) + 200));
}

TEST_F(TraceFile, JumpOfAnAngleIsRefused) {
    signal_.pulses = 0.0;
    write_signal("t,angle", [&](std::size_t i) {
        return fmt::format("{},{}", signal_.time(i),
                           signal_.angle(signal_.time(i)) + (i < 400 ? 0 : 2));
    });
    const std::string words = error({});
    EXPECT_TRUE(words.starts_with("trace.csv:402:1: error: angle: jumps by 0.31")) << words;
}

TEST_F(TraceFile, AnAngleBeyondOneRevolutionIsTakenAsItIs) {
    std::vector<double> angle;
    std::string text = "time [s],angle [rad]\n";
    for (int i = 0; i < 20; ++i) {  // 4 rad and 3.5 rad a sample
        angle.push_back(i < 10 ? -4.0 * i : -36.0 + 3.5 * (i - 9));
        text += fmt::format("{},{}\n", 0.01 * i, angle.back());
    }
    write(text);
    EXPECT_EQ(read({}).angle, angle);
}

TEST_F(TraceFile, AnAngleThatBeginsAnewIsUnwound) {
    write("time [s],angle [deg]\n0,300\n1,340\n2,20\n3,60\n");
    const std::vector<double> angle = read({}).angle;
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(angle[i], (300.0 + 40.0 * static_cast<double>(i)) * std::numbers::pi / 180.0,
                    1e-12);
}

TEST_F(TraceFile, AFewLostCountsAreRefusedWithTheirLine) {
    signal_.vibration = 0.0;
    for (const int lost : {3, 6}) {
        write_signal("t,counts", [&](std::size_t i) {
            return fmt::format("{},{}", signal_.time(i), signal_.counts(i) + (i < 440 ? 0 : lost));
        });
        const std::string words = error();
        EXPECT_TRUE(words.starts_with("trace.csv:44")) << words;
        EXPECT_TRUE(words.find(fmt::format("the angle jumps by about {} counts at 0.2", lost)) !=
                    words.npos)
            << words;
    }
}

TEST_F(TraceFile, LoneWrongCountIsNoJump) {
    write_signal("t,counts", [&](std::size_t i) {
        return fmt::format("{},{}", signal_.time(i), signal_.counts(i) + (i == 400 ? 160 : 0));
    });
    EXPECT_EQ(error(), "no error");
}

TEST_F(TraceFile, GapOfASlowTraceIsNoJump) {
    signal_.omega_before = -0.6;
    signal_.vibration = 0.0;
    std::string text = "t,counts\n";
    for (std::size_t i = 0; i < signal_.samples(); ++i) {
        if (i > 250 && i < 400) continue;
        text += fmt::format("{},{}\n", signal_.time(i), signal_.counts(i));
    }
    write(text);
    EXPECT_EQ(error(), "no error");
}

TEST_F(TraceFile, RateBesideAColumnOfTimesIsRefused) {
    write("time_s,angle\n0,1\n1,2\n");
    EXPECT_EQ(error({"sampling_rate=1000"}),
              "trace.csv:1:1: error: sampling_rate: 1000 Hz: is given, but the times are in the "
              "column `time_s`\n"
              "    hint: leave it out");
}

TEST_F(TraceFile, TraceWithoutImpactIsRefused) {
    write_signal("t,counts", [&](std::size_t i) {
        return fmt::format("{},{}", signal_.time(i), -static_cast<int>(i / 2));
    });
    EXPECT_EQ(
        error(),
        "trace.csv:2:1: error: no impact found: between 0 s and 0.7995 s the angular velocity "
        "never changes abruptly\n    hint: an impact within 0.025 s of either end cannot be "
        "measured");
}

TEST_F(TraceFile, TraceWithTwoImpactsIsRefusedAtTheLineOfTheSecond) {
    signal_.vibration = 0.0;
    write_signal("t,counts", [&](std::size_t i) {
        const double late = std::max(0.0, signal_.time(i) - 0.6);
        return fmt::format("{},{}", signal_.time(i),
                           signal_.counts(i) - static_cast<int>(late * 2.5 / signal_.resolution()));
    });
    const std::string words = error();
    EXPECT_TRUE(words.starts_with("trace.csv:12")) << words;  // line 1202 is at 0.6 s
    EXPECT_TRUE(words.find("error: 2 impacts found, at 0.3") != words.npos) << words;
    EXPECT_TRUE(words.find("hint: cut the trace with --from and --to") != words.npos) << words;
    const std::string file = folder_.file("trace.csv");
    const auto settings = read_encoder_settings(file, {"pulses_per_revolution=2000", "to=550 ms"});
    EXPECT_NEAR(measured_restitution(read_trace(file, settings), settings).cor.value, 0.5, 5e-3);
}

TEST_F(TraceFile, BadOptionIsToldInItsWords) {
    write("t,counts\n0,1\n");
    EXPECT_EQ(error({"sampling_rate=fast"}).substr(0, 36), "options: error: sampling_rate: fast:");
    write("pulses_per_revolution: 500\n", "encoder.yaml");
    EXPECT_EQ(error({"window=abc"}).substr(0, 28), "options: error: window: abc:");
}

/// A folder of traces with a manifest.
class TraceFolderTest : public TraceFile {
  protected:
    void write_trace(const std::string& name, double cor) {
        signal_.cor = cor;
        std::string text = "t,counts\n";
        for (std::size_t i = 0; i < signal_.samples(); ++i) {
            text += fmt::format("{},{}\n", signal_.time(i), signal_.counts(i));
        }
        write(text, name);
    }
    TraceFolder folder(const std::vector<std::string>& options = {
                           "pulses_per_revolution=2000"}) const {
        return read_trace_folder(folder_.path(), options, 1, true);
    }
};

TEST_F(TraceFolderTest, TrialsOfOnePlaceAreAveraged) {
    write_trace("a.csv", 0.5);
    write_trace("b.csv", 0.52);
    write_trace("c.csv", 0.8);
    write("file,x [mm],trial\na.csv,300,1\nb.csv,300,2\nc.csv,200,1\n", "manifest.csv");
    const Experiment experiment = experiment_of(folder());
    EXPECT_EQ(experiment.abscissa, Abscissa::x);
    ASSERT_EQ(experiment.points.size(), 2u);
    EXPECT_DOUBLE_EQ(experiment.points[0].place, 0.2);
    EXPECT_NEAR(experiment.points[0].cor, 0.8, 3e-3);
    EXPECT_NEAR(experiment.points[1].cor, 0.51, 3e-3);
    EXPECT_NEAR(experiment.points[1].deviation.value(), 0.02 / std::sqrt(2.0), 3e-3);
    EXPECT_DOUBLE_EQ(experiment.points[1].repeats, 2.0);
}

TEST_F(TraceFolderTest, OneTraceAndManyHaveTheSameStandardErrorOfOne) {
    signal_.dry_friction = 0.2;
    write_trace("a.csv", 0.5);
    write("file,xi\na.csv,0.5\n", "manifest.csv");
    const RestitutionMeasurement found = folder().trials[0].measurement;
    const MeasuredPoint point = experiment_of(folder()).points[0];
    EXPECT_DOUBLE_EQ(point.systematic, found.cor_systematic);
    EXPECT_GT(point.systematic, 1e-4);
    EXPECT_NEAR(point.standard_error().value(), found.cor.standard_error, 1e-12);
}

TEST_F(TraceFolderTest, TraceThatTheManifestLacksIsNamed) {
    for (const char* const name : {"a.csv", "b.csv"}) write_trace(name, 0.5);
    write("file,xi\na.csv,0.5\n", "manifest.csv");
    write("pulses_per_revolution: 2000\n", "encoder.yaml");
    EXPECT_EQ(folder().unlisted, std::vector<std::string>{"b.csv"});
}

TEST_F(TraceFolderTest, BadTracesAreLeftOutOnlyOnDemand) {
    write_trace("a.csv", 0.5);
    write("t,counts\n0,1\n", "b.csv");
    write("file,xi\na.csv,0.5\nb.csv,0.6\n", "manifest.csv");
    EXPECT_THROW(folder(), core::InputError);
    const TraceFolder found = folder({"pulses_per_revolution=2000", "skip_bad=true"});
    EXPECT_EQ(found.trials.size(), 1u);
    EXPECT_EQ(found.left_out.size(), 1u);
}

TEST_F(TraceFolderTest, BadRowsOfATraceAreCounted) {
    std::string text = "t,counts\n";
    for (std::size_t i = 0; i < signal_.samples(); ++i) {
        const bool is_bad = i == 10 || i == 20;
        text += fmt::format("{},{}\n", signal_.time(i),
                            is_bad ? "?" : std::to_string(signal_.counts(i)));
    }
    write(text, "a.csv");
    write_trace("b.csv", 0.5);
    write("file,xi\na.csv,0.5\nb.csv,0.6\n", "manifest.csv");
    const TraceFolder found = folder({"pulses_per_revolution=2000", "skip_bad=true"});
    ASSERT_EQ(found.trials.size(), 2u);
    EXPECT_EQ(found.trials[0].rows_left_out, 2u);
    EXPECT_EQ(found.trials[1].rows_left_out, 0u);
}

TEST_F(TraceFolderTest, ManifestThatNamesWhatIsNotThereIsRefused) {
    write("file,xi\na.csv,0.5\nb.csv,1.5\n", "manifest.csv");
    try {
        folder();
        FAIL();
    } catch (const core::InputError& error) {
        const std::string file = folder_.file("manifest.csv");
        EXPECT_EQ(std::string(error.what()),
                  file + ":2:1: error: file: a.csv: there is no such file\n" + file +
                      ":3:1: error: xi: 1.5: must be between 0 and 1: xi = x/l\n" + file +
                      ":3:1: error: file: b.csv: there is no such file");
    }
    write("file,xi\n,0.5\n", "manifest.csv");
    try {
        folder();
        FAIL();
    } catch (const core::InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  folder_.file("manifest.csv") + ":2:1: error: file: is no file");
    }
}

TEST_F(TraceFolderTest, TraceThatIsListedTwiceIsRefused) {
    write_trace("a.csv", 0.5);
    for (const std::string again : {"a.csv", "./a.csv"}) {
        write("xi,file\n0.5,a.csv\n0.5," + again + "\n", "manifest.csv");
        try {
            folder();
            FAIL() << again;
        } catch (const core::InputError& error) {
            EXPECT_EQ(std::string(error.what()),
                      folder_.file("manifest.csv") + ":3:5: error: file: " + again +
                          ": is the trace of line 2 again\n"
                          "    hint: give each trial its own trace, or delete this line");
        }
    }
}

TEST_F(TraceFolderTest, TrialThatIsNoWholeNumberIsRefused) {
    for (const char* name : {"a.csv", "b.csv"}) write_trace(name, 0.5);
    for (const std::string number : {"1.5", "1e15"}) {
        write("file,xi,trial\na.csv,0.5,2\nb.csv,0.5," + number + "\n", "manifest.csv");
        try {
            folder();
            FAIL() << number;
        } catch (const core::InputError& error) {
            EXPECT_EQ(std::string(error.what()), folder_.file("manifest.csv") +
                                                     ":3:11: error: trial: " + number +
                                                     ": must be a whole number of at most 15 "
                                                     "digits");
        }
    }
}

TEST_F(TraceFolderTest, HintsOnAManifestNameNoFileThatIsNotRead) {
    const auto message = [&](const std::string& manifest) {
        write(manifest, "manifest.csv");
        try {
            folder();
            return std::string("no error");
        } catch (const core::InputError& error) {
            return std::string(error.what());
        }
    };
    const std::string at = folder_.file("manifest.csv") + ":1:1: error: ";
    EXPECT_EQ(message("file,place_in_box\na.csv,0.5\n"),
              at + "location: is missing; the columns are file and place_in_box\n"
                   "    hint: name the column `x [mm]`");
    EXPECT_EQ(message("file,trace,xi\na.csv,a.csv,0.5\n"),
              at + "file: is not unique: the columns `file` and `trace` both fit\n"
                   "    hint: rename one of them");
}

TEST_F(TraceFolderTest, FolderWithoutManifestIsRefused) {
    EXPECT_THROW(folder(), core::FileError);
}

}  // namespace
}  // namespace stoss::postproc
