// Damping from a wanted restitution, and back.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <solved_case.hpp>
#include <solvers/registry/registry.hpp>
#include <stoss/contact/damping.hpp>
#include <stoss/impact/calibrate.hpp>
#include <stoss/io/document.hpp>

namespace {

using namespace stoss;
using contact::Separation;
using impact::Impact;

constexpr Impact unit{1.0, 1.0, 0.0, 0.0, Separation::zero_force};

contact::LinearDamping linear_damping(double exponent) {
    contact::LinearDamping law;
    law.stiffness = 1.0;
    law.exponent = exponent;
    return law;
}
contact::Viscoelastic viscoelastic(double alpha, double beta, double gamma) {
    contact::Viscoelastic law;
    law.stiffness = 1.0;
    law.exponent = alpha;
    law.damping_exponent = beta;
    law.damping_factor = gamma;
    return law;
}

TEST(Calibration, OfALinearDamperIsTheTableOfIndependentCode) {
    struct Row {
        double e, n, c;
    };
    for (const auto& [e, n, c] :
         {Row{.9, 1, .068530408}, Row{.7, 1.2, .231795806}, Row{.5, 1.5, .451733515},
          Row{.3, 1.8, .799636432}, Row{.1, 2, 1.651372150}, Row{1e-4, 1, 99.91778751},
          Row{1e-4, 1.5, 39.77306883}, Row{1e-4, 2, 21.52243073}}) {
        const double found =
            impact::damping_of(impact::calibrate(linear_damping(n), unit, {e}).law).value();
        EXPECT_NEAR(found / c, 1.0, 5e-9) << e << " " << n;
    }
}

TEST(Calibration, AgreesWithWhatALawDoesOnItsOwn) {
    for (const double e : {0.9, 0.4, 0.02}) {
        for (const Separation separation : {Separation::zero_force, Separation::zero_overlap}) {
            Impact impact{0.3, 2.0, 0.0, 0.0, separation};
            contact::KuwabaraKono law;
            law.stiffness = 1e6;
            const auto calibrated = impact::calibrate(law, impact, {e});
            law.restitution = e;
            EXPECT_NEAR(impact::restitution(law, impact).cor.value(), e, 1e-11);
            auto memory = law.prepare({impact.mass, impact.separation});
            law.onset(memory, impact.speed);
            EXPECT_NEAR(impact::damping_of(calibrated.law).value() / memory.damping_factor, 1.0,
                        1e-9);
        }
    }
}

TEST(Calibration, OfABeadIsTheExactInverse) {
    // Kuwabara and Kono (1987), steel: the published 1.5237e-6 is the first-order inverse for two.
    contact::KuwabaraKono law;
    law.stiffness = 3.6138e10;
    const auto calibrated =
        impact::calibrate(law, {0.5, 0.154, 0.0, 0.0, Separation::zero_overlap}, {0.893});
    EXPECT_NEAR(impact::damping_of(calibrated.law).value(), 2.14908e-6, 6e-12);
}

TEST(Calibration, FindsTheTinyDampingUnderALoadThatDoesFarMoreWorkThanTheMotionHasEnergy) {
    contact::Tsuji law;
    law.stiffness = 1e6;
    for (const Impact& impact :
         {Impact{1.0, 0.01, 0.0, 3e8, Separation::zero_force}, Impact{1.0, 0.01, 0.0, 1e15},
          Impact{1e-9, 0.01, 9.81, 0.0, Separation::zero_force}}) {
        const auto calibrated = impact::calibrate(law, impact, {0.5});
        EXPECT_NEAR(calibrated.result.cor.value(), 0.5, 1e-9) << impact.load;
    }
}

TEST(Calibration, OfADampingTooSmallToBeFoundSaysSo) {
    contact::Tsuji law;
    law.stiffness = 1e6;
    const Impact impact{1e-9, 0.01, 0.0, 1e80, Separation::zero_force};
    try {
        impact::calibrate(law, impact, {0.5});
        FAIL();
    } catch (const core::NumericalError& error) {
        EXPECT_NE(std::string(error.what()).find("no damping was found that gives cor = 0.5"),
                  std::string::npos)
            << error.what();
    }
}

TEST(Calibration, FindsADamperThatIsTinyAtTheOverlapOfTheImpact) {
    for (const double depths : {1e3, 1e6, 1e9}) {
        contact::RampedDamping law;
        law.stiffness = 1e10;
        law.ramp_depth = 1.0;
        law.damping = 0.0;
        const Impact impact{1.0, 1.0};
        law.ramp_depth = depths * impact::restitution(law, impact).peak_overlap.value();
        law.damping.reset();
        const auto calibrated = impact::calibrate(law, impact, {0.8});
        EXPECT_NEAR(calibrated.result.cor.value(), 0.8, 1e-11) << depths;
    }
}

TEST(Calibration, GivesBackTheRestitutionOfRandomImpacts) {
    std::mt19937 random(7);
    const auto between = [&](double low, double high) {
        return std::uniform_real_distribution(low, high)(random);
    };
    for (int i = 0; i < 200; ++i) {
        const double e = std::pow(10.0, between(-2.0, 0.0));
        const double k = std::pow(10.0, between(4.0, 10.0));
        contact::Law law;
        if (i % 4 == 0) {
            contact::LinearDamping each;
            each.stiffness = k;
            each.exponent = between(1.0, 2.0);
            law = each;
        } else if (i % 4 == 1) {
            contact::HuntCrossley each;
            each.stiffness = k;
            each.exponent = between(1.0, 2.0);
            law = each;
        } else if (i % 4 == 2) {
            contact::KelvinVoigt each;
            each.stiffness = k;
            law = each;
        } else {
            contact::Viscoelastic each;
            each.stiffness = k;
            each.exponent = between(1.0, 2.0);
            each.damping_exponent = between(1.0, 2.0);
            law = each;
        }
        const Impact impact{std::pow(10.0, between(-3.0, 2.0)), std::pow(10.0, between(-5.0, 2.0)),
                            0.0, 0.0,
                            i % 3 == 0 ? Separation::zero_overlap : Separation::zero_force};
        const auto calibrated = impact::calibrate(law, impact, {e});
        EXPECT_NEAR(impact::restitution(calibrated.law, impact).cor.value(), e, 1e-11) << i;
    }
}

TEST(Calibration, HoldsUnderGravityAndLoad) {
    const Impact impact{0.2, 0.5, 9.81, 3.0, Separation::zero_force};
    contact::Tsuji law;
    law.stiffness = 1e5;
    const auto calibrated = impact::calibrate(law, impact, {0.35});
    EXPECT_NEAR(impact::restitution(calibrated.law, impact).cor.value(), 0.35, 1e-12);
}

/// Roundoff of e is larger there: the overlap at rest is a fifth of the largest one.
TEST(Calibration, HoldsUnderALoadOfTheSizeOfTheForceOfTheImpact) {
    const Impact impact{0.0025, 24.0, 9.81, 0.0, Separation::zero_force};
    const auto expect_all = [&](auto law) {
        law.stiffness = 3.3e8;
        for (const double e : {0.99, 0.9, 0.5, 0.1})
            EXPECT_NEAR(impact::calibrate(law, impact, {e}).result.cor.value(), e, 1e-9) << e;
    };
    expect_all(contact::KuwabaraKono{});
    expect_all(contact::Tsuji{});
    expect_all(contact::HuntCrossley{});
    expect_all(contact::LinearDamping{});
    expect_all(contact::SimonHuntCrossley{});
}

TEST(Calibration, FindsTheStiffnessForAContactTimeOrAnOverlap) {
    const Impact impact{2.0, 0.3, 9.81, 0.0, Separation::zero_force};
    const auto timed = impact::calibrate(contact::LinearDamping{}, impact, {0.6, 1e-3});
    EXPECT_NEAR(timed.result.duration.value(), 1e-3, 1e-14);
    EXPECT_NEAR(timed.result.cor.value(), 0.6, 1e-12);
    const auto deep = impact::calibrate(contact::HuntCrossley{}, impact, {0.6, {}, 1e-4});
    EXPECT_NEAR(deep.result.peak_overlap.value(), 1e-4, 1e-15);
    EXPECT_NEAR(deep.result.cor.value(), 0.6, 1e-12);
}

TEST(Calibration, OfRestitutionOneIsNoDamping) {
    EXPECT_EQ(impact::damping_of(impact::calibrate(linear_damping(1.5), unit, {1.0}).law).value(),
              0.0);
}

std::string refusal(const contact::Law& law, const Impact& impact, const impact::Wanted& wanted) {
    try {
        impact::calibrate(law, impact, wanted);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Calibration, RefusesWhatCannotBe) {
    contact::Hertz hertz;
    hertz.stiffness = 1.0;
    EXPECT_NE(refusal(hertz, unit, {0.5}).find("hertz: has no damping"), std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), unit, {1.2}).find("cor: 1.2: must be between"),
              std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), unit, {0.0}).find("cor: 0: must be between"),
              std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), unit, {0.5, 1.0, 1.0})
                  .find("cannot be given together with contact_time"),
              std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), {1.0, -1.0}, {0.5}).find("mass"), std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), unit, {0.5, -1.0}).find("contact_time"),
              std::string::npos);
    EXPECT_NE(refusal(linear_damping(1.5), unit, {0.5, core::infinity})
                  .find("contact_time: inf s: must be finite and > 0 s"),
              std::string::npos);
}

