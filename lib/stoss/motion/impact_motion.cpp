#include <stoss/motion/impact_motion.hpp>

#include <algorithm>
#include <cmath>

#include <limits>
#include <stoss/core/elementary.hpp>
#include <utility>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/largest_force.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/contact_course.hpp>
#include <stoss/motion/detail/driven_modes.hpp>
#include <stoss/motion/detail/gap_bounds.hpp>
#include <stoss/motion/detail/newton_impulses.hpp>
#include <stoss/motion/detail/node_forces.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::motion {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int octave = 2;       // levels of the tables to a step half as long
constexpr int to_release = 17;  // halvings of a step that meets the end of a force
constexpr int to_turn = 5;      // of one in which a law with memory turns from loading to unloading
constexpr double unseen = 11.2;  // angle of a mode in a step, of which nothing is resolved
constexpr double brief = 0.3;    // (sqrt(lambda) + d) h of a step that resolves all modes

/// The longest step of the tables [s]: a power of two, many times the time scale of the slowest
/// vibration and drive.
double longest_step(const System& system) {
    double slowest = core::infinity;
    for (const double eigenvalue : system.eigenvalues)
        if (eigenvalue > 0.0) slowest = std::min(slowest, std::sqrt(eigenvalue));
    for (const Drive& drive : system.drives)
        if (drive.frequency > 0.0) slowest = std::min(slowest, drive.frequency);
    constexpr double many = 64.0;  // where the gap is wide
    return slowest < core::infinity ? many * core::exp2(std::ceil(core::log2(1.0 / slowest)))
                                    : many;
}

}  // namespace

std::string_view to_string(MotionStatus status) {
    switch (status) {
        case MotionStatus::running:
            return "running";
        case MotionStatus::separated:
            return "separated";
        case MotionStatus::rests:
            return "rests";
        default:
            return "not_finite";
    }
}

/// The motion under way.
class ImpactMotion::Course {
  public:
    Course(System system, double tolerance)
        : system_(std::move(system)),
          accuracy_(std::max(1e-4 * tolerance, 1e-13)),
          tables_(system_, longest_step(system_)),
          bounds_(system_),
          compliance_(system_.modes()) {
        now_ = {0.0, system_.coordinates, system_.rates};
        next_ = point_ = now_;
        for (std::size_t j = 0; j < system_.modes(); ++j)
            fastest_ = std::max(fastest_, std::sqrt(system_.eigenvalues[j]) + system_.dampings[j]);
        for (const Drive& drive : system_.drives) fastest_ = std::max(fastest_, drive.frequency);
        for (const double d : system_.dampings) is_damped_ = is_damped_ || d > 0.0;
        for (const Drive& drive : system_.drives) {
            const bool is_constant = drive.frequency == 0.0;
            is_driven_ = is_driven_ || !is_constant;
            is_loaded_ = is_loaded_ || is_constant;
        }
        make_contacts();
        energy_.initial = energy_.modes = energy_of(now_);
        look();
    }

    void advance(double until, const std::function<bool(const Impact&)>& ended) {
        while (now_.time < until && status_ == MotionStatus::running) {
            check_stop_();
            step(until);
            bool go_on = true;
            for (const Impact& each : ended_) go_on = (!ended || ended(each)) && go_on;
            ended_.clear();
            if (!go_on) return;
        }
    }

    const System& system() const { return system_; }
    const State& state() const { return now_; }
    MotionStatus status() const { return status_; }
    const ContactCourse& contact(std::size_t c) const { return contacts_[c]; }
    std::size_t impacts() const { return impacts_; }
    std::size_t steps() const { return steps_; }
    bool is_touching() const {
        return std::ranges::any_of(
            contacts_, [](const ContactCourse& contact) { return contact.phase != Phase::apart; });
    }
    MotionEnergy energy() const {
        MotionEnergy energy = energy_;
        energy.modes = energy_of(now_);
        energy.contacts = 0.0;
        for (const ContactCourse& contact : contacts_)
            if (contact.phase == Phase::touching)
                energy.contacts += contact.law->stored_energy(contact.x);
        return energy;
    }

  private:
    void make_contacts() {
        const std::size_t modes = system_.modes();  // more than any mode: several
        for (const Contact& each : system_.contacts) {
            ContactCourse& contact = contacts_.emplace_back();
            contact.impact.contact = contacts_.size() - 1;
            double rigid = 0.0;
            for (std::size_t j = 0; j < each.phi.size(); ++j) {
                const double square = each.phi[j] * each.phi[j];
                contact.mobility += square;
                if (system_.eigenvalues[j] == 0.0) rigid += square;
                if (square > 0.0) contact.only_mode = contact.only_mode ? modes : j;
            }
            if (contact.only_mode == modes) contact.only_mode.reset();
            if (const auto* compliant = std::get_if<CompliantContact>(&each.law)) {
                contact.law.emplace(*compliant, rigid > 0.0 ? 1.0 / rigid : core::infinity);
                contact.is_smooth = motion::is_smooth(compliant->law);
                contact.remembers = motion::has_memory(compliant->law);
            }
        }
    }

