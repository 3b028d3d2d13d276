#pragma once
/// `gradient:` of one computation that is no collision of modes: derivatives of its results by
/// numbers of its case, from seven computations each (docs/theory/gradients.md 26.7). Three more
/// between them say whether the results are smooth.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>

namespace stoss::solvers {

/// The number of the case at a path.
using FindNumber = std::function<core::NumberKey(std::string_view path)>;
/// All results of the case as its numbers are; NaN: there is none.
using ComputeResults = std::function<std::vector<double>()>;
/// What is wrong with the case as its numbers are.
using CheckNumbers = std::function<std::vector<core::Violation>()>;

/// What is wrong if the case has a range of computations.
std::vector<core::Violation> check_single(bool is_range);

/// What is wrong with the keys. `names`: paths of all keys, for hints; `example`: one of them.
std::vector<core::Violation> check_slope_keys(const std::vector<std::string>& keys,
                                              const FindNumber& number_at,
                                              const std::vector<std::string>& names,
                                              std::string_view example);

/// The nearest of `names` for each key that is none, among those that would be accepted.
void suggest_accepted_keys(std::vector<core::Violation>& found,
                           const std::vector<std::string>& names,
                           const std::function<bool(const std::string&)>& is_accepted,
                           std::string_view example);

/// How the computations are done.
struct SlopeSteps {
    /// From one to the next, relative to the number, or to what matters beside a number that is 0.
    /// A result has the derivative of the first length over which it is smooth and `exact`, or of
    /// that over which it is smoothest: long ones see its bends and kinks beside the number, short
    /// ones its roundoff.
    std::vector<double> lengths = {0x1p-10};
    /// Largest sixth difference over step of a smooth result, relative to its derivative or to the
    /// largest of the seven results over the number. So is 25 times what a result between the
    /// seven differs from the polynomial through them: the sixth difference of noise is as large.
    double smooth = 1e-5;
    /// The larger of these two, likewise, below which no other length is tried. The relative error
    /// of the derivative is less.
    double exact = core::infinity;
};

/// The derivatives of all results by a number.
struct KeySlopes {
    /// NaN where a result has a jump or a kink within `reach` of the number, where it scatters too
    /// much, and where one of the computations has none.
    std::vector<double> slopes;
    std::vector<bool> is_lost_in_noise;  ///< there is none because the result scatters
    double reach;  ///< from the number to the farthest of the nearest seven computations
};

/// `own`: what `compute` gives for the number as it is. It is that again at the end. A result that
/// is smooth over none of the lengths is tried over longer ones: it has a derivative there if two
/// of them agree.
KeySlopes slopes_by(const core::NumberKey& number, const ComputeResults& compute,
                    const std::vector<double>& own, const SlopeSteps& steps = {});

/// gradient.csv: a row for each key, with the derivatives of all columns, and these times number
/// over result. Results that come several times have several rows a key.
class SlopeTable {
  public:
    /// `columns`: of the results; `item`: what comes several times, such as impact; empty: nothing.
    /// `compute` gives the columns of the first item, then of the next.
    SlopeTable(std::vector<std::string> columns, ComputeResults compute, CheckNumbers check,
               const SlopeSteps& steps = {}, std::string item = {});

    /// The derivatives by a key. `number`: of the case that is computed.
    void add(const std::string& key, const core::NumberKey& number);

    io::Table table() const;
    /// The logarithmic derivative of a column for each key, of the first item.
    io::Value logarithmic(std::string_view column) const;
    /// A warning for each row with a result that has no derivative, with the columns of these.
    /// Where the case admits no other number, the warning has the rules.
    void warn(std::vector<std::string>& warnings) const;

  private:
    std::vector<std::string> columns_;
    ComputeResults compute_;
    CheckNumbers check_;
    SlopeSteps steps_;
    std::string item_name_;
    std::vector<double> own_;  // results of the case as it is
    std::vector<std::string> key_, unit_, broken_rules_;
    std::vector<double> value_, reach_;                                // SI
    std::vector<std::int64_t> item_;                                   // from 1
    std::vector<std::vector<double>> results_, slopes_, logarithmic_;  // one list a column
    std::vector<std::vector<bool>> is_lost_in_noise_;
};

}  // namespace stoss::solvers
