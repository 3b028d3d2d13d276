#pragma once

#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/force_function.hpp>

namespace stoss::contact {

/// F(x, v) as a program computes it, without memory. What is stored is the work of F(x, 0), so that
/// a force without rate loses nothing. For programs: no case can hold a function.
///
/// Slower than a law that is compiled: derivatives are differences. Written for double and
/// core::Dual only.
struct FunctionLaw : Memoryless {
    static constexpr std::string_view name = "function";
    static constexpr std::string_view meaning =
        "force computed by a function of the calling program";
    static constexpr bool is_elastic = false;
    static constexpr bool for_programs = true;

    std::shared_ptr<const ForceFunction> function = {};  ///< required; shared by all copies

    static constexpr auto fields() { return std::tuple<>{}; }

    std::vector<core::Violation> check(Separation /*separation*/) const { return check_numbers(); }
    std::vector<core::Violation> check_numbers() const {
        if (function) return {};
        return {{"function", "", "is missing", "give the force as a function"}};
    }

    double force(double x, double v, const NoMemory& /*memory*/) const {
        return function->force(x, v);
    }
    core::Dual force(const core::Dual& x, const core::Dual& v, const NoMemory& /*memory*/) const {
        core::Dual force = function->force(x.value, v.value);
        if (x.derivative != 0.0)
            force.derivative += function->slope_by_overlap(x.value, v.value) * x.derivative;
        if (v.derivative != 0.0)
            force.derivative += function->slope_by_rate(x.value, v.value) * v.derivative;
        return force;
    }

    double stored_energy(double x, const NoMemory& /*memory*/) const { return function->work(x); }
    core::Dual stored_energy(const core::Dual& x, const NoMemory& memory) const {
        return {function->work(x.value), elastic_force(x.value, memory) * x.derivative};
    }
    double elastic_force(double x, const NoMemory& /*memory*/) const {
        return function->force(x, 0.0);
    }
};

}  // namespace stoss::contact
