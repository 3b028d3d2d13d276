#include <solvers/problems/schemes/point_schemes.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/error.hpp>

namespace stoss::solvers {

namespace {

constexpr double roundoff = 1e-12;  // errors below are not those of a scheme

/// Largest energy deviation of one impact, and the scale that it is relative to.
double relative_energy_deviation(const impact::PointImpact& impact, double velocity,
                                 const impact::PointImpactResult& result) {
    const impact::HuntCrossleyImpact closed = impact::closed_forms(impact, velocity);
    const double brought = 0.5 * impact.mass * velocity * velocity;
    const double rebound = closed.rebound_velocity();
    const double release =
        0.5 * impact.mass *
        std::abs(*result.output_velocity * *result.output_velocity - rebound * rebound);
    const double loss = closed.energy_loss();
    return std::max(*result.energy_deviation, release) / (loss > 0.0 ? loss : brought);
}

/// True for the rebounds that are kept: the first hundred, then one in a growing number.
bool is_kept(std::size_t number, std::size_t last) {
    std::size_t stride = 1;
    for (std::size_t limit = 100; number >= limit; limit *= 2) stride *= 2;
    return number % stride == 0 || number == last;
}

}  // namespace

Reference::Reference(const impact::PointImpact& impact, double speed)
    : output_velocity(impact::reference_velocity(impact, speed).value_or(0.0)) {
    if (!(output_velocity < 0.0)) {
        throw core::NumericalError(
            "the body does not rebound from the wall: there is nothing to compare");
    }
    const impact::PointReference motion =
        impact::reference_motion(impact, speed, {0.8 * speed, 0.0, 0.5 * output_velocity});
    if (motion.status != impact::Status::separated) {
        throw core::NumericalError(
            fmt::format("the body rebounds with {:.4g} m/s, but its motion takes too many steps: "
                        "there is nothing to compare; lower the damping",
                        -output_velocity));
    }
    start = motion.samples[0];
    largest_overlap = motion.samples[1].overlap;
    end = motion.samples[2];
    contact_time = motion.samples[3].time;
    if (!impact::has_closed_forms(impact)) return;
    const impact::HuntCrossleyImpact closed = impact::closed_forms(impact, speed);
    largest_overlap = closed.largest_overlap();
    if (std::isfinite(closed.contact_time())) contact_time = closed.contact_time();
}

Sequence run_sequence(const SchemeComparison& comparison, std::size_t index, bool predicted_restart,
                      const std::function<bool()>& stop) {
    const impact::PointImpact impact = comparison.impact();
    const impact::PointImpacts impacts(impact, comparison.how(index), most_steps);
    const bool closed = impact::has_closed_forms(impact);
    const auto last = static_cast<std::size_t>(comparison.point->rebounds);
    double velocity = comparison.point->speed, reference = velocity;
    Sequence sequence;
    if (closed) sequence.energy_deviation = 0.0;
    for (std::size_t number = 1; number <= last; ++number) {
        if (number % 64 == 0 && stop()) return sequence;
        const impact::PointImpactResult result = impacts.run(velocity, closed);
        sequence.status = result.status;
        if (result.status != impact::Status::separated) break;
        if (!(*result.output_velocity < 0.0)) {
            sequence.status = impact::Status::not_separated;
            break;
        }
        if (closed) {
            sequence.energy_deviation = std::max(
                *sequence.energy_deviation, relative_energy_deviation(impact, velocity, result));
        }
        sequence.count = number;
        reference = -impact::reference_velocity(impact, reference).value_or(io::no_number);
        const double ratio = *result.output_velocity / reference;
        sequence.energy_error = (ratio - 1.0) * (ratio + 1.0);
        if (is_kept(number, last)) {
            sequence.rebounds.push_back({static_cast<double>(number), *result.output_velocity,
                                         -reference, *sequence.energy_error});
        }
        velocity = -(predicted_restart ? *result.predicted_velocity : *result.output_velocity);
    }
    sequence.is_complete = true;
    return sequence;
}

std::vector<StepStudy> study_steps(const SchemeComparison& comparison, std::size_t index,
                                   const Reference& reference) {
    const impact::PointImpact impact = comparison.impact();
    const double speed = comparison.point->speed;
    const double smooth_time = reference.end.time - reference.start.time;
    const time::PointState start{reference.start.overlap, reference.start.velocity, 0.0};
    std::vector<StepStudy> study;
    for (int halving = 0; halving <= comparison.halvings; ++halving) {
        const std::size_t steps = std::size_t{8} << halving;
        impact::PointScheme how = comparison.how(index);
        StepStudy row{};
        row.steps = static_cast<double>(steps);
        row.step = how.step / static_cast<double>(std::size_t{1} << halving);

        how.step = smooth_time / row.steps;
        const time::PointState end =
            impact::PointImpacts(impact, how, most_steps).march(speed, start, steps);
        row.motion_error =
            std::max(std::abs(end.x - reference.end.overlap) / reference.largest_overlap,
                     std::abs(end.v - reference.end.velocity) / speed);

        how.step = row.step;
        const impact::PointImpactResult result =
            impact::PointImpacts(impact, how, most_steps).run(speed, false);
        row.force_evaluations = static_cast<double>(result.force_evaluations);
        row.output_velocity_error =
            result.output_velocity.value_or(io::no_number) / reference.output_velocity - 1.0;
        study.push_back(row);
    }
    return study;
}

double order_of(const std::vector<StepStudy>& study) {
    double order = io::no_number;
    for (std::size_t i = 1; i < study.size(); ++i) {
        if (study[i].motion_error > roundoff) {
            order = core::log2(study[i - 1].motion_error / study[i].motion_error);
        }
    }
    return order;
}

double nanoseconds_per_step(const SchemeComparison& comparison, std::size_t index) {
    using Clock = std::chrono::steady_clock;
    const impact::PointImpacts impacts(comparison.impact(), comparison.how(index), most_steps);
    std::size_t steps = 0;
    const Clock::time_point start = Clock::now();
    std::chrono::duration<double, std::nano> elapsed{};
    while (elapsed < std::chrono::milliseconds(5)) {
        steps += impacts.run(comparison.point->speed, false).steps;
        elapsed = Clock::now() - start;
    }
    return elapsed.count() / static_cast<double>(steps);
}

}  // namespace stoss::solvers
