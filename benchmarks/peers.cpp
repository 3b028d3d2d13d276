/// The C++ side of benchmarks/compare_peers: collisions of the published beam along its length, by
/// Stoss and by Boost.Odeint, and the same collisions as data for peers in other languages.
///
///     stoss_peers export  modes=25 from=0.2 to=1 points=100
///     stoss_peers splitting value=1e-6 ...
///     stoss_peers lanes   value=1e-6 ...      (splitting, collisions side by side)
///     stoss_peers newmark value=1e-7 modes=25 from=0.2 to=1 points=100 threads=1 seconds=1
///     stoss_peers odeint  value=1e-8 ...
///
/// JSON on standard output. `value` is the step [s] or the tolerance of the method. Time is CPU
/// time on one thread and wall time on several; every pass over all places is repeated for
/// `seconds`.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <boost/numeric/odeint.hpp>
#include <models/mode_choice.hpp>
#include <published_beam.hpp>
#include <stoss/core/parallel.hpp>
#include <stoss/io/json.hpp>

namespace {

using namespace stoss;

/// `key=value` words of the command line; every key has a default.
struct Request {
    double value = 1e-7;
    int modes = 25;
    int residual = 0;  // 1: with residual flexibility
    int elements = 0;  // 0: two for each mode, in multiples of 80
    double from = 0.2, to = 1.0;
    int points = 100;
    int threads = 1;
    double seconds = 1.0;

    double xi(int i) const { return points == 1 ? from : from + (to - from) * i / (points - 1); }
};

Request read_request(int argc, char** argv) {
    Request request;
    const std::map<std::string, std::function<void(const std::string&)>> keys{
        {"value", [&](const std::string& text) { request.value = std::stod(text); }},
        {"modes", [&](const std::string& text) { request.modes = std::stoi(text); }},
        {"residual", [&](const std::string& text) { request.residual = std::stoi(text); }},
        {"elements", [&](const std::string& text) { request.elements = std::stoi(text); }},
        {"from", [&](const std::string& text) { request.from = std::stod(text); }},
        {"to", [&](const std::string& text) { request.to = std::stod(text); }},
        {"points", [&](const std::string& text) { request.points = std::stoi(text); }},
        {"threads", [&](const std::string& text) { request.threads = std::stoi(text); }},
        {"seconds", [&](const std::string& text) { request.seconds = std::stod(text); }}};
    for (int i = 2; i < argc; ++i) {
        const std::string word = argv[i];
        const std::size_t equals = word.find('=');
        const auto key = keys.find(word.substr(0, equals));
        if (equals == word.npos || key == keys.end()) throw std::invalid_argument(word);
        key->second(word.substr(equals + 1));
    }
    return request;
}

/// Seconds that a method has used so far: of this process on one thread, else of the clock on the
/// wall.
double now(int threads) {
    if (threads == 1) return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
    const auto time = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(time).count();
}

/// What a method made of one place.
struct Answer {
    double cor = 0.0;
    std::size_t sub_impacts = 0, steps = 0;
    double separation = 0.0;
    double seconds = 0.0;  ///< for this place alone; one thread only
};

using Method = std::function<Answer(int place)>;
/// One that takes all places at once.
using Pass = std::function<void(std::vector<Answer>&)>;

/// All places again and again for about `request.seconds`.
struct Measured {
    std::vector<Answer> answers;
    double setup = 0.0, total = 0.0, best = core::infinity;
    int passes = 0;

    Measured(const Request& request, const std::function<Pass()>& make)
        : answers(static_cast<std::size_t>(request.points)) {
        const double before = now(request.threads);
        const Pass pass = make();
        setup = now(request.threads) - before;
        for (; passes == 0 || total < request.seconds; ++passes) {
            const double start = now(request.threads);
            pass(answers);
            const double time = now(request.threads) - start;
            total += time;
            best = std::min(best, time);
        }
    }