TEST(Calibration, RefusesALawWithoutDampingWhereverOneIsSet) {
    contact::Hertz elastic;
    elastic.stiffness = 1.0;
    contact::Law hertz = elastic;
    EXPECT_THROW(impact::set_damping(hertz, 0.1), core::InputError);
    EXPECT_THROW(impact::critical_damping(hertz, unit), core::InputError);
    EXPECT_FALSE(impact::damping_of(hertz));
}

TEST(Calibration, NamesTheNumberThatNeitherFollowsNorIsGiven) {
    EXPECT_NE(refusal(contact::RampedDamping{}, unit, {0.5, 1e-3}).find("ramp_depth: is missing"),
              std::string::npos);
    EXPECT_NE(
        refusal(contact::RampedDamping{}, unit, {0.5, {}, 1e-3}).find("ramp_depth: is missing"),
        std::string::npos);
}

TEST(DampingByRule, NeedsTheStiffnessOfTheLaw) {
    for (const auto& [law, rule] :
         {std::pair<contact::Law, const char*>{contact::LinearDamping{}, "poursina_nikravesh_2020"},
          std::pair<contact::Law, const char*>{contact::HuntCrossley{}, "flores"}})
        EXPECT_THROW(impact::damping_by_rule(law, unit, 0.5, rule), core::InputError) << rule;
}

