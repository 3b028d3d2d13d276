/// Gradients of collisions through all sub-impacts against differences of collisions, closed forms
/// and dimensions (docs/theory/gradients.md).

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numbers>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <stoss/core/error.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::impact {
namespace {

constexpr std::array quantities{
    Quantity::cor_kinematic, Quantity::cor_kinetic,  Quantity::cor_energetic,
    Quantity::impulse,       Quantity::peak_force,   Quantity::compression_end,
    Quantity::separation,    Quantity::energy_rigid, Quantity::energy_vibration};

/// All that a collision is made of.
struct Experiment {
    modal::ModalBody first, second;
    BodyGradient motion;  // of the first body: rates, vibrations and loads alone
    std::vector<double> second_rates;
    ContactSetup contact;

    CollisionWithGradients collide(double tolerance, std::span<const Quantity> of = {}) const {
        const MovingBody moving{first, motion.rigid_rates, motion.vibration, motion.vibration_rates,
                                motion.rigid_loads};
        return collide_with_gradients(moving, {second, second_rates}, contact,
                                      time::Splitting{tolerance}, 1e3, of);
    }
};

/// One number of an experiment, and its derivative in a gradient.
struct Parameter {
    std::string name;
    std::function<double&(Experiment&)> number;
    std::function<double(const CollisionGradient&)> slope;
};

void add_each(std::vector<Parameter>& parameters, const std::string& name, std::size_t count,
              std::vector<double>& (*numbers)(Experiment&),
              const std::vector<double>& (*slopes)(const CollisionGradient&)) {
    for (std::size_t j = 0; j < count; ++j) {
        parameters.push_back({name + std::to_string(j),
                              [=](Experiment& e) -> double& { return numbers(e)[j]; },
                              [=](const CollisionGradient& g) { return slopes(g)[j]; }});
    }
}

std::vector<Parameter> parameters_of(const Experiment& experiment) {
    std::vector<Parameter> all;
    std::visit(
        [&]<class Law>(const Law&) {
            std::size_t count = 0;
            core::for_each_field<Law>([&](const auto& field) {
                using Member = std::remove_cvref_t<decltype(std::declval<Law>().*field.member)>;
                const auto add = [&](auto member) {
                    const std::size_t p = count++;
                    all.push_back({std::string(field.name), member,
                                   [p](const CollisionGradient& g) { return g.law[p].slope; }});
                };
                const auto member = field.member;
                if constexpr (std::is_same_v<Member, double>) {
                    add([member](Experiment& e) -> double& {
                        return std::get<Law>(e.contact.law).*member;
                    });
                } else if constexpr (std::is_same_v<Member, std::optional<double>>) {
                    if (std::get<Law>(experiment.contact.law).*member)
                        add([member](Experiment& e) -> double& {
                            return *(std::get<Law>(e.contact.law).*member);
                        });
                }
            });
        },
        experiment.contact.law);
    const std::size_t modes = experiment.first.modes(), rigid = experiment.first.rigid;
    using E = Experiment&;
    using G = const CollisionGradient&;
    using Numbers = std::vector<double>&;
    using Slopes = const std::vector<double>&;
    add_each(
        all, "eigenvalue", modes, [](E e) -> Numbers { return e.first.eigenvalues; },
        [](G g) -> Slopes { return g.first.eigenvalues; });
    add_each(
        all, "damping", modes, [](E e) -> Numbers { return e.first.damping; },
        [](G g) -> Slopes { return g.first.damping; });
    add_each(
        all, "phi", modes, [](E e) -> Numbers { return e.first.phi; },
        [](G g) -> Slopes { return g.first.phi; });
    add_each(
        all, "rate", rigid, [](E e) -> Numbers { return e.motion.rigid_rates; },
        [](G g) -> Slopes { return g.first.rigid_rates; });
    add_each(
        all, "load", rigid, [](E e) -> Numbers { return e.motion.rigid_loads; },
        [](G g) -> Slopes { return g.first.rigid_loads; });
    add_each(
        all, "vibration", modes - rigid, [](E e) -> Numbers { return e.motion.vibration; },
        [](G g) -> Slopes { return g.first.vibration; });
    add_each(
        all, "vibration_rate", modes - rigid,
        [](E e) -> Numbers { return e.motion.vibration_rates; },
        [](G g) -> Slopes { return g.first.vibration_rates; });
    add_each(
        all, "second_phi", 1, [](E e) -> Numbers { return e.second.phi; },
        [](G g) -> Slopes { return g.second.phi; });
    add_each(
        all, "second_rate", 1, [](E e) -> Numbers { return e.second_rates; },
        [](G g) -> Slopes { return g.second.rigid_rates; });
    all.push_back({"residual_flexibility",
                   [](E e) -> double& { return e.first.residual_flexibility; },
                   [](G g) { return g.first.residual_flexibility; }});
    std::erase_if(all, [&](const Parameter& p) {
        Experiment copy = experiment;
        return p.number(copy) == 0.0;
    });
    return all;
}

/// A body of random modes, struck by a point mass; every number of order 1 but the frequencies.
Experiment random_experiment(std::mt19937& random, const contact::Law& law, bool damped,
                             bool residual, bool vibrating, bool loaded) {
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    Experiment e;
    const int vibrations = std::uniform_int_distribution<int>(1, 9)(random);
    e.first.rigid = 1;
    e.first.eigenvalues = {0.0};
    e.first.damping = {0.0};
    e.first.phi = {number(0.5, 1.0)};
    double omega = number(2.0, 6.0);
    for (int j = 0; j < vibrations; ++j, omega *= number(1.2, 1.8)) {
        e.first.eigenvalues.push_back(omega * omega);
        e.first.damping.push_back(damped ? number(0.01, 0.1) * omega : 0.0);
        e.first.phi.push_back(number(-1.0, 1.0));
        e.motion.vibration.push_back(vibrating ? number(-0.02, 0.02) : 0.0);
        e.motion.vibration_rates.push_back(vibrating ? number(-0.02, 0.02) * omega : 0.0);
    }
    e.first.residual_flexibility = residual ? number(1e-4, 1e-3) : 0.0;
    e.motion.rigid_rates = {number(-1.2, -0.6)};
    e.motion.rigid_loads = {loaded ? number(0.01, 0.05) : 0.0};
    e.second = modal::point_mass(number(0.5, 2.0));
    e.second_rates = {number(0.5, 1.0)};
    e.contact.law = law;
    return e;
}

/// Central differences of order 4 of all quantities.
std::array<double, quantities.size()> differences(const Experiment& experiment,
                                                  const Parameter& parameter, double relative) {
    Experiment changed = experiment;
    double& number = parameter.number(changed);
    const double at = number, step = relative * at;
    std::array<double, quantities.size()> sums{};
    for (const auto& [shift, weight] :
         {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
        number = at + shift * step;
        const CollisionResult result = changed.collide(1e-12).result;
        for (std::size_t i = 0; i < quantities.size(); ++i)
            sums[i] += weight / (12.0 * step) * value_of(result, quantities[i]);
    }
    return sums;
}

contact::Hertz hertz(double stiffness) {
    contact::Hertz law;
    law.stiffness = stiffness;
    return law;
}

contact::Law random_law(std::mt19937& random, int kind) {
    const auto number = [&](double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(random);
    };
    const double stiffness = std::exp(number(4.0, 9.0));
    switch (kind) {
        case 0:
            return hertz(stiffness);
        case 1:
            return contact::HuntCrossley{.stiffness = stiffness,
                                         .damping_factor = number(0.1, 0.6)};
        case 2:
            return contact::HuntCrossley{.stiffness = stiffness, .restitution = number(0.6, 0.9)};
        case 3: {
            contact::KuwabaraKono law;
            law.stiffness = stiffness;
            law.damping_factor = number(0.1, 0.5) / std::sqrt(stiffness);
            return law;
        }
        case 4:
            return contact::WaltonBraun{.stiffness = stiffness, .restitution = number(0.6, 0.9)};
        default:
            return contact::KelvinVoigt{.stiffness = stiffness, .damping = number(0.5, 2.0)};
    }
}

/// Largest difference of logarithmic derivatives, relative to what is no less than 0.01.
double largest_error(const Experiment& experiment, const CollisionWithGradients& exact,
                     const Parameter& parameter, std::span<const Quantity> of,
                     std::span<const Quantity> without = {}) {
    Experiment copy = experiment;
    const double at = parameter.number(copy);
    const auto rough = differences(experiment, parameter, 1e-4);
    const bool is_loaded = experiment.motion.rigid_loads[0] != 0.0;
    double largest = 0.0;
    for (std::size_t i = 0; i < of.size(); ++i) {
        // The part of a step under a load that belongs to compression is not known as well as the
        // rest, nor is the largest force between the nodes.
        if (of[i] == Quantity::cor_energetic && is_loaded) continue;
        if (std::ranges::find(without, of[i]) != without.end()) continue;
        const double precision = of[i] == Quantity::peak_force ? 0.1 : 1.0;
        const double per = at / value_of(exact.result, of[i]);
        const double reference = std::max(std::abs(rough[i] * per), 1e-2);
        const double error = (parameter.slope(exact.gradients[i]) - rough[i]) * per / reference;
        largest = std::max(largest, precision * std::abs(error));
    }
    return largest;
}

/// Why a difference may be no derivative.
enum class Reason {
    none,
    sub_impacts_change,
    kink_is_near,
    difference_is_not_known,
    released_behind_flexibility
};

/// The first reason that holds for the stencil of `differences`.
Reason reason_for(const Experiment& experiment, const Parameter& parameter,
                  const CollisionWithGradients& exact, double error) {
    // The results of a run that misses its tolerance are not those of a smooth function.
    if (!exact.result.converged) return Reason::difference_is_not_known;
    constexpr double relative = 1e-4;
    Experiment changed = experiment;
    double& number = parameter.number(changed);
    const double at = number;
    for (const double shift : {-2.0, -1.0, 1.0, 2.0}) {
        number = at + shift * relative * at;
        if (changed.collide(1e-12).result.sub_impacts.size() != exact.result.sub_impacts.size())
            return Reason::sub_impacts_change;
    }
    constexpr std::array margins{Quantity::margins};
    for (const CollisionGradient& each : experiment.collide(1e-12, margins).gradients) {
        // The results of a stencil this near the kink are not those of a smooth function.
        const double distance = std::abs(each.graze.margin / parameter.slope(each));
        if (distance < 100.0 * relative * std::abs(at)) return Reason::kink_is_near;
    }
    const auto wide = differences(experiment, parameter, 2.0 * relative);
    const auto narrow = differences(experiment, parameter, 0.5 * relative);
    double spread = 0.0;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        const double per = at / value_of(exact.result, quantities[i]);
        const double size = std::max(std::abs(narrow[i] * per), 1e-2);
        spread = std::max(spread, std::abs((wide[i] - narrow[i]) * per) / size);
    }
    if (spread > 0.2 * error) return Reason::difference_is_not_known;
    // A damped contact behind a residual flexibility may end before the overlap does. The time of
    // that is known less well than all the rest, and with it the energy of damped vibrations then
    // (docs/theory/gradients.md, Limits).
    constexpr std::array then{Quantity::separation, Quantity::energy_vibration};
    const bool is_separation =
        experiment.first.residual_flexibility > 0.0 &&
        std::holds_alternative<contact::HuntCrossley>(experiment.contact.law) &&
        largest_error(experiment, exact, parameter, quantities, then) < 1e-3 * error;
    return is_separation ? Reason::released_behind_flexibility : Reason::none;
}

struct Comparison {
    int compared = 0, close = 0, unexplained = 0;
};

/// Of random collisions by laws of the kinds `first`, `first` + 1 and `first` + 2, two random
/// parameters of each.
Comparison compare(int count, int first, double bound, std::span<const Quantity> of) {
    std::mt19937 random(7);
    Comparison comparison;
    for (int i = 0, collisions = 0; collisions < count; ++i) {
        const Experiment e =
            random_experiment(random, random_law(random, first + i % 3), i / 3 % 2 == 1, i % 4 == 1,
                              i % 5 == 2, i / 6 % 2 == 1);
        const auto exact = e.collide(1e-12, quantities);
        if (exact.gradients.empty()) continue;
        ++collisions;
        const auto parameters = parameters_of(e);
        for (int each = 0; each < 2; ++each) {
            const std::size_t p =
                std::uniform_int_distribution<std::size_t>(0, parameters.size() - 1)(random);
            ++comparison.compared;
            const double error = largest_error(e, exact, parameters[p], of);
            if (error < bound) {
                ++comparison.close;
            } else if (reason_for(e, parameters[p], exact, error) == Reason::none) {
                ++comparison.unexplained;
            }
        }
    }
    return comparison;
}

/// Of the others the difference is no derivative, or is not known that well.
TEST(Gradient, OfThreeHundredSmoothCollisionsIsThatOfDifferences) {
    const Comparison comparison = compare(300, 0, 1e-6, quantities);
    EXPECT_GE(comparison.close, 95 * comparison.compared / 100) << comparison.close;
    EXPECT_EQ(comparison.unexplained, 0) << comparison.compared - comparison.close;
}

/// Of laws whose force jumps, has a memory or ends early: their events are found to a fraction
/// 2^-17 of a step, and a difference sees that.
TEST(Gradient, OfCollisionsWithJumpsIsThatOfDifferencesAsFarAsThoseAreKnown) {
    const Comparison comparison = compare(100, 3, 1e-3, std::span(quantities).first(1));
    EXPECT_GE(comparison.close, 95 * comparison.compared / 100) << comparison.close;
}

/// Behind a residual flexibility R such a contact ends where the overlap of the modes is less than
/// its own by R times the last pull. R is small beside what the law of Johnson, Kendall and Roberts
/// yields to its pull: else the surfaces part with a jump, which a run does not follow.
TEST(Gradient, OfALawThatAttractsBehindAResidualFlexibilityIsThatOfDifferences) {
    contact::Jkr jkr;
    jkr.stiffness = 2e3;
    jkr.pull_off_force = 0.02;
    contact::Dmt dmt;
    dmt.stiffness = 2e3;
    dmt.pull_off_force = 0.02;
    constexpr std::array without{Quantity::peak_force, Quantity::compression_end,
                                 Quantity::energy_vibration};
    for (const contact::Law& law : {contact::Law(jkr), contact::Law(dmt)}) {
        std::mt19937 random(7);
        for (int i = 0; i < 3; ++i) {
            Experiment e = random_experiment(random, law, false, true, false, false);
            e.contact.separation = contact::Separation::zero_overlap;
            if (std::holds_alternative<contact::Jkr>(law)) e.first.residual_flexibility *= 1e-2;
            const auto exact = e.collide(1e-12, quantities);
            ASSERT_FALSE(exact.gradients.empty());
            for (const Parameter& parameter : parameters_of(e)) {
                EXPECT_LT(largest_error(e, exact, parameter, quantities, without), 3e-3)
                    << law.index() << i << parameter.name;
            }
        }
    }
}

/// Exponents of a unit in mass, length and time.
struct Dimension {
    double mass, length, time;
};

Dimension dimension_of(const std::string& name, double exponent) {
    if (name == "stiffness") return {1.0, 1.0 - exponent, -2.0};
    if (name == "damping_factor") return {0.0, -1.0, 1.0};
    if (name.starts_with("eigenvalue")) return {0.0, 0.0, -2.0};
    if (name.starts_with("damping")) return {0.0, 0.0, -1.0};
    if (name.find("phi") != std::string::npos) return {-0.5, 0.0, 0.0};
    if (name.find("rate") != std::string::npos) return {0.5, 1.0, -1.0};
    if (name.starts_with("load")) return {0.5, 1.0, -2.0};
    if (name.starts_with("vibration")) return {0.5, 1.0, 0.0};
    if (name == "residual_flexibility") return {-1.0, 0.0, 2.0};
    return {0.0, 0.0, 0.0};
}

/// Gradients of an experiment as they are asked for.
std::vector<CollisionGradient> gradients_of(const Experiment& e, const GradientRequest& request) {
    const MovingBody first{e.first, e.motion.rigid_rates, e.motion.vibration,
                           e.motion.vibration_rates, e.motion.rigid_loads};
    const MovingBody second{e.second, e.second_rates};
    const Collider collider(e.first, e.second, e.contact, time::Splitting{1e-10});
    Collider::Workspace workspace;
    CollisionResult result;
    std::vector<CollisionGradient> gradients;
    collider.collide_with_gradients(first.approach(), second.approach(), e.contact, 1e3, workspace,
                                    result, request, gradients);
    return gradients;
}

/// The sum of changes times derivatives, and the sum of the sizes of these products.
std::pair<double, double> sum_along(const ShapeChange& change, const CollisionGradient& each) {
    double sum = 0.0, size = 0.0;
    const auto add = [&](std::span<const double> by, std::span<const double> along) {
        for (std::size_t j = 0; j < along.size(); ++j) {
            sum += along[j] * by[j];
            size += std::abs(along[j] * by[j]);
        }
    };
    add(each.first.phi, change.first);
    add(each.second.phi, change.second);
    return {sum, size};
}

/// With and without damping, residual flexibility, vibrations before the collision, loads, modes
/// whose value is zero, and derivatives of margins, which start inside a step.
TEST(Gradient, AlongAChangeOfAllModeValuesIsTheSumOfThoseByEach) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Quantity> wanted(quantities.begin(), quantities.end());
    std::size_t compared = 0;
    for (int i = 0; i < 120; ++i) {
        Experiment e = random_experiment(random, random_law(random, i % 6 == 5 ? 5 : 0), i % 2 == 1,
                                         i % 3 == 1, i % 7 == 2, i % 11 == 3);
        if (i % 4 == 1) e.first.phi[1] = 0.0;
        if (i % 8 == 3) e.first.phi[0] = 0.0;
        std::vector<double> of_first(e.first.modes());
        for (double& each : of_first) each = uniform(random);
        const std::vector<double> of_second{uniform(random)};
        if (i % 2 == 0) wanted.push_back(Quantity::margins);
        const ShapeChange change{of_first, of_second};
        const auto by_each = gradients_of(e, {wanted});
        const auto along = gradients_of(e, {wanted, {false, false, false}, 0, change});
        wanted.resize(quantities.size());
        ASSERT_EQ(by_each.size(), along.size());
        for (std::size_t k = 0; k < along.size(); ++k, ++compared) {
            const auto [sum, size] = sum_along(change, by_each[k]);
            EXPECT_NEAR(along[k].along, sum, 1e-11 * size) << i << ", gradient " << k;
        }
    }
    EXPECT_GT(compared, 1000u);
}

/// e has no dimension: nothing changes if the units of mass, length or time do. Steps that are held
/// fixed know units, as far as they have an error.
TEST(Gradient, OfRestitutionKnowsNoUnits) {
    std::mt19937 random(11);
    constexpr std::array of{Quantity::cor_kinematic};
    for (int i = 0, collisions = 0; collisions < 100; ++i) {
        const Experiment e = random_experiment(random, random_law(random, i % 3), i / 3 % 2 == 1,
                                               i % 4 == 1, i % 5 == 2, i / 6 % 2 == 1);
        const auto exact = e.collide(1e-12, of);
        if (exact.gradients.empty()) continue;
        ++collisions;
        Dimension sum{};
        double size = 0.0;
        for (const Parameter& parameter : parameters_of(e)) {
            Experiment copy = e;
            const double part = parameter.number(copy) * parameter.slope(exact.gradients[0]);
            const Dimension a = dimension_of(parameter.name, 1.5);
            sum.mass += a.mass * part;
            sum.length += a.length * part;
            sum.time += a.time * part;
            size += std::abs(part);
        }
        EXPECT_NEAR(sum.mass / size, 0.0, 1e-10) << i;
        EXPECT_NEAR(sum.length / size, 0.0, 1e-10) << i;
        EXPECT_NEAR(sum.time / size, 0.0, 1e-9) << i;
    }
}

CollisionGradient of_two_points(const contact::Law& law, contact::Separation separation) {
    const modal::ModalBody body = modal::point_mass(2.0);  // the effective mass is 1 kg
    constexpr std::array of{Quantity::cor_kinematic};
    return collide_with_gradients({body, {-0.5 * std::sqrt(2.0)}}, {body, {0.5 * std::sqrt(2.0)}},
                                  {law, separation}, time::Splitting{1e-12}, 1e3, of)
        .gradients.at(0);
}

TEST(Gradient, OfWaltonAndBraunIsThatOfTheSquareRoot) {
    // e = sqrt(k1/k2), theory/contact_laws.md 8.16
    const CollisionGradient gradient =
        of_two_points(contact::WaltonBraun{.stiffness = 1e4, .unloading_stiffness = 2e4},
                      contact::Separation::zero_force);
    const double e = std::sqrt(0.5);
    // The turn and the end are found to a fraction 2^-17 of a step.
    EXPECT_NEAR(gradient.by_law("stiffness").value() * 1e4, 0.5 * e, 1e-5);
    EXPECT_NEAR(gradient.by_law("unloading_stiffness").value() * 2e4, -0.5 * e, 1e-5);
    EXPECT_NEAR(gradient.second.rigid_rates.at(0), 0.0, 1e-6);
}

TEST(Gradient, OfADashpotIsThatOfItsDecay) {
    // e = exp(-pi xi/sqrt(1 - xi^2)), theory/contact_laws.md 8.11
    const double k = 100.0, c = 4.0, xi = c / (2.0 * std::sqrt(k));
    const CollisionGradient gradient = of_two_points(
        contact::KelvinVoigt{.stiffness = k, .damping = c}, contact::Separation::zero_overlap);
    const double root = std::sqrt(1.0 - xi * xi);
    const double e = std::exp(-std::numbers::pi * xi / root);
    EXPECT_NEAR(gradient.by_law("damping").value() * c,
                -std::numbers::pi * xi / (root * root * root) * e, 1e-8);
    EXPECT_NEAR(gradient.by_law("stiffness").value() * k,
                0.5 * std::numbers::pi * xi / (root * root * root) * e, 1e-8);
}

TEST(Gradient, OfViscoelasticSpheresWithoutDampingIsTheirFirstConstant) {
    contact::KuwabaraKono law;
    law.stiffness = 1.0;
    law.damping_factor = 0.0;
    const CollisionGradient gradient = of_two_points(law, contact::Separation::zero_force);
    EXPECT_NEAR(gradient.by_law("damping_factor").value(), -1.7301732871429, 1e-10);
}

TEST(Gradient, IsRefusedForNewmark) {
    const modal::ModalBody body = modal::point_mass(1.0);
    EXPECT_THROW(collide_with_gradients({body, {-1.0}}, {body, {1.0}}, {hertz(1e4)},
                                        time::Newmark{}, 1.0, quantities),
                 core::NumericalError);
}

}  // namespace
}  // namespace stoss::impact
