#pragma once
/// How the force of a contact law changes with the parameters of the law, the effective mass and
/// what the law remembers (theory/gradients.md 26.7).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/contact/laws.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/number_key.hpp>
#include <stoss/core/stencil.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/modal/modal_kernels.hpp>

namespace stoss::impact {

using core::for_each_number;

/// A law is a formula that is analytic in its numbers: seven values of it give the derivative to
/// ten digits or more.
using core::Stencil;

template <contact::ContactLaw Law>
class LawSlopes {
  public:
    /// `wanted`: the numbers of the law; the derivatives by the others are NaN.
    LawSlopes(const Law& law, const contact::PairProperties& bodies, LawNumbers wanted)
        : own_{law, law.prepare(bodies)}, bodies_(bodies), wanted_(wanted) {
        std::size_t count = 0;
        for_each_number(law, [&](auto, const core::Range& range, double number) {
            const std::size_t p = count++;
            if (!wants(p) || is_known) {
                parameters_.emplace_back();
                return;
            }
            parameters_.push_back(family(p, range, number, step * std::abs(number)));
            has_zeros_ = has_zeros_ || number == 0.0;
        });
        by_parameter_.assign(count, 0.0);
        if constexpr (has_memory) {
            if (bodies.effective_mass < core::infinity) see_mass();
        }
    }

    const Law& law() const { return own_.law; }
    bool wants_any() const { return wanted_ != 0; }
    /// True if a number is 0: see `see_zeros`.
    bool has_zeros() const { return has_zeros_; }

    /// Overlap [m] and rate [m/s] at which the force is large: they say how far a number that is 0
    /// must be changed to be seen.
    void see_zeros(double x, double v) {
        std::size_t p = 0;
        for_each_number(own_.law, [&](auto, const core::Range& range, double number) {
            for (double length = 1e-9; number == 0.0 && wants(p) && length < 1e15; length *= 10.0) {
                parameters_[p] = family(p, range, number, length);
                const double change = force(parameters_[p].members.back(), x, v, v, 0.0) -
                                      force(parameters_[p].members.front(), x, v, v, 0.0);
                const double size =
                    std::abs(own_.law.force(x, v, parameters_[p].members[3].memory));
                if (std::abs(change) > 1e-3 * size) break;
            }
            ++p;
        });
    }

    void start() {
        std::fill(by_parameter_.begin(), by_parameter_.end(), 0.0);
        by_mass_ = by_onset_ = by_largest_ = 0.0;
    }

    /// What a contact is in: the rate at its onset [m/s], the largest overlap so far [m].
    void set(double onset_rate, double largest_overlap) {
        onset_ = onset_rate;
        largest_ = largest_overlap;
    }

    /// Adds the derivatives of `by` times the force at overlap and rate; `force`: that of the law
    /// there.
    void add(double by, [[maybe_unused]] double force, double x, double v) {
        if (by == 0.0) return;
        if constexpr (is_known) {
            by_parameter_[0] += by * force;  // times the stiffness
            if (wants(1)) by_parameter_[1] += by * force * core::log(x);
            return;
        }
        add(
            by,
            [&](const Member& member, double onset, double largest) {
                return LawSlopes::force(member, x, v, onset, largest);
            },
            x < largest_);
    }

    /// The same of the overlap at which contact ends; of that at which it begins. `residual`: the
    /// force there moves it by so much [m/N].
    void add_end_overlap(double by, bool begins, double residual = 0.0) {
        if constexpr (requires(typename Law::Memory memory) { own_.law.end_overlap(memory); }) {
            if (by == 0.0) return;
            add(
                by,
                [&](const Member& member, double onset, double largest) {
                    const auto memory = remembered(member, onset, largest);
                    if (begins) return contact::begin_overlap(member.law, memory);
                    const double end = member.law.end_overlap(memory);
                    return residual == 0.0 ? end
                                           : end + residual * member.law.force(end, 0.0, memory);
                },
                true);
        }
    }

    /// Derivative by number p of the law.
    double by_parameter(std::size_t p) const {
        if (!wants(p)) return std::numeric_limits<double>::quiet_NaN();
        if constexpr (is_known) {
            if (p == 0) return by_parameter_[0] / *own_.law.stiffness;
        }
        return by_parameter_[p];
    }
    double by_mass() const { return by_mass_; }
    double& by_onset() { return by_onset_; }
    double& by_largest() { return by_largest_; }

