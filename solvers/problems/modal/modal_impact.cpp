#include <solvers/problems/modal/modal_impact.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <models/truncation.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/history_columns.hpp>
#include <solvers/problems/modal/modal_case.hpp>
#include <solvers/problems/modal/modal_figures.hpp>
#include <solvers/problems/modal/modal_gradient.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/contact_work.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr std::size_t history_capacity = 8192;  // samples kept of one collision
constexpr const char* body_table = "body_modes.csv";
constexpr const char* striker_table = "striker_modes.csv";

io::Choice describe() {
    return io::describe_choice<ModalImpact>();
}
/// The tables of modes are copied into the directory of the run.
io::Node resolve(ModalCase all) {
    all.impact.body.modes = body_table;
    if (auto* const given = std::get_if<StrikingModes>(&all.impact.striker.kind))
        given->modes = striker_table;
    return io::to_node(all.header, all.impact, all.expectations);
}

/// What further rows of the tables would change of e: a second collision with fewer of them. Both
/// collisions use the splitting scheme, whose error is far smaller.
class TableTruncation {
  public:
    explicit TableTruncation(const ModalCase& all)
        : all_(all),
          own_(all.impact.integration.estimates_error() ? all.impact.integration.scheme
                                                        : impact::Scheme{time::Splitting{}}),
          striker_(all.striking_body()),
          coarser_striker_(fewer_modes(striker_, highest_vibrating_mode(all.striker_motion()))) {}

    /// |change of e_N| in the collision at `point`; none if there is no mode to leave out, or the
    /// bodies did not separate.
    std::optional<double> of(Eigen::Index point, const impact::CollisionResult& result,
                             double time_limit) {
        const modal::ModalBody body = all_.body.modes.at(point);
        const modal::ModalBody coarser =
            fewer_modes(body, highest_vibrating_mode(all_.body.motion));
        if (coarser.modes() == body.modes() && coarser_striker_.modes() == striker_.modes())
            return std::nullopt;
        const bool has_own = all_.impact.integration.estimates_error();
        const auto cor =
            has_own ? models::restitution_of(result) : restitution(body, striker_, time_limit);
        const auto coarser_cor = restitution(coarser, coarser_striker_, time_limit);
        if (!cor || !coarser_cor) return std::nullopt;
        return body.residual_flexibility > 0.0 || striker_.residual_flexibility > 0.0
                   ? models::truncation_share(all_.contact()) * std::abs(*cor - *coarser_cor)
                   : models::truncation_without_residual(*cor, *coarser_cor);
    }

  private:
    /// The number of the highest mode that vibrates at first contact; 0 if none does.
    static std::size_t highest_vibrating_mode(const models::ModalMotion& motion) {
        for (std::size_t j = motion.vibration.size(); j > 0; --j) {
            if (motion.vibration[j - 1] != 0.0 || motion.vibration_rates[j - 1] != 0.0)
                return motion.rigid_rates.size() + j;
        }
        return 0;
    }
    static modal::ModalBody fewer_modes(const modal::ModalBody& body, std::size_t vibrating) {
        const auto fewer = static_cast<std::size_t>(
            std::lround(static_cast<double>(body.modes()) / models::truncation_ratio));
        return modal::with_lowest_modes(
            body, std::min(body.modes(), std::max({fewer, body.rigid, vibrating})));
    }
    std::optional<double> restitution(const modal::ModalBody& body, const modal::ModalBody& striker,
                                      double time_limit) {
        const impact::Collider collider(body, striker, all_.contact(), own_);
        const models::ModalMotion motion = lowest(all_.body.motion, body);
        const models::ModalMotion other = lowest(all_.striker_motion(), striker);
        collider.collide(motion.of(body).approach(), other.of(striker).approach(), time_limit,
                         workspace_, result_, nullptr);
        return models::restitution_of(result_);
    }
    static models::ModalMotion lowest(models::ModalMotion motion, const modal::ModalBody& body) {
        const std::size_t elastic = body.modes() - body.rigid;
        if (motion.vibration.size() > elastic) motion.vibration.resize(elastic);
        if (motion.vibration_rates.size() > elastic) motion.vibration_rates.resize(elastic);
        return motion;
    }

