#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stoss/core/error.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/file.hpp>
#include <temporary_directory.hpp>

namespace {

using stoss::core::InputError;
using stoss::io::Column;
using stoss::io::parse_csv;
using stoss::io::read_csv;
using stoss::io::Table;
using stoss::io::to_csv;
using Doubles = std::vector<double>;
using Integers = std::vector<std::int64_t>;
using Texts = std::vector<std::string>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Bitwise, with all NaN equal.
bool same(const Doubles& a, const Doubles& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (std::isnan(a[i]) && std::isnan(b[i])) continue;
        if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
    }
    return true;
}

bool same(const Table& a, const Table& b) {
    if (a.columns.size() != b.columns.size()) return false;
    for (std::size_t i = 0; i < a.columns.size(); ++i) {
        const Column &x = a.columns[i], &y = b.columns[i];
        if (x.name != y.name || x.values.index() != y.values.index()) return false;
        const auto* doubles = std::get_if<Doubles>(&x.values);
        if (doubles ? !same(*doubles, std::get<Doubles>(y.values)) : x.values != y.values) {
            return false;
        }
    }
    return true;
}

stoss::core::Diagnostic error_of(const std::string& text) {
    try {
        parse_csv(text, "map.csv");
    } catch (const InputError& error) {
        EXPECT_EQ(error.diagnostics().front().file, "map.csv");
        return error.diagnostics().front();
    }
    ADD_FAILURE() << "accepted: " << text;
    return {};
}

TEST(Csv, IsWrittenWithAHeaderAndOneLineARow) {
    Table table;
    table.add("xi", Doubles{0.5, 1.0});
    table.add("sub_impacts", Integers{5, 2});
    table.add("status", Texts{"separated", "no approach, none"});
    EXPECT_EQ(to_csv(table),
              "xi,sub_impacts,status\n0.5,5,separated\n1.0,2,\"no approach, none\"\n");
}

TEST(Csv, NumbersOfAnyKindReadBackBitByBit) {
    std::mt19937_64 random(5);
    Doubles doubles = {0.1, 2.0, -0.0, 1e22, 5e-324, infinity, -infinity, not_a_number};
    while (doubles.size() < 5000) doubles.push_back(std::bit_cast<double>(random()));
    Integers integers;
    for (std::size_t i = 0; i < doubles.size(); ++i) {
        integers.push_back(std::bit_cast<std::int64_t>(random()));
    }
    Table table;
    table.add("d", doubles);
    table.add("i", integers);
    EXPECT_TRUE(same(parse_csv(to_csv(table), "x"), table));
}

TEST(Csv, AnyTextReadsBackAsTheSameText) {
    const Texts pieces = {"\"",           ",", "\n", "\r", "\r\n", " ",   "a",  "1",
                          "1.5",          "-", "+",  "e",  "nan",  "inf", "\t", "\xC3\xBC",
                          "\xEF\xBB\xBF", ""};
    std::mt19937 random(11);
    std::uniform_int_distribution<std::size_t> piece(0, pieces.size() - 1), length(0, 4);
    for (int round = 0; round < 3000; ++round) {
        Table table;
        for (const char* name : {"one", "two, \"quoted\"\n", " three "}) {
            Texts texts;
            for (int row = 0; row < 3; ++row) {
                std::string text;
                for (std::size_t i = length(random); i > 0; --i) text += pieces[piece(random)];
                texts.push_back(text);
            }
            table.add(name, texts);
            if (round % 2 == 0) break;  // one column: an empty cell must not be an empty line
        }
        ASSERT_TRUE(same(parse_csv(to_csv(table), "x"), table)) << to_csv(table);
    }
}

TEST(Csv, KindsSurviveWhenTheyLookLikeOthers) {
    Table table;
    table.add("whole_doubles", Doubles{1.0, 2.0});
    table.add("number_texts", Texts{"1", "2"});
    table.add("empty_texts", Texts{"", ""});
    EXPECT_TRUE(same(parse_csv(to_csv(table), "x"), table));
}

TEST(Csv, FilesOfOtherProgramsAreRead) {
    const Table table =
        parse_csv("\xEF\xBB\xBF time_s , force_N,note\r\n\r\n 0 ,+1.5e1,a\r\n1,,\r\n", "trace.csv");
    EXPECT_EQ(std::get<Integers>(table.column("time_s").values), (Integers{0, 1}));
    EXPECT_TRUE(same(table.numbers("force_N"), {15.0, not_a_number}));
    EXPECT_EQ(table.texts("note"), (Texts{"a", ""}));
    EXPECT_EQ(table.lines, (std::vector<int>{3, 4}));
    EXPECT_EQ(parse_csv("a\n1", "x").rows(), 1u);
}

