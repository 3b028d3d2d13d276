/// Coulomb's solutions beside maximum dissipation, and Routh's path, over random contacts of 14
/// kinds:
///     stoss_routh_sweep COUNT [THREADS]
/// Prints two tables and exits with 1 if
/// - a Coulomb solution of approaching bodies (b_n >= 0) dissipates more than maximum dissipation,
///   or maximum dissipation gives separating ones (b_n < 0) an impulse;
/// - a path was not followed to its end, Poisson's or Stronge's hypothesis gained energy, or the
///   impulse and the velocity of a path do not belong together.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <random_contacts.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/routh.hpp>

namespace {

using namespace stoss;
using rigid::ContactProblem;
using rigid::ContactSolution;

constexpr std::size_t part_size = 1000;

/// Tally of `count` problems: add(tally, i) for each, in parts that run beside each other.
template <class Tally, class Add>
Tally over(std::size_t count, int threads, const Add& add) {
    Tally all;
    std::mutex mutex;
    core::parallel_for((count + part_size - 1) / part_size, threads,
                       [&](std::size_t part) {
                           Tally mine;
                           const std::size_t end = std::min(count, (part + 1) * part_size);
                           for (std::size_t i = part * part_size; i < end; ++i) add(mine, i);
                           const std::lock_guard lock(mutex);
                           all += mine;
                       },
                       {});
    return all;
}

/// Coulomb's solutions against that of maximum dissipation.
struct Dissipation {
    long solutions = 0;           ///< with an impulse
    long several = 0;             ///< problems with more than one
    long more = 0;                ///< that dissipate more
    long unsolved = 0;            ///< problems
    long with_impulse = 0;        ///< problems to which maximum dissipation gives one
    double largest_excess = 0.0;  ///< over the most that can be dissipated, in units of it

    void operator+=(const Dissipation& other) {
        solutions += other.solutions;
        several += other.several;
        more += other.more;
        unsolved += other.unsolved;
        with_impulse += other.with_impulse;
        largest_excess = std::max(largest_excess, other.largest_excess);
    }
};

/// The roundoff of a dissipated energy: that of the works that it is the sum of.
double roundoff(const ContactProblem& problem, const rigid::ContactVector& x) {
    return 1e-12 * (std::abs(dot(problem.b, x)) + 0.5 * dot(x, problem.A * x));
}

void add(Dissipation& tally, std::size_t i, double sign) {
    tests::RandomContacts random(i);
    // Not those of condition 1e10: their roundoff hides what is compared.
    auto kind = tests::ContactKind(i % tests::contact_kinds.size());
    if (kind == tests::ContactKind::condition_1e10) kind = tests::ContactKind::random_matrix;
    ContactProblem problem = random(kind);
    if (sign < 0.0 && problem.b.n == 0.0) problem.b.n = -0.01 * std::abs(problem.b.t);
    problem.b.n = std::copysign(problem.b.n, sign);
    const ContactSolution most = rigid::maximum_dissipation(problem);
    const rigid::CoulombSolutions found = rigid::coulomb_solutions(problem);
    if (most.status != rigid::Status::solved || found.status != rigid::Status::solved) {
        ++tally.unsolved;
        return;
    }
    if (most.impulse.n > 0.0) ++tally.with_impulse;
    if (found.count > 1) ++tally.several;
    for (const ContactSolution& solution : found.all()) {
        if (!(solution.impulse.n > 0.0)) continue;
        ++tally.solutions;
        const double excess = solution.dissipated_energy - most.dissipated_energy;
        if (excess > roundoff(problem, solution.impulse) + 1e-9 * most.dissipated_energy)
            ++tally.more;
        if (most.dissipated_energy > 0.0)
            tally.largest_excess = std::max(tally.largest_excess, excess / most.dissipated_energy);
    }
}

bool maximum_dissipation_dissipates_most(std::size_t count, int threads) {
    std::printf("%-10s %9s %9s %14s %9s %12s %14s\n", "", "problems", "unsolved", "max. diss. > 0",
                "several", "Coulomb's", "dissipate more");
    const auto of_sign = [&](const char* name, double sign) {
        const auto tally = over<Dissipation>(
            count, threads, [&](Dissipation& each, std::size_t i) { add(each, i, sign); });
        std::printf("%-10s %9zu %9ld %14ld %9ld %12ld %14ld\n", name, count, tally.unsolved,
                    tally.with_impulse, tally.several, tally.solutions, tally.more);
        return tally;
    };
    const Dissipation closing = of_sign("b_n >= 0", 1.0), parting = of_sign("b_n < 0", -1.0);
    std::printf("largest excess for b_n >= 0: %.1e of the dissipated energy\n",
                closing.largest_excess);
    return closing.more == 0 && closing.unsolved + parting.unsolved == 0 &&
           parting.with_impulse == 0;
}

/// Impacts along Routh's path.
struct Paths {
    std::array<long, 5> status{};  ///< by ImpactStatus
    long stops = 0, again = 0, jams = 0, recompressed = 0;
    double largest_gain = 0.0;         ///< of energy that was not refused, over the works
    double largest_gap = 0.0;          ///< |A x - b - v| over the speeds that it is the sum of
    double ill_conditioned_gap = 0.0;  ///< the same where A has a condition of 1e10

