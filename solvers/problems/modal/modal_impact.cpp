#include <solvers/problems/modal/modal_impact.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <utility>

#include <fmt/format.h>
#include <Eigen/QR>
#include <models/modal_collision.hpp>
#include <models/truncation.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/collision_ending.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/modal/modal_figures.hpp>
#include <solvers/problems/modal/modal_file.hpp>
#include <stoss/core/text.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/contact_work.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/file.hpp>

namespace stoss::solvers {

namespace {

using Violations = std::vector<core::Violation>;

constexpr std::size_t history_capacity = 8192;  // samples kept of one collision
constexpr const char* body_table = "body_modes.csv";
constexpr const char* striker_table = "striker_modes.csv";

/// A body whose table is read.
struct ReadBody {
    NamedModes modes;
    std::string text;  // of the file, which goes into the directory of the run
    models::ModalMotion motion;

    double rigid_velocity(Eigen::Index point) const {
        double velocity = 0.0;
        for (std::size_t j = 0; j < modes.rigid; ++j)
            velocity += modes.shapes(point, static_cast<Eigen::Index>(j)) * motion.rigid_rates[j];
        return velocity;
    }
};

struct Case {
    CaseHeader header;
    ModalImpact impact;
    CaseExpectations expectations;
    ReadBody body;
    std::optional<ReadBody> striker;  // nothing: a point mass
    std::vector<Eigen::Index> points;

    const StrikingModes* striking_modes() const {
        return std::get_if<StrikingModes>(&impact.striker.kind);
    }
    modal::ModalBody striking_body() const {
        if (const StrikingModes* const given = striking_modes())
            return striker->modes.at(striker->modes.find(given->point).value());
        return modal::point_mass(std::get<StrikingMass>(impact.striker.kind).mass);
    }
    models::ModalMotion striker_motion() const {
        if (striker) return striker->motion;
        const auto& [mass, velocity, acceleration] = std::get<StrikingMass>(impact.striker.kind);
        if (!std::isfinite(mass)) return {};
        return {{velocity * std::sqrt(mass)}, {}, {}, {acceleration * std::sqrt(mass)}};
    }
    double approach_speed(Eigen::Index point) const {
        const modal::ModalBody other = striking_body();
        const models::ModalMotion motion = striker_motion();
        double speed = -body.rigid_velocity(point);
        for (std::size_t j = 0; j < other.rigid; ++j) speed += other.phi[j] * motion.rigid_rates[j];
        return speed;
    }
    /// True if gravity or another constant force acts on one of the bodies.
    bool is_loaded() const {
        const auto acts = [](const models::ModalMotion& motion) {
            return std::ranges::any_of(motion.rigid_loads, [](double f) { return f != 0.0; });
        };
        return acts(body.motion) || acts(striker_motion());
    }
};

core::Violation no_such_point(const std::string& key, const std::string& point,
                              const NamedModes& modes) {
    const auto nearest = core::nearest_word(point, modes.points);
    return {key, point, "is not a point of the table of modes",
            nearest ? "did you mean `" + *nearest + "`?"
                    : "the points are " + core::listed(modes.points, "and")};
}

/// The rows of the rigid modes that belong to the points of a motion.
Eigen::MatrixXd rigid_rows(const NamedModes& modes, const std::vector<Eigen::Index>& points) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(points.size()),
                         static_cast<Eigen::Index>(modes.rigid));
    for (std::size_t i = 0; i < points.size(); ++i) {
        rows.row(static_cast<Eigen::Index>(i)) =
            modes.shapes.row(points[i]).head(static_cast<Eigen::Index>(modes.rigid));
    }
    return rows;
}

/// Rates and loads a of the rigid modes with Phi_r a = the velocities and accelerations of the
/// points.
void read_motion(const TabledBody& given, const NamedModes& modes, const std::string& key,
                 models::ModalMotion& motion, Violations& violations) {
    motion.rigid_rates.assign(modes.rigid, 0.0);
    if (given.motion.empty()) return;
    std::vector<Eigen::Index> points;
    Eigen::MatrixXd motions(static_cast<Eigen::Index>(given.motion.size()), 2);
    for (std::size_t i = 0; i < given.motion.size(); ++i) {
        const auto point = modes.find(given.motion[i].point);
        if (!point) {
            violations.push_back(no_such_point(fmt::format("{}.motion[{}].point", key, i),
                                               given.motion[i].point, modes));
            return;
        }
        points.push_back(*point);
        motions.row(static_cast<Eigen::Index>(i)) << given.motion[i].velocity,
            given.motion[i].acceleration;
    }
    const Eigen::MatrixXd rows = rigid_rows(modes, points);
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
    if (qr.rank() < rows.cols()) {
        violations.push_back(
            {key + ".motion", "",
             fmt::format("does not determine the motion of {} rigid modes", modes.rigid),
             "give velocities of as many points, not all of them at one place"});
        return;
    }
    const Eigen::MatrixXd rates = qr.solve(motions);
    const Eigen::MatrixXd off = rows * rates - motions;
    if (off.col(0).norm() > 1e-6 * motions.col(0).norm() ||
        off.col(1).norm() > 1e-6 * motions.col(1).norm()) {
        violations.push_back({key + ".motion", "",
                              modes.rigid == 0 ? "is not possible: this body has no rigid mode"
                                               : "is not the motion of a rigid body",
                              ""});
    }
    motion.rigid_rates.assign(rates.col(0).begin(), rates.col(0).end());
    motion.rigid_loads.assign(rates.col(1).begin(), rates.col(1).end());
}

