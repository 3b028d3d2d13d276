#pragma once
/// Parameter structs with one member of every kind, for the tests of reading and describing.

#include <stoss/core/fields.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace stoss::small_case {

enum class Force { lagged, implicit };

constexpr auto enum_names(Force) {
    return std::array{core::EnumName<Force>{Force::lagged, "lagged", "as in the paper"},
                      core::EnumName<Force>{Force::implicit, "implicit", "solved for"}};
}

struct Hertz {
    static constexpr std::string_view name = "hertz";
    static constexpr std::string_view meaning = "elastic contact";
    std::optional<double> stiffness = {};
    double exponent = 1.5;

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &Hertz::stiffness, "N/m^n", core::positive,
                        "contact stiffness"),
            core::field("exponent", &Hertz::exponent, "", core::closed(1.0, 5.0), "exponent n")};
    }
};

struct KelvinVoigt {
    static constexpr std::string_view name = "kelvin_voigt";
    core::Required damping = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("damping", &KelvinVoigt::damping, "N s/m", core::non_negative, "damper")
                .required()};
    }
};

struct Pin {
    double x = 0.0;
    Force force = Force::lagged;

    static constexpr auto fields() {
        return std::tuple{core::field("x", &Pin::x, "m", core::finite, "place").required(),
                          core::field("force", &Pin::force, "how the force is found")};
    }
};

struct Beam {
    core::Required length = {};
    double radius = 6.35e-3;
    int elements = 80;
    std::vector<Pin> pins;
    std::vector<double> places{0.1};

    static constexpr auto fields() {
        return std::tuple{
            core::field("length", &Beam::length, "m", core::positive, "length of the beam")
                .required(),
            core::field("radius", &Beam::radius, "m", core::positive, "radius of the section"),
            core::field("elements", &Beam::elements, "", core::at_least(1.0), "number of elements"),
            core::field("pins", &Beam::pins, "pins"),
            core::field("places", &Beam::places, "m", core::closed(0.0, 2.0), "where to look")};
    }
};

struct Spring {
    static constexpr std::string_view name = "spring";
    double spring_stiffness = 1e3;

    static constexpr auto fields() {
        return std::tuple{core::field("spring_stiffness", &Spring::spring_stiffness, "N/m",
                                      core::positive, "stiffness of the mount")};
    }
};

struct Impact {
    static constexpr std::string_view name = "impact";
    static constexpr std::string_view meaning = "a beam meets a mass";
    Beam beam;
    std::variant<Hertz, KelvinVoigt> law;
    core::OrNone<std::variant<Spring>> mount;
    Force force = Force::implicit;
    core::OrNone<double> mass = {};
    double angular_speed = -6.0;
    bool map = false;
    std::uint8_t lanes = 8;
    double striker_mass = core::infinity;
    core::OrAuto<int> modes;

    static constexpr auto fields() {
        return std::tuple{
            core::field("beam", &Impact::beam, "the beam").required(),
            core::field("law", &Impact::law, "contact law"),
            core::field("mount", &Impact::mount, "elastic mount"),
            core::field("force", &Impact::force, "how the force is found"),
            core::field("mass", &Impact::mass, "kg", core::positive, "added mass"),
            core::field("angular_speed", &Impact::angular_speed, "rad/s", core::finite, "spin"),
            core::field("map", &Impact::map, "whether to map all places"),
            core::field("lanes", &Impact::lanes, "", core::at_least(0.0), "collisions at once"),
            core::field("striker_mass", &Impact::striker_mass, "kg", core::positive_or_infinite,
                        "mass of the striker"),
            core::field("modes", &Impact::modes, "", core::closed(1, 100), "modes kept")};
    }
};

struct Header {
    std::string problem;
    std::string title;

    static constexpr auto fields() {
        return std::tuple{core::field("problem", &Header::problem, "problem class").required(),
                          core::field("title", &Header::title, "one line for people")};
    }
};

}  // namespace stoss::small_case
