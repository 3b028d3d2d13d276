#pragma once
/// The keys that every case has beside those of its problem: what it is, and what it expects.

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Which number of a column is meant.
enum class Select {
    value,
    minimum,
    maximum,
    largest_magnitude,
    place_of_minimum,
    place_of_maximum
};

constexpr auto enum_names(Select) {
    return std::array{
        core::EnumName{Select::value, "value", "the scalar of that name, or the column at `at`"},
        core::EnumName{Select::minimum, "minimum", "smallest value of the column"},
        core::EnumName{Select::maximum, "maximum", "largest value of the column"},
        core::EnumName{Select::largest_magnitude, "largest_magnitude", "largest absolute value"},
        core::EnumName{Select::place_of_minimum, "place_of_minimum", "where the smallest value is"},
        core::EnumName{Select::place_of_maximum, "place_of_maximum", "where the largest value is"}};
}

/// One line of `expect:`.
struct Expectation {
    std::string quantity;
    core::Required value = {};
    core::Required tolerance = {};
    Select select = Select::value;
    core::OrNone<double> at = {};
    core::OrNone<double> from = {};
    core::OrNone<double> to = {};
    core::OrNone<std::string> sweep;
    std::string source;
    std::string note;

    static constexpr auto fields() {
        return std::tuple{
            core::field("quantity", &Expectation::quantity,
                        "a key of summary.json (a.b: key b of a) or a column of the run's curves")
                .required(),
            core::field("value", &Expectation::value, "", core::finite, "the expected number")
                .required(),
            core::field("tolerance", &Expectation::tolerance, "", core::non_negative,
                        "largest admissible |computed - expected|")
                .required(),
            core::field("select", &Expectation::select, "which number of a column"),
            core::field("at", &Expectation::at, "", core::finite,
                        "place (xi in map.csv) at which a column is read"),
            core::field("from", &Expectation::from, "", core::finite, "smallest place looked at"),
            core::field("to", &Expectation::to, "", core::finite, "largest place looked at"),
            core::field("sweep", &Expectation::sweep,
                        "the swept value looked at, as the case writes it"),
            core::field("source", &Expectation::source, "where the number comes from").required(),
            core::field("note", &Expectation::note,
                        "where ours differs from what is printed: why")};
    }
};

/// What a case is. Stands first in the file.
struct CaseHeader {
    std::string problem;
    std::string title;
    bool on_request = false;
    std::string not_shown = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("problem", &CaseHeader::problem,
                        "what is computed; see `stoss list problems`")
                .required(),
            core::field("title", &CaseHeader::title, "one line for figures and report"),
            core::field("on_request", &CaseHeader::on_request,
                        "true: long; `stoss verify` runs it if it is named itself, and of a folder "
                        "only checks its keys"),
            core::field("not_shown", &CaseHeader::not_shown,
                        "what agreement with `expect` does not show, for the overview of "
                        "`stoss verify --markdown`")};
    }
};

/// What a case expects. Stands last in the file.
struct CaseExpectations {
    std::vector<Expectation> expect;

    static constexpr auto fields() {
        return std::tuple{
            core::field("expect", &CaseExpectations::expect, "numbers that the result must show")};
    }
};

}  // namespace stoss::solvers
