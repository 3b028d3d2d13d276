/// Programs of others with the parameters that are calibrated for them. Off by default: they must
/// be installed (CONTRIBUTING.md).

#include <gtest/gtest.h>

#include <string>

#include <command.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/json.hpp>

namespace stoss::tests {
namespace {

class OtherProgram : public testing::TestWithParam<const char*> {};

TEST_P(OtherProgram, GivesTheRestitutionAskedForWithin1e3) {
    const TemporaryDirectory folder;
    const Ended ended = stoss_command({"conformance", "--program", GetParam(), "-o", "out"},
                                      {.directory = folder.path()});
    ASSERT_EQ(ended.code, 0) << ended.err;
    const auto summary =
        io::parse_json(io::read_text(folder.file("out/summary.json")), "summary.json");
    const io::Value& program = summary.find("programs")->items()->front();
    EXPECT_LE(*program.find("cor_error_max_calibrated")->number(), 1e-3);
    EXPECT_GE(*program.find("answers")->number(), 140.0);
}

INSTANTIATE_TEST_SUITE_P(Installed, OtherProgram, testing::Values("lammps", "liggghts", "yade"));

}  // namespace
}  // namespace stoss::tests
