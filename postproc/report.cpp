#include <postproc/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <postproc/figures.hpp>
#include <postproc/html.hpp>
#include <postproc/labels.hpp>
#include <postproc/run_data.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>

namespace stoss::postproc {

namespace {

constexpr std::size_t most_failures = 12;  // listed one by one

std::string text_of(const io::Value& value) {
    if (const auto flag = value.flag()) return *flag ? "yes" : "no";
    if (const auto* text = value.text()) return html_text(*text);
    if (const auto number = value.number()) return html_number(*number);
    return html_text(io::to_json(value, 0));
}

std::string text_at(const io::Value& object, std::string_view key) {
    const io::Value* value = object.find(key);
    return value == nullptr ? "–" : text_of(*value);
}

const io::Value::Array& items_at(const io::Value& object, std::string_view key) {
    static const io::Value::Array none;
    const io::Value* value = object.find(key);
    return value != nullptr && value->items() != nullptr ? *value->items() : none;
}

bool passed(const io::Value& expectation) {
    const io::Value* value = expectation.find("passed");
    return value != nullptr && value->flag().value_or(false);
}

// ---- Head

std::string expectation_badge(const Run& run) {
    const auto& expectations = items_at(run.summary, "expectations");
    if (expectations.empty()) return {};
    const auto met = std::count_if(expectations.begin(), expectations.end(), passed);
    const bool all = met == static_cast<std::ptrdiff_t>(expectations.size());
    return fmt::format("<span class=\"badge {}\">{} of {} expectations met</span>",
                       all ? "good" : "bad", met, expectations.size());
}

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

std::string in_words(std::string status) {
    std::replace(status.begin(), status.end(), '_', ' ');
    return html_text(status);
}

std::string status_badge(const std::string& status, const std::string& count) {
    return fmt::format("<span class=\"badge {}\">{}{}</span>",
                       status == "separated" ? "good" : "bad", count, in_words(status));
}

std::string head(const Run& run, const Map* map) {
    std::string badges;
    if (map != nullptr) {
        for (const auto& [status, count] : status_counts(*map)) {
            badges += status_badge(status, fmt::format("{} ", count));
        }
    } else if (const io::Value* status = run.summary.find("status"); status && status->text()) {
        badges += status_badge(*status->text(), "");
    }
    return fmt::format(
        "<header>\n<p class=\"kind\">Stoss · {}</p>\n<h1>{}</h1>\n<p>{}{}</p>\n</header>\n",
        core::escape_markup(run.problem), html_text(run.title), badges, expectation_badge(run));
}

// ---- Warnings

std::string failures(const Map& map) {
    std::string list;
    std::size_t count = 0;
    for (const MapSeries& series : map.series) {
        for (std::size_t i = 0; i < series.statuses.size(); ++i) {
            if (series.statuses[i] == "separated" || ++count > most_failures) continue;
            list += fmt::format(
                "<li>ξ<sub>c</sub> = {}{}: {}</li>\n", html_number(series.numbers.column("xi")[i]),
                map.sweep.empty() ? ""
                                  : ", " + core::escape_markup(words_of_key(map.sweep)) + " " +
                                        core::escape_markup(with_minus(series.label)),
                in_words(series.statuses[i]));
        }
    }
    if (count > most_failures) {
        list += fmt::format("<li>and {} more: see the column status of map.csv</li>\n",
                            count - most_failures);
    }
    return list;
}

std::string warnings(const Run& run, const Map* map, const std::string& no_figures) {
    std::string list;
    if (!no_figures.empty()) list += "<li>no figures: " + html_text(no_figures) + "</li>\n";
    for (const io::Value& warning : items_at(run.summary, "warnings")) {
        list += "<li>" + text_of(warning) + "</li>\n";
    }
    if (map != nullptr) list += failures(*map);
    return list.empty() ? "" : "<ul>\n" + list + "</ul>\n";
}

// ---- What was run

/// "section.radius 0.00635 m" for every value below `node`.
void add_pairs(const std::string& key, const io::Node& node, std::string& pairs) {
    if (node.kind == io::Node::Kind::mapping) {
        for (const io::Node::Entry& entry : node.entries) {
            add_pairs(key.empty() ? entry.key : key + "." + entry.key, entry.value, pairs);
        }
        return;
    }
    pairs += fmt::format("<span class=\"pair\"><i>{}</i> {}</span> ", core::escape_markup(key),
                         core::escape_markup(io::to_yaml_line(node)));
}

std::string what_was_run(const Run& run) {
    const io::Document document = io::read_yaml(run.file("case.yaml"));
    std::vector<HtmlRow> rows;
    for (const io::Node::Entry& entry : document.root.entries) {
        if (entry.key == "title" || entry.key == "problem" || entry.key == "expect") continue;
        std::string pairs;
        add_pairs("", entry.value, pairs);
        rows.push_back({core::escape_markup(entry.key), pairs});
    }
    return html_table({"part", "keys of the case"}, rows, 2);
}

// ---- Results

/// A quantity of one collision: its SI value and its nondimensional one; either may be missing.
struct Quantity {
    const char* name;
    const char* symbol;
    const char* si;
    const char* nondimensional;
};

constexpr std::array<Quantity, 12> quantities = {{
    {"coefficient of restitution, kinematic (Newton)", "e_{N}", "", "cor_kinematic"},
    {"coefficient of restitution, kinetic (Poisson)", "e_{P}", "", "cor_kinetic"},
    {"coefficient of restitution, energetic (Stronge)", "e_{E}", "", "cor_energetic"},
    {"sub-impacts", "", "", "sub_impacts"},
    {"approach speed", "V_{rel}(0)", "approach_speed_m_per_s", "approach_speed_nondimensional"},
    {"separation speed", "−V_{rel}(t_{f})", "separation_speed_m_per_s",
     "separation_speed_nondimensional"},
    {"end of compression", "t_{c}", "compression_end_s", "tau_compression_end"},
    {"last separation", "t_{f}", "separation_s", "tau_separation"},
    {"impulse", "∫ P dt", "impulse_N_s", "impulse_nondimensional"},
    {"peak force", "max P", "peak_force_N", ""},
    {"initial kinetic energy", "", "initial_energy_J", ""},
    {"energy not in rigid motion or vibration at the end", "", "", "energy_lost"},
}};

std::string collision_results(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const Quantity& quantity : quantities) {
        const double si = number_at(run.summary, quantity.si);
        const double pure = number_at(run.summary, quantity.nondimensional);
        if (std::isnan(si) && std::isnan(pure)) continue;
        const auto cell = [](const char* key, double value) {
            return *key == '\0' || std::isnan(value) ? std::string() : html_number(value);
        };
        rows.push_back({quantity.name, html_text(quantity.symbol),
                        cell(quantity.nondimensional, pure), cell(quantity.si, si),
                        *quantity.si == '\0' ? "" : split_unit(quantity.si).unit});
    }
    if (rows.empty()) return "<p>The collision gave no numbers.</p>\n";
    return html_table({"quantity", "symbol", "nondimensional", "SI", "unit"}, rows, 2);
}

/// A value of a series and where on the beam it is.
struct Place {
    double value = std::numeric_limits<double>::quiet_NaN();
    double xi = std::numeric_limits<double>::quiet_NaN();

