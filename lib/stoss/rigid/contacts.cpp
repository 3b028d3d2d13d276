#include <stoss/rigid/contacts.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <string>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/rigid/coulomb.hpp>

namespace stoss::rigid {

namespace {

constexpr std::size_t chunk = 4096;  // contacts: a millisecond of work, a multiple of all lanes

void check(const Contacts& contacts, int threads) {
    std::vector<core::Violation> violations =
        core::check_number("threads", threads, core::non_negative, "");
    const std::size_t size = contacts.size();
    const auto check_one = [&](const char* name, const std::vector<double>& values) {
        if (values.size() == size) return;
        violations.push_back({name, std::to_string(values.size()) + " numbers",
                              "must have as many numbers as A_nn, " + std::to_string(size), ""});
    };
    check_one("A_nt", contacts.A_nt);
    check_one("A_no", contacts.A_no);
    check_one("A_tt", contacts.A_tt);
    check_one("A_to", contacts.A_to);
    check_one("A_oo", contacts.A_oo);
    check_one("b_n", contacts.b_n);
    check_one("b_t", contacts.b_t);
    check_one("b_o", contacts.b_o);
    check_one("mu", contacts.mu);
    core::throw_if_any(std::move(violations));
}

/// Calls `solve(begin, count, impulses)`, which writes the impulses of a chunk and returns how many
/// were not solved, for all chunks.
template <class Solve>
Impulses in_chunks(const Contacts& contacts, int threads, const Solve& solve) {
    check(contacts, threads);
    const std::size_t size = contacts.size();
    Impulses impulses{std::vector<double>(size), std::vector<double>(size),
                      std::vector<double>(size)};
    std::atomic<std::size_t> unsolved{0};
    core::parallel_for((size + chunk - 1) / chunk, threads,
                       [&](std::size_t i) {
                           unsolved +=
                               solve(i * chunk, std::min(chunk, size - i * chunk), impulses);
                       },
                       {});
    impulses.unsolved = unsolved;
    return impulses;
}

ContactArrays part_of(const ContactArrays& all, std::size_t begin, std::size_t count) {
    const auto part = [&](std::span<const double> values) { return values.subspan(begin, count); };
    return {part(all.A_nn), part(all.A_nt), part(all.A_no), part(all.A_tt), part(all.A_to),
            part(all.A_oo), part(all.b_n),  part(all.b_t),  part(all.b_o),  part(all.mu)};
}

}  // namespace

void Contacts::add(const ContactProblem& problem) {
    A_nn.push_back(problem.A.nn);
    A_nt.push_back(problem.A.nt);
    A_no.push_back(problem.A.no);
    A_tt.push_back(problem.A.tt);
    A_to.push_back(problem.A.to);
    A_oo.push_back(problem.A.oo);
    b_n.push_back(problem.b.n);
    b_t.push_back(problem.b.t);
    b_o.push_back(problem.b.o);
    mu.push_back(problem.mu);
}

ContactProblem Contacts::operator[](std::size_t i) const {
    return {
        {A_nn[i], A_nt[i], A_no[i], A_tt[i], A_to[i], A_oo[i]}, {b_n[i], b_t[i], b_o[i]}, mu[i]};
}

Impulses maximum_dissipation(const Contacts& contacts, int threads) {
    const auto solve = [&](std::size_t begin, std::size_t count, Impulses& impulses) {
        const auto part = [&](std::vector<double>& all) {
            return std::span(all).subspan(begin, count);
        };
        return maximum_dissipation(part_of(contacts.arrays(), begin, count),
                                   {part(impulses.n), part(impulses.t), part(impulses.o)});
    };
    return in_chunks(contacts, threads, solve);
}

Impulses coulomb(const Contacts& contacts, int threads) {
    const auto solve = [&](std::size_t begin, std::size_t count, Impulses& impulses) {
        std::size_t unsolved = 0;
        for (std::size_t i = begin; i < begin + count; ++i) {
            const CoulombSolutions solutions = coulomb_solutions(contacts[i]);
            ContactVector x;
            if (solutions.count > 0) {
                x = solutions.solution[0].impulse;
            } else {
                ++unsolved;
                x.n = x.t = x.o = std::numeric_limits<double>::quiet_NaN();
            }
            impulses.n[i] = x.n;
            impulses.t[i] = x.t;
            impulses.o[i] = x.o;
        }
        return unsolved;
    };
    return in_chunks(contacts, threads, solve);
}

}  // namespace stoss::rigid
