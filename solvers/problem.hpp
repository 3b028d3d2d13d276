#pragma once
/// The kinds of case that Stoss solves.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <solvers/outcome.hpp>
#include <solvers/shard.hpp>
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

/// One kind of case. Its functions read the case from a document; all throw core::InputError with
/// every problem found.
struct Problem {
    std::string_view name;
    std::string_view meaning;
    io::Choice (*describe)();                  ///< its keys
    void (*check)(const io::Document&);        ///< validates and computes nothing
    io::Node (*resolve)(const io::Document&);  ///< the case with all defaults written out
    Outcome (*solve)(const io::Document&, const RunOptions&);
    bool has_shards = false;  ///< its work is many items that `RunOptions::shard` may share out
    bool has_ranks = false;   ///< it can be shared by processes: `RunOptions::ranks`
};

/// All problems, in alphabetical order.
std::span<const Problem> problems();

/// The problem that the document's `problem:` names. Throws core::InputError if there is none.
const Problem& problem_of(const io::Document& document);

}  // namespace stoss::solvers
