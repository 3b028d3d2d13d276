// Many collisions side by side: the same bits as one by one.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <random>
#include <thread>
#include <tuple>
#include <vector>

#include <models/beam_model.hpp>
#include <random_collisions.hpp>
#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/gauss3.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/contact_step.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/impact/detail/step_lanes.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace {

using namespace stoss;
using impact::StepLanes;

/// Steps in contact at random, some of them so stiff that their forces cannot be solved.
class RandomSteps {
  public:
    /// `with_rates`: for a law with rates.
    explicit RandomSteps(unsigned seed, bool with_rates = false)
        : random_(seed), with_rates_(with_rates) {
        for (std::size_t i = 0; i < StepLanes::count; ++i) draw(i);
    }

    StepLanes lanes;
    std::array<modal::Compliances, StepLanes::count> compliances{};
    std::array<impact::StepLimits, StepLanes::count> limits{};

  private:
    double uniform(double from, double to) {
        return std::uniform_real_distribution<double>(from, to)(random_);
    }
    void draw(std::size_t i) {
        const double depth = std::pow(10.0, uniform(-7.0, -4.0));
        lanes.stiffness[i] = std::pow(10.0, uniform(6.0, 10.0));
        lanes.overlap[i] = uniform(0.0, 1.0) * depth;
        lanes.rate[i] = uniform(-1.0, 1.0);
        lanes.step[i] = 0.1 * depth;
        lanes.acceleration[i] = uniform(-1.0, 1.0) / lanes.step[i];
        lanes.force_before[i] = lanes.stiffness[i] * std::pow(lanes.overlap[i], 1.5);
        const double slope = 1.5 * lanes.stiffness[i] * std::sqrt(depth);
        const double stiff = std::pow(10.0, uniform(-3.0, 3.0)) / slope;
        modal::Compliances& c = compliances[i];
        for (std::size_t j = 0; j < 3; ++j) {
            lanes.free_x[j][i] = lanes.free_seen[j][i] = uniform(-0.2, 1.5) * depth;
            lanes.free_v[j][i] = uniform(-1.0, 1.0);
            lanes.free_deviation[j][i] = 1e-4 * uniform(-1.0, 1.0) * depth;
            for (std::size_t k = 0; k < 3; ++k) {
                c.x[j][k] = stiff * (uniform(-0.1, 0.3) + (j == k ? 0.3 : 0.0));
                c.v[j][k] = uniform(-1.0, 1.0) / slope;
                c.seen[j][k] = stiff * uniform(0.0, 0.5);
            }
            for (std::size_t w = 0; w < 4; ++w) {
                c.defect[j][w] = 0.01 * stiff * uniform(-1.0, 1.0);
                c.seen_defect[j][w] = 0.01 * stiff * uniform(-1.0, 1.0);
            }
        }
        // Every other step has a residual flexibility.
        if (i % 2 == 1) lanes.residual[i] = stiff * uniform(0.0, 0.5);
        if (with_rates_) draw_rates(i, slope);
        impact::add_residual(c, lanes.residual[i], lanes.step[i], with_rates_);
        lanes.set_compliances(i, c, modal::Rates::everywhere);
        lanes.end_x[i] = uniform(-0.2, 1.5) * depth;
        lanes.end_v[i] = uniform(-1.0, 1.0);
        const double h = lanes.step[i];
        limits[i] = {.growth = uniform(0.2, 3.0),
                     .closing = uniform(0.1, 0.9),
                     .contact_resonance = uniform(0.1, 2.0),
                     .epsilon = std::pow(10.0, uniform(-8.0, -1.0)),
                     .exactness = std::pow(10.0, uniform(-15.5, -8.0)),
                     .compliance = stiff,
                     .onset = std::pow(10.0, uniform(-3.0, 0.0)) * h,
                     .resolution = std::pow(10.0, uniform(-1.0, 2.0)) * h,
                     .longest = 0.25};
        lanes.set_limits(i, limits[i]);
    }

    void draw_rates(std::size_t i, double slope) {
        modal::Compliances& c = compliances[i];
        for (std::size_t j = 0; j < 3; ++j) {
            lanes.free_seen_v[j][i] = uniform(-1.0, 1.0);
            lanes.free_deviation_v[j][i] = 1e-4 * uniform(-1.0, 1.0);
            for (std::size_t k = 0; k < 3; ++k) c.seen_v[j][k] = uniform(-1.0, 1.0) / slope;
            for (std::size_t w = 0; w < 4; ++w) {
                c.defect_v[j][w] = 0.01 * uniform(-1.0, 1.0) / slope;
                c.seen_defect_v[j][w] = 0.01 * uniform(-1.0, 1.0) / slope;
            }
        }
        lanes.deviation_before[i] = 1e-4 * uniform(-1.0, 1.0) * lanes.force_before[i];
    }

