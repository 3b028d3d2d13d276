#pragma once
/// Steps of free motion.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include <stoss/core/gauss3.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/motion/detail/gap_bounds.hpp>
#include <stoss/motion/detail/instant_impacts.hpp>

namespace stoss::motion {

/// Free motion, exactly to the instant at which a contact begins.
class FreeSteps : public InstantImpacts {
  public:
    FreeSteps(System system, double tolerance)
        : InstantImpacts(std::move(system), tolerance), bounds_(system_) {}

    template <class Archive>
    void visit(Archive& archive) {
        InstantImpacts::visit(archive);
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
            const bool is_last = !(h < left) && !prefers_tables(left);
            const StepTable* table = nullptr;
            if (is_last) {
                h = left;
                move_exactly(h);
                next_.time = goal_;
            } else {
                // Rates inside the step serve the work of the drives alone.
                const bool is_whole = is_driven_ && is_damped_;
                const int level = tables_.level_within(h);
                table = is_whole ? &tables_.at(level) : &tables_.free_at(level);
                h = table->step();
                table->move_freely(now_, phases(), next_);
            }
            follow_surfaces(next_);
            look_ahead();
            const bool closes = std::ranges::any_of(
                contacts_, [&](const ContactState& contact) { return closes_again(contact, h); });
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
                if (crossing->fraction * h > std::max(shortest, brief / fastest_)) {
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

    /// The free step that follows is tried first in this length [s]. Where a contact has just ended
    /// the gap is narrow, and each longer step that fails would need a table of its own.
    void try_free_step(double h) { free_step_ = std::min(h, tables_.longest()); }

    bool all_stay_open(double h, bool some_close) const {
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactState& contact = contacts_[c];
            if (contact.phase != Phase::apart) continue;
            if (some_close && overlaps_at_end(c)) continue;
            if (!bounds_.stays_open(c, contact, next_, h, roundoff_of_overlap(c))) return false;
        }
        return true;
    }

    /// An apart contact that closes inside a step, and the fraction of the step at which it does.
    struct Crossing {
        std::size_t contact;
        double fraction;
    };

    /// True if an apart contact overlaps at the end of the step that is tried. Of surfaces that
    /// touch at its begin, roundoff does not count.
    bool overlaps_at_end(std::size_t c) const {
        const ContactState& contact = contacts_[c];
        const double edge = contact.begin_overlap(), touching = roundoff_of_overlap(c);
        const bool touches = std::abs(contact.x - edge) <= touching;
        return contact.next.x - edge > (touches ? touching : 0.0);
    }

    /// The first one that does not act yet, by the cubics through the ends of a step of length h.
    std::optional<Crossing> first_crossing(double h) const {
        std::optional<Crossing> first;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            const ContactState& contact = contacts_[c];
            if (contact.phase != Phase::apart || contact.acts || !overlaps_at_end(c)) continue;
            const double root = closing_fraction(contact, h, roundoff_of_overlap(c));
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
            const ContactState& contact = contacts_[c];
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
            move_exactly(time);
            follow_surfaces(next_);
            look_ahead();
            return true;
        });
    }

    /// `table`: of the step, if it has one.
    void accept_free(double h, const StepTable* table = nullptr) {
        if (is_loaded_ || is_damped_ || is_driven_) account_for_free_motion(h, table);
        std::swap(now_, next_);
        find_roundoff();
        ++steps_;
        for (ContactState& contact : contacts_) {
            contact.x = contact.next.x;
            contact.v = contact.next.v;
            if (contact.phase == Phase::leaving) follow_leaving(contact);
        }
        if (!overlaps_are_finite()) status_ = MotionStatus::not_finite;
        if (parts_for_good()) status_ = MotionStatus::separated;
    }

    /// Work and losses in a step of length h [s].
    void account_for_free_motion(double h, const StepTable* table) {
        const double loads = load_work();
        energy_.load_work += loads;
        if (!is_damped_ && !is_driven_) return;
        const double drives = is_driven_ && is_damped_ ? drive_work_of_free_motion(h, table) : 0.0;
        const double rest = energy_of(next_) - energy_of(now_) - loads;
        if (is_damped_) {
            energy_.drive_work += drives;
            energy_.structural_loss += drives - rest;
        } else {
            energy_.drive_work += rest;
        }
    }

    /// The state `time` [s] from now, as `next_`.
    void move_exactly(double time) {
        if (fastest_ * time <= brief)
            move_briefly(modes_, now_, phases(), time, next_);
        else
            move_freely(modes_, now_, phases(), time, next_);
    }

    /// True if steps of the tables towards an instant that is `left` away [s] cost less than the
    /// flow over that time.
    bool prefers_tables(double left) const {
        constexpr std::size_t few = 2;
        return system_.modes() > few && fastest_ * left > brief && is_vibrating_;
    }

    double drive_work_of_free_motion(double h, const StepTable* table) {
        double work = 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            double power = 0.0;
            if (table) {
                table->free_rates(now_, phases(), i, point_);
                power = drive_power(point_, *table, i);
            } else {
                move_freely(modes_, now_, phases(), h * core::Gauss3::node[i], point_);
                power = drive_power(point_);
            }
            work += h * core::Gauss3::weight[i] * power;
        }
        return work;
    }

    /// True if no contact is possible ever again. Nothing is said of driven and loaded bodies.
    bool parts_for_good() const {
        if (is_driven_ || is_loaded_) return false;
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            if (contacts_[c].phase != Phase::apart || !bounds_.opens_for_good(c, now_))
                return false;
        return true;
    }

    GapBounds bounds_;

  private:
    static constexpr double brief = 0.3;  // (sqrt(lambda) + d) h of a step that resolves all modes

    double free_step_ = 0.0;  // to be tried next [s]; 0: the longest one
};

}  // namespace stoss::motion