TEST(DampingByRule, GivesWhatARuleMakesOfAWishOutOfItsReach) {
    contact::HuntCrossley law;
    law.stiffness = 1.0;
    const auto given = impact::damping_by_rule(law, unit, 0.3, "hunt_crossley_1975");
    EXPECT_NEAR(given.damping.value(), 1.5 * 0.7, 1e-14);
    EXPECT_NEAR(given.cor.value(), contact::hunt_crossley_restitution(1.5 * 0.7), 1e-14);
}

TEST(CriticalLoad, IsThatOfIndependentCode) {
    const Impact impact{1.0, 1.0, 0.0, 0.0, Separation::zero_overlap};
    EXPECT_NEAR(impact::critical_load(viscoelastic(1.5, 1.5, 1e-4), impact), 46.3745900900324,
                1e-10);
    EXPECT_NEAR(impact::critical_load(viscoelastic(1.5, 1.5, 0.01), impact), 3.678722524, 1e-9);
    EXPECT_NEAR(impact::critical_load(viscoelastic(1.5, 1.5, 1.0), impact), 0.059933, 1e-6);
}

TEST(CriticalLoad, DividesReboundFromSticking) {
    Impact impact{1.0, 1.0, 0.0, 0.0, Separation::zero_overlap};
    const contact::Law law = viscoelastic(1.5, 1.25, 0.05);
    const double critical = impact::critical_load(law, impact);
    impact.load = critical * (1.0 - 1e-9);
    EXPECT_EQ(impact::restitution(law, impact).status, impact::ImpactOutcome::rebounds);
    impact.load = critical * (1.0 + 1e-9);
    EXPECT_EQ(impact::restitution(law, impact).status, impact::ImpactOutcome::sticks);
}