    std::mt19937 random_;
    bool with_rates_;
};

template <class Rows>
time::Triple three(const Rows& rows, std::size_t lane) {
    return {rows[0][lane], rows[1][lane], rows[2][lane]};
}

void append(std::vector<double>& found, const impact::StepOutcome& outcome,
            const impact::StepPrediction& next) {
    found.insert(found.end(), {outcome.impulse, outcome.moment, outcome.slope, outcome.force,
                               outcome.acceleration, outcome.peak, next.step, next.ahead,
                               next.nearly_over ? 1.0 : 0.0});
}

/// What is found for one step: v, forces, slopes, whether they are solved; force and defect that
/// drive the deviation; what the step did, and what comes next.
std::vector<double> alone(const RandomSteps& steps, std::size_t i) {
    const StepLanes& lanes = steps.lanes;
    contact::Hertz law;
    law.stiffness = lanes.stiffness[i];
    contact::Contact<contact::Hertz> contact(law, contact::Separation::zero_force, 1.0);
    contact.accept(0.0, 1.0);
    time::Triple guess;
    for (std::size_t k = 0; k < 3; ++k) {
        const double s = lanes.step[i] * core::Gauss3::node[k];
        guess[k] = contact.force(
            lanes.overlap[i] + s * (lanes.rate[i] + 0.5 * s * lanes.acceleration[i]), 0.0);
    }
    const modal::Compliances& c = steps.compliances[i];
    const auto nodes =
        time::solve_node_forces<true>(contact, three(lanes.free_x, i), three(lanes.free_v, i), c.x,
                                      c.v, guess, steps.limits[i].exactness);
    const double residual = lanes.residual[i];
    const auto along =
        impact::law_along(contact, three(lanes.free_seen, i), nodes.force, c, residual);
    const auto deviation = impact::deviation_force(lanes.force_before[i], along, nodes,
                                                   three(lanes.free_deviation, i), c, residual);
    std::vector<double> found{nodes.solved ? 1.0 : 0.0};
    for (const time::Triple& each : {nodes.x, nodes.v, nodes.force, nodes.slope, deviation.nodes})
        found.insert(found.end(), each.begin(), each.end());
    found.insert(found.end(), deviation.defect.begin(), deviation.defect.end());
    const auto [x, v] =
        impact::seen_by_law(contact, {lanes.end_x[i], lanes.end_v[i]},
                            time::dot(time::parabola_weights[2], nodes.force), residual);
    const double force = contact.force(x, v);
    const auto outcome =
        impact::outcome_of_step(lanes.step[i], lanes.rate[i], {x, v}, nodes, force);
    append(
        found, outcome,
        impact::step_prediction(x, v, outcome.acceleration, force, outcome.slope, steps.limits[i]));
    return found;
}

std::vector<double> forces_in_lane(const StepLanes& lanes, std::size_t i) {
    std::vector<double> found{lanes.solved[i] ? 1.0 : 0.0};
    for (const auto* each :
         {&lanes.x, &lanes.v, &lanes.force, &lanes.slope, &lanes.deviation_force})
        for (std::size_t k = 0; k < 3; ++k) found.push_back((*each)[k][i]);
    for (std::size_t w = 0; w < 4; ++w) found.push_back(lanes.defect[w][i]);
    return found;
}

std::vector<double> in_lane(const StepLanes& lanes, std::size_t i) {
    std::vector<double> found = forces_in_lane(lanes, i);
    append(found, lanes.outcome(i), lanes.step_prediction(i));
    return found;
}

/// True if the same numbers; those that are none count as equal.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
    }
    return a.size() == b.size();
}

/// Hertz's law as one that the lanes do not have in vectors.
void hertz_by_lane(const StepLanes& lanes, std::size_t begin, std::size_t width,
                   const double* overlap, const double* /*rate*/, double* force, double* slope,
                   double* /*by_rate*/) {
    for (std::size_t i = 0; i < width; ++i) {
        contact::Hertz law;
        law.stiffness = lanes.stiffness[begin + i];
        contact::Contact<contact::Hertz> contact(law, contact::Separation::zero_force, 1.0);
        contact.accept(0.0, 1.0);
        const core::Dual at = contact.force(core::Dual::variable(overlap[i]), core::Dual(0.0));
        force[i] = at.value;
        if (slope) slope[i] = at.derivative;
    }
}

