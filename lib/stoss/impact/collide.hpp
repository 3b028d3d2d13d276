#pragma once
/// collide(): two linear bodies, one contact law, one time scheme: what happens?
///
/// Both bodies are their modes (modal/modal_body.hpp), so the whole collision is one linear system
/// with one scalar nonlinearity, equations (6.1) to (6.9) of docs/theory/collision.md:
///     q_j'' + d_j q_j' + lambda_j q_j = phi_j P(x, x'),   x = -sum_j phi_j q_j,
/// x the overlap. It starts at the instant of first contact, as a rule undeformed.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/impact/approach.hpp>
#include <stoss/modal/modal_body.hpp>
#include <stoss/time/newmark.hpp>
#include <stoss/time/splitting.hpp>

namespace stoss::impact {

/// The time schemes that `collide` knows; the first is the default.
using Scheme = std::variant<time::Splitting, time::Newmark>;

/// How a collision ended.
enum class Status {
    separated,      ///< the bodies are apart and can never touch again, but by the loads (6.9)
    no_approach,    ///< the bodies do not close at the start: nothing to compute
    not_separated,  ///< the time limit came first, or the bodies rest against each other (12.11)
    not_finite      ///< the motion diverged (step too large for the stiffness)
};

/// Word for tables and messages.
std::string_view to_string(Status status);

/// One body at the instant of first contact: its modes, the rates of its RIGID modes
/// [sqrt(kg) m/s], `rigid_rates.size() == body.rigid`, and how it vibrates already, if it does:
/// coordinates [sqrt(kg) m] and rates of all its other modes.
struct MovingBody {
    const modal::ModalBody& body;     ///< its modes
    std::vector<double> rigid_rates;  ///< [sqrt(kg) m/s]
    std::vector<double> vibration = {},
                        vibration_rates = {};  ///< [sqrt(kg) m] and [sqrt(kg) m/s]; empty: at rest
    /// Constant forces on its rigid modes, as of gravity [sqrt(kg) m/s^2]; empty: none.
    std::vector<double> rigid_loads = {};

    /// The part of it that `Collider::collide` needs.
    Approach approach() const {
        return {body.phi,        rigid_rates, vibration,
                vibration_rates, rigid_loads, body.residual_flexibility};
    }
};

/// What happens at the contact point, and with what.
struct ContactSetup {
    contact::Law law;                                                  ///< of the two bodies
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
};

/// A maximal interval of positive contact force.
struct SubImpact {
    double start = 0.0;       ///< [s]
    double end = 0.0;         ///< [s]
    double impulse = 0.0;     ///< [N s]
    double peak_force = 0.0;  ///< [N]
};

/// Distribution of the energy at the last separation, as fractions of the initial energy:
/// rigid + vibration + structural_loss + contact_loss = 1 + load_work + residual. Where the
/// splitting scheme has an estimate of its global error, the energies are those of the corrected
/// motion (theory/splitting_scheme.md 12.9).
struct EnergyBalance {
    double rigid = 0.0;            ///< kinetic energy of the rigid modes of both bodies
    double vibration = 0.0;        ///< all vibration modes of both bodies
    std::vector<double> modes;     ///< the parts of `vibration` by mode: of the first body, then of
                                   ///< the second, then of the pair's residual mode if it has one
    double structural_loss = 0.0;  ///< work of the modal dampings
    double contact_loss = 0.0;     ///< work of the dissipative part of the contact law
    double load_work = 0.0;        ///< work of the constant forces on the bodies
    double residual = 0.0;         ///< what the numbers gained: 0 for an exact computation
};

/// The collision as a whole. Times [s] count from first contact.
struct CollisionResult {
    Status status = Status::not_finite;  ///< look at it first: the numbers hold if `separated`
    double approach_speed = 0.0;         ///< V_rel(0) [m/s], by the rigid modes
    double separation_speed = 0.0;       ///< -V_rel(t_f) [m/s]
    double cor_kinematic = 0.0;          ///< Newton: -V_rel(t_f) / V_rel(0) (6.4)
    double cor_kinetic = 0.0;            ///< Poisson: impulse of restitution / of compression (6.5)
    double cor_energetic = 0.0;          ///< Stronge: sqrt(-W_restitution / W_compression) (6.6)
    std::optional<double> compression_end = {};  ///< t_c [s]: V_rel = 0; none if it did not come
    double separation = 0.0;                     ///< t_f [s]: last separation
    double impulse = 0.0;                        ///< [N s] over [0, t_f]
    double peak_force = 0.0;                     ///< [N]
    double initial_energy = 0.0;                 ///< energy [J] of all modes at the start
    std::vector<SubImpact> sub_impacts;          ///< in order of time
    EnergyBalance energy;                        ///< at the last separation
    std::optional<double> cor_error = {};  ///< estimate, of cor_kinematic; none: scheme has none
    std::optional<double> impulse_error = {};  ///< estimate, relative to the impulse; or none
    /// Estimate, relative to the peak force, of its interpolation in time; or none.
    std::optional<double> peak_force_error = {};
    bool converged = true;  ///< false: the scheme could not reach its tolerance
    std::size_t steps = 0;  ///< of the time scheme
};

/// One instant of a collision. Energies are fractions of the initial energy.
struct Sample {
    double time;               ///< [s]
    double overlap;            ///< x [m]; negative: gap
    double body_displacement;  ///< of the contact point of the first body [m]
    double approach_velocity;  ///< V_rel [m/s], by the rigid modes
    double force;              ///< P [N]
    double energy_rigid, energy_vibration,
        energy_contact;  ///< of rigid modes, of vibrations, stored in the contact
    double energy_structural_loss, energy_contact_loss, energy_load_work;  ///< so far
    std::vector<double> energy_modes;  ///< each vibration mode, as in EnergyBalance
    std::vector<double> body_modes;    ///< q_j of the first body [sqrt(kg) m]
    std::vector<double> body_rates;    ///< q_j' of the first body [sqrt(kg) m/s]
};

/// Samples of a collision in order of time, evenly spaced but for the ends of contacts. Holds at
/// most `capacity` of them, but at least two: when full, every second one is dropped and from then
/// on half as many are taken.
class History {
  public:
    explicit History(std::size_t capacity) : capacity_(std::max<std::size_t>(2, capacity)) {}

