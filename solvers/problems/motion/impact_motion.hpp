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
                        "the motion is followed so long; it ends before if the bodies part for "
                        "good")
                .required(),
            core::field("impacts", &MotionEnd::impacts, "", core::positive_or_infinite,
                        "it ends after so many impacts")};
    }
};

/// How finely the motion is computed.
struct MotionIntegration {
    double tolerance = 1e-6;

    static constexpr auto fields() {
        return std::tuple{core::field("tolerance", &MotionIntegration::tolerance, "",
                                      core::closed(1e-9, 1e-2),
                                      "relative error of the energy after 10,000 impacts that is "
                                      "aimed at")};
    }
};

/// What is written.
struct MotionOutput {
    int samples = 1000;
    int impacts = 10000;

    static constexpr auto fields() {
        return std::tuple{core::field("samples", &MotionOutput::samples, "", core::closed(2, 1e6),
                                      "instants in history.csv, evenly spaced"),
                          core::field("impacts", &MotionOutput::impacts, "", core::closed(0, 1e6),
                                      "rows in impacts.csv: the last ones")};
    }
};

/// The state once a period: a Poincare section.
struct PoincareSection {
    core::Required frequency = {};
    double phase = 0.0;
    int transient = 200;
    int periods = 100;
    std::string contact;

    static constexpr auto fields() {
        return std::tuple{
            core::field("frequency", &PoincareSection::frequency, "Hz", core::positive,
                        "of the sections; as a rule that of a drive")
                .required(),
            core::field("phase", &PoincareSection::phase, "rad", core::finite,
                        "of each section, from the begin of a period"),
            core::field("transient", &PoincareSection::transient, "", core::closed(0, 1e7),
                        "periods that are computed but not shown"),
            core::field("periods", &PoincareSection::periods, "", core::closed(1, 1e6),
                        "periods that are shown"),
            core::field("contact", &PoincareSection::contact,
                        "whose gap and rate are shown; the first one if none is named")};
    }
};

/// Keys of `impact_motion` beside those of the model.
struct ImpactMotion {
    static constexpr std::string_view name = "impact_motion";
    static constexpr std::string_view meaning =
        "bodies that meet again and again at any number of places: stops, chains, rattle, "
        "bifurcation diagrams";

    core::OrNone<MotionEnd> end;
    core::OrNone<PoincareSection> poincare;
    MotionIntegration integration;
    MotionOutput output;
    std::vector<KeyRange> over;

    static constexpr auto fields() {
        return std::tuple{
            core::field("end", &ImpactMotion::end,
                        "when the motion ends; with `poincare` it ends with the last section"),
            core::field("poincare", &ImpactMotion::poincare, "the state once a period"),
            core::field("integration", &ImpactMotion::integration, "accuracy"),
            core::field("output", &ImpactMotion::output, "what is written"),
            core::field("over", &ImpactMotion::over,
                        "one key that runs through a range: a bifurcation diagram; needs "
                        "`poincare`")};
    }
};

extern const Problem impact_motion_problem;

}  // namespace stoss::solvers
