// The database of units: UDUNITS-2.
#include <stoss/io/detail/unit_algebra.hpp>

#include <memory>
#include <utility>

#include <udunits2.h>
#include <stoss/core/error.hpp>

namespace stoss::io {
namespace {

ut_system* unit_system() {
    static const std::unique_ptr<ut_system, decltype(&ut_free_system)> system = [] {
        ut_set_error_message_handler(ut_ignore);
        return std::unique_ptr<ut_system, decltype(&ut_free_system)>(ut_read_xml(nullptr),
                                                                     &ut_free_system);
    }();
    if (!system) {
        throw core::FileError("the unit database of UDUNITS-2 (udunits2.xml) cannot be read");
    }
    return system.get();
}

// Null if there is none.
Unit held(ut_unit* unit) {
    if (unit == nullptr) return nullptr;
    return {static_cast<const void*>(unit),
            [](const void* each) { ut_free(static_cast<ut_unit*>(const_cast<void*>(each))); }};
}

ut_unit* inside(const Unit& unit) {
    return static_cast<ut_unit*>(const_cast<void*>(unit.get()));
}

}  // namespace

Unit unit_of(const std::string& words) {
    return held(ut_parse(unit_system(), words.c_str(), UT_UTF8));
}

Unit unit_one() {
    return held(ut_get_dimensionless_unit_one(unit_system()));
}

// UDUNITS also converts between reciprocals; here that is a wrong unit.
bool same_dimension(const Unit& a, const Unit& b) {
    const Unit ratio = held(ut_divide(inside(a), inside(b)));
    return ratio && ut_is_dimensionless(inside(ratio)) != 0;
}

Conversion conversion_of(const Unit& from, const Unit& to) {
    cv_converter* const found = ut_get_converter(inside(from), inside(to));
    if (found == nullptr) return {};
    const std::shared_ptr<cv_converter> converter(found, &cv_free);
    return [converter](double value) { return cv_convert_double(converter.get(), value); };
}

}  // namespace stoss::io
