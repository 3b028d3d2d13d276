#pragma once
/// The contact laws of a motion in series with the residual flexibility of the bodies
/// (theory/impact_motion.md 27.12).
///
/// The modes give the overlaps y. The laws see x_c = y_c - sum_d R_cd F_d. At the Gauss nodes of a
/// step R is part of the compliances; here is what it does at the ends of the step.

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include <Eigen/Core>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/any_contact.hpp>
#include <stoss/motion/detail/contact_state.hpp>
#include <stoss/motion/detail/node_motion.hpp>
#include <stoss/motion/system.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

namespace stoss::motion {

/// Step times the rate of a force at the `time::step_places`, of the polynomial through its values
/// there.
inline constexpr std::array<std::array<double, 5>, 5> rate_by_values{
    time::lagrange_slopes(time::step_places, time::step_places[0]),
    time::lagrange_slopes(time::step_places, time::step_places[1]),
    time::lagrange_slopes(time::step_places, time::step_places[2]),
    time::lagrange_slopes(time::step_places, time::step_places[3]),
    time::lagrange_slopes(time::step_places, time::step_places[4])};

/// The residual flexibility in series with the contacts.
class SeriesCompliance {
  public:
    /// Keeps a reference to `system`.
    explicit SeriesCompliance(const System& system);

    bool is_present() const { return !system_.residual_flexibility.empty(); }
    double of(std::size_t c, std::size_t d) const {
        return system_.residual_flexibility[c * system_.contacts.size() + d];
    }

    /// Takes from the free rates at the nodes of a step of length h [s] what the forces at its
    /// begin do to the rates of the residual displacements there.
    void begin(std::span<const std::size_t> active, const std::vector<ContactState>& contacts,
               double h, std::span<NodeMotion> nodes) const;

    /// Changes `next` of all contacts, at the end of a step of length h [s], from overlaps and
    /// rates of the modes to those that the laws see. `exact`: relative error of the forces that
    /// may be left. False: no forces were found.
    bool finish(std::span<const std::size_t> active, std::span<NodeMotion> nodes, double h,
                double exact, std::vector<ContactState>& contacts);

    /// Gives overlaps and rates of all contacts back what the force of `contact` takes from them:
    /// that force ends. Precondition: it is one of `contacts`.
    void release(const ContactState& contact, std::vector<ContactState>& contacts) const;

    /// Takes from the rates of all contacts, which are those of the modes, the rates at which the
    /// forces that act give the residual displacements.
    void settle_rates(std::vector<ContactState>& contacts);

    /// Energy [J] that the forces of the contacts that touch store here.
    double energy(const std::vector<ContactState>& contacts) const;

  private:
    bool finish_one(std::size_t c, NodeMotion& nodes, double h, double exact,
                    std::vector<ContactState>& contacts) const;
    void find_end_forces(std::span<const std::size_t> active,
                         const std::vector<ContactState>& contacts, double exact);
    void find_elastic_rates();
    void settle_node_rates(std::span<const std::size_t> active, double h,
                           const std::vector<ContactState>& contacts, std::span<NodeMotion> nodes);
    double displacement(std::size_t c, std::span<const std::size_t> active,
                        const Eigen::VectorXd& by) const;

    const System& system_;
    bool has_rates_ = false;  // one of the laws that act
    double per_step_ = 0.0;   // rate of a force at the end by that force [1/s]
    Eigen::MatrixXd flexibility_, matrix_;
    Eigen::VectorXd x_, v_;  // of the modes, at the end of the step
    Eigen::VectorXd force_, rate_, by_nodes_, slope_, by_rate_, law_, change_;
};

}  // namespace stoss::motion
