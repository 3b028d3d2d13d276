#include <solvers/case/input_echo.hpp>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <fmt/format.h>
#include <models/plausibility.hpp>
#include <solvers/case/locations.hpp>
#include <solvers/case/sweep.hpp>

namespace stoss::solvers {

namespace {

/// Values of one key that are elsewhere in the case, and the unit of that key.
class OtherValues {
  public:
    OtherValues(const std::vector<io::KeyDescription>& keys, std::vector<io::PlainNumber>& numbers)
        : keys_(keys), numbers_(numbers) {}

    /// `entry` has the path of a key under `key` and values of it under `names`: a value or a
    /// sequence of them.
    void add(const io::Node& entry, const std::string& path,
             std::initializer_list<const char*> names) {
        const io::Node* const key = entry.find("key");
        if (key == nullptr) return;
        const std::string unit =
            key->scalar == location_key ? "m" : unit_of_key(key->scalar, keys_);
        for (const char* const name : names) {
            const io::Node* const value = entry.find(name);
            if (value == nullptr) continue;
            const std::string at = fmt::format("{}.{}", path, name);
            io::add_plain_number(*value, unit, at, numbers_);
            for (std::size_t i = 0; i < value->items.size(); ++i) {
                io::add_plain_number(value->items[i], unit, fmt::format("{}[{}]", at, i), numbers_);
            }
        }
    }

    /// The same for each item of a sequence.
    void add_each(const io::Node* list, const std::string& path,
                  std::initializer_list<const char*> names) {
        for (std::size_t i = 0; list && i < list->items.size(); ++i) {
            add(list->items[i], fmt::format("{}[{}]", path, i), names);
        }
    }

  private:
    const std::vector<io::KeyDescription>& keys_;
    std::vector<io::PlainNumber>& numbers_;
};

}  // namespace

void InputEcho::add(const models::BeamCollision& collision, std::span<const double> places,
                    bool with_frequencies) {
    models::widen(figures, models::key_figures(collision, places, with_frequencies));
    const std::vector<core::Violation> known = doubts;  // one value of a swept key is enough
    for (core::Violation& doubt : models::implausible(collision, places)) {
        if (std::ranges::find(known, doubt.key, &core::Violation::key) == known.end()) {
            doubts.push_back(std::move(doubt));
        }
    }
}

InputEcho echo_of(const models::BeamCollision& collision, std::span<const double> places) {
    InputEcho echo;
    echo.add(collision, places);
    return echo;
}

io::Value to_value(const std::vector<models::KeyFigure>& figures) {
    io::Value list = io::Value::array();
    for (const models::KeyFigure& figure : figures) {
        list.append(io::Value::object()
                        .set("quantity", figure.quantity)
                        .set("unit", figure.unit)
                        .set("low", figure.low)
                        .set("high", figure.high)
                        .set("text", models::to_text(figure)));
    }
    return list;
}

std::string to_warning(const core::Violation& doubt) {
    return fmt::format("{}: {}: {}{}{}", doubt.key, doubt.value, doubt.rule,
                       doubt.suggestion.empty() ? "" : "; ", doubt.suggestion);
}

std::vector<io::PlainNumber> numbers_read_as_si(const io::Document& document,
                                                const std::vector<io::KeyDescription>& keys) {
    std::vector<io::PlainNumber> numbers = io::plain_numbers(document.root, keys);
    OtherValues others(keys, numbers);
    if (const io::Node* const sweep = document.root.find("sweep")) {
        others.add(*sweep, "sweep", {"values"});
    }
    for (const char* const ranges : {"over", "fit"}) {
        others.add_each(document.root.find(ranges), ranges, {"from", "to"});
    }
    if (const io::Node* const uncertainty = document.root.find("uncertainty")) {
        others.add_each(uncertainty->find("keys"), "uncertainty.keys",
                        {"mean", "sigma", "from", "to"});
    }
    return numbers;
}

}  // namespace stoss::solvers
