#include <solvers/problems/rigid/rigid_contacts.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <models/rigid_contact.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/rigid/contact_map.hpp>
#include <solvers/problems/rigid/rigid_figures.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/csv.hpp>
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
    std::vector<io::Column> columns;
    std::vector<rigid::ContactProblem> contacts;
};

/// A column by any of its names; numbers in SI.
struct InputColumn {
    std::string_view name;
    double factor = 1.0;
};

constexpr double degree = std::numbers::pi / 180.0;
constexpr std::array<std::string_view, 6> entries{"A_nn_per_kg", "A_nt_per_kg", "A_no_per_kg",
                                                  "A_tt_per_kg", "A_to_per_kg", "A_oo_per_kg"};
constexpr std::array<std::string_view, 3> components{"b_n_m_per_s", "b_t_m_per_s", "b_o_m_per_s"};
constexpr std::string_view speed = "speed_m_per_s";
constexpr std::array<InputColumn, 2> inclination{
    {{"inclination_deg", degree}, {"inclination_rad"}}};
constexpr std::array<InputColumn, 2> azimuth{{{"azimuth_deg", degree}, {"azimuth_rad"}}};
constexpr std::array<InputColumn, 2> friction{{{"mu"}, {"friction"}}};

/// True if a contact is read from a column of that name.
bool is_input(std::string_view name) {
    const auto has = [&](const std::array<InputColumn, 2>& names) {
        return std::ranges::find(names, name, &InputColumn::name) != names.end();
    };
    return std::ranges::find(entries, name) != entries.end() ||
           std::ranges::find(components, name) != components.end() || name == speed ||
           has(inclination) || has(azimuth) || has(friction);
}

/// A table of contacts. Columns: `A_nn_per_kg` and the five other entries; `b_n_m_per_s`,
/// `b_t_m_per_s`, `b_o_m_per_s`, or `speed_m_per_s`, `inclination_deg`, `azimuth_deg` (or `_rad`);
/// the latter count in a table with all of them, such as the results of another; `mu` or
/// `friction`. Any other column is kept for the results.
class ContactTable {
  public:
    /// Errors: core::InputError for a table without rows, a row of another length.
    explicit ContactTable(io::CellTable table);

    /// The contacts. Errors: core::InputError with file, line and column for a column that is
    /// missing, a cell that is no number, and a row that is no contact.
    std::vector<rigid::ContactProblem> contacts() const;

    /// All columns, as they were read.
    std::vector<io::Column> columns() const;

  private:
    [[noreturn]] void refuse(int line, core::Violation violation) const {
        throw core::InputError({{table_.file, line, line > 0 ? 1 : 0, std::move(violation)}});
    }
    bool has(std::string_view name) const {
        return std::ranges::find(table_.names, name) != table_.names.end();
    }
    std::string_view name_of(std::span<const InputColumn> names) const;
    std::size_t place_of(std::string_view name) const;
    std::vector<double> numbers(std::string_view name) const;
    std::vector<double> numbers(std::span<const InputColumn> names) const;
    std::array<std::vector<double>, 3> velocities() const;
    void refuse_bad_rows(const std::vector<rigid::ContactProblem>& contacts) const;

    io::CellTable table_;
};

ContactTable::ContactTable(io::CellTable table) : table_(std::move(table)) {
    if (table_.rows.empty())
        refuse(table_.header_line,
               {"", "", "has no rows", "each row below the header is a contact"});
    for (const io::CellTable::Row& row : table_.rows) {
        if (row.cells.size() == table_.names.size()) continue;
        refuse(row.line, {"", "",
                          fmt::format("the row has {} cells, but there are {} columns",
                                      row.cells.size(), table_.names.size()),
                          ""});
    }
}

/// The first of the names that the table has; the first of all if it has none.
std::string_view ContactTable::name_of(std::span<const InputColumn> names) const {
    const auto found =
        std::ranges::find_if(names, [&](const InputColumn& each) { return has(each.name); });
    return found == names.end() ? names.front().name : found->name;
}

std::size_t ContactTable::place_of(std::string_view name) const {
    const auto found = std::ranges::find(table_.names, name);
    if (found != table_.names.end()) return static_cast<std::size_t>(found - table_.names.begin());
    std::vector<std::string> unused;
    std::ranges::remove_copy_if(table_.names, std::back_inserter(unused), is_input);
    const auto nearest = core::nearest_word(name, unused);
    refuse(table_.header_line, {std::string(name), "", "there is no such column",
                                nearest ? fmt::format("did you mean `{}`?", *nearest)
                                        : "the columns are " + core::listed(table_.names, "and")});
}

