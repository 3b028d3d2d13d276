#include <solvers/app/program_inputs.hpp>

#include <array>

#include <fmt/format.h>

namespace stoss::solvers {

namespace {

using models::ConformanceBall;
using models::ConformanceTarget;

// Steps between two looks at the ball, and looks until it counts as stuck: 10 contact times.
constexpr int steps_a_look = 50;
constexpr int looks = 10 * conformance_steps / steps_a_look;

double step_of(const PutQuestion& put, ConformanceTarget target) {
    return put.question.contact_time(target) / conformance_steps;
}

/// The box, the ball and its motion, in the words that LAMMPS and LIGGGHTS share. The box is small
/// because they divide it into cells of the size of the ball.
std::string lammps_ball(const PutQuestion& put, std::string_view atom_style) {
    const models::ConformanceQuestion& q = put.question;
    return fmt::format(R"(clear
units si
atom_style {0}
atom_modify map array
boundary f f f
newton off
region box block {1} {2} {1} {2} {1} {2}
create_box 1 box
create_atoms 1 single 0 0 {3}
set group all diameter {4} density {5}
velocity all set 0 0 {6}
fix gravity all gravity {7} vector 0 0 -1
fix motion all nve/sphere
timestep {8}
variable gap equal z[1]-{3}
variable velocity equal vz[1]
)",
                       atom_style, -10.0 * q.radius, 10.0 * q.radius, q.radius, 2.0 * q.radius,
                       ConformanceBall::density, -q.speed, q.gravity,
                       step_of(put, ConformanceTarget::plane));
}

/// Looks at the ball until it has left or counts as stuck.
std::string lammps_looks(std::size_t number) {
    return fmt::format(R"(run 0 post no
variable look loop {1}
label look_{0}
run {2} pre no post no
if "${{gap}} > 0" then "jump SELF left_{0}"
next look
jump SELF look_{0}
label left_{0}
print "answer {0} ${{gap}} ${{velocity}}"
variable look delete
)",
                       number, looks, steps_a_look);
}

std::string lammps(std::span<const PutQuestion> all) {
    std::string text = "# stoss conformance: a ball falls on a wall\n";
    for (const PutQuestion& put : all) {
        text += lammps_ball(put, "sphere");
        text += "pair_style zero 0.001\npair_coeff * *\n";
        text += put.parameters.empty()
                    ? fmt::format(
                          "fix wall all wall/gran granular hertz/material {} {} {} "
                          "tangential linear_nohistory 0.0 0.0 damping tsuji "
                          "zplane 0.0 NULL\n",
                          ConformanceBall::youngs_modulus, put.question.cor,
                          ConformanceBall::poisson_ratio)
                    : fmt::format(
                          "fix wall all wall/gran hertz/history {} NULL {} NULL 0.0 0 "
                          "zplane 0.0 NULL\n",
                          put.parameters[0].value, put.parameters[1].value);
        text += lammps_looks(put.question.number);
    }
    return text;
}

std::string liggghts(std::span<const PutQuestion> all) {
    std::string text = "# stoss conformance: a ball falls on a wall\n";
    for (const PutQuestion& put : all) {
        const double coefficient =
            put.parameters.empty() ? put.question.cor : put.parameters[0].value;
        text += lammps_ball(put, "granular");
        text += fmt::format(R"(communicate single vel yes
neighbor {} bin
neigh_modify delay 0
fix modulus all property/global youngsModulus peratomtype {}
fix ratio all property/global poissonsRatio peratomtype {}
fix restitution all property/global coefficientRestitution peratomtypepair 1 {}
pair_style gran model hertz tangential off limitForce on
pair_coeff * *
fix wall all wall/gran model hertz tangential off primitive type 1 zplane 0.0 limitForce on
)",
                            put.question.radius, ConformanceBall::youngs_modulus,
                            ConformanceBall::poisson_ratio, coefficient);
        text += lammps_looks(put.question.number);
    }
    return text;
}

std::string yade(std::span<const PutQuestion> all) {
    std::string text = fmt::format(R"(# stoss conformance: a ball falls on a fixed ball of its size
from yade import *

YOUNG, POISSON, DENSITY = {}, {}, {}
STEPS_A_LOOK, LOOKS = {}, {}


def ask(number, radius, speed, gravity, step, contact):
    O.reset()
    material = O.materials.append(
        FrictMat(young=YOUNG, poisson=POISSON, density=DENSITY, frictionAngle=0)
    )
    O.bodies.append(sphere((0, 0, -radius), radius, fixed=True, material=material))
    ball = O.bodies[O.bodies.append(sphere((0, 0, radius), radius, material=material))]
    ball.state.vel = (0, 0, -speed)
    O.engines = [
        ForceResetter(),
        InsertionSortCollider([Bo1_Sphere_Aabb()]),
        InteractionLoop(
            [Ig2_Sphere_Sphere_ScGeom()],
            [Ip2_FrictMat_FrictMat_MindlinPhys(**contact)],
            [Law2_ScGeom_MindlinPhys_Mindlin()],
        ),
        NewtonIntegrator(damping=0, gravity=(0, 0, -gravity)),
    ]
    O.dt = step
    for look in range(LOOKS):
        for each in range(STEPS_A_LOOK):
            O.step()
        if ball.state.pos[2] > radius:
            break
    print('answer', number, ball.state.pos[2] - radius, ball.state.vel[2], flush=True)


)",
                                   ConformanceBall::youngs_modulus, ConformanceBall::poisson_ratio,
                                   ConformanceBall::density, steps_a_look, looks);
    for (const PutQuestion& put : all) {
        const models::ConformanceQuestion& q = put.question;
        const std::string contact =
            put.parameters.empty()
                ? fmt::format("'en': {0}, 'es': {0}", q.cor)
                : fmt::format("'betan': {}, 'betas': 0", put.parameters[0].value);
        text += fmt::format("ask({}, {}, {}, {}, {}, {{{}}})\n", q.number, q.radius, q.speed,
                            q.gravity, step_of(put, ConformanceTarget::equal_sphere), contact);
    }
    return text;
}

constexpr std::array programs{
    AskedProgram{"lammps", "LAMMPS", "`hertz/material`, `damping tsuji`",
                 models::ProgramName::lammps, ConformanceTarget::plane, "in.lammps",
                 "lmp -in in.lammps -log none", "lammps", lammps},
    AskedProgram{"liggghts", "LIGGGHTS", "`model hertz`, `limitForce on`, `coefficientRestitution`",
                 models::ProgramName::liggghts, ConformanceTarget::plane, "in.liggghts",
                 "liggghts -in in.liggghts -log none", "liggghts", liggghts},
    AskedProgram{"yade", "YADE", "`Ip2_FrictMat_FrictMat_MindlinPhys`, `en`",
                 models::ProgramName::yade, ConformanceTarget::equal_sphere, "questions.py",
                 "yade -n -x questions.py", "yade", yade},
};

}  // namespace

std::span<const AskedProgram> asked_programs() {
    return programs;
}

}  // namespace stoss::solvers
