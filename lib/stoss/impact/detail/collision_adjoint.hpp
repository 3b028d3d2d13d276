#pragma once
/// A recorded collision backwards in time: the gradient of one quantity of the result
/// (docs/theory/gradients.md, docs/theory/splitting_scheme.md).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/dual.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/largest_force.hpp>
#include <stoss/impact/detail/law_slopes.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/detail/residual_flexibility.hpp>
#include <stoss/impact/detail/splitting_memory.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/time/cubic_event.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

/// Derivatives of a quantity by sums along the motion (26.11).
struct QuantitySeeds {
    double approach_velocity = 0.0;  ///< by V_rel at the last separation
    double approach_speed = 0.0;     ///< by V_rel at the begin
    double impulse = 0.0, work = 0.0;
    double compression_impulse = 0.0, compression_work = 0.0;
    double separation = 0.0, compression_end = 0.0;  ///< by times
    double peak_force = 0.0;
    double energy_rigid = 0.0, energy_vibration = 0.0;  ///< by energies [J]
    double initial_energy = 0.0;
};

/// What a run summed up along the motion, as the quantities need it.
struct RunSums {
    double impulse = 0.0, work = 0.0, compression_impulse = 0.0, compression_work = 0.0;
    double energy_rigid = 0.0, energy_vibration = 0.0, initial_energy = 0.0;  // [J]
    double approach_speed = 0.0, approach_velocity = 0.0;                     // V_rel [m/s]
};

QuantitySeeds seeds_of(Quantity quantity, const RunSums& run);

/// True if the seeds follow from more than V_rel.
constexpr bool needs_sums(Quantity quantity) {
    return quantity == Quantity::cor_kinetic || quantity == Quantity::cor_energetic ||
           quantity == Quantity::energy_rigid || quantity == Quantity::energy_vibration;
}

/// Gauss nodes of the root of the place in [0, 1], for what is singular at 0 (26.9).
struct TowardsZero {
    static constexpr std::size_t points = 5;
    static constexpr std::array<double, points> root{0.046910077030668004, 0.23076534494715845, 0.5,
                                                     0.76923465505284155, 0.953089922969332};
    static constexpr std::array<double, points> root_weight{
        0.11846344252809454, 0.23931433524968324, 0.28444444444444444, 0.23931433524968324,
        0.11846344252809454};
    static constexpr std::array<double, points> node = [] {
        std::array<double, points> nodes{};
        for (std::size_t k = 0; k < points; ++k) nodes[k] = root[k] * root[k];
        return nodes;
    }();
    static constexpr std::array<double, points> weight = [] {
        std::array<double, points> weights{};
        for (std::size_t k = 0; k < points; ++k) weights[k] = 2.0 * root[k] * root_weight[k];
        return weights;
    }();
};

/// A graze of a recorded run: the overlap of the modes where it is stationary in a piece.
struct PlaceOfGraze {
    Graze graze;
    double sign = 1.0;  // of the overlap in the margin
    std::size_t piece = 0;
    double place = 0.0;  // in the piece: of a step the fraction, of free motion [s]
};

template <contact::ContactLaw Law>
class CollisionAdjoint {
  public:
    /// `memory`: of the run; `work`: for this.
    CollisionAdjoint(const ContactPair& pair, const modal::Propagators& propagators,
                     const SplittingMemory& memory, const modal::PropagatorSlopes& slopes,
                     const Law& law, contact::Separation separation,
                     const CollisionRecord<Law>& record, const GradientRequest& wanted,
                     const ModeNumbers& by, AdjointMemory& work)
        : pair_(pair),
          memory_(memory),
          pieces_(record.pieces()),
          record_(record),
          modes_(pair, propagators, slopes, has_rates, by, work),
          elastic_steps_(work.elastic_steps),
          law_(law, {pair.effective_mass, separation}, wanted.law) {
        if (law_.has_zeros()) see_zeros();
        if (std::ranges::any_of(wanted.quantities, needs_sums)) sum_up();
        sums_.approach_speed = pieces_.front().approach_velocity;
        sums_.approach_velocity = pieces_.back().approach_velocity;
    }

    /// Derivatives by the numbers of the pair; those by the law are in `law()`. Both hold until the
    /// next call.
    PairGradient& gradient(Quantity quantity) {
        if (quantity == Quantity::peak_force) find_peak();
        start(seeds_of(quantity, sums_));
        begin_at_separation();
        return back_to_start(pieces_.size());
    }

    /// Those of the margin.
    PairGradient& gradient(const PlaceOfGraze& graze) {
        start({});
        const Piece& piece = all_pieces()[graze.piece];
        const PastState now = state(piece);
        if (piece.kind != Kind::step) {
            modes_.by_later_overlap(graze.sign, graze.place, now);
            return back_to_start(graze.piece);
        }
        // The cubic of `turns_of`, by its four numbers.
        const double u = graze.place, rest = 1.0 - u, by_slope = graze.sign * piece.length;
        modes_.by_overlap({graze.sign * u * u * (3.0 - 2.0 * u), -by_slope * u * u * rest},
                          state(all_pieces()[graze.piece + 1]));
        back_over(graze.piece);
        modes_.by_overlap({graze.sign * rest * rest * (1.0 + 2.0 * u), by_slope * u * rest * rest},
                          now);
        return back_to_start(graze.piece);
    }

