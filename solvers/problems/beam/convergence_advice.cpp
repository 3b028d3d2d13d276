#include <solvers/problems/beam/convergence_advice.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <models/mode_choice.hpp>
#include <models/truncation.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

namespace {

constexpr int most_modes = 600;  // the modes of such a basis take a minute

/// One digit, rounded towards the finer.
double rounded_to_finer(double time) {
    const double decade = core::pow(10.0, std::floor(core::log10(time)));
    return std::floor(time / decade + 1e-9) * decade;
}

class Adviser {
  public:
    Adviser(const ConvergenceStudy& study, const models::BeamCollision& collision, Refined largest)
        : study_(study),
          collision_(collision),
          own_(resolution_of(collision)),
          aim_(0.5 * std::min(collision.mesh.tolerance, part(largest))) {
        for (const Refined each : all_refined)
            if (each == largest || part(each) > aim_) refined_.push_back(each);
    }

    std::string words() const {
        const Resolution wanted = advised();
        const std::string beyond = beyond_reach(wanted);
        return beyond.empty() ? settings_words(wanted) : beyond;
    }

  private:
    double part(Refined refined) const {
        return study_.changes(refined).quantile_90.value_or(io::no_number);
    }

    /// Without it the first advice is the residual flexibility, and not more modes.
    bool needs_flexibility(Refined refined) const {
        return refined == Refined::modes && !collision_.mesh.residual_flexibility;
    }

    Resolution advised() const {
        Resolution wanted = own_;
        for (const Refined each : refined_) {
            if (needs_flexibility(each)) continue;
            const double finer = needed(each);
            if (each == Refined::modes)
                wanted.modes = static_cast<int>(std::ceil(std::min(finer, most_modes + 1.0)));
            else if (each == Refined::elements)
                wanted.elements =
                    own_.elements * static_cast<int>(std::ceil(
                                        std::min(finer, most_elements + 1.0) / own_.elements));
            else
                wanted.time = rounded_to_finer(1.0 / finer);
        }
        // The elements were measured with the modes of the case.
        if (wanted.modes > own_.modes)
            wanted.elements = std::max(wanted.elements,
                                       models::with_modes(collision_, wanted.modes).mesh.elements);
        return wanted;
    }

    /// Why no advice is possible; empty if it is.
    std::string beyond_reach(const Resolution& wanted) const {
        std::string words;
        if (wanted.modes > most_modes)
            words = fmt::format("more than {} modes are needed", most_modes);
        else if (wanted.elements > most_elements)
            words = fmt::format("more than {} elements are needed", most_elements);
        else if (collision_.integration.estimates_error() && wanted.time < tightest_tolerance)
            words =
                fmt::format("a tolerance below {} is needed", core::to_text(tightest_tolerance));
        else
            return "";
        return words +
               "; where a small difference grows from one sub-impact to the next, give e as a "
               "range";
    }

    std::string settings_words(const Resolution& wanted) const {
        std::vector<std::string> keys, unmeasured;
        bool is_final = true;
        for (const Refined each : refined_) {
            if (needs_flexibility(each)) {
                keys.emplace_back(
                    "mesh.residual_flexibility: true (the error falls with p^-7 instead of p^-3)");
                is_final = false;
            } else if (!has_order(each)) {
                unmeasured.push_back(std::string(name_of(each, collision_.integration.scheme)));
            }
        }
        if (wanted.modes > own_.modes) keys.push_back(fmt::format("mesh.modes: {}", wanted.modes));
        if (wanted.elements > own_.elements)
            keys.push_back(fmt::format("mesh.elements: {}", wanted.elements));
        if (wanted.time < own_.time) {
            const bool is_step = !collision_.integration.estimates_error();
            keys.push_back(fmt::format("integration.{}: {:.1g}{}",
                                       name_of(Refined::time, collision_.integration.scheme),
                                       wanted.time, is_step ? " s" : ""));
        }
        std::string words = "take " + core::listed(keys, "and");
        if (!is_final || !unmeasured.empty()) words += ", and study again";
        if (!unmeasured.empty())
            words += fmt::format(": no order in {} was measured", core::listed(unmeasured, "or"));
        return words;
    }

    bool has_order(Refined refined) const {
        const auto order = study_.order(refined);
        return order && *order > 0.5;
    }

    /// The order of theory, which few levels may seem to exceed; a lower one if it was measured.
    double order(Refined refined) const {
        double expected = 4.0;  // of Hermite elements
        if (refined == Refined::time) {
            expected = collision_.integration.estimates_error() ? 1.0 : 2.0;
        } else if (refined == Refined::modes) {
            const double share = models::truncation_share(models::BeamModel(collision_));
            expected = core::log(1.0 + 1.0 / share) / core::log(models::truncation_ratio);
        }
        return has_order(refined) ? std::min(*study_.order(refined), expected) : expected;
    }

    /// The resolution at which the contribution would be as small as requested: by the order from
    /// the finest level that is not fine enough, or the next level if that is coarser.
    double needed(Refined refined) const {
        const auto& levels = study_.refinement(refined).levels;
        const double order = this->order(refined);
        const auto fineness_at = [&](std::size_t level) {
            return fineness(refined, levels[level].resolution);
        };
        // The change to the reference is the error less that of the reference.
        const auto error_at = [&](std::size_t level) {
            const double change =
                study_.changes(refined, level).quantile_90.value_or(core::infinity);
            return change /
                   (1.0 - core::pow(fineness_at(level) / fineness_at(levels.size() - 1), order));
        };
        std::size_t coarse = study_.refinement(refined).own_level;
        for (std::size_t level = coarse + 1; level + 1 < levels.size(); ++level)
            if (error_at(level) > aim_) coarse = level;
        const double by_order =
            fineness_at(coarse) * core::pow(std::max(1.0, error_at(coarse) / aim_), 1.0 / order);
        return coarse + 2 < levels.size() ? std::min(by_order, fineness_at(coarse + 1)) : by_order;
    }

    const ConvergenceStudy& study_;
    const models::BeamCollision& collision_;
    Resolution own_;
    double aim_;  ///< what each contribution is to become: they add up, and an order has an error
    std::vector<Refined> refined_;  ///< what must become finer
};

}  // namespace

std::string finer_settings(const ConvergenceStudy& study, const models::BeamCollision& collision,
                           Refined largest) {
    return Adviser(study, collision, largest).words();
}

}  // namespace stoss::solvers
