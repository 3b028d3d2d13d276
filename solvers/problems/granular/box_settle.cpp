#include <solvers/problems/granular/box_settle.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <models/plausibility.hpp>
#include <solvers/case/case_header.hpp>
#include <solvers/case/contact_binding.hpp>
#include <solvers/case/impact_ending.hpp>
#include <solvers/case/memory.hpp>
#include <solvers/case/refusal.hpp>
#include <solvers/problems/granular/granular_figures.hpp>
#include <solvers/problems/granular/sphere_motion.hpp>
#include <solvers/problems/granular/sphere_run.hpp>
#include <stoss/core/field_checks.hpp>
#include <stoss/core/sphere.hpp>
#include <stoss/core/text.hpp>
#include <stoss/granular/statistics.hpp>
#include <stoss/io/bind.hpp>

namespace stoss::solvers {

namespace {

constexpr double most_rigid_overlap = 0.01;  // at the start, of the smaller radius
constexpr std::size_t profile_bins = 40;     // up to 1.2 of the height of the bed
constexpr std::size_t most_profile_bins = 4000;
constexpr int least_steps = 20;  // of a compliant contact

struct Case {
    CaseHeader header;
    BoxSettle box;
    CaseExpectations expectations;

    Eigen::Vector3d size() const { return {box.box.x, box.box.y, box.box.z}; }
    bool has_clumps() const { return box.grains.has_value() || !box.clumps.empty(); }
    models::SolidShape grain() const {
        return models::solid_of(box.shapes, *box.grains, box.density);
    }
    /// The lattice of the spheres, or of those that hold a clump each.
    models::SphereLattice lattice() const {
        models::SphereLattice lattice = *box.lattice;
        if (!box.grains) return lattice;
        const models::SolidShape shape = grain();
        lattice.radius *= shape.bound() / shape.equivalent_radius();
        return lattice;
    }
    /// As given; none of a lattice of clumps.
    std::vector<granular::Sphere> spheres() const {
        if (box.grains) return {};
        return box.lattice ? models::spheres_of(*box.lattice, size(), box.density)
                           : models::spheres_of(box.spheres, box.density);
    }
    std::vector<granular::Clump> clumps() const {
        if (!box.grains) return models::clumps_of(box.clumps, box.shapes, box.density);
        return models::clumps_in(models::spheres_of(lattice(), size(), box.density), grain(),
                                 box.lattice->seed);
    }
    /// Space filled over the volume of all spheres: below 1 if those of a clump overlap.
    double filled() const {
        std::vector<models::SolidShape> shapes;
        if (box.grains) shapes.push_back(grain());
        for (const models::GivenClump& clump : box.clumps)
            shapes.push_back(models::solid_of(box.shapes, clump.shape, box.density));
        double space = 0.0, spheres = 0.0;
        for (const models::SolidShape& shape : shapes) {
            space += shape.volume;
            spheres += shape.volume_of_spheres();
        }
        for (const models::GivenSphere& sphere : box.spheres) {
            space += core::sphere_volume(sphere.radius);
            spheres += core::sphere_volume(sphere.radius);
        }
        return has_clumps() ? space / spheres : 1.0;
    }
    /// Of each clump: turns its principal frame into that of its shape.
    std::vector<Eigen::Quaterniond> axes() const {
        if (box.grains) {
            return std::vector<Eigen::Quaterniond>(static_cast<std::size_t>(box.lattice->count),
                                                   grain().clump.orientation);
        }
        std::vector<Eigen::Quaterniond> axes(box.spheres.size(), Eigen::Quaterniond::Identity());
        for (const models::GivenClump& clump : box.clumps) {
            axes.push_back(
                models::solid_of(box.shapes, clump.shape, box.density).clump.orientation);
        }
        return axes;
    }
    /// That is accepted at the start, of the smaller radius: of compliant spheres the one at which
    /// a run fails (`Settling::step`).
    double most_overlap() const { return box.compliant ? 1.0 : most_rigid_overlap; }
    /// Of a sphere that falls through the whole box, after the fastest start [m/s].
    double speed_in_reach() const {
        double fastest = 0.0;
        for (const granular::Sphere& sphere : spheres())
            fastest = std::max(fastest, sphere.velocity.squaredNorm());
        return std::sqrt(fastest + 2.0 * models::vector_of(box.gravity).norm() * size().norm());
    }
    std::size_t steps() const { return steps_in(box.duration, box.stepping.step); }
};

bool is_along_an_edge(const Eigen::Vector3d& gravity) {
    return gravity.cwiseAbs().maxCoeff() == gravity.norm();
}

/// Against gravity where it is along an edge of the box, else along z.
granular::Upwards upwards(const Eigen::Vector3d& gravity, const Eigen::Vector3d& size) {
    granular::Upwards up;
    if (gravity == Eigen::Vector3d::Zero() || !is_along_an_edge(gravity)) return up;
    gravity.cwiseAbs().maxCoeff(&up.axis);
    if (gravity[up.axis] < 0.0) return up;
    up.sense = -1.0;
    up.floor = size[up.axis];
    return up;
}

/// What is in the box at the start: free spheres, or clumps (given spheres are some, then).
struct Grains {
    std::vector<granular::Sphere> spheres;
    std::vector<granular::Clump> clumps;

