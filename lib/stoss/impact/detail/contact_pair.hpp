#pragma once
/// Two bodies as one modal system with one contact.

#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <stoss/impact/approach.hpp>
#include <stoss/modal/coupled_modes.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

/// The modes of both bodies in one list: rigid ones first (of the first body, then of the second),
/// then the vibrations likewise. phi carries the sign of the pairing, so that
/// overlap = -sum phi_j q_j: + for the first body, - for the second, on which the force acts the
/// other way.
struct ContactPair {
    std::vector<double> eigenvalues, dampings, phi;
    std::vector<double> initial_coordinates, initial_rates;
    std::vector<std::size_t> first_body_modes;   ///< place of each mode of the first body
    std::vector<std::size_t> second_body_modes;  ///< and of the second
    std::size_t rigid = 0;
    std::vector<double> loads;       ///< f_r, constant forces on the rigid modes [sqrt(kg) m/s^2]
    bool loaded = false;             ///< true if one of them is not 0
    double load_acceleration = 0.0;  ///< of the rigid overlap [m/s^2], -sum phi_r f_r
    /// m [kg] of the rigid relative motion, 1/sum phi_j^2 (theory/contact_laws.md 8.5).
    double effective_mass = 0.0;
    bool damped = false;
    /// R [m/N] of both bodies: the surfaces yield to the contact force P by R P more than the modes
    /// do (theory/collision.md 6.15).
    double residual_flexibility = 0.0;
    /// The modes as blocks, if damping couples them.
    std::shared_ptr<const modal::CoupledModes> coupled;

    /// A mode in place of residual flexibility, made of the highest mode of its body
    /// (theory/modal_reduction.md 4.14).
    struct ResidualMode {
        std::size_t place, highest;
    };
    /// Behind all other modes: that of the first body and that of the second. Both are the same if
    /// one body alone has vibration modes.
    std::optional<ResidualMode> first_residual, second_residual;

    /// Takes eigenvalues and dampings; the rest comes with `set`. `residual_modes`: the residual
    /// flexibility of a body becomes one more mode: for laws that damp from the onset. Throws as
    /// modal::CoupledModes.
    ContactPair(const modal::ModalBody& first, const modal::ModalBody& second,
                bool residual_modes = false);

    /// The contact points and motions of one collision; takes no memory. The rigid coordinates are
    /// such that the surfaces just touch, however the bodies are bent (6.2).
    void set(const Approach& first, const Approach& second);

    std::size_t modes() const { return phi.size(); }

    /// V_rel [m/s]: closing velocity of the contact points carried by the rigid modes alone (6.3).
    double approach_velocity(std::span<const double> rate) const {
        double velocity = 0.0;
        for (std::size_t j = 0; j < rigid; ++j) velocity -= phi[j] * rate[j];
        return velocity;
    }
    /// -sum phi_j y_j over all modes: overlap [m] of coordinates, its rate [m/s] of rates.
    double overlap(std::span<const double> y) const;
    /// d V_rel / dt [m/s^2] under the force P.
    double approach_acceleration(std::span<const double> rate, double force) const;
    /// Part of V_rel [m/s] on which the least damping acts: what is left of it in the end.
    double lasting_approach_velocity(std::span<const double> rate) const;
    /// True if free motion with a negative V_rel never leads to contact again: the rigid motion
    /// opens the gap for good, and the vibrations, which add `reach` [m] at most, cannot bridge it
    /// (6.9).
    bool parts_for_good(std::span<const double> q, std::span<const double> rate,
                        double reach) const;
    /// Overlap [m] of the rigid modes alone.
    double rigid_overlap(std::span<const double> q) const;
    /// A_j: what |q_j| can at most become in free motion (6.9). Of a vibration mode.
    double amplitude(std::size_t j, std::span<const double> q, std::span<const double> rate) const;
    /// Bound of the overlap [m] that the vibrations can ever add in free motion: sum |phi_j| A_j
    /// (6.9).
    double vibration_bound(std::span<const double> q, std::span<const double> rate) const;
    /// Bound of |d^2(overlap)/dt^2| [m/s^2] in free motion (6.10).
    double acceleration_bound(std::span<const double> q, std::span<const double> rate) const;
    /// What the loads add in a time [s] of either sign to the overlap and its rate (4.12).
    modal::Overlap load_response(double time) const;
    /// The same; adds it also to the coordinates and rates of all modes.
    modal::Overlap move_by_loads(double time, modal::ModalState state) const;
    /// Work [J] of the loads from the start to the coordinates q.
    double load_work(std::span<const double> q) const;
    /// Energy [J] of mode j.
    double mode_energy(std::size_t j, std::span<const double> q,
                       std::span<const double> rate) const {
        return 0.5 * (rate[j] * rate[j] + eigenvalues[j] * q[j] * q[j]);
    }
    /// Of the modes from `begin` to before `end`.
    double energy(std::size_t begin, std::size_t end, std::span<const double> q,
                  std::span<const double> rate) const;

  private:
    void couple(const modal::ModalBody& first, const modal::ModalBody& second);
    std::optional<ResidualMode> append_residual_mode(const std::vector<std::size_t>& body_modes);
    void set_residual_modes(double of_first, double of_second);
};

}  // namespace stoss::impact
