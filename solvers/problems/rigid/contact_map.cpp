#include <solvers/problems/rigid/contact_map.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/elementary.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/core/progress.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>
#include <stoss/rigid/restitution.hpp>
#include <stoss/rigid/routh.hpp>

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

/// What one contact came to.
struct Solved {
    rigid::ContactProblem problem;
    rigid::ContactSolution best;
    std::size_t coulomb = 0;
    std::optional<rigid::Impact> rebound;
};

rigid::Impact rebound_of(const rigid::ContactProblem& problem,
                         const models::RestitutionKeys& keys) {
    if (law_of(keys.hypothesis, keys.law) == rigid::ImpactLaw::incremental)
        return rigid::routh_impact(problem, keys.coefficient, keys.hypothesis).impact;
    return rigid::impact(problem, keys.coefficient, keys.hypothesis);
}

Solved solve_contact(const MappedContact& contact) {
    Solved solved{contact.problem, rigid::maximum_dissipation(contact.problem),
                  rigid::coulomb_solutions(contact.problem).count, std::nullopt};
    if (contact.restitution) solved.rebound = rebound_of(contact.problem, *contact.restitution);
    return solved;
}

std::array<double, columns.size()> row_of(const Solved& each) {
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

ContactMap map_contacts(std::size_t count, const std::function<MappedContact(std::size_t)>& contact,
                        const RunOptions& options) {
    std::vector<Solved> solved(count);
    core::Progress progress("contacts", count, options.quiet);
    core::parallel_for((count + block - 1) / block, options.threads,
                       [&](std::size_t number) {
                           const std::size_t end = std::min(count, (number + 1) * block);
                           for (std::size_t i = number * block; i < end; ++i) {
                               solved[i] = solve_contact(contact(i));
                               progress.advance();
                           }
                       },
                       options.stop);
    ContactMap map;
    if (options.stop()) return map;
    map.done = count;
    for (const Solved& each : solved) {
        map.sticking += each.best.branch == rigid::Branch::stick;
        map.ambiguous += each.coulomb > 1;
        map.failed += each.best.status != rigid::Status::solved;
        map.refused += each.rebound && each.rebound->status != rigid::ImpactStatus::solved;
    }
    add_columns(map.table, columns, count, [&](std::size_t i) { return row_of(solved[i]); });
    if (std::ranges::all_of(solved, [](const Solved& each) { return each.rebound.has_value(); })) {
        add_columns(map.table, restitution_columns, count,
                    [&](std::size_t i) { return restitution_row_of(*solved[i].rebound); });
        std::vector<std::string> statuses;
        for (const Solved& each : solved) statuses.emplace_back(to_string(each.rebound->status));
        map.table.add("status_with_restitution", std::move(statuses));
    }
    return map;
}

void add_counts(Outcome& outcome, const ContactMap& map) {
    outcome.summary = io::Value::object();
    if (map.done < outcome.item_count) {
        outcome.ending = Ending::interrupted;
        return;
    }
    if (map.failed > 0) {
        outcome.ending = Ending::numerical_failure;
        outcome.warnings.push_back(
            fmt::format("{} of {} contacts could not be solved", map.failed, map.done));
    }
    outcome.summary.set("contacts", map.done);
    outcome.summary.set("contacts_that_stick", map.sticking);
    outcome.summary.set("contacts_with_several_coulomb_solutions", map.ambiguous);
    outcome.summary.set("contacts_failed", map.failed);
    outcome.headlines = {"contacts", "contacts_that_stick",
                         "contacts_with_several_coulomb_solutions", "contacts_failed"};
    if (map.refused == 0) return;
    outcome.warnings.push_back(
        fmt::format("restitution: {} of {} contacts would gain energy or penetrate; their numbers "
                    "are those of the hypothesis",
                    map.refused, map.done));
}

}  // namespace stoss::solvers