    double energy_of(const State& state) const {
        double sum = 0.0;
        for (std::size_t j = 0; j < system_.modes(); ++j)
            sum += state.v[j] * state.v[j] + system_.eigenvalues[j] * state.q[j] * state.q[j];
        return 0.5 * sum;
    }

    const DrivePhases& phases() { return phases_.at(system_, now_.time); }

    /// Overlaps and rates of all contacts as the state is now.
    void look() {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactMotion motion = contact_motion(system_, c, now_);
            contacts_[c].x = motion.x;
            contacts_[c].v = motion.v;
        }
    }
    void look_ahead() {
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            contacts_[c].next = contact_motion(system_, c, next_);
    }

    /// Overlap [m] that is roundoff: the surfaces just touch.
    double roundoff_of_overlap(std::size_t c) const {
        constexpr double roundoff = 16.0 * epsilon;
        const Contact& contact = system_.contacts[c];
        double sum = std::abs(contact.gap);
        for (std::size_t j = 0; j < system_.modes(); ++j)
            sum += std::abs(contact.phi[j] * now_.q[j]);
        for (const Drive& drive : system_.drives)
            if (!drive.surfaces.empty())
                sum += std::abs(drive.surfaces[c]) * (1.0 + drive.frequency * now_.time);
        return roundoff * sum;
    }
    double roundoff_of_rate(std::size_t c) const {
        constexpr double roundoff = 16.0 * epsilon;
        const Contact& contact = system_.contacts[c];
        double sum = 0.0;
        for (std::size_t j = 0; j < system_.modes(); ++j)
            sum += std::abs(contact.phi[j] * now_.v[j]);
        return roundoff * sum;
    }
    /// True if the surfaces touch without a force and do not move: they act as soon as they are
    /// pushed together.
    bool just_touches(std::size_t c) const {
        const ContactCourse& contact = contacts_[c];
        return contact.phase == Phase::apart &&
               std::abs(contact.x - contact.begin_overlap()) <= roundoff_of_overlap(c) &&
               std::abs(contact.v) <= roundoff_of_rate(c);
    }

    void step(double until) {
        active_.clear();
        double h = core::infinity;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactCourse& contact = contacts_[c];
            if (contact.phase == Phase::touching) {
                const impact::StepPrediction next = predict(contact);
                if (next.nearly_over) {
                    leave(contact, next.ahead);
                } else {
                    active_.push_back(c);
                    h = std::min(h, next.step * tables_.longest());
                }
            }
            if (contact.phase == Phase::leaving) h = std::min(h, 2.0 * contact.ahead);
            if (contact.phase == Phase::resting) h = std::min(h, time_of_rest(contact));
        }
        const double left = until - now_.time;
        goal_ = until;
        if (active_.empty()) {
            step_freely(std::min(h, left), left);
            return;
        }
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            if (contacts_[c].law && just_touches(c)) active_.push_back(c);
        step_in_contact(h, left);
    }

    // ---- free motion

    /// One step without forces, no longer than `most` [s], which is at most `left`.
    void step_freely(double most, double left) {
        bounds_.begin(now_);
        const double shortest =
            fastest_ > 0.0 ? std::ldexp(brief / fastest_, -8) : std::ldexp(tables_.longest(), -30);
        double h = std::min(most, free_step_ > 0.0 ? free_step_ : tables_.longest());
        for (;;) {
            const bool is_last = !(h < left);
            const StepTable* table = nullptr;
            if (is_last) {
                h = left;
                move_freely(system_, now_, phases(), h, next_);
                next_.time = goal_;
            } else {
                table = &tables_.at(tables_.level_within(h));
                h = table->step();
                table->move_freely(system_, now_, phases(), 3, next_);
            }
            follow_surfaces(next_);
            look_ahead();
            const std::optional<Crossing> crossing = first_crossing(h);
            const bool is_proven = all_stay_open(h, crossing.has_value());
            if (!is_proven && h > shortest) {
                h *= 0.5;
                continue;
            }
            if (crossing) {
                if (crossing->fraction < 0.1 && h > shortest) {
                    h = std::max(2.0 * crossing->fraction * h, shortest);
                    continue;
                }
                go_to_crossing(*crossing, h);
                return;
            }
            accept_free(h, table);
            free_step_ = std::min(4.0 * h, tables_.longest());
            return;
        }
    }

    bool all_stay_open(double h, bool some_close) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::apart) continue;
            if (some_close && contact.next.x > contact.begin_overlap()) continue;
            if (!bounds_.stays_open(c, contact, next_, h, roundoff_of_overlap(c))) return false;
        }
        return true;
    }

    /// An apart contact that closes inside a step, and the fraction of the step at which it does.
    struct Crossing {
        std::size_t contact;
        double fraction;
    };

    /// The first one, by the cubics through the ends of a step of length h.
    std::optional<Crossing> first_crossing(double h) const {
        std::optional<Crossing> first;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::apart) continue;
            const double edge = contact.begin_overlap(), touching = roundoff_of_overlap(c);
            const bool touches = std::abs(contact.x - edge) <= touching;
            if (!(contact.next.x - edge > (touches ? touching : 0.0))) continue;
            const double root = closing_fraction(contact, h, touching);
            if (!first || root < first->fraction) first = Crossing{c, root};
        }
        return first;
    }

    /// Free motion to the instant inside a step of length h at which that contact closes.
    void go_to_crossing(const Crossing& crossing, double h) {
        CrossingSearch search(crossing.fraction * h, h, 4.0 * epsilon * (now_.time + h));
        do {
            move_freely(system_, now_, phases(), search.time(), next_);
            follow_surfaces(next_);
            look_ahead();
        } while (search.goes_on(contacts_[crossing.contact]));
        accept_free(search.time());
        begin_contacts(crossing.contact);
    }

    /// `table`: of the step, if it has one.
    void accept_free(double h, const StepTable* table = nullptr) {
        const double before = energy_of(now_);
        const double loads = load_work();
        const double drives = is_driven_ && is_damped_ ? drive_work_of_free_motion(h, table) : 0.0;
        energy_.load_work += loads;
        const double rest = energy_of(next_) - before - loads;
        if (is_damped_) {
            energy_.drive_work += drives;
            energy_.structural_loss += drives - rest;
        } else if (is_driven_) {
            energy_.drive_work += rest;
        }
        std::swap(now_, next_);
        ++steps_;
        for (ContactCourse& contact : contacts_) {
            contact.x = contact.next.x;
            contact.v = contact.next.v;
            if (contact.phase == Phase::leaving) follow_leaving(contact);
        }
        if (!std::isfinite(energy_of(now_))) status_ = MotionStatus::not_finite;
        if (parts_for_good()) status_ = MotionStatus::separated;
    }

    /// Work [J] of the constant forces from the state now to the next one.
    double load_work() const {
        double work = 0.0;
        if (!is_loaded_) return work;
        for (const Drive& drive : system_.drives) {
            if (drive.frequency != 0.0 || drive.forces.empty()) continue;
            const double scale = core::cos(drive.phase);
            for (std::size_t j = 0; j < system_.modes(); ++j)
                work += scale * drive.forces[j] * (next_.q[j] - now_.q[j]);
        }
        return work;
    }

    /// Power [W] of the harmonic forces on a state.
    double drive_power(const State& state) const {
        double power = 0.0;
        for (const Drive& drive : system_.drives) {
            if (drive.frequency == 0.0 || drive.forces.empty()) continue;
            const double scale = core::cos(drive.frequency * state.time + drive.phase);
            for (std::size_t j = 0; j < system_.modes(); ++j)
                power += scale * drive.forces[j] * state.v[j];
        }
        return power;
    }
    double drive_work_of_free_motion(double h, const StepTable* table) {
        double work = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            if (table)
                table->move_freely(system_, now_, phases(), i, point_);
            else
                move_freely(system_, now_, phases(), h * modal::Gauss3::node[i], point_);
            work += h * modal::Gauss3::weight[i] * drive_power(point_);
        }
        return work;
    }

    /// (theory/collision.md 6.9) for each contact: the rigid motion opens the gap, and the
    /// vibrations cannot bridge it. Nothing is said of driven, loaded or rigidly damped bodies.
    bool parts_for_good() const {
        if (is_driven_ || is_loaded_) return false;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            if (contacts_[c].phase != Phase::apart) return false;
            const Contact& contact = system_.contacts[c];
            double rigid = -contact.gap, rate = 0.0, reach = 0.0;
            bool moves = false;
            for (std::size_t j = 0; j < system_.modes(); ++j) {
                const double lambda = system_.eigenvalues[j], phi = contact.phi[j];
                if (phi == 0.0) continue;
                if (lambda == 0.0) {
                    if (system_.dampings[j] > 0.0) return false;
                    rigid -= phi * now_.q[j];
                    rate -= phi * now_.v[j];
                    moves = true;
                } else {
                    const double v = now_.v[j] + 0.5 * system_.dampings[j] * now_.q[j];
                    const double stiffness =
                        lambda - 0.25 * system_.dampings[j] * system_.dampings[j];
                    if (!(stiffness > 0.0)) return false;
                    reach += std::abs(phi) * std::sqrt(now_.q[j] * now_.q[j] + v * v / stiffness);
                }
            }
            if (moves && rate > 0.0) return false;
            if (!(rigid + reach < 0.0)) return false;
        }
        return true;
    }

    // ---- begin and end of contacts

    /// Contact `first` closes now, and all others that do so within roundoff.
    void begin_contacts(std::size_t first) {
        closed_.clear();
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::apart) continue;
            const double late = 8.0 * epsilon * now_.time * std::abs(contact.v);
            const double gap = std::abs(contact.x - contact.begin_overlap());
            if (c != first && gap > roundoff_of_overlap(c) + late) continue;
            if (!contact.law)
                closed_.push_back(c);
            else if (contact.v > roundoff_of_rate(c))
                begin_contact(c, now_.time, contact.v);
        }
        if (!closed_.empty()) strike();
    }

    void begin_contact(std::size_t c, double time, double rate) {
        ContactCourse& contact = contacts_[c];
        contact.x = std::max(contact.x, contact.end_overlap());  // by roundoff only
        energy_.contact_loss += contact.law->accept(contact.x, contact.v);
        contact.phase = Phase::touching;
        contact.impact = {.contact = c, .start = time, .approach_speed = rate};
        contact.acceleration = contact.slope = 0.0;
        contact.force = contact.law->force(contact.x, contact.v);
        ++impacts_;
        set_limits(c);
    }

    /// The end of the present impact at `time` with an opening speed.
    void end_impact(ContactCourse& contact, double time, double speed) {
        contact.impact.end = time;
        contact.impact.separation_speed = speed;
        ended_.push_back(contact.impact);
        contact.impact = {.contact = contact.impact.contact};
        contact.force = 0.0;
    }

    /// The force that is left is negligible.
    void leave(ContactCourse& contact, double ahead) {
        contact.phase = Phase::leaving;
        contact.ahead = ahead;
        end_impact(contact, now_.time + ahead, -contact.v);
    }

    /// A contact whose force has ended: it is apart once the overlap has vanished; it acts again if
    /// the bodies turn before.
    void follow_leaving(ContactCourse& contact) {
        const double edge = contact.end_overlap();
        if (!(contact.x > edge)) {
            energy_.contact_loss += contact.law->accept(contact.x, contact.v);
            contact.phase = Phase::apart;
            return;
        }
        const bool pushes = contact.law->released()
                                ? !contact.law->would_release(contact.x, contact.v)
                                : !(contact.v < 0.0);
        if (pushes) {
            begin_contact(contact.impact.contact, now_.time, contact.v);
        } else {
            contact.ahead = contact.v < 0.0 ? (contact.x - edge) / -contact.v : 0.5 * contact.ahead;
        }
    }

    /// Impulses of the contacts in `closed_` by Newton's law of impact.
    void strike() {
        rates_.clear();
        for (const std::size_t c : closed_) rates_.push_back(contacts_[c].v);
        newton_impulses(system_, closed_, rates_, impulses_);
        const double before = energy_of(now_);
        double surface_work = 0.0;
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            const std::vector<double>& phi = system_.contacts[closed_[a]].phi;
            for (std::size_t j = 0; j < phi.size(); ++j) now_.v[j] += phi[j] * impulses_[a];
            surface_work += impulses_[a] * surface_velocity(system_, closed_[a], now_.time);
        }
        look();
        energy_.drive_work += surface_work;
        energy_.contact_loss += before + surface_work - energy_of(now_);
        for (std::size_t a = 0; a < closed_.size(); ++a) {
            ContactCourse& contact = contacts_[closed_[a]];
            if (impulses_[a] > 0.0) {
                contact.impact = {.contact = closed_[a],
                                  .start = now_.time,
                                  .approach_speed = rates_[a],
                                  .impulse = impulses_[a],
                                  .peak_force = core::infinity,
                                  .loss = impulses_[a] * 0.5 * (rates_[a] + contact.v)};
                ++impacts_;
                end_impact(contact, now_.time, -contact.v);
            }
            if (const std::optional<double> rest = rest_of_flights(closed_[a])) {
                if (is_driven_ && !is_damped_ && contact.only_mode) {
                    contact.phase = Phase::resting;
                } else {
                    status_ = MotionStatus::rests;
                    now_.time += *rest;
                }
            }
        }
    }

    /// Time [s] of the flights that are left, if the acceleration stayed as it is: the limit of a
    /// geometric series (theory/impact_motion.md 27.9). None if they can still be told from
    /// roundoff.
    std::optional<double> rest_of_flights(std::size_t c) const {
        const double cor = std::get<NewtonImpact>(system_.contacts[c].law).cor;
        const double closing = closing_acceleration(c, now_);
        const double speed = std::max(0.0, -contacts_[c].v);
        if (!(closing > 0.0)) return std::nullopt;
        const double least = cor < 1.0 ? 1e4 : 1.0;  // height of a flight/roundoff of the overlap
        if (0.5 * speed * speed / closing > least * roundoff_of_overlap(c)) return std::nullopt;
        return cor < 1.0 ? 2.0 * speed / (closing * (1.0 - cor)) : 0.0;
    }

    /// Acceleration [m/s^2] at which the gap would close without a force.
    double closing_acceleration(std::size_t c, const State& state) const {
        const std::vector<double>& phi = system_.contacts[c].phi;
        double sum = 0.0;
        for (std::size_t j = 0; j < phi.size(); ++j)
            sum +=
                phi[j] * (system_.dampings[j] * state.v[j] + system_.eigenvalues[j] * state.q[j]);
        for (const Drive& drive : system_.drives) {
            const double scale = core::cos(drive.frequency * state.time + drive.phase);
            if (!drive.surfaces.empty())
                sum -= drive.surfaces[c] * drive.frequency * drive.frequency * scale;
            for (std::size_t j = 0; !drive.forces.empty() && j < phi.size(); ++j)
                sum -= phi[j] * drive.forces[j] * scale;
        }
        return sum;
    }

    // ---- bodies that rest on a driven surface (theory/impact_motion.md 27.9)

    /// Sets the coordinates of the bodies that rest to those of their surfaces.
    void follow_surfaces(State& state) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            if (contacts_[c].phase != Phase::resting) continue;
            const std::size_t j = *contacts_[c].only_mode;
            state.q[j] = state.v[j] = 0.0;
            const ContactMotion surface = contact_motion(system_, c, state);
            state.q[j] = surface.x / system_.contacts[c].phi[j];
            state.v[j] = surface.v / system_.contacts[c].phi[j];
        }
    }

    /// The time [s] from now for which a contact goes on to push a body that rests, at most a part
    /// of the fastest drive's period; where it ends the contact is apart.
    double time_of_rest(ContactCourse& contact) {
        const std::size_t c = contact.impact.contact;
        const auto pushes = [&](double time) {
            point_ = now_;
            point_.time += time;
            follow_surfaces(point_);
            return closing_acceleration(c, point_) > 0.0;
        };
        const double h = 0.1 / fastest_;
        if (pushes(h)) return h;
        double low = 0.0, high = h;
        for (int bisection = 0; bisection < 60; ++bisection) {
            const double middle = 0.5 * (low + high);
            (pushes(middle) ? low : high) = middle;
        }
        if (low > 4.0 * epsilon * now_.time) return low;
        contact.phase = Phase::apart;
        return h;
    }

    // ---- steps in contact

    impact::StepPrediction predict(const ContactCourse& contact) const {
        const double x = contact.x - contact.end_overlap();
        double force = std::abs(contact.law->force(contact.x, contact.v));
        if (!contact.is_smooth)
            force = std::max(force, std::abs(contact.law->force(contact.x, 0.0)));
        return impact::step_prediction(x, contact.v, contact.acceleration, force, contact.slope,
                                       contact.limits);
    }

    /// The limits of the steps of a contact that begins: its first step, and steps that resolve the
    /// vibrations as far as they matter (theory/splitting_scheme.md 12.4, 12.5).
    void set_limits(std::size_t c) {
        ContactCourse& contact = contacts_[c];
        contact.limits = {.growth = accuracy_.growth,
                          .closing = accuracy_.closing,
                          .contact_resonance = 1.2 * accuracy_.kappa,
                          .epsilon = accuracy_.rest,
                          .exactness = accuracy_.exactness,
                          .compliance = compliance_of(c),
                          .longest = tables_.longest()};
        const double rate = std::max(contact.v, roundoff_of_rate(c));
        const auto is_slight = [&](double h, double part) {
            const double force = std::abs(contact.law->force(contact.x + rate * h, rate));
            return contact.limits.compliance * force * h <= part * rate;
        };
        const double least = roundoff_of_overlap(c) / rate;
        double onset = tables_.longest();
        while (onset > least && !is_slight(onset, accuracy_.onset)) onset *= 0.5;
        double whole = onset;
        while (whole < tables_.longest() && is_slight(2.0 * whole, 1.0)) whole *= 2.0;
        contact.limits.onset = std::max(onset, 0x1p-70 * tables_.longest());
        contact.limits.resolution = resolution(c, rate, whole);
    }

    /// G [1/kg] of the contact with those that touch as well.
    double compliance_of(std::size_t c) const {
        const std::vector<double>& phi = system_.contacts[c].phi;
        double sum = contacts_[c].mobility;
        for (std::size_t d = 0; d < contacts_.size(); ++d) {
            if (d == c || contacts_[d].phase == Phase::apart) continue;
            double shared = 0.0;
            for (std::size_t j = 0; j < phi.size(); ++j)
                shared += phi[j] * system_.contacts[d].phi[j];
            sum += std::abs(shared);
        }
        return sum;
    }

    /// The longest step [s] that resolves what the modes add to the overlap: what they bring, and
    /// what the onset of the force stirs up in them. `whole`: time of a contact, by order of
    /// magnitude [s].
    double resolution(std::size_t c, double rate, double whole) {
        const Contact& contact = system_.contacts[c];
        const double x = contacts_[c].x;
        for (std::size_t j = 0; j < system_.modes(); ++j) {
            const double omega = std::sqrt(system_.eigenvalues[j]), phi = contact.phi[j];
            compliance_[j] = 0.0;
            if (omega == 0.0 || phi == 0.0) continue;
            const double brought = core::hypot(now_.q[j], now_.v[j] / omega);
            const double force = std::abs(contacts_[c].law->force(x + rate / omega, rate));
            compliance_[j] = std::abs(phi) * brought + phi * phi * force / system_.eigenvalues[j];
        }
        const double admissible = accuracy_.negligible * rate * whole;
        const auto unresolved = [&](double h) {
            double sum = 0.0;
            for (std::size_t j = 0; j < system_.modes(); ++j) {
                const double part = core::pow(h / unseen, 6) * core::pow(system_.eigenvalues[j], 3);
                sum += compliance_[j] * std::min(1.0, part);
            }
            return sum;
        };
        double h = tables_.longest();
        const double all = fastest_ > 0.0 ? 6.0 * accuracy_.kappa / fastest_ : h;
        while (h > all && unresolved(h) > admissible) h *= 0.5;
        return h;
    }

    void step_in_contact(double most, double left) {
        std::optional<StepTable> own;  // of a step that no table has
        if (!(most < left)) own.emplace(system_, left);
        int level = own ? 0 : tables_.level_within(most);
        int halvings = 0;
        for (;;) {
            const StepTable& table = own ? *own : tables_.at(level);
            const bool is_last = halvings >= to_release + 8;
            const bool is_solved = try_step(table);
            const bool is_event = !is_solved || meets_event(table.step(), halvings);
            if (is_event && !is_last) {
                level = own ? tables_.level_within(0.5 * table.step())
                            : std::min(level + octave, StepTables::levels - 1);
                own.reset();
                ++halvings;
                continue;
            }
            if (const auto crossing = first_crossing_in_contact(table.step())) {
                go_to_crossing_in_contact(*crossing, table.step());
                return;
            }
            accept_in_contact(table);
            return;
        }
    }

    /// Motion and forces of a step of the contacts in `active_`. False: no forces were found.
    bool try_step(const StepTable& table) {
        nodes_.resize(active_.size());
        laws_.clear();
        for (const std::size_t c : active_) laws_.push_back(&*contacts_[c].law);
        for (std::size_t i = 0; i < 3; ++i) {
            table.move_freely(system_, now_, phases(), i, point_);
            const double s = table.time_to(i);
            for (std::size_t a = 0; a < active_.size(); ++a) {
                const ContactCourse& contact = contacts_[active_[a]];
                const ContactMotion motion = contact_motion(system_, active_[a], point_);
                nodes_[a].x[i] = motion.x;
                nodes_[a].v[i] = motion.v;
                nodes_[a].force[i] =
                    contact.law->force(contact.x + s * (contact.v + 0.5 * s * contact.acceleration),
                                       contact.v + s * contact.acceleration);
            }
        }
        if (!node_forces_.solve(system_, table, active_, laws_, nodes_, accuracy_.exactness))
            return false;
        table.move_freely(system_, now_, phases(), 3, next_);
        if (table.step() == goal_ - now_.time) next_.time = goal_;
        add_forces(table, 3, next_);
        look_ahead();
        look_between(table);
        return std::isfinite(energy_of(next_));
    }

    /// What the node forces add to a state at a point of the step.
    void add_forces(const StepTable& table, std::size_t point, State& state) const {
        for (std::size_t k = 0; k < 3; ++k) {
            const double *const q = table.response_q(point, k), *const v =
                                                                    table.response_v(point, k);
            for (std::size_t a = 0; a < active_.size(); ++a) {
                const double* const phi = system_.contacts[active_[a]].phi.data();
                const double force = nodes_[a].force[k];
                for (std::size_t j = 0; j < system_.modes(); ++j) {
                    state.q[j] += phi[j] * force * q[j];
                    state.v[j] += phi[j] * force * v[j];
                }
            }
        }
    }

    /// How far the gaps of the other contacts are off the cubic through their ends, at the nodes.
    void look_between(const StepTable& table) {
        for (ContactCourse& contact : contacts_) contact.from_cubic = 0.0;
        const bool others = active_.size() < contacts_.size();
        if (!others) return;
        for (std::size_t i = 0; i < 3; ++i) {
            table.move_freely(system_, now_, phases(), i, point_);
            add_forces(table, i, point_);
            for (std::size_t c = 0; c < contacts_.size(); ++c) {
                ContactCourse& contact = contacts_[c];
                if (contact.phase != Phase::apart) continue;
                const time::CubicStep cubic{contact.x, contact.next.x, table.step() * contact.v,
                                            table.step() * contact.next.v};
                const double x = contact_motion(system_, c, point_).x;
                contact.from_cubic =
                    std::max(contact.from_cubic, std::abs(x - cubic(modal::Gauss3::node[i])));
            }
        }
    }

    bool is_active(std::size_t c) const { return std::ranges::find(active_, c) != active_.end(); }

    /// True if a step meets something that must not lie inside a step of its length.
    bool meets_event(double h, int halvings) const {
        for (const std::size_t c : active_) {
            const ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::touching) continue;
            const ContactMotion& end = contact.next;
            if (!(end.x > contact.end_overlap()) && halvings < to_release) return true;
            if (contact.is_smooth) {
                if (!contact.law->is_of_one_piece(contact.x, end.x) && halvings < to_turn)
                    return true;
                continue;
            }
            const bool turns = contact.v > 0.0 && !(end.v > 0.0);
            const std::optional<double> kink = contact.law->kink_overlap();
            const bool meets_kink = kink && (turns || (contact.x < *kink && end.x > *kink));
            if (meets_kink && halvings < to_release) return true;
            if (contact.remembers && turns && halvings < to_turn) return true;
            if (halvings < to_release && contact.law->would_release(end.x, end.v)) return true;
        }
        if (halvings >= to_release) return false;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactCourse& contact = contacts_[c];
            if (contact.phase != Phase::apart || is_active(c)) continue;
            const double edge = contact.begin_overlap();
            if (contact.next.x > edge) continue;
            if (!stays_open({contact.x - edge, contact.v}, {contact.next.x - edge, contact.next.v},
                            h, 3.0 * contact.from_cubic, roundoff_of_overlap(c)))
                return true;
        }
        return false;
    }

    std::optional<Crossing> first_crossing_in_contact(double h) const {
        std::optional<Crossing> first;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactCourse& contact = contacts_[c];
            const double edge = contact.begin_overlap();
            if (contact.phase != Phase::apart || is_active(c) || !(contact.next.x > edge)) continue;
            const double root = closing_fraction(contact, h, roundoff_of_overlap(c));
            if (!first || root < first->fraction) first = Crossing{c, root};
        }
        return first;
    }

    /// A step in contact to the instant inside a step of length h at which another contact closes.
    void go_to_crossing_in_contact(const Crossing& crossing, double h) {
        CrossingSearch search(crossing.fraction * h, h, 4.0 * epsilon * (now_.time + h));
        std::optional<StepTable> table;
        do {
            table.emplace(system_, search.time());
            if (!try_step(*table)) {
                status_ = MotionStatus::not_finite;
                return;
            }
        } while (search.goes_on(contacts_[crossing.contact]));
        accept_in_contact(*table);
        begin_contacts(crossing.contact);
    }

    void accept_in_contact(const StepTable& table) {
        const double h = table.step();
        account_for_bodies(table);
        for (std::size_t a = 0; a < active_.size(); ++a) account_for_contact(active_[a], a, h);
        const double begin = now_.time;
        std::swap(now_, next_);
        ++steps_;
        for (std::size_t a = 0; a < active_.size(); ++a) accept_contact(active_[a], a, h, begin);
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactCourse& contact = contacts_[c];
            if (is_active(c)) continue;
            contact.x = contact.next.x;
            contact.v = contact.next.v;
            if (contact.phase == Phase::leaving) follow_leaving(contact);
        }
        if (!std::isfinite(energy_of(now_))) status_ = MotionStatus::not_finite;
    }

    /// Work of the loads and drives on the modes and what dampings take, in the step.
    void account_for_bodies(const StepTable& table) {
        energy_.load_work += load_work();
        if (!is_damped_ && !is_driven_) return;
        for (std::size_t i = 0; i < 3; ++i) {
            table.move_freely(system_, now_, phases(), i, point_);
            add_forces(table, i, point_);
            const double weight = table.step() * modal::Gauss3::weight[i];
            energy_.drive_work += weight * drive_power(point_);
            for (std::size_t j = 0; j < system_.modes(); ++j)
                energy_.structural_loss += weight * system_.dampings[j] * point_.v[j] * point_.v[j];
            for (std::size_t a = 0; a < active_.size(); ++a)
                energy_.drive_work += weight * nodes_[a].force[i] *
                                      surface_velocity(system_, active_[a], point_.time);
        }
    }

    void account_for_contact(std::size_t c, std::size_t a, double h) {
        ContactCourse& contact = contacts_[c];
        const NodeMotion& nodes = nodes_[a];
        const double end = contact.law->force(contact.next.x, contact.next.v);
        for (std::size_t k = 0; k < 3; ++k) {
            const double weight = h * modal::Gauss3::weight[k];
            contact.impact.impulse += weight * nodes.force[k];
            const double loss = weight * contact.law->dissipated_power(nodes.x[k], nodes.v[k]);
            contact.impact.loss += loss;
            energy_.contact_loss += loss;
        }
        const double largest = impact::largest_force(contact.force, nodes.force, end).value;
        contact.impact.peak_force = std::max(contact.impact.peak_force, largest);
        contact.slope = std::max({nodes.slope[0], nodes.slope[1], nodes.slope[2]});
        contact.acceleration = (contact.next.v - contact.v) / h;
        contact.force = end;
    }

    void accept_contact(std::size_t c, std::size_t a, double h, double begin) {
        ContactCourse& contact = contacts_[c];
        const double before = contact.v;
        contact.x = contact.next.x;
        contact.v = contact.next.v;
        if (contact.phase == Phase::apart) {
            // It just touched, and may have been pushed together.
            if (!(contact.x > contact.begin_overlap() + roundoff_of_overlap(c))) return;
            const Impact so_far = contact.impact;
            begin_contact(c, begin, std::max(before, 0.0));
            contact.impact.impulse = so_far.impulse;
            contact.impact.peak_force = so_far.peak_force;
            contact.impact.loss = so_far.loss;
            contact.limits.onset = h;
            contact.acceleration = (contact.v - before) / h;
            contact.slope = *std::ranges::max_element(nodes_[a].slope);
        }
        const double left_behind = contact.law->accept(contact.x, contact.v);
        energy_.contact_loss += left_behind;
        contact.impact.loss += left_behind;
        if (!contact.law->released() && contact.x > contact.end_overlap()) return;
        end_impact(contact, now_.time, -contact.v);
        contact.phase = contact.law->released() ? Phase::leaving : Phase::apart;
        contact.ahead = contact.law->released() && contact.v < 0.0
                            ? (contact.x - contact.end_overlap()) / -contact.v
                            : h;
    }

    System system_;
    StepAccuracy accuracy_;
    StepTables tables_;
    GapBounds bounds_;
    State now_, next_, point_;  // point_: inside a step
    DrivePhases phases_;        // at now_
    std::vector<ContactCourse> contacts_;
    MotionStatus status_ = MotionStatus::running;
    MotionEnergy energy_;
    double fastest_ = 0.0;  // of all modes and drives [1/s]
    bool is_damped_ = false, is_driven_ = false, is_loaded_ = false;
    double free_step_ = 0.0;  // to be tried next [s]; 0: the longest one
    double goal_ = 0.0;       // where the motion is to stop, to the last bit [s]
    std::size_t impacts_ = 0, steps_ = 0;
    core::StopCheck check_stop_;
    // Memory of a step.
    std::vector<std::size_t> active_, closed_;
    std::vector<const AnyContact*> laws_;
    std::vector<NodeMotion> nodes_;
    NodeForces node_forces_;
    std::vector<double> compliance_, rates_, impulses_;
    std::vector<Impact> ended_;
};