TEST(CriticalLoad, IsInfiniteWithoutDamping) {
    contact::Hertz hertz;
    hertz.stiffness = 1.0;
    EXPECT_EQ(impact::critical_load(hertz, unit), core::infinity);
}

TEST(CriticalLoad, IsNoneOfAnImpactThatCannotBeComputed) {
    contact::Hertz hertz;
    hertz.stiffness = 1e308;
    EXPECT_TRUE(std::isnan(impact::critical_load(hertz, {1e200, 1.0})));
}

TEST(CriticalDamping, IsTheInverseOfTheCriticalLoad) {
    Impact impact{1.0, 1.0, 0.0, 0.0, Separation::zero_overlap};
    const double load = impact::critical_load(viscoelastic(1.5, 1.5, 0.03), impact);
    impact.load = load;
    EXPECT_NEAR(impact::critical_damping(viscoelastic(1.5, 1.5, 1.0), impact), 0.03, 1e-12);
}

/// Its overlap vanishes in the end however large the damping is: it has no critical damping.
TEST(CriticalDamping, IsNoNumberOfABeadWithoutLoad) {
    const Impact impact{1.0, 1.0, 0.0, 0.0, Separation::zero_overlap};
    EXPECT_FALSE(std::isfinite(impact::critical_damping(viscoelastic(1.5, 2.5, 1.0), impact)));
}

/// What `stoss calibrate` computes; its refusal, if there is one.
solvers::Outcome calibration_of(const std::string& contact) {
    return tests::solve(
        "problem: calibrate\nmass: 2 kg\nspeed: 0.5 m/s\ncor: [0.6]\ncontact: " + contact + "\n");
}
std::string refusal(const std::string& contact) {
    try {
        calibration_of(contact);
    } catch (const core::InputError& error) {
        return error.what();
    }
    return "";
}

TEST(CalibrateProblem, GivesTheDampingOfEveryRuleAndItsRestitution) {
    const solvers::Outcome outcome = calibration_of("{law: hunt_crossley, stiffness: 1e6}");
    const auto number = [&](const char* key) { return *outcome.summary.find(key)->number(); };
    // z = mu v_0 by (theory/contact_laws.md 8.10), at v_0 = 0.5 m/s and e = 0.6
    EXPECT_NEAR(number("damping_factor_by_hunt_crossley_1975_s_per_m"), 1.5 * 0.4 / 0.5, 1e-14);
    EXPECT_NEAR(number("damping_factor_by_lankarani_nikravesh_1990_s_per_m"), 0.75 * 0.64 / 0.5,
                1e-14);
    EXPECT_NEAR(number("damping_factor_by_hu_guo_s_per_m"), 1.5 * 0.4 / 0.6 / 0.5, 1e-14);
    EXPECT_NEAR(number("damping_factor_by_flores_s_per_m"), 1.6 * 0.4 / 0.6 / 0.5, 1e-14);
    EXPECT_NEAR(number("cor_given_by_flores"), contact::hunt_crossley_restitution(1.6 * 0.4 / 0.6),
                1e-14);
    EXPECT_NEAR(number("cor"), 0.6, 1e-12);
    EXPECT_EQ(outcome.tables.front().second.numbers("damping_factor_by_flores_s_per_m").front(),
              number("damping_factor_by_flores_s_per_m"));
}