void expect_the_bits_of_each_step_alone(bool by_lane) {
    const auto all = impact::all_step_kernels();
    ASSERT_FALSE(all.empty());
    std::size_t solved = 0, unsolved = 0, nearly_over = 0;
    for (unsigned seed = 0; seed < 500; ++seed) {
        const RandomSteps steps(seed);
        for (const impact::StepKernels* kernels : all) {
            StepLanes lanes = steps.lanes;
            if (by_lane) lanes.law = hertz_by_lane;
            kernels->solve(lanes, true);
            kernels->conclude(lanes);
            for (std::size_t i = 0; i < StepLanes::count; ++i) {
                ASSERT_TRUE(same(in_lane(lanes, i), alone(steps, i))) << seed << " " << i;
                ++(lanes.solved[i] ? solved : unsolved);
                if (lanes.step_prediction(i).nearly_over) ++nearly_over;
            }
        }
    }
    EXPECT_GT(solved, 100 * unsolved);
    EXPECT_GT(unsolved, all.size());
    EXPECT_GT(nearly_over, 100U);
}

/// Laws with rates, of which a lane knows the stiffness.
template <class Law>
Law damped_law(double damping) {
    Law law;
    if constexpr (requires { law.damping_factor; })
        law.damping_factor = damping;
    else
        law.damping = damping;
    return law;
}
const auto damped_laws =
    std::tuple{damped_law<contact::HuntCrossley>(0.3),  damped_law<contact::SimonHuntCrossley>(0.3),
               damped_law<contact::KuwabaraKono>(1e-5), damped_law<contact::Tsuji>(1e-6),
               damped_law<contact::Viscoelastic>(1e-5), damped_law<contact::LinearDamping>(2.0),
               damped_law<contact::KelvinVoigt>(2.0)};

template <class Law>
contact::Contact<Law> damped_contact(const StepLanes& lanes, std::size_t i) {
    Law law = std::get<Law>(damped_laws);
    law.stiffness = lanes.stiffness[i];
    const auto separation =
        i % 3 == 0 ? contact::Separation::zero_overlap : contact::Separation::zero_force;
    contact::Contact<Law> contact(law, separation, 1.0);
    contact.accept(0.0, 1.0);
    return contact;
}

template <class Law>
void damped_by_lane(const StepLanes& lanes, std::size_t begin, std::size_t width,
                    const double* overlap, const double* rate, double* force, double* slope,
                    double* by_rate) {
    for (std::size_t i = 0; i < width; ++i) {
        const auto at =
            time::law_point<true>(damped_contact<Law>(lanes, begin + i), overlap[i], rate[i]);
        force[i] = at.force;
        if (!slope) continue;
        slope[i] = at.by_x;
        by_rate[i] = at.by_v;
    }
}

template <class Law>
void dissipated_by_lane(const StepLanes& lanes, std::size_t begin, std::size_t width,
                        const double* overlap, const double* rate, double* power) {
    for (std::size_t i = 0; i < width; ++i)
        power[i] = damped_contact<Law>(lanes, begin + i).dissipated_power(overlap[i], rate[i]);
}

/// The law lane by lane, or in vectors.
template <class Law>
void take_law(StepLanes& lanes, bool in_vectors) {
    lanes.law_has_rates = true;
    lanes.law = in_vectors ? nullptr : damped_by_lane<Law>;
    lanes.dissipated_power = dissipated_by_lane<Law>;
    for (std::size_t i = 0; i < StepLanes::count; ++i) {
        const auto contact = damped_contact<Law>(lanes, i);
        lanes.powers = contact.powers();
        lanes.damping[i] = lanes.powers.damping;
        lanes.least_force[i] = contact.least_force();
    }
}

template <class Contact>
void append_outcome(std::vector<double>& found, const RandomSteps& steps, std::size_t i,
                    const Contact& contact, const time::NodeForces& nodes) {
    const StepLanes& lanes = steps.lanes;
    const double h = lanes.step[i];
    const auto end =
        impact::seen_by_law_with_rates(contact, {lanes.end_x[i], lanes.end_v[i]}, nodes.force,
                                       lanes.residual[i], h, steps.limits[i].exactness);
    const auto outcome =
        impact::outcome_of_step(h, lanes.rate[i], end, nodes, contact.force(end.x, end.v));
    append(found, outcome,
           impact::step_prediction(end.x, end.v, outcome.acceleration,
                                   impact::governing_force<true>(contact, end.x, outcome.force),
                                   outcome.slope, steps.limits[i]));
    for (std::size_t k = 0; k < 3; ++k)
        found.push_back(contact.dissipated_power(nodes.x[k], nodes.v[k]));
}

