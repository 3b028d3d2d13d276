#pragma once
/// What a problem hands back: everything that goes into a run directory, still in memory.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <solvers/case/case_header.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// How a run ended.
enum class Ending { complete, interrupted, numerical_failure };

/// The table that an expectation looks into by place (`at`, `from`, `to`) and by `sweep`.
struct Curves {
    std::string table;                    ///< name of its file, e.g. map.csv
    std::string place;                    ///< its column of places, e.g. xi
    std::vector<std::string> row_labels;  ///< the swept value of each row, as written
};

/// Results of one run.
struct Outcome {
    Ending ending = Ending::complete;
    CaseHeader header;                                       ///< of the case that was solved
    std::vector<Expectation> expect;                         ///< what that case expects
    io::Value summary;                                       ///< scalars, units in their keys
    std::vector<std::pair<std::string, io::Table>> tables;   ///< file name and table
    std::vector<std::pair<std::string, std::string>> files;  ///< further files: name and content
    std::vector<std::string> warnings;
    std::int64_t seed = 0;                            ///< of random numbers; 0 if there are none
    std::vector<std::pair<std::string, int>> chosen;  ///< keys that the case left to the run
    std::optional<Curves> curves;                     ///< if one of the tables is such a one
    std::vector<std::string_view> headlines;          ///< keys of the summary that a terminal shows
    std::vector<std::pair<std::string, std::string>> closing_lines;  ///< more of them: name, words
    std::optional<double> exponent;              ///< n of a stiffness in N/m^n, if it is one number
    std::string_view printed_table;              ///< the table that a terminal shows too; may be ""
    std::string_view items;                      ///< long work: what is counted, "collisions"
    std::size_t item_count = 0, items_done = 0;  ///< how many there are and are done
};

}  // namespace stoss::solvers