    const ModalCase& all_;
    impact::Scheme own_;
    modal::ModalBody striker_, coarser_striker_;
    impact::Collider::Workspace workspace_;
    impact::CollisionResult result_;
};

io::Table history_table(const impact::History& history) {
    io::Table table;
    for (const auto& [name, number] : history_columns) {
        std::vector<double> values;
        for (const impact::Sample& sample : history.samples()) values.push_back(sample.*number);
        table.add(std::string(name), std::move(values));
    }
    return table;
}

io::Table collision_table(const ModalCase& all, const std::vector<impact::CollisionResult>& results,
                          const std::vector<double>& truncations, double time_limit) {
    std::vector<std::int64_t> number;
    std::vector<std::string> points, status;
    std::vector<std::vector<double>> values(result_columns().size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        number.push_back(static_cast<std::int64_t>(i) + 1);
        points.push_back(all.name_of(all.points[i]));
        status.emplace_back(impact::to_string(results[i].status));
        const std::vector<double> row =
            result_values(results[i], came_to_rest(results[i], time_limit));
        for (std::size_t k = 0; k < row.size(); ++k) values[k].push_back(row[k]);
    }
    io::Table table;
    table.add("collision", std::move(number));
    table.add("point", std::move(points));
    table.add("status", std::move(status));
    for (std::size_t k = 0; k < values.size(); ++k)
        table.add(std::string(result_columns()[k]), std::move(values[k]));
    table.add("cor_truncation", truncations);
    return table;
}

/// Warns if e is hardly known because the table has few modes.
void warn_of_few_modes(Outcome& outcome, const ModalCase& all,
                       const std::vector<double>& truncations) {
    constexpr double noticeable = 0.01;
    const auto more = [](double a, double b) { return std::fmax(a, 0.0) < std::fmax(b, 0.0); };
    const auto largest = std::ranges::max_element(truncations, more);
    if (largest == truncations.end() || !(*largest > noticeable)) return;
    const Eigen::Index point = all.points[static_cast<std::size_t>(largest - truncations.begin())];
    const bool has_row = all.body.modes.at(point).residual_flexibility > 0.0;
    outcome.warnings.push_back(fmt::format(
        "further modes would change e by {:.2g}{}: give tables with more modes{}", *largest,
        truncations.size() == 1 ? ""
                                : fmt::format(" at {}, the most of {} collisions",
                                              all.name_of(point), truncations.size()),
        has_row ? "" : ", or with a row `inf`, the residual flexibility of the modes left out"));
}

void summarise(Outcome& outcome, const ModalCase& all,
               const std::vector<impact::CollisionResult>& results,
               const std::vector<double>& truncations, double time_limit) {
    const bool is_one = results.size() == 1;
    double difference = io::no_number, residual = io::no_number;
    std::vector<Ended> ended;
    for (const impact::CollisionResult& result : results) {
        ended.push_back({result.status, result.energy.residual, result.cor_error,
                         came_to_rest(result, time_limit)});
        if (result.status != impact::Status::separated) continue;
        difference = std::fmax(difference, std::abs(result.cor_kinematic - result.cor_kinetic));
        residual = std::fmax(residual, std::abs(result.energy.residual));
    }
    io::Value& summary = outcome.summary = io::Value::object();
    summary.set("status", is_one ? impact::to_string(results[0].status) : "complete");
    summary.set("collisions", results.size());
    summary.set("modes", all.body.modes.eigenvalues.size());
    summary.set("rigid_modes", all.body.modes.rigid);
    if (is_one) {
        const std::vector<double> values =
            result_values(results[0], came_to_rest(results[0], time_limit));
        for (std::size_t k = 0; k < values.size(); ++k)
            summary.set(std::string(result_columns()[k]), values[k]);
        summary.set("cor_truncation", truncations[0]);
    }
    double truncation = io::no_number;
    for (const double each : truncations) truncation = std::fmax(truncation, each);
    summary.set("cor_truncation_max", truncation);
    warn_of_few_modes(outcome, all, truncations);
    summary.set("cor_difference_max", difference);
    summary.set("energy_residual_max", residual);
    judge(outcome, ended, all.impact.integration.scheme);
}

