#pragma once
/// Problem `virtual_experiment`: what an encoder would record of collisions of a pinned beam.

#include <optional>
#include <string_view>
#include <tuple>

#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// How the collisions of a series differ from what was intended.
struct Scatter {
    double speed = 0.0;
    double location = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("speed", &Scatter::speed, "", core::closed(0.0, 0.5),
                        "standard deviation of the speed, as a fraction of the speed"),
            core::field("location", &Scatter::location, "m", core::non_negative,
                        "standard deviation of the contact location")};
    }
};

/// The encoder on the beam and how it is recorded.
struct EncoderModel {
    core::OrNone<double> xi;
    int pulses_per_revolution = 2000;
    bool quadrature = false;
    double sampling_rate = 2000.0;
    double before = 0.3;
    double after = 0.5;

    static constexpr auto fields() {
        return std::tuple{
            core::field("xi", &EncoderModel::xi, "", core::closed(0.0, 1.0),
                        "place on the beam whose rotation the encoder follows; none: the pin"),
            core::field("pulses_per_revolution", &EncoderModel::pulses_per_revolution, "",
                        core::closed(4, 1e8), "pulses of one channel in one revolution"),
            core::field("quadrature", &EncoderModel::quadrature,
                        "true: both edges of both channels are counted, four a pulse"),
            core::field("sampling_rate", &EncoderModel::sampling_rate, "Hz",
                        core::Range{10.0, 1e6, false, false}, "samples per second"),
            core::field("before", &EncoderModel::before, "s", core::Range{0.0, 100.0, true, false},
                        "recorded time before the impact"),
            core::field("after", &EncoderModel::after, "s", core::Range{0.0, 100.0, true, false},
                        "recorded time after the impact")};
    }
};

/// Keys of `virtual_experiment` beside those of models::BeamCollision.
struct VirtualExperiment {
    static constexpr std::string_view name = "virtual_experiment";
    static constexpr std::string_view meaning =
        "synthetic encoder traces of collisions of a pinned beam, with their true restitution";

    Locations locations;
    int repeats = 1;
    int seed = 1;
    Scatter scatter;
    EncoderModel encoder;
    double bearing_friction = 0.0;

    static constexpr auto fields() {
        return std::tuple{
            core::field("locations", &VirtualExperiment::locations,
                        "places at which the beam is struck")
                .required(),
            core::field("repeats", &VirtualExperiment::repeats, "", core::closed(1, 1000),
                        "number of collisions at each place"),
            core::field("seed", &VirtualExperiment::seed, "", core::closed(1, 2e9),
                        "seed of the random numbers: equal seeds give equal bytes"),
            core::field("scatter", &VirtualExperiment::scatter, "scatter between repeats"),
            core::field("encoder", &VirtualExperiment::encoder,
                        "encoder that records the rotation"),
            core::field("bearing_friction", &VirtualExperiment::bearing_friction, "rad/s^2",
                        core::non_negative, "deceleration of the free rotation by dry friction")};
    }
};

extern const Problem virtual_experiment_problem;

}  // namespace stoss::solvers