/// Coordinates of the vibrations: what a point does divided by the shape there.
void read_vibration(const TabledBody& given, const NamedModes& modes, const std::string& key,
                    models::ModalMotion& motion, Violations& violations) {
    if (given.vibration.empty()) return;
    const int rigid = static_cast<int>(modes.rigid), all = static_cast<int>(modes.shapes.cols());
    motion.vibration.assign(static_cast<std::size_t>(all - rigid), 0.0);
    motion.vibration_rates = motion.vibration;
    for (std::size_t i = 0; i < given.vibration.size(); ++i) {
        const PointVibration& each = given.vibration[i];
        const std::string here = fmt::format("{}.vibration[{}]", key, i);
        const auto point = modes.find(each.point);
        if (!point) violations.push_back(no_such_point(here + ".point", each.point, modes));
        if (each.mode <= rigid || each.mode > all) {
            violations.push_back({here + ".mode", std::to_string(each.mode),
                                  each.mode > all
                                      ? fmt::format("the table has only {} modes", all)
                                      : fmt::format("the first {} modes are rigid", rigid),
                                  fmt::format("give a mode from {} to {}", rigid + 1, all)});
            continue;
        }
        if (!point) continue;
        const auto shape = modes.shapes.col(each.mode - 1);
        if (std::abs(shape[*point]) < 1e-6 * shape.cwiseAbs().maxCoeff()) {
            violations.push_back({here + ".point", each.point,
                                  fmt::format("is at a node of mode {}", each.mode),
                                  "name a point that the mode moves"});
            continue;
        }
        const auto j = static_cast<std::size_t>(each.mode - 1 - rigid);
        motion.vibration[j] += each.displacement / shape[*point];
        motion.vibration_rates[j] += each.velocity / shape[*point];
    }
}

/// Unit translation is Phi_r a with a.a = m, if the rigid modes are mass-normalised.
void check_mass(const TabledBody& given, const NamedModes& modes, const std::string& key,
                Violations& violations) {
    if (!given.mass) return;
    std::vector<Eigen::Index> all;
    for (Eigen::Index i = 0; i < modes.shapes.rows(); ++i) all.push_back(i);
    const Eigen::MatrixXd rows = rigid_rows(modes, all);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(rows.rows());
    const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(rows);
    if (rows.cols() == 0 || qr.rank() < rows.cols()) {
        violations.push_back({key + ".mass", core::with_unit(*given.mass, "kg"),
                              "cannot be compared: the points do not distinguish the rigid modes",
                              "leave it out, or add points to the table"});
        return;
    }
    const Eigen::VectorXd translation = qr.solve(ones);
    const double mass = translation.squaredNorm();
    if ((rows * translation - ones).norm() > 1e-3 * ones.norm()) {
        violations.push_back({key + ".mass", core::with_unit(*given.mass, "kg"),
                              "cannot be compared: the rigid modes hold no translation",
                              "leave it out"});
    } else if (std::abs(mass - *given.mass) > 1e-3 * *given.mass) {
        violations.push_back(
            {key + ".mass", core::with_unit(*given.mass, "kg"),
             fmt::format("the rigid modes are normalised by a mass of {:.6g} kg", mass),
             "shapes must be mass-normalised in SI units, 1/sqrt(kg); or give modal_mass_kg"});
    }
}

ReadBody read_body(const io::Document& document, const TabledBody& given, const std::string& key,
                   Violations& violations) {
    const auto file = (std::filesystem::path(document.file).parent_path() / given.modes).string();
    if (!std::filesystem::exists(file)) {
        refuse(document, {{key + ".modes", given.modes, "there is no such file",
                           "the path is relative to the case"}});
    }
    ReadBody body{read_modes(file, given.rigid_modes), io::read_text(file), {}};
    check_mass(given, body.modes, key, violations);
    read_motion(given, body.modes, key, body.motion, violations);
    read_vibration(given, body.modes, key, body.motion, violations);
    return body;
}

