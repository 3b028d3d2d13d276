#include <solvers/case/profile_table.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <models/section.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/refusal.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/units.hpp>

namespace stoss::solvers {

namespace {

constexpr double same_place = 1e-9;  // of the length: what rounding to decimals may leave
constexpr const char* layout =
    "the columns are x_m or xi, shape, and dimensions with their unit, such as radius_mm";

/// SI unit of every dimension that some shape has.
std::map<std::string, std::string_view> dimensions() {
    std::map<std::string, std::string_view> units;
    core::for_each_alternative<decltype(models::Station::shape)>(
        [&]<class Shape>(std::type_identity<Shape>) {
            core::for_each_field<Shape>(
                [&](const auto& field) { units.emplace(field.name, field.unit); });
        });
    return units;
}

/// What a column holds: "radius_mm" is the key `radius` in "mm".
struct Column {
    std::string key, unit;
};

/// Reads one table; keeps what is wrong.
class ProfileReader {
  public:
    ProfileReader(const std::string& file, double length)
        : table_(io::read_cells(file)), length_(length) {
        for (const std::string& name : table_.names) columns_.push_back(column_of(name));
        const auto places = std::ranges::count(columns_, "xi", &Column::key);
        if (places != 1)
            refuse_header("x_m", "",
                          places == 0 ? "is missing; the table needs this column or xi"
                                      : "cannot be given together with xi");
        if (table_.rows.empty()) refuse_header("", "", "has no rows");
        std::ranges::move(io::check_row_lengths(table_), std::back_inserter(problems_));
        throw_if_any();
    }

    /// The sequence that `section.stations` would have been.
    io::Node stations() {
        io::Node sequence;
        sequence.kind = io::Node::Kind::sequence;
        models::Profile profile;
        for (const io::CellTable::Row& row : table_.rows) {
            sequence.items.push_back(station(row));
            profile.stations.push_back(
                io::bind<models::Station>(sequence.items.back(), "", problems_));
        }
        throw_if_any();
        check_ends(profile.stations.front().xi, profile.stations.back().xi);
        throw_if_any();
        for (core::Violation& violation : models::check({profile}, "")) refuse(violation);
        throw_if_any();
        return sequence;
    }

  private:
    Column column_of(const std::string& name) {
        static const auto units = dimensions();
        if (name == "xi" || name == "shape") return {name, ""};
        const std::size_t end = name.starts_with("x_") ? 1 : dimension_end(name, units);
        if (end == 0) {
            refuse_header(name, "", "is not a column of a profile");
            return {};
        }
        const std::string key = name.substr(0, end);
        const std::string unit = end < name.size() ? name.substr(end + 1) : "";
        const auto si = end == 1 ? std::string_view("m") : units.at(key);
        if (!std::holds_alternative<double>(io::parse_quantity("1 " + unit, si)) || unit.empty())
            refuse_header(name, unit, fmt::format("must end with a unit, such as {}_{}", key, si));
        return {end == 1 ? "xi" : key, unit};
    }

    static std::size_t dimension_end(const std::string& name,
                                     const std::map<std::string, std::string_view>& units) {
        for (const auto& [key, unit] : units) {
            if (name == key || name.starts_with(key + "_")) return key.size();
        }
        return 0;
    }

    /// One row as the mapping of a station.
    io::Node station(const io::CellTable::Row& row) {
        io::Node node;
        node.kind = io::Node::Kind::mapping;
        node.mark = {row.line, 1};
        const auto put = [&](const std::string& key, std::string text, io::Mark mark) {
            io::Node value = io::Node::text(std::move(text));
            value.mark = mark;
            node.entries.push_back({key, mark, std::move(value)});
        };
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const auto& [key, unit] = columns_[i];
            const std::string& cell = row.cells[i];
            const io::Mark mark{row.line, row.columns[i]};
            if (cell.empty() && key != "xi") continue;
            if (key == "xi") {
                put(key, core::to_text(place(row, i)), mark);
            } else {
                put(key, unit.empty() ? cell : fmt::format("{} {}", cell, unit), mark);
            }
        }
        if (node.find("shape") == nullptr)
            put("shape", std::string(models::Circle::name), node.mark);
        return node;
    }

