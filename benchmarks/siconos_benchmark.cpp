// One contact by the quartic solver of Siconos (Bonnefon & Daviet 2011), side by side with ours:
// what a solve costs, and how many of each kind come out wrong. Siconos solves Coulomb friction, so
// it is held against every Coulomb solution. Built if libsiconos-numerics-dev is installed.
#include <benchmark/benchmark.h>

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <fc3d_unitary_enumerative.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <random_contacts.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace {

using namespace stoss;

/// Problems of one kind that slide, in units that make A_nn and b one: tolerances of Siconos may be
/// absolute.
std::vector<rigid::ContactProblem> sliding(tests::ContactKind kind) {
    tests::RandomContacts random(1);
    std::vector<rigid::ContactProblem> problems;
    while (problems.size() < 4096) {
        rigid::ContactProblem problem = random(kind);
        if (rigid::maximum_dissipation(problem).branch != rigid::Branch::slide) continue;
        const double A_unit = 1.0 / problem.A.nn,
                     b_unit = 1.0 / std::sqrt(dot(problem.b, problem.b));
        rigid::ContactMatrix& A = problem.A;
        for (double* entry : {&A.nn, &A.nt, &A.no, &A.tt, &A.to, &A.oo}) *entry *= A_unit;
        problem.b = b_unit * problem.b;
        problems.push_back(problem);
    }
    return problems;
}

class Siconos {
  public:
    Siconos()
        : problem_(frictionContactProblem_new()),
          options_(solver_options_create(SICONOS_FRICTION_3D_ONECONTACT_QUARTIC)) {
        problem_->dimension = 3;
        problem_->numberOfContacts = 1;
        problem_->M = NM_create_from_data(NM_DENSE, 3, 3, M_.data());
        problem_->q = q_.data();
        problem_->mu = &mu_;
        fc3d_unitary_enumerative_initialize(problem_);
    }
    Siconos(const Siconos&) = delete;
    Siconos& operator=(const Siconos&) = delete;

    /// The impulse [N s]; `info` is what Siconos returns.
    rigid::ContactVector impulse(const rigid::ContactProblem& problem, int& info) {
        const rigid::ContactMatrix& A = problem.A;
        M_ = {A.nn, A.nt, A.no, A.nt, A.tt, A.to, A.no, A.to, A.oo};
        q_ = {-problem.b.n, -problem.b.t, -problem.b.o};
        mu_ = problem.mu;
        std::array<double, 3> reaction{};
        info = fc3d_unitary_enumerative_solve(problem_, reaction.data(), options_);
        return {reaction[0], reaction[1], reaction[2]};
    }

  private:
    std::array<double, 9> M_{};
    std::array<double, 3> q_{};
    double mu_ = 0.0;
    FrictionContactProblem* problem_;  // lives as long as the program
    SolverOptions* options_;
};

Siconos& siconos() {
    static Siconos solver;
    return solver;
}

/// True if x is, to 1e-6, one of the Coulomb solutions.
bool is_a_solution(const rigid::ContactVector& x, const rigid::ContactProblem& problem) {
    const rigid::CoulombSolutions all = rigid::coulomb_solutions(problem);
    return std::ranges::any_of(all.all(), [&](const rigid::ContactSolution& solution) {
        const rigid::ContactVector error = x - solution.impulse;
        return dot(error, error) <= 1e-12 * dot(solution.impulse, solution.impulse);
    });
}

/// Siconos tells of each failure on the standard output; while one of these lives, nobody hears it.
class Quiet {
  public:
    Quiet() : output_(dup(STDOUT_FILENO)) {
        std::fflush(stdout);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    ~Quiet() {
        std::fflush(stdout);
        dup2(output_, STDOUT_FILENO);
        close(output_);
    }
    Quiet(const Quiet&) = delete;
    Quiet& operator=(const Quiet&) = delete;

  private:
    int output_;
};

/// Timed on the problems that Siconos thinks it solved: telling of a failure costs more than
/// solving.
void siconos_quartic(benchmark::State& state) {
    std::vector<rigid::ContactProblem> timed;
    int wrong = 0, not_a_number = 0, silent = 0, info = 0;
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    {
        const Quiet quiet;
        for (const rigid::ContactProblem& problem : problems) {
            const rigid::ContactVector x = siconos().impulse(problem, info);
            if (info == 0) timed.push_back(problem);
            if (is_a_solution(x, problem)) continue;
            ++wrong;
            not_a_number += std::isnan(x.n + x.t + x.o);
            silent += info == 0;
        }
    }
    for (auto _ : state) {
        for (const rigid::ContactProblem& problem : timed) {
            benchmark::DoNotOptimize(siconos().impulse(problem, info));
        }
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(timed.size()));
    state.SetLabel(std::string(tests::contact_kinds[std::size_t(state.range(0))]));
    const double percent = 100.0 / double(problems.size());
    state.counters["wrong_percent"] = percent * wrong;
    state.counters["nan_percent"] = percent * not_a_number;
    state.counters["untold_percent"] = percent * silent;
}
BENCHMARK(siconos_quartic)->DenseRange(0, 11)->Arg(13);

void maximum_dissipation_beside_siconos(benchmark::State& state) {
    const auto problems = sliding(tests::ContactKind(state.range(0)));
    for (auto _ : state) {
        for (const rigid::ContactProblem& problem : problems) {
            benchmark::DoNotOptimize(rigid::maximum_dissipation(problem));
        }
    }
    state.SetItemsProcessed(state.iterations() * std::int64_t(problems.size()));
    state.SetLabel(std::string(tests::contact_kinds[std::size_t(state.range(0))]));
}
BENCHMARK(maximum_dissipation_beside_siconos)->DenseRange(0, 11)->Arg(13);

}  // namespace
