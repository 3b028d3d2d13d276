/// The C++ side of benchmarks/motion_peers: motions with many impacts by Stoss, and the same
/// motions as data for peers in other languages.
///
///     stoss_motion_peers export CASE
///     stoss_motion_peers stoss CASE TOLERANCE SECONDS
///     stoss_motion_peers odeint CASE TOLERANCE SECONDS
///     stoss_motion_peers equal_steps CASE STEPS SECONDS
///
/// JSON on standard output. Every motion is repeated for SECONDS of CPU time on one thread.
/// `odeint` and `equal_steps` are for contacts with a force law. CASE: shaker, oscillator, stops,
/// cradle.

#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/numeric/odeint.hpp>
#include <models/impact_motion.hpp>
#include <motion_systems.hpp>
#include <stoss/io/json.hpp>
#include <stoss/motion/impact_motion.hpp>

namespace {

using namespace stoss;
using motion::ImpactMotion;
using motion::System;
using motion_test::bodies;
using motion_test::hertz;

/// A motion, when it ends [s], and the contact whose gap and rate are compared there.
struct Case {
    System system;
    double end = 0.0;
    std::size_t contact = 0;
};

/// A ball of 1 kg on a table that shakes at 30 Hz with 0.3 mm, e = 0.5, for 200 periods.
Case shaker() {
    System system = bodies(1);
    system.coordinates = {0.24e-3};
    system.rates = {0.1635};
    system.contacts = {{{1.0}, 0.0, motion::NewtonImpact{0.5}}};
    system.drives = {{0.0, 0.0, {-9.81}, {}},
                     {2.0 * std::numbers::pi * 30.0, -std::numbers::pi / 3.0, {}, {0.3e-3}}};
    return {system, 200.25 / 30.0, 0};
}

/// The oscillator of cases/published/impact_oscillator.yaml for 200 periods.
Case oscillator() {
    System system = bodies(1);
    system.eigenvalues = {1.0};
    system.contacts = {{{-1.0}, 0.02, motion::NewtonImpact{0.7}}};
    system.drives = {{2.0 * std::numbers::pi * 0.35, 0.0, {1.0}, {}}};
    return {system, 200.25 / 0.35, 0};
}

/// The driven cantilever of cases/tutorial/beam_between_stops.yaml, its ten modes alone.
Case stops() {
    models::BeamInMotion beam;
    beam.beam.length = 0.3;
    beam.beam.section.shape = models::Rectangle{0.02, 0.002};
    beam.beam.material = {210e9, 0.3, 7850.0};
    beam.beam.supports = {{models::SupportType::clamp, 0.0}};
    beam.beam.external_damping = 2.0;
    beam.residual_flexibility = false;
    models::MotionModel model;
    model.bodies = {{"beam", beam}, {"upper", models::Surface{}}, {"lower", models::Surface{}}};
    models::MotionContact lower{"lower", {"beam", 1.0}, {"lower"}, 1e-3, {}, {}, {}},
        upper{"upper", {"upper"}, {"beam", 1.0}, 1e-3, {}, {}, {}};
    lower.contact = upper.contact = models::ContactParameters{hertz(1e8)};
    model.contacts = {lower, upper};
    models::HarmonicForce force;
    force.on = {"beam", 0.5};
    force.amplitude = 2.0;
    force.frequency = 18.0;
    model.forces = {force};
    return {models::motion_system(model).system, 0.2, 0};
}

/// The five balls of cases/tutorial/cradle.yaml.
Case cradle() {
    return {motion_test::chain(5, 0.033, 1e10), 3e-4, 3};
}

Case case_of(const std::string& name) {
    static const std::map<std::string, std::function<Case()>> cases{
        {"shaker", shaker}, {"oscillator", oscillator}, {"stops", stops}, {"cradle", cradle}};
    return cases.at(name)();
}

/// Gap and rate of the contact at the end, and how many impacts there were; 0 if nobody counted.
struct Answer {
    double gap = 0.0, rate = 0.0;
    std::size_t impacts = 0;
};

Answer by_stoss(const Case& given, double tolerance) {
    ImpactMotion moving(given.system, tolerance);
    moving.advance(given.end);
    return {-moving.overlap(given.contact), -moving.overlap_rate(given.contact), moving.impacts()};
}

/// Gap and its rate from coordinates, then rates of the modes.
Answer answer_at(const Case& given, const std::vector<double>& state) {
    const std::size_t modes = given.system.modes();
    const motion::Contact& contact = given.system.contacts[given.contact];
    Answer answer{contact.gap, 0.0, 0};
    for (std::size_t j = 0; j < modes; ++j) {
        answer.gap += contact.phi[j] * state[j];
        answer.rate += contact.phi[j] * state[modes + j];
    }
    return answer;
}

using PlainState = std::vector<double>;

/// q'' of all modes; contacts with Hertz's law.
std::function<void(const PlainState&, PlainState&, double)> plain_motion(const System& system) {
    return [&system](const PlainState& s, PlainState& rate, double t) {
        const std::size_t modes = system.modes();
        for (std::size_t j = 0; j < modes; ++j) {
            rate[j] = s[modes + j];
            rate[modes + j] = -system.eigenvalues[j] * s[j] - system.dampings[j] * s[modes + j];
        }
        for (const motion::Drive& drive : system.drives) {
            const double scale = std::cos(drive.frequency * t + drive.phase);
            for (std::size_t j = 0; j < modes; ++j) rate[modes + j] += scale * drive.forces[j];
        }
        for (const motion::Contact& contact : system.contacts) {
            const auto& law =
                std::get<contact::Hertz>(std::get<motion::CompliantContact>(contact.law).law);
            double x = -contact.gap;
            for (std::size_t j = 0; j < modes; ++j) x -= contact.phi[j] * s[j];
            if (!(x > 0.0)) continue;
            const double force = *law.stiffness * x * std::sqrt(x);
            for (std::size_t j = 0; j < modes; ++j) rate[modes + j] += contact.phi[j] * force;
        }
    };
}

PlainState plain_start(const System& system) {
    PlainState state(system.coordinates);
    state.insert(state.end(), system.rates.begin(), system.rates.end());
    return state;
}

/// Runge-Kutta-Fehlberg 7(8) with error control.
Answer by_odeint(const Case& given, double tolerance) {
    namespace odeint = boost::numeric::odeint;
    PlainState state = plain_start(given.system);
    odeint::integrate_adaptive(odeint::make_controlled<odeint::runge_kutta_fehlberg78<PlainState>>(
                                   1e-5 * tolerance, tolerance),
                               plain_motion(given.system), state, 0.0, given.end, 1e-8);
    return answer_at(given, state);
}

/// Runge and Kutta's method of order 4 in equal steps: no step is so long that it misses where a
/// contact begins or ends.
Answer by_equal_steps(const Case& given, double steps) {
    boost::numeric::odeint::runge_kutta4<PlainState> scheme;
    PlainState state = plain_start(given.system);
    const auto motion = plain_motion(given.system);
    const double h = given.end / steps;
    for (double k = 0.0; k < steps; k += 1.0) scheme.do_step(motion, state, k * h, h);
    return answer_at(given, state);
}

io::Value measured(const std::function<Answer()>& run, double seconds) {
    const auto now = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
    Answer answer;
    const double start = now();
    int passes = 0;
    for (; passes == 0 || now() - start < seconds; ++passes) answer = run();
    return io::Value::object()
        .set("gap", answer.gap)
        .set("rate", answer.rate)
        .set("impacts", answer.impacts)
        .set("seconds", (now() - start) / passes);
}

io::Value list(const std::vector<double>& numbers) {
    io::Value values = io::Value::array();
    for (const double number : numbers) values.append(number);
    return values;
}

/// All that another program needs to follow the motion.
io::Value exported(const Case& given) {
    const System& system = given.system;
    io::Value contacts = io::Value::array(), drives = io::Value::array();
    for (const motion::Contact& contact : system.contacts) {
        io::Value value = io::Value::object();
        value.set("phi", list(contact.phi)).set("gap", contact.gap);
        if (const auto* const newton = std::get_if<motion::NewtonImpact>(&contact.law))
            value.set("cor", newton->cor);
        else
            value.set("stiffness",
                      *std::get<contact::Hertz>(std::get<motion::CompliantContact>(contact.law).law)
                           .stiffness);
        contacts.append(std::move(value));
    }
    for (const motion::Drive& drive : system.drives)
        drives.append(io::Value::object()
                          .set("frequency", drive.frequency)
                          .set("phase", drive.phase)
                          .set("forces", list(drive.forces))
                          .set("surfaces", list(drive.surfaces)));
    return io::Value::object()
        .set("eigenvalues", list(system.eigenvalues))
        .set("dampings", list(system.dampings))
        .set("coordinates", list(system.coordinates))
        .set("rates", list(system.rates))
        .set("contacts", std::move(contacts))
        .set("drives", std::move(drives))
        .set("end", given.end)
        .set("contact", given.contact);
}

io::Value answer(const std::vector<std::string>& words) {
    const Case given = case_of(words.at(1));
    if (words[0] == "export") return exported(given);
    const double tolerance = std::stod(words.at(2)), seconds = std::stod(words.at(3));
    if (words[0] == "stoss") return measured([&] { return by_stoss(given, tolerance); }, seconds);
    if (words[0] == "equal_steps")
        return measured([&] { return by_equal_steps(given, tolerance); }, seconds);
    if (words[0] == "odeint") return measured([&] { return by_odeint(given, tolerance); }, seconds);
    throw std::invalid_argument(words[0]);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::vector<std::string> words(argv + 1, argv + argc);
        std::fputs(to_json(answer(words), 0).c_str(), stdout);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "stoss_motion_peers: %s: is not understood\n", error.what());
        return 2;
    }
}