/// gradient.csv and what the summary says of it.
void add_gradient(Outcome& outcome, const ModalCase& all, const impact::Collider& collider,
                  impact::Collider::Workspace& workspace) {
    if (!all.impact.has_gradient()) return;
    const ModalGradient gradient(all);
    GradientTable table(all.impact, {"collision"});
    std::vector<GradientRow> rows;
    std::vector<std::string> points;
    for (std::size_t i = 0; i < all.points.size(); ++i) {
        rows.push_back(gradient.row(i, collider, workspace));
        table.add(gradient.keys(), rows.back());
        points.insert(points.end(), gradient.keys().size(), all.name_of(all.points[i]));
    }
    table.add_to(outcome.summary, all.points.size() > 1);
    if (all.points.size() == 1) add_gradient_lines(outcome);
    io::Table written = table.table();
    written.add("point", std::move(points));
    outcome.tables.emplace_back("gradient.csv", std::move(written));
    warn_of_gradient(outcome.warnings, gradient.keys(), rows);
}

Outcome solve(const ModalCase& all, const RunOptions& options) {
    const core::StopScope scope(&options.stop);  // a stopped run keeps no results
    const modal::ModalBody striker = all.striking_body();
    const models::ModalMotion striker_motion = all.striker_motion();
    const impact::Collider collider(all.body.modes.at(0), striker, all.contact(),
                                    all.impact.integration.scheme);
    impact::Collider::Workspace workspace;
    impact::History history(history_capacity);
    std::vector<impact::CollisionResult> results;
    TableTruncation truncation(all);
    std::vector<double> truncations;
    Outcome outcome;
    outcome.header = all.header;
    outcome.expect = all.expectations.expect;
    outcome.items = "collisions";
    outcome.item_count = all.points.size();
    const double limit = all.time_limit(striker);
    for (const Eigen::Index point : all.points) {
        const modal::ModalBody body = all.body.modes.at(point);
        collider.collide(all.body.motion.of(body).approach(), striker_motion.of(striker).approach(),
                         limit, workspace, results.emplace_back(),
                         all.points.size() == 1 ? &history : nullptr);
        truncations.push_back(truncation.of(point, results.back(), limit).value_or(io::no_number));
    }
    outcome.items_done = results.size();
    summarise(outcome, all, results, truncations, limit);
    outcome.headlines = {"collisions", "cor_truncation_max", "cor_difference_max",
                         "energy_residual_max"};
    outcome.tables.emplace_back("collisions.csv",
                                collision_table(all, results, truncations, limit));
    if (results.size() == 1) {
        outcome.summary.set(
            "cor_contact",
            impact::contact_restitution(results.front(), history).value_or(io::no_number));
        outcome.tables.emplace_back("history.csv", history_table(history));
    }
    outcome.files.emplace_back(body_table, all.body.text);
    if (all.striker) outcome.files.emplace_back(striker_table, all.striker->text);
    add_gradient(outcome, all, collider, workspace);
    outcome.printed_table = "collisions.csv";
    outcome.curves = {"collisions.csv", "collision", std::vector<std::string>(results.size())};
    return outcome;
}

}  // namespace

const Problem modal_impact_problem{
    .name = ModalImpact::name,
    .meaning = ModalImpact::meaning,
    .describe = describe,
    .read = typed_case<ModalCase::read, resolve, solve>,
    .report = {postproc::modal_impact_figures, postproc::modal_impact_report}};

}  // namespace stoss::solvers
