#include <models/key_figures.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include <fmt/format.h>
#include <models/beam_body.hpp>
#include <models/beam_collision.hpp>
#include <stoss/core/arrays.hpp>
#include <stoss/core/error.hpp>

namespace stoss::models {

namespace {

constexpr int shown_frequencies = 3;
constexpr std::size_t most_places = 101;  // at which stiffness and energy are looked at

/// Frequencies [Hz] of the first vibration modes; none if they cannot be computed.
std::vector<double> first_frequencies(const Beam& beam, const Mesh& mesh) {
    try {
        const fem::SupportedBeam supported = supported_beam(beam, mesh);
        const auto rigid = static_cast<int>(supported.rigid_shapes.cols());
        const auto freedoms = static_cast<int>(supported.matrices.mass.rows());
        const int modes = std::min(rigid + shown_frequencies, freedoms);
        const modal::ModalBasis basis = modes_of(supported, beam, modes);
        std::vector<double> frequencies;
        for (Eigen::Index j = basis.rigid; j < basis.modes(); ++j)
            frequencies.push_back(std::sqrt(basis.eigenvalues[j]) / (2.0 * std::numbers::pi));
        return frequencies;
    } catch (const core::NumericalError&) {
        return {};  // a run says what is wrong
    }
}

void add_beam(const Beam& beam, const Mesh& mesh, std::string_view of, bool with_frequencies,
              std::vector<KeyFigure>& figures) {
    const auto add = [&](std::string quantity, const char* unit, double value) {
        figures.push_back({std::move(quantity), unit, value, value});
    };
    add(fmt::format("mass of the {}", of), "kg", beam.mass());
    if (!with_frequencies) return;
    int mode = 0;
    for (const double frequency : first_frequencies(beam, mesh)) {
        add(fmt::format("frequency {} of the {}", ++mode, of), "Hz", frequency);
    }
}

/// At most `most_places` of the places, first and last among them.
std::vector<double> some_of(std::span<const double> places) {
    std::vector<double> some;
    for (const std::size_t i : core::spread_indices(most_places, places.size()))
        some.push_back(places[i]);
    return some;
}

/// Unit of the law's stiffness: N/m^n, with n where the law has an exponent.
std::string stiffness_unit(const contact::Law& law) {
    return std::visit(
        [](const auto& each) -> std::string {
            if constexpr (requires { each.exponent; }) return fmt::format("N/m^{}", each.exponent);
            return "N/m";
        },
        law);
}

void add_contact(const BeamCollision& parameters, std::span<const double> places,
                 std::vector<KeyFigure>& figures) {
    std::array<KeyFigure, 4> all{
        KeyFigure{"contact stiffness", stiffness_unit(parameters.contact.law)},
        KeyFigure{"approach speed", "m/s"}, KeyFigure{"reduced mass at the contact", "kg"},
        KeyFigure{"energy of the approach", "J"}};
    for (const double xi : some_of(places)) {
        const double speed = closing_speed(parameters, xi);
        if (!(speed > 0.0)) continue;
        const double mass = 1.0 / rigid_mobility(parameters, xi);
        const std::array<std::optional<double>, 4> values{contact_stiffness(parameters, xi), speed,
                                                          mass, 0.5 * mass * speed * speed};
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (values[i]) all[i].add(*values[i]);
        }
    }
    for (KeyFigure& each : all) {
        if (each.low <= each.high) figures.push_back(std::move(each));
    }
}

/// A unit that is read easily, and how many of the SI unit it is.
struct PlainUnit {
    std::string_view si, name;
    double size;
};

/// Of each SI unit in falling order.
constexpr std::array plain_units{
    PlainUnit{"kg", "t", 1e3},      PlainUnit{"kg", "kg", 1.0},   PlainUnit{"kg", "g", 1e-3},
    PlainUnit{"kg", "mg", 1e-6},    PlainUnit{"Hz", "MHz", 1e6},  PlainUnit{"Hz", "kHz", 1e3},
    PlainUnit{"Hz", "Hz", 1.0},     PlainUnit{"m/s", "m/s", 0.1}, PlainUnit{"m/s", "mm/s", 1e-3},
    PlainUnit{"m/s", "um/s", 1e-6}, PlainUnit{"J", "MJ", 1e6},    PlainUnit{"J", "kJ", 1e3},
    PlainUnit{"J", "J", 1.0},       PlainUnit{"J", "mJ", 1e-3},   PlainUnit{"J", "uJ", 1e-6},
    PlainUnit{"J", "nJ", 1e-9}};

std::string plain(double value, std::string_view unit) {
    if (std::isinf(value)) return "infinite";
    const PlainUnit* chosen = nullptr;
    for (const PlainUnit& each : plain_units) {
        if (each.si != unit) continue;
        chosen = &each;
        if (std::abs(value) >= each.size) break;
    }
    if (chosen == nullptr) return fmt::format("{:.4g}{}{}", value, unit.empty() ? "" : " ", unit);
    const double size = chosen->name == unit ? 1.0 : chosen->size;
    return fmt::format("{:.4g} {}", value / size, chosen->name);
}

}  // namespace

std::vector<KeyFigure> key_figures(const BeamCollision& parameters, std::span<const double> places,
                                   bool with_frequencies) {
    std::vector<KeyFigure> figures;
    add_beam(parameters.beam, parameters.mesh, "beam", with_frequencies, figures);
    if (places.empty()) return figures;
    if (const StrikingBeam* const other = parameters.striker.striking_beam()) {
        add_beam(other->beam, parameters.mesh, "striking beam", with_frequencies, figures);
    } else {
        const double mass = parameters.striker.total_mass();
        figures.push_back({"mass of the striker", "kg", mass, mass});
    }
    add_contact(parameters, places, figures);
    return figures;
}

void widen(std::vector<KeyFigure>& all, const std::vector<KeyFigure>& more) {
    for (const KeyFigure& each : more) {
        const auto same = std::ranges::find_if(all, [&](const KeyFigure& known) {
            return known.quantity == each.quantity && known.unit == each.unit;
        });
        if (same == all.end()) {
            all.push_back(each);
        } else {
            same->low = std::fmin(same->low, each.low);
            same->high = std::fmax(same->high, each.high);
        }
    }
}

std::string to_text(const KeyFigure& figure) {
    const std::string low = plain(figure.low, figure.unit), high = plain(figure.high, figure.unit);
    const bool is_fixed = figure.unit == "kg" && std::isinf(figure.high);
    const std::string words = low == high ? low : low + " to " + high;
    return is_fixed ? words + ": inertially fixed" : words;
}

}  // namespace stoss::models