    void operator+=(const Paths& other) {
        for (std::size_t i = 0; i < status.size(); ++i) status[i] += other.status[i];
        stops += other.stops;
        again += other.again;
        jams += other.jams;
        recompressed += other.recompressed;
        largest_gain = std::max(largest_gain, other.largest_gain);
        largest_gap = std::max(largest_gap, other.largest_gap);
        ill_conditioned_gap = std::max(ill_conditioned_gap, other.ill_conditioned_gap);
    }
};

void add(Paths& tally, std::size_t i, rigid::Restitution hypothesis) {
    tests::RandomContacts random(i);
    const auto kind = tests::ContactKind(i % tests::contact_kinds.size());
    const ContactProblem problem = random(kind);
    const auto [impact, events] =
        rigid::routh_impact(problem, random.uniform(0.0, 1.0), hypothesis);
    ++tally.status[std::size_t(impact.status)];
    if (impact.status != rigid::ImpactStatus::solved) return;
    tally.stops += events.slip_stops;
    tally.again += events.slides_again;
    tally.jams += events.jams;
    tally.recompressed += events.compressions > 1;
    const rigid::ContactVector& x = impact.impulse;
    const double pull = dot(problem.b, x), inertia = 0.5 * dot(x, problem.A * x);
    if (impact.dissipated_energy < 0.0)
        tally.largest_gain =
            std::max(tally.largest_gain, -impact.dissipated_energy / (std::abs(pull) + inertia));
    const rigid::ContactVector off = problem.A * x - problem.b - impact.velocity;
    const rigid::ContactMatrix& A = problem.A;
    const double speeds =
        std::sqrt(dot(problem.b, problem.b)) + std::sqrt((A.nn + A.tt + A.oo) * 2.0 * inertia);
    double& gap =
        kind == tests::ContactKind::condition_1e10 ? tally.ill_conditioned_gap : tally.largest_gap;
    gap = std::max(gap, std::sqrt(dot(off, off)) / speeds);
}

bool paths_end_without_gain(std::size_t count, int threads) {
    std::printf("\n%-8s %9s %9s %12s %9s %9s %9s %9s %12s %9s %9s %10s\n", "path", "solved",
                "unsolved", "gains energy", "penetrate", "slip", "slides", "jams", "compressions",
                "largest", "largest", "condition");
    std::printf("%-8s %9s %9s %12s %9s %9s %9s %9s %12s %9s %9s %10s\n", "", "", "", "(refused)",
                "", "stops", "again", "", "> 1", "gain", "gap", "1e10: gap");
    bool good = true;
    for (const auto& [hypothesis, name, meaning] : enum_names(rigid::Restitution{})) {
        const rigid::Restitution which = hypothesis;
        const auto tally =
            over<Paths>(count, threads, [&](Paths& each, std::size_t i) { add(each, i, which); });
        const auto& status = tally.status;
        std::printf("%-8.*s %9ld %9ld %12ld %9ld %9ld %9ld %9ld %12ld %9.1e %9.1e %10.1e\n",
                    int(name.size()), name.data(), status[0], status[1] + status[2], status[3],
                    status[4], tally.stops, tally.again, tally.jams, tally.recompressed,
                    tally.largest_gain, tally.largest_gap, tally.ill_conditioned_gap);
        good = good && status[1] + status[2] + status[4] == 0 && tally.largest_gain <= 1e-12 &&
               tally.largest_gap <= 1e-10 && tally.ill_conditioned_gap <= 1e-4 &&
               (which == rigid::Restitution::newton || status[3] == 0);
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    const long threads = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (count < 14 || threads < 0 || argc > 3) {
        std::fputs("usage: stoss_routh_sweep COUNT [THREADS]   (COUNT >= 14)\n", stderr);
        return 2;
    }
    const bool theorem = maximum_dissipation_dissipates_most(std::size_t(count), int(threads));
    return paths_end_without_gain(std::size_t(count), int(threads)) && theorem ? 0 : 1;
}