    explicit Grains(const Case& given) : spheres(given.spheres()) {
        if (!given.has_clumps()) return;
        for (const granular::Sphere& sphere : spheres) clumps.push_back(models::clump_of(sphere));
        for (granular::Clump& clump : given.clumps()) clumps.push_back(std::move(clump));
        spheres.clear();
    }

    template <class Assembly>
    void add_to(Assembly& assembly) const {
        for (const granular::Sphere& sphere : spheres) assembly.add(sphere);
        for (const granular::Clump& clump : clumps) assembly.add(clump);
    }
    granular::Spheres at_start() const {
        granular::Assembly assembly({}, {}, 1);
        add_to(assembly);
        return assembly.spheres();
    }
};

// ---- What may be wrong

/// With its contacts.
double bytes_per_sphere(const BoxSettle& box) {
    if (box.grains) return bytes_per_clump_sphere;
    if (!box.compliant) return bytes_per_free_sphere;
    const auto* partial = std::get_if<contact::PartialSlip>(&box.compliant->tangential);
    return bytes_per_compliant_sphere + (partial ? bytes_per_ring * partial->rings : 0.0);
}

void check_lattice(const Case& given, std::vector<core::Violation>& violations) {
    const models::SphereLattice lattice = given.lattice();
    std::vector<core::Violation> found = models::check(lattice, given.size(), "box");
    for (core::Violation& each : found) {
        if (given.box.grains && each.key == "lattice.spacing")
            each.rule = "is less than the length of a grain: grains could overlap";
    }
    core::append(found, violations);
    if (!found.empty()) return;
    const double spheres =
        given.box.grains ? static_cast<double>(given.grain().clump.members.size()) : 1.0;
    core::append(
        check_sphere_memory("lattice.count", std::to_string(lattice.count), spheres * lattice.count,
                            given.box.frames + 1, bytes_per_sphere(given.box)),
        violations);
}

/// A sphere, or one of a clump, that overlaps a wall too far. `size_key` gives its radius.
void check_inside(const Case& given, const std::string& key, const std::string& size_key,
                  const Eigen::Vector3d& centre, double radius,
                  std::vector<core::Violation>& violations) {
    const double shortest = given.size().minCoeff(), most = given.most_overlap();
    if (2.0 * radius - shortest > 2.0 * most_rigid_overlap * radius) {
        violations.push_back({key + "." + size_key, "",
                              fmt::format("the sphere is larger than the box: its radius is {:.6g} "
                                          "m, the shortest edge {:.6g} m",
                                          radius, shortest),
                              fmt::format("give a radius of at most {:.6g} m", 0.5 * shortest)});
        return;
    }
    for (int k = 0; k < 3; ++k) {
        const double edge = given.size()[k], wall = centre[k] < 0.5 * edge ? 0.0 : edge;
        const double inside = wall == 0.0 ? centre[k] : edge - centre[k];
        const double overlap = 1.0 - inside / radius;
        if (overlap <= most) continue;
        const std::string fact =
            inside < 0.0 ? fmt::format("the centre is outside the box along {}", "xyz"[k])
                         : fmt::format(
                               "the sphere overlaps the wall {} = {:.6g} m by {:.3g} of its "
                               "radius",
                               "xyz"[k], wall, overlap);
        violations.push_back(
            {key + ".position", "", fact,
             fmt::format("give a value between {:.6g} m and {:.6g} m; an overlap of at most {} of "
                         "the radius is accepted",
                         radius, edge - radius, most)});
    }
}

/// The law must hold for the smallest and the largest spheres, and pairs must be listed as long as
/// it holds them.
void check_law(const BoxSettle& box, const granular::Spheres& spheres,
               std::vector<core::Violation>& violations) {
    double smallest = core::infinity, largest = 0.0, reach = 0.0;
    for (const granular::Motion& motion : spheres.motion) {
        smallest = std::min(smallest, motion.radius);
        largest = std::max(largest, motion.radius);
    }
    for (const double radius : {smallest, largest}) {
        const auto found = models::check_pairs(*box.compliant, radius, "compliant");
        core::append(found, violations);
        if (!found.empty()) return;
    }
    for (const granular::Motion& motion : spheres.motion)
        reach = std::max(reach, models::reach_of_attraction(*box.compliant, motion.radius));
    const double skin = box.stepping.skin_of(smallest);
    if (skin > reach) return;
    violations.push_back({"stepping.skin", core::with_unit(skin, "m"),
                          "is not wider than the gap over which the law attracts",
                          fmt::format("give at least {:.3g} m", 1.01 * reach)});
}

void check_sphere(const Case& given, std::size_t i, std::vector<core::Violation>& violations) {
    const models::GivenSphere& sphere = given.box.spheres[i];
    const std::string key = fmt::format("spheres[{}]", i);
    core::append(models::check_triple(sphere.position, key + ".position"), violations);
    core::append(models::check_triple(sphere.velocity, key + ".velocity"), violations);
    core::append(models::check_triple(sphere.angular_velocity, key + ".angular_velocity"),
                 violations);
    if (sphere.position.size() == 3)
        check_inside(given, key, "radius", models::vector_of(sphere.position), sphere.radius,
                     violations);
}

/// Shapes and what names them.
void check_clumps(const Case& given, std::vector<core::Violation>& violations) {
    const BoxSettle& box = given.box;
    core::append(models::check(box.shapes), violations);
    if (box.grains)
        core::append(models::check_shape_name(*box.grains, "grains", box.shapes), violations);
    for (std::size_t i = 0; i < box.clumps.size(); ++i) {
        const std::string key = fmt::format("clumps[{}]", i);
        core::append(models::check_shape_name(box.clumps[i].shape, key + ".shape", box.shapes),
                     violations);
        core::append(models::check(box.clumps[i], key), violations);
    }
}

/// Of the lightest and the heaviest sphere.
void check_masses(const Case& given, const granular::Spheres& spheres,
                  std::vector<core::Violation>& violations) {
    const auto [heaviest, lightest] =
        std::ranges::minmax(spheres.motion, {}, &granular::Motion::inverse_mass);
    const bool has_clumps = given.has_clumps();
    for (const double inverse : {heaviest.inverse_mass, lightest.inverse_mass}) {
        const auto found =
            models::check_mass(1.0 / inverse, has_clumps ? "shapes" : "density",
                               has_clumps ? "" : core::with_unit(given.box.density, "kg/m^3"));
        core::append(found, violations);
        if (!found.empty()) return;
    }
}

/// Where clumps and spheres are at the start.
void check_places(const Case& given, std::vector<core::Violation>& violations) {
    const BoxSettle& box = given.box;
    if (box.lattice) check_lattice(given, violations);
    for (std::size_t i = 0; i < box.spheres.size(); ++i) check_sphere(given, i, violations);
    if (!violations.empty()) return;
    const granular::Spheres spheres = Grains(given).at_start();
    check_masses(given, spheres, violations);
    for (std::size_t i = 0; i < spheres.size() && !box.clumps.empty(); ++i) {
        const std::size_t body = spheres.attachment[i].body;
        if (body < box.spheres.size()) continue;
        check_inside(given, fmt::format("clumps[{}]", body - box.spheres.size()), "shape",
                     spheres.position[i], spheres.motion[i].radius, violations);
    }
    if (!violations.empty()) return;
    if (box.compliant) check_law(box, spheres, violations);
    const models::Overlap overlap = models::deepest_overlap(spheres);
    if (overlap.share <= given.most_overlap()) return;
    const auto name = [&](std::size_t i) {
        return i < box.spheres.size() ? fmt::format("spheres[{}]", i)
                                      : fmt::format("clumps[{}]", i - box.spheres.size());
    };
    violations.push_back(
        {name(overlap.second) + ".position", "",
         fmt::format("overlaps {} by {:.3g} of the smaller radius", name(overlap.first),
                     overlap.share),
         fmt::format("at most {} of the smaller radius is accepted", given.most_overlap())});
}

std::vector<core::Violation> check_case(const Case& given) {
    const BoxSettle& box = given.box;
    std::vector<core::Violation> violations = models::check_triple(box.gravity, "gravity");
    const bool are_single = !box.spheres.empty() || !box.clumps.empty();
    if (box.lattice.has_value() == are_single) {
        violations.push_back({box.lattice ? "lattice" : "spheres", "",
                              box.lattice ? fmt::format("cannot be given together with `{}`",
                                                        box.spheres.empty() ? "clumps" : "spheres")
                                          : "is missing",
                              "give either `lattice` or `spheres`"});
        return violations;
    }
    if (box.grains && !box.lattice)
        violations.push_back(
            {"grains", *box.grains, "needs `lattice`", "give `lattice`, or use `clumps` instead"});
    core::append(models::check_step(box.stepping, box.duration), violations);
    if (box.compliant) {
        core::append(models::check(*box.compliant, "compliant"), violations);
        if (given.has_clumps()) {
            violations.push_back({"compliant", "",
                                  "cannot be given together with clumps, which are rigid",
                                  "leave out `compliant`, or give spheres only"});
        }
    }
    check_clumps(given, violations);
    if (violations.empty()) check_places(given, violations);
    return violations;
}

Case read_case(const io::Document& document) {
    auto [header, box, expectations] = io::read<CaseHeader, BoxSettle, CaseExpectations>(document);
    Case given{header, box, expectations};
    refuse(document, check_case(given));
    return given;
}

io::Choice describe() {
    return io::describe_choice<BoxSettle>();
}
io::Node resolve(const Case& given) {
    return io::to_node(given.header, given.box, given.expectations);
}
InputEcho echo(const Case& given) {
    if (!given.box.compliant) return {};
    const contact::Law& law = given.box.compliant->contact.law;
    return {{}, models::implausible_line_contact(law, "compliant.contact")};
}

// ---- The run

SphereMotion motion_of(const BoxSettle& box, double smallest_radius,
                       std::vector<granular::Wall> walls, int threads) {
    const Eigen::Vector3d gravity = models::vector_of(box.gravity);
    if (box.compliant) {
        return {
            models::stepping(*box.compliant, box.contact, box.stepping, gravity, smallest_radius),
            std::move(walls), threads};
    }
    return {models::stepping(box.contact, box.stepping, gravity, smallest_radius), std::move(walls),
            threads};
}

/// Columns of history.csv.
constexpr std::array history_columns{"time_s",
                                     "energy_translation_J",
                                     "energy_rotation_J",
                                     "energy_potential_J",
                                     "work_of_error_reduction_J",
                                     "energy_lost_J",
                                     "contacts_per_sphere",
                                     "deepest_overlap_m",
                                     "residual_m_per_s",
                                     "sweeps",
                                     "largest_speed_m_per_s",
                                     "energy_stored_J"};
constexpr std::size_t largest_speed = 10;  // its column
static_assert(history_columns[largest_speed] == std::string_view("largest_speed_m_per_s"));

/// In the order of `models::walls_of_box`.
const std::array<std::string, 6> wall_names{"x_low",  "x_high", "y_low",
                                            "y_high", "z_low",  "z_high"};

/// Of all spheres [m].
struct Radii {
    double smallest = core::infinity, mean = 0.0;
};
Radii radii_of(const granular::Spheres& spheres) {
    Radii radii;
    double sum = 0.0;
    for (const granular::Motion& motion : spheres.motion) {
        radii.smallest = std::min(radii.smallest, motion.radius);
        sum += motion.radius;
    }
    radii.mean = sum / static_cast<double>(spheres.size());
    return radii;
}

/// What is to be said of the farthest turn [rad] of a clump in a step [s]; empty if it is small.
std::string words_of_turn(double turn, double step) {
    constexpr double far = 0.5;  // the direction of a spin is of first order in the step
    if (!(turn > far)) return {};
    return fmt::format(
        "a clump turns by {} in a step, more than {}: its motion is not accurate; take a step of "
        "at most {}",
        in_short(turn, "rad"), in_short(far, "rad"), in_short(step * far / turn, "s"));
}

class Settling final : public SphereRun {
  public:
    Settling(const Case& given, const RunOptions& options)
        : SphereRun(history_columns, given.steps(), given.box.frames, options),
          given_(given),
          filled_(given.filled()),
          radii_(radii_of(Grains(given).at_start())),
          up_(upwards(models::vector_of(given.box.gravity), given.size())),
          assembly_(motion_of(given.box, radii_.smallest, models::walls_of_box(given.size()),
                              options.threads)) {
        Grains(given).add_to(assembly_);
        assembly_.begin();
        const granular::CompliantEnergy energy = assembly_.energy();
        record().energy_first = energy.total();
        record().energy = energy.mechanical();
        record_motion(energy);
    }

