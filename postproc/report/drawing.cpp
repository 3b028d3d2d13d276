#include <postproc/report/drawing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <postproc/report/layout.hpp>
#include <stoss/core/elementary.hpp>

namespace stoss::postproc {

namespace {

double nice_step(double span, int ticks) {
    const double raw = span / std::max(ticks, 1);
    const double power = core::pow(10.0, std::floor(core::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
    }
    return 10.0 * power;
}

/// Never empty and never of zero width: a span below that part of the values, `noise`, is widened.
Extent drawable(Extent extent, double noise) {
    if (extent.none()) {
        extent.low = 0.0;
        extent.high = 1.0;
    }
    const double size = std::max(std::abs(extent.low), std::abs(extent.high));
    if (extent.high - extent.low <= noise * size || size == 0.0) {
        const double least = size > 0.0 ? 0.05 * size : 1.0;
        const double middle = extent.low + 0.5 * (extent.high - extent.low);
        extent.low = middle - 0.5 * least;
        extent.high = middle + 0.5 * least;
    }
    return extent;
}

/// Square of the distance of (px, py) from the segment a-b.
double squared_distance(double px, double py, double ax, double ay, double bx, double by) {
    const double dx = bx - ax;
    const double dy = by - ay;
    const double square = dx * dx + dy * dy;
    const double t =
        square > 0.0 ? std::clamp(((px - ax) * dx + (py - ay) * dy) / square, 0.0, 1.0) : 0.0;
    const double off_x = px - ax - t * dx, off_y = py - ay - t * dy;
    return off_x * off_x + off_y * off_y;
}

}  // namespace

std::string plain(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
            result += ' ';
            continue;
        }
        if (std::string("_^{}@&~\\").find(c) != std::string::npos) result += '\\';
        result += c;
    }
    return result;
}

Extent::Extent()
    : low(std::numeric_limits<double>::infinity()),
      high(-std::numeric_limits<double>::infinity()) {}

void Extent::include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
}

void Extent::include(const std::vector<double>& values) {
    for (const double value : values) include(value);
}

void Extent::include_positive(const std::vector<double>& values) {
    for (const double value : values) {
        if (value > 0.0) include(value);
    }
}

Extent extent_from_zero(const std::vector<double>& values) {
    Extent extent;
    extent.include(0.0);
    extent.include(values);
    return extent;
}

Axis nice_axis(std::string label, Extent extent, int ticks) {
    if (!extent.none() && extent.low > 0.0 && extent.low < 0.6 * extent.high) extent.low = 0.0;
    if (!extent.none() && extent.high < 0.0 && extent.high > 0.6 * extent.low) extent.high = 0.0;
    const Extent range = drawable(extent, 1e-3);
    const double step = nice_step(range.high - range.low, ticks);
    return {std::move(label), step * std::floor(range.low / step + 1e-6),
            step * std::ceil(range.high / step - 1e-6), step};
}

Axis tight_axis(std::string label, Extent extent, int ticks) {
    constexpr double rounding = 1e-9;  // equal values that were computed in several ways
    constexpr int many_digits = 5;     // ticks with longer labels need more room
    const Extent range = drawable(extent, rounding);
    Axis axis{std::move(label), range.low, range.high};
    if (shared_digits(axis) >= many_digits) ticks = std::min(ticks, 3);
    axis.step = nice_step(range.high - range.low, ticks);
    return axis;
}

Axis log_axis(std::string label, Extent extent) {
    if (extent.none()) extent.low = extent.high = 1.0;
    constexpr double smallest = -307.0, largest = 308.0;  // whole decades that a double holds
    const double first =
        std::clamp(std::floor(core::log10(extent.low) + 1e-9), smallest, largest - 1.0);
    const double last =
        std::clamp(std::ceil(core::log10(extent.high) - 1e-9), first + 1.0, largest);
    const double stride = std::ceil((last - first) / 7.0);  // decades between two labels
    return {std::move(label), core::pow(10.0, first), core::pow(10.0, last),
            core::pow(10.0, stride), true};
}

LineStyle line_style(std::size_t index) {
    static constexpr std::array<const char*, 7> colors = {
        "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
    static constexpr std::array<const char*, 4> dashes = {"solid", "(9,5)", "(9,4,3,4)", "(3,4)"};
    const std::size_t cycle = index / colors.size();
    return {colors[index % colors.size()], dashes[(index + 2 * cycle) % dashes.size()],
            index == 0 ? 1.6 : 1.4};
}

std::string scale_color(double fraction) {
    using Color = std::array<double, 3>;
    static constexpr std::array<Color, 6> colors{{{68, 1, 84},
                                                  {65, 68, 135},
                                                  {42, 120, 142},
                                                  {34, 168, 132},
                                                  {122, 209, 81},
                                                  {253, 231, 37}}};
    const double place = std::clamp(fraction, 0.0, 1.0) * (colors.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(place), colors.size() - 2);
    const double part = place - static_cast<double>(first);
    std::array<int, 3> mixed{};
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        mixed[i] = static_cast<int>(
            std::lround((1.0 - part) * colors[first][i] + part * colors[first + 1][i]));
    }
    return fmt::format("#{:02X}{:02X}{:02X}", mixed[0], mixed[1], mixed[2]);
}

Drawing widened(Drawing drawing, double width) {
    constexpr double margins = figure_width - usual_panel_width;
    const double wider = (width - margins) / (drawing.width - margins);
    const double higher = drawing.to_scale ? wider : std::sqrt(wider);
    for (Panel& panel : drawing.panels) panel.height *= higher;
    drawing.width = width;
    return drawing;
}

std::vector<std::size_t> thinned(const std::vector<double>& x, const std::vector<double>& y,
                                 double tolerance) {
    if (x.empty()) return {};
    std::vector<bool> kept(x.size(), false);
    kept.front() = kept.back() = true;
    std::vector<std::pair<std::size_t, std::size_t>> pieces{{0, x.size() - 1}};
    while (!pieces.empty()) {
        const auto [first, last] = pieces.back();
        pieces.pop_back();
        double farthest = tolerance * tolerance;
        std::size_t split = first;
        for (std::size_t i = first + 1; i < last; ++i) {
            const double d = squared_distance(x[i], y[i], x[first], y[first], x[last], y[last]);
            if (d > farthest) {
                farthest = d;
                split = i;
            }
        }
        if (split == first) continue;
        kept[split] = true;
        pieces.push_back({first, split});
        pieces.push_back({split, last});
    }
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (kept[i]) indices.push_back(i);
    }
    return indices;
}

}  // namespace stoss::postproc