ImpactMotion::ImpactMotion(System system, double tolerance) {
    std::vector<core::Violation> found = check(system);
    if (!(tolerance > 0.0 && tolerance <= 1e-2))
        found.push_back({"tolerance", "", "must be > 0 and <= 0.01", ""});
    core::throw_if_any(found);
    course_ = std::make_unique<Course>(std::move(system), tolerance);
}
ImpactMotion::~ImpactMotion() = default;
ImpactMotion::ImpactMotion(ImpactMotion&&) noexcept = default;
ImpactMotion& ImpactMotion::operator=(ImpactMotion&&) noexcept = default;

void ImpactMotion::advance(double time, const std::function<bool(const Impact&)>& ended) {
    course_->advance(time, ended);
}
MotionStatus ImpactMotion::status() const {
    return course_->status();
}
double ImpactMotion::time() const {
    return course_->state().time;
}
const std::vector<double>& ImpactMotion::coordinates() const {
    return course_->state().q;
}
const std::vector<double>& ImpactMotion::rates() const {
    return course_->state().v;
}
double ImpactMotion::overlap(std::size_t contact) const {
    return course_->contact(contact).x;
}
double ImpactMotion::overlap_rate(std::size_t contact) const {
    return course_->contact(contact).v;
}
double ImpactMotion::force(std::size_t contact) const {
    return course_->contact(contact).force;
}
bool ImpactMotion::is_touching() const {
    return course_->is_touching();
}
MotionEnergy ImpactMotion::energy() const {
    return course_->energy();
}
std::size_t ImpactMotion::impacts() const {
    return course_->impacts();
}
std::size_t ImpactMotion::steps() const {
    return course_->steps();
}
const System& ImpactMotion::system() const {
    return course_->system();
}

}  // namespace stoss::motion