    /// In order of the sub-impacts.
    std::vector<PlaceOfGraze> grazes() {
        std::vector<PlaceOfGraze> found;
        // Laws that remember an overlap, or attract, end contact elsewhere than at the surface.
        if constexpr (requires(const Law law, typename Law::Memory memory) {
                          law.end_overlap(memory);
                      }) {
            return found;
        }
        double time = 0.0;
        std::size_t sub_impact = 0;
        const auto all = all_pieces();
        for (std::size_t i = 0; i < all.size(); ++i) {
            const Piece& piece = all[i];
            if (piece.kind == Kind::onset) add_turns(i, time, sub_impact, found);
            if (piece.kind == Kind::separated) {
                if (i + 1 < all.size() && all[i + 1].kind == Kind::free)
                    add_free(all[i + 1], i + 1, time, sub_impact, i + 2 < all.size(), found);
                ++sub_impact;
            }
            if (piece.kind == Kind::step || piece.kind == Kind::free) time += piece.length;
        }
        return found;
    }

    const LawSlopes<Law>& law() const { return law_; }
    double along() const { return modes_.along(); }

    /// True if the steps can be differentiated along one change of phi alone.
    static constexpr bool can_follow =
        Law::is_elastic && std::is_same_v<typename Law::Memory, contact::NoMemory>;

  private:
    using Piece = typename CollisionRecord<Law>::Piece;
    using Kind = typename CollisionRecord<Law>::Kind;
    static constexpr bool has_rates = !Law::is_elastic;
    static constexpr bool remembers_overlap = contact::Hysteretic<Law>;
    static constexpr bool remembers = !std::is_same_v<typename Law::Memory, contact::NoMemory>;

    struct Point {
        double force, by_x, by_v;
    };

    /// Those after the last separation, too.
    std::span<const Piece> all_pieces() const { return {pieces_.data(), record_.size()}; }

    void start(const QuantitySeeds& seeds) {
        seeds_ = seeds;
        modes_.start();
        law_.start();
        if constexpr (remembers_overlap) by_remembered_.assign(all_pieces().size(), 0.0);
        by_seen_ = {};
        by_force_ = by_acceleration_ = by_rate_before_ = by_time_ = 0.0;
        is_compression_ = false;
    }

    /// Back over all pieces before number `end`.
    PairGradient& back_to_start(std::size_t end) {
        for (std::size_t i = end; i > 0;) {
            i = back_over_elastic_steps(i);
            if (i > 0) back_over(--i);
        }
        const PastState start = state(all_pieces()[0]);
        modes_.by_approach_velocity(seeds_.approach_speed, start);
        modes_.by_energy(seeds_.initial_energy, 0, pair_.modes(), start);
        modes_.gradient().effective_mass = law_.by_mass();
        modes_.finish();
        return modes_.gradient();
    }

    // ---- grazes

    /// In the sub-impact that begins with piece `first`: the largest overlap, without which it
    /// would vanish, and the least ones between two larger ones, where it would split.
    void add_turns(std::size_t first, double time, std::size_t sub_impact,
                   std::vector<PlaceOfGraze>& found) const {
        const auto all = all_pieces();
        const auto overlap_of = [&](const double* y) { return pair_.overlap({y, pair_.modes()}); };
        PlaceOfGraze top{.graze = {Event::vanishes, sub_impact}};
        for (std::size_t i = first; i < all.size() && all[i].kind != Kind::separated; ++i) {
            const Piece& piece = all[i];
            if (piece.kind == Kind::step) {
                const PastState begin = state(piece), end = state(all[i + 1]);
                const double before = overlap_of(begin.v), after = overlap_of(end.v);
                const double h = piece.length;
                if ((before > 0.0) != (after > 0.0)) {
                    const time::CubicStep overlap{overlap_of(begin.q), overlap_of(end.q),
                                                  h * before, h * after};
                    const double u = turn_of(overlap), margin = overlap(u);
                    const Graze graze{before > 0.0 ? Event::vanishes : Event::splits, sub_impact,
                                      time + u * h, margin};
                    if (before <= 0.0 && margin > 0.0) found.push_back({graze, 1.0, i, u});
                    if (before > 0.0 && margin > top.graze.margin) top = {graze, 1.0, i, u};
                }
            }
            if (piece.kind == Kind::step || piece.kind == Kind::free) time += piece.length;
        }
        if (sub_impact > 0 && top.graze.margin > 0.0) found.push_back(top);
    }

    /// Where the slope of the cubic vanishes, if it has opposite signs at the ends.
    static double turn_of(const time::CubicStep& cubic) {
        double low = 0.0, high = 1.0;
        for (int i = 0; i < 52; ++i) {
            const double middle = 0.5 * (low + high);
            ((cubic.slope(middle) > 0.0) == (cubic.slope0 > 0.0) ? low : high) = middle;
        }
        return 0.5 * (low + high);
    }

    /// The least gaps inside a free motion, and the largest one if contact comes again.
    void add_free(const Piece& piece, std::size_t number, double time, std::size_t sub_impact,
                  bool is_between, std::vector<PlaceOfGraze>& found) const {
        const PastState begin = state(piece);
        const std::size_t samples = samples_of(piece.length, begin);
        const double h = piece.length / static_cast<double>(samples);
        const auto gap = [&](double t) {
            const modal::Overlap overlap = later_overlap(pair_, t, begin);
            return modal::Overlap{-overlap.x, -overlap.v};
        };
        std::vector<PlaceOfGraze> least;
        PlaceOfGraze most{.graze = {Event::merges, sub_impact}};
        double before = gap(0.0).v;
        for (std::size_t k = 1; k <= samples; ++k) {
            double low = h * static_cast<double>(k - 1), high = h * static_cast<double>(k);
            const double now = gap(high).v;
            const bool rises = before > 0.0;
            if (rises != (now > 0.0)) {
                for (int i = 0; i < 30; ++i) {
                    const double middle = 0.5 * (low + high);
                    ((gap(middle).v > 0.0) == rises ? low : high) = middle;
                }
                const double t = 0.5 * (low + high), margin = gap(t).x;
                const Graze graze{rises ? Event::merges : Event::begins, sub_impact, time + t,
                                  margin};
                if (!rises && margin > 0.0) least.push_back({graze, -1.0, number, t});
                if (rises && margin > most.graze.margin) most = {graze, -1.0, number, t};
            }
            before = now;
        }
        if (is_between && most.graze.margin > 0.0) found.push_back(most);
        constexpr std::size_t kept = 3;
        const auto is_nearer = [](const PlaceOfGraze& a, const PlaceOfGraze& b) {
            return a.graze.margin < b.graze.margin;
        };
        std::sort(least.begin(), least.end(), is_nearer);
        least.resize(std::min(least.size(), kept));
        found.insert(found.end(), least.begin(), least.end());
    }