TEST(CalibrateProblem, GivesNoRuleToALawThatHasNone) {
    const solvers::Outcome outcome = calibration_of("{law: tsuji, stiffness: 1e6}");
    for (const auto& [key, value] : *outcome.summary.members())
        EXPECT_EQ(key.find("_by_"), std::string::npos) << key;
}

/// The keys of a law that it needs beside stiffness and damping, as a case gives them.
template <class L>
std::string other_keys() {
    std::string keys;
    core::for_each_field<L>([&](const auto& field) {
        if (field.is_required && field.name != "stiffness" && field.name != "damping")
            keys += fmt::format(", {}: 1e-3 {}", field.name, field.unit);
    });
    return keys;
}

TEST(CalibrateProblem, FindsTheDampingOfEveryLawThatHasOne) {
    int laws = 0;
    core::for_each_alternative<contact::Law>([&]<class L>(std::type_identity<L>) {
        if (impact::damping_key(L{}).empty()) return;
        ++laws;
        const solvers::Outcome outcome =
            calibration_of(fmt::format("{{law: {}, stiffness: 1e6{}}}", L::name, other_keys<L>()));
        EXPECT_NEAR(*outcome.summary.find("cor")->number(), 0.6, 1e-9) << L::name;
    });
    EXPECT_GE(laws, 8);
}

/// The search ends at a damping whose impact has no result.
TEST(CalibrateProblem, SaysWhatToChangeWhereARampGivesNoResult) {
    try {
        tests::solve(
            "problem: calibrate\nmass: 0.0131624 kg\nspeed: 0.0153851 m/s\ncor: [1e-5]\n"
            "contact: {law: ramped_damping, exponent: 1, stiffness: 5805.13 N/m, "
            "ramp_depth: 4.51609e-05 m}\n");
        FAIL() << "calibrated";
    } catch (const core::NumericalError& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find("nan"), std::string::npos) << message;
        EXPECT_TRUE(message.ends_with(
            "; give a ramp_depth nearer to the peak overlap, or a cor nearer to 1"))
            << message;
    }
}

/// The energy that returns is lost in the roundoff of the potential energy of the load.
TEST(CalibrateProblem, GoesOnWhereRoundoffMissesOneOfItsWishes) {
    const auto solve_for = [](const char* cor) {
        return tests::solve(
            fmt::format("problem: calibrate\nmass: 24 kg\nspeed: 2.5 mm/s\ngravity: 9.81 m/s^2\n"
                        "contact: {{law: kuwabara_kono, stiffness: 3.3e8}}\ncor: {}\n",
                        cor));
    };
    const solvers::Outcome outcome = solve_for("[0.9, 0.001, 0.5]");
    EXPECT_EQ(outcome.ending, solvers::Ending::numerical_failure);
    ASSERT_EQ(outcome.warnings.size(), 1u);
    EXPECT_TRUE(outcome.warnings.front().starts_with("cor[1]: the calibrated law gives cor = 0.00"))
        << outcome.warnings.front();
    const std::vector<double> given = outcome.tables.front().second.numbers("cor_given");
    EXPECT_NEAR(given[0], 0.9, 1e-9);
    EXPECT_TRUE(std::isnan(given[1]));
    EXPECT_NEAR(given[2], 0.5, 1e-9);
    EXPECT_LT(*outcome.summary.find("cor_error_max")->number(), 1e-9);
    EXPECT_THROW(solve_for("[0.001]"), core::NumericalError);
}

TEST(CalibrateProblem, SaysOfALawWithoutDampingThatAlone) {
    core::for_each_alternative<contact::Law>([]<class L>(std::type_identity<L>) {
        if (!impact::damping_key(L{}).empty() || L::name == contact::FunctionLaw::name) return;
        for (const char* key : {"", ", stiffness: 1e6"}) {
            const std::string words = refusal(fmt::format("{{law: {}{}}}", L::name, key));
            EXPECT_NE(words.find(fmt::format("contact.law: {}: has no damping", L::name)),
                      std::string::npos)
                << words;
            EXPECT_EQ(words.find("is missing"), std::string::npos) << words;
            EXPECT_EQ(words.find("is not a key"), std::string::npos) << words;
        }
    });
}

