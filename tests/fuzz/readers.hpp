#pragma once
/// What every reader must hold for any bytes at all: it refuses them in words or takes them, and
/// what it took is written and read again without loss. Each function aborts if that is not so.
/// The fuzzer calls them with bytes it makes up; a test, with the files of tests/fuzz/hard.

#include <string_view>

namespace stoss::tests {

/// A case: parsed, written, parsed again; resolved, and checked as `stoss check` does. A resolved
/// case resolves to itself, and is as admissible as the case was.
void read_case(std::string_view bytes);

/// Comma-separated values, JSON and the value of a quantity, each written and read again.
void read_table(std::string_view bytes);

/// Tables of a body: its modes, written and read again; the sections along a beam.
void read_body(std::string_view bytes);

/// Measurements: a table of restitution, an encoder's trace with its impact.
void read_measurement(std::string_view bytes);

}  // namespace stoss::tests
