#pragma once
/// What the command warns of in collisions, for the page.

#include <optional>
#include <string>
#include <vector>

#include <lab/engine/values.hpp>
#include <models/theory_limits.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/limit_warnings.hpp>
#include <solvers/problems/beam/beam_case.hpp>

namespace stoss::lab {

/// Collisions of one model, and the warnings of a run about them.
class Warnings {
  public:
    /// `limits`: of the model. Refers to both.
    Warnings(const models::BeamModel& model, const models::TheoryLimits& limits);

    void add(double xi, const impact::CollisionResult& result);
    /// What further modes change of the e at xi. None: not known.
    void add_truncation(double xi, std::optional<double> truncation);
    /// The sentences.
    Value sentences() const;

  private:
    const models::BeamModel& model_;
    const models::TheoryLimits& limits_;
    std::vector<solvers::Ended> ended_;
    std::vector<solvers::LimitedCollision> limited_;
    std::vector<solvers::TruncatedCollision> truncated_;
};

}  // namespace stoss::lab