void check_contact(const ModalImpact& impact, Violations& violations) {
    for (core::Violation& violation : models::check(impact.contact, "contact"))
        violations.push_back(std::move(violation));
    for (core::Violation& violation : models::check_without_bodies(impact.contact.law, "contact"))
        violations.push_back(std::move(violation));
}

void find_points(Case& all, Violations& violations) {
    const auto& names = all.impact.points.empty() ? all.body.modes.points : all.impact.points;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (const auto point = all.body.modes.find(names[i])) {
            all.points.push_back(*point);
        } else {
            violations.push_back(
                no_such_point(fmt::format("points[{}]", i), names[i], all.body.modes));
        }
    }
}

void check_striker(const Case& all, Violations& violations) {
    if (const StrikingModes* const given = all.striking_modes()) {
        if (!all.striker->modes.find(given->point))
            violations.push_back(no_such_point("striker.point", given->point, all.striker->modes));
        return;
    }
    const auto& [mass, velocity, acceleration] = std::get<StrikingMass>(all.impact.striker.kind);
    if (std::isfinite(mass)) return;
    const auto refuse_motion = [&](const char* key, double value, const char* unit) {
        if (value == 0.0) return;
        violations.push_back({key, core::with_unit(value, unit),
                              "a striker of infinite mass is inertially fixed and cannot move",
                              "give striker.mass, or let the body move instead"});
    };
    refuse_motion("striker.velocity", velocity, "m/s");
    refuse_motion("striker.acceleration", acceleration, "m/s^2");
}

void check_scheme(const Case& all, Violations& violations) {
    if (!all.is_loaded() || !std::holds_alternative<time::Newmark>(all.impact.integration.scheme))
        return;
    violations.push_back({"integration.scheme", "newmark", "does not support accelerations",
                          "use `integration.scheme: splitting`"});
}

Case read_case(const io::Document& document) {
    auto [header, impact, expectations] =
        io::read<CaseHeader, ModalImpact, CaseExpectations>(document);
    Case all{header, impact, expectations, {}, {}, {}};
    Violations violations;
    check_contact(impact, violations);
    all.body = read_body(document, impact.body, "body", violations);
    if (const StrikingModes* const given = all.striking_modes())
        all.striker = read_body(document, *given, "striker", violations);
    find_points(all, violations);
    check_striker(all, violations);
    check_scheme(all, violations);
    refuse(document, violations);
    for (const Eigen::Index point : all.points) {
        const double speed = all.approach_speed(point);
        if (speed > 0.0) continue;
        violations.push_back(
            {"points", all.body.modes.points[static_cast<std::size_t>(point)],
             fmt::format("the bodies do not approach each other there: V_rel = {:.4g} m/s, must be "
                         "> 0",
                         speed),
             "V_rel = velocity of the striker - that of the body: turn the sign of a motion"});
    }
    refuse(document, violations);
    return all;
}

io::Choice describe() {
    return io::describe_choice<ModalImpact>();
}
/// The tables of modes are copied into the directory of the run.
io::Node resolve(Case all) {
    all.impact.body.modes = body_table;
    if (auto* const given = std::get_if<StrikingModes>(&all.impact.striker.kind))
        given->modes = striker_table;
    return io::to_node(all.header, all.impact, all.expectations);
}

/// What further rows of the tables would change of e: a second collision with fewer of them. Both
/// collisions use the splitting scheme, whose error is far smaller.
class TableTruncation {
  public:
    explicit TableTruncation(const Case& all)
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
                   ? models::truncation_of(*cor, *coarser_cor)
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
        const impact::Collider collider(
            body, striker, {all_.impact.contact.law, all_.impact.contact.separation}, own_);
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

    const Case& all_;
    impact::Scheme own_;
    modal::ModalBody striker_, coarser_striker_;
    impact::Collider::Workspace workspace_;
    impact::CollisionResult result_;
};

double time_limit(const Case& all, const modal::ModalBody& striker) {
    return all.impact.integration.time_limit.value_or(
        models::default_time_limit(all.body.modes.eigenvalues, striker.eigenvalues));
}

