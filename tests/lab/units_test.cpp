// The table of units of the laboratory against UDUNITS: every unit, alone, with prefixes and in
// products, to the last bit: a case has the same numbers in a browser as in the command.
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <gtest/gtest.h>
#include <udunits2.h>
#include <lab/engine/unit_table.hpp>
#include <stoss/io/units.hpp>

namespace {

using namespace stoss;

/// Factor to SI by UDUNITS; NaN if it does not know the unit or its dimension is another.
double factor_by_udunits(const std::string& unit, const std::string& si) {
    static const std::unique_ptr<ut_system, decltype(&ut_free_system)> system = [] {
        ut_set_error_message_handler(ut_ignore);
        return std::unique_ptr<ut_system, decltype(&ut_free_system)>(ut_read_xml(nullptr),
                                                                     &ut_free_system);
    }();
    using Unit = std::unique_ptr<ut_unit, decltype(&ut_free)>;
    const Unit from(ut_parse(system.get(), unit.c_str(), UT_UTF8), &ut_free);
    const Unit to(ut_parse(system.get(), si.c_str(), UT_UTF8), &ut_free);
    if (!from || !to || ut_are_convertible(from.get(), to.get()) == 0) return std::nan("");
    const std::unique_ptr<cv_converter, decltype(&cv_free)> converter(
        ut_get_converter(from.get(), to.get()), &cv_free);
    return cv_convert_double(converter.get(), 1.0);
}

double by_table(const std::string& unit, const std::string& si) {
    const auto value = io::parse_quantity("1 " + unit, si);
    return std::holds_alternative<double>(value) ? std::get<double>(value) : std::nan("");
}

std::string si_of(const lab::TableUnit& unit) {
    return "m" + std::to_string(unit.metre) + " kg" + std::to_string(unit.kilogram) + " s" +
           std::to_string(unit.second) + " K" + std::to_string(unit.kelvin);
}

/// A power of ten without its roundoff, as units.cpp takes it.
double without_roundoff(double factor) {
    const int shift = static_cast<int>(std::round(std::log10(factor)));
    const double power = std::stod("1e" + std::to_string(shift));
    return std::abs(factor / power - 1.0) < 1e-12 ? power : factor;
}

void expect_same(const std::string& unit, const std::string& si) {
    const double expected = without_roundoff(factor_by_udunits(unit, si));
    EXPECT_EQ(by_table(unit, si), expected) << unit << " in " << si;
}

TEST(LabUnits, EachUnitOfTheTableIsThatOfUdunits) {
    for (const lab::TableUnit& unit : lab::table_units()) {
        const std::string name(unit.name);
        if (name == "%") continue;
        const bool is_angle =
            unit.metre == 0 && unit.kilogram == 0 && unit.second == 0 && unit.kelvin == 0;
        const std::string si = is_angle ? "rad" : si_of(unit);
        expect_same(name, si);
        if (!unit.takes_prefixes) continue;
        for (const char* prefix : {"T", "G", "M", "k", "d", "c", "m", "u", "\u00b5", "n", "p"})
            expect_same(prefix + name, si);
    }
}

TEST(LabUnits, ProductsQuotientsAndPowersAreThoseOfUdunits) {
    const std::vector<std::pair<std::string, std::string>> pairs{
        {"g/cm^3", "kg/m^3"},   {"kN/mm", "N/m"},   {"mm^4", "m^4"},       {"mm2", "m^2"},
        {"kg cm^2", "kg m^2"},  {"N s/m", "N s/m"}, {"N s/m^2", "Pa s"},   {"m s-1", "m/s"},
        {"mN*s", "N s"},        {"N.m", "J"},       {"1/mm", "1/m"},       {"kg/(m s)", "Pa s"},
        {"N m/rad", "N m/rad"}, {"mm**2", "m^2"},   {"km/h", "m/s"},       {"turn/min", "rad/s"},
        {"kl", "m^3"},          {"g/l", "kg/m^3"},  {"lb/in^3", "kg/m^3"}, {"kN/mm^2", "Pa"},
    };
    for (const auto& [unit, si] : pairs) expect_same(unit, si);
}

TEST(LabUnits, RefusalsAreThoseOfTheCommand) {
    const auto rule = [](const char* text, const char* si) {
        return std::get<io::QuantityError>(io::parse_quantity(text, si)).rule;
    };
    EXPECT_EQ(rule("3 s", "m"), "is a time; this key wants a length (m)");
    EXPECT_EQ(rule("3 parsnips", "m"),
              "has the unit `parsnips`, which is not known; this key wants a length");
    EXPECT_EQ(rule("10 Hz", "rad/s"),
              "is a frequency; this key wants an angular speed (1 Hz is 2 pi rad/s)");
    EXPECT_EQ(rule("5 m/N", "N/m"), "is in `m/N`; this key wants a stiffness (N/m)");
}

}  // namespace
