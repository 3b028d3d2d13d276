#include <models/collision_inputs.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

namespace stoss::models {

namespace {

using namespace input;

/// Between the points of a stencil, relative to the number; of a number that is 0, in SI units.
/// Truncation and roundoff are then about 1e-13 of the formulas.
constexpr double relative_step = 0x1p-10;

/// The slopes of a model on both sides of a number differ by less than this fraction of quantity
/// over number, or it has a kink or a jump there. Roundoff of a small residual flexibility comes
/// to 1e-6.
constexpr double smooth = 1e-3;

/// Sum of the products of both, block by block.
double dot(const impact::CollisionGradient& gradient, const CollisionInputs& change) {
    double sum = 0.0;
    const auto add = [&](const auto& by, const std::vector<double>& own) {
        for (std::size_t j = 0; j < own.size(); ++j)
            if (own[j] != 0.0) sum += by[j] * own[j];
    };
    std::size_t first = 0;
    for (const impact::BodyGradient* body : {&gradient.first, &gradient.second}) {
        add(body->eigenvalues, change[first + eigenvalues]);
        add(body->damping, change[first + damping]);
        if (!body->phi.empty()) add(body->phi, change[first + phi]);
        add(std::array{body->residual_flexibility}, change[first + residual_flexibility]);
        add(body->rigid_rates, change[first + rigid_rates]);
        add(body->vibration, change[first + vibration]);
        add(body->vibration_rates, change[first + vibration_rates]);
        add(body->rigid_loads, change[first + rigid_loads]);
        first += of_a_body;
    }
    for (std::size_t p = 0; p < change[law].size(); ++p) {
        if (change[law][p] != 0.0) sum += gradient.law[p].slope * change[law][p];
    }
    return sum;
}

/// Those of a unit such as "N s/m^n"; nothing for a unit of other words.
std::optional<UnitExponents> unit_exponents(std::string_view unit) {
    UnitExponents sum;
    double sign = 1.0;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    for (std::size_t i = 0; i < unit.size();) {
        if (unit[i] == '/') sign = -1.0;
        std::size_t end = i;
        while (end < unit.size() && is_letter(unit[end])) ++end;
        const std::string_view word = unit.substr(i, end - i);
        const bool has_power = end < unit.size() && unit[end] == '^';
        if (word == "s" && !has_power) {
            sum.time += sign;
        } else if (word == "kg" && !has_power) {
            sum.mass += sign;
        } else if ((word == "N" || word == "Pa" || word == "J") && !has_power) {
            sum.mass += sign;
            sum.time -= 2.0 * sign;
        } else if (!word.empty() && word != "m" && word != "n") {
            return std::nullopt;
        }
        i = std::max(end, i + 1);
    }
    return sum;
}

/// The same of a result.
UnitExponents unit_exponents(impact::Quantity quantity) {
    switch (quantity) {
        case impact::Quantity::impulse:
            return {1.0, -1.0};
        case impact::Quantity::peak_force:
            return {1.0, -2.0};
        case impact::Quantity::compression_end:
        case impact::Quantity::separation:
            return {0.0, 1.0};
        default:
            return {};
    }
}

/// Sum of the products of numbers and derivatives.
double relative_slope(const std::vector<double>& numbers, const std::vector<double>& by) {
    return std::inner_product(numbers.begin(), numbers.end(), by.begin(), 0.0);
}

}  // namespace

std::optional<core::Violation> check_gradient_scheme(const std::string& path,
                                                     const impact::Scheme& scheme) {
    if (std::holds_alternative<time::Splitting>(scheme)) return std::nullopt;
    return core::Violation{path, "", "needs the scheme whose steps have derivatives",
                           "integration: {scheme: splitting}"};
}

std::optional<core::Violation> check_gradient_key(const std::string& path, const std::string& key,
                                                  const core::NumberKey& number) {
    if (!number) return core::Violation{path, key, std::string(no_number_of_case), ""};
    if (!number.value()) {
        return core::Violation{path, key, "has no value in this case: the model finds it",
                               "give the key, or take the derivative by the keys it follows from"};
    }
    if (!std::isfinite(*number.value()))
        return core::Violation{path, key, "is infinite: there is no derivative by it",
                               "leave it out"};
    return std::nullopt;
}

std::optional<core::Violation> check_collision_key(const std::string& path, const std::string& key,
                                                   const core::NumberKey& number) {
    if (number && key.ends_with(']')) {
        return core::Violation{path, key,
                               "is a number of a list: derivatives by points of a table are not "
                               "known",
                               "vary the key with `sweep`, or with samples in `uncertainty`"};
    }
    return check_gradient_key(path, key, number);
}

core::Stencil stencil_of(const core::NumberKey& number) {
    const double value = number.value().value();
    const double size = value == 0.0 ? 1.0 : std::abs(value);
    return core::Stencil::in(number.range, value, relative_step * size);
}

std::vector<double> numbers_of(const contact::Law& law) {
    std::vector<double> numbers;
    std::visit(
        [&](const auto& own) {
            core::for_each_number(
                own, [&](auto, const auto&, double number) { numbers.push_back(number); });
        },
        law);
    return numbers;
}

CollisionInputs inputs_of(const modal::ModalBody& first, const ModalMotion& first_motion,
                          const modal::ModalBody& second, const ModalMotion& second_motion,
                          const contact::Law& law) {
    CollisionInputs inputs;
    const auto add = [&](const modal::ModalBody& body, const ModalMotion& motion) {
        inputs.insert(inputs.end(), {body.eigenvalues,
                                     body.damping,
                                     body.phi,
                                     {body.residual_flexibility},
                                     motion.rigid_rates,
                                     motion.vibration,
                                     motion.vibration_rates,
                                     motion.rigid_loads});
    };
    add(first, first_motion);
    add(second, second_motion);
    inputs.push_back(numbers_of(law));
    return inputs;
}

bool have_same_sizes(const CollisionInputs& a, const CollisionInputs& b) {
    return std::ranges::equal(
        a, b, [](const auto& one, const auto& other) { return one.size() == other.size(); });
}

InputChange change_along(const core::Stencil& stencil, std::span<const CollisionInputs> inputs) {
    // Of a smooth function the sixth difference vanishes nearly.
    InputChange change;
    change.scale = std::max(std::abs(stencil.at), stencil.length);
    change.slope.resize(all_blocks);
    change.roughness.resize(all_blocks);
    for (std::size_t block = 0; block < all_blocks; ++block) {
        const std::vector<double>& nominal = inputs.front()[block];
        const auto is_same = [&](const CollisionInputs& each) { return each[block] == nominal; };
        if (std::ranges::all_of(inputs, is_same)) continue;  // empty: nothing changes
        const std::size_t count = nominal.size();
        std::vector<double> slope(count), rest(count);
        for (std::size_t j = 0; j < count; ++j) {
            const auto has_same = [&](const CollisionInputs& each) {
                return each[block][j] == nominal[j];
            };
            // Not the roundoff of the weights.
            if (std::ranges::all_of(inputs, has_same)) continue;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
                slope[j] += stencil.weight(i) * inputs[i][block][j];
                rest[j] += core::Stencil::sixth[i] * inputs[i][block][j];
            }
            rest[j] = slope[j] == 0.0 ? 0.0 : rest[j] / stencil.length;
        }
        change.roughness[block] = std::move(rest);
        change.slope[block] = std::move(slope);
    }
    return change;
}