  private:
    static constexpr bool has_memory = !std::is_same_v<typename Law::Memory, contact::NoMemory>;
    static constexpr bool remembers_overlap = contact::Hysteretic<Law>;
    /// F = k x^n: most collisions have this law, and its derivatives are known.
    static constexpr bool is_known = std::is_same_v<Law, contact::Hertz>;
    /// Of a stencil, relative to the number. Short where the force is cut off at a dent, which
    /// moves with the numbers.
    static constexpr double step = remembers_overlap ? 1e-5 : 1e-3;

    struct Member {
        Law law;
        typename Law::Memory memory;
    };
    struct Family {
        Stencil stencil;
        std::vector<Member> members;
    };

    bool wants(std::size_t p) const { return (wanted_ >> p & 1U) != 0; }

    Family family(std::size_t p, const core::Range& range, double number, double length) const {
        Family family{Stencil::in(range, number, length == 0.0 ? 1e-9 : length), {}};
        for (std::size_t i = 0; i < Stencil::points; ++i) {
            Law law = own_.law;
            std::size_t count = 0;
            for_each_number(law, [&](auto, const core::Range&, double& changed) {
                if (count++ == p) changed = family.stencil.number(i);
            });
            family.members.push_back({law, law.prepare(bodies_)});
        }
        return family;
    }

    void see_mass() {
        mass_.stencil = {bodies_.effective_mass, step * bodies_.effective_mass};
        for (std::size_t i = 0; i < Stencil::points; ++i) {
            contact::PairProperties bodies = bodies_;
            bodies.effective_mass = mass_.stencil.number(i);
            mass_.members.push_back({own_.law, own_.law.prepare(bodies)});
        }
    }

    static typename Law::Memory remembered(const Member& member, double onset, double largest) {
        typename Law::Memory memory = member.memory;
        member.law.onset(memory, std::max(onset, 0.0));
        if constexpr (remembers_overlap) {
            if (largest > 0.0) member.law.accept(memory, largest, 0.0);
        }
        return memory;
    }
    static double force(const Member& member, double x, double v, double onset, double largest) {
        return member.law.force(x, v, remembered(member, onset, largest));
    }

    template <class Number>
    static double slope(const Family& family, const Number& number) {
        double sum = 0.0;
        for (std::size_t i = 0; i < family.members.size(); ++i) {
            const double weight = family.stencil.weight(i);
            if (weight != 0.0) sum += weight * number(family.members[i]);
        }
        return sum;
    }

    template <class Number>
    void add(double by, const Number& number, bool sees_largest) {
        for (std::size_t p = 0; p < parameters_.size(); ++p)
            by_parameter_[p] += by * slope(parameters_[p], [&](const Member& member) {
                                    return number(member, onset_, largest_);
                                });
        if constexpr (has_memory) {
            by_mass_ += by * slope(mass_, [&](const Member& member) {
                            return number(member, onset_, largest_);
                        });
            const auto along = [&](Stencil stencil, const auto& value) {
                double sum = 0.0;
                for (std::size_t i = 0; i < Stencil::points; ++i) {
                    const double weight = stencil.weight(i);
                    if (weight != 0.0) sum += weight * value(stencil.number(i));
                }
                return sum;
            };
            if (!remembers_overlap && onset_ > 0.0) {
                by_onset_ += by * along({onset_, step * onset_}, [&](double onset) {
                                 return number(own_, onset, largest_);
                             });
            }
            // Only larger ones: a smaller one would lie on the other branch.
            if (remembers_overlap && largest_ > 0.0 && sees_largest) {
                by_largest_ += by * along({largest_, step * largest_, 0}, [&](double largest) {
                                   return number(own_, onset_, largest);
                               });
            }
        }
    }

    Member own_;
    contact::PairProperties bodies_;
    LawNumbers wanted_;
    bool has_zeros_ = false;
    std::vector<Family> parameters_;
    Family mass_;
    std::vector<double> by_parameter_;
    double by_mass_ = 0.0, by_onset_ = 0.0, by_largest_ = 0.0;
    double onset_ = 0.0, largest_ = 0.0;
};

}  // namespace stoss::impact