TEST(Csv, TableWithoutRowsHasItsColumns) {
    const Table table = parse_csv("a,b\n", "x");
    EXPECT_EQ(table.rows(), 0u);
    EXPECT_TRUE(table.numbers("b").empty());
}

TEST(Csv, WholeNumbersBeyond64BitsAreDoubles) {
    EXPECT_EQ(parse_csv("a\n9223372036854775808\n", "x").numbers("a"),
              Doubles{9223372036854775808.0});
}

TEST(Csv, ANumberTooSmallForADoubleIsZero) {
    const std::string zeros(400, '0');
    const std::string text = "a\n1e-400\n-2.5e-99999999999999999999\n0." + zeros + "1\n+0.1" +
                             zeros + "e-400\n0e999\n5e-324\n";
    EXPECT_TRUE(same(parse_csv(text, "x").numbers("a"), {0.0, -0.0, 0.0, 0.0, 0.0, 5e-324}));
    EXPECT_EQ(stoss::io::cell_number("1e-400"), 0.0);
}

TEST(Csv, ANumberTooLargeForADoubleIsRefusedWithItsPlace) {
    for (const std::string& number :
         {std::string("1e400"), std::string("-1.5E+99999999999999999999"),
          "1" + std::string(400, '0'), "1" + std::string(400, '0') + "e-50"}) {
        const auto error = error_of("t,v\n1,2\n\n2,   " + number + "\n");
        EXPECT_EQ(error.line, 4) << number;
        EXPECT_EQ(error.column, 3) << number;
        EXPECT_EQ(error.violation.key, "v");
        EXPECT_EQ(error.violation.value, number);
        EXPECT_FALSE(stoss::io::cell_number(number)) << number;
    }
    EXPECT_EQ(parse_csv("a\ninf\n-inf\n", "x").numbers("a"), (Doubles{infinity, -infinity}));
}

TEST(Csv, WhatLooksLikeANumberBeyondDoublesStaysATextAmongTexts) {
    EXPECT_EQ(parse_csv("digest\n12e999\n4fa\n", "x").texts("digest"), (Texts{"12e999", "4fa"}));
    Table table;
    table.add("digest", Texts{"12e999", "1e-999"});
    EXPECT_TRUE(same(parse_csv(to_csv(table), "x"), table));
}

TEST(Csv, MixedColumnIsText) {
    const Table table = parse_csv("a\n1\nsteel\n", "x");
    EXPECT_EQ(table.texts("a"), (Texts{"1", "steel"}));
}

TEST(Csv, CellThatIsNoNumberIsNamedWithItsLine) {
    const Table table = parse_csv("t,v\n1,2\n\n2,fast\n", "trace.csv");
    try {
        table.numbers("v");
        FAIL();
    } catch (const InputError& error) {
        const auto& diagnostic = error.diagnostics().front();
        EXPECT_EQ(diagnostic.file, "trace.csv");
        EXPECT_EQ(diagnostic.line, 4);
        EXPECT_EQ(diagnostic.violation.key, "v");
        EXPECT_EQ(diagnostic.violation.value, "fast");
    }
}

TEST(Csv, MissingColumnIsToldWithTheNearestName) {
    Table table;
    table.file = "map.csv";
    table.add("cor_kinematic", Doubles{0.5});
    table.add("xi", Doubles{0.5});
    try {
        table.column("cor_kinematik");
        FAIL();
    } catch (const InputError& error) {
        const auto& diagnostic = error.diagnostics().front();
        EXPECT_EQ(diagnostic.file, "map.csv");
        EXPECT_EQ(diagnostic.violation.key, "cor_kinematik");
        EXPECT_EQ(diagnostic.violation.suggestion, "did you mean `cor_kinematic`?");
    }
    EXPECT_THROW(table.numbers("nothing like it"), InputError);
    EXPECT_THROW(table.texts("nothing like it"), InputError);
}

TEST(Csv, ErrorsNameTheLine) {
    EXPECT_EQ(error_of("a,b\n1,2\n3\n").line, 3);
    EXPECT_EQ(error_of("a,b\n1,2,3\n").line, 2);
    EXPECT_EQ(error_of("a,b\n\"x\ny\",2\n\"1").line, 4);
    EXPECT_EQ(error_of("a\n\"x\" y\n").line, 2);
    EXPECT_EQ(error_of("a\n5\" tube\n").line, 2);
    EXPECT_EQ(error_of("a,a\n").line, 1);
    EXPECT_EQ(error_of("a,\n").line, 1);
    EXPECT_EQ(error_of("").line, 0);
    EXPECT_EQ(error_of("\n\n").line, 0);
}

TEST(Csv, RowLengthIsToldAgainstTheHeader) {
    EXPECT_EQ(error_of("a,b\n1,2,3\n").violation.rule,
              "the row has 3 cells, but there are 2 columns");
}