    std::string html() const {
        if (std::isnan(value)) return "–";
        return fmt::format("{} <i class=\"key\">at {}</i>", html_number(value), html_number(xi, 4));
    }
};

/// The place at which `better(value, best)` holds against every other.
template <class Better>
void look_for(Place& place, const Numbers& numbers, std::string_view column, Better better) {
    const auto& values = numbers.column(column);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (std::isnan(values[i])) continue;
        if (std::isnan(place.value) || better(values[i], place.value)) {
            place = {values[i], numbers.column("xi")[i]};
        }
    }
}

Place smallest(const Numbers& numbers, std::string_view column) {
    Place place;
    look_for(place, numbers, column, [](double a, double b) { return a < b; });
    return place;
}

Place largest(const Numbers& numbers, std::string_view column) {
    Place place;
    look_for(place, numbers, column, [](double a, double b) { return a > b; });
    return place;
}

std::string map_results(const Map& map) {
    std::vector<HtmlRow> rows;
    for (const MapSeries& series : map.series) {
        const Numbers& n = series.numbers;
        rows.push_back({html_text(with_minus(series.label)), smallest(n, "cor_kinematic").html(),
                        largest(n, "cor_kinematic").html(), largest(n, "tau_separation").html(),
                        largest(n, "sub_impacts").html(), largest(n, "peak_force_N").html()});
    }
    HtmlRow header = {core::escape_markup(words_of_key(map.sweep)),
                      "smallest e<sub>N</sub>",
                      "largest e<sub>N</sub>",
                      "longest τ<sub>f</sub>",
                      "most sub-impacts",
                      "largest peak force (N)"};
    if (map.sweep.empty()) {
        header.erase(header.begin());
        for (HtmlRow& row : rows) row.erase(row.begin());
    }
    return html_table(header, rows, map.sweep.empty() ? 0 : 1) +
           "<p class=\"note\">Each value with the contact location ξ<sub>c</sub> at which it "
           "occurs.</p>\n";
}

/// Every scalar of summary.json, as it stands there.
std::string all_scalars(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const io::Value::Member& member : *run.summary.members()) {
        if (member.value.items() != nullptr || member.value.members() != nullptr) continue;
        rows.push_back({core::escape_markup(member.key), text_of(member.value)});
    }
    return "<details><summary>All scalars of summary.json</summary>\n" +
           html_table({"key", "value"}, rows, 1) + "</details>\n";
}

// ---- Figures

