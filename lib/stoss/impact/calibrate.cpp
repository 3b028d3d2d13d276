#include <stoss/impact/calibrate.hpp>

#include <algorithm>
#include <array>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/text.hpp>

namespace stoss::impact {

namespace {

constexpr double least_cor = 1e-6;
constexpr double good_enough = 1e-13;  // of a restitution
// Of e and of a wish, after all is found. Roundoff of e is 1e-13, but about 1e-11/e where the load
// is about as large as the force of the impact.
constexpr double largest_miss = 1e-9;
// Factors on a first guess. Under a load that does far more work than the motion has energy, a tiny
// damping is enough.
constexpr double lowest = 1e-100, highest = 1e18;
constexpr double longest_stride = 2.5;  // of a logarithm
constexpr double nearly_one = 1.0 - 1e-15;
constexpr double undefined = std::numeric_limits<double>::quiet_NaN();  // a restitution that failed
constexpr double stuck = 60.0;  // replaces log(1/e - 1) of e = 0
constexpr std::array<std::string_view, 2> damping_names{"damping", "damping_factor"};

/// The number of that name among those of a law that may be left out; nullptr if it has none.
std::optional<double>* number(contact::Law& law, std::string_view name) {
    const core::NumberKey found =
        std::visit([&](auto& each) { return core::number_at(each, name); }, law);
    const auto* const place = std::get_if<std::optional<double>*>(&found.place);
    return place == nullptr ? nullptr : *place;
}
const std::optional<double>* number(const contact::Law& law, std::string_view name) {
    return number(const_cast<contact::Law&>(law), name);
}

/// The positive argument at which a rising function, about a power of its argument, passes through
/// the logarithm 0; none if it does not between `lowest` and `highest` guesses. Where the function
/// is NaN it is not looked at.
template <class F>
std::optional<double> positive_root(const F& f, double guess) {
    const auto by_logarithm = [&](double logarithm) { return f(core::exp(logarithm)); };
    const double start = core::log(guess);
    const double least = start + core::log(lowest), most = start + core::log(highest);
    double here = start, at_here = by_logarithm(here);
    while (at_here != 0.0 && least < here && here < most) {
        double step = std::clamp(-1.1 * at_here, -longest_stride, longest_stride);
        double at_there = by_logarithm(here + step);
        for (int halving = 0; std::isnan(at_there) && halving < 8; ++halving) {
            step *= 0.5;
            at_there = by_logarithm(here + step);
        }
        if (std::isnan(at_there)) return std::nullopt;
        if (std::signbit(at_there) != std::signbit(at_here)) {
            const double low = std::min(here, here + step), high = std::max(here, here + step);
            std::uintmax_t iterations = 100;
            const auto bracket = boost::math::tools::toms748_solve(
                by_logarithm, low, high, step > 0.0 ? at_here : at_there,
                step > 0.0 ? at_there : at_here, boost::math::tools::eps_tolerance<double>(51),
                iterations);
            return core::exp(0.5 * (bracket.first + bracket.second));
        }
        here += step;
        at_here = at_there;
    }
    return at_here == 0.0 ? std::optional(core::exp(here)) : std::nullopt;
}

/// The least positive argument at which a condition holds, near `guess`, to the last bits but one;
/// infinite if it does not hold below 1e8 times the guess.
template <class Condition>
double least(const Condition& holds, double guess) {
    double low = guess, high = guess;
    while (holds(low)) {
        high = low;
        low *= 0.25;
        if (low < 1e-18 * guess) return 0.0;
    }
    while (!holds(high)) {
        low = high;
        high *= 4.0;
        if (high > 1e8 * guess) return core::infinity;
    }
    while (high - low > 4e-16 * high) {
        const double middle = 0.5 * (low + high);
        if (!(low < middle && middle < high)) break;
        (holds(middle) ? high : low) = middle;
    }
    return high;
}

/// The same of an outcome: the least argument under which a body sticks. NaN if an impact on the
/// way cannot be computed.
template <class Outcome>
double least_that_sticks(const Outcome& outcome, double guess) {
    bool is_known = true;
    const auto sticks = [&](double argument) {
        if (!is_known) return true;
        const ImpactOutcome found = outcome(argument);
        is_known = is_known && found != ImpactOutcome::failed;
        return found == ImpactOutcome::sticks;
    };
    const double found = least(sticks, guess);
    return is_known ? found : undefined;
}

/// Force [N] at overlap x and rate v in an impact, with its derivative by the rate [N s/m].
core::Dual force_at(const contact::Law& law, const Impact& impact, double x, double v) {
    return std::visit(
        [&](const auto& each) {
            auto memory = contact::with_all_numbers(each).prepare({impact.mass, impact.separation});
            each.onset(memory, impact.speed);
            return each.force(core::Dual(x), core::Dual::variable(v), memory);
        },
        law);
}

/// The damping that is felt about as much as the elastic force.
double damping_scale(contact::Law law, const Impact& impact) {
    set_damping(law, 0.0);
    const Restitution undamped = restitution(law, impact);
    if (undamped.status == ImpactOutcome::failed) {
        throw core::NumericalError("the impact without damping cannot be computed");
    }
    const double x = 0.5 * *undamped.peak_overlap;
    set_damping(law, 1.0);
    // A force is affine in the rate. The force less its elastic part would lose digits.
    const double unit = force_at(law, impact, x, impact.speed).derivative * impact.speed;
    return *undamped.peak_force / unit;
}

/// Says what damping between none and as much as can be computed gives. Errors:
/// core::NumericalError if that does not exclude the wish.
core::Violation unreachable(contact::Law law, const Impact& impact, double cor, double guess) {
    double least = 1.0;
    for (double damping = guess; damping < highest * guess; damping *= 4.0) {
        set_damping(law, damping);
        const auto e = coefficient_of_restitution(law, impact);
        if (!e || std::isnan(*e)) break;
        least = std::min(least, *e);
    }
    set_damping(law, 0.0);
    const Restitution undamped = restitution(law, impact);
    const double most = undamped.cor.value_or(undefined);
    if (least > most || (least < cor && cor < most)) {
        std::string message =
            fmt::format("no damping was found that gives cor = {}", core::to_text(cor));
        const double work = impact.total_load() * undamped.peak_overlap.value_or(undefined);
        const double energy = 0.5 * impact.mass * impact.speed * impact.speed;
        if (work > 0.0) {
            message +=
                fmt::format(": the load does {:.1e} times as much work as the motion has energy",
                            work / energy);
        }
        throw core::NumericalError(message);
    }
    return {"cor", core::to_text(cor),
            fmt::format("cannot be reached: with this law and impact it lies between {:.4g} and "
                        "{:.4g}",
                        least, most),
            ""};
}

/// With the stiffness that the law has.
contact::Law with_damping_for(contact::Law law, const Impact& impact, double cor) {
    const double scale = damping_scale(law, impact);
    // log(1/e - 1) is nearly linear in the logarithm of the damping, at both ends of [0, 1].
    const auto odds = [](double e) { return e > 0.0 ? core::log((1.0 - e) / e) : stuck; };
    const auto excess = [&](double damping) {
        set_damping(law, damping);
        const double e = coefficient_of_restitution(law, impact).value_or(undefined);
        return std::abs(e - cor) < good_enough ? 0.0 : odds(std::min(e, nearly_one)) - odds(cor);
    };
    if (cor == 1.0) {
        set_damping(law, 0.0);
        return law;
    }
    const double guess = scale * 1.95 * (core::pow(cor, -0.3) - 1.0);
    const auto damping = positive_root(excess, guess);
    if (!damping) core::throw_if_any({unreachable(law, impact, cor, guess)});
    set_damping(law, *damping);
    return law;
}

/// A stiffness with which the overlap is about that of the wish, or of the wanted time.
double first_stiffness(contact::Law law, const Impact& impact, const Wanted& wanted) {
    const double overlap =
        wanted.peak_overlap ? *wanted.peak_overlap : 0.3 * impact.speed * *wanted.contact_time;
    *number(law, "stiffness") = 1.0;
    set_damping(law, 0.0);
    return impact.mass * impact.speed * impact.speed /
           (overlap * force_at(law, impact, overlap, 0.0).value);
}

/// What brings a calibration within reach that the search missed.
std::string hint_for_a_miss(const contact::Law& law) {
    return std::holds_alternative<contact::RampedDamping>(law)
               ? "; give a ramp_depth nearer to the peak overlap, or a cor nearer to 1"
               : "; give a cor nearer to 1";
}

/// `ratio`: of contact time or peak overlap to the wish; 1 without such a wish. Errors:
/// core::NumericalError if the impact by the law that was found is not the wanted one.
void check_result(const Calibration& found, const Wanted& wanted, double ratio) {
    const std::string hint = hint_for_a_miss(found.law);
    const double cor = wanted.cor;
    if (!found.result.cor) {
        throw core::NumericalError(fmt::format("the impact with {} = {:.4g}, which the search for "
                                               "cor = {} led to, cannot be computed",
                                               damping_key(found.law),
                                               damping_of(found.law).value_or(undefined), cor) +
                                   hint);
    }
    const double e = *found.result.cor;
    if (!(std::abs(e - cor) < largest_miss)) {
        throw core::NumericalError(
            fmt::format("the calibrated law gives cor = {} instead of {}", e, cor) + hint);
    }
    if (!(std::abs(ratio - 1.0) < largest_miss)) {
        throw core::NumericalError(
            fmt::format("the calibrated law gives {} times the wanted {}", ratio,
                        wanted.contact_time ? "contact_time" : "peak_overlap") +
            hint);
    }
}

/// What to do with a law whose restitution no damping sets.
std::string hint_without_damping(const contact::Law& law) {
    return std::visit(
        []<class L>(const L& each) -> std::string {
            if constexpr (requires { each.restitution; })
                return "give the coefficient as the key `restitution` of the law: nothing is left "
                       "to calibrate";
            const std::string computed =
                " and speed determine its restitution; problem `restitution` computes it";
            if constexpr (
                requires { each.yield_pressure; } || requires { each.yield_strain; })
                return "yield strength" + computed;
            if constexpr (requires { each.work_of_adhesion; }) return "adhesion" + computed;
            return "use a law with a damping, such as `hunt_crossley`";
        },
        law);
}

std::string name_of(const contact::Law& law) {
    return std::visit([]<class L>(const L&) { return std::string(L::name); }, law);
}

/// What is wrong with a law that has no damping; empty if it has one.
std::vector<core::Violation> check_damping(const contact::Law& law) {
    if (!damping_key(law).empty()) return {};
    return {{"law", name_of(law), "has no damping that could be calibrated",
             hint_without_damping(law)}};
}

}  // namespace

std::string_view damping_key(const contact::Law& law) {
    for (const std::string_view name : damping_names) {
        if (number(law, name) != nullptr) return name;
    }
    return {};
}

std::optional<double> damping_of(const contact::Law& law) {
    const std::string_view key = damping_key(law);
    return key.empty() ? std::nullopt : *number(law, key);
}

void set_damping(contact::Law& law, double damping) {
    core::throw_if_any(check_damping(law));
    *number(law, damping_key(law)) = damping;
    if (auto* const wanted = number(law, "restitution")) wanted->reset();
}

std::vector<core::Violation> check(const contact::Law& law, const Wanted& wanted) {
    std::vector<core::Violation> violations = check_damping(law);
    core::append(core::check_number("cor", wanted.cor, core::closed(least_cor, 1.0), "", ""),
                 violations);
    const bool wants_time = wanted.contact_time.has_value();
    const bool wants_overlap = wanted.peak_overlap.has_value();
    const bool has_stiffness = number(law, "stiffness") != nullptr;
    if (wants_time && wants_overlap) {
        violations.push_back(
            {"peak_overlap", core::with_unit(*wanted.peak_overlap, "m"),
             "cannot be given together with contact_time: each of them determines the stiffness",
             "give one of the two"});
    }
    if ((wants_time || wants_overlap) && !has_stiffness) {
        violations.push_back(
            {"law", name_of(law), "has no stiffness that could be calibrated", ""});
    }
    for (const auto& [key, value, unit] : {std::tuple{"contact_time", wanted.contact_time, "s"},
                                           std::tuple{"peak_overlap", wanted.peak_overlap, "m"}}) {
        if (value) core::append(core::check_number(key, *value, core::positive, unit), violations);
    }
    return violations;
}

Calibration calibrate(const contact::Law& law, const Impact& impact, const Wanted& wanted) {
    auto violations = check(impact);
    core::append(check(law, wanted), violations);
    core::throw_if_any(std::move(violations));
    Calibration calibration{law, {}};
    const bool wants_time = wanted.contact_time.has_value();
    const bool wants_stiffness = wants_time || wanted.peak_overlap.has_value();
    const auto ratio_to_wish = [&](const Restitution& result) {
        return wants_time ? result.duration.value_or(undefined) / *wanted.contact_time
                          : result.peak_overlap.value_or(undefined) / *wanted.peak_overlap;
    };
    if (wants_stiffness) {
        const auto excess = [&](double stiffness) {
            *number(calibration.law, "stiffness") = stiffness;
            calibration.law = with_damping_for(calibration.law, impact, wanted.cor);
            const double ratio = ratio_to_wish(restitution(calibration.law, impact));
            return std::abs(ratio - 1.0) < good_enough ? 0.0 : -2.0 * core::log(ratio);
        };
        const auto stiffness = positive_root(excess, first_stiffness(law, impact, wanted));
        if (!stiffness) {
            const char* const key = wants_time ? "contact_time" : "peak_overlap";
            core::throw_if_any({{key,
                                 wants_time ? core::with_unit(*wanted.contact_time, "s")
                                            : core::with_unit(*wanted.peak_overlap, "m"),
                                 "cannot be reached with any stiffness under this load", ""}});
        }
        *number(calibration.law, "stiffness") = stiffness;
    }
    calibration.law = with_damping_for(calibration.law, impact, wanted.cor);
    calibration.result = restitution(calibration.law, impact);
    check_result(calibration, wanted, wants_stiffness ? ratio_to_wish(calibration.result) : 1.0);
    return calibration;
}

double critical_load(const contact::Law& law, Impact impact) {
    impact.gravity = 0.0;
    impact.load = 0.0;
    const Restitution free = restitution(law, impact);
    if (free.status == ImpactOutcome::failed) return undefined;
    if (free.status == ImpactOutcome::sticks) return 0.0;
    const auto under = [&](double load) {
        impact.load = load;
        return restitution(law, impact).status;
    };
    return least_that_sticks(under, *free.peak_force);
}

double critical_damping(contact::Law law, const Impact& impact) {
    const auto with = [&](double damping) {
        set_damping(law, damping);
        return restitution(law, impact).status;
    };
    return least_that_sticks(with, damping_scale(law, impact));
}

// ---- Published rules

namespace {

template <class L>
concept HasRules = requires(L law) {
    enum_names(law.rule);
    law.restitution;
};

/// The damping of an impact that has just begun.
template <class L>
double damping_at_onset(const L& law, const Impact& impact) {
    auto memory = contact::with_all_numbers(law).prepare({impact.mass, impact.separation});
    law.onset(memory, impact.speed);
    if constexpr (requires { memory.damping_factor; })
        return memory.damping_factor;
    else
        return memory.damping;
}

}  // namespace

std::vector<std::string> damping_rules() {
    std::vector<std::string> names;
    core::for_each_alternative<contact::Law>([&]<class L>(std::type_identity<L>) {
        if constexpr (HasRules<L>) {
            for (const auto& entry : enum_names(L{}.rule)) {
                if (entry.name != "exact") names.emplace_back(entry.name);
            }
        }
    });
    return names;
}

RuleDamping damping_by_rule(const contact::Law& law, const Impact& impact, double wanted,
                            std::string_view rule) {
    return std::visit(
        [&]<class L>(L each) -> RuleDamping {
            if constexpr (HasRules<L>) {
                for (const auto& entry : enum_names(each.rule)) {
                    if (entry.name != rule) continue;
                    contact::Law blank = each;
                    number(blank, damping_key(blank))->reset();
                    each = std::get<L>(blank);
                    each.rule = entry.value;
                    each.restitution = wanted;
                    // What the rule gives for a wish out of its reach is worth knowing too.
                    const auto violations = contact::check(each, impact.separation);
                    const bool does_not_hold = std::any_of(
                        violations.begin(), violations.end(),
                        [](const core::Violation& v) { return v.key != "restitution"; });
                    if (does_not_hold) return {};
                    return {damping_at_onset(each, impact),
                            coefficient_of_restitution(each, impact)};
                }
            }
            return {};
        },
        law);
}

}  // namespace stoss::impact
