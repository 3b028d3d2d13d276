#pragma once
/// Problem `box_settle`: many spheres, or rigid clumps of them, fall in a box until they rest on
/// each other.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/clumps.hpp>
#include <models/compliant_spheres.hpp>
#include <models/granular.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// Inner edges of a box that begins at the origin.
struct BoxSize {
    core::Required x = {};
    core::Required y = {};
    core::Required z = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("x", &BoxSize::x, "m", core::positive, "inner edge along x").required(),
            core::field("y", &BoxSize::y, "m", core::positive, "inner edge along y").required(),
            core::field("z", &BoxSize::z, "m", core::positive, "inner height").required()};
    }
};

/// Keys of `box_settle`.
struct BoxSettle {
    static constexpr std::string_view name = "box_settle";
    static constexpr std::string_view meaning =
        "spheres, rigid or compliant, or rigid clumps in a closed box: motion, settling, contact "
        "forces";

    BoxSize box;
    core::Required density = {};
    core::OrNone<models::SphereLattice> lattice;
    std::vector<models::GivenSphere> spheres;
    std::vector<models::Shape> shapes;
    core::OrNone<std::string> grains;
    std::vector<models::GivenClump> clumps;
    models::Triple gravity = {0.0, 0.0, -9.81};
    models::SphereFriction contact;
    core::OrNone<models::CompliantContacts> compliant;
    models::SphereStepping stepping;
    core::Required duration = {};
    int samples = 200;
    int frames = 10;

    static constexpr auto fields() {
        return std::tuple{
            core::field("box", &BoxSettle::box, "closed box with one corner at the origin")
                .required(),
            core::field("density", &BoxSettle::density, "kg/m^3", core::positive,
                        "density of spheres and clumps")
                .required(),
            core::field("lattice", &BoxSettle::lattice, "many spheres, layer by layer"),
            core::field("spheres", &BoxSettle::spheres, "single spheres, in place of a lattice"),
            core::field("shapes", &BoxSettle::shapes,
                        "shapes made of spheres, whose names `grains` and `clumps` use"),
            core::field("grains", &BoxSettle::grains,
                        "name of the shape on the places of `lattice`, scaled to the volume of its "
                        "spheres and turned at random; none: spheres"),
            core::field("clumps", &BoxSettle::clumps, "single clumps, beside `spheres`"),
            core::field("gravity", &BoxSettle::gravity, "m/s^2", core::finite,
                        "acceleration of gravity: [x, y, z]"),
            core::field("contact", &BoxSettle::contact, "friction of the contacts").required(),
            core::field("compliant", &BoxSettle::compliant,
                        "contacts with a force law, integrated by velocity Verlet; none: rigid, "
                        "purely inelastic contacts"),
            core::field("stepping", &BoxSettle::stepping,
                        "time steps; compliant contacts use only `step` and `skin`")
                .required(),
            core::field("duration", &BoxSettle::duration, "s", core::positive,
                        "simulated time, rounded to the nearest whole number of steps")
                .required(),
            core::field("samples", &BoxSettle::samples, "", core::closed(1, 1e6),
                        "largest number of rows of history.csv"),
            core::field("frames", &BoxSettle::frames, "", core::closed(0, 1e4),
                        "number of files for ParaView after that of the start; 0: no files at "
                        "all")};
    }
};

extern const Problem box_settle_problem;

}  // namespace stoss::solvers
