#pragma once
/// Problem `impact_motion`: bodies that meet again and again, at any number of places.

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <models/impact_motion.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

/// When a motion ends.
struct MotionEnd {
    core::Required time = {};
    double impacts = core::infinity;

    static constexpr auto fields() {
        return std::tuple{
            core::field("time", &MotionEnd::time, "s", core::positive,
                        "simulated time; the motion ends earlier if no contact can follow")
                .required(),
            core::field("impacts", &MotionEnd::impacts, "", core::positive_or_infinite,
                        "number of ended impacts after which the motion ends")};
    }
};

/// How finely the motion is computed.
struct MotionIntegration {
    double tolerance = 1e-6;

    static constexpr auto fields() {
        return std::tuple{
            core::field("tolerance", &MotionIntegration::tolerance, "", core::closed(1e-9, 1e-2),
                        "relative error of the energy after 10,000 impacts that the steps aim at")};
    }
};

/// What is written.
struct MotionOutput {
    int samples = 1000;
    int impacts = 10000;
    int frames = 100;

    static constexpr auto fields() {
        return std::tuple{
            core::field("samples", &MotionOutput::samples, "", core::closed(2, 1e6),
                        "number of rows in history.csv, evenly spaced in time"),
            core::field("impacts", &MotionOutput::impacts, "", core::closed(0, 1e6),
                        "largest number of rows in impacts.csv, which has the last impacts"),
            core::field(
                "frames", &MotionOutput::frames, "", core::closed(0, 10000),
                "largest number of samples at which vtk/motion.pvd shows all bodies, evenly "
                "spaced in time; 0: none")};
    }
};

/// The state once a period: a Poincare section.
struct PoincareSection {
    core::Required frequency = {};
    double phase = 0.0;
    int transient = 200;
    int periods = 100;
    std::string contact;
    bool lyapunov = false;

    static constexpr auto fields() {
        return std::tuple{
            core::field("frequency", &PoincareSection::frequency, "Hz", core::positive,
                        "frequency of the sections, usually that of a drive")
                .required(),
            core::field("phase", &PoincareSection::phase, "rad", core::finite,
                        "phase of each section in its period"),
            core::field("transient", &PoincareSection::transient, "", core::closed(0, 1e7),
                        "number of periods that are computed but not shown"),
            core::field("periods", &PoincareSection::periods, "", core::closed(1, 1e6),
                        "number of periods that are shown"),
            core::field("contact", &PoincareSection::contact,
                        "name of the contact whose gap and rate are shown; none: the first one"),
            core::field("lyapunov", &PoincareSection::lyapunov,
                        "true: the largest Lyapunov exponent over the periods that are shown, from "
                        "a neighbouring motion; takes twice the time")};
    }
};

/// Keys of `impact_motion` beside those of the model.
struct ImpactMotion {
    static constexpr std::string_view name = "impact_motion";
    static constexpr std::string_view meaning =
        "bodies with repeated impacts at any number of contacts: stops, chains, rattle, "
        "bifurcation diagrams";

    core::OrNone<MotionEnd> end;
    core::OrNone<PoincareSection> poincare;
    MotionIntegration integration;
    MotionOutput output;
    std::vector<KeyRange> over;

    static constexpr auto fields() {
        return std::tuple{
            core::field("end", &ImpactMotion::end,
                        "end of the motion; with `poincare` it ends with the last section"),
            core::field("poincare", &ImpactMotion::poincare, "state once a period"),
            core::field("integration", &ImpactMotion::integration, "accuracy of the integration"),
            core::field("output", &ImpactMotion::output, "size of the tables"),
            core::field("over", &ImpactMotion::over,
                        "one key over a range: a bifurcation diagram; needs `poincare`")};
    }
};

extern const Problem impact_motion_problem;

}  // namespace stoss::solvers