void note_modes(const InputChange& change, const CollisionInputs& inputs, impact::ModeNumbers& by) {
    if (change.slope.empty()) return;
    for (const std::size_t body : {std::size_t{0}, std::size_t{of_a_body}}) {
        const std::size_t rigid = inputs[body + rigid_rates].size();
        const std::vector<double>& of_phi = change.slope[body + phi];
        for (std::size_t j = rigid; j < of_phi.size(); ++j) by.shapes |= of_phi[j] != 0.0;
        by.rigid_shapes |= !of_phi.empty() || !change.slope[body + rigid_loads].empty();
        by.eigenvalues |= !change.slope[body + eigenvalues].empty();
        by.dampings |= !change.slope[body + damping].empty();
    }
}

impact::LawNumbers law_numbers(const InputChange& change) {
    impact::LawNumbers numbers = 0;
    if (change.slope.empty()) return numbers;
    const std::vector<double>& slope = change.slope[law];
    for (std::size_t p = 0; p < slope.size(); ++p)
        if (slope[p] != 0.0) numbers |= impact::LawNumbers{1} << p;
    return numbers;
}

double slope_along(const InputChange& change, const impact::CollisionGradient& gradient,
                   double value) {
    const double slope = dot(gradient, change.slope) + (change.is_along ? gradient.along : 0.0);
    if (change.roughness.empty()) return slope;
    const double rough = smooth * std::max(std::abs(value) / change.scale, std::abs(slope));
    return std::abs(dot(gradient, change.roughness)) <= rough
               ? slope
               : std::numeric_limits<double>::quiet_NaN();
}

