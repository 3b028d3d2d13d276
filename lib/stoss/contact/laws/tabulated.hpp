#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include <stoss/contact/contact_law.hpp>
#include <stoss/contact/force_table.hpp>

namespace stoss::contact {

/// Force by a table of overlap and force, for instance measured or computed by finite elements
/// (theory/contact_laws.md 8.23). A monotone cubic curve goes through the points; beyond the last
/// one it goes on straight. With `unloading_force` the contact loses what lies between the curves.
struct Tabulated {
    static constexpr std::string_view name = "tabulated";
    static constexpr std::string_view meaning =
        "force from a table over the overlap, for loading and unloading; a smooth curve passes "
        "through its points";
    static constexpr bool is_elastic = false;  // it may have a curve of unloading

    struct Memory {
        std::shared_ptr<const ForceTable> table = {};
        double largest_overlap = 0.0;  ///< [m]; stays 0 without a curve of unloading
    };

    std::vector<double> overlap = {};
    std::vector<double> force_points = {};
    std::vector<double> unloading_force = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("overlap", &Tabulated::overlap, "m", core::non_negative,
                        "overlaps of the table, rising from 0")
                .required(),
            core::field("force", &Tabulated::force_points, "N", core::non_negative,
                        "force at each overlap while the overlap grows")
                .required(),
            core::field("unloading_force", &Tabulated::unloading_force, "N", core::non_negative,
                        "force at each overlap while it decreases from the last one; none: as for "
                        "loading")};
    }

    std::vector<core::Violation> check(Separation /*separation*/) const {
        return contact::check(points());
    }

    /// Errors: core::InputError for points that `check` refuses.
    Memory prepare(const PairProperties& /*pair*/) const {
        core::throw_if_any(contact::check(points()));
        return {std::make_shared<const ForceTable>(points()), 0.0};
    }
    void onset(Memory& /*memory*/, double /*approach_speed*/) const {}
    void accept(Memory& memory, double x, double /*v*/) const {
        if (memory.table->has_unloading())
            memory.largest_overlap = std::max(memory.largest_overlap, x);
    }

    double force(double x, double /*v*/, const Memory& memory) const {
        if (!(x > 0.0)) return 0.0;
        return is_loading(x, memory) ? memory.table->loading(x)
                                     : memory.table->unloading(x, memory.largest_overlap);
    }
    core::Dual force(const core::Dual& x, const core::Dual& v, const Memory& memory) const {
        if (!(x.value > 0.0) && !(x.derivative != 0.0)) return 0.0;
        const double at = std::max(x.value, 0.0);
        const double slope = is_loading(at, memory)
                                 ? memory.table->loading_slope(at)
                                 : memory.table->unloading_slope(at, memory.largest_overlap);
        return {force(x.value, v.value, memory), slope * x.derivative};
    }

    /// Energy [J] that unloading from x would return, while the body is on the loading curve.
    double stored_energy(double x, const Memory& memory) const {
        if (!(x > 0.0)) return 0.0;
        const ForceTable& table = *memory.table;
        if (!table.has_unloading()) return table.loading_work(x);
        return table.unloading_work(x, std::max(x, memory.largest_overlap));
    }
    core::Dual stored_energy(const core::Dual& x, const Memory& memory) const {
        return {stored_energy(x.value, memory), elastic_force(x.value, memory) * x.derivative};
    }
    double elastic_force(double x, const Memory& memory) const {
        if (!(x > 0.0)) return 0.0;
        const ForceTable& table = *memory.table;
        if (!table.has_unloading()) return table.loading(x);
        if (!is_loading(x, memory)) return table.unloading(x, memory.largest_overlap);
        // d/dx of f(x) x G, G the work of the scaled curve.
        const double part = table.unloading_work(x, x) / (table.loading(x) * x);
        return (table.loading(x) + x * table.loading_slope(x)) * part;
    }

    /// The dent that unloading leaves.
    double end_overlap(const Memory& memory) const {
        return memory.table->dent(memory.largest_overlap);
    }

    /// First loading continues from the largest overlap so far.
    double kink_overlap(const Memory& memory) const { return memory.largest_overlap; }

    /// The interval of the table.
    int piece(double x, const Memory& memory) const {
        return is_loading(x, memory) ? memory.table->interval(x)
                                     : memory.table->unloading_interval(x, memory.largest_overlap);
    }

  private:
    ForcePoints points() const { return {overlap, force_points, unloading_force}; }
    static bool is_loading(double x, const Memory& memory) {
        return !memory.table->has_unloading() || !(x < memory.largest_overlap);
    }
};

}  // namespace stoss::contact
