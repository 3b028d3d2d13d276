#pragma once
/// Many rigid contacts of one case: `over:` and `sweep:` of `rigid_contact` and `six_mass_body`.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <models/rigid_contact.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/ranged_case.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/rigid/contact_problem.hpp>
#include <stoss/rigid/restitution.hpp>

namespace stoss::solvers {

/// One contact of many.
struct MappedContact {
    rigid::ContactProblem problem;
    std::optional<models::RestitutionKeys> restitution;
};

/// What one of them came to.
struct SolvedContact {
    rigid::ContactProblem problem;
    rigid::ContactSolution best;    ///< by maximum dissipation
    std::size_t coulomb = 0;        ///< solutions with Coulomb's friction
    double least_dissipated = 0.0;  ///< energy of `best` and of these [J]
    std::optional<rigid::Impact> rebound;
};

/// Solves `count` contacts, which `items` names: "impacts". `contact(i)` gives number i; it is
/// called from several threads at once. Adds their numbers to the summary, and how the run ended.
/// Empty if it was stopped.
std::vector<SolvedContact> solve_contacts(Outcome& outcome, std::string_view items,
                                          std::size_t count,
                                          const std::function<MappedContact(std::size_t)>& contact,
                                          const RunOptions& options);

/// Of a run whose items are "contacts".
inline const std::vector<std::string_view> contact_headlines{
    "contacts", "contacts_that_stick", "contacts_with_several_coulomb_solutions",
    "contacts_failed"};

/// Their columns; those with restitution if all have one.
io::Table contact_table(const std::vector<SolvedContact>& solved);

/// Solves the contacts of a case and adds `map.csv`.
template <class Contact>
void add_contact_map(Outcome& outcome, const RangedCase<Contact>& contacts,
                     const RunOptions& options) {
    const auto contact = [&](std::size_t row) {
        const Contact given = contacts.at(row);
        return MappedContact{given.problem(), given.restitution};
    };
    const auto solved = solve_contacts(outcome, "contacts", contacts.rows(), contact, options);
    if (outcome.ending == Ending::interrupted) return;
    outcome.headlines = contact_headlines;
    io::Table table = contact_table(solved);
    // A key that takes several values, as mu, has its own column.
    const auto leave_out = [&](const std::string& name) {
        std::erase_if(table.columns, [&](const io::Column& each) { return each.name == name; });
    };
    if (contacts.range) {
        const std::string place = contacts.place_name();
        leave_out(place);
        table.columns.insert(table.columns.begin(), {place, contacts.places()});
        outcome.summary.set("place", place);
        outcome.curves = {"map.csv", place, contacts.row_labels()};
    }
    if (contacts.sweep) {
        const auto keys = io::describe_keys<Contact>();
        leave_out(column_of(contacts.sweep->key, unit_of_key(contacts.sweep->key, keys)));
        add_sweep_column(table, *contacts.sweep, keys, contacts.points());
        outcome.summary.set("sweep", table.columns.back().name);
    }
    outcome.tables.emplace_back("map.csv", std::move(table));
}

}  // namespace stoss::solvers
