// One rigid contact: what a solve costs, by kind of problem.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <random_contacts.hpp>
#include <stoss/rigid/batch.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss;

/// Problems of one kind that slide.
std::vector<rigid::ContactProblem> sliding(tests::ContactKind kind) {
    tests::RandomContacts random(1);
    std::vector<rigid::ContactProblem> problems;
    while (problems.size() < 4096) {
        const rigid::ContactProblem problem = random(kind);
        if (rigid::maximum_dissipation(problem).branch == rigid::Branch::slide) {
            problems.push_back(problem);
        }
    }
    return problems;
}

void maximum_dissipation(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    for (auto _ : state) {
        for (const rigid::ContactProblem& problem : problems) {
            benchmark::DoNotOptimize(rigid::maximum_dissipation(problem));
        }
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(problems.size()));
    state.SetLabel(std::string(tests::contact_kinds[std::size_t(state.range(0))]));
}
BENCHMARK(maximum_dissipation)->DenseRange(0, 13);

/// The same as a structure of arrays.
struct Arrays {
    std::array<std::vector<double>, 10> fields;
    std::array<std::vector<double>, 3> impulses;

    explicit Arrays(const std::vector<rigid::ContactProblem>& problems) {
        for (const auto& [A, b, mu] : problems) {
            const std::array<double, 10> all{A.nn, A.nt, A.no, A.tt, A.to, A.oo, b.n, b.t, b.o, mu};
            for (std::size_t k = 0; k < 10; ++k) fields[k].push_back(all[k]);
        }
        for (auto& impulse : impulses) impulse.resize(problems.size());
    }
    rigid::ContactArrays contacts() const {
        return {fields[0], fields[1], fields[2], fields[3], fields[4],
                fields[5], fields[6], fields[7], fields[8], fields[9]};
    }
    rigid::ImpulseArrays results() { return {impulses[0], impulses[1], impulses[2]}; }
};

void label(benchmark::State& state, std::size_t problems) {
    state.SetItemsProcessed(state.iterations() * std::int64_t(problems));
    state.SetLabel(std::string(tests::contact_kinds[std::size_t(state.range(0))]) + ", " +
                   std::string(rigid::vector_instructions()));
}

void maximum_dissipation_batch(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    Arrays arrays(problems);
    for (auto _ : state) {
        benchmark::DoNotOptimize(rigid::maximum_dissipation(arrays.contacts(), arrays.results()));
    }
    label(state, problems.size());
}
BENCHMARK(maximum_dissipation_batch)->DenseRange(0, 13);

void maximum_dissipation_prepared_batch(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    Arrays arrays(problems);
    const rigid::PreparedContacts prepared(arrays.contacts());
    const auto& f = arrays.fields;
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            prepared.maximum_dissipation(0, f[6], f[7], f[8], arrays.results()));
    }
    label(state, problems.size());
}
BENCHMARK(maximum_dissipation_prepared_batch)->DenseRange(0, 4);

void prepared_contact(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    std::vector<rigid::PreparedContact> prepared;
    for (const auto& problem : problems) prepared.emplace_back(problem.A, problem.mu);
    for (auto _ : state) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            benchmark::DoNotOptimize(prepared[i].solve(problems[i].b));
        }
    }
    label(state, problems.size());
}
BENCHMARK(prepared_contact)->DenseRange(0, 4);

void sphere_contact(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind::spheres);
    std::vector<rigid::SphereContact> spheres;
    for (const auto& [A, b, mu] : problems) spheres.push_back({1.0 / A.nn, 1.0 / A.tt, mu});
    for (auto _ : state) {
        for (std::size_t i = 0; i < problems.size(); ++i) {
            benchmark::DoNotOptimize(spheres[i].impulse(problems[i].b));
        }
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(problems.size()));
}
BENCHMARK(sphere_contact);

void coulomb_solutions(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind::two_bodies);
    for (auto _ : state) {
        for (const rigid::ContactProblem& problem : problems) {
            benchmark::DoNotOptimize(rigid::coulomb_solutions(problem));
        }
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(problems.size()));
}
BENCHMARK(coulomb_solutions);

}  // namespace