  private:
    std::size_t steps_done() const override { return assembly_.steps(); }
    double time() const override { return assembly_.time(); }
    std::size_t size() const override { return assembly_.spheres().size(); }
    const granular::Spheres& spheres() override { return assembly_.spheres(); }
    granular::StepReport step() override;
    bool is_sample_due() const override {
        return is_moment(std::min(static_cast<std::size_t>(given_.box.samples), steps()));
    }
    std::vector<double> sample() override;
    std::vector<double> state() override { return assembly_.state(); }
    void restore(std::span<const double> state) override { assembly_.restore(state); }
    void add_results(Outcome& outcome) override;
    std::string failure() const override;

    std::size_t clumps() const { return assembly_.bodies().size(); }
    double per_sphere(std::size_t contacts) const {
        return static_cast<double>(contacts) / static_cast<double>(assembly_.spheres().size());
    }
    /// Of the box between two heights.
    double solid_fraction(double low, double high) const {
        const Eigen::Vector3d size = given_.size();
        const double area = size[(up_.axis + 1) % 3] * size[(up_.axis + 2) % 3];
        return filled_ * granular::solid_fraction(assembly_.spheres(), area, low, high, up_);
    }
    double energy_lost(const granular::CompliantEnergy& energy) const {
        return record().energy_first + record().error_reduction - energy.mechanical();
    }
    void record_motion(const granular::CompliantEnergy& energy);
    void judge_step(Outcome& outcome) const;
    void judge_energy(Outcome& outcome) const;
    double box_height() const { return given_.size()[up_.axis]; }
    io::Value summary(double rdf_peak) const;
    granular::RadialDistribution rdf() const;
    std::size_t slabs(double thickness) const;
    io::Table profile() const;
    double bed_height() const {
        const double mean = clumps() > 0 ? granular::mean_height(assembly_.bodies(), up_)
                                         : granular::mean_height(assembly_.spheres(), up_);
        return std::min(2.0 * mean, box_height());
    }

