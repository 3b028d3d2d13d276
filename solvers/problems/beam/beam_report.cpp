#include <solvers/problems/beam/beam_report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <postproc/experiment/experiment_figures.hpp>
#include <postproc/report/beam_map.hpp>
#include <postproc/report/html.hpp>
#include <postproc/report/labels.hpp>
#include <postproc/report/report_parts.hpp>
#include <solvers/problems/beam/gradient_figures.hpp>
#include <solvers/problems/beam/uncertainty_figures.hpp>
#include <stoss/core/text.hpp>

namespace stoss::postproc {

namespace {

constexpr std::size_t most_failures = 12;  // listed one by one

/// How often each status occurs, in the order of first appearance.
std::vector<std::pair<std::string, std::size_t>> status_counts(const Map& map) {
    std::vector<std::pair<std::string, std::size_t>> counts;
    for (const MapSeries& series : map.series) {
        for (const std::string& status : series.statuses) {
            auto entry = std::find_if(counts.begin(), counts.end(),
                                      [&](const auto& each) { return each.first == status; });
            if (entry == counts.end()) entry = counts.insert(entry, {status, 0});
            ++entry->second;
        }
    }
    return counts;
}

std::string failures(const Map& map) {
    std::string list;
    std::size_t count = 0;
    for (const MapSeries& series : map.series) {
        for (std::size_t i = 0; i < series.statuses.size(); ++i) {
            if (series.statuses[i] == "separated" || ++count > most_failures) continue;
            list += fmt::format("<li>ξ<sub>c</sub> = {}{}: {}</li>\n",
                                html_number(series.numbers.column("xi")[i]),
                                map.sweep.empty() ? ""
                                                  : ", " + core::escape_markup(map.sweep_words) +
                                                        " " + core::escape_markup(series.words),
                                in_words(series.statuses[i]));
        }
    }
    if (count > most_failures) {
        list += fmt::format("<li>and {} more: see the column status of map.csv</li>\n",
                            count - most_failures);
    }
    return list;
}

// ---- Results

constexpr std::array<Quantity, 17> quantities = {{
    {"coefficient of restitution, kinematic (Newton)", "e_{N}", "", "cor_kinematic"},
    {"coefficient of restitution, kinetic (Poisson)", "e_{P}", "", "cor_kinetic"},
    {"coefficient of restitution, energetic (Stronge)", "e_{E}", "", "cor_energetic"},
    {"the same of the contact itself", "e_{C}", "", "cor_contact"},
    {"sub-impacts", "", "", "sub_impacts"},
    {"approach speed", "V_{rel}(0)", "approach_speed_m_per_s", "approach_speed_nondimensional"},
    {"separation speed", "−V_{rel}(t_{f})", "separation_speed_m_per_s",
     "separation_speed_nondimensional"},
    {"end of compression", "t_{c}", "compression_end_s", "tau_compression_end"},
    {"last separation", "t_{f}", "separation_s", "tau_separation"},
    {"impulse", "∫ P dt", "impulse_N_s", "impulse_nondimensional"},
    {"peak force", "max P", "peak_force_N", ""},
    {"change of e by further modes", "", "", "cor_truncation"},
    {"error of the peak force, relative", "", "", "peak_force_error"},
    {"peak pressure of the contact", "p_{0}", "peak_pressure_Pa", ""},
    {"radius of the contact under the peak force", "√(ab)", "contact_radius_m", ""},
    {"initial kinetic energy", "", "initial_energy_J", ""},
    {"initial energy minus that of rigid motion and vibration at the end", "", "", "energy_lost"},
}};

/// A value of a map and where on the beam it is.
class Place {
  public:
    explicit Place(const Map& map) : map_(&map) {}

    /// Takes the value of a column at which `better(value, best)` holds against every other.
    template <class Better>
    void look_for(const Numbers& numbers, std::string_view column, Better better) {
        const auto& values = numbers.column(column);
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (std::isnan(values[i])) continue;
            if (std::isnan(value_) || better(values[i], value_)) {
                value_ = values[i];
                at_ = map_->length * numbers.column("xi")[i];
            }
        }
    }

    /// `factor`: from the unit of the column to that of the table.
    std::string html(double factor = 1.0) const {
        if (std::isnan(value_)) return "–";
        return fmt::format("{} <i class=\"key\">at {}{}{}</i>", html_number(factor * value_),
                           html_number(at_, 4), map_->unit.empty() ? "" : " ", map_->unit);
    }

