#pragma once
/// The keys that every case has beside those of its problem: what it is, and what it expects.

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <stoss/core/fields.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/describe.hpp>

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
        core::EnumName{Select::value, "value",
                       "the scalar of that name, or the value of the column at `at`"},
        core::EnumName{Select::minimum, "minimum", "smallest value of the column"},
        core::EnumName{Select::maximum, "maximum", "largest value of the column"},
        core::EnumName{Select::largest_magnitude, "largest_magnitude",
                       "largest absolute value of the column"},
        core::EnumName{Select::place_of_minimum, "place_of_minimum", "place of the smallest value"},
        core::EnumName{Select::place_of_maximum, "place_of_maximum", "place of the largest value"}};
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
                        "name of the quantity: a key of summary.json (a.b: key b of a) or a column "
                        "of the curves of the run")
                .required(),
            core::field("value", &Expectation::value, "", core::finite, "expected number")
                .required(),
            core::field("tolerance", &Expectation::tolerance, "", core::non_negative,
                        "largest accepted |computed - expected|")
                .required(),
            core::field("select", &Expectation::select, "number that is taken from a column"),
            core::field("at", &Expectation::at, "", core::finite,
                        "place (xi in map.csv) at which a column is read"),
            core::field("from", &Expectation::from, "", core::finite,
                        "smallest place that is considered"),
            core::field("to", &Expectation::to, "", core::finite,
                        "largest place that is considered"),
            core::field("sweep", &Expectation::sweep,
                        "swept value that is considered, as the case writes it"),
            core::field("source", &Expectation::source, "source of the expected number").required(),
            core::field("note", &Expectation::note,
                        "reason for a difference from the printed number")};
    }
};

/// The kind of a case. Its keys come first in the file.
struct CaseHeader {
    std::string problem;
    std::string title;
    bool on_request = false;
    std::string not_shown = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("problem", &CaseHeader::problem,
                        "kind of problem; see `stoss list problems`")
                .required(),
            core::field("title", &CaseHeader::title, "title of figures and report, one line"),
            core::field("on_request", &CaseHeader::on_request,
                        "true: the case takes long; `stoss verify` runs it only if it is named "
                        "itself, and checks only its keys if its folder is named"),
            core::field("not_shown", &CaseHeader::not_shown,
                        "statement of what agreement with `expect` does not show, for the overview "
                        "of `stoss verify --markdown`")};
    }
};

/// The expectations of a case. They come last in the file.
struct CaseExpectations {
    std::vector<Expectation> expect;

    static constexpr auto fields() {
        return std::tuple{
            core::field("expect", &CaseExpectations::expect, "numbers that the result must show")};
    }
};

}  // namespace stoss::solvers

// Every problem reads, writes and describes these keys by code that is made once, in
// case_header.cpp.
namespace stoss::io::detail {

extern template void bind_fields(const Source&, solvers::CaseHeader&, KnownKeys&);
extern template void bind_fields(const Source&, solvers::CaseExpectations&, KnownKeys&);
extern template void write_fields(const solvers::CaseHeader&, Node&);
extern template void write_fields(const solvers::CaseExpectations&, Node&);
extern template std::vector<KeyDescription> describe_keys(const solvers::CaseHeader&);
extern template std::vector<KeyDescription> describe_keys(const solvers::CaseExpectations&);

}  // namespace stoss::io::detail
