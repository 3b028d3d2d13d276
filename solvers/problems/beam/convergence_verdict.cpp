#include <solvers/problems/beam/convergence_verdict.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <solvers/problems/beam/convergence_advice.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>

namespace stoss::solvers {

namespace {

/// The smallest number of one digit that is not below.
double rounded_up(double value) {
    if (!(value > 1e-15)) return 1e-15;
    const double decade = core::pow(10.0, std::floor(core::log10(value)));
    return std::ceil(value / decade * (1.0 - 1e-12)) * decade;
}

std::string short_number(double value) {
    return fmt::format("{:.2g}", value);
}

class Judge {
  public:
    Judge(const ConvergenceStudy& study, const models::BeamCollision& collision,
          const std::vector<std::string>& labels, const PlaceChoice& choice)
        : study_(study),
          collision_(collision),
          labels_(labels),
          places_of_case_(std::max(choice.of, study.places().size())),
          doubtful_(choice.doubtful),
          scheme_(collision_.integration.scheme),
          own_(resolution_of(collision_)),
          all_(study.changes()) {}

    ConvergenceVerdict verdict() const {
        ConvergenceVerdict verdict;
        verdict.known_to = known_to();
        for (std::size_t place = 0; place < study_.places().size(); ++place) {
            if (!(std::abs(study_.change(place)) <= verdict.known_to))
                verdict.unknown.push_back(place);
        }
        for (const Refined each : all_refined) {
            if (part(each) > part(verdict.largest_part)) verdict.largest_part = each;
        }
        verdict.known = known_words(verdict);
        verdict.parts = part_words(verdict);
        verdict.advice = advice(verdict.largest_part);
        verdict.methods = methods_words(verdict);
        return verdict;
    }

  private:
    double known_to() const {
        // If no place is an exception, all are known.
        const bool is_even = *all_.largest <= 3.0 * *all_.quantile_90;
        if (is_even) return rounded_up(*all_.largest);
        if (*all_.quantile_90 > target()) return rounded_up(*all_.quantile_90);
        // A place within the tolerance is no exception.
        double largest = *all_.quantile_90;
        for (std::size_t place = 0; place < study_.places().size(); ++place) {
            const double size = std::abs(study_.change(place));
            if (size <= target()) largest = std::max(largest, size);
        }
        return std::min(rounded_up(largest), target());
    }

    double part(Refined refined) const {
        return study_.changes(refined).quantile_90.value_or(io::no_number);
    }
    std::string name(Refined refined) const { return std::string(name_of(refined, scheme_)); }

    std::string place_words(std::size_t place) const {
        const StudiedPlace& at = study_.places()[place];
        if (labels_[at.curve].empty()) return fmt::format("{:.4g}", at.xi);
        return fmt::format("{:.4g} ({})", at.xi, labels_[at.curve]);
    }

    std::string known_words(const ConvergenceVerdict& verdict) const {
        const std::size_t count = study_.places().size(), unknown = verdict.unknown.size();
        const std::string is_known = fmt::format("the coefficient of restitution is known to {} ",
                                                 short_number(verdict.known_to));
        if (count == 1) return is_known + "with these settings";
        if (unknown == 0 && !is_choice())
            return is_known + fmt::format("at all {} places with these settings", count);
        std::string words =
            is_known + fmt::format("at {} with these settings", of_all_places(count - unknown));
        if (unknown == 0) return words + not_studied_words();
        words += fmt::format("; at xi = {} it is not", list_of(verdict.unknown));
        if (*all_.largest > verdict.known_to) {
            words += fmt::format(": it changes by up to {}", short_number(*all_.largest));
        }
        if (all_.places < count) {
            words += fmt::format("; at {} of them the bodies did not part in every collision",
                                 count - all_.places);
        }
        return words + not_studied_words();
    }

    bool is_choice() const { return places_of_case_ > study_.places().size(); }
    std::string of_all_places(std::size_t count) const {
        return fmt::format("{} of {}{} places", count, is_choice() ? "the " : "", places_of_case_);
    }
    /// Empty if all were studied.
    std::string not_studied_words() const {
        if (!is_choice()) return "";
        const std::size_t left = places_of_case_ - study_.places().size();
        std::string words =
            fmt::format("; {} place{} not studied", left, left == 1 ? " was" : "s were");
        if (doubtful_ > 0)
            words += fmt::format(
                ", and at {} of these further modes change it by more than mesh.tolerance = {}",
                doubtful_, core::to_text(target()));
        return words;
    }

