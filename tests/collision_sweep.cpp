/// Collisions of random beams under every contact law, held against what must be so for all of
/// them:
///     stoss_collision_sweep COUNT [THREADS]
/// Prints a table, a line a law, and exits with 1 if a collision broke a rule:
/// - it ends with a result or with a refusal in words; no number of it is NaN. Bodies may stick, or
///   follow each other beyond the time limit; a few collisions (many sub-impacts, each of which
///   multiplies the errors of the one before) say themselves that they are not converged
///   (`chaotic`: a change of 1e-13 in Young's modulus changes their e by more than the tolerance),
///   or are so sensitive that a change of 1e-10 in Young's modulus changes e by 1e-7, or one of
///   1e-13 or 3e-13 by 5e-10;
/// - the energies add up, and no damping gives any: |residual| <= 1e-6, losses >= -1e-6 where the
/// collision is converged;
/// - where no load acts and nothing brakes the rigid motion 0 <= e <= 1, and e_N = e_P within 1e-8;
/// dashpots push the rigid bodies, in flight as well;
/// - the impulse, and what the loads add to it, is the change of the rigid momenta within 1e-8;
/// - seen from the other end of the beam e is the same within 1e-5;
/// - in units that are powers of four e is the same within 1e-9; in units between 1e-9 and 1e9 it
///   is the same within 1e-5, or the case is refused.

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <random_collisions.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>

namespace {

using namespace stoss;
using tests::StruckBeam;

constexpr std::size_t laws = tests::law_kinds;

/// One rule, and how far from it the collisions of a law were.
struct Rule {
    const char* name;
    double limit;
};
enum RuleIndex { energy, range, newton_poisson, momentum, mirror, units, far_units, rule_count };
constexpr std::array<Rule, rule_count> rules{{{"energy", 1e-6},
                                              {"e in 0..1", 1e-9},
                                              {"e_N = e_P", 1e-8},
                                              {"momentum", 1e-8},
                                              {"mirror", 1e-5},
                                              {"units 4^k", 1e-9},
                                              {"units 1e+-9", 1e-5}}};

/// What came of one collision.
struct Outcome {
    enum Kind { refused, stayed, unconverged, sensitive, known, broken, kinds };
    Kind kind = refused;
    bool is_refused_elsewhere = false;  ///< in units far from SI
    bool is_chaotic = false;            ///< not converged, and it could hardly be
    std::string failure;
    std::array<double, rule_count> distance{};