    /// Angular momenta of the clumps about their centres, each by its size [N m s].
    double spin() const {
        double sum = 0.0;
        for (std::size_t i = 0; i < clumps(); ++i) sum += assembly_.bodies().spin(i).norm();
        return sum;
    }

    const Case& given_;
    double filled_;  // space over volume of the spheres
    Radii radii_;
    granular::Upwards up_;
    SphereMotion assembly_;
};

granular::StepReport Settling::step() {
    granular::StepReport done = assembly_.step();
    if (!assembly_.is_compliant() && done.is_finite && steps_done() == steps())
        include_end(done, assembly_.spheres(), assembly_.walls());
    double fastest = 0.0;
    for (const granular::Motion& motion : assembly_.spheres().motion)
        fastest = std::max(fastest, motion.v.squaredNorm());
    const granular::CompliantEnergy energy = assembly_.energy();
    record().add(done, record().energy, energy.mechanical(), std::sqrt(fastest),
                 given_.box.stepping.tolerance);
    record().add_overlap(done);
    record_motion(energy);
    if (assembly_.is_compliant() && done.deepest_share > 1.0) done.is_finite = false;
    return done;
}

/// Kinetic energy, and turns of clumps.
void Settling::record_motion(const granular::CompliantEnergy& energy) {
    record().largest_kinetic =
        std::max(record().largest_kinetic, energy.translation + energy.rotation);
    double fastest = 0.0;
    const granular::Bodies& bodies = assembly_.bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        const Eigen::Vector3d& I = bodies.inertia[i];
        if (I.minCoeff() == I.maxCoeff()) continue;  // a single sphere: its turn does not matter
        fastest = std::max(fastest, bodies.motion[i].omega.squaredNorm());
    }
    record().farthest_turn =
        std::max(record().farthest_turn, given_.box.stepping.step * std::sqrt(fastest));
}

std::vector<double> Settling::sample() {
    const granular::CompliantEnergy energy = assembly_.energy();
    return {assembly_.time(),
            energy.translation,
            energy.rotation,
            energy.potential,
            record().error_reduction,
            energy_lost(energy),
            per_sphere(report().pressing),
            record().since_deepest,
            record().since_residual,
            record().sweeps_per_step(),
            record().since_fastest,
            energy.stored};
}

// ---- Results

granular::RadialDistribution Settling::rdf() const {
    granular::Region bed{Eigen::Vector3d::Zero(), given_.size()};
    if (up_.sense > 0.0) {
        bed.high[up_.axis] = bed_height();
    } else {
        bed.low[up_.axis] = up_.floor - bed_height();
    }
    return granular::radial_distribution(assembly_.spheres(), bed, rdf_range * 2.0 * radii_.mean,
                                         rdf_bins);
}

/// How many of that thickness profile.csv has: enough for the highest sphere.
std::size_t Settling::slabs(double thickness) const {
    const double top = std::min(granular::highest_point(assembly_.spheres(), up_), box_height());
    const double needed = std::ceil(top / thickness * (1.0 - 1e-12));
    if (!(needed > static_cast<double>(profile_bins))) return profile_bins;
    return static_cast<std::size_t>(std::min(needed, static_cast<double>(most_profile_bins)));
}

io::Table Settling::profile() const {
    const double height = std::min(1.2 * bed_height(), box_height());
    constexpr auto count = static_cast<double>(profile_bins);
    const std::size_t all = slabs(height / count);
    std::vector<double> z, fraction;
    for (std::size_t k = 0; k < all; ++k) {
        const double low = height * static_cast<double>(k) / count;
        const double high = height * static_cast<double>(k + 1) / count;
        z.push_back(0.5 * (low + high));
        fraction.push_back(solid_fraction(low, high));
    }
    io::Table table;
    table.add("height_m", std::move(z));
    table.add("solid_fraction", std::move(fraction));
    return table;
}

io::Value Settling::summary(double rdf_peak) const {
    const double height = bed_height();
    const granular::CompliantEnergy energy = assembly_.energy();
    io::Value summary = io::Value::object();
    summary.set("spheres", assembly_.spheres().size());
    if (clumps() > 0) {
        summary.set("clumps", clumps())
            .set("contacts_per_clump",
                 static_cast<double>(report().pressing) / static_cast<double>(clumps()));
    }
    summary.set("steps", assembly_.steps())
        .set("time_s", assembly_.time())
        .set("contacts_per_sphere", per_sphere(report().pressing))
        .set("bed_height_m", height)
        .set("solid_fraction", solid_fraction(0.1 * height, 0.9 * height))
        .set("rdf_peak_diameters", rdf_peak)
        .set("deepest_overlap_m", record().deepest)
        .set("deepest_overlap_radii", record().deepest_share)
        .set("deepest_overlap_last_m", report().deepest_overlap)
        .set("largest_speed_m_per_s", record().fastest)
        .set("largest_speed_last_m_per_s", rows().back()[largest_speed])
        .set("residual_last_m_per_s", report().residual)
        .set("sweeps_mean", record().sweeps / static_cast<double>(assembly_.steps()))
        .set("energy_first_J", record().energy_first)
        .set("energy_last_J", energy.mechanical())
        .set("energy_kinetic_last_J", energy.translation + energy.rotation)
        .set("work_of_error_reduction_J", record().error_reduction)
        .set("energy_lost_J", energy_lost(energy))
        .set("energy_largest_gain_J", record().largest_gain)
        .set("momentum_last_N_s", assembly_.momentum().norm());
    if (assembly_.is_compliant()) {
        summary.set("energy_stored_last_J", energy.stored)
            .set("normal_loss_J", energy.normal_loss)
            .set("friction_loss_J", energy.friction_loss)
            .set("energy_residual_J", energy.total() - record().energy_first);
    } else {
        summary.set("relaxations", assembly_.relaxations())
            .set("residual_largest_m_per_s", record().residual)
            .set("unconverged_share", record().unconverged_share());
    }
    if (clumps() > 0) summary.set("spin_last_N_m_s", spin());
    const std::vector<double> forces = wall_forces(assembly_.contacts(), wall_names.size());
    for (std::size_t wall = 0; wall < forces.size(); ++wall)
        summary.set(fmt::format("force_on_{}_N", wall_names[wall]), forces[wall]);
    return summary;
}

void Settling::add_results(Outcome& outcome) {
    granular::RadialDistribution g = rdf();  // of all pairs: once
    outcome.summary = summary(peak_of(g));
    outcome.headlines = {"contacts_per_sphere", "solid_fraction", "deepest_overlap_m",
                         "largest_speed_last_m_per_s", "energy_lost_J"};
    outcome.tables.emplace_back("history.csv", history());
    outcome.tables.emplace_back("rdf.csv", rdf_table(std::move(g.g), 2.0 * radii_.mean));
    outcome.tables.emplace_back("profile.csv", profile());
    outcome.tables.emplace_back("spheres.csv", spheres_table(assembly_.spheres()));
    outcome.tables.emplace_back("contacts.csv", contacts_table(assembly_.contacts(), wall_names));
    if (clumps() > 0)
        outcome.tables.emplace_back("clumps.csv", clumps_table(assembly_.bodies(), given_.axes()));
    outcome.curves = {"history.csv", "time_s", std::vector<std::string>(rows().size())};
    frames().add_to(outcome.files, clump_of_number(assembly_.spheres()));
    if (outcome.ending != Ending::complete) return;  // it says why itself
    judge_step(outcome);
    judge_energy(outcome);
    if (!is_along_an_edge(models::vector_of(given_.box.gravity))) {
        outcome.warnings.emplace_back(
            "gravity is not along an edge of the box: `bed_height_m`, `solid_fraction`, "
            "profile.csv and rdf.csv take z as the height");
    }
}

std::string Settling::failure() const {
    const auto& compliant = given_.box.compliant;
    if (!compliant) {
        const std::string turn = words_of_turn(record().farthest_turn, given_.box.stepping.step);
        return SphereRun::failure() + (turn.empty() ? "" : ": ") + turn;
    }
    const auto time =
        models::shortest_contact(*compliant, given_.spheres(), given_.speed_in_reach());
    if (time && least_steps * given_.box.stepping.step > *time) {
        return SphereRun::failure() +
               fmt::format(": the step is too long for the contacts; take at most {}",
                           in_short(*time / least_steps, "s"));
    }
    if (!(record().deepest_share > 1.0)) return SphereRun::failure();
    return fmt::format(
        "spheres passed through each other or through a wall at {}: an overlap exceeds the smaller "
        "radius; take a stiffer material or lower speeds",
        in_short(assembly_.time(), "s"));
}

/// Warns of a step that is too long, and of overlaps that are too deep.
void Settling::judge_step(Outcome& outcome) const {
    const double step = given_.box.stepping.step;
    if (const auto& compliant = given_.box.compliant) {
        const auto time = models::shortest_contact(*compliant, given_.spheres(), record().fastest);
        if (time && least_steps * step > *time) {
            outcome.warnings.push_back(
                fmt::format("the fastest contact takes {}, less than {} steps: take a shorter step",
                            in_short(*time, "s"), least_steps));
        }
        warn_of_deep_overlap(outcome, record().deepest_share);
        return;
    }
    warn_of_missed_contacts(outcome, record().fastest, step,
                            given_.box.stepping.margin_of(radii_.smallest));
    const std::string turn = words_of_turn(record().farthest_turn, step);
    if (!turn.empty()) outcome.warnings.push_back(turn);
    warn_of_rigid_overlap(outcome, record().deepest_share);
}

/// Warns of energies that are not accurate.
void Settling::judge_energy(Outcome& outcome) const {
    const granular::CompliantEnergy energy = assembly_.energy();
    if (!assembly_.is_compliant()) {
        warn_of_unsolved_contacts(outcome, record(), energy_lost(energy), given_.box.stepping);
        return;
    }
    constexpr double much = 0.01;  // of what was lost, and of the largest kinetic energy
    const double lost = energy.normal_loss + energy.friction_loss;
    const double roundoff = 1e-9 * std::abs(record().energy_first);
    const double residual = std::abs(energy.total() - record().energy_first);
    if (!(residual > std::max(roundoff, much * (lost + record().largest_kinetic)))) return;
    outcome.warnings.push_back(
        fmt::format("energies are not accurate: the balance is off by {:.2g} J, the contacts took "
                    "{:.2g} J; take a shorter step",
                    residual, lost));
}

Outcome solve(const Case& given, const RunOptions& options) {
    Outcome outcome = Settling(given, options).solve(given.header, given.expectations);
    if (given.box.lattice) outcome.seed = given.box.lattice->seed;
    return outcome;
}

}  // namespace

const Problem box_settle_problem{
    .name = BoxSettle::name,
    .meaning = BoxSettle::meaning,
    .describe = describe,
    .read = typed_case<read_case, resolve, solve, echo>,
    .report = {postproc::box_settle_figures, postproc::box_settle_report}};

}  // namespace stoss::solvers