std::string figures_html(const Run& run, const Figures& figures) {
    if (figures.files.empty()) return {};
    std::string html =
        fmt::format("<div class=\"figures{}\">\n", figures.files.size() == 1 ? " one" : "");
    int number = 0;
    for (const Figure& figure : figures.files) {
        html += fmt::format(
            "<figure>\n{}<figcaption><b>Figure {}.</b> {}</figcaption>\n</figure>\n",
            svg_element(io::read_text(run.file(figure.file))), ++number, html_text(figure.caption));
    }
    return html + "</div>\n";
}

// ---- Expectations

std::string expectations(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(run.summary, "expectations")) {
        const bool met = passed(each);
        const io::Value* reason = each.find("reason");
        rows.push_back({text_at(each, "quantity"), text_at(each, "source"),
                        text_at(each, "expected"), text_at(each, "tolerance"),
                        text_at(each, "computed"), text_at(each, "difference"),
                        fmt::format("<span class=\"{}\">{}</span>", met ? "good" : "bad",
                                    met ? "✓ met" : "✗ not met")});
        if (reason != nullptr)
            rows.back()[0] += "<br><i class=\"key\">" + text_of(*reason) + "</i>";
    }
    if (rows.empty()) return {};
    return html_table({"quantity", "source", "expected", "tolerance", "computed", "difference", ""},
                      rows, 2);
}

// ---- Energy

struct Share {
    const char* column;
    const char* name;
};

constexpr std::array<Share, 9> shares = {{
    {"energy_rigid", "rigid-body modes"},
    {"energy_vibration", "vibration modes, all"},
    {"energy_mode_1", "– mode 1"},
    {"energy_mode_2", "– mode 2"},
    {"energy_mode_3", "– mode 3"},
    {"energy_mode_4", "– mode 4"},
    {"energy_structural_loss", "lost to damping of the structure"},
    {"energy_contact_loss", "lost in the contact"},
    {"energy_residual", "residual: sum of all less 1"},
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
        Place least;
        Place most;
        for (const MapSeries& series : map.series) {
            look_for(least, series.numbers, share.column, [](double a, double b) { return a < b; });
            look_for(most, series.numbers, share.column, [](double a, double b) { return a > b; });
        }
        rows.push_back({share.name, least.html(), most.html()});
    }
    return html_table({"share", "smallest", "largest"}, rows, 1) + energy_note();
}

// ---- Provenance

std::string provenance(const io::Value& facts) {
    std::vector<HtmlRow> rows;
    if (facts.members() != nullptr) {
        for (const io::Value::Member& member : *facts.members()) {
            std::string name = member.key;
            std::replace(name.begin(), name.end(), '_', ' ');
            rows.push_back({core::escape_markup(name), text_of(member.value)});
        }
    }
    return html_table({"fact", "value"}, rows, 2);
}

std::string resolved_case(const Run& run) {
    return "<details><summary>case.yaml: the case with all defaults written out; running it again "
           "gives the same numbers</summary>\n<pre>" +
           core::escape_markup(io::read_text(run.file("case.yaml"))) + "</pre></details>\n";
}

std::string citation(const io::Value& facts) {
    return fmt::format(
        "<p>Stoss: impact mechanics, version {}, commit {}. Licence: BSD-3-Clause. Name version "
        "and commit, so that others can run the same program, and the source of every value that "
        "the case took from the literature.</p>\n",
        text_at(facts, "version"), text_at(facts, "commit"));
}

std::string page(const Run& run, const Figures& figures, const std::string& no_figures) {
    const std::string provenance_file = run.required_file("provenance.json");
    const io::Value facts = io::parse_json(io::read_text(provenance_file), provenance_file);
    run.required_file("case.yaml");
    Map map;
    if (run.is_map()) map = read_map(run);
    const Map* rows = run.is_map() ? &map : nullptr;

    std::string body = head(run, rows);
    body += html_section("Warnings", warnings(run, rows, no_figures));
    body += html_section("Results",
                         (rows ? map_results(map) : collision_results(run)) + all_scalars(run));
    body += html_section("What was run", what_was_run(run) + resolved_case(run));
    body += html_section("Figures", figures_html(run, figures));
    body += html_section("Expectations", expectations(run));
    body += html_section("Energy ledger", rows ? map_energy(map) : collision_energy(run));
    body += html_section("Provenance", provenance(facts));
    body += html_section("How to cite", citation(facts));
    return html_page(run.title, body);
}

}  // namespace

void write_report(const std::string& run_dir) {
    const Run run = read_run(run_dir);
    Figures figures;
    std::string no_figures;
    std::exception_ptr error;
    try {
        figures = make_figures(run_dir);
    } catch (const std::exception& failure) {
        no_figures = failure.what();
        error = std::current_exception();
    }
    io::write_text(run.file("report.html"), page(run, figures, no_figures));
    if (error) std::rethrow_exception(error);
}

}  // namespace stoss::postproc
