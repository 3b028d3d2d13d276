#include <solvers/problems/rigid/contact_map.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <solvers/problems/rigid/rigid_solutions.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t block = 512;  // contacts that a thread takes at once

constexpr std::array columns{
    "mu",
    "b_n_m_per_s",
    "b_t_m_per_s",
    "b_o_m_per_s",
    "impulse_n_N_s",
    "impulse_t_N_s",
    "impulse_o_N_s",
    "velocity_n_m_per_s",
    "velocity_t_m_per_s",
    "velocity_o_m_per_s",
    "slip_m_per_s",
    "dissipated_energy_J",
    "sticks",
    "coulomb_solutions",
};
constexpr std::array restitution_columns{
    "impulse_n_with_restitution_N_s",       "impulse_t_with_restitution_N_s",
    "impulse_o_with_restitution_N_s",       "velocity_n_with_restitution_m_per_s",
    "velocity_t_with_restitution_m_per_s",  "velocity_o_with_restitution_m_per_s",
    "dissipated_energy_with_restitution_J",
};

SolvedContact solve_contact(const MappedContact& contact) {
    const rigid::CoulombSolutions coulomb = rigid::coulomb_solutions(contact.problem);
    SolvedContact solved;
    solved.problem = contact.problem;
    solved.best = rigid::maximum_dissipation(contact.problem);
    solved.coulomb = coulomb.count;
    solved.least_dissipated = solved.best.dissipated_energy;
    for (const rigid::ContactSolution& each : coulomb.all())
        solved.least_dissipated = std::min(solved.least_dissipated, each.dissipated_energy);
    if (contact.restitution)
        solved.rebound = rebound_of(contact.problem, *contact.restitution).impact;
    return solved;
}

/// True if the rebound, or without one the impact, has no numbers.
bool is_unsolved(const SolvedContact& contact) {
    if (contact.best.status != rigid::Status::solved) return true;
    if (!contact.rebound) return false;
    const rigid::ImpactStatus status = contact.rebound->status;
    return status != rigid::ImpactStatus::solved && !is_refused(status);
}

/// Numbers of the contacts for the summary.
void add_counts(Outcome& outcome, const std::vector<SolvedContact>& solved) {
    std::size_t sticking = 0, ambiguous = 0, failed = 0, refused = 0;
    for (const SolvedContact& each : solved) {
        sticking += each.best.branch == rigid::Branch::stick;
        ambiguous += each.coulomb > 1;
        failed += is_unsolved(each);
        refused += each.rebound && is_refused(each.rebound->status);
    }
    const std::string_view items = outcome.items;
    if (failed > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(
            fmt::format("{} of {} {} could not be solved", failed, solved.size(), items));
    }
    outcome.summary.set(std::string(items), solved.size());
    outcome.summary.set(fmt::format("{}_that_stick", items), sticking);
    outcome.summary.set(fmt::format("{}_with_several_coulomb_solutions", items), ambiguous);
    outcome.summary.set(fmt::format("{}_failed", items), failed);
    if (refused == 0) return;
    outcome.warnings.push_back(
        fmt::format("restitution: {} of {} {} would gain energy or penetrate; their numbers are "
                    "those of the hypothesis",
                    refused, solved.size(), items));
}

std::array<double, columns.size()> row_of(const SolvedContact& each) {
    const auto& b = each.problem.b;
    const rigid::ContactVector &x = each.best.impulse, &v = each.best.velocity;
    return {each.problem.mu,
            b.n,
            b.t,
            b.o,
            x.n,
            x.t,
            x.o,
            v.n,
            v.t,
            v.o,
            core::hypot(v.t, v.o),
            each.best.dissipated_energy,
            each.best.branch == rigid::Branch::stick ? 1.0 : 0.0,
            static_cast<double>(each.coulomb)};
}

std::array<double, restitution_columns.size()> restitution_row_of(const rigid::Impact& impact) {
    const rigid::ContactVector &x = impact.impulse, &v = impact.velocity;
    return {x.n, x.t, x.o, v.n, v.t, v.o, impact.dissipated_energy};
}

template <std::size_t Count, class Rows>
void add_columns(io::Table& table, const std::array<const char*, Count>& names, std::size_t count,
                 const Rows& rows) {
    std::vector<std::vector<double>> values(Count, std::vector<double>(count));
    for (std::size_t i = 0; i < count; ++i) {
        const std::array<double, Count> row = rows(i);
        for (std::size_t c = 0; c < Count; ++c) values[c][i] = row[c];
    }
    for (std::size_t c = 0; c < Count; ++c) table.add(names[c], std::move(values[c]));
}

}  // namespace

std::vector<SolvedContact> solve_contacts(Outcome& outcome, std::string_view items,
                                          std::size_t count,
                                          const std::function<MappedContact(std::size_t)>& contact,
                                          const RunOptions& options) {
    std::vector<SolvedContact> solved(count);
    core::Progress progress(std::string(items), count, options.quiet);
    core::parallel_for((count + block - 1) / block, options.threads,
                       [&](std::size_t number) {
                           const std::size_t end = std::min(count, (number + 1) * block);
                           for (std::size_t i = number * block; i < end; ++i) {
                               solved[i] = solve_contact(contact(i));
                               progress.advance();
                           }
                       },
                       options.stop);
    outcome.items = items;
    outcome.item_count = count;
    outcome.summary = io::Value::object();
    if (options.stop()) {
        outcome.ending = Ending::interrupted;
        return {};
    }
    outcome.items_done = count;
    add_counts(outcome, solved);
    return solved;
}

io::Table contact_table(const std::vector<SolvedContact>& solved) {
    io::Table table;
    add_columns(table, columns, solved.size(), [&](std::size_t i) { return row_of(solved[i]); });
    if (std::ranges::all_of(solved, [](const auto& each) { return each.rebound.has_value(); })) {
        add_columns(table, restitution_columns, solved.size(),
                    [&](std::size_t i) { return restitution_row_of(*solved[i].rebound); });
        std::vector<std::string> statuses;
        for (const SolvedContact& each : solved)
            statuses.emplace_back(to_string(each.rebound->status));
        table.add("status_with_restitution", std::move(statuses));
    }
    return table;
}

}  // namespace stoss::solvers