TEST(Csv, EndsOfLinesAndBlankLinesAreNoPartOfCells) {
    for (const char* text : {"a,b\r\n1,2\r", "a,b\n1,2\n  \t \n", "a,b\r\n \r\n1,2\r\n"}) {
        const Table table = stoss::io::parse_csv(text, "t.csv");
        EXPECT_EQ(table.rows(), 1u) << text;
        EXPECT_EQ(table.numbers("b"), Doubles{2.0}) << text;
    }
    EXPECT_EQ(error_of("a,b\r1,2\r").violation.rule, "the lines of the file end in CR alone");
    EXPECT_EQ(error_of("a,b\n1\n").violation.rule, "the row has 1 cell, but there are 2 columns");
}

TEST(Csv, UnreadableFileIsAFileError) {
    const stoss::tests::TemporaryDirectory directory;
    EXPECT_THROW(read_csv(directory.file("none.csv")), stoss::core::FileError);
    stoss::io::write_text(directory.file("a.csv"), "a\n1\n");
    EXPECT_EQ(read_csv(directory.file("a.csv")).numbers("a"), Doubles{1.0});
    EXPECT_EQ(read_csv(directory.file("a.csv")).file, directory.file("a.csv"));
}

TEST(Table, ColumnsHaveOneLengthAndTheirOwnNames) {
    Table table;
    table.add("a", Doubles{1.0, 2.0});
    EXPECT_THROW(table.add("b", Doubles{1.0}), std::invalid_argument);
    EXPECT_THROW(table.add("a", Doubles{1.0, 2.0}), std::invalid_argument);
    EXPECT_THROW(table.add("", Doubles{1.0, 2.0}), std::invalid_argument);
    EXPECT_EQ(table.columns.size(), 1u);
}

TEST(Csv, CommentsStandBeforeTheHeaderAndReadBack) {
    Table table;
    table.comments = {"synthetic: made up", ""};
    table.add("x", std::vector<double>{1.5});
    const std::string text = to_csv(table);
    EXPECT_EQ(text, "# synthetic: made up\n# \nx\n1.5\n");
    const Table again = parse_csv(text, "t.csv");
    EXPECT_EQ(again.comments, table.comments);
    EXPECT_EQ(again.lines, (std::vector<int>{4}));
}

TEST(Csv, ACommentEndsBeforeTheBlanksAndCarriageReturnsOfItsLine) {
    const Table table = parse_csv("# a\r\n#\r \r\n# b \r \nx\n1.5\n", "t.csv");
    EXPECT_EQ(table.comments, (std::vector<std::string>{"a", "", "b"}));
}

TEST(Csv, TextThatBeginsWithAHashIsNoComment) {
    Table table;
    table.add("x", std::vector<std::string>{"#1", "b"});
    EXPECT_EQ(parse_csv(to_csv(table), "t.csv").texts("x"), table.texts("x"));
}

TEST(Cells, SeparatorIsTheOneOfTheHeader) {
    for (const char* text : {"a,b\n1,2\n", "a;b\n1;2\n", "a\tb\r\n1\t2\r\n", "# c\na;b\n1;2",
                             "\na;b\n1;2\n", "\xEF\xBB\xBF# c, d\n\r\n# e\n\na;b\n1;2\n",
                             "\xEF\xBB\xBF"
                             "a;b\n1;2\n"}) {
        const stoss::io::CellTable table = stoss::io::parse_cells(text, "t.csv");
        EXPECT_EQ(table.names, (std::vector<std::string>{"a", "b"})) << text;
        ASSERT_EQ(table.rows.size(), 1u) << text;
        EXPECT_EQ(table.rows[0].cells, (std::vector<std::string>{"1", "2"})) << text;
    }
}

/// The cells of a table, row by row.
std::vector<Texts> cells_of(const std::string& text) {
    std::vector<Texts> cells;
    for (const auto& row : stoss::io::parse_cells(text, "t.csv").rows) cells.push_back(row.cells);
    return cells;
}

TEST(Cells, ASeparatorBetweenQuotationMarksSeparatesNothing) {
    const auto table = stoss::io::parse_cells("\"xi\",\"e; mean\"\n0.5,0.6\n", "e.csv");
    EXPECT_EQ(table.names, (std::vector<std::string>{"xi", "e; mean"}));
    EXPECT_EQ(table.rows.front().cells, (std::vector<std::string>{"0.5", "0.6"}));
}