    /// Points of a free motion that show every mode which moves the surfaces visibly.
    std::size_t samples_of(double length, PastState begin) const {
        constexpr double visible = 1e-3, per_radian = 1.5, most = 20000.0;
        double sum = 0.0, fastest = 0.0;
        const auto reach = [&](std::size_t j) {
            return std::abs(pair_.phi[j]) *
                   core::hypot(begin.q[j], begin.v[j] / std::sqrt(pair_.eigenvalues[j]));
        };
        for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) sum += reach(j);
        for (std::size_t j = pair_.rigid; j < pair_.modes(); ++j) {
            if (reach(j) > visible * sum)
                fastest = std::max(fastest, std::sqrt(pair_.eigenvalues[j]));
        }
        return static_cast<std::size_t>(std::clamp(per_radian * fastest * length, 16.0, most));
    }

    PastState state(const Piece& piece) const { return record_.state(piece); }
    /// By the overlap of the modes at the begin of a piece.
    void by_overlap(const modal::Overlap& by, const Piece& piece) {
        modes_.by_overlap(by, state(piece),
                          piece.modes < pair_.modes() ? &piece.along.now : nullptr);
    }
    double residual() const { return pair_.residual_flexibility; }

    /// The law as the piece finds it, with its derivatives by the motion.
    Point point(const Piece& piece, double x, double v) {
        if constexpr (std::is_same_v<Law, contact::Hertz>) {
            const double force = piece.contact.force(x, v);
            return {force, force > 0.0 ? law_.law().exponent * force / x : 0.0, 0.0};
        }
        law_.set(piece.onset_rate, piece.largest_overlap);
        const core::Dual by_x = piece.contact.force(core::Dual::variable(x), core::Dual(v));
        if constexpr (!has_rates) return {by_x.value, by_x.derivative, 0.0};
        const core::Dual by_v = piece.contact.force(core::Dual(x), core::Dual::variable(v));
        return {by_x.value, by_x.derivative, by_v.derivative};
    }
    /// By the force of the law there, through all but the motion; none where it does not act.
    void by_law(double by, const Point& point, double x, double v) {
        if (point.force != 0.0) law_.add(by, point.force, x, v);
    }

    // ---- along the motion

    double step_impulse(const Piece& piece) const {
        double impulse = 0.0;
        for (std::size_t k = 0; k < 3; ++k)
            impulse += piece.length * modal::Gauss3::weight[k] * piece.nodes[k];
        return impulse;
    }
    /// Share of the impulse of a step that takes V_rel to zero, and its parts.
    struct Share {
        double value, fall, added;
    };
    Share share(const Piece& piece, double before, double after) const {
        const double added = pair_.load_acceleration * piece.length;
        const double fall = before + added - after;
        return {(before + piece.compression * added) / fall, fall, added};
    }

    /// Shows the law the motion at the largest force of all nodes.
    void see_zeros() {
        double largest = 0.0, x = 0.0, v = 0.0;
        for (const Piece& piece : pieces_) {
            for (std::size_t k = 0; piece.kind == Kind::step && k < 3; ++k) {
                if (!(piece.nodes[k] > largest)) continue;
                largest = piece.nodes[k];
                x = piece.node_x[k];
                v = piece.node_v[k];
            }
        }
        if (largest > 0.0) law_.see_zeros(x, v);
    }

    void find_peak() {
        double largest = 0.0;
        peak_weights_.fill(0.0);
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const Piece& piece = pieces_[i];
            if (piece.kind != Kind::step) continue;
            const double value = largest_force(piece.force, piece.nodes, piece.end_force).value;
            if (!(value > largest)) continue;
            largest = value;
            peak_piece_ = i;
        }
        if (largest == 0.0) return;
        const Piece& piece = pieces_[peak_piece_];
        const std::array<double, 5> values{piece.force, piece.nodes[0], piece.nodes[1],
                                           piece.nodes[2], piece.end_force};
        const Interpolation<5> fine(ends_and_nodes, values);
        const double rise = fine(0.0).slope, fall = fine(1.0).slope;
        const auto most = std::max_element(values.begin(), values.end());
        if (rise > 0.0 && fall < 0.0) {
            const auto [place, value] = fine.maximum(rise / (rise - fall));
            if (value > *most) {
                peak_weights_ = lagrange_values(ends_and_nodes.at, place);
                return;
            }
        }
        peak_weights_[static_cast<std::size_t>(most - values.begin())] = 1.0;
    }

    void sum_up() {
        for (std::size_t i = 0; i + 1 < pieces_.size(); ++i) {
            const Piece& piece = pieces_[i];
            const double before = piece.approach_velocity;
            const double after = pieces_[i + 1].approach_velocity;
            double impulse = 0.0, load_work = 0.0, part = 1.0;
            if (piece.kind == Kind::step) {
                impulse = step_impulse(piece);
                double moment = 0.0;
                for (std::size_t k = 0; k < 3; ++k)
                    moment += piece.length * piece.length * modal::Gauss3::node[k] *
                              modal::Gauss3::weight[k] * piece.nodes[k];
                load_work = pair_.load_acceleration * (moment - 0.5 * piece.length * impulse);
                if (piece.ends_compression) part = share(piece, before, after).value;
            } else if (piece.kind == Kind::rest) {
                impulse = late_force(piece).impulse;
            }
            const double work = 0.5 * impulse * (before + after) + load_work;
            if (piece.ends_compression) {
                sums_.compression_impulse = sums_.impulse + part * impulse;
                sums_.compression_work =
                    sums_.work + (piece.kind == Kind::step ? 0.5 * part * impulse * before : work);
            }
            sums_.impulse += impulse;
            sums_.work += work;
        }
        const auto energy = [&](const Piece& piece, std::size_t begin, std::size_t end) {
            const PastState now = state(piece);
            double sum = 0.0;
            for (std::size_t j = begin; j < end; ++j)
                sum += pair_.mode_energy(j, {now.q, pair_.modes()}, {now.v, pair_.modes()});
            return sum;
        };
        sums_.energy_rigid = energy(pieces_.back(), 0, pair_.rigid);
        sums_.energy_vibration = energy(pieces_.back(), pair_.rigid, pair_.modes());
        sums_.initial_energy = energy(pieces_.front(), 0, pair_.modes());
    }

    // ---- backwards

    void begin_at_separation() {
        const PastState end = state(pieces_.back());
        modes_.by_approach_velocity(seeds_.approach_velocity, end);
        modes_.by_energy(seeds_.energy_rigid, 0, pair_.rigid, end);
        modes_.by_energy(seeds_.energy_vibration, pair_.rigid, pair_.modes(), end);
        by_time_ = seeds_.separation;
    }

    void back_over(std::size_t i) {
        const Piece& piece = pieces_[i];
        is_compression_ = is_compression_ || piece.ends_compression;
        switch (piece.kind) {
            case Kind::step:
                back_over_step(i);
                break;
            case Kind::rest:
                back_over_rest(i);
                break;
            case Kind::end:
                back_over_end(piece);
                break;
            case Kind::free:
                back_over_free_motion(i);
                break;
            case Kind::onset:
            case Kind::resumed:
                back_over_onset(piece);
                break;
            case Kind::separated:
                break;
        }
        if constexpr (remembers_overlap)
            by_remembered_[piece.remembered] += std::exchange(law_.by_largest(), 0.0);
    }

    /// By the impulse of a piece over which V_rel goes from `before` to `after`, less what is
    /// particular to the piece in which compression ends.
    double by_impulse(double before, double after, bool with_compression) const {
        double by = seeds_.impulse + 0.5 * (before + after) * seeds_.work;
        if (with_compression)
            by += seeds_.compression_impulse + 0.5 * (before + after) * seeds_.compression_work;
        return by;
    }

    // Most steps are like this: their end is worth something by its modes alone.

    /// True if this step is one of them, if what comes later is worth nothing else.
    bool is_simple(std::size_t i) const {
        const Piece& piece = pieces_[i];
        return piece.kind == Kind::step && !piece.ends_compression && i != peak_piece_ &&
               pieces_[i - 1].kind != Kind::onset;
    }
    bool has_simple_steps() const {
        return !has_rates && !remembers && seeds_.impulse == 0.0 && seeds_.work == 0.0 &&
               seeds_.compression_impulse == 0.0 && seeds_.compression_work == 0.0;
    }
    bool is_worth_by_modes_alone() const {
        return by_force_ == 0.0 && by_acceleration_ == 0.0 && by_seen_.x == 0.0 &&
               by_seen_.v == 0.0 && by_rate_before_ == 0.0;
    }

    /// Back over all such steps before piece `end`. Returns the piece that comes after them.
    std::size_t back_over_elastic_steps(std::size_t end) {
        if (!has_simple_steps() || !is_worth_by_modes_alone()) return end;
        while (end > 0 && is_simple(end - 1)) {
            std::size_t begin = end, count = 0;
            for (; count < AdjointMemory::most_steps && is_simple(begin - 1); ++count)
                set_elastic_step(elastic_steps_[count], all_pieces()[--begin], node_laws_[count]);
            modes_.back_over_steps({elastic_steps_.data(), count});
            const bool has_more = law_.wants_any() || residual() != 0.0;
            for (std::size_t n = 0; has_more && n < count; ++n)
                by_nodes(all_pieces()[end - 1 - n], node_laws_[n], elastic_steps_[n].step.by_x);
            end = begin;
        }
        return end;
    }

    /// The law at the nodes of a step, and the inverse of the transposed matrix of the step,
    /// 1 + dF/dP.
    struct NodeLaws {
        std::array<Point, 3> law;
        time::Matrix3 inverse;
    };
    NodeLaws node_laws(const Piece& piece) {
        NodeLaws nodes;
        for (std::size_t i = 0; i < 3; ++i)
            nodes.law[i] = point(piece, piece.node_x[i], piece.node_v[i]);
        const modal::Compliances& c = compliance(*piece.flow);
        time::Matrix3 transposed;
        for (std::size_t i = 0; i < 3; ++i) {
            const Point& law = nodes.law[i];
            for (std::size_t k = 0; k < 3; ++k) {
                transposed[k][i] = (i == k ? 1.0 : 0.0) + law.by_x * c.x[i][k];
                if constexpr (has_rates) transposed[k][i] += law.by_v * c.v[i][k];
            }
        }
        nodes.inverse = time::inverse3(transposed);
        return nodes;
    }

    void set_elastic_step(modal::ElasticStepBackwards& elastic, const Piece& piece,
                          std::array<Point, 3>& law) {
        elastic.step.level = piece.flow;
        elastic.step.begin = state(piece);
        elastic.step.force = piece.nodes;
        elastic.overlaps = &piece.along;
        elastic.compliances = &compliance(*piece.flow);
        for (std::size_t i = 0; i < 3; ++i) {
            law[i] = point(piece, piece.node_x[i], piece.node_v[i]);
            elastic.slope[i] = law[i].by_x;
        }
    }

    /// By the law and the residual flexibility at the nodes of such a step.
    void by_nodes(const Piece& piece, const std::array<Point, 3>& law, const time::Triple& by_x) {
        for (std::size_t i = 0; i < 3; ++i) {
            if (law[i].by_x == 0.0) continue;  // no force
            by_law(by_x[i] / law[i].by_x, law[i], piece.node_x[i], piece.node_v[i]);
            modes_.gradient().residual_flexibility -= by_x[i] * piece.nodes[i];
        }
    }

    void back_over_step(std::size_t i) {
        const Piece& piece = pieces_[i];
        const PastState begin = state(piece), end = state(pieces_[i + 1]);
        const double before = piece.approach_velocity, after = pieces_[i + 1].approach_velocity;
        const double h = piece.length, impulse = step_impulse(piece);
        const bool is_last = piece.ends_compression;
        const bool compressed = is_compression_ && !is_last;
        const double work = seeds_.work + (compressed ? seeds_.compression_work : 0.0);
        double of_impulse = by_impulse(before, after, compressed);
        double of_before = 0.5 * impulse * work, of_after = of_before;
        double start_force = 0.0, load_acceleration = 0.0;
        by_seen_.v += by_acceleration_ / h;
        double start_rate = -by_acceleration_ / h;
        by_acceleration_ = 0.0;
        if constexpr (remembers_overlap) by_seen_.x += by_remembered_[i];
        if (is_last)
            start_force = back_over_compression(piece, begin, end, before, after, of_impulse,
                                                of_before, of_after, load_acceleration);
        time::Triple by_nodes{};
        if (i == peak_piece_) {
            start_force += seeds_.peak_force * peak_weights_[0];
            for (std::size_t k = 0; k < 3; ++k)
                by_nodes[k] += seeds_.peak_force * peak_weights_[k + 1];
            by_force_ += seeds_.peak_force * peak_weights_[4];
        }
        for (std::size_t k = 0; k < 3; ++k) {
            const double lever = h * (modal::Gauss3::node[k] - 0.5);
            by_nodes[k] += h * modal::Gauss3::weight[k] *
                           (of_impulse + work * pair_.load_acceleration * lever);
            load_acceleration += work * lever * h * modal::Gauss3::weight[k] * piece.nodes[k];
        }
        modes_.by_approach_velocity(of_after, end);
        by_overlap(by_modes_at_end(piece, by_nodes), pieces_[i + 1]);
        const time::Triple at_end = modes_.by_end_of_step(*piece.flow);
        for (std::size_t k = 0; k < 3; ++k) by_nodes[k] += at_end[k];
        const bool is_first = pieces_[i - 1].kind == Kind::onset;
        const auto [by_x, by_v] = by_node_motion(piece, by_nodes, is_first, start_force);
        modes_.back_over_step(*piece.flow, begin, piece.nodes, by_x, by_v, piece.along);
        modes_.by_approach_velocity(of_before, begin);
        by_overlap({0.0, std::exchange(by_rate_before_, 0.0)}, piece);
        if (is_last) modes_.by_approach_acceleration(by_start_slope_, piece.force, begin);
        if (load_acceleration != 0.0) modes_.by_load_acceleration(load_acceleration);
        by_seen_ = {0.0, start_rate};
        by_force_ = start_force;
    }

    /// The step in which V_rel vanishes: (26.12). Returns what the force at its begin is worth.
    double back_over_compression(const Piece& piece, PastState begin, PastState end, double before,
                                 double after, double& of_impulse, double& of_before,
                                 double& of_after, double& load_acceleration) {
        const double h = piece.length, u = piece.compression, impulse = step_impulse(piece);
        const Share part = share(piece, before, after);
        const double per_impulse =
            seeds_.compression_impulse + 0.5 * before * seeds_.compression_work;
        of_impulse += part.value * per_impulse;
        of_before += 0.5 * part.value * impulse * seeds_.compression_work;
        const double by_share = impulse * per_impulse;
        of_before += by_share * (1.0 - part.value) / part.fall;
        of_after += by_share * part.value / part.fall;
        load_acceleration += by_share * h * (u - part.value) / part.fall;
        const double by_place = by_share * part.added / part.fall + seeds_.compression_end * h;
        by_time_ += seeds_.compression_end;
        const double slope_before =
            pair_.approach_acceleration({begin.v, pair_.modes()}, piece.force);
        const double slope_after =
            pair_.approach_acceleration({end.v, pair_.modes()}, piece.end_force);
        const double slope =
            time::CubicStep{before, after, h * slope_before, h * slope_after}.slope(u);
        const double by_velocity = -by_place / slope, rest = 1.0 - u;
        of_before += by_velocity * rest * rest * (1.0 + 2.0 * u);
        of_after += by_velocity * u * u * (3.0 - 2.0 * u);
        by_force_ +=
            modes_.by_approach_acceleration(-by_velocity * h * u * u * rest, piece.end_force, end);
        by_start_slope_ = by_velocity * h * rest * rest * u;
        double of_start_force = 0.0;
        for (std::size_t j = 0; j < pair_.rigid; ++j)
            of_start_force -= by_start_slope_ * pair_.phi[j] * pair_.phi[j];
        return of_start_force;
    }

    /// By the overlap of the modes at the end of a step, where the law sees less (26.8).
    modal::Overlap by_modes_at_end(const Piece& piece, time::Triple& by_nodes) {
        const double per_step = has_rates ? residual() / piece.length : 0.0;
        // In most steps the end is worth nothing but by the modes.
        if (per_step == 0.0 && by_force_ == 0.0 && by_seen_.x == 0.0 && by_seen_.v == 0.0)
            return {};
        const auto [x, v] = piece.end;
        const Point law = point(piece, x, v);
        const double by_end = per_step * end_rate_weights[3];
        const double worth = by_force_ - residual() * by_seen_.x - by_end * by_seen_.v;
        const modal::Overlap by = by_modes(piece, law, x, v, worth, by_end);
        if (per_step == 0.0) return by;
        double forces = end_rate_weights[3] * law.force;
        for (std::size_t k = 0; k < 3; ++k) {
            by_nodes[k] -= per_step * end_rate_weights[k] * by.v;
            forces += end_rate_weights[k] * piece.nodes[k];
        }
        modes_.gradient().residual_flexibility -= forces / piece.length * by.v;
        return by;
    }

    /// The same from what the force is worth.
    modal::Overlap by_modes(const Piece& piece, const Point& law, double x, double v, double worth,
                            double by_end) {
        const double yield = residual() * law.by_x;
        const double by_force = worth / (1.0 + yield + by_end * law.by_v);
        by_law(by_force, law, x, v);
        modal::Overlap by{by_seen_.x + law.by_x * by_force, by_seen_.v + law.by_v * by_force};
        modes_.gradient().residual_flexibility -= law.force * by.x;
        if constexpr (!has_rates) by.v = by_rate_behind_spring(piece, law, x, v, by.v, by.x);
        return by;
    }

    /// Without rates the rate of the modes is (1 + R F') times that which the law sees.
    double by_rate_behind_spring(const Piece& piece, const Point& law, double x, double v,
                                 double by, double& by_x) {
        if (residual() == 0.0 || by == 0.0 || law.force == 0.0) return by;
        const double ratio = 1.0 + residual() * law.by_x, dx = 1e-5 * std::abs(x);
        const double curvature =
            dx > 0.0 ? (point(piece, x + dx, v).by_x - point(piece, x - dx, v).by_x) / (2.0 * dx)
                     : 0.0;
        by_x -= by * v * residual() * curvature / (ratio * ratio);
        modes_.gradient().residual_flexibility -= by * v * law.by_x / ratio;
        return by / ratio;
    }

    /// By overlaps and rates of the modes at the nodes, from what the forces there are worth
    /// (26.5).
    std::pair<time::Triple, time::Triple> by_node_motion(const Piece& piece,
                                                         const time::Triple& by_nodes,
                                                         bool is_first, double& start_force) {
        const auto [law, inverse] = node_laws(piece);
        time::Triple by_x{}, by_v{}, by_forces{};
        const double per_step = has_rates ? residual() / piece.length : 0.0;
        for (std::size_t i = 0; i < 3; ++i) {
            const double by_force = by_forces[i] = time::dot(inverse[i], by_nodes);
            if (!is_first) by_law(by_force, law[i], piece.node_x[i], piece.node_v[i]);
            by_x[i] = by_force * law[i].by_x;
            by_v[i] = by_force * law[i].by_v;
            double& by_residual = modes_.gradient().residual_flexibility;
            by_residual -= by_x[i] * piece.nodes[i];
            if (per_step == 0.0) continue;
            double forces = rate_weights[i][0] * piece.force;
            for (std::size_t k = 0; k < 3; ++k) forces += rate_weights[i][k + 1] * piece.nodes[k];
            by_residual -= by_v[i] * forces / piece.length;
            start_force -= by_v[i] * per_step * rate_weights[i][0];
        }
        if (is_first) by_law_after_onset(piece, by_forces);
        return {by_x, by_v};
    }

    /// By the numbers of the law in the first step of a contact. Its length is chosen for the
    /// force, and a derivative of the force may be more singular at the onset: that of a damping
    /// that is 0 is like the root of the overlap. So it is not left to the three Gauss nodes.
    void by_law_after_onset(const Piece& piece, const time::Triple& by_forces) {
        const auto& gauss = modal::Gauss3::node;
        const std::array<double, 4> places{0.0, gauss[0], gauss[1], gauss[2]};
        const std::array<double, 4> overlaps{piece.seen.x, piece.node_x[0], piece.node_x[1],
                                             piece.node_x[2]};
        for (std::size_t n = 0; n < TowardsZero::points; ++n) {
            const double s = TowardsZero::node[n];
            const std::array<double, 4> along = lagrange_values(places, s);
            const std::array<double, 3> worth = lagrange_values(gauss, s);
            double x = 0.0, v = 0.0, by = 0.0;
            for (std::size_t k = 0; k < 4; ++k) x += along[k] * overlaps[k];
            for (std::size_t k = 0; k < 3; ++k) {
                v += worth[k] * piece.node_v[k];
                by += worth[k] * by_forces[k] / modal::Gauss3::weight[k];
            }
            by_law(TowardsZero::weight[n] * by, point(piece, x, v), x, v);
        }
    }

    /// What the forces at the nodes take from overlap and rate there, as the run counts it.
    const modal::Compliances& compliance(const modal::Propagator& flow) const {
        return memory_.compliances[flow.number];
    }

    /// Moments of the force that is left at the end of a contact (12.4), for any number type. The
    /// run has three Gauss nodes. Their error is small, but as the lengths of steps are held fixed,
    /// a parameter changes this short time many times as much as the whole contact, and the error
    /// with it.
    template <class T>
    struct Moments {
        T impulse{}, first{}, second{};
    };
    template <class T>
    static Moments<T> moments(const Piece& piece, const T& rest, const T& x0, const T& v0,
                              const T& a0) {
        Moments<T> sum;
        for (std::size_t k = 0; k < TowardsZero::points; ++k) {
            const T s = (1.0 - TowardsZero::node[k]) * rest, w = TowardsZero::weight[k] * rest;
            const T force = piece.contact.force(T(x0 + s * (v0 + 0.5 * s * a0)), T(v0 + s * a0));
            sum.impulse = sum.impulse + w * force;
            sum.first = sum.first + s * w * force;
            sum.second = sum.second + 0.5 * s * s * w * force;
        }
        return sum;
    }
    static modal::LateForce late_force(const Piece& piece) {
        const Moments<double> sum =
            moments(piece, piece.length, piece.seen.x, piece.seen.v, piece.acceleration);
        return {piece.length, sum.impulse, sum.first, sum.second};
    }

    void back_over_rest(std::size_t i) {
        const Piece& piece = pieces_[i];
        const PastState begin = state(piece), end = state(pieces_[i + 1]);
        const double before = piece.approach_velocity, after = pieces_[i + 1].approach_velocity;
        const modal::LateForce force = late_force(piece);
        const double work = seeds_.work + (is_compression_ ? seeds_.compression_work : 0.0);
        if (piece.ends_compression) by_time_ += seeds_.compression_end;
        modes_.by_approach_velocity(0.5 * force.impulse * work, end);
        modal::LateForce by = modes_.by_late_force(force.rest);
        by.impulse += by_impulse(before, after, is_compression_);
        modes_.back_over_late_force(force);
        modes_.by_approach_velocity(0.5 * force.impulse * work, begin);
        by_force_ = 0.0;
        if (!has_rates && residual() != 0.0) {
            back_over_rest_behind_spring(i, by);
            return;
        }
        for (std::size_t k = 0; k < TowardsZero::points; ++k) {
            const double s = (1.0 - TowardsZero::node[k]) * force.rest;
            const double x = piece.seen.x + s * (piece.seen.v + 0.5 * s * piece.acceleration);
            const double v = piece.seen.v + s * piece.acceleration;
            by_law(TowardsZero::weight[k] * force.rest *
                       (by.impulse + s * (by.first + 0.5 * s * by.second)),
                   point(piece, x, v), x, v);
        }
        const auto along = [&](double dx, double dv, double da) {
            const core::Dual x{piece.seen.x, dx}, v{piece.seen.v, dv}, a{piece.acceleration, da};
            // The zero of the parabola: x' + a rest is its slope there.
            const double slope = piece.seen.v + piece.acceleration * force.rest;
            const core::Dual rest{force.rest,
                                  -(dx + force.rest * (dv + 0.5 * force.rest * da)) / slope};
            const Moments<core::Dual> sum = moments(piece, rest, x, v, a);
            return by.impulse * sum.impulse.derivative + by.first * sum.first.derivative +
                   by.second * sum.second.derivative;
        };
        by_seen_ = {along(1.0, 0.0, 0.0), along(0.0, 1.0, 0.0)};
        by_acceleration_ = along(0.0, 0.0, 1.0);
    }

    /// The same behind the residual flexibility. What the law sees then has a singular acceleration
    /// at the zero, like that of x - R F(x): the parabola is that of the overlap of the modes, with
    /// its mean acceleration over the step before.
    void back_over_rest_behind_spring(std::size_t i, const modal::LateForce& by) {
        const Piece &piece = pieces_[i], &step = pieces_[i - 1];
        const PastState begin = state(piece);
        const double x0 = pair_.overlap({begin.q, pair_.modes()});
        const double v0 = pair_.overlap({begin.v, pair_.modes()});
        const double a = (v0 - pair_.overlap({state(step).v, pair_.modes()})) / step.length;
        const double rest = 2.0 * x0 / (std::sqrt(v0 * v0 - 2.0 * a * x0) - v0);
        struct Node {
            double s, x, v, worth, worth_slope;
            Point law;
        };
        std::array<Node, TowardsZero::points> nodes;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            const double s = (1.0 - TowardsZero::node[k]) * rest, weight = TowardsZero::weight[k];
            const double of_modes = x0 + s * (v0 + 0.5 * s * a), v = v0 + s * a;
            const double x = seen_behind_spring(piece, of_modes, v);
            nodes[k] = {s,
                        x,
                        v,
                        weight * (by.impulse + s * (by.first + 0.5 * s * by.second)),
                        weight * (by.first + s * by.second),
                        point(piece, x, v)};
            by_law(rest * nodes[k].worth / (1.0 + residual() * nodes[k].law.by_x), nodes[k].law, x,
                   v);
        }
        const auto along = [&](double dx, double dv, double da, double by_residual) {
            const double d_rest = -(dx + rest * (dv + 0.5 * rest * da)) / (v0 + a * rest);
            double sum = 0.0;
            for (const Node& node : nodes) {
                const double ds = node.s / rest * d_rest;
                const double of_modes = dx + node.s * (dv + 0.5 * node.s * da) + ds * node.v;
                const double seen =
                    (of_modes - by_residual * node.law.force) / (1.0 + residual() * node.law.by_x);
                sum += (d_rest * node.worth + rest * ds * node.worth_slope) * node.law.force +
                       rest * node.worth * node.law.by_x * seen;
            }
            return sum;
        };
        by_rate_before_ = -along(0.0, 0.0, 1.0, 0.0) / step.length;
        modes_.by_overlap({along(1.0, 0.0, 0.0, 0.0), along(0.0, 1.0, 0.0, 0.0) - by_rate_before_},
                          begin);
        modes_.gradient().residual_flexibility += along(0.0, 0.0, 0.0, 1.0);
        by_acceleration_ = 0.0;
        by_seen_ = {};
    }

    /// x with x + R F(x) = the overlap of the modes, by Newton's method.
    double seen_behind_spring(const Piece& piece, double of_modes, double v) {
        constexpr double last_change = 1e-8;  // relative; then comes its square
        double x = of_modes, change = of_modes;
        for (int i = 0; i < 6 && std::abs(change) > last_change * std::abs(x); ++i) {
            const Point law = point(piece, x, v);
            change = (x + residual() * law.force - of_modes) / (1.0 + residual() * law.by_x);
            x -= change;
        }
        return x;
    }

    /// Contact ends with a step: where the overlap crosses its limit, or the force would pull.
    void back_over_end(const Piece& piece) {
        const PastState now = state(piece);
        const auto [x, v] = piece.seen;
        const bool crosses = !piece.contact.released();
        const double last = crosses ? last_force(piece) : 0.0;
        const double by_time = by_time_ + modes_.by_time(last, now);
        if (crosses) {
            law_.set(piece.onset_rate, piece.largest_overlap);
            law_.add_end_overlap(by_time / v, false);
            modes_.by_overlap({-by_time / v, 0.0}, now);
            return;
        }
        // The law alone says when: its force vanishes.
        law_.set(piece.onset_rate, piece.largest_overlap);
        const Point law = unlimited(piece, x, v);
        double acceleration = 0.0;
        for (std::size_t j = 0; j < pair_.modes(); ++j) {
            const double load = j < pair_.rigid ? pair_.loads[j] : 0.0;
            acceleration -= pair_.phi[j] *
                            (load - pair_.eigenvalues[j] * now.q[j] - pair_.dampings[j] * now.v[j]);
        }
        const double by_force = -by_time / (law.by_x * v + law.by_v * acceleration);
        if (!std::isfinite(by_force)) return;
        law_.add(by_force, law.force, x, v);
        modes_.by_overlap({law.by_x * by_force, law.by_v * by_force}, now);
    }

    /// The force with which a contact ends where its overlap does [N].
    double last_force(const Piece& piece) const {
        const double last =
            piece.contact.unlimited_force(piece.contact.end_overlap(), piece.seen.v);
        return piece.contact.would_release(piece.contact.end_overlap(), piece.seen.v) ? 0.0 : last;
    }
    /// The law with its slopes where it would pull.
    static Point unlimited(const Piece& piece, double x, double v) {
        const double dx = 1e-6 * std::abs(x), dv = 1e-6 * std::abs(v);
        const auto force = [&](double at, double rate) {
            return piece.contact.unlimited_force(at, rate);
        };
        const double by_x = (force(x + dx, v) - force(x - dx, v)) / (2.0 * dx);
        const double by_v = (force(x, v + dv) - force(x, v - dv)) / (2.0 * dv);
        return {force(x, v), by_x, by_v};
    }

    void back_over_free_motion(std::size_t i) {
        const Piece& piece = pieces_[i];
        const PastState begin = state(piece);
        if (piece.crosses) {
            const PastState end = state(pieces_[i + 1]);
            double rate = 0.0;
            for (std::size_t j = 0; j < pair_.modes(); ++j) rate -= pair_.phi[j] * end.v[j];
            const double by = (by_time_ + modes_.by_time(0.0, end)) / rate;
            law_.set(piece.onset_rate, piece.largest_overlap);
            law_.add_end_overlap(by, piece.edge > piece.seen.x);
            modes_.by_overlap({-by, 0.0}, end);
        }
        modes_.back_over_free_motion(piece.length, begin, state(pieces_[i + 1]));
        if (!piece.ends_compression) return;
        by_time_ += seeds_.compression_end;
        const std::span<const double> rate{begin.v, pair_.modes()};
        double slope = 0.0;
        for (std::size_t j = 0; j < pair_.rigid; ++j) {
            const double d = pair_.dampings[j], decay = core::exp(-d * piece.compression);
            slope -= pair_.phi[j] * decay * (pair_.loads[j] - d * rate[j]);
        }
        modes_.by_later_approach_velocity(-seeds_.compression_end / slope, piece.compression,
                                          begin);
    }

    /// What the law sees as a contact begins, or goes on after a short free motion.
    void back_over_onset(const Piece& piece) {
        const PastState now = state(piece);
        const auto [x, v] = piece.seen;
        modal::Overlap by = by_seen_;
        if (residual() == 0.0 && by_force_ != 0.0) {
            const Point law = point(piece, x, v);
            by_law(by_force_, law, x, v);
            by.x += law.by_x * by_force_;
            by.v += law.by_v * by_force_;
        }
        if (piece.kind == Kind::onset) by.v += std::exchange(law_.by_onset(), 0.0);
        modes_.by_overlap(by, now);
        by_seen_ = {};
        by_force_ = by_acceleration_ = 0.0;
    }

    const ContactPair& pair_;
    const SplittingMemory& memory_;
    std::span<const Piece> pieces_;
    const CollisionRecord<Law>& record_;
    ModalAdjoint modes_;
    std::array<modal::ElasticStepBackwards, AdjointMemory::most_steps>& elastic_steps_;
    std::array<std::array<Point, 3>, AdjointMemory::most_steps> node_laws_;  // of these
    LawSlopes<Law> law_;
    RunSums sums_;
    std::size_t peak_piece_ = 0;
    std::array<double, 5> peak_weights_{};

    QuantitySeeds seeds_;
    bool is_compression_ = false;        // the present piece lies before the end of compression
    modal::Overlap by_seen_;             // by what the law sees at the present instant
    double by_force_ = 0.0;              // by the force there
    double by_acceleration_ = 0.0;       // by the mean acceleration of the step before
    double by_rate_before_ = 0.0;        // by the overlap's rate of the modes at its begin
    double by_time_ = 0.0;               // by the instant itself
    std::vector<double> by_remembered_;  // by the overlap that the law remembers, of each step
    double by_start_slope_ = 0.0;  // by d V_rel/dt as the step begins in which compression ends
};

}  // namespace stoss::impact
