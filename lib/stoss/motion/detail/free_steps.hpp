#pragma once
/// Steps of free motion.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/contact_events.hpp>
#include <stoss/motion/detail/gap_bounds.hpp>

namespace stoss::motion {

/// Free motion, exactly to the instant at which a contact begins.
class FreeSteps : public ContactEvents {
  public:
    FreeSteps(System system, double tolerance)
        : ContactEvents(std::move(system), tolerance), bounds_(system_) {}

    template <class Archive>
    void visit(Archive& archive) {
        ContactEvents::visit(archive);
        archive(free_step_);
    }

  protected:
    /// One step without forces, no longer than `most` [s], which is at most `left`.
    void step_freely(double most, double left) {
        bounds_.begin(now_);
        const double shortest =
            fastest_ > 0.0 ? std::ldexp(brief / fastest_, -8) : std::ldexp(tables_.longest(), -30);
        const double least = std::ldexp(shortest, -20);  // where a contact closes again
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
            const bool closes = std::ranges::any_of(
                contacts_, [&](const ContactCourse& contact) { return closes_again(contact, h); });
            if (closes && h > least) {
                h *= 0.5;
                continue;
            }
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
                // Steps of the tables cost least: they lead to where all modes are resolved.
                if (crossing->fraction * h > std::max(shortest, 1.0 / fastest_)) {
                    h *= 0.99 * crossing->fraction;
                    continue;
                }
                // What closes by the end of the step may have closed and opened before.
                const Closing closing = find_closing(*crossing, h);
                if (!all_stay_open(closing.time, false) && closing.time > shortest) {
                    h = 0.97 * closing.time;
                    continue;
                }
                accept_free(closing.time);
                begin_contacts(closing.contact);
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

    /// A contact that closes, and when [s] after the begin of the step.
    struct Closing {
        std::size_t contact;
        double time;
    };

    /// The first contact that closes in a step of length h, beginning with a guess. `move(time)`
    /// finds the motion `time` after the begin of the step.
    template <class Move>
    Closing first_closing(const Crossing& guess, double h, const Move& move) {
        Closing first{guess.contact, h};
        double fraction = guess.fraction;
        for (;;) {
            CrossingSearch search(fraction * first.time, first.time,
                                  4.0 * epsilon * (now_.time + first.time));
            do {
                if (!move(search.time())) return first;
            } while (search.goes_on(contacts_[first.contact]));
            const bool is_earlier = search.time() < first.time;
            first.time = search.time();
            const std::optional<std::size_t> other = overlapping(first.contact, first.time);
            if (!other || !is_earlier) return first;
            first.contact = *other;
            fraction = closing_fraction(contacts_[*other], first.time, roundoff_of_overlap(*other));
        }
    }

    /// An apart contact but `closing` that overlaps at the end of a step of length h: it has closed
    /// before.
    std::optional<std::size_t> overlapping(std::size_t closing, double h) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactCourse& contact = contacts_[c];
            if (c == closing || contact.phase != Phase::apart) continue;
            const double late = 8.0 * epsilon * (now_.time + h) * std::abs(contact.next.v);
            const double overlap = contact.next.x - contact.begin_overlap();
            if (overlap > roundoff_of_overlap(c) + late) return c;
        }
        return std::nullopt;
    }

    /// Free motion, as `next_`, to the first instant in a step of length h at which a contact
    /// closes.
    Closing find_closing(const Crossing& guess, double h) {
        return first_closing(guess, h, [&](double time) {
            move_freely(system_, now_, phases(), time, next_);
            follow_surfaces(next_);
            look_ahead();
            return true;
        });
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

  private:
    static constexpr double brief = 0.3;  // (sqrt(lambda) + d) h of a step that resolves all modes

    GapBounds bounds_;
    double free_step_ = 0.0;  // to be tried next [s]; 0: the longest one
};

}  // namespace stoss::motion
