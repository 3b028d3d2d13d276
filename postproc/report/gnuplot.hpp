#pragma once
/// The plotting program: gnuplot, called as a process and fed a script.

#include <string>
#include <utility>

namespace stoss::postproc {

/// Where gnuplot is: the program found when Stoss was built or, if that is not there now, the
/// first `gnuplot` of PATH.
/// Errors: core::FileError that says what to install.
std::string find_gnuplot();

/// The same with another program to look for first.
std::string find_gnuplot(const std::string& preferred);

/// What gnuplot wrote.
struct GnuplotOutput {
    std::string drawing;   ///< standard output: the picture
    std::string warnings;  ///< standard error of a run that succeeded; normally empty
};

/// A gnuplot program. It holds no state between plots and reads no start-up file of the user.
class Gnuplot {
  public:
    explicit Gnuplot(std::string program = find_gnuplot()) : program_(std::move(program)) {}

    /// Runs `script`, which carries its data in datablocks and leaves `output` at standard output.
    /// Errors: core::FileError if the program does not start or a temporary file cannot be
    /// written; core::NumericalError with gnuplot's own words if it refuses the script.
    GnuplotOutput plot(const std::string& script) const;

  private:
    std::string program_;
};

}  // namespace stoss::postproc
