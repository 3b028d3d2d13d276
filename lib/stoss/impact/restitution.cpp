#include <stoss/impact/restitution.hpp>

#include <cmath>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <stoss/contact/damping.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/detail/impact_integration.hpp>

namespace stoss::impact {

namespace {

/// e where a closed form is known: without load, by Lambert's W for Hunt and Crossley's law and by
/// the damped oscillation for Kelvin and Voigt's.
template <contact::ContactLaw L>
std::optional<double> closed_form(const L& law, const Impact& impact) {
    constexpr bool is_hunt_crossley = std::is_same_v<L, contact::HuntCrossley>;
    if constexpr (is_hunt_crossley || std::is_same_v<L, contact::KelvinVoigt>) {
        if (impact.total_load() != 0.0) return std::nullopt;
        auto memory = contact::with_all_numbers(law).prepare({impact.mass, impact.separation});
        law.onset(memory, impact.speed);
        if constexpr (is_hunt_crossley) {
            return contact::hunt_crossley_restitution(memory.damping_factor * impact.speed);
        } else {
            const double critical = 2.0 * std::sqrt(*law.stiffness * impact.mass);
            return contact::oscillator_restitution(memory.damping / critical, impact.separation);
        }
    }
    return std::nullopt;
}

/// Walton and Braun's law on a fresh spot, under any load: two parts of oscillations, about F/k_1
/// and about x_p + F/k_2, each over the same angle; e^2 = k_1/k_2. Its motion loses e under a large
/// load.
template <contact::ContactLaw L>
std::optional<Restitution> closed_impact(const L& law, const Impact& impact) {
    if constexpr (std::is_same_v<L, contact::WaltonBraun>) {
        if (impact.earlier_overlap != 0.0) return std::nullopt;
        const contact::WaltonBraun& numbers = contact::with_all_numbers(law);
        const double m = impact.mass, v = impact.speed, load = impact.total_load();
        const double k = *numbers.stiffness;
        const double e = numbers.restitution ? *numbers.restitution
                                             : std::sqrt(k / *numbers.unloading_stiffness);
        const double unloaded = std::sqrt(k * m) * v;  // peak force without load [N]
        const double peak = load + core::hypot(unloaded, load);
        const double angle = std::numbers::pi - core::atan2(unloaded, load);
        if (!std::isfinite(peak / k) || !(e > 0.0)) return std::nullopt;
        const double dent = (1.0 - e) * (1.0 + e) * (peak / k);
        return Restitution{.status = ImpactOutcome::rebounds,
                           .cor = e,
                           .duration = angle * std::sqrt(m / k) * (1.0 + e),
                           .peak_force = peak,
                           .peak_overlap = peak / k,
                           .end_overlap = dent,
                           .rebound_overlap = dent,
                           .energy_lost = detail::energy_lost(impact, e, dent)};
    }
    return std::nullopt;
}

/// What the motion found, with e and the energy lost of the closed form, where there is one.
template <contact::ContactLaw L>
Restitution with_closed_form(Restitution result, const L& law, const Impact& impact) {
    if (result.status != ImpactOutcome::rebounds) return result;
    if (const auto e = closed_form(law, impact)) {
        result.cor = *e;
        result.energy_lost = detail::energy_lost(impact, *e, 0.0);
    }
    return result;
}

template <class Use>
auto with_impact(const contact::Law& law, const Impact& impact, const Use& use) {
    core::throw_if_any(check(impact));
    return std::visit([&](const auto& each) { return use(each); }, law);
}

}  // namespace

std::string_view to_string(ImpactOutcome outcome) {
    switch (outcome) {
        case ImpactOutcome::rebounds:
            return "rebounds";
        case ImpactOutcome::sticks:
            return "sticks";
        case ImpactOutcome::failed:
            break;
    }
    return "failed";
}

std::vector<core::Violation> check(const Impact& impact) {
    auto violations = core::check_number("speed", impact.speed, core::positive, "m/s", "");
    const auto add = [&](std::vector<core::Violation> more) {
        core::append(std::move(more), violations);
    };
    add(core::check_number("mass", impact.mass, core::positive, "kg", ""));
    add(core::check_number("gravity", impact.gravity, core::finite, "m/s^2"));
    add(core::check_number("load", impact.load, core::finite, "N"));
    add(core::check_number("earlier_overlap", impact.earlier_overlap, core::non_negative, "m"));
    if (!violations.empty()) return violations;
    if (const double total = impact.total_load(); total < 0.0) {
        const bool is_gravity = impact.mass * impact.gravity < impact.load;  // that pulls more
        violations.push_back(
            {is_gravity ? "gravity" : "load",
             is_gravity ? core::with_unit(impact.gravity, "m/s^2")
                        : core::with_unit(impact.load, "N"),
             fmt::format("pulls the body away from its contact: m g + F = {:.4g} N, must be >= 0",
                         total),
             fmt::format("{} towards the contact is positive", is_gravity ? "gravity" : "a load")});
    }
    return violations;
}

Restitution restitution(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        if (const auto closed = closed_impact(each, impact)) return *closed;
        return with_closed_form(detail::ImpactIntegration<L>(each, impact).run(true), each, impact);
    });
}

double begin_overlap(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        return detail::ContactMotion<L>(each, impact).begin();
    });
}

Path path_of(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        Path path;
        const Restitution found =
            detail::ImpactIntegration<L>(each, impact).run(true, &path.points);
        const auto closed = closed_impact(each, impact);
        path.restitution = closed ? *closed : with_closed_form(found, each, impact);
        return path;
    });
}

std::optional<double> coefficient_of_restitution(const contact::Law& law, const Impact& impact) {
    return with_impact(law, impact, [&]<class L>(const L& each) {
        if (const auto closed = closed_impact(each, impact)) return closed->cor;
        return with_closed_form(detail::ImpactIntegration<L>(each, impact).run(false), each, impact)
            .cor;
    });
}

}  // namespace stoss::impact