std::optional<std::vector<UnitExponents>> unit_exponents(const contact::Law& law) {
    return std::visit(
        []<class L>(const L& own) -> std::optional<std::vector<UnitExponents>> {
            // Other laws may have numbers that are not fields.
            if constexpr (!std::is_same_v<L, contact::Hertz> && !contact::OfDampedPowers<L>)
                return std::nullopt;
            std::vector<UnitExponents> exponents;
            bool are_known = true;
            core::for_each_field<L>([&](const auto& field) {
                const auto& member = own.*field.member;
                using Member = std::remove_cvref_t<decltype(member)>;
                bool is_given = std::is_same_v<Member, double>;
                if constexpr (std::is_same_v<Member, std::optional<double>>)
                    is_given = member.has_value();
                if (!is_given) return;
                const auto exponent = unit_exponents(field.unit);
                are_known = are_known && exponent;
                exponents.push_back(exponent.value_or(UnitExponents{}));
            });
            return are_known ? std::optional(exponents) : std::nullopt;
        },
        law);
}

double slope_by_scaling(const ModeScaling& scaling, std::size_t body,
                        const impact::CollisionGradient& gradient, double value,
                        const CollisionInputs& inputs, std::span<const UnitExponents> exponents) {
    const double by_time = scaling.log_frequencies, by_mass = scaling.log_shapes;
    double sum = 0.0;
    for (const std::size_t first : {std::size_t{0}, std::size_t{of_a_body}}) {
        const impact::BodyGradient& by = first == 0 ? gradient.first : gradient.second;
        sum += (by_mass - by_time) *
               (relative_slope(inputs[first + rigid_rates], by.rigid_rates) +
                relative_slope(inputs[first + vibration_rates], by.vibration_rates));
        sum += by_mass * relative_slope(inputs[first + vibration], by.vibration);
        if (first != body && by_mass != 0.0)
            sum -= by_mass * relative_slope(inputs[first + phi], by.phi);
    }
    const auto factor = [&](const UnitExponents& exponent) {
        return by_time * exponent.time + 2.0 * by_mass * exponent.mass;
    };
    for (std::size_t p = 0; p < exponents.size(); ++p) {
        const double each = factor(exponents[p]);
        if (each != 0.0) sum += each * gradient.law[p].value * gradient.law[p].slope;
    }
    return sum - factor(unit_exponents(gradient.quantity)) * value;
}

void take_nearer(std::optional<Kink>& nearest, const impact::Graze& graze, double slope) {
    const double distance = -graze.margin / slope;
    if (!std::isfinite(distance)) return;
    if (nearest && std::abs(nearest->distance) <= std::abs(distance)) return;
    nearest = Kink{distance, graze.event, graze.sub_impact, graze.time};
}

}  // namespace stoss::models
