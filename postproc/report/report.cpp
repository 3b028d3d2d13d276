#include <postproc/report/report.hpp>

#include <algorithm>
#include <exception>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <postproc/report/figure_data.hpp>
#include <postproc/report/figures.hpp>
#include <postproc/report/html.hpp>
#include <postproc/report/page_files.hpp>
#include <postproc/report/report_parts.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/file.hpp>
#include <stoss/io/run_directory.hpp>

namespace stoss::postproc {

namespace {

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

std::string head(const Run& run, const ReportParts& parts) {
    return fmt::format(
        "<header>\n<p class=\"kind\">Stoss · {}</p>\n<h1>{}</h1>\n<p>{}{}</p>\n</header>\n",
        core::escape_markup(run.problem), html_text(run.title), parts.badges,
        expectation_badge(run));
}

// ---- Warnings

std::string warnings(const Run& run, const ReportParts& parts, const std::string& no_figures) {
    std::string list;
    if (!no_figures.empty()) list += "<li>no figures: " + html_text(no_figures) + "</li>\n";
    for (const io::Value& warning : items_at(run.summary, "warnings")) {
        list += "<li>" + html_value(warning) + "</li>\n";
    }
    list += parts.warnings;
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

/// True of a key that says nothing of what is computed.
bool is_about_the_case(std::string_view key) {
    return key == "title" || key == "problem" || key == "expect" || key == "on_request" ||
           key == "not_shown";
}

std::string what_was_run(const Run& run) {
    const io::Document document = io::read_yaml(run.file(io::case_name));
    std::vector<HtmlRow> rows;
    for (const io::Node::Entry& entry : document.root.entries) {
        if (is_about_the_case(entry.key)) continue;
        std::string pairs;
        add_pairs("", entry.value, pairs);
        rows.push_back({core::escape_markup(entry.key), pairs});
    }
    return html_table({"part", "keys of the case"}, rows, 2);
}

// ---- What was understood

std::string key_figures(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(run.summary, "key_figures")) {
        rows.push_back({html_value_at(each, "quantity"), html_value_at(each, "text")});
    }
    if (rows.empty()) return {};
    return html_table({"quantity", "value"}, rows, 2) +
           "<p class=\"note\">As they follow from the keys of the case, over all places that are "
           "struck and all values that are swept.</p>\n";
}

// ---- Results

/// Every scalar of summary.json, as written there.
std::string all_scalars(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const io::Value::Member& member : *run.summary.members()) {
        if (member.value.items() != nullptr || member.value.members() != nullptr) continue;
        rows.push_back({core::escape_markup(member.key), html_value(member.value)});
    }
    return "<details><summary>All scalars of summary.json</summary>\n" +
           html_table({"key", "value"}, rows, 2) + "</details>\n";
}

// ---- Figures

std::string figures_html(const DrawnFigures& figures) {
    if (figures.files.empty()) return {};
    std::string html =
        fmt::format("<div class=\"figures{}\">\n", figures.files.size() == 1 ? " one" : "");
    int number = 0;
    for (const DrawnFigure& figure : figures.files) {
        const bool alone = figure.wide.empty();
        if (!alone) {
            html += "<figure>\n<div class=\"wide\">\n" + svg_element(figure.wide) + "</div>\n";
        }
        html += fmt::format(
            "{}<div class=\"narrow{}\">\n{}</div>\n"
            "<figcaption><b>Figure {}.</b> {}</figcaption>\n</figure>\n",
            alone ? "<figure>\n" : "", alone ? " alone" : "", svg_element(figure.narrow), ++number,
            html_text(figure.caption));
    }
    return html +
           "</div>\n<p class=\"note\">figures/plot.py draws them by matplotlib, from the numbers "
           "in "
           "figures/figures.json.</p>\n";
}

/// The numbers of the figures, and the script that shows them where the pointer is.
std::string figure_scripts(const DrawnFigures& figures) {
    if (figures.files.empty()) return {};
    io::Value::Array data;
    for (const DrawnFigure& figure : figures.files) data.push_back(figure.data);
    return fmt::format(
        "<script type=\"application/json\" "
        "id=\"figure-data\">\n{}</script>\n<script>\n{}</script>\n",
        figures_json(std::move(data)), page_files::script);
}

// ---- Expectations

std::string expectations(const Run& run) {
    std::vector<HtmlRow> rows;
    for (const io::Value& each : items_at(run.summary, "expectations")) {
        const bool met = passed(each);
        const io::Value* reason = each.find("reason");
        rows.push_back({html_value_at(each, "quantity"), html_value_at(each, "source"),
                        html_value_at(each, "expected"), html_value_at(each, "tolerance"),
                        html_value_at(each, "computed"), html_value_at(each, "difference"),
                        fmt::format("<span class=\"{}\">{}</span>", met ? "good" : "bad",
                                    met ? "✓ met" : "✗ not met")});
        if (reason != nullptr)
            rows.back()[0] += "<br><i class=\"key\">" + html_value(*reason) + "</i>";
    }
    if (rows.empty()) return {};
    return html_table({"quantity", "source", "expected", "tolerance", "computed", "difference", ""},
                      rows, 2);
}

// ---- Provenance

std::string provenance(const io::Value& facts) {
    std::vector<HtmlRow> rows;
    if (facts.members() != nullptr) {
        for (const io::Value::Member& member : *facts.members()) {
            std::string name = member.key;
            std::replace(name.begin(), name.end(), '_', ' ');
            rows.push_back({core::escape_markup(name), html_value(member.value)});
        }
    }
    return html_table({"fact", "value"}, rows, 2);
}

std::string resolved_case(const Run& run) {
    return "<details><summary>case.yaml: the case with all defaults written out; running it again "
           "gives the same numbers</summary>\n<pre>" +
           core::escape_markup(io::read_text(run.file(io::case_name))) + "</pre></details>\n";
}

std::string citation(const io::Value& facts) {
    const std::string entry = fmt::format(
        "@software{{stoss,\n  title   = {{{{{}}}}},\n  author  = {{{{{}}}}},\n  version = {{{}}},\n"
        "  note    = {{commit {}}},\n  license = {{BSD-3-Clause}}\n}}\n",
        page_files::citation_title, page_files::citation_author, text_at(facts, "version"),
        text_at(facts, "commit"));
    return fmt::format(
        "<p>{}. {}, version {}, commit {}. Licence: BSD-3-Clause.</p>\n<pre>{}</pre>\n"
        "<p class=\"note\">Version and commit let others run the same program. Cite also the "
        "source of every value that the case took from the literature.</p>\n",
        core::escape_markup(page_files::citation_author),
        core::escape_markup(page_files::citation_title), html_value_at(facts, "version"),
        html_value_at(facts, "commit"), core::escape_markup(entry));
}

std::string page(const Run& run, const Report& report, const DrawnFigures& figures,
                 const std::string& no_figures) {
    const std::string provenance_file = run.required_file(io::provenance_name);
    const io::Value facts = io::parse_json(io::read_text(provenance_file), provenance_file);
    ReportParts parts = report.parts(run);
    if (parts.what_was_run.empty()) {
        run.required_file(io::case_name);
        parts.what_was_run = what_was_run(run) + resolved_case(run);
    }

    std::string body = head(run, parts);
    body += html_section("Warnings", warnings(run, parts, no_figures));
    body += html_section("Results", parts.results + all_scalars(run));
    body += html_section("What was understood", key_figures(run));
    body += html_section("What was run", parts.what_was_run);
    body += html_section("Figures", figures_html(figures));
    body += html_section("Expectations", expectations(run));
    for (const ReportSection& section : parts.sections) {
        body += html_section(section.heading, section.content);
    }
    body += html_section("Provenance", provenance(facts));
    body += html_section("How to cite", citation(facts));
    body += figure_scripts(figures);
    return html_page(run.title, body);
}

}  // namespace

void write_report(const Run& run, const Report& report, const FigureOptions& options) {
    DrawnFigures figures;
    std::string no_figures;
    std::exception_ptr error;
    try {
        figures = make_figures(run, report, options);
    } catch (const core::Stopped&) {
        throw;  // nobody wants the report
    } catch (const std::exception& failure) {
        no_figures = failure.what();
        error = std::current_exception();
    }
    io::write_text(run.file("report.html"), page(run, report, figures, no_figures));
    if (error) std::rethrow_exception(error);
}

}  // namespace stoss::postproc