TEST(CalibrateProblem, RefusesALawThatGivesWhatIsSought) {
    EXPECT_NE(refusal("{law: hunt_crossley, stiffness: 1e6, damping_factor: 0.3 s/m}")
                  .find("contact.damping_factor: 0.3 s/m: is the unknown of this problem"),
              std::string::npos);
    EXPECT_NE(refusal("{law: linear_damping, stiffness: 1e6, damping: 3 N s/m}")
                  .find("contact.damping: 3 N s/m: is the unknown of this problem"),
              std::string::npos);
    EXPECT_NE(refusal("{law: tsuji, stiffness: 1e6, restitution: 0.3}")
                  .find("contact.restitution: 0.3: cannot be given together with `cor`"),
              std::string::npos);
    EXPECT_NE(refusal("{law: hunt_crossley, stiffness: 1e6, rule: flores}")
                  .find("contact.rule: flores: is not used"),
              std::string::npos);
    EXPECT_EQ(refusal("{law: hunt_crossley, stiffness: 1e6, rule: exact}"), "");
}

/// A linear spring with a wanted time of contact.
io::Document timed_spring(const std::string& more) {
    return io::parse_yaml("problem: calibrate\nmass: 10 g\nspeed: 1 m/s\ncor: [0.8]\n" + more,
                          "case.yaml");
}

TEST(CalibrateProblem, FindsSpringAndDashpotOfAContactTimeAsTheDampedOscillatorHasThem) {
    // Contact ends after half a period T = pi/omega_d, with e = exp(-delta T):
    // c = 2 m delta = -2 m ln(e)/T and k = m (omega_d^2 + delta^2) = m (pi^2 + ln(e)^2)/T^2.
    const double m = 0.01, T = 3e-3, log_e = std::log(0.8), pi = std::acos(-1.0);
    for (const char* const contact :
         {"contact: {law: kelvin_voigt, separation: zero_overlap}\n", "for: lammps_hooke\n"}) {
        const io::Document document = timed_spring(std::string("contact_time: 3 ms\n") + contact);
        const auto outcome = solvers::problem_of(document).read(document)->solve({1, true});
        const auto number = [&](const char* key) { return *outcome.summary.find(key)->number(); };
        EXPECT_NEAR(number("stiffness_N_per_m") * T * T / (m * (pi * pi + log_e * log_e)), 1.0,
                    1e-11);
        EXPECT_NEAR(number("damping_N_s_per_m") * T / (-2.0 * m * log_e), 1.0, 1e-11);
        EXPECT_NEAR(number("duration_s"), T, 1e-14);
        EXPECT_EQ(*outcome.summary.find("separation")->text(), "zero_overlap");
    }
}

TEST(CalibrateProblem, FindsTheLinearSpringOfAPeakOverlap) {
    const io::Document document = timed_spring("peak_overlap: 1 mm\nfor: mujoco\n");
    const auto outcome = solvers::problem_of(document).read(document)->solve({1, true});
    EXPECT_NEAR(*outcome.summary.find("peak_overlap_m")->number(), 1e-3, 1e-14);
    EXPECT_NEAR(*outcome.summary.find("cor")->number(), 0.8, 1e-12);
}

TEST(CalibrateProblem, ReadsItsResolvedCaseWithoutAStiffnessAgain) {
    const io::Document document =
        timed_spring("contact_time: 3 ms\ncontact: {law: kelvin_voigt}\n");
    const io::Document resolved{"case.yaml",
                                solvers::problem_of(document).read(document)->resolved()};
    EXPECT_NO_THROW(solvers::problem_of(resolved).read(resolved));
}

TEST(CalibrateProblem, WantsTheLinearSpringOrWhatGivesIt) {
    const std::string words = refusal("{law: kelvin_voigt}");
    EXPECT_NE(words.find("contact.stiffness: is missing"), std::string::npos) << words;
    EXPECT_NE(words.find("or give contact_time or peak_overlap"), std::string::npos) << words;
}

}  // namespace
