#include <solvers/case/key_range.hpp>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <stoss/core/arrays.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/units.hpp>

namespace stoss::solvers {

double Steps::operator[](std::size_t index) const {
    const bool is_end = index == 0 || index + 1 == points;
    if (is_end || spacing == Spacing::linear) return core::evenly_spaced(from, to, points, index);
    return from *
           core::pow(to / from, static_cast<double>(index) / static_cast<double>(points - 1));
}

std::vector<core::Violation> check_repeated_keys(const std::vector<KeyRange>& over,
                                                 const std::optional<Sweep>& sweep) {
    std::vector<core::Violation> violations;
    const auto check = [&](const std::string& place, const std::string& key, auto end) {
        const auto first = std::find_if(over.begin(), end,
                                        [&](const KeyRange& range) { return range.key == key; });
        if (first == end) return;
        violations.push_back(
            {place, key,
             fmt::format("is given twice, here and in over[{}].key", first - over.begin()),
             "remove one of the two"});
    };
    for (auto range = over.begin(); range != over.end(); ++range)
        check(fmt::format("over[{}].key", range - over.begin()), range->key, range);
    if (sweep) check("sweep.key", sweep->key, over.end());
    return violations;
}

core::Violation is_no_quantity(const std::string& key) {
    return {"", key, "is not a real number in this case",
            "`over` takes numbers that the case holds; whole numbers and words go into `sweep`"};
}

Steps read_range(const io::Document& document, const KeyRange& range, std::size_t index,
                 std::string_view unit,
                 const std::function<std::vector<core::Violation>(const io::Document&)>& read) {
    io::Problems problems;
    std::array<double, 2> ends{};
    const std::array<std::pair<const char*, const std::string*>, 2> written{
        {{"from", &range.from}, {"to", &range.to}}};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto& [end, text] = written[i];
        std::vector<core::Violation> violations;
        try {
            io::Document changed = document;
            changed.root.set(range.key, io::Node::text(*text));
            violations = read(changed);
        } catch (const core::InputError& error) {
            violations = core::violations_of(error);
        }
        const std::string own_key = fmt::format("over[{}].{}", index, end);
        const core::Diagnostic place = document.locate({own_key, "", "", ""});
        for (core::Violation& violation : violations) {
            if (violation.key == range.key) violation.key = own_key;
            problems.push_back({document.file, place.line, place.column, std::move(violation)});
        }
        if (!violations.empty()) continue;
        const auto parsed = io::parse_quantity(*text, unit);
        if (const double* const value = std::get_if<double>(&parsed)) ends[i] = *value;
    }
    const bool is_logarithmic = range.spacing == Spacing::logarithmic;
    if (problems.empty() && is_logarithmic && !(ends[0] > 0.0 && ends[1] > 0.0)) {
        problems.push_back(document.locate({fmt::format("over[{}].spacing", index), "logarithmic",
                                            "needs both ends of the range > 0", ""}));
    }
    io::throw_if_any(document, std::move(problems));
    return {ends[0], ends[1], static_cast<std::size_t>(range.points), range.spacing};
}

std::string column_of(std::string_view path, std::string_view unit) {
    const std::string suffix = core::unit_suffix(unit);
    return suffix.empty() ? std::string(path) : fmt::format("{}_{}", path, suffix);
}

}  // namespace stoss::solvers
