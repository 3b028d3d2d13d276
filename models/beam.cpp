#include <models/beam.hpp>

#include <cmath>

#include <boost/math/quadrature/gauss.hpp>

namespace stoss::models {

namespace {

/// Mean over the length of a function of the section and of xi. Exact where dimensions change
/// linearly: areas are of degree 2, second moments of degree 4.
template <class F>
double mean(const Section& section, F&& f) {
    if (section.is_uniform()) return f(section.properties(0.0), 0.5);
    double sum = 0.0;
    const auto& stations = std::get<Profile>(section.shape).stations;
    for (std::size_t i = 1; i < stations.size(); ++i) {
        const double from = stations[i - 1].xi, to = stations[i].xi;
        if (!(to > from)) continue;
        sum += boost::math::quadrature::gauss<double, 5>::integrate(
            [&](double xi) { return f(section.properties(xi), xi); }, from, to);
    }
    return sum;
}

}  // namespace

double Beam::mass_per_length() const {
    return material.density * mean(section, [](const auto& at, double) { return at.area; });
}

double Beam::bending_stiffness() const {
    return material.youngs_modulus *
           mean(section, [](const auto& at, double) { return at.second_moment; });
}

double Beam::mass() const {
    double sum = mass_per_length() * length;
    for (const PointMass& each : masses) sum += each.mass;
    return sum;
}

double Beam::centre_of_mass() const {
    if (section.is_uniform() && masses.empty()) return 0.5 * length;
    double moment = material.density * length * length *
                    mean(section, [](const auto& at, double xi) { return at.area * xi; });
    for (const PointMass& each : masses) moment += each.mass * each.xi * length;
    return moment / mass();
}

double Beam::inertia(double x) const {
    double sum = 0.0;
    if (section.is_uniform()) {
        const double off = x - 0.5 * length;
        sum = mass_per_length() * length * (length * length / 12.0 + off * off);
    } else {
        sum = material.density * length * mean(section, [&](const auto& at, double xi) {
                  return at.area * (xi * length - x) * (xi * length - x);
              });
    }
    if (has_shear()) {  // the sections turn, too
        sum += material.density * length *
               mean(section, [](const auto& at, double) { return at.second_moment; });
    }
    for (const PointMass& each : masses) {
        const double arm = each.xi * length - x;
        sum += each.mass * arm * arm + each.inertia;
    }
    return sum;
}

double Beam::shear_coefficient(double xi) const {
    const auto& given = std::get<Timoshenko>(theory).shear_coefficient;
    return given ? *given : section.shear_coefficient(xi, material.poisson_ratio);
}

double Beam::time_scale() const {
    return length * length * std::sqrt(mass_per_length() / bending_stiffness());
}

}  // namespace stoss::models
