#include <models/conformance.hpp>

#include <array>
#include <cmath>

#include <stoss/contact/geometry.hpp>
#include <stoss/core/sphere.hpp>
#include <stoss/impact/calibrate.hpp>

namespace stoss::models {

namespace {

contact::Law law_named(std::string_view name, double stiffness) {
    const auto with_stiffness = [&](auto law) {
        law.stiffness = stiffness;
        return law;
    };
    if (name == contact::KuwabaraKono::name) return with_stiffness(contact::KuwabaraKono{});
    return with_stiffness(contact::Tsuji{});
}

}  // namespace

double ConformanceQuestion::mass() const {
    return core::sphere_volume(radius) * ConformanceBall::density;
}

double ConformanceQuestion::effective_radius(ConformanceTarget target) const {
    return target == ConformanceTarget::plane ? radius : 0.5 * radius;
}

double ConformanceQuestion::stiffness(ConformanceTarget target) const {
    const double modulus =
        contact::effective_modulus(ConformanceBall::youngs_modulus, ConformanceBall::poisson_ratio,
                                   ConformanceBall::youngs_modulus, ConformanceBall::poisson_ratio);
    return contact::hertz_stiffness(modulus, effective_radius(target));
}

double ConformanceQuestion::contact_time(ConformanceTarget target) const {
    contact::Hertz law;
    law.stiffness = stiffness(target);
    return impact::restitution(law, {.speed = speed, .mass = mass()}).duration.value();
}

impact::Impact ConformanceQuestion::impact(contact::Separation separation) const {
    return {speed, mass(), gravity, 0.0, separation};
}

std::vector<ConformanceQuestion> conformance_questions() {
    std::vector<ConformanceQuestion> all;
    for (const auto parameters : {ConformanceParameters::own, ConformanceParameters::calibrated})
        for (const double gravity : {0.0, 9.81})
            for (const double speed : {0.1, 1.0})
                for (const double radius : {5e-3, 10e-3})
                    for (const double cor : {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95})
                        all.push_back({all.size() + 1, parameters, cor, speed, radius, gravity});
    return all;
}

std::optional<std::vector<ProgramParameter>> calibrated_parameters(
    const ConformanceQuestion& question, const OtherProgram& program, ConformanceTarget target) {
    const contact::Law law = law_named(program.law, question.stiffness(target));
    const auto [calibrated, result] = impact::calibrate(law, question.impact(program.separation),
                                                        impact::Wanted{.cor = question.cor});
    const CalibratedContact contact =
        contact_of(calibrated, question.mass(), question.effective_radius(target));
    auto parameters = program.parameters(contact);
    if (!program.refusal(parameters).empty()) return std::nullopt;
    return parameters;
}

double own_answer(const ConformanceQuestion& question) {
    const impact::Impact impact = question.impact(contact::Separation::zero_force);
    contact::Tsuji law;
    law.stiffness = question.stiffness(ConformanceTarget::plane);
    if (question.parameters == ConformanceParameters::calibrated)
        return impact::calibrate(law, impact, impact::Wanted{.cor = question.cor})
            .result.cor.value();
    law.restitution = question.cor;
    return impact::restitution(law, impact).cor.value();
}

double restitution_seen(const ConformanceQuestion& question, double gap, double velocity) {
    if (!(gap > 0.0)) return 0.0;
    return std::sqrt(velocity * velocity + 2.0 * question.gravity * gap) / question.speed;
}

}  // namespace stoss::models