  private:
    const Map* map_;
    double value_ = std::numeric_limits<double>::quiet_NaN();
    double at_ = std::numeric_limits<double>::quiet_NaN();
};

Place smallest(const Map& map, const Numbers& numbers, std::string_view column) {
    Place place(map);
    place.look_for(numbers, column, [](double a, double b) { return a < b; });
    return place;
}

Place largest(const Map& map, const Numbers& numbers, std::string_view column) {
    Place place(map);
    place.look_for(numbers, column, [](double a, double b) { return a > b; });
    return place;
}

/// A key that a narrow column may break behind its dots.
std::string breakable(const std::string& key) {
    std::string html;
    for (const char c : key) html += c == '.' ? std::string(".<wbr>") : std::string(1, c);
    return html;
}

std::string map_results(const Map& map, bool is_scaled) {
    std::vector<HtmlRow> rows;
    for (const MapSeries& series : map.series) {
        const Numbers& n = series.numbers;
        const std::string longest = is_scaled ? largest(map, n, "tau_separation").html()
                                              : largest(map, n, "separation_s").html(1e3);
        rows.push_back({html_text(series.words), smallest(map, n, "cor_kinematic").html(),
                        largest(map, n, "cor_kinematic").html(), longest,
                        largest(map, n, "sub_impacts").html(),
                        largest(map, n, "peak_force_N").html()});
    }
    HtmlRow header = {breakable(core::escape_markup(map.sweep_words)),
                      "smallest e<sub>N</sub>",
                      "largest e<sub>N</sub>",
                      is_scaled ? "longest τ<sub>f</sub>" : "longest t<sub>f</sub> (ms)",
                      "most sub-impacts",
                      "largest peak force (N)"};
    if (map.sweep.empty()) {
        header.erase(header.begin());
        for (HtmlRow& row : rows) row.erase(row.begin());
    }
    return html_table(header, rows, map.sweep.empty() ? 0 : 1) +
           fmt::format(
               "<p class=\"note\">Each value with the contact location {}<sub>c</sub> at which it "
               "occurs.</p>\n",
               map.unit.empty() ? "ξ" : "x");
}

// ---- Energy

struct Share {
    const char* column;
    const char* name;
};

constexpr std::array<Share, 10> shares = {{
    {"energy_rigid", "rigid-body modes"},
    {"energy_vibration", "vibration modes, all"},
    {"energy_mode_1", "– mode 1"},
    {"energy_mode_2", "– mode 2"},
    {"energy_mode_3", "– mode 3"},
    {"energy_mode_4", "– mode 4"},
    {"energy_structural_loss", "lost to damping of the structure"},
    {"energy_contact_loss", "lost in the contact"},
    {"energy_load_work", "brought by gravity and loads"},
    {"energy_residual", "residual: sum of all others less 1 and what loads brought"},
}};

std::string energy_note() {
    return "<p class=\"note\">Fractions of the initial kinetic energy, at the last "
           "separation.</p>\n";
}

std::string collision_energy(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const Share& share : shares) {
        const double value = number_at(run.summary, share.column);
        const double length = std::isfinite(value) ? std::clamp(value, 0.0, 1.0) : 0.0;
        rows.push_back(
            {share.name,
             fmt::format("<span class=\"bar\" style=\"width:{:.2f}rem\"></span>", 14.0 * length),
             html_number(value)});
    }
    return html_table({"share", "", "fraction"}, rows, 2) + energy_note();
}

std::string map_energy(const Map& map) {
    std::vector<HtmlRow> rows;
    for (const Share& share : shares) {
        Place least(map), most(map);
        for (const MapSeries& series : map.series) {
            const Numbers& n = series.numbers;
            least.look_for(n, share.column, [](double a, double b) { return a < b; });
            most.look_for(n, share.column, [](double a, double b) { return a > b; });
        }
        rows.push_back({share.name, least.html(), most.html()});
    }
    return html_table({"share", "smallest", "largest"}, rows, 1) + energy_note();
}

}  // namespace

ReportParts beam_impact_report(const Run& run) {
    ReportParts parts;
    if (const std::string status = text_at(run.summary, "status"); !status.empty()) {
        parts.badges = status_badge(status);
    }
    parts.results = quantity_table(run, quantities, "The collision gave no numbers.");
    if (has_gradient(run)) parts.sections.push_back({"Sensitivity", gradient_section(run)});
    parts.sections.push_back({"Energy balance", collision_energy(run)});
    return parts;
}

ReportParts beam_impact_map_report(const Run& run) {
    const bool is_scaled = has_scaled_axes(run);
    const Map map = is_scaled ? read_map(run) : over_lengths(read_map(run));
    ReportParts parts;
    for (const auto& [status, count] : status_counts(map)) {
        parts.badges += status_badge(status, fmt::format("{} ", count));
    }
    parts.warnings = failures(map);
    parts.results = map_results(map, is_scaled);
    if (has_experiment(run) && map.has_restitution()) {
        const Experiment experiment = read_experiment(run.file("experiment.csv"), false);
        parts.sections.push_back(
            {"Comparison", agreement_table(experiment, compare(experiment, run))});
    }
    if (has_uncertainty(run)) {
        parts.sections.push_back({"Uncertainty", uncertainty_section(run)});
    }
    parts.sections.push_back({"Energy balance", map_energy(map)});
    return parts;
}

}  // namespace stoss::postproc