io::Table history_table(const impact::History& history) {
    using Sample = const impact::Sample&;
    static constexpr std::pair<const char*, double (*)(Sample)> columns[] = {
        {"time_s", [](Sample s) { return s.time; }},
        {"overlap_m", [](Sample s) { return s.overlap; }},
        {"displacement_m", [](Sample s) { return s.body_displacement; }},
        {"approach_velocity_m_per_s", [](Sample s) { return s.approach_velocity; }},
        {"force_N", [](Sample s) { return s.force; }},
        {"energy_rigid", [](Sample s) { return s.energy_rigid; }},
        {"energy_vibration", [](Sample s) { return s.energy_vibration; }},
        {"energy_contact", [](Sample s) { return s.energy_contact; }},
        {"energy_structural_loss", [](Sample s) { return s.energy_structural_loss; }},
        {"energy_contact_loss", [](Sample s) { return s.energy_contact_loss; }},
        {"energy_load_work", [](Sample s) { return s.energy_load_work; }},
    };
    io::Table table;
    for (const auto& [name, value] : columns) {
        std::vector<double> values;
        for (Sample sample : history.samples()) values.push_back(value(sample));
        table.add(name, std::move(values));
    }
    return table;
}

io::Table collision_table(const Case& all, const std::vector<impact::CollisionResult>& results,
                          const std::vector<double>& truncations) {
    std::vector<std::int64_t> number;
    std::vector<std::string> points, status;
    std::vector<std::vector<double>> values(result_columns().size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        number.push_back(static_cast<std::int64_t>(i) + 1);
        points.push_back(all.body.modes.points[static_cast<std::size_t>(all.points[i])]);
        status.emplace_back(impact::to_string(results[i].status));
        const std::vector<double> row = result_values(results[i]);
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

void summarise(Outcome& outcome, const Case& all,
               const std::vector<impact::CollisionResult>& results,
               const std::vector<double>& truncations) {
    const bool is_one = results.size() == 1;
    double difference = 0.0, residual = 0.0;
    std::vector<Ended> ended;
    for (const impact::CollisionResult& result : results) {
        ended.push_back({result.status, result.energy.residual, result.cor_error});
        if (result.status != impact::Status::separated) continue;
        difference = std::max(difference, std::abs(result.cor_kinematic - result.cor_kinetic));
        residual = std::max(residual, std::abs(result.energy.residual));
    }
    io::Value& summary = outcome.summary = io::Value::object();
    summary.set("status", is_one ? impact::to_string(results[0].status) : "complete");
    summary.set("collisions", results.size());
    summary.set("modes", all.body.modes.eigenvalues.size());
    summary.set("rigid_modes", all.body.modes.rigid);
    if (is_one) {
        const std::vector<double> values = result_values(results[0]);
        for (std::size_t k = 0; k < values.size(); ++k)
            summary.set(std::string(result_columns()[k]), values[k]);
        summary.set("cor_truncation", truncations[0]);
    }
    double truncation = 0.0;
    for (const double each : truncations) truncation = std::fmax(truncation, each);
    summary.set("cor_truncation_max", truncation);
    summary.set("cor_difference_max", difference);
    summary.set("energy_residual_max", residual);
    judge(outcome, ended, all.impact.integration.scheme);
}

Outcome solve(const Case& all, const RunOptions& options) {
    const modal::ModalBody striker = all.striking_body();
    const models::ModalMotion striker_motion = all.striker_motion();
    const impact::Collider collider(all.body.modes.at(0), striker,
                                    {all.impact.contact.law, all.impact.contact.separation},
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
    for (const Eigen::Index point : all.points) {
        if (options.stop()) {
            outcome.ending = Ending::interrupted;
            return outcome;
        }
        const modal::ModalBody body = all.body.modes.at(point);
        const double limit = time_limit(all, striker);
        collider.collide(all.body.motion.of(body).approach(), striker_motion.of(striker).approach(),
                         limit, workspace, results.emplace_back(),
                         all.points.size() == 1 ? &history : nullptr);
        truncations.push_back(truncation.of(point, results.back(), limit).value_or(io::no_number));
    }
    outcome.items_done = results.size();
    summarise(outcome, all, results, truncations);
    outcome.headlines = {"collisions", "cor_truncation_max", "cor_difference_max",
                         "energy_residual_max"};
    outcome.tables.emplace_back("collisions.csv", collision_table(all, results, truncations));
    if (results.size() == 1) {
        outcome.summary.set(
            "cor_contact",
            impact::contact_restitution(results.front(), history).value_or(io::no_number));
        outcome.tables.emplace_back("history.csv", history_table(history));
    }
    outcome.files.emplace_back(body_table, all.body.text);
    if (all.striker) outcome.files.emplace_back(striker_table, all.striker->text);
    outcome.printed_table = "collisions.csv";
    outcome.curves = {"collisions.csv", "collision", std::vector<std::string>(results.size())};
    return outcome;
}

}  // namespace

const Problem modal_impact_problem{
    .name = ModalImpact::name,
    .meaning = ModalImpact::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve>,
    .report = {postproc::modal_impact_figures, postproc::modal_impact_report}};

}  // namespace stoss::solvers
