#include <solvers/problems/rigid/rigid_contacts.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numbers>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/contact_map.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace {

constexpr const char* table_name = "contacts.csv";  // in the run directory
constexpr std::size_t most_refusals = 20;           // rows that a message names

/// Keys of the problem.
struct RigidContacts {
    static constexpr std::string_view name = "rigid_contacts";
    static constexpr std::string_view meaning =
        "frictional impacts of rigid bodies, a row of a table (CSV) each";

    std::string contacts;
    core::OrNone<models::RestitutionKeys> restitution;

    static constexpr auto fields() {
        return std::tuple{
            core::field("contacts", &RigidContacts::contacts,
                        "table of contacts (CSV), relative to this file; columns A_nn_per_kg, "
                        "A_nt_per_kg, A_no_per_kg, A_tt_per_kg, A_to_per_kg, A_oo_per_kg, mu, and "
                        "b_n_m_per_s, b_t_m_per_s, b_o_m_per_s or speed_m_per_s, inclination_deg, "
                        "azimuth_deg")
                .required(),
            core::field("restitution", &RigidContacts::restitution,
                        "rebound after the compression; none: the bodies do not rebound")};
    }
};

struct Case {
    CaseHeader header;
    RigidContacts keys;
    CaseExpectations expectations;
    std::string text;  ///< of the table
    io::Table table;
    std::vector<rigid::ContactProblem> contacts;
};

/// A column by any of its names; numbers in SI.
struct InputColumn {
    std::string_view name;
    double factor = 1.0;
};

constexpr double degree = std::numbers::pi / 180.0;
constexpr std::array<InputColumn, 2> friction{{{"mu"}, {"friction"}}};
constexpr std::array<InputColumn, 2> inclination{
    {{"inclination_deg", degree}, {"inclination_rad"}}};
constexpr std::array<InputColumn, 2> azimuth{{{"azimuth_deg", degree}, {"azimuth_rad"}}};

/// The first of the columns that the table has. Errors: as `Table::numbers` of the first name if it
/// has none of them.
std::vector<double> numbers_of(const io::Table& table, std::span<const InputColumn> names) {
    const auto found = std::ranges::find_if(
        names, [&](const InputColumn& each) { return table.find(each.name) != nullptr; });
    const InputColumn& column = found == names.end() ? names.front() : *found;
    std::vector<double> numbers = table.numbers(column.name);
    if (column.factor == 1.0) return numbers;
    for (double& number : numbers) number *= column.factor;
    return numbers;
}

/// The components of b.
std::array<std::vector<double>, 3> velocities_of(const io::Table& table) {
    if (table.find("speed_m_per_s") == nullptr)
        return {table.numbers("b_n_m_per_s"), table.numbers("b_t_m_per_s"),
                table.numbers("b_o_m_per_s")};
    std::array<std::vector<double>, 3> b{
        table.numbers("speed_m_per_s"), numbers_of(table, inclination), numbers_of(table, azimuth)};
    for (std::size_t i = 0; i < b[0].size(); ++i) {
        models::VelocityEntries velocity;
        velocity.speed = b[0][i];
        velocity.inclination = b[1][i];
        velocity.azimuth = b[2][i];
        const rigid::ContactVector components = velocity.components();
        b[0][i] = components.n;
        b[1][i] = components.t;
        b[2][i] = components.o;
    }
    return b;
}

/// Errors: core::InputError with the first rows that are no contact.
void refuse_bad_rows(const io::Table& table, const std::vector<rigid::ContactProblem>& contacts) {
    std::vector<core::Diagnostic> diagnostics;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (is_valid(contacts[i]) || ++bad > most_refusals) continue;
        for (core::Violation& violation : rigid::violations(contacts[i]))
            diagnostics.push_back({table.file, table.lines[i], 1, std::move(violation)});
    }
    if (bad > most_refusals)
        diagnostics.push_back(
            {table.file,
             0,
             0,
             {"", "", fmt::format("{} more rows are no contacts", bad - most_refusals), ""}});
    if (!diagnostics.empty()) throw core::InputError(std::move(diagnostics));
}

Case read_case(const io::Document& document) {
    Case all;
    std::tie(all.header, all.keys, all.expectations) =
        io::read<CaseHeader, RigidContacts, CaseExpectations>(document);
    const auto file = std::filesystem::path(document.file).parent_path() / all.keys.contacts;
    if (!std::filesystem::exists(file))
        refuse(document, {{"contacts", all.keys.contacts, "there is no such file",
                           "the path is relative to the case file"}});
    all.text = io::read_text(file.string());
    all.table = io::parse_csv(all.text, file.string());
    all.contacts = read_contacts(all.table);
    return all;
}

io::Choice describe() {
    return io::describe_choice<RigidContacts>();
}
io::Node resolve(const Case& all) {
    RigidContacts keys = all.keys;
    keys.contacts = table_name;
    return io::to_node(all.header, keys, all.expectations);
}

Outcome solve(const Case& all, const RunOptions& options) {
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.items = "contacts";
    outcome.item_count = all.contacts.size();
    ContactMap map = map_contacts(
        all.contacts.size(),
        [&](std::size_t i) {
            return MappedContact{all.contacts[i], all.keys.restitution};
        },
        options);
    outcome.items_done = map.done;
    add_counts(outcome, map);
    if (outcome.ending == Ending::interrupted) return outcome;
    for (const io::Column& column : all.table.columns) {
        if (map.table.find(column.name) == nullptr)
            map.table.columns.push_back({column.name, column.values});
    }
    outcome.tables.emplace_back("map.csv", std::move(map.table));
    outcome.files.emplace_back(table_name, all.text);
    return outcome;
}

}  // namespace

std::vector<rigid::ContactProblem> read_contacts(const io::Table& table) {
    const auto entry = [&](std::string_view name) {
        return table.numbers(fmt::format("A_{}_per_kg", name));
    };
    const auto nn = entry("nn"), nt = entry("nt"), no = entry("no"), tt = entry("tt"),
               to = entry("to"), oo = entry("oo");
    const auto b = velocities_of(table);
    const auto mu = numbers_of(table, friction);
    std::vector<rigid::ContactProblem> contacts;
    contacts.reserve(table.rows());
    for (std::size_t i = 0; i < table.rows(); ++i)
        contacts.push_back(
            {{nn[i], nt[i], no[i], tt[i], to[i], oo[i]}, {b[0][i], b[1][i], b[2][i]}, mu[i]});
    refuse_bad_rows(table, contacts);
    return contacts;
}

const Problem rigid_contacts_problem{
    .name = RigidContacts::name,
    .meaning = RigidContacts::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::rigid_contact_figures, postproc::rigid_contact_report}};

}  // namespace stoss::solvers
