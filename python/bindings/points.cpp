// Impacts of a point mass over arrays.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <models/point_impacts.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/io/csv.hpp>

#include "background.hpp"
#include "convert.hpp"
#include "module.hpp"
#include "python_law.hpp"

namespace stoss::python {

namespace {

using namespace pybind11::literals;
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// `force`: of a law written in Python, or None.
models::SingleImpact impact_of(const py::object& given, const py::object& force) {
    auto impact = io::read<models::SingleImpact>(io::Document{"impact", to_node(given)});
    if (!force.is_none()) impact.contact.law = law_of(force);
    return impact;
}

std::string word_of(impact::ImpactOutcome outcome) {
    return std::string(impact::to_string(outcome));
}

/// One array a number, each of the shape of `like`.
py::dict arrays_of(const std::vector<impact::Restitution>& all, const Numbers& like) {
    using impact::Restitution;
    const std::vector<py::ssize_t> shape(like.shape(), like.shape() + like.ndim());
    constexpr std::pair<const char*, std::optional<double> Restitution::*> numbers[] = {
        {"cor", &Restitution::cor},
        {"duration_s", &Restitution::duration},
        {"peak_force_N", &Restitution::peak_force},
        {"peak_overlap_m", &Restitution::peak_overlap},
        {"end_overlap_m", &Restitution::end_overlap},
        {"energy_lost_J", &Restitution::energy_lost},
    };
    py::dict arrays;
    for (const auto& [name, member] : numbers) {
        std::vector<double> values;
        values.reserve(all.size());
        for (const Restitution& each : all)
            values.push_back((each.*member).value_or(io::no_number));
        arrays[name] = to_array(std::move(values), shape);
    }
    py::list words;
    for (const Restitution& each : all) words.append(word_of(each.status));
    arrays["status"] = py::module_::import("numpy")
                           .attr("array")(words, "dtype"_a = "U")
                           .attr("reshape")(py::cast(shape));
    return arrays;
}

py::dict restitution(const py::object& given, const Numbers& speeds, int threads,
                     const py::object& force) {
    const models::SingleImpact impact = impact_of(given, force);
    std::vector<impact::Restitution> all;
    const Work work = [&](const std::function<bool()>& stop) {
        all = models::restitution(impact, {speeds.data(), static_cast<std::size_t>(speeds.size())},
                                  force.is_none() ? threads : 1, stop);
    };
    in_background(force.is_none() ? work : with_python(work), py::none());
    return arrays_of(all, speeds);
}

py::tuple calibrate(const py::object& given, const Numbers& cor, int threads) {
    const models::SingleImpact impact = impact_of(given, py::none());
    std::vector<impact::Calibration> all;
    in_background(
        [&](const std::function<bool()>& stop) {
            all = models::calibrate(impact, {cor.data(), static_cast<std::size_t>(cor.size())},
                                    threads, stop);
        },
        py::none());
    std::vector<impact::Restitution> results;
    std::vector<double> damping;
    for (const impact::Calibration& each : all) {
        results.push_back(each.result);
        damping.push_back(impact::damping_of(each.law).value_or(io::no_number));
    }
    const std::vector<py::ssize_t> shape(cor.shape(), cor.shape() + cor.ndim());
    const std::string key(impact::damping_key(impact.contact.law));
    return py::make_tuple(key, to_array(std::move(damping), shape), arrays_of(results, cor));
}

}  // namespace

void add_points(py::module_& module) {
    module.def("restitution", &restitution, "impact"_a, "speeds"_a, "threads"_a, "force"_a);
    module.def("calibrate", &calibrate, "impact"_a, "cor"_a, "threads"_a);
}

}  // namespace stoss::python
