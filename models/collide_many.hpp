#pragma once
/// Many collisions of struck beams: by several threads, each with several of them side by side.

#include <cstddef>
#include <functional>
#include <optional>

#include <models/beam_model.hpp>
#include <models/truncation.hpp>

namespace stoss::models {

/// Collisions 0 ... count - 1, of one or more models.
struct CollisionList {
    using Request = BeamModel::CollisionRequest;

    std::size_t count = 0;
    std::function<Request(std::size_t)> request;  ///< of collision i; its `id` is set to i
    int threads = 0;                              ///< 0: all cores
    std::function<bool()> stop = {};              ///< true: no further collision begins
};

/// Gets the result of collision i; threads call it at once.
using TakeResult = std::function<void(std::size_t i, const impact::CollisionResult&)>;

/// Computes all collisions, in no particular order. False if it was stopped. After an exception of
/// one of them no further one begins.
bool collide(const CollisionList& list, const TakeResult& take);

/// The same, each with the estimate of what further modes would change of e_N (none: see
/// `Truncation::of`). `truncation(i)` belongs to the model of collision i. `finish` is called
/// after `take`, in the same thread.
bool collide_with_truncation(
    const CollisionList& list, const std::function<const Truncation&(std::size_t)>& truncation,
    const TakeResult& take,
    const std::function<void(std::size_t i, std::optional<double> truncation)>& finish);

}  // namespace stoss::models