    void measure(RuleIndex rule, double value) {
        distance[rule] = std::isnan(value) ? core::infinity : std::max(distance[rule], value);
    }
};

/// What an impulse I [N s] of the contact and the loads in a time t [s] take from the approach of
/// the rigid bodies [m/s]. The first one closes against its axis, the second along it.
double change_of_approach(const models::BeamModel::Bodies& bodies, double impulse, double time) {
    double change = 0.0, sign = 1.0;
    for (const impact::MovingBody& moving : {bodies.first(), bodies.second()}) {
        for (std::size_t j = 0; j < moving.rigid_rates.size(); ++j) {
            const double phi = moving.body.phi[j];
            change += phi * phi * impulse;
            if (!moving.rigid_loads.empty()) change += sign * phi * moving.rigid_loads[j] * time;
        }
        sign = -1.0;
    }
    return change;
}

void hold(const StruckBeam& struck, const models::BeamModel& model,
          const impact::CollisionResult& result, Outcome& outcome) {
    if (result.converged) {
        outcome.measure(energy, std::abs(result.energy.residual));
        outcome.measure(energy, -result.energy.structural_loss);
        outcome.measure(energy, -result.energy.contact_loss);
    }
    const double e = result.cor_kinematic;
    const bool is_loaded = models::is_loaded(struck.parameters);
    if (struck.is_braked()) return;
    if (!is_loaded) {
        outcome.measure(range, std::max(-e, e - 1.0));
        outcome.measure(newton_poisson, std::abs(e - result.cor_kinetic));
    }
    const double change =
        change_of_approach(model.bodies_at(struck.xi), result.impulse, result.separation);
    outcome.measure(momentum, std::abs(change / result.approach_speed - (1.0 + e)));
}

/// e of the same collision told in another way; none with the reason, or if it is not converged.
std::optional<double> cor_of(const StruckBeam& struck, std::string& refusal) {
    const auto violations = models::check(struck.parameters);
    if (!violations.empty()) {
        refusal = violations.front().key + ": " + violations.front().rule;
        return {};
    }
    try {
        const auto result = models::BeamModel(struck.parameters).collide(struck.xi);
        if (result.status != impact::Status::separated) refusal = impact::to_string(result.status);
        if (refusal.empty() && result.converged) return result.cor_kinematic;
    } catch (const core::NumericalError& error) {
        refusal = error.what();
    }
    return {};
}

/// The same but for Young's modulus, which changes by this part.
StruckBeam nudged(StruckBeam struck, double part) {
    struck.parameters.beam.material.youngs_modulus *= 1.0 + part;
    return struck;
}

/// True if next to nothing changes e: a sub-impact more or less, or the errors of each multiplied
/// by the next; or a run that is just good enough, or just not. Changes of some 1e-13 are what
/// other units do to the modes by roundoff.
bool is_sensitive(const StruckBeam& struck, double e) {
    for (const auto& [nudge, most] :
         {std::pair{1e-10, 1e-7}, std::pair{1e-13, 5e-10}, std::pair{-1e-13, 5e-10},
          std::pair{3e-13, 5e-10}, std::pair{-3e-13, 5e-10}}) {
        std::string refusal;
        const auto cor = cor_of(nudged(struck, nudge), refusal);
        if (!cor || std::abs(*cor - e) > most) return true;
    }
    return false;
}

/// True if a change of 1e-13 in Young's modulus changes e by more than the tolerance.
bool is_chaotic(const StruckBeam& struck, double e) {
    const auto& scheme = std::get<time::Splitting>(struck.parameters.integration.scheme);
    const models::BeamModel changed(nudged(struck, 1e-13).parameters);
    const double difference = changed.collide(struck.xi).cor_kinematic - e;
    return !(std::abs(difference) <= scheme.tolerance);
}

void tell_in_other_ways(const StruckBeam& struck, double e, tests::RandomCollisions& random,
                        Outcome& outcome) {
    const auto told = [&](RuleIndex rule, const StruckBeam& other) {
        std::string refusal;
        const auto cor = cor_of(other, refusal);
        if (cor) outcome.measure(rule, std::abs(*cor - e));
        return refusal;
    };
    const auto power = [&] { return std::exp2(2.0 * std::floor(random.uniform(-15.0, 16.0))); };
    const auto factor = [&] { return random.log_uniform(1e-9, 1e9); };
    if (is_sensitive(struck, e)) {
        outcome.kind = Outcome::sensitive;
        return;
    }
    outcome.failure = told(mirror, struck.mirrored());
    outcome.is_refused_elsewhere =
        !told(units, struck.in({power(), power(), power()})).empty() ||
        !told(far_units, struck.in({factor(), factor(), factor()})).empty();
    if (!outcome.failure.empty()) outcome.kind = Outcome::broken;
}

/// Time limit of one collision, its mirror image and its copies in other units included. On a free
/// machine most take about a second, but 3985, which comes to rest in 11 million steps, three
/// minutes.
constexpr std::chrono::minutes longest{10};

Outcome collide(std::size_t index) {
    const auto start = std::chrono::steady_clock::now();
    const core::StopScope::Stop is_late = [start] {
        return std::chrono::steady_clock::now() - start > longest;
    };
    const core::StopScope scope(&is_late);
    tests::RandomCollisions random(index);
    const StruckBeam struck = random(index % laws);
    Outcome outcome;
    if (!models::check(struck.parameters).empty()) return outcome;
    try {
        const models::BeamModel model(struck.parameters);
        const impact::CollisionResult result = model.collide(struck.xi);
        switch (result.status) {
            case impact::Status::separated:
                outcome.kind = result.converged ? Outcome::known : Outcome::unconverged;
                hold(struck, model, result, outcome);
                if (result.converged) {
                    tell_in_other_ways(struck, result.cor_kinematic, random, outcome);
                } else {
                    outcome.is_chaotic = is_chaotic(struck, result.cor_kinematic);
                }
                break;
            case impact::Status::not_separated:
                outcome.kind = Outcome::stayed;
                break;
            default:
                outcome.kind = Outcome::broken;
                outcome.failure = impact::to_string(result.status);
        }
    } catch (const core::NumericalError& error) {
        outcome.kind = Outcome::broken;
        outcome.failure = error.what();
    } catch (const core::Stopped&) {
        outcome.kind = Outcome::broken;
        outcome.failure = "does not end";
    }
    return outcome;
}

std::string_view law_name(std::size_t index) {
    return std::visit([](const auto& law) { return law.name; }, tests::law_of_kind(index));
}

/// True if all rules hold for the collisions of a law.
bool print(std::size_t law, const std::vector<Outcome>& outcomes) {
    std::array<double, rule_count> worst{};
    std::array<std::size_t, rule_count> where{};
    std::array<int, Outcome::kinds> count{};
    int refused_elsewhere = 0, chaotic = 0;
    for (std::size_t i = law; i < outcomes.size(); i += laws) {
        ++count[outcomes[i].kind];
        refused_elsewhere += outcomes[i].is_refused_elsewhere;
        chaotic += outcomes[i].is_chaotic;
        for (std::size_t r = 0; r < rule_count; ++r) {
            if (outcomes[i].distance[r] <= worst[r]) continue;
            worst[r] = outcomes[i].distance[r];
            where[r] = i;
        }
        if (outcomes[i].kind == Outcome::broken)
            std::printf("  collision %zu: %s\n", i, outcomes[i].failure.c_str());
    }
    const std::string_view name = law_name(law);
    std::printf("%-20.*s %7d %7d %7d %7d %7d %7d %7d", int(name.size()), name.data(),
                count[Outcome::known] + count[Outcome::broken], count[Outcome::sensitive],
                count[Outcome::unconverged], chaotic, count[Outcome::stayed],
                count[Outcome::refused], refused_elsewhere);
    bool good = count[Outcome::broken] == 0;
    for (std::size_t r = 0; r < rule_count; ++r) {
        const bool broken = worst[r] > rules[r].limit;
        std::printf(" %10.1e%c", worst[r], broken ? '!' : ' ');
        good = good && !broken;
    }
    std::printf("\n");
    for (std::size_t r = 0; r < rule_count; ++r) {
        if (worst[r] > rules[r].limit)
            std::printf("  broken by collision %zu: %s\n", where[r], rules[r].name);
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    const long threads = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (count < 1 || threads < 0 || argc > 3) {
        std::fputs("usage: stoss_collision_sweep COUNT [THREADS]\n", stderr);
        return 2;
    }
    std::vector<Outcome> outcomes(static_cast<std::size_t>(count));
    {
        core::Progress progress("collisions", outcomes.size(), false);
        const auto work = [&](std::size_t i) {
            outcomes[i] = collide(i);
            progress.advance();
        };
        core::parallel_for(outcomes.size(), static_cast<int>(threads), work, {});
    }
    std::printf("%-20s %7s %7s %7s %7s %7s %7s %7s", "law", "known", "sensit.", "not cv.",
                "chaotic", "stay", "refused", "far r.");
    for (const Rule& rule : rules) std::printf(" %10s ", rule.name);
    std::printf("\n");
    bool good = true;
    for (std::size_t law = 0; law < laws; ++law) good = print(law, outcomes) && good;
    return good ? 0 : 1;
}