    /// True if the state after `step` steps is to be recorded.
    bool wants(std::size_t step) const { return step % stride_ == 0; }
    /// Takes the next sample.
    void add(Sample sample);
    const std::vector<Sample>& samples() const { return samples_; }  ///< in order of time

  private:
    std::size_t capacity_;
    std::size_t stride_ = 1;
    std::vector<Sample> samples_;
};

class CollisionStream;
struct CollisionGradient;
struct GradientRequest;

/// The same two bodies, contact law and scheme, for collisions at any points and of any motion.
///
/// Tables that depend on the bodies alone are made once. Safe to share between threads: each brings
/// its own `Workspace`. With the splitting scheme a collision takes no memory but what its result
/// and a new workspace need.
class Collider {
  public:
    /// Memory for the collisions of one thread; may serve any number of colliders in turn.
    class Workspace {
      public:
        Workspace();
        Workspace(Workspace&&) noexcept;
        Workspace& operator=(Workspace&&) noexcept;
        ~Workspace();

      private:
        friend class Collider;
        struct Memory;
        Memory& memory();
        std::unique_ptr<Memory> memory_;
    };

    /// Of the bodies only eigenvalues, dampings and the number of rigid modes are used. A
    /// law that damps from the onset (contact/continuity.hpp) makes their residual flexibility one
    /// more mode.
    Collider(const modal::ModalBody& first, const modal::ModalBody& second,
             const ContactSetup& contact, const Scheme& scheme);

    /// Computes a collision to its rigorous end: no contact is possible ever after (6.9).
    /// Shapes: one entry a mode and a rigid mode of each body, as given to the constructor.
    /// `time_limit` [s] bounds the motion that is followed; reaching it is Status::not_separated,
    /// and so are bodies that rest against each other. `history`, if not null, receives samples.
    /// Never throws for numerical reasons. Throws core::NumericalError if there are loads, and
    /// damping that couples the modes or Newmark's scheme.
    void collide(const Approach& first, const Approach& second, double time_limit,
                 Workspace& workspace, CollisionResult& result, History* history = nullptr) const;

    /// The same with a contact of its own: surfaces may differ from place to place. Precondition:
    /// `contact::damps_from_onset` says the same of its law and of that of the constructor.
    void collide(const Approach& first, const Approach& second, const ContactSetup& contact,
                 double time_limit, Workspace& workspace, CollisionResult& result,
                 History* history = nullptr) const;

    /// The same, with the exact gradient of each quantity (impact/gradient.hpp) by what the two
    /// bodies and the law bring. There are none if the bodies did not separate.
    /// Throws core::NumericalError as above, and if damping couples the modes or the scheme is
    /// Newmark's: their gradients are not known.
    void collide_with_gradients(const Approach& first, const Approach& second,
                                const ContactSetup& contact, double time_limit,
                                Workspace& workspace, CollisionResult& result,
                                const GradientRequest& request,
                                std::vector<CollisionGradient>& gradients) const;

    /// All collisions of a stream, of this and other colliders, each to the last bit as `collide`
    /// computes it. Those by the splitting scheme whose law is of the kind of the first one are
    /// computed side by side, in the lanes of vector registers, if its force vanishes with the
    /// overlap and remembers at most the approach, and no damping couples the modes. Once workspace
    /// and results have grown, no collision takes memory. Throws as `collide`.
    static void collide_all(CollisionStream& stream, Workspace& workspace);

  private:
    struct Tables;
    struct Slot;
    template <class Law>
    class Lanes;
    std::shared_ptr<const Tables> tables_;
};

/// Many collisions, as Collider::collide_all asks for them. Threads may share a stream whose
/// functions may be called by several at a time.
class CollisionStream {
  public:
    /// One collision, as the stream hands it over.
    struct Collision {
        std::size_t id = 0;                  ///< comes back with the result
        const Collider* collider = nullptr;  ///< of its bodies
        Approach first, second;              ///< how the bodies move at first contact
        ContactSetup contact;                ///< law and end of contact
        double time_limit = 0.0;             ///< [s]
    };

    virtual ~CollisionStream() = default;
    /// The next one; all that it refers to must live until the next call. False: there are no more.
    virtual bool next(Collision& collision) = 0;
    /// The result of one that is over; they do not end in the order in which they begin.
    virtual void take(std::size_t id, const CollisionResult& result) = 0;
};

/// Computes one collision; see Collider::collide.
CollisionResult collide(const MovingBody& first, const MovingBody& second,
                        const ContactSetup& contact, const Scheme& scheme, double time_limit,
                        History* history = nullptr);

}  // namespace stoss::impact
