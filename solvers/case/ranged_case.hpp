#pragma once
/// A case of one computation, or of one for each value of a key (`over:`), for each value of
/// another one (`sweep:`).

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <solvers/case/key_range.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

/// The computations of a case, in rows: the values of `over:` for the first value of `sweep:`, then
/// for the second, and so on.
template <class Parameters>
struct RangedCase {
    Parameters given;
    std::string key;  ///< of `over:`; empty without
    std::optional<Sweep> sweep;
    std::optional<Steps> range;
    std::vector<Branch<Parameters>> branches;  ///< one a curve

    bool is_single() const { return !range && !sweep; }
    std::size_t points() const { return range ? range->points : 1; }  ///< of a branch
    std::size_t rows() const { return branches.size() * points(); }
    Parameters at(std::size_t row) const {
        Parameters own = branches[row / points()].parameters;
        if (range) number_at(own, key).set((*range)[row % points()]);
        return own;
    }
    /// The given parameters with the key of `over:` at that value [SI].
    Parameters at_place(double place) const {
        Parameters own = given;
        number_at(own, key).set(place);
        return own;
    }
    /// Column of `over:`.
    std::string place_name() const {
        Parameters copy = given;
        return column_of(key, number_at(copy, key).unit);
    }
    /// The value of `over:` at every row.
    std::vector<double> places() const {
        std::vector<double> values;
        for (std::size_t row = 0; row < rows(); ++row) values.push_back((*range)[row % points()]);
        return values;
    }
    /// The swept value of every row, as written.
    std::vector<std::string> row_labels() const {
        std::vector<std::string> labels;
        for (const auto& branch : branches) labels.insert(labels.end(), points(), branch.label);
        return labels;
    }
};

/// What is wrong with `over:` and `sweep:` themselves. `problem` and `example` are what hints name.
template <class Parameters>
std::vector<core::Violation> check_ranges(Parameters given, const std::vector<KeyRange>& over,
                                          const std::optional<Sweep>& sweep,
                                          std::string_view problem, std::string_view example) {
    const auto keys = io::describe_keys<Parameters>();
    std::vector<core::Violation> violations = check_repeated_keys(over, sweep);
    if (sweep) core::append(check_sweep(*sweep, keys, problem, example), violations);
    if (over.size() > 1) {
        violations.push_back({"over", fmt::format("{} keys", over.size()),
                              "must hold at most one key", "give a further key in `sweep`"});
    }
    if (over.empty()) return violations;
    const std::string& key = over.front().key;
    auto found = check_sweep({key, {""}}, keys, problem, example);
    if (number_at(given, key)) {
        // An item of a list is a number, and no key with a single value.
        std::erase_if(found, [](const auto& each) { return !is_other_name(each); });
    } else if (found.empty()) {
        found.push_back(is_no_quantity(key));
    }
    for (core::Violation& violation : found) {
        violation.key = "over[0].key";
        violations.push_back(std::move(violation));
    }
    return violations;
}

/// What is wrong with a case but for keys that run through a range: those need not be valid in it.
template <class Parameters>
std::vector<core::Violation> check_outside_ranges(const Parameters& given,
                                                  const std::vector<KeyRange>& over) {
    auto own = check(given);
    std::erase_if(own, [&](const core::Violation& each) {
        return std::ranges::find(over, each.key, &KeyRange::key) != over.end();
    });
    return own;
}

/// The steps of each range. Errors: core::InputError with what is wrong at the ends and is not
/// among `own`, the violations of the case itself.
template <class Parameters, class Read>
std::vector<Steps> read_ranges(const io::Document& document, Parameters given,
                               const std::vector<KeyRange>& over,
                               const std::vector<core::Violation>& own, const Read& read) {
    const auto check_end = [&](const io::Document& changed) {
        auto found = check(read(changed));
        std::erase_if(found, [&](const core::Violation& each) {
            return std::ranges::find(own, each) != own.end();
        });
        return found;
    };
    std::vector<Steps> ranges;
    for (std::size_t i = 0; i < over.size(); ++i) {
        const NumberKey key = number_at(given, over[i].key);
        ranges.push_back(read_range(document, over[i], i, key.unit, check_end));
    }
    return ranges;
}

/// Reads the ends of the range and the branches of the sweep. `read(document)` gives the parameters
/// of a document, `check(parameters)` what is wrong with them. Precondition: `check_ranges` found
/// nothing. Errors: core::InputError with all that is wrong.
template <class Parameters, class Read>
RangedCase<Parameters> read_ranged(const io::Document& document, Parameters given,
                                   const std::vector<KeyRange>& over,
                                   const std::optional<Sweep>& sweep, const Read& read) {
    RangedCase<Parameters> all{std::move(given), {}, sweep, {}, {}};
    const auto own = check_outside_ranges(all.given, over);
    if (!over.empty()) {
        all.key = over.front().key;
        all.range = read_ranges(document, all.given, over, own, read).front();
    }
    all.branches = branches_of(document, sweep, all.given, own, read);
    return all;
}

/// `compute(parameters)` of every row, on the threads of the run; `items` is what they are called.
/// `restore(row, result)` answers true if it has found the result of an earlier run; `keep(row,
/// result)` gets each new one, from any thread, and answers false if it is not whole. Fills items,
/// counts and ending of the outcome; the results are not complete if it is interrupted.
template <class Parameters, class Compute, class Restore, class Keep>
auto compute_rows(const RangedCase<Parameters>& all, std::string_view items,
                  const RunOptions& options, const Compute& compute, const Restore& restore,
                  const Keep& keep, Outcome& outcome) {
    std::vector<decltype(compute(all.at(0)))> results(all.rows());
    std::vector<std::size_t> open;
    std::vector<char> is_done(results.size(), 1);
    for (std::size_t row = 0; row < results.size(); ++row) {
        if (restore(row, results[row])) continue;
        open.push_back(row);
        is_done[row] = 0;
    }
    core::Progress progress(std::string(items), open.size(), options.quiet);
    core::parallel_for(
        open.size(), options.threads,
        [&](std::size_t i) {
            results[open[i]] = compute(all.at(open[i]));
            is_done[open[i]] = keep(open[i], results[open[i]]) ? 1 : 0;
            progress.advance();
        },
        options.stop);
    outcome.items = items;
    outcome.item_count = results.size();
    outcome.items_done = static_cast<std::size_t>(std::ranges::count(is_done, 1));
    if (options.stop()) outcome.ending = Ending::interrupted;
    return results;
}

/// The same of work that is not kept.
template <class Parameters, class Compute>
auto compute_rows(const RangedCase<Parameters>& all, std::string_view items,
                  const RunOptions& options, const Compute& compute, Outcome& outcome) {
    using Result = decltype(compute(all.at(0)));
    auto results = compute_rows(
        all, items, options, compute, [](std::size_t, Result&) { return false; },
        [](std::size_t, const Result&) { return true; }, outcome);
    if (outcome.ending == Ending::interrupted) outcome.items_done = 0;
    return results;
}

}  // namespace stoss::solvers