template <class Law>
std::vector<double> damped_alone(const RandomSteps& steps, std::size_t i) {
    const StepLanes& lanes = steps.lanes;
    const auto contact = damped_contact<Law>(lanes, i);
    const double h = lanes.step[i], residual = lanes.residual[i], start = lanes.force_before[i];
    const impact::FreeStep free = impact::with_residual_displacement(
        {three(lanes.free_v, i), three(lanes.free_seen, i), three(lanes.free_seen_v, i),
         three(lanes.free_deviation_v, i)},
        start, lanes.deviation_before[i], residual, h);
    time::Triple guess;
    for (std::size_t k = 0; k < 3; ++k) {
        const double s = h * core::Gauss3::node[k], a = lanes.acceleration[i];
        guess[k] = contact.force(lanes.overlap[i] + s * (lanes.rate[i] + 0.5 * s * a),
                                 lanes.rate[i] + s * a);
    }
    const modal::Compliances& c = steps.compliances[i];
    const auto nodes = time::solve_node_forces<true>(contact, three(lanes.free_x, i), free.v, c.x,
                                                     c.v, guess, steps.limits[i].exactness);
    const auto along =
        impact::law_with_rates_along(contact, free, start, nodes.force, c, residual, h);
    const auto deviation = impact::deviation_force_with_rates(
        start, along, nodes, three(lanes.free_deviation, i), free.deviation_v, {}, c, residual, h);
    std::vector<double> found{nodes.solved ? 1.0 : 0.0};
    for (const time::Triple& each : {nodes.x, nodes.v, nodes.force, nodes.slope, deviation.nodes})
        found.insert(found.end(), each.begin(), each.end());
    found.insert(found.end(), deviation.defect.begin(), deviation.defect.end());
    append_outcome(found, steps, i, contact, nodes);
    return found;
}

std::vector<double> damped_in_lane(const StepLanes& lanes, std::size_t i) {
    std::vector<double> found = in_lane(lanes, i);
    const time::Triple dissipated = lanes.outcome(i).dissipated;
    found.insert(found.end(), dissipated.begin(), dissipated.end());
    return found;
}

template <class Law>
void expect_the_bits_of_each_step_alone_by(bool in_vectors) {
    std::size_t solved = 0, all = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
        RandomSteps steps(seed, true);
        take_law<Law>(steps.lanes, in_vectors);
        for (const impact::StepKernels* kernels : impact::all_step_kernels()) {
            StepLanes lanes = steps.lanes;
            kernels->solve(lanes, true);
            kernels->conclude(lanes);
            for (std::size_t i = 0; i < StepLanes::count; ++i) {
                ASSERT_TRUE(same(damped_in_lane(lanes, i), damped_alone<Law>(steps, i)))
                    << Law::name << " " << in_vectors << " " << seed << " " << i;
                solved += lanes.solved[i];
                ++all;
            }
        }
    }
    EXPECT_GT(2 * solved, all);
}

TEST(StepLanes, GiveTheBitsOfEachStepAloneForLawsWithRates) {
    std::apply(
        []<class... Laws>(const Laws&...) {
            (expect_the_bits_of_each_step_alone_by<Laws>(true), ...);
            (expect_the_bits_of_each_step_alone_by<Laws>(false), ...);
        },
        damped_laws);
}

TEST(StepLanes, GiveTheBitsOfEachStepAloneOnEveryInstructionSetOfThisMachine) {
    expect_the_bits_of_each_step_alone(false);
}

TEST(StepLanes, GiveTheBitsOfEachStepAloneAlsoIfTheLawIsEvaluatedLaneByLane) {
    expect_the_bits_of_each_step_alone(true);
}

/// Collisions of random beams by all laws, with loads, dashpots and dampings among them, a third of
/// them by Newmark's scheme, half of the others by Hertz's law. Or by one law.
struct Crowd {
    std::vector<models::BeamModel> models;
    std::vector<double> xi;

    explicit Crowd(std::size_t count, std::optional<std::size_t> law = {}) {
        for (std::uint64_t seed = 0; models.size() < count; ++seed) {
            tests::RandomCollisions draw(seed);
            tests::StruckBeam struck = draw(law.value_or(seed % tests::law_kinds));
            models::BeamCollision& parameters = struck.parameters;
            if (!law && seed % 2 == 0) parameters.contact.law = contact::Hertz{};
            const double scale = parameters.beam.time_scale();
            if (!law && seed % 3 == 0)
                parameters.integration.scheme = time::Newmark{.step = 1e-4 * scale};
            parameters.integration.time_limit = 2.0 * scale;
            if (!models::check(parameters).empty()) continue;
            models.emplace_back(parameters);
            xi.push_back(struck.xi);
        }
    }

