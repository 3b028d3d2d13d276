#pragma once
/// The kinds of case that Stoss solves.

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <postproc/report/figure.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/shard.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/document.hpp>

namespace stoss::io {
class Checkpoint;
}

namespace stoss::solvers {

/// How a run is to be done.
struct RunOptions {
    int threads = 0;                                    ///< 0: all cores
    bool quiet = false;                                 ///< no progress
    std::function<bool()> stop = [] { return false; };  ///< asked often; true ends the run early
    io::Checkpoint* checkpoint = nullptr;  ///< where long work keeps what is done; may be null
    Shard shard = {};  ///< the part of the items that is computed; others are left open
    int ranks = 0;     ///< processes that share the work, of which this is the first; 0: no others
};

/// A case that was read and has no violation.
class ReadCase {
  public:
    ReadCase() = default;
    virtual ~ReadCase() = default;
    ReadCase(const ReadCase&) = delete;
    ReadCase& operator=(const ReadCase&) = delete;

    virtual io::Node resolved() const = 0;  ///< the case with all defaults written out
    virtual InputEcho echo() const = 0;     ///< what was understood of it; empty: nothing is known
    virtual Outcome solve(const RunOptions& options) const = 0;
};

/// One kind of case.
struct Problem {
    std::string_view name;
    std::string_view meaning;
    io::Choice (*describe)();  ///< its keys
    /// Reads and checks a case; computes nothing. Throws core::InputError with every violation.
    std::unique_ptr<ReadCase> (*read)(const io::Document&);
    postproc::Report report;  ///< how its runs are shown
    bool has_shards = false;  ///< its work is many items that `RunOptions::shard` may share out
    bool has_ranks = false;   ///< it can be shared by processes: `RunOptions::ranks`
};

/// `Problem::read` of a problem that is given by functions of its own type of case:
///     Case read(const io::Document&);              // throws core::InputError
///     io::Node resolve(const Case&);
///     Outcome solve(const Case&, const RunOptions&);
///     InputEcho echo(const Case&);                 // nullptr: none
/// `resolve` and `solve` may take the case by value, to change their copy.
template <auto read_case, auto resolve_case, auto solve_case, auto echo_case = nullptr>
std::unique_ptr<ReadCase> typed_case(const io::Document& document) {
    using Case = decltype(read_case(document));
    class Typed final : public ReadCase {
      public:
        explicit Typed(Case given) : given_(std::move(given)) {}

        io::Node resolved() const override { return resolve_case(given_); }
        InputEcho echo() const override {
            if constexpr (std::is_null_pointer_v<decltype(echo_case)>) {
                return {};
            } else {
                return echo_case(given_);
            }
        }
        Outcome solve(const RunOptions& options) const override {
            return solve_case(given_, options);
        }

      private:
        Case given_;
    };
    return std::make_unique<Typed>(read_case(document));
}

}  // namespace stoss::solvers
