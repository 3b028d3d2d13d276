#pragma once
/// What a problem hands back: everything that goes into a run directory, still in memory.

#include <string>
#include <utility>
#include <vector>

#include <solvers/case_header.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// How a run ended.
enum class Ending { complete, interrupted, numerical_failure };

/// Results of one run.
struct Outcome {
    Ending ending = Ending::complete;
    CaseHeader header;                                       ///< of the case that was solved
    std::vector<Expectation> expect;                         ///< what that case expects
    io::Value summary;                                       ///< scalars, units in their keys
    std::vector<std::pair<std::string, io::Table>> tables;   ///< file name and table
    std::vector<std::pair<std::string, std::string>> files;  ///< further files: name and content
    std::vector<std::string> warnings;
    std::vector<std::string> row_labels;  ///< of map.csv: the swept value of each row, as written
    std::size_t rows = 0, rows_done = 0;  ///< long work: how many items there are and are done
};

}  // namespace stoss::solvers
