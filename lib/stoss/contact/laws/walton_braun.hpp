#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/damping.hpp>
#include <stoss/core/text.hpp>

namespace stoss::contact {

/// Elastic-plastic contact of two straight lines (theory/contact_laws.md 8.16) (Walton and Braun
/// 1986): loading along k_1 x, unloading and reloading along k_2 (x - x_p), x_p = (1 - k_1/k_2)
/// x_max. Rate-independent, so e = sqrt(k_1/k_2) at any speed. The dent x_p stays.
struct WaltonBraun {
    static constexpr std::string_view name = "walton_braun";
    static constexpr std::string_view meaning =
        "elastic-plastic: loading k1 x, unloading k2 (x - x_p); e = sqrt(k1/k2)";
    static constexpr bool is_elastic = false;

    struct Memory {
        double largest_overlap = 0.0;  ///< x_max [m]
    };

    std::optional<double> stiffness = {};
    std::optional<double> unloading_stiffness = {};
    std::optional<double> restitution = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("stiffness", &WaltonBraun::stiffness, "N/m", core::positive,
                        "loading stiffness k1")
                .required(),
            core::field("unloading_stiffness", &WaltonBraun::unloading_stiffness, "N/m",
                        core::positive, "unloading stiffness k2 >= k1; or give restitution"),
            core::field("restitution", &WaltonBraun::restitution, "", wanted_restitution,
                        "wanted e, in place of unloading_stiffness: k2 = k1/e^2")};
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        auto violations = check_one_given("unloading_stiffness", unloading_stiffness, restitution);
        return violations.empty() ? check_ratio() : violations;
    }

    std::vector<core::Violation> check_numbers() const {
        if (unloading_stiffness || restitution) return check_ratio();
        return check_one_given("unloading_stiffness", unloading_stiffness, restitution);
    }

    Memory prepare(const PairProperties& /*pair*/) const { return {}; }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}

    template <class T>
    T force(const T& x, const T& /*v*/, const Memory& memory) const {
        if (!(x < T(memory.largest_overlap))) return *stiffness * x;
        const T unloading = steep() * (x - end_overlap(memory));
        return unloading > T(0.0) ? unloading : T(0.0);
    }

    template <class T>
    T stored_energy(const T& x, const Memory& memory) const {
        const T f = force(x, T(0.0), memory);
        return 0.5 / steep() * f * f;
    }

    void accept(Memory& memory, double x, double /*v*/) const {
        memory.largest_overlap = std::max(memory.largest_overlap, x);
    }

    /// The dent x_p.
    double end_overlap(const Memory& memory) const {
        return (1.0 - *stiffness / steep()) * memory.largest_overlap;
    }

    /// x_max: first loading continues from the largest overlap so far.
    double kink_overlap(const Memory& memory) const { return memory.largest_overlap; }

  private:
    std::vector<core::Violation> check_ratio() const {
        if (!unloading_stiffness || !stiffness || *unloading_stiffness >= *stiffness) return {};
        return {{"unloading_stiffness", core::with_unit(*unloading_stiffness, "N/m"),
                 "must be >= stiffness: otherwise unloading would return more energy than loading "
                 "stored",
                 "the restitution is e = sqrt(stiffness/unloading_stiffness)"}};
    }
    /// k_2
    double steep() const {
        if (unloading_stiffness) return *unloading_stiffness;
        return *stiffness / (*restitution * *restitution);
    }
};

}  // namespace stoss::contact
