#include <lab/engine/bench.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include <lab/engine/values.hpp>
#include <models/single_impact.hpp>
#include <solvers/case/contact_binding.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/point_impact.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::lab {
namespace {

constexpr std::size_t most_steps = 20'000;  // of one impact; what takes longer is given up

struct Steps {
    core::Required sample_rate = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("sample_rate", &Steps::sample_rate, "Hz", core::positive, "steps a second")
                .required()};
    }
};

struct Read {
    models::SingleImpact impact;
    Steps steps;
    contact::Law law;

    impact::PointImpact point() const {
        const double mass = impact.effective_mass().value();
        return {law, impact.contact.separation, mass, impact.load + mass * impact.gravity};
    }
};

Read read(const Value& parameters) {
    auto [impact, steps] =
        io::read<models::SingleImpact, Steps>(io::Document{"case", to_node(parameters)});
    core::throw_if_any(models::check(impact));
    contact::Law law = impact.law();
    return {std::move(impact), steps, std::move(law)};
}

Value columns_of(const std::vector<impact::PointSample>& samples, Block& block) {
    const auto column = [&](double impact::PointSample::*member) {
        std::vector<double> values(samples.size());
        std::transform(samples.begin(), samples.end(), values.begin(), std::mem_fn(member));
        return block.put(values);
    };
    return Value(Value::object()
                     .set("time_s", column(&impact::PointSample::time))
                     .set("overlap_m", column(&impact::PointSample::overlap))
                     .set("velocity_m_per_s", column(&impact::PointSample::velocity))
                     .set("energy_J", column(&impact::PointSample::energy)));
}

/// Every scheme for one freedom with its own parameters, in the order of the variant.
template <std::size_t... i>
std::vector<impact::OneStepScheme> schemes_of(std::index_sequence<i...>) {
    return {impact::OneStepScheme(std::in_place_index<i>)...};
}
std::vector<impact::OneStepScheme> all_schemes() {
    return schemes_of(std::make_index_sequence<std::variant_size_v<impact::OneStepScheme>>());
}
std::string_view name_of(const impact::OneStepScheme& scheme) {
    return std::visit([]<class S>(const S&) { return S::name; }, scheme);
}

/// Velocities at which the reference is sampled: from `first` to `last`, close together where the
/// contact begins and ends, because the force is small there; then on to -first, for a contact
/// that holds the body back at its end.
std::vector<double> sampled_velocities(double first, double last) {
    std::vector<double> velocities;
    for (int i = 0; i < 200; ++i) {
        const double u = i / 200.0;
        const double passed = u * u * u * (10.0 - 15.0 * u + 6.0 * u * u);
        velocities.push_back(first + passed * (last - first));
    }
    for (int i = 0; i < 50; ++i) {
        const double u = i / 50.0;
        velocities.push_back(last - u * u * u * (first + last));
    }
    return velocities;
}

/// How the impact of a scheme ended, in words.
std::string ending_of(const impact::PointImpactResult& result) {
    if (result.status == impact::Status::not_separated && result.steps >= most_steps)
        return "not separated after " + std::to_string(most_steps) + " steps, the most here";
    return std::string(to_string(result.status));
}

}  // namespace

std::vector<io::KeyDescription> bench_keys() {
    auto keys = io::describe_keys<Steps>();
    auto more = io::describe_keys<models::SingleImpact>();
    keys.insert(keys.end(), std::make_move_iterator(more.begin()),
                std::make_move_iterator(more.end()));
    return keys;
}

Value answer_bench(const Value& parameters, Block& block) {
    const Read read = lab::read(parameters);
    const impact::PointImpact point = read.point();
    const double speed = read.impact.speed;
    const auto rebound = [&](double velocity) { return Value(-velocity / speed); };

    Value all = Value::object();
    const auto velocity = impact::reference_velocity(point, speed);
    const impact::PointReference reference = impact::reference_motion(
        point, speed, sampled_velocities(speed, velocity.value_or(-speed)));
    all.set("reference", Value(Value::object()
                                   .set("cor", velocity ? rebound(*velocity) : Value())
                                   .set("path", columns_of(reference.samples, block))));
    all.set("sample_rate", double(read.steps.sample_rate));
    all.set("schemes", list_of(all_schemes(), [&](const impact::OneStepScheme& scheme) {
                const impact::PointImpacts impacts(
                    point, {scheme, {}, 1.0 / read.steps.sample_rate}, most_steps);
                std::vector<impact::PointSample> samples;
                const impact::PointImpactResult result = impacts.run(speed, false, &samples);
                Value one = Value::object();
                one.set("scheme", name_of(scheme)).set("status", ending_of(result));
                one.set("cor", result.output_velocity ? rebound(*result.output_velocity) : Value());
                one.set("steps", result.steps).set("evaluations", result.force_evaluations);
                one.set("path", columns_of(samples, block));
                return one;
            }));
    return all;
}

Value bench_as_case(const Value& parameters) {
    const Read read = lab::read(parameters);
    const impact::PointImpact point = read.point();
    Value whole = Value::object();
    whole.set("problem", "scheme_comparison");
    whole.set("point", Value(Value::object()
                                 .set("mass", double(point.mass))
                                 .set("speed", double(read.impact.speed))
                                 .set("external_force", point.external_force)));
    models::ContactParameters contact = read.impact.contact;
    contact.law = read.law;
    whole.set("contact", to_value(io::to_node(contact)));
    whole.set("sample_rate", double(read.steps.sample_rate));
    whole.set("schemes", list_of(all_schemes(), [](const impact::OneStepScheme& scheme) {
                  return Value(Value::object().set("scheme", name_of(scheme)));
              }));
    return whole;
}

}  // namespace stoss::lab
