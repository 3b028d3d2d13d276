// Impacts of a point mass over arrays.
#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include <models/point_impacts.hpp>
#include <solvers/case/contact_binding.hpp>
#include <stoss/core/fields.hpp>
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

/// models::SingleImpact without bodies: the mass must be a number.
struct PointImpact {
    core::Required mass = {};
    core::Required speed = {};
    double gravity = 0.0;
    double load = 0.0;
    models::ContactParameters contact = {};

    static constexpr auto fields() {
        return std::tuple{
            core::field("mass", &PointImpact::mass, "kg", core::positive, "mass m").required(),
            core::field("speed", &PointImpact::speed, "m/s", core::positive,
                        "approach speed v0 at first contact")
                .required(),
            core::field("gravity", &PointImpact::gravity, "m/s^2", core::finite,
                        "acceleration of gravity g, towards the contact"),
            core::field("load", &PointImpact::load, "N", core::finite,
                        "constant force F towards the contact"),
            core::field("contact", &PointImpact::contact, "contact law").required()};
    }
};

/// `force`: of a law written in Python, or None.
models::SingleImpact impact_of(const py::object& given, const py::object& force) {
    auto point = io::read<PointImpact>(io::Document{"impact", to_node(given)});
    if (!force.is_none()) point.contact.law = law_of(force);
    return {.mass = static_cast<double>(point.mass),
            .speed = point.speed,
            .gravity = point.gravity,
            .load = point.load,
            .contact = std::move(point.contact)};
}

std::span<const double> span_of(const Numbers& numbers) {
    return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}

/// One array a number of the impacts, filled in the background.
class ImpactArrays {
  public:
    explicit ImpactArrays(std::size_t size) : status_(size, longest_status()) {
        for (std::size_t i = 0; i < numbers.size(); ++i) columns_.emplace_back(size);
    }

    void set(std::size_t i, const impact::Restitution& result) {
        for (std::size_t c = 0; c < numbers.size(); ++c)
            columns_[c][i] = (result.*numbers[c].second).value_or(io::no_number);
        status_.set(i, impact::to_string(result.status));
    }

    py::dict to_python(const std::vector<py::ssize_t>& shape) && {
        py::dict arrays;
        for (std::size_t c = 0; c < numbers.size(); ++c)
            arrays[numbers[c].first] = std::move(columns_[c]).to_array(shape);
        arrays["status"] = std::move(status_).to_array(shape);
        return arrays;
    }

  private:
    using Restitution = impact::Restitution;
    static constexpr std::array<std::pair<const char*, std::optional<double> Restitution::*>, 6>
        numbers{{
            {"cor", &Restitution::cor},
            {"duration_s", &Restitution::duration},
            {"peak_force_N", &Restitution::peak_force},
            {"peak_overlap_m", &Restitution::peak_overlap},
            {"end_overlap_m", &Restitution::end_overlap},
            {"energy_lost_J", &Restitution::energy_lost},
        }};

    static std::size_t longest_status() {
        using impact::ImpactOutcome;
        return longest_word(
            {ImpactOutcome::rebounds, ImpactOutcome::sticks, ImpactOutcome::failed});
    }

    std::vector<Buffer<double>> columns_;
    WordBuffer status_;
};

py::dict restitution(const py::object& given, const Numbers& speeds, int threads,
                     const py::object& force) {
    const models::SingleImpact impact = impact_of(given, force);
    ImpactArrays results(static_cast<std::size_t>(speeds.size()));
    const Work work = [&](const std::function<bool()>& stop) {
        models::restitution(
            impact, span_of(speeds), force.is_none() ? threads : 1, stop,
            [&](std::size_t i, const impact::Restitution& result) { results.set(i, result); });
    };
    in_background(force.is_none() ? work : with_python(work));
    return std::move(results).to_python(shape_of(speeds));
}

/// Of the damping of a law, e.g. "N s/m".
std::string damping_unit(const contact::Law& law) {
    std::string unit;
    std::visit(
        [&]<class L>(const L&) {
            core::for_each_field<L>([&](const auto& field) {
                if (field.name == impact::damping_key(law)) unit = field.unit;
            });
        },
        law);
    return unit;
}

/// Name and unit of the damping, its values, and what the impacts then show.
py::tuple calibrate(const py::object& given, const Numbers& cor, int threads) {
    const models::SingleImpact impact = impact_of(given, py::none());
    const auto count = static_cast<std::size_t>(cor.size());
    Buffer<double> damping(count);
    ImpactArrays results(count);
    in_background([&](const std::function<bool()>& stop) {
        models::calibrate(impact, span_of(cor), threads, stop,
                          [&](std::size_t i, const impact::Calibration& each) {
                              damping[i] = impact::damping_of(each.law).value_or(io::no_number);
                              results.set(i, each.result);
                          });
    });
    const std::string key(impact::damping_key(impact.contact.law));
    const auto shape = shape_of(cor);
    return py::make_tuple(key, damping_unit(impact.contact.law), std::move(damping).to_array(shape),
                          std::move(results).to_python(shape));
}

}  // namespace

void add_points(py::module_& module) {
    module.def("restitution", &restitution, "impact"_a, "speeds"_a, "threads"_a, "force"_a);
    module.def("calibrate", &calibrate, "impact"_a, "cor"_a, "threads"_a);
}

}  // namespace stoss::python
