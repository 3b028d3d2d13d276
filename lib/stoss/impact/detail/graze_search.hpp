#pragma once
/// Grazes of a recorded run: where a slightly different collision would have one sub-impact more or
/// less (docs/theory/gradients.md 26.18).

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/core/bisection.hpp>
#include <stoss/core/elementary.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/detail/modal_adjoint.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/time/cubic_event.hpp>

namespace stoss::impact {

/// A graze of a recorded run: the overlap of the modes where it is stationary in a piece.
struct PlaceOfGraze {
    Graze graze;
    double sign = 1.0;  // of the overlap in the margin
    std::size_t piece = 0;
    double place = 0.0;  // in the piece: of a step the fraction, of free motion [s]
};

template <contact::ContactLaw Law>
class GrazeSearch {
  public:
    /// Both must live as long as this is used.
    GrazeSearch(const ContactPair& pair, const CollisionRecord<Law>& record)
        : pair_(pair), record_(record), pieces_(record.pieces()) {}

    /// In order of the sub-impacts.
    std::vector<PlaceOfGraze> find() {
        std::vector<PlaceOfGraze> found;
        // Laws that remember an overlap, or attract, end contact elsewhere than at the surface.
        if constexpr (requires(const Law law, typename Law::Memory memory) {
                          law.end_overlap(memory);
                      }) {
            return found;
        }
        double time = 0.0;
        std::size_t sub_impact = 0;
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            const Piece& piece = pieces_[i];
            if (piece.kind == Kind::onset) add_turns(i, time, sub_impact, found);
            if (piece.kind == Kind::separated) {
                if (i + 1 < pieces_.size() && pieces_[i + 1].kind == Kind::free)
                    add_free(pieces_[i + 1], i + 1, time, sub_impact, i + 2 < pieces_.size(),
                             found);
                ++sub_impact;
            }
            if (piece.kind == Kind::step || piece.kind == Kind::free) time += piece.length;
        }
        return found;
    }

  private:
    using Piece = typename CollisionRecord<Law>::Piece;
    using Kind = typename CollisionRecord<Law>::Kind;

    /// In the sub-impact that begins with piece `first`: the largest overlap, without which it
    /// would vanish, and the least ones between two larger ones, where it would split.
    void add_turns(std::size_t first, double time, std::size_t sub_impact,
                   std::vector<PlaceOfGraze>& found) {
        const auto overlap_of = [&](const double* y) { return pair_.overlap({y, pair_.modes()}); };
        PlaceOfGraze top{.graze = {Event::vanishes, sub_impact}};
        for (std::size_t i = first; i < pieces_.size() && pieces_[i].kind != Kind::separated; ++i) {
            check_stop_();
            const Piece& piece = pieces_[i];
            if (piece.kind == Kind::step) {
                const PastState begin = state(piece), end = state(pieces_[i + 1]);
                const double before = overlap_of(begin.v), after = overlap_of(end.v);
                const double h = piece.length;
                if ((before > 0.0) != (after > 0.0)) {
                    const time::CubicStep overlap{overlap_of(begin.q), overlap_of(end.q),
                                                  h * before, h * after};
                    const auto [low, high] = overlap.turn(52);
                    const double u = 0.5 * (low + high), margin = overlap(u);
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

    /// The least gaps inside a free motion, and the largest one if contact comes again.
    void add_free(const Piece& piece, std::size_t number, double time, std::size_t sub_impact,
                  bool is_between, std::vector<PlaceOfGraze>& found) {
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
            check_stop_();
            const double low = h * static_cast<double>(k - 1), high = h * static_cast<double>(k);
            const double now = gap(high).v;
            const bool rises = before > 0.0;
            if (rises != (now > 0.0)) {
                const core::Bracket turn = core::bisection(
                    low, high, 30, [&](double at) { return (gap(at).v > 0.0) == rises; });
                const double t = 0.5 * (turn.low + turn.high), margin = gap(t).x;
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

    const ContactPair& pair_;
    const CollisionRecord<Law>& record_;
    const std::span<const Piece> pieces_;
    core::StopCheck check_stop_;
};

}  // namespace stoss::impact
