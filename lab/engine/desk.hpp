#pragma once
/// The restitution desk: one impact of a point mass, and its law for other programs.

#include <vector>

#include <lab/engine/block.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::lab {

/// Keys of an impact: those of models::SingleImpact, and what may be wanted of it.
std::vector<io::KeyDescription> desk_keys();

/// The impact of a case: numbers, path, law, lines for other programs. With a wanted e the damping
/// of the law follows from it. Errors: core::InputError, keys as in the case.
io::Value answer_impact(const io::Value& parameters, Block& block);

/// The same as a case for the command: problem `calibrate` if an e is wanted, else `restitution`.
io::Value impact_as_case(const io::Value& parameters);

}  // namespace stoss::lab
