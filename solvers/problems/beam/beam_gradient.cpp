#include <solvers/problems/beam/beam_gradient.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/key_slopes.hpp>
#include <solvers/case/sweep.hpp>
#include <stoss/fem/beam_mesh.hpp>

namespace stoss::solvers {

namespace {

using impact::Quantity;

/// The number of a result in the columns of a collision.
double result_in(std::span<const double> columns, Quantity quantity) {
    return columns[column_index(result_column(quantity))];
}

/// GradientKey::range on a beam of that length [m].
std::optional<double> range_of(std::string_view key, double length) {
    if (key == models::contact_place_key) return length;
    return key.ends_with(".xi") ? std::optional(1.0) : std::nullopt;
}

}  // namespace

std::vector<core::Violation> check_gradient_keys(const GradientKeys& wanted,
                                                 const models::BeamCollision& collision) {
    std::vector<core::Violation> found = check_gradient_lists(wanted);
    if (!wanted.has_gradient()) return found;
    auto names = single_keys(io::describe_keys<models::BeamCollision>());
    names.emplace_back(models::contact_place_key);
    auto of_keys = models::check_gradient(collision, *wanted.gradient, "gradient");
    const auto is_accepted = [&](const std::string& name) {
        const auto refused = models::check_gradient(collision, std::array{name}, "gradient");
        return std::ranges::none_of(refused, [&](const auto& each) { return each.value == name; });
    };
    suggest_accepted_keys(of_keys, names, is_accepted,
                          "for example beam.material.youngs_modulus, or location");
    std::ranges::move(of_keys, std::back_inserter(found));
    return found;
}

GradientStudy::GradientStudy(const models::BeamModel& model, const GradientKeys& wanted)
    : gradients_(model, *wanted.gradient),
      quantities_(wanted.quantities()),
      with_kinks_(wanted.gradient_kinks) {
    for (std::size_t k = 0; k < gradients_.keys().size(); ++k)
        keys_.push_back({gradients_.keys()[k], gradients_.units()[k], gradients_.reason(k),
                         range_of(gradients_.keys()[k], model.scales().length)});
}

std::vector<double> GradientStudy::slopes(double xi, double xi_by_length) const {
    return slopes_in_row(gradients_.at(xi, quantities_, xi_by_length, with_kinks_), keys_.size(),
                         quantities_.size(), with_kinks_);
}

GradientRow GradientStudy::row(std::span<const double> columns, std::vector<double> slopes) const {
    const double xi = columns[column_index("xi")];
    GradientRow row{fmt::format("at xi = {:.4g}", xi),
                    {xi, columns[column_index("x_m")]},
                    {},
                    {},
                    std::move(slopes)};
    for (std::size_t k = 0; k < keys_.size(); ++k) row.values.push_back(gradients_.value(k, xi));
    const bool is_separated = std::isfinite(result_in(columns, Quantity::cor_kinematic));
    for (const Quantity quantity : quantities_)
        row.results.push_back(is_separated ? result_in(columns, quantity) : io::no_number);
    return row;
}

std::vector<SweetSpot> GradientStudy::sweet_spots(std::span<const GradientRow> rows) const {
    const auto& keys = gradients_.keys();
    const auto key = std::ranges::find(keys, models::contact_place_key) - keys.begin();
    const auto quantity =
        std::ranges::find(quantities_, Quantity::cor_kinematic) - quantities_.begin();
    const auto column =
        static_cast<std::size_t>(key) * quantities_.size() + static_cast<std::size_t>(quantity);
    std::vector<SweetSpot> spots;
    if (key == std::ssize(keys) || quantity == std::ssize(quantities_)) return spots;
    // At a place on a kink e has no derivative: its neighbours tell.
    const auto is_on_kink = [&](const GradientRow& row) {
        const auto q = static_cast<std::size_t>(quantity);
        return std::isnan(row.slopes[column]) && q < row.results.size() &&
               std::isfinite(row.results[q]);
    };
    std::vector<const GradientRow*> known;
    for (const GradientRow& row : rows)
        if (!is_on_kink(row)) known.push_back(&row);
    for (std::size_t i = 1; i < known.size(); ++i) {
        const double before = known[i - 1]->slopes[column], after = known[i]->slopes[column];
        if (!(before * after < 0.0)) continue;
        const double left = known[i - 1]->place.front(), right = known[i]->place.front();
        spots.push_back(left < right ? sweet_spot_between({left, right}, {before, after})
                                     : sweet_spot_between({right, left}, {after, before}));
    }
    return spots;
}

/// The zero of the derivative, or its jump, in a bracket that shrinks.
SweetSpot GradientStudy::sweet_spot_between(std::array<double, 2> places,
                                            std::array<double, 2> slopes) const {
    constexpr std::array of{Quantity::cor_kinematic};
    constexpr double precision = 1e-9, small = 1e-3;  // of xi; of the first slopes
    const auto key =
        std::ranges::find(gradients_.keys(), models::contact_place_key) - gradients_.keys().begin();
    const double steepest = std::max(std::abs(slopes[0]), std::abs(slopes[1]));
    double cor = io::no_number;
    const auto slope_at = [&](double xi) {
        const models::CollisionSlopes there = gradients_.at(xi, of);
        cor = there.result.cor_kinematic;
        return there.by_key.size() == 0 ? io::no_number : there.by_key(0, key);
    };
    // On a kink there is no slope; beside it there is, on either side.
    const auto slope_near = [&](double xi) {
        const double slope = slope_at(xi);
        return std::isfinite(slope) ? slope : slope_at(xi + 2.0 * fem::node_tolerance);
    };
    std::uintmax_t most = 60;
    const auto is_near = [&](double low, double high) { return high - low < precision; };
    const auto [low, high] = boost::math::tools::toms748_solve(slope_near, places[0], places[1],
                                                               slopes[0], slopes[1], is_near, most);
    const double xi = 0.5 * (low + high), slope = slope_near(xi);
    return {xi, cor, slopes[0] > 0.0, std::abs(slope) < small * steepest};
}

}  // namespace stoss::solvers