    io::Value value(const Request& request) const {
        io::Value places = io::Value::array();
        for (int i = 0; i < request.points; ++i) {
            const Answer& answer = answers[static_cast<std::size_t>(i)];
            places.append(io::Value::object()
                              .set("xi", request.xi(i))
                              .set("cor", answer.cor)
                              .set("sub_impacts", answer.sub_impacts)
                              .set("steps", answer.steps)
                              .set("separation_s", answer.separation)
                              .set("seconds", answer.seconds));
        }
        return io::Value::object()
            .set("passes", passes)
            .set("seconds_mean", total / passes / request.points)
            .set("seconds_best", best / request.points)
            .set("seconds_setup", setup)
            .set("places", std::move(places));
    }
};

/// Place by place; on one thread also each place alone.
io::Value measure(const Request& request, const std::function<Method()>& make) {
    Method method;
    Measured measured(request, [&] {
        method = make();
        return [&](std::vector<Answer>& answers) {
            const auto strike = [&](std::size_t i) { answers[i] = method(static_cast<int>(i)); };
            core::parallel_for(answers.size(), request.threads, strike, {});
        };
    });
    for (int i = 0; request.threads == 1 && i < request.points; ++i) {
        const double start = now(1), share = request.seconds / request.points;
        int repeats = 0;
        for (; repeats == 0 || now(1) - start < share; ++repeats) method(i);
        measured.answers[static_cast<std::size_t>(i)].seconds = (now(1) - start) / repeats;
    }
    return measured.value(request);
}

models::BeamCollision beam_of(const Request& request, const impact::Scheme& scheme) {
    models::BeamCollision parameters = published_beam();
    parameters.integration.scheme = scheme;
    parameters.mesh.modes = request.modes;
    parameters.mesh.residual_flexibility = request.residual == 1;
    parameters.mesh.elements =
        request.elements > 0 ? request.elements : 80 * ((2 * request.modes + 79) / 80);
    return parameters;
}

Answer answer_of(const impact::CollisionResult& result) {
    return {result.cor_kinematic, result.sub_impacts.size(), result.steps, result.separation, 0.0};
}

Method stoss_method(const Request& request, const impact::Scheme& scheme) {
    return [&request, model = models::BeamModel(beam_of(request, scheme))](int place) {
        return answer_of(model.collide(request.xi(place)));
    };
}

/// Collisions side by side; threads take them from one stream.
Pass stoss_pass(const Request& request, const impact::Scheme& scheme) {
    return [&request,
            model = models::BeamModel(beam_of(request, scheme))](std::vector<Answer>& answers) {
        std::atomic<std::size_t> begun{0};
        const auto next = [&](models::BeamModel::CollisionRequest& strike) {
            const std::size_t i = begun++;
            if (i >= answers.size()) return false;
            strike = {i, &model, request.xi(static_cast<int>(i))};
            return true;
        };
        const auto take = [&](std::size_t i, const impact::CollisionResult& result) {
            answers[i] = answer_of(result);
        };
        core::parallel_for(static_cast<std::size_t>(request.threads), request.threads,
                           [&](std::size_t) { models::BeamModel::collide_all(next, take); }, {});
    };
}

/// The collisions as plain numbers: all that another program needs to repeat them. `end_time_s`
/// lies 2 % after the last separation, where e can be read from the rigid mode.
struct Problem {
    struct Place {
        double xi, initial_rate, end_time;
        std::vector<double> phi;
    };
    std::vector<double> eigenvalues;
    double stiffness = 0.0;
    std::vector<Place> places;

    explicit Problem(const Request& request) {
        const auto parameters = beam_of(request, time::Newmark{});
        const models::BeamModel model(parameters);
        stiffness = models::contact_stiffness(model.parameters(), 0.0).value();
        for (int i = 0; i < request.points; ++i) {
            const double xi = request.xi(i);
            const modal::ModalBody body = model.beam().at(xi);
            eigenvalues = body.eigenvalues;
            const double rate = -models::rigid_approach_speed(parameters, xi) / body.phi.front();
            places.push_back({xi, rate, 1.02 * model.collide(xi).separation, body.phi});
        }
    }
};

io::Value to_value(const std::vector<double>& numbers) {
    io::Value list = io::Value::array();
    for (const double number : numbers) list.append(number);
    return list;
}

io::Value to_value(const Problem& problem) {
    io::Value places = io::Value::array();
    for (const Problem::Place& place : problem.places) {
        places.append(io::Value::object()
                          .set("xi", place.xi)
                          .set("initial_rate", place.initial_rate)
                          .set("end_time_s", place.end_time)
                          .set("phi", to_value(place.phi)));
    }
    return io::Value::object()
        .set("eigenvalues", to_value(problem.eigenvalues))
        .set("stiffness", problem.stiffness)
        .set("places", std::move(places));
}

/// Runge-Kutta-Fehlberg 7(8) with error control, absolute and relative tolerance `value`, up to the
/// end time. e is read from the rigid mode, which moves freely there.
Method odeint_method(const Request& request) {
    namespace odeint = boost::numeric::odeint;
    using State = std::vector<double>;
    return [problem = Problem(request), tolerance = request.value](int index) {
        const Problem::Place& place = problem.places[static_cast<std::size_t>(index)];
        const std::size_t p = problem.eigenvalues.size();
        const auto motion = [&](const State& s, State& rate, double) {
            double x = 0.0;
            for (std::size_t j = 0; j < p; ++j) x -= place.phi[j] * s[j];
            const double force = x > 0.0 ? problem.stiffness * x * std::sqrt(x) : 0.0;
            for (std::size_t j = 0; j < p; ++j) {
                rate[j] = s[p + j];
                rate[p + j] = place.phi[j] * force - problem.eigenvalues[j] * s[j];
            }
        };
        State state(2 * p, 0.0);
        state[p] = place.initial_rate;
        // Displacements are some 1e-5, velocities about 1: the absolute tolerance is for the
        // former.
        odeint::integrate_adaptive(odeint::make_controlled<odeint::runge_kutta_fehlberg78<State>>(
                                       1e-5 * tolerance, tolerance),
                                   motion, state, 0.0, place.end_time, 1e-7);
        return Answer{-state[p] / place.initial_rate, 0, 0, 0.0, 0.0};
    };
}

io::Value answer(const std::string& what, const Request& request) {
    if (what == "export") return to_value(Problem(request));
    if (what == "odeint") return measure(request, [&] { return odeint_method(request); });
    if (what == "splitting") {
        return measure(request,
                       [&] { return stoss_method(request, time::Splitting{request.value}); });
    }
    if (what == "lanes") {
        const Measured measured(
            request, [&] { return stoss_pass(request, time::Splitting{request.value}); });
        return measured.value(request);
    }
    if (what == "newmark") {
        time::Newmark newmark;
        newmark.step = request.value;
        return measure(request, [&] { return stoss_method(request, newmark); });
    }
    throw std::invalid_argument(what);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Request request = read_request(argc, argv);
        std::fputs(to_json(answer(argc > 1 ? argv[1] : "", request), 0).c_str(), stdout);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "stoss_peers: %s: is not understood\n", error.what());
        return 2;
    }
}