    std::size_t strikes() const { return 3 * models.size(); }
    models::BeamModel::CollisionRequest strike(std::size_t id) const {
        const std::size_t i = id % models.size();
        return {id, &models[i], xi[i], 0.5 + 0.5 * static_cast<double>(id / models.size())};
    }
    impact::CollisionResult alone(std::size_t id) const {
        const auto one = strike(id);
        return one.model->collide(one.xi, one.speed, nullptr);
    }
};

std::vector<double> numbers(const impact::CollisionResult& result) {
    std::vector<double> all{static_cast<double>(result.status),
                            result.approach_speed,
                            result.separation_speed,
                            result.cor_kinematic,
                            result.cor_kinetic,
                            result.cor_energetic,
                            result.compression_end.value_or(-1.0),
                            result.separation,
                            result.impulse,
                            result.peak_force,
                            result.initial_energy,
                            result.cor_error.value_or(-1.0),
                            result.impulse_error.value_or(-1.0),
                            result.converged ? 1.0 : 0.0,
                            static_cast<double>(result.steps),
                            result.energy.rigid,
                            result.energy.vibration,
                            result.energy.structural_loss,
                            result.energy.contact_loss,
                            result.energy.load_work,
                            result.energy.residual};
    for (const impact::SubImpact& each : result.sub_impacts)
        all.insert(all.end(), {each.start, each.end, each.impulse, each.peak_force});
    all.insert(all.end(), result.energy.modes.begin(), result.energy.modes.end());
    return all;
}

void expect_the_bits_of_each_collision_alone(const Crowd& crowd,
                                             std::initializer_list<std::size_t> begins) {
    for (const std::size_t first : begins) {
        std::vector<int> taken(crowd.strikes());
        std::size_t begun = 0;
        models::BeamModel::collide_all(
            [&](models::BeamModel::CollisionRequest& strike) {
                if (begun == crowd.strikes()) return false;
                strike = crowd.strike((first + begun++) % crowd.strikes());
                return true;
            },
            [&](std::size_t id, const impact::CollisionResult& result) {
                ++taken[id];
                EXPECT_TRUE(same(numbers(result), numbers(crowd.alone(id)))) << id;
            });
        EXPECT_EQ(taken, std::vector<int>(crowd.strikes(), 1));
    }
}

TEST(CollideAll, GivesTheBitsOfEachCollisionAloneWhateverIsBesideIt) {
    const Crowd crowd(24);
    expect_the_bits_of_each_collision_alone(crowd, {0, crowd.strikes() / 2});
}

TEST(CollideAll, GivesTheBitsOfEachCollisionAloneByEveryLaw) {
    for (std::size_t law = 0; law < tests::law_kinds; ++law) {
        SCOPED_TRACE(law);
        expect_the_bits_of_each_collision_alone(Crowd(5, law), {0});
    }
}

TEST(CollideAll, ThreadsMayShareAStream) {
    const Crowd crowd(12);
    std::vector<std::vector<double>> results(crowd.strikes());
    std::atomic<std::size_t> begun{0};
    const auto work = [&] {
        models::BeamModel::collide_all(
            [&](models::BeamModel::CollisionRequest& strike) {
                const std::size_t id = begun++;
                if (id >= crowd.strikes()) return false;
                strike = crowd.strike(id);
                return true;
            },
            [&](std::size_t id, const impact::CollisionResult& result) {
                results[id] = numbers(result);
            });
    };
    std::thread other(work);
    work();
    other.join();
    for (std::size_t id = 0; id < crowd.strikes(); ++id)
        EXPECT_TRUE(same(results[id], numbers(crowd.alone(id)))) << id;
}

TEST(CollideAll, AStreamThatStopsLeavesNoCollisionHalfDone) {
    const Crowd crowd(12);
    std::size_t begun = 0, taken = 0;
    models::BeamModel::collide_all(
        [&](models::BeamModel::CollisionRequest& strike) {
            if (begun == 10) return false;
            strike = crowd.strike(begun++);
            return true;
        },
        [&](std::size_t, const impact::CollisionResult&) { ++taken; });
    EXPECT_EQ(taken, 10U);
}

}  // namespace
