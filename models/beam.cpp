#include <models/beam.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/quadrature/gauss.hpp>

namespace stoss::models {

namespace {

/// Mean over the length of a function of section, material and xi. Exact where dimensions change
/// linearly: areas are of degree 2, second moments of degree 4.
template <class F>
double mean(const Beam& beam, F&& f) {
    const auto at = [&](double xi) {
        return f(beam.section.properties(xi), beam.material_at(xi), xi);
    };
    if (beam.is_uniform()) return at(0.5);
    std::vector<double> ends{0.0, 1.0};
    for (const MaterialFrom& each : beam.materials) ends.push_back(each.xi);
    if (const auto* const profile = std::get_if<Profile>(&beam.section.shape)) {
        for (const Station& each : profile->stations) ends.push_back(each.xi);
    }
    std::sort(ends.begin(), ends.end());
    double sum = 0.0;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        if (!(ends[i] > ends[i - 1])) continue;
        sum += boost::math::quadrature::gauss<double, 5>::integrate(at, ends[i - 1], ends[i]);
    }
    return sum;
}

}  // namespace

const Material& Beam::material_at(double xi) const {
    const Material* found = &material;
    for (const MaterialFrom& each : materials) {
        if (each.xi <= xi) found = &each.material;
    }
    return *found;
}

double Beam::mass_per_length() const {
    return mean(*this,
                [](const auto& at, const Material& of, double) { return of.density * at.area; });
}

double Beam::bending_stiffness() const {
    return mean(*this, [](const auto& at, const Material& of, double) {
        return of.youngs_modulus * at.second_moment;
    });
}

double Beam::mass() const {
    double sum = mass_per_length() * length;
    for (const PointMass& each : masses) sum += each.mass;
    return sum;
}

double Beam::centre_of_mass() const {
    if (is_uniform() && masses.empty()) return 0.5 * length;
    double moment =
        length * length * mean(*this, [](const auto& at, const Material& of, double xi) {
            return of.density * at.area * xi;
        });
    for (const PointMass& each : masses) moment += each.mass * each.xi * length;
    return moment / mass();
}

double Beam::inertia(double x) const {
    double sum = 0.0;
    if (is_uniform()) {
        const double off = x - 0.5 * length;
        sum = mass_per_length() * length * (length * length / 12.0 + off * off);
    } else {
        sum = length * mean(*this, [&](const auto& at, const Material& of, double xi) {
                  return of.density * at.area * (xi * length - x) * (xi * length - x);
              });
    }
    if (has_shear()) {  // the sections turn, too
        sum += length * mean(*this, [](const auto& at, const Material& of, double) {
                   return of.density * at.second_moment;
               });
    }
    for (const PointMass& each : masses) {
        const double arm = each.xi * length - x;
        sum += each.mass * arm * arm + each.inertia;
    }
    return sum;
}

double Beam::centre_of_percussion(double pivot) const {
    const double place = pivot * length;
    double about_pivot = inertia(place);
    for (const Support& support : supports) {
        if (support.xi == pivot) about_pivot += axial_inertia(support);
    }
    return (place + about_pivot / (mass() * (centre_of_mass() - place))) / length;
}

std::optional<double> Beam::only_pin() const {
    if (supports.size() != 1 || supports.front().type != SupportType::pin) return std::nullopt;
    return supports.front().xi;
}

std::optional<double> Beam::shear_coefficient(double xi) const {
    const auto& given = std::get<Timoshenko>(theory).shear_coefficient;
    if (given) return given;
    return section.shear_coefficient(xi, material_at(xi).poisson_ratio);
}

double Beam::time_scale() const {
    return length * length * std::sqrt(mass_per_length() / bending_stiffness());
}

}  // namespace stoss::models
