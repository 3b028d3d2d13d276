#include <stoss/contact/power.hpp>

#include <cmath>

#include <stoss/core/elementary.hpp>
#include <stoss/core/number.hpp>

namespace stoss::contact {

namespace {

using std::sqrt;

#include <stoss/contact/detail/power_by_roots.inl>

}  // namespace

double general_power(double x, double p) {
    return takes_roots(p) ? power_by_roots(x, p) : core::pow(x, p);
}

}  // namespace stoss::contact