    /// xi of a row.
    double place(const io::CellTable::Row& row, std::size_t column) {
        const std::string& unit = columns_[column].unit;
        const auto number = io::cell_number(row.cells[column]);
        double xi = number.value_or(core::infinity);
        if (number && !unit.empty()) {
            const auto metres = io::parse_quantity(core::to_text(xi) + " " + unit, "m");
            const double* const x = std::get_if<double>(&metres);  // none beyond doubles
            xi = x != nullptr ? *x / length_ : core::infinity;
        }
        if (std::abs(xi) < same_place) return 0.0;
        if (std::abs(xi - 1.0) < same_place) return 1.0;
        if (std::isfinite(xi) && xi > 0.0 && xi < 1.0) return xi;
        add(row, column,
            {table_.names[column], row.cells[column],
             std::isfinite(xi) ? fmt::format("is not on the beam, which is {} long",
                                             core::with_unit(length_, "m"))
                               : "must be a finite number",
             ""});
        return 0.0;
    }

    void check_ends(double first, double last) {
        const auto wants = [&](const io::CellTable::Row& row, const char* rule) {
            const std::size_t i = index_of("xi");
            add(row, i,
                {table_.names[i], row.cells[i], rule,
                 fmt::format("the beam is {} long, the table must cover it",
                             core::with_unit(length_, "m"))});
        };
        if (first != 0.0) wants(table_.rows.front(), "must be 0: the first row is the left end");
        if (last != 1.0) wants(table_.rows.back(), "must be the length: the last row is the end");
    }

    std::size_t index_of(std::string_view key) const {
        return static_cast<std::size_t>(std::ranges::find(columns_, key, &Column::key) -
                                        columns_.begin());
    }

    /// ".stations[3].radius" is a cell of the row 3.
    void refuse(core::Violation& violation) {
        const std::size_t open = violation.key.find('['), dot = violation.key.rfind('.');
        const std::size_t row =
            open == std::string::npos ? 0 : std::stoul(violation.key.substr(open + 1));
        violation.key = violation.key.substr(dot + 1);
        const std::size_t i = index_of(violation.key);
        if (i < columns_.size()) {
            violation.key = table_.names[i];
            violation.value = table_.rows[row].cells[i];
        }
        add(table_.rows[row], i < columns_.size() ? i : 0, std::move(violation));
    }
    void refuse_header(std::string name, std::string value, std::string rule) {
        problems_.push_back({table_.file,
                             table_.header_line,
                             1,
                             {std::move(name), std::move(value), std::move(rule), layout}});
    }
    void add(const io::CellTable::Row& row, std::size_t column, core::Violation violation) {
        problems_.push_back({table_.file, row.line, row.columns[column], std::move(violation)});
    }

    void throw_if_any() { io::throw_if_any({table_.file, {}}, std::exchange(problems_, {})); }

    io::CellTable table_;
    double length_;
    std::vector<Column> columns_;
    io::Problems problems_;
};

/// The length of a beam; nothing if the case gives none that could be [m].
std::optional<double> length_of(const io::Node& beam) {
    const io::Node* const node = beam.find("length");
    if (node == nullptr) return std::nullopt;
    const auto parsed = io::parse_quantity(node->scalar, "m");
    const double* const length = std::get_if<double>(&parsed);
    return length && *length > 0.0 && std::isfinite(*length) ? std::optional(*length)
                                                             : std::nullopt;
}

void read_table(io::Document& document, const std::string& key, io::Node& beam) {
    io::Node* const section = beam.find("section");
    io::Node* const table = section ? section->find("table") : nullptr;
    const auto length = length_of(beam);
    if (!table || !length || table->kind != io::Node::Kind::scalar || table->scalar == "none")
        return;
    const std::string own = key + ".section.table";
    if (section->find("stations")) {
        refuse(document, {{own, table->scalar, "cannot be given together with `stations`",
                           "keep one of them"}});
    }
    refuse(document, check_file(document, own, table->scalar));
    io::Node stations = ProfileReader(path_in_case(document, table->scalar), *length).stations();
    for (io::Node& station :
         stations.items) {  // from here on their place is that of the name of the table
        station.mark = table->mark;
        for (io::Node::Entry& entry : station.entries) entry.mark = entry.value.mark = table->mark;
    }
    const auto entry =
        std::find_if(section->entries.begin(), section->entries.end(),
                     [](const io::Node::Entry& each) { return each.key == "table"; });
    *entry = {"stations", entry->mark, std::move(stations)};
}

}  // namespace

void read_profile_tables(io::Document& document) {
    if (io::Node* const beam = document.root.find("beam")) read_table(document, "beam", *beam);
    io::Node* const striker = document.root.find("striker");
    if (io::Node* const beam = striker ? striker->find("beam") : nullptr)
        read_table(document, "striker.beam", *beam);
}

}  // namespace stoss::solvers