    std::string list_of(const std::vector<std::size_t>& places) const {
        constexpr std::size_t most_named = 8;
        std::string words;
        for (std::size_t i = 0; i < std::min(places.size(), most_named); ++i) {
            words += (i > 0 ? ", " : "") + place_words(places[i]);
        }
        if (places.size() > most_named)
            words += fmt::format(" and {} more", places.size() - most_named);
        return words;
    }

    /// Of |changes|: the only one, or how most of them are.
    std::string most_places() const {
        if (study_.places().size() == 1) return "it";
        if (!is_choice()) return "it at 90 % of the places";
        return fmt::format("it at 90 % of the {} evenly spaced places", all_.places_in_quantiles);
    }

    std::string part_words(const ConvergenceVerdict& verdict) const {
        std::vector<std::string> others;
        for (const Refined each : all_refined) {
            if (each == verdict.largest_part) continue;
            others.push_back(fmt::format("the {} by {}", name(each), short_number(part(each))));
        }
        return fmt::format("the {} change{} {} by up to {}, {}", name(verdict.largest_part),
                           verdict.largest_part == Refined::time ? "s" : "", most_places(),
                           short_number(part(verdict.largest_part)), fmt::join(others, ", "));
    }

    /// Of which places a median is, where it is not of all of the study.
    std::string of_the_sample() const {
        return is_choice() ? fmt::format(" of the {} evenly spaced ones", all_.places_in_quantiles)
                           : "";
    }

    double target() const { return collision_.mesh.tolerance; }
    std::string advice(Refined largest) const {
        if (*all_.quantile_90 <= target()) {
            return fmt::format(
                "these settings are enough for mesh.tolerance = {}: finer ones change {} by up to "
                "{}",
                core::to_text(target()), most_places(), short_number(*all_.quantile_90));
        }
        return fmt::format("for mesh.tolerance = {} {}", core::to_text(target()),
                           finer_settings(study_, collision_, largest));
    }

    std::string time_words(double time) const {
        if (collision_.integration.estimates_error()) {
            return fmt::format("at a tolerance of {}", core::to_text(time));
        }
        return fmt::format("with a time step of {}", core::with_unit(time, "s"));
    }

    std::string methods_words(const ConvergenceVerdict& verdict) const {
        const Resolution& fine = study_.refinement(Refined::modes).levels.back().resolution;
        const std::size_t count = study_.places().size(), unknown = verdict.unknown.size();
        std::string words = fmt::format(
            "Coefficients of restitution were computed with {} mode{}{} on {} elements {}; with {} "
            "modes on {} elements {} they changed by at most {}",
            own_.modes, own_.modes == 1 ? "" : "s",
            collision_.mesh.residual_flexibility ? " and residual flexibility" : "", own_.elements,
            time_words(own_.time), fine.modes, fine.elements, time_words(fine.time),
            short_number(verdict.known_to));
        if (count == 1) return words + ".";
        if (unknown == 0) {
            const std::string places =
                is_choice() ? of_all_places(count) : fmt::format("{} places", count);
            return words + fmt::format(" at {} (median {}{}){}.", places,
                                       short_number(*all_.median), of_the_sample(),
                                       not_studied_words());
        }
        words += fmt::format(" at {}", of_all_places(count - unknown));
        if (*all_.largest > verdict.known_to) {
            words += fmt::format(", by up to {} at {}", short_number(*all_.largest),
                                 !is_choice()   ? "the others"
                                 : unknown == 1 ? "one other"
                                                : fmt::format("{} others", unknown));
        }
        if (all_.places < count) {
            words += fmt::format("; at {} places not every collision ended", count - all_.places);
        }
        return words + not_studied_words() + ".";
    }

    const ConvergenceStudy& study_;
    const models::BeamCollision& collision_;
    const std::vector<std::string>& labels_;
    std::size_t places_of_case_;
    std::size_t doubtful_;
    const impact::Scheme& scheme_;
    Resolution own_;
    CorChanges all_;
};

}  // namespace

ConvergenceVerdict verdict_of(const ConvergenceStudy& study, const models::BeamCollision& collision,
                              const std::vector<std::string>& labels, const PlaceChoice& choice) {
    return Judge(study, collision, labels, choice).verdict();
}

}  // namespace stoss::solvers
