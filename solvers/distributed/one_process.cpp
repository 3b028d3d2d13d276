/// A build without LAMMPS.

#include <fmt/format.h>
#include <solvers/distributed/launch.hpp>
#include <solvers/distributed/ranks.hpp>
#include <stoss/core/error.hpp>

namespace stoss::solvers {

// One process needs no mpirun: it computes as without.
Ranks::Ranks() : count_(launched_count() > 1 ? launched_count() : 0), rank_(launched_rank()) {}

Ranks::~Ranks() = default;

std::string Ranks::refusal() const {
    if (count_ < 2) return {};
    return fmt::format(
        "mpirun started {} processes, but this build of Stoss computes in one; configure it with "
        "-DSTOSS_WITH_LAMMPS=ON (Debian package liblammps-dev), or start it without mpirun: one "
        "process uses all cores of a machine",
        count_);
}

void Ranks::follow() const {}

std::unique_ptr<SphereStream> distributed_stream(const granular::Stepping&,
                                                 const std::vector<granular::Wall>&,
                                                 const Eigen::Vector3d&, const Eigen::Vector3d&,
                                                 double) {
    return nullptr;
}

}  // namespace stoss::solvers
