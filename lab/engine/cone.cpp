#include <lab/engine/cone.hpp>

#include <algorithm>
#include <string>

#include <lab/engine/values.hpp>
#include <models/rigid_contact.hpp>
#include <models/sliding_rod.hpp>
#include <stoss/core/error.hpp>
#include <stoss/io/bind.hpp>
#include <stoss/rigid/coulomb.hpp>
#include <stoss/rigid/maximum_dissipation.hpp>

namespace stoss::lab {
namespace {

Value vector_of(const rigid::ContactVector& x) {
    return numbers({x.n, x.t, x.o});
}

Value solution_of(const rigid::ContactSolution& solution) {
    return Value(Value::object()
                     .set("status", to_string(solution.status))
                     .set("branch", to_string(solution.branch))
                     .set("impulse", vector_of(solution.impulse))
                     .set("velocity", vector_of(solution.velocity))
                     .set("dissipated_energy_J", solution.dissipated_energy));
}

}  // namespace

std::vector<io::KeyDescription> cone_keys() {
    auto keys = io::describe_keys<models::RigidContact>();
    std::erase_if(keys, [](const io::KeyDescription& each) { return each.key == "restitution"; });
    return keys;
}

Value answer_cone(const Value& parameters) {
    const auto contact = io::read<models::RigidContact>(io::Document{"case", to_node(parameters)});
    core::throw_if_any(models::check(contact));
    if (contact.restitution) {
        core::throw_if_any({{"restitution", "", "is not shown here",
                             "`stoss run` computes the rebound; this is the compression"}});
    }
    const rigid::ContactProblem problem = contact.problem();
    const rigid::ContactMatrix& A = problem.A;
    const rigid::ContactSolution best = maximum_dissipation(problem);
    const rigid::CoulombSolutions coulomb = coulomb_solutions(problem);
    Value all = Value::object();
    all.set("A", numbers({A.nn, A.nt, A.no, A.tt, A.to, A.oo}));
    all.set("b", vector_of(problem.b)).set("mu", problem.mu);
    all.set("maximum_dissipation", solution_of(best));
    all.set("conic", to_string(best.conic));
    all.set("coulomb", list_of(coulomb.all(), solution_of));
    all.set("continuum", coulomb.continuum);
    return all;
}

Value answer_rod(const Value& parameters) {
    const auto rod = io::read<models::SlidingRod>(io::Document{"case", to_node(parameters)});
    core::throw_if_any(models::check(rod));
    if (rod.friction.empty())
        core::throw_if_any({{"friction", "", "is missing", "give one coefficient"}});
    const rigid::ContactProblem problem =
        models::rod_contact(rod, rod.angles.front(), rod.friction.front());
    const rigid::ContactMatrix& A = problem.A;
    Value of_A = Value::object();
    of_A.set("nn", A.nn).set("nt", A.nt).set("n_o", A.no);
    of_A.set("tt", A.tt).set("to", A.to).set("oo", A.oo);
    Value of_b = Value::object();
    of_b.set("n", problem.b.n).set("t", problem.b.t).set("o", problem.b.o);
    Value contact = Value::object();
    contact.set("given", "operator").set("A", std::move(of_A)).set("b", std::move(of_b));
    contact.set("mu", problem.mu);
    return Value(Value::object()
                     .set("case", std::move(contact))
                     .set("critical_friction", models::critical_friction(A)));
}

}  // namespace stoss::lab
