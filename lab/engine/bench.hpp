#pragma once
/// The schemes bench: one impact of a point mass under each time scheme with one step.

#include <vector>

#include <lab/engine/block.hpp>
#include <stoss/io/describe.hpp>
#include <stoss/io/json.hpp>

namespace stoss::lab {

/// Keys of an impact (models::SingleImpact), and `sample_rate` [Hz]: steps a second.
std::vector<io::KeyDescription> bench_keys();

/// The impact under each scheme: its samples, its rebound and how far its energy is off; and the
/// reference, integrated to 1e-12. Errors: core::InputError, keys as in the case.
io::Value answer_bench(const io::Value& parameters, Block& block);

/// The same as a case of `scheme_comparison` for the command.
io::Value bench_as_case(const io::Value& parameters);

}  // namespace stoss::lab
