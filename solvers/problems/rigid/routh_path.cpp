#include <solvers/problems/rigid/routh_path.hpp>

#include <cmath>
#include <vector>

#include <stoss/core/elementary.hpp>

namespace stoss::solvers {

namespace {
constexpr int intervals = 300;
}

io::Table path_table(const rigid::ContactProblem& problem, double end) {
    std::vector<double> p, y_t, y_o, v_n, v_t, v_o, slip, work;
    for (int i = 0; i <= intervals; ++i) {
        const rigid::PathPoint at = routh_point(problem, end * i / intervals);
        p.push_back(at.impulse.n);
        y_t.push_back(at.impulse.t);
        y_o.push_back(at.impulse.o);
        v_n.push_back(at.velocity.n);
        v_t.push_back(at.velocity.t);
        v_o.push_back(at.velocity.o);
        slip.push_back(core::hypot(at.velocity.t, at.velocity.o));
        work.push_back(at.normal_work);
    }
    io::Table table;
    table.add("impulse_n_N_s", std::move(p));
    table.add("impulse_t_N_s", std::move(y_t));
    table.add("impulse_o_N_s", std::move(y_o));
    table.add("velocity_n_m_per_s", std::move(v_n));
    table.add("velocity_t_m_per_s", std::move(v_t));
    table.add("velocity_o_m_per_s", std::move(v_o));
    table.add("slip_m_per_s", std::move(slip));
    table.add("normal_work_J", std::move(work));
    return table;
}

void add_events(io::Value& summary, const rigid::PathEvents& events) {
    summary.set("slip_stops", events.slip_stops);
    summary.set("sticks", events.sticks);
    summary.set("slides_again", events.slides_again);
    summary.set("jams", events.jams);
    summary.set("compressions", std::int64_t{events.compressions});
    if (events.slip_stops) summary.set("stop_impulse_n_N_s", events.stop_impulse);
}

}  // namespace stoss::solvers
