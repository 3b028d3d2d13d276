#include <lab/engine/warnings.hpp>

#include <solvers/case/collision_columns.hpp>

namespace stoss::lab {

Warnings::Warnings(const models::BeamModel& model, const models::TheoryLimits& limits)
    : model_(model), limits_(limits) {}

void Warnings::add(double xi, const impact::CollisionResult& result) {
    ended_.push_back({result.status, result.energy.residual, result.cor_error,
                      solvers::came_to_rest(result, model_.time_limit())});
    limited_.push_back({&limits_, xi, limits_.values(xi, result)});
}

void Warnings::add_truncation(double xi, std::optional<double> truncation) {
    truncated_.push_back({xi, truncation, {}});
}

Value Warnings::sentences() const {
    solvers::Outcome outcome;
    solvers::judge(outcome, ended_, model_.parameters().integration.scheme);
    if (!truncated_.empty())
        solvers::warn_of_truncation(outcome, model_.parameters().mesh, truncated_);
    solvers::warn_of_limits(outcome, limited_);
    return list_of(outcome.warnings, [](const std::string& each) { return Value(each); });
}

}  // namespace stoss::lab
