#pragma once
/// Many rigid contacts of one case: `over:` and `sweep:` of `rigid_contact` and `six_mass_body`.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <models/rigid_contact.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <solvers/case/ranged_case.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/rigid/contact_problem.hpp>

namespace stoss::solvers {

/// One contact of many.
struct MappedContact {
    rigid::ContactProblem problem;
    std::optional<models::RestitutionKeys> restitution;
};

/// The columns of `count` contacts, and how many of them were not solved. `contact(i)` gives number
/// i; it is called from several threads at once.
struct ContactMap {
    io::Table table;
    std::size_t sticking = 0, ambiguous = 0, failed = 0, refused = 0, done = 0;
};
ContactMap map_contacts(std::size_t count, const std::function<MappedContact(std::size_t)>& contact,
                        const RunOptions& options);

/// Numbers of the map for the summary, and how the run ended.
void add_counts(Outcome& outcome, const ContactMap& map);

/// Solves the contacts of a case and adds `map.csv`.
template <class Contact>
void add_contact_map(Outcome& outcome, const RangedCase<Contact>& contacts,
                     const RunOptions& options) {
    ContactMap map = map_contacts(
        contacts.rows(),
        [&](std::size_t row) {
            const Contact contact = contacts.at(row);
            return MappedContact{contact.problem(), contact.restitution};
        },
        options);
    outcome.items = "contacts";
    outcome.item_count = contacts.rows();
    outcome.items_done = map.done;
    add_counts(outcome, map);
    if (outcome.ending == Ending::interrupted) return;
    // A key that takes several values, as mu, has its own column.
    const auto leave_out = [&](const std::string& name) {
        std::erase_if(map.table.columns, [&](const io::Column& each) { return each.name == name; });
    };
    if (contacts.range) {
        const std::string place = contacts.place_name();
        leave_out(place);
        map.table.columns.insert(map.table.columns.begin(), {place, contacts.places()});
        outcome.summary.set("place", place);
        outcome.curves = {"map.csv", place, contacts.row_labels()};
    }
    if (contacts.sweep) {
        const auto keys = io::describe_keys<Contact>();
        leave_out(column_of(contacts.sweep->key, unit_of_key(contacts.sweep->key, keys)));
        add_sweep_column(map.table, *contacts.sweep, keys, contacts.points());
        outcome.summary.set("sweep", map.table.columns.back().name);
    }
    outcome.tables.emplace_back("map.csv", std::move(map.table));
}

}  // namespace stoss::solvers
