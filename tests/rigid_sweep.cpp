/// Maximum dissipation against brute force in extended precision, over random contacts of 14 kinds:
///     stoss_rigid_sweep COUNT [THREADS]
/// Prints a table and exits with 1 if a problem was not solved, an error exceeds 1e-6, or the
/// median error of all exceeds 1e-13. An error is |x - x_exact|/|x_exact|.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <vector>

#include <brute_force_contact.hpp>
#include <literal_quartic.hpp>
#include <random_contacts.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/restitution.hpp>

namespace {

using namespace stoss;

struct Tally {
    int unsolved = 0;
    int sliding = 0;         ///< that the quartic is tried on
    int quartic_failed = 0;  ///< no candidate, or an error above 1e-6
    std::vector<double> errors;
};

double relative_error(const rigid::ContactVector& x,
                      const std::array<tests::BruteForceContact::Wide, 3>& exact) {
    using Wide = tests::BruteForceContact::Wide;
    const std::array<double, 3> ours{x.n, x.t, x.o};
    Wide difference = 0, size = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        difference += (exact[i] - ours[i]) * (exact[i] - ours[i]);
        size += exact[i] * exact[i];
    }
    if (difference == 0) return 0.0;
    const double error = double(sqrt(difference / size));
    return std::isnan(error) ? INFINITY : error;
}

void add(Tally& tally, const rigid::ContactProblem& problem) {
    const rigid::ContactSolution solution = rigid::maximum_dissipation(problem);
    if (solution.status != rigid::Status::solved) {
        ++tally.unsolved;
        return;
    }
    const auto exact = tests::BruteForceContact(problem).impulse();
    tally.errors.push_back(relative_error(solution.impulse, exact));
    if (solution.branch != rigid::Branch::slide || problem.b.n == 0.0) return;
    ++tally.sliding;
    const auto quartic = tests::literal_quartic(problem);
    if (!quartic || relative_error(*quartic, exact) > 1e-6) ++tally.quartic_failed;
}

void append(Tally& all, const Tally& part) {
    all.unsolved += part.unsolved;
    all.sliding += part.sliding;
    all.quartic_failed += part.quartic_failed;
    all.errors.insert(all.errors.end(), part.errors.begin(), part.errors.end());
}

double quantile(std::vector<double>& errors, double fraction) {
    const auto place = errors.begin() + std::ptrdiff_t(fraction * double(errors.size() - 1));
    std::nth_element(errors.begin(), place, errors.end());
    return *place;
}

void print(std::string_view name, Tally& tally) {
    std::printf("%-18.*s %9zu %9d %10.1e %10.1e %10.1e %9d %9d\n", int(name.size()), name.data(),
                tally.errors.size(), tally.unsolved, quantile(tally.errors, 0.5),
                quantile(tally.errors, 0.999), quantile(tally.errors, 1.0), tally.sliding,
                tally.quartic_failed);
}

/// How impacts with one hypothesis came out.
struct ImpactTally {
    std::array<int, 5> status{};  ///< by ImpactStatus
    int not_the_model = 0;        ///< e = 0 that is not maximum dissipation bit by bit
    double largest_gain = 0.0;    ///< of energy, over the work of the impulse on b
};

ImpactTally impacts(rigid::Restitution hypothesis, std::size_t count) {
    ImpactTally tally;
    for (std::size_t i = 0; i < count; ++i) {
        tests::RandomContacts random(i);
        const auto kind = tests::ContactKind(i % tests::contact_kinds.size());
        const rigid::ContactProblem problem = random(kind);
        const rigid::Impact impact = rigid::impact(problem, random.uniform(0.0, 1.0), hypothesis);
        ++tally.status[std::size_t(impact.status)];
        if (impact.status == rigid::ImpactStatus::solved && impact.dissipated_energy < 0.0) {
            const double gain = impact.dissipated_energy / dot(problem.b, impact.impulse);
            tally.largest_gain = std::max(tally.largest_gain, std::abs(gain));
        }
        if (hypothesis == rigid::Restitution::stronge) continue;  // Routh's path, not algebraic
        const rigid::Impact plastic = rigid::impact(problem, 0.0, hypothesis);
        const rigid::ContactSolution model = rigid::maximum_dissipation(problem);
        if (!(plastic.impulse == model.impulse && plastic.velocity == model.velocity)) {
            ++tally.not_the_model;
        }
    }
    return tally;
}

/// True if no hypothesis gained energy unrefused.
bool energy_never_grows(std::size_t count) {
    std::printf("\n%-18s %9s %9s %12s %12s %14s %10s\n", "restitution", "solved", "unsolved",
                "gains energy", "penetrates", "largest gain", "e=0 differs");
    bool good = true;
    for (const auto& [hypothesis, name, meaning] : enum_names(rigid::Restitution{})) {
        const ImpactTally tally = impacts(hypothesis, count);
        std::printf("%-18.*s %9d %9d %12d %12d %14.1e %10d\n", int(name.size()), name.data(),
                    tally.status[0], tally.status[1] + tally.status[2], tally.status[3],
                    tally.status[4], tally.largest_gain, tally.not_the_model);
        good = good && tally.status[1] + tally.status[2] == 0 && tally.largest_gain <= 1e-12 &&
               tally.not_the_model == 0;
    }
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    const long threads = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (count < 14 || threads < 0 || argc > 3) {
        std::fputs("usage: stoss_rigid_sweep COUNT [THREADS]   (COUNT >= 14)\n", stderr);
        return 2;
    }
    std::printf("%-18s %9s %9s %10s %10s %10s %9s %9s\n", "", "", "", "median", "99.9 %", "largest",
                "", "quartic");
    std::printf("%-18s %9s %9s %10s %10s %10s %9s %9s\n", "kind", "solved", "unsolved", "error",
                "error", "error", "sliding", "failed");
    Tally all;
    for (std::size_t kind = 0; kind < tests::contact_kinds.size(); ++kind) {
        constexpr std::size_t part_size = 256;
        const std::size_t of_kind = std::size_t(count) / tests::contact_kinds.size();
        Tally tally;
        std::mutex mutex;
        core::parallel_for((of_kind + part_size - 1) / part_size, int(threads),
                           [&](std::size_t part) {
                               tests::RandomContacts random(1000 * kind + 1000000 * part);
                               Tally mine;
                               const std::size_t end = std::min(of_kind, (part + 1) * part_size);
                               for (std::size_t i = part * part_size; i < end; ++i) {
                                   add(mine, random(tests::ContactKind(kind)));
                               }
                               const std::lock_guard lock(mutex);
                               append(tally, mine);
                           },
                           {});
        print(tests::contact_kinds[kind], tally);
        append(all, tally);
    }
    print("all", all);
    const bool good = all.unsolved == 0 && quantile(all.errors, 1.0) <= 1e-6 &&
                      quantile(all.errors, 0.5) <= 1e-13;
    return energy_never_grows(std::size_t(count)) && good ? 0 : 1;
}
