#pragma once
/// What can be wrong with an input, and how it is reported.
///
/// Bad input is an exception at the boundary; numerical failure inside a computation is a status
/// (see impact/collide.hpp), never an exception.

#include <stdexcept>
#include <string>
#include <vector>

namespace stoss::core {

/// One thing wrong with an input, found by a layer that knows the key but not the file.
struct Violation {
    std::string key;         ///< dotted path, e.g. `beam.supports[0].x`
    std::string value;       ///< the value as given, with its unit; empty if the key is missing
    std::string rule;        ///< what the value must satisfy, e.g. `must be > 0 m`
    std::string suggestion;  ///< what to write instead; may be empty

    bool operator==(const Violation&) const = default;
};

/// A violation with its place in a file. Lines and columns start at 1; 0 means unknown.
struct Diagnostic {
    std::string file;     ///< path as given; empty if there is none
    int line = 0;         ///< of the key or value
    int column = 0;       ///< likewise
    Violation violation;  ///< what is wrong
};

/// `file:line:column: error: key: value: rule` and, if there is one, a second line with the hint.
std::string to_string(const Diagnostic& diagnostic);

/// An input that cannot be used. Carries everything found wrong with it, not only the first thing.
class InputError : public std::runtime_error {
  public:
    explicit InputError(std::vector<Diagnostic> diagnostics);
    /// Everything that is wrong.
    const std::vector<Diagnostic>& diagnostics() const noexcept { return diagnostics_; }

  private:
    std::vector<Diagnostic> diagnostics_;
};

/// What is wrong with an input, without the places in its file.
std::vector<Violation> violations_of(const InputError& error);

/// A computation that could not be done on valid input: the message says what and why.
class NumericalError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A file or directory that cannot be read or written: the message names it and the system's
/// reason.
class FileError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

}  // namespace stoss::core
