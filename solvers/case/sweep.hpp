#pragma once
/// `sweep:`, a key of the case that takes several values in turn. Any problem may have it.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <solvers/case/refusal.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>

namespace stoss::solvers {

/// One key of the case takes several values in turn; each gives a branch of the results.
struct Sweep {
    std::string key;
    std::vector<std::string> values;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &Sweep::key, "path of the swept key, e.g. motion.angular_velocity")
                .required(),
            core::field("values", &Sweep::values, "values, written as for the key itself")
                .required()};
    }
};

/// Paths of all keys that have a single value; those of every alternative of a choice are there.
std::vector<std::string> single_keys(const std::vector<io::KeyDescription>& keys);

/// SI unit of the key at a path, as `single_keys` has it; "" if there is no such key.
std::string unit_of_key(const std::string& path, const std::vector<io::KeyDescription>& keys);

/// What is wrong with the sweep itself: no values, or a key that is not one of `keys` or has no
/// single value. `problem` and `example` are what the hint names.
std::vector<core::Violation> check_sweep(const Sweep& sweep,
                                         const std::vector<io::KeyDescription>& keys,
                                         std::string_view problem, std::string_view example);

/// True for what `check_sweep` says of a key that has another name of its own.
bool is_other_name(const core::Violation& violation);

/// Reads the case once for each swept value: `read(changed, i)` gets the document with the key set
/// to value i, keeps what it reads and returns what is wrong with it; it may throw core::InputError
/// instead. `own` is what is wrong with the case itself: that is reported once, at its place.
/// Errors: core::InputError with all that is wrong with any of the values.
void read_branches(
    const io::Document& document, const Sweep& sweep, const std::vector<core::Violation>& own,
    const std::function<std::vector<core::Violation>(const io::Document&, std::size_t)>& read);

/// One curve of a case: its parameters, and the swept value as written; empty without a sweep.
template <class Parameters>
struct Branch {
    std::string label;
    Parameters parameters;
};

/// The branches of a case: one for each swept value, or the case alone without a sweep. `given` are
/// the parameters of the case, `own` what is wrong with them, `read(document)` those of a document.
/// Errors: core::InputError with all that `check` finds wrong with any of the branches.
template <class Parameters, class Read>
std::vector<Branch<Parameters>> branches_of(const io::Document& document,
                                            const std::optional<Sweep>& sweep,
                                            const Parameters& given,
                                            const std::vector<core::Violation>& own,
                                            const Read& read) {
    if (!sweep) {
        refuse(document, own);
        return {{"", given}};
    }
    std::vector<Branch<Parameters>> branches;
    read_branches(document, *sweep, own, [&](const io::Document& changed, std::size_t i) {
        branches.push_back({sweep->values[i], read(changed)});
        return check(branches.back().parameters);
    });
    return branches;
}

/// Adds the swept key as a column, each value on `rows_per_value` rows in turn: numbers in SI with
/// the unit in the name, words as written. `keys` as in `check_sweep`.
void add_sweep_column(io::Table& table, const Sweep& sweep,
                      const std::vector<io::KeyDescription>& keys, std::size_t rows_per_value);

}  // namespace stoss::solvers