TEST(Cells, TextBehindAQuotationIsToldWithTheSeparator) {
    const auto rule = [](const char* text) -> std::string {
        try {
            stoss::io::parse_cells(text, "t.csv");
        } catch (const InputError& error) {
            return error.diagnostics().front().violation.rule;
        }
        return "";
    };
    EXPECT_EQ(rule("a,b\n\"1\" 2,3\n"), "a comma or the end of the line must follow a quotation");
    EXPECT_EQ(rule("a;b\n\"1\",2;3\n"),
              "a semicolon or the end of the line must follow a quotation");
    EXPECT_EQ(rule("a\tb\n\"1\",2\t3\n"), "a tab or the end of the line must follow a quotation");
}

TEST(Cells, ADecimalCommaIsReadWhereSemicolonsSetTheCellsApart) {
    EXPECT_EQ(cells_of("x [mm];note;cor\n-12,5;a,b;0,81\r\n +1,25e-3 ;1,2,3; 7\n;,;1,\n"),
              (std::vector<Texts>{
                  {"-12.5", "a,b", "0.81"}, {" +1.25e-3 ", "1,2,3", " 7"}, {"", ",", "1."}}));
    EXPECT_EQ(cells_of("# t;x\n0,5;1\n"), (std::vector<Texts>{{"0.5", "1"}}));
    EXPECT_EQ(cells_of("t;x\n\"0,5\";1\n"), (std::vector<Texts>{{"0.5", "1"}}));
}

TEST(Cells, ACommaThatMaySeparateSomethingElseIsKept) {
    for (const std::string text : {
             "t;x\n0,5;1\n0.5;1\n",  // commas and points: one of them may group thousands
             "t;x\n1.234,5;1\n",     // both in one number
             "t;x, y\n0,5;1\n",      // a comma in the header
             "t\tx\n0,5\t1\n",       // tabs
         }) {
        const Texts first = cells_of(text).front();
        EXPECT_TRUE(first[0].find(',') != std::string::npos) << text;
        EXPECT_FALSE(stoss::io::cell_number(first[0])) << text;
    }
    EXPECT_EQ(cells_of("t,x\n0,5;1\n"), (std::vector<Texts>{{"0", "5;1"}}));
}

TEST(Cells, APointInATextDoesNotForbidDecimalCommas) {
    EXPECT_EQ(cells_of("file;xi\ntrace_1.csv;0,5\n1.2.2026;0,75\n"),
              (std::vector<Texts>{{"trace_1.csv", "0.5"}, {"1.2.2026", "0.75"}}));
}

TEST(Cells, HeaderBehindAHashIsTakenIfNothingElseNamesTheColumns) {
    const stoss::io::CellTable table =
        stoss::io::parse_cells("# run 7\n# t,x\n0,1\n2,3\n", "t.csv");
    EXPECT_EQ(table.names, (std::vector<std::string>{"t", "x"}));
    EXPECT_EQ(table.rows.size(), 2u);
    EXPECT_EQ(table.rows[0].line, 3);
}

TEST(Cells, ACommentWithinACommentNamesNoColumns) {
    const auto text = "# # t,x\n0,1\n2,3\n";
    EXPECT_EQ(stoss::io::parse_cells(text, "t.csv").names, (std::vector<std::string>{"0", "1"}));
}

TEST(Cells, AColumnHasTheKindThatReadCsvDecides) {
    const std::string text =
        "code,count,share,note,none\n\"007\", 12,0.5,a,\n\"008\",13 , ,\"b,c\",\n";
    const stoss::io::CellTable cells = stoss::io::parse_cells(text, "t.csv");
    const Table table = parse_csv(text, "t.csv");
    Table written;
    for (std::size_t i = 0; i < cells.names.size(); ++i)
        written.add(cells.names[i], stoss::io::values_of(cells, i));
    EXPECT_EQ(to_csv(written), to_csv(table));
    EXPECT_EQ(written.texts("code"), (Texts{"007", "008"}));
    EXPECT_TRUE(std::holds_alternative<std::vector<std::int64_t>>(written.find("count")->values));
}

TEST(Cells, RowsMayHaveAnotherLength) {
    const stoss::io::CellTable table = stoss::io::parse_cells("a,b\n1\n1,2,3\n", "t.csv");
    EXPECT_EQ(table.rows[0].cells.size(), 1u);
    EXPECT_EQ(table.rows[1].cells.size(), 3u);
}

// A table written along its lines, or one without line ends, has its numbers in the first line.
TEST(Csv, ATableMayHaveManyColumns) {
    std::string text = "c0";
    for (int i = 1; i < 300'000; ++i) text += ",c" + std::to_string(i);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(parse_csv(text, "wide.csv").columns.back().name, "c299999");
    EXPECT_EQ(stoss::io::parse_cells(text, "wide.csv").names.size(), 300'000u);
    EXPECT_THROW(parse_csv(text + ",c0", "wide.csv"), InputError);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
