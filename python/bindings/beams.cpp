// Collisions of a beam: a model that is made once, maps and single collisions with history.
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <models/checked_beam_model.hpp>
#include <models/modal_collision.hpp>
#include <solvers/case/beam_binding.hpp>
#include <solvers/case/collision_columns.hpp>
#include <solvers/case/history_columns.hpp>
#include <solvers/case/profile_table.hpp>
#include <solvers/problems/beam/beam_gradient.hpp>
#include <stoss/core/text.hpp>
#include <stoss/io/csv.hpp>

#include "background.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "python_law.hpp"

namespace stoss::python {

namespace {

using namespace pybind11::literals;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

std::span<const double> span_of(const Numbers& numbers) {
    return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

py::str word_of(impact::Status status) {
    return py::str(std::string(impact::to_string(status)));
}

std::size_t longest_status() {
    using impact::Status;
    return longest_word(
        {Status::separated, Status::no_approach, Status::not_separated, Status::not_finite});
}

/// One member of every item of a list, as an array that owns its numbers.
template <class Item, class Member>
py::array_t<double> column_of(const std::vector<Item>& items, Member member) {
    std::vector<double> values;
    values.reserve(items.size());
    for (const Item& item : items) values.push_back(item.*member);
    return to_array(std::move(values));
}

/// The same of a member with several numbers each: items x numbers.
template <class Item>
py::array_t<double> matrix_of(const std::vector<Item>& items, std::vector<double> Item::*member) {
    const std::size_t width = items.empty() ? 0 : (items.front().*member).size();
    std::vector<double> values;
    values.reserve(items.size() * width);
    for (const Item& item : items)
        values.insert(values.end(), (item.*member).begin(), (item.*member).end());
    return to_array(std::move(values),
                    {static_cast<py::ssize_t>(items.size()), static_cast<py::ssize_t>(width)});
}

/// The columns of a history, and the unit of each.
std::pair<py::dict, py::dict> history_of(const std::vector<impact::Sample>& samples) {
    using impact::Sample;
    py::dict history, units;
    for (const auto& [header, number] : solvers::history_columns) {
        const core::NameAndUnit parts = core::split_unit(std::string(header));
        const bool is_of_body = number == &Sample::body_displacement;
        const py::str name(is_of_body ? "body_displacement" : parts.name);
        history[name] = column_of(samples, number);
        units[name] = parts.unit;
    }
    const auto add = [&](const char* name, std::vector<double> Sample::*numbers, const char* unit) {
        history[name] = matrix_of(samples, numbers);
        units[name] = unit;
    };
    add("energy_modes", &Sample::energy_modes, "");
    add("body_modes", &Sample::body_modes, "sqrt(kg) m");
    add("body_rates", &Sample::body_rates, "sqrt(kg) m/s");
    return {history, units};
}

py::dict sub_impacts_of(const impact::CollisionResult& result) {
    using impact::SubImpact;
    py::dict columns;
    columns["start_s"] = column_of(result.sub_impacts, &SubImpact::start);
    columns["end_s"] = column_of(result.sub_impacts, &SubImpact::end);
    columns["impulse_N_s"] = column_of(result.sub_impacts, &SubImpact::impulse);
    columns["peak_force_N"] = column_of(result.sub_impacts, &SubImpact::peak_force);
    return columns;
}

/// A collision as dict: numbers with units in their names, sub-impacts, history. `time_limit`: of
/// the motion that was followed [s].
py::dict collision_of(const models::Collision& collision, double time_limit) {
    const auto names = solvers::result_columns();
    const std::vector<double> values =
        solvers::result_values(collision, solvers::came_to_rest(collision, time_limit));
    py::dict dict, numbers;
    for (std::size_t i = 0; i < names.size(); ++i)
        numbers[py::str(std::string(names[i]))] = values[i];
    dict["numbers"] = numbers;
    dict["status"] = word_of(collision.status);
    dict["converged"] = collision.converged;
    dict["steps"] = collision.steps;
    dict["energy_modes"] = to_array(collision.energy.modes);
    dict["sub_impacts"] = sub_impacts_of(collision);
    const auto [history, units] = history_of(collision.history);
    dict["history"] = history;
    dict["history_units"] = units;
    return dict;
}

/// A collision of a beam with its derivatives.
struct DifferentiatedCollision {
    models::Collision collision;
    double time_limit = 0.0;              ///< of the motion that was followed [s]
    std::shared_ptr<io::Table> gradient;  ///< as gradient.csv; without keys it has no columns
    std::vector<std::string> warnings;
};

/// `settled`: with its modes. The place stays at that xi while the length of the beam changes.
DifferentiatedCollision differentiated(const models::CheckedBeamModel& settled, double xi,
                                       std::size_t samples, const solvers::GradientKeys& wanted) {
    DifferentiatedCollision all{settled.collide(xi, samples),
                                settled.model().time_limit(),
                                std::make_shared<io::Table>(),
                                {}};
    if (!wanted.has_gradient()) return all;
    const models::BeamModel& model = settled.model();
    const solvers::GradientStudy study(model, wanted);
    const solvers::BeamStudy numbers(model);
    const std::vector<double> columns =
        solvers::collision_values(numbers, xi, all.collision, std::nullopt);
    const std::array rows{study.row(columns, study.slopes(xi, 0.0))};
    solvers::GradientTable table = solvers::beam_gradient_table(wanted);
    table.add(study.keys(), rows.front());
    *all.gradient = table.table();
    solvers::warn_of_gradient(all.warnings, study.keys(), rows);
    return all;
}

/// A beam and its striker; the modes are computed once.
class BeamModel {
  public:
    /// `force`: of a law written in Python, or None.
    BeamModel(const py::object& parameters, const py::object& force)
        : calls_python_(!force.is_none()) {
        io::Document document{"beam", to_node(parameters)};
        solvers::read_profile_tables(document);
        auto collision = io::read<models::BeamCollision>(document);
        if (calls_python_) collision.contact.law = law_of(force);
        in_background([&](const std::function<bool()>&) { model_.emplace(collision); });
    }

    /// Columns of the map, each as map.csv has it, and the status of each collision.
    py::tuple map(const Numbers& xi, int threads, const py::object& progress) const {
        const auto names = solvers::result_columns();
        const auto count = static_cast<std::size_t>(xi.size());
        std::vector<Buffer<double>> columns;
        for (std::size_t c = 0; c < names.size(); ++c) columns.emplace_back(count);
        WordBuffer statuses(count, longest_status());
        double time_limit = 0.0;
        const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
            const std::vector<double> values =
                solvers::result_values(result, solvers::came_to_rest(result, time_limit));
            for (std::size_t c = 0; c < names.size(); ++c) columns[c][i] = values[c];
            statuses.set(i, impact::to_string(result.status));
        };
        compute(
            [&](const std::function<bool()>& stop) {
                const models::CheckedBeamModel settled =
                    model_->settled(span_of(xi), threads_of(threads), stop);
                time_limit = settled.model().time_limit();
                settled.map(span_of(xi), threads_of(threads), stop, take);
            },
            progress);
        const std::vector<py::ssize_t> shape{xi.size()};
        py::dict arrays;
        arrays["xi"] = to_array(std::vector<double>(xi.data(), xi.data() + count));
        for (std::size_t c = 0; c < names.size(); ++c)
            arrays[py::str(std::string(names[c]))] = std::move(columns[c]).to_array(shape);
        return py::make_tuple(arrays, std::move(statuses).to_array(shape));
    }

    /// `gradient`: the keys `gradient`, `gradient_of` and `gradient_kinks` of a case.
    py::dict collide(double xi, std::size_t samples, const py::object& gradient) const {
        const auto wanted =
            io::read<solvers::BeamGradientKeys>(io::Document{"gradient", to_node(gradient)});
        core::throw_if_any(solvers::check_gradient_keys(wanted, model_->parameters()));
        DifferentiatedCollision all;
        compute([&](const std::function<bool()>& stop) {
            all =
                differentiated(model_->settled({&xi, 1}, threads_of(0), stop), xi, samples, wanted);
        });
        py::dict dict = collision_of(all.collision, all.time_limit);
        dict["gradient"] = columns_of(all.gradient);
        dict["warnings"] = all.warnings;
        return dict;
    }

    /// By how much further modes would change e_N at each place; NaN where that is not known.
    py::array_t<double> truncation(const Numbers& xi, int threads) const {
        std::vector<double> changes;
        compute([&](const std::function<bool()>& stop) {
            for (const auto& change : model_->truncation(span_of(xi), threads_of(threads), stop))
                changes.push_back(change.value_or(io::no_number));
        });
        return to_array(std::move(changes));
    }

    /// The number of modes and elements that these places need.
    std::pair<int, int> resolution(const Numbers& xi, int threads) const {
        std::pair<int, int> found;
        compute([&](const std::function<bool()>& stop) {
            const models::Mesh mesh =
                model_->settled(span_of(xi), threads_of(threads), stop).parameters().mesh;
            found = {mesh.modes.value(), mesh.elements};
        });
        return found;
    }

    py::object resolved() const { return python::to_python(io::to_node(model_->parameters())); }

  private:
    /// A law in Python has the lock of the interpreter in each call: a second thread would wait.
    int threads_of(int threads) const { return calls_python_ ? 1 : threads; }

    void compute(const Work& work, const py::object& progress = py::none()) const {
        in_background(calls_python_ ? with_python(work) : work, progress);
    }

    bool calls_python_;
    std::optional<models::CheckedBeamModel> model_;
};

/// Eigenvalues, mode values, number and rates of the rigid modes of a point mass.
py::tuple point_mass(double mass, double velocity) {
    const models::ModesInMotion body = models::moving_mass(mass, velocity);
    return py::make_tuple(body.body.eigenvalues, body.body.phi, body.body.rigid,
                          body.motion.rigid_rates);
}

/// What both bodies of `modal_impact` are given by.
models::ModesInMotion body_of(const py::dict& given) {
    const auto numbers = [&](const char* key) {
        if (!given.contains(key)) return std::vector<double>();
        const Numbers array(given[key]);
        return std::vector<double>(array.data(), array.data() + array.size());
    };
    models::ModesInMotion body;
    body.body.eigenvalues = numbers("eigenvalues");
    body.body.damping = numbers("damping");
    body.body.phi = numbers("phi");
    body.body.rigid = py::cast<std::size_t>(given["rigid"]);
    body.body.residual_flexibility = py::cast<double>(given["residual_flexibility"]);
    body.motion.rigid_rates = numbers("rigid_rates");
    body.motion.vibration = numbers("vibration");
    body.motion.vibration_rates = numbers("vibration_rates");
    body.motion.rigid_loads = numbers("rigid_loads");
    return body;
}

py::dict modal_impact(const py::dict& first, const py::dict& second, const py::object& contact,
                      const py::object& integration, std::size_t samples, const py::object& force) {
    auto law = io::read<models::ContactParameters>(io::Document{"contact", to_node(contact)});
    if (!force.is_none()) law.law = law_of(force);
    const auto time =
        io::read<models::Integration>(io::Document{"integration", to_node(integration)});
    const models::ModesInMotion a = body_of(first), b = body_of(second);
    models::Collision collision;
    const Work work = [&](const std::function<bool()>&) {
        collision = models::collide(a, b, {law.law, law.separation},
                                    {time.scheme, time.time_limit, samples});
    };
    in_background(force.is_none() ? work : with_python(work));
    return collision_of(collision, time.time_limit.value_or(models::default_time_limit(
                                       a.body.eigenvalues, b.body.eigenvalues)));
}

}  // namespace

void add_beams(py::module_& module) {
    py::class_<BeamModel>(module, "BeamModel")
        .def(py::init<const py::object&, const py::object&>(), "parameters"_a, "force"_a)
        .def("map", &BeamModel::map, "xi"_a, "threads"_a, "progress"_a)
        .def("collide", &BeamModel::collide, "xi"_a, "samples"_a, "gradient"_a)
        .def("truncation", &BeamModel::truncation, "xi"_a, "threads"_a)
        .def("resolution", &BeamModel::resolution, "xi"_a, "threads"_a)
        .def("resolved", &BeamModel::resolved)
        // BeamCollision is pickled by its case.
        .def("__reduce__", [](const BeamModel&) -> py::tuple {
            throw py::type_error("cannot pickle 'stoss._stoss.BeamModel' object");
        });
    module.def("point_mass", &point_mass, "mass"_a, "velocity"_a);
    module.def("modal_impact", &modal_impact, "first"_a, "second"_a, "contact"_a, "integration"_a,
               "samples"_a, "force"_a);
}

}  // namespace stoss::python
