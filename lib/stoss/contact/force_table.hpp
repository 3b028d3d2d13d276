#pragma once
/// A contact force from measured points.

#include <optional>
#include <span>
#include <vector>

#include <stoss/contact/monotone_cubic.hpp>
#include <stoss/core/error.hpp>

namespace stoss::contact {

/// Points of a contact force: overlaps [m], force while loaded [N] and, if it differs, while
/// unloaded from the last overlap [N].
struct ForcePoints {
    std::span<const double> overlap, force, unloading_force;  ///< unloading_force: may be empty
};

/// What is wrong with the points; keys are `overlap`, `force`, `unloading_force`.
std::vector<core::Violation> check(const ForcePoints& points);

/// Force curves through the points (theory/contact_laws.md 8.23). Unloading begins at any overlap
/// x_m along the given unloading curve g, scaled in overlap and force:
/// F(x) = f(x_m) g(x X/x_m)/g(X), X the last overlap of the table.
class ForceTable {
  public:
    /// Precondition: check(points) is empty.
    explicit ForceTable(const ForcePoints& points);

    double loading(double x) const { return loading_.value(x); }
    double loading_slope(double x) const { return loading_.slope(x); }
    /// Work [J] of loading from 0 to x.
    double loading_work(double x) const { return loading_.integral(x); }

    /// Number of the interval of the loading curve that x lies in; beyond the last point one more.
    int interval(double x) const { return loading_.interval(x); }

    bool has_unloading() const { return unloading_.has_value(); }
    /// Force [N] and slope [N/m] at x <= largest, unloaded from `largest`.
    double unloading(double x, double largest) const;
    double unloading_slope(double x, double largest) const;
    /// Work [J] that unloading from x to the end of the contact returns.
    double unloading_work(double x, double largest) const;
    /// Number of the interval of the unloading curve that x <= largest lies in.
    int unloading_interval(double x, double largest) const;
    /// Overlap [m] at which the force of unloading vanishes.
    double dent(double largest) const { return dent_ * largest; }

  private:
    MonotoneCubic loading_;
    std::optional<MonotoneCubic> unloading_;  ///< g(x)/g(X) over x/X
    double dent_ = 0.0;                       ///< part of the largest overlap
};

}  // namespace stoss::contact
