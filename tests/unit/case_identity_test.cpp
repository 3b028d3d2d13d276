// When two runs are of the same case.
#include <gtest/gtest.h>

#include <string>

#include <solvers/case/case_identity.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace {

using namespace stoss;

class CaseWithAnExperiment : public testing::Test {
  protected:
    std::string identity(const std::string& table) {
        write("fit.yaml", "problem: beam_fit\nexperiment: " + table + "\n");
        const io::Document document = io::read_yaml(directory_.file("fit.yaml"));
        return solvers::CaseIdentity(document, document.root, "run").text();
    }

    void write(const std::string& name, const std::string& text) {
        io::write_text(directory_.file(name), text);
    }

  private:
    tests::TemporaryDirectory directory_;
};

TEST_F(CaseWithAnExperiment, IsAnotherOneIfTheTableChanges) {
    for (const char* table : {"measured.csv", "measured", "table.1"}) {
        write(table, "xi,cor\n0.5,0.6\n");
        const std::string before = identity(table);
        EXPECT_EQ(identity(table), before) << table;
        write(table, "xi,cor\n0.5,0.7\n");
        EXPECT_NE(identity(table), before) << table;
    }
}

TEST_F(CaseWithAnExperiment, IsAnotherOneIfTheMappingOfTheColumnsChanges) {
    write("measured.csv", "xi,cor,other\n0.5,0.6,0.7\n");
    const std::string without = identity("measured.csv");
    write("measured.columns.yaml", "cor: {column: other}\n");
    const std::string with = identity("measured.csv");
    EXPECT_NE(with, without);
    write("measured.columns.yaml", "cor: {column: cor}\n");
    EXPECT_NE(identity("measured.csv"), with);
}

}  // namespace