std::vector<double> ContactTable::numbers(std::string_view name) const {
    const std::size_t place = place_of(name);
    std::vector<double> found;
    found.reserve(table_.rows.size());
    for (const io::CellTable::Row& row : table_.rows) {
        const auto number = io::cell_number(row.cells[place]);
        if (!number)
            throw core::InputError(
                {{table_.file,
                  row.line,
                  row.columns[place],
                  {std::string(name), row.cells[place], "must be a number", ""}}});
        found.push_back(*number);
    }
    return found;
}

std::vector<double> ContactTable::numbers(std::span<const InputColumn> names) const {
    const std::string_view name = name_of(names);
    const double factor = std::ranges::find(names, name, &InputColumn::name)->factor;
    std::vector<double> found = numbers(name);
    if (factor == 1.0) return found;
    for (double& number : found) number *= factor;
    return found;
}

/// The components of b.
std::array<std::vector<double>, 3> ContactTable::velocities() const {
    if (!has(speed))
        return {numbers(components[0]), numbers(components[1]), numbers(components[2])};
    if (std::ranges::any_of(components, [&](std::string_view name) { return has(name); }) &&
        !(has(name_of(inclination)) && has(name_of(azimuth))))
        refuse(table_.header_line,
               {"", "", "the velocity is given twice, by components and by its magnitude",
                fmt::format("keep {}, or {}, {} and {}", fmt::join(components, ", "), speed,
                            inclination[0].name, azimuth[0].name)});
    std::array<std::vector<double>, 3> b{numbers(speed), numbers(inclination), numbers(azimuth)};
    for (std::size_t i = 0; i < b[0].size(); ++i) {
        models::VelocityEntries velocity;
        velocity.speed = b[0][i];
        velocity.inclination = b[1][i];
        velocity.azimuth = b[2][i];
        const rigid::ContactVector v = velocity.components();
        b[0][i] = v.n;
        b[1][i] = v.t;
        b[2][i] = v.o;
    }
    return b;
}

/// Errors: core::InputError with the first rows that are no contact.
void ContactTable::refuse_bad_rows(const std::vector<rigid::ContactProblem>& contacts) const {
    const std::size_t A = place_of(entries[0]), mu = place_of(name_of(friction));
    const std::size_t b = place_of(has(speed) ? speed : components[0]);
    std::vector<core::Diagnostic> diagnostics;
    std::size_t bad = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        if (is_valid(contacts[i]) || ++bad > most_refusals) continue;
        const io::CellTable::Row& row = table_.rows[i];
        for (core::Violation& violation : rigid::violations(contacts[i])) {
            const std::size_t place = violation.key == "A" ? A : violation.key == "b" ? b : mu;
            diagnostics.push_back(
                {table_.file, row.line, row.columns[place], std::move(violation)});
        }
    }
    if (bad > most_refusals)
        diagnostics.push_back(
            {table_.file,
             0,
             0,
             {"", "", fmt::format("{} more rows are no contacts", bad - most_refusals), ""}});
    if (!diagnostics.empty()) throw core::InputError(std::move(diagnostics));
}

std::vector<rigid::ContactProblem> ContactTable::contacts() const {
    std::array<std::vector<double>, 6> A;
    std::ranges::transform(entries, A.begin(),
                           [&](std::string_view name) { return numbers(name); });
    const auto b = velocities();
    const auto mu = numbers(friction);
    std::vector<rigid::ContactProblem> all;
    all.reserve(mu.size());
    for (std::size_t i = 0; i < mu.size(); ++i)
        all.push_back({{A[0][i], A[1][i], A[2][i], A[3][i], A[4][i], A[5][i]},
                       {b[0][i], b[1][i], b[2][i]},
                       mu[i]});
    refuse_bad_rows(all);
    return all;
}

std::vector<io::Column> ContactTable::columns() const {
    std::vector<io::Column> all;
    for (std::size_t place = 0; place < table_.names.size(); ++place)
        all.push_back({table_.names[place], io::values_of(table_, place)});
    return all;
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
    const ContactTable table(io::parse_cells(all.text, file.string()));
    all.contacts = table.contacts();
    all.columns = table.columns();
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
    const auto contact = [&](std::size_t i) {
        return MappedContact{all.contacts[i], all.keys.restitution};
    };
    const auto solved = solve_contacts(outcome, "contacts", all.contacts.size(), contact, options);
    if (outcome.ending == Ending::interrupted) return outcome;
    outcome.headlines = contact_headlines;
    io::Table table = contact_table(solved);
    for (const io::Column& column : all.columns) {
        if (table.find(column.name) == nullptr) table.columns.push_back(column);
    }
    outcome.tables.emplace_back("map.csv", std::move(table));
    outcome.files.emplace_back(table_name, all.text);
    return outcome;
}

}  // namespace

const Problem rigid_contacts_problem{
    .name = RigidContacts::name,
    .meaning = RigidContacts::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::rigid_contact_figures, postproc::rigid_contact_report}};

}  // namespace stoss::solvers
