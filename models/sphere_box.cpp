#include <models/sphere_box.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <stoss/core/field_checks.hpp>
#include <stoss/granular/statistics.hpp>

namespace stoss::models {

namespace {

using Violations = std::vector<core::Violation>;

Violations check(const SphereBoxParameters& parameters, int threads) {
    Violations violations = core::check_number("threads", threads, core::non_negative, "");
    for (int k = 0; k < 3; ++k) {
        core::append(core::check_number(fmt::format("size.{}", "xyz"[k]), parameters.size[k],
                                        core::positive, "m"),
                     violations);
        core::append(core::check_number(fmt::format("gravity.{}", "xyz"[k]), parameters.gravity[k],
                                        core::finite, "m/s^2"),
                     violations);
    }
    core::append(core::check_number("density", parameters.density, core::positive, "kg/m^3",
                                    "of the spheres"),
                 violations);
    core::append(core::check_fields(parameters.contact, "contact"), violations);
    core::append(core::check_fields(parameters.stepping, "stepping"), violations);
    return violations;
}

}  // namespace

SphereBox::SphereBox(const SphereBoxParameters& parameters, int threads)
    : parameters_(parameters), threads_(threads) {
    core::throw_if_any(check(parameters, threads));
}

void SphereBox::fill(const SphereLattice& lattice) {
    if (assembly_) core::throw_if_any({{"lattice", "", "the box is filled already", ""}});
    core::throw_if_any(core::check_fields(lattice, "lattice"));
    core::throw_if_any(models::check(lattice, parameters_.size, "size"));
    const auto spheres = spheres_of(lattice, parameters_.size, parameters_.density);
    double smallest = core::infinity;
    for (const granular::Sphere& sphere : spheres) smallest = std::min(smallest, sphere.radius);
    assembly_.emplace(
        stepping(parameters_.contact, parameters_.stepping, parameters_.gravity, smallest),
        walls_of_box(parameters_.size), threads_);
    for (const granular::Sphere& sphere : spheres) assembly_->add(sphere);
}

bool SphereBox::settle(double duration) {
    if (!assembly_)
        core::throw_if_any({core::missing("lattice", "fill the box before it settles")});
    core::throw_if_any(core::check_number("duration", duration, core::positive, "s"));
    core::throw_if_any(check_step(parameters_.stepping, duration));
    const auto steps = std::llround(duration / parameters_.stepping.step);
    for (long long i = 0; i < steps && !has_diverged_; ++i)
        has_diverged_ = !assembly_->step().is_finite;
    return !has_diverged_;
}

std::size_t SphereBox::size() const {
    return assembly_ ? assembly().spheres().size() : 0;
}

double SphereBox::time() const {
    return assembly_ ? assembly().time() : 0.0;
}

std::vector<Eigen::Vector3d> SphereBox::positions() const {
    std::vector<Eigen::Vector3d> all(size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[assembly().spheres().id[i]] = assembly().spheres().position[i];
    return all;
}

std::vector<Eigen::Vector3d> SphereBox::velocities() const {
    std::vector<Eigen::Vector3d> all(size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[assembly().spheres().id[i]] = assembly().spheres().motion[i].v;
    return all;
}

std::vector<double> SphereBox::radii() const {
    std::vector<double> all(size());
    for (std::size_t i = 0; i < all.size(); ++i)
        all[assembly().spheres().id[i]] = assembly().spheres().motion[i].radius;
    return all;
}

granular::Energy SphereBox::energy() const {
    return assembly_ ? assembly().energy() : granular::Energy{};
}

double SphereBox::solid_fraction(double low, double high) const {
    Violations violations = core::check_number("low", low, core::finite, "m");
    if (violations.empty()) violations = core::check_number("high", high, {.low = low}, "m");
    core::throw_if_any(std::move(violations));
    if (!assembly_) return 0.0;
    const double area = parameters_.size.x() * parameters_.size.y();
    return granular::solid_fraction(assembly().spheres(), area, low, high);
}

}  // namespace stoss::models
