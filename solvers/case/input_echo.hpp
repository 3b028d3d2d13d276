#pragma once
/// Input echo: what was understood of a case, for `stoss check` and the report.

#include <span>
#include <string>
#include <vector>

#include <models/key_figures.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>
#include <stoss/io/plain_numbers.hpp>

namespace stoss::solvers {

/// What the parameters of a case amount to, and which of them are doubtful.
struct InputEcho {
    std::vector<models::KeyFigure> figures;
    std::vector<core::Violation> doubts;

    /// Adds what another value of a sweep amounts to.
    void add(const models::BeamCollision& collision, std::span<const double> places,
             bool with_frequencies = true);
};

/// Of one collision. Preconditions: as models::key_figures.
InputEcho echo_of(const models::BeamCollision& collision, std::span<const double> places);

/// The figures as written to summary.json.
io::Value to_value(const std::vector<models::KeyFigure>& figures);

/// "striker.radius: 15 m: ...": a doubt as a warning.
std::string to_warning(const core::Violation& doubt);

/// Numbers of the case that are read as SI, among them those that a sweep, a range, a fit or a
/// distribution gives to other keys. `keys`: all keys of the problem.
std::vector<io::PlainNumber> numbers_read_as_si(const io::Document& document,
                                                const std::vector<io::KeyDescription>& keys);

}  // namespace stoss::solvers
