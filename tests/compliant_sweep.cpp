/// Which hypothesis of restitution does a stiff compliant contact tend to? Random pairs of bodies:
///     stoss_compliant_sweep COUNT [THREADS]
/// Each contact is followed at one instant, the limit of infinite stiffness, and e is the ratio of
/// normal velocities of the same contact without friction. A distance is |v - v_limit|/b_n after
/// the impact. Prints a table and exits with 1 if an impact did not end, or if the laws that return
/// e^2 of the work of compression at any depth do not tend to Stronge's hypothesis.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <random_bodies.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/impact/compliant_impact.hpp>
#include <stoss/rigid/routh.hpp>

namespace {

using namespace stoss;

struct NamedLaw {
    const char* name;
    contact::Law law;
    bool is_energetic;  ///< returns the same share of the work of compression, however deep
};

std::vector<NamedLaw> laws() {
    contact::KelvinVoigt elastic, damped;
    elastic.stiffness = damped.stiffness = 1e8;
    elastic.restitution = 1.0;
    damped.restitution = 0.5;
    contact::WaltonBraun walton_braun;
    walton_braun.stiffness = 1e8;
    walton_braun.restitution = 0.5;
    contact::HuntCrossley hunt_crossley;
    hunt_crossley.stiffness = 1e10;
    hunt_crossley.restitution = 0.5;
    return {{"linear spring", elastic, true},
            {"walton_braun", walton_braun, true},
            {"kelvin_voigt", damped, false},
            {"hunt_crossley", hunt_crossley, false}};
}

constexpr std::size_t hypotheses = 3;

/// One impact: the distance of the limit from each hypothesis, NaN where it was not followed.
struct Row {
    std::array<double, hypotheses> distance{};
    double spread = 0.0;  ///< of the three hypotheses among each other
    bool ended = false;
};

double apart(const rigid::ContactVector& x, const rigid::ContactVector& y) {
    return std::sqrt(dot(x - y, x - y));
}

Row row_of(const contact::Law& law, std::size_t i) {
    impact::CompliantImpact contact = tests::random_bodies(i);
    contact.at_one_instant = true;
    const rigid::ContactProblem problem =
        contact_problem(contact.first, contact.second, contact.frame, contact.mu);
    const impact::CompliantResult limit = collide(law, contact);
    contact.mu = 0.0;
    const impact::CompliantResult frictionless = collide(law, contact);
    Row row;
    row.ended = limit.status == impact::CompliantStatus::separated &&
                frictionless.status == impact::CompliantStatus::separated;
    const double e = std::clamp(frictionless.velocity.n / problem.b.n, 0.0, 1.0);
    std::array<rigid::ContactVector, hypotheses> velocity;
    for (std::size_t h = 0; h < hypotheses; ++h) {
        velocity[h] = routh_impact(problem, e, rigid::Restitution(h)).impact.velocity;
        row.distance[h] = apart(velocity[h], limit.velocity) / problem.b.n;
    }
    row.spread =
        std::max(apart(velocity[0], velocity[2]), apart(velocity[1], velocity[2])) / problem.b.n;
    return row;
}

double quantile(std::vector<double> values, double share) {
    const auto at = values.begin() + std::ptrdiff_t(share * double(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

bool print(const NamedLaw& named, const std::vector<Row>& rows) {
    long unfinished = 0, apart_count = 0;
    std::array<long, hypotheses> nearest{};
    std::array<std::vector<double>, hypotheses> distances;
    for (const Row& row : rows) {
        if (!row.ended) ++unfinished;
        for (std::size_t h = 0; h < hypotheses; ++h) distances[h].push_back(row.distance[h]);
        if (row.spread < 0.01) continue;  // of the approach speed: all agree
        ++apart_count;
        const auto least = std::min_element(row.distance.begin(), row.distance.end());
        ++nearest[std::size_t(least - row.distance.begin())];
    }
    for (std::size_t h = 0; h < hypotheses; ++h) {
        const auto [hypothesis, name, meaning] = enum_names(rigid::Restitution{})[h];
        std::printf("%-14s %-8.*s %8zu %10ld %8ld %9.1e %9.1e %9.1e\n", h == 0 ? named.name : "",
                    int(name.size()), name.data(), rows.size(), apart_count, nearest[h],
                    quantile(distances[h], 0.5), quantile(distances[h], 0.95),
                    quantile(distances[h], 1.0));
    }
    return unfinished == 0 && (!named.is_energetic || quantile(distances[2], 0.95) <= 1e-3);
}

}  // namespace

int main(int argc, char** argv) {
    const long count = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 0;
    const long threads = argc > 2 ? std::strtol(argv[2], nullptr, 10) : 0;
    if (count < 1 || threads < 0 || argc > 3) {
        std::fputs("usage: stoss_compliant_sweep COUNT [THREADS]\n", stderr);
        return 2;
    }
    std::printf("%-14s %-8s %8s %10s %8s %9s %9s %9s\n", "law", "end by", "impacts", "that differ",
                "nearest", "median", "95 %", "largest");
    bool good = true;
    for (const NamedLaw& named : laws()) {
        std::vector<Row> rows(static_cast<std::size_t>(count));
        core::parallel_for(rows.size(), int(threads),
                           [&](std::size_t i) { rows[i] = row_of(named.law, i); }, {});
        good = print(named, rows) && good;
    }
    return good ? 0 : 1;
}
