#include <stoss/motion/detail/newton_impulses.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/QR>
#include <stoss/core/error.hpp>

namespace stoss::motion {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

double mobility_of(const System& system, std::size_t c, std::size_t d) {
    const std::vector<double>&phi = system.contacts[c].phi, &other = system.contacts[d].phi;
    double sum = 0.0;
    for (std::size_t j = 0; j < phi.size(); ++j) sum += phi[j] * other[j];
    return sum;
}

}  // namespace

/// What the impulses leave of the wanted change of the rate of contact a [m/s].
double NewtonImpulses::rest(std::size_t a) const {
    double rest = wanted_[a];
    for (std::size_t b = 0; b < size(); ++b) rest -= mobility(a, b) * impulses_[b];
    return rest;
}

double NewtonImpulses::largest_speed(std::size_t a) const {
    double sum = std::abs(wanted_[a]);
    for (std::size_t b = 0; b < size(); ++b) sum += std::abs(mobility(a, b)) * impulses_[b];
    return sum;
}

/// What is roundoff of `rest` [m/s], of all contacts.
double NewtonImpulses::roundoff() const {
    double largest = 0.0;
    for (std::size_t a = 0; a < size(); ++a) largest = std::max(largest, largest_speed(a));
    return 8.0 * epsilon * largest;
}

/// True if the impulses fulfil the law but for `error` [m/s].
bool NewtonImpulses::are_found(double error) const {
    for (std::size_t a = 0; a < size(); ++a) {
        const double left = rest(a);
        if (!(left <= error) || (impulses_[a] > 0.0 && !(left >= -error))) return false;
    }
    return true;
}

/// Projected Gauss-Seidel: with one contact the first sweep is exact. False: it does not come to an
/// end. `exact`: change of the rates that is roundoff [m/s]; `most`: sweeps.
bool NewtonImpulses::sweep(double exact, int most) {
    for (int sweep = 0; sweep < most; ++sweep) {
        double change = 0.0;
        for (std::size_t a = 0; a < size(); ++a) {
            const double own = mobility(a, a);
            const double impulse = std::max(0.0, impulses_[a] + rest(a) / own);
            change = std::max(change, own * std::abs(impulse - impulses_[a]));
            impulses_[a] = impulse;
        }
        if (change <= exact) return true;
    }
    return are_found(roundoff());  // roundoff alone goes on to change them
}

/// Impulses [N s] of these contacts alone that change their rates as wanted. The equations may be
/// singular, as of a bar on three supports.
std::vector<double> NewtonImpulses::alone(std::span<const std::size_t> contacts) const {
    const auto count = static_cast<Eigen::Index>(contacts.size());
    std::vector<double> impulses(contacts.size());
    if (count == 0) return impulses;
    Eigen::MatrixXd matrix(count, count);
    Eigen::VectorXd wanted(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const std::size_t a = contacts[static_cast<std::size_t>(i)];
        wanted[i] = wanted_[a];
        for (Eigen::Index k = 0; k < count; ++k)
            matrix(i, k) = mobility(a, contacts[static_cast<std::size_t>(k)]);
    }
    Eigen::Map<Eigen::VectorXd>(impulses.data(), count) =
        matrix.completeOrthogonalDecomposition().solve(wanted);
    return impulses;
}

/// The impulses minimise P.G P/2 - P.wanted, P >= 0: the active set method of Lawson and Hanson
/// (1974) from those that the sweeps have left. False: there are none.
bool NewtonImpulses::solve_directly() {
    constexpr double lost_digits = 1e3;  // where the equations are close to singular
    std::vector<std::size_t> active;
    for (std::size_t a = 0; a < size(); ++a)
        if (impulses_[a] > 0.0) active.push_back(a);
    for (std::size_t iteration = 0; iteration < 10 * size(); ++iteration) {
        const std::vector<double> goal = alone(active);
        // As far towards the goal as no impulse pulls.
        const auto way_of = [&](std::size_t i) {
            const double impulse = impulses_[active[i]];
            return goal[i] < 0.0 ? impulse / (impulse - goal[i]) : 1.0;
        };
        double way = 1.0;
        for (std::size_t i = 0; i < active.size(); ++i) way = std::min(way, way_of(i));
        for (std::size_t i = 0; i < active.size(); ++i) {
            double& impulse = impulses_[active[i]];
            const bool ends = goal[i] < 0.0 && way_of(i) <= way;
            impulse = ends ? 0.0 : impulse + way * (goal[i] - impulse);
        }
        if (way < 1.0) {
            std::erase_if(active, [&](std::size_t a) { return impulses_[a] == 0.0; });
            continue;
        }
        const double error = lost_digits * roundoff();
        std::size_t next = size();
        double largest = error;
        for (std::size_t a = 0; a < size(); ++a) {
            if (impulses_[a] > 0.0 || !(rest(a) > largest)) continue;
            largest = rest(a);
            next = a;
        }
        if (next == size()) return are_found(error);
        active.push_back(next);
    }
    return false;
}

const std::vector<double>& NewtonImpulses::corrections(std::span<const double> rates) {
    std::vector<std::size_t> active;
    for (std::size_t a = 0; a < size(); ++a) {
        wanted_[a] = rates[a] + rebounds_[a];
        if (impulses_[a] > 0.0) active.push_back(a);
    }
    corrections_.assign(size(), 0.0);
    const std::vector<double> solved = alone(active);
    for (std::size_t i = 0; i < active.size(); ++i) corrections_[active[i]] = solved[i];
    return corrections_;
}

const std::vector<double>& NewtonImpulses::of(const System& system,
                                              std::span<const std::size_t> closed,
                                              std::span<const double> rates, double still,
                                              bool rebounds) {
    mobility_.clear();
    rebounds_.clear();
    wanted_.clear();
    double largest = 0.0;
    for (std::size_t a = 0; a < closed.size(); ++a) {
        const double cor = std::get<NewtonImpact>(system.contacts[closed[a]].law).cor;
        rebounds_.push_back(rebounds && rates[a] > still ? cor * rates[a] : 0.0);
        wanted_.push_back(rates[a] + rebounds_[a]);
        largest = std::max(largest, std::abs(rates[a]));
        for (const std::size_t other : closed)
            mobility_.push_back(mobility_of(system, closed[a], other));
    }
    impulses_.assign(closed.size(), 0.0);
    constexpr int many = 10000, few = 100;
    const bool are_slow = largest <= still;
    const bool are_swept = sweep(4.0 * epsilon * largest, are_slow ? few : many);
    if (are_slow && !are_swept) {
        std::vector<std::size_t> all(closed.size());
        std::iota(all.begin(), all.end(), std::size_t{0});
        impulses_ = alone(all);
    } else if (!are_swept && !solve_directly())
        throw core::NumericalError(
            "Newton's law of impact gives no impulses: a body is held between contacts that close "
            "at one instant");
    return impulses_;
}

}  // namespace stoss::motion
