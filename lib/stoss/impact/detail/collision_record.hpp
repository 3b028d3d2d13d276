#pragma once
/// What a run of the splitting scheme did, piece by piece, for those who go through it once more
/// (docs/theory/gradients.md, docs/theory/splitting_scheme.md).

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <stoss/contact/contact.hpp>
#include <stoss/modal/adjoint_kernels.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/collocation.hpp>

namespace stoss::impact {

/// The pieces of a run in order of time, and the state at the begin of each.
template <contact::ContactLaw Law>
class CollisionRecord {
  public:
    enum class Kind {
        onset,     ///< an instant: a sub-impact begins
        resumed,   ///< an instant: bodies that were about to part press on each other again
        step,      ///< a step in contact
        rest,      ///< an instant: the impulse of the rest of a contact (12.4)
        end,       ///< an instant: contact ends with a step
        free,      ///< free motion
        separated  ///< an instant: the end of a sub-impact
    };

    // What a sweep reads of every step comes first.
    struct Piece {
        Kind kind = Kind::onset;
        bool crosses = false;                     ///< free motion that ends at its edge
        bool ends_compression = false;            ///< V_rel vanishes in it
        std::size_t state = 0;                    ///< place of the state at its begin
        std::size_t modes = 0;                    ///< of which so many are kept
        const modal::Propagator* flow = nullptr;  ///< of a step
        time::Triple node_x{}, nodes{};           ///< of a step: what the law sees, forces [N]
        contact::Contact<Law> contact;            ///< as the piece finds it
        double approach_velocity = 0.0;           ///< V_rel there [m/s]
        double length = 0.0;                      ///< [s]; of `rest`: the time that it represents
        modal::Overlap seen{};                    ///< by the law, at its begin
        double force = 0.0;                       ///< there [N]
        double acceleration = 0.0;                ///< of the overlap there [m/s^2]
        double onset_rate = 0.0;                  ///< of the present sub-impact [m/s]
        double largest_overlap = 0.0;             ///< that the law remembers, if it does [m]
        std::size_t remembered = 0;               ///< number of the step at whose end that was
        time::Triple node_v{};                    ///< of a step: what the law sees
        modal::Overlap end{};                     ///< of a step: seen by the law at its end
        double end_force = 0.0;                   ///< of a step [N]
        double edge = 0.0;                        ///< of free motion: overlap that ends it [m]
        double compression = 0.0;  ///< where V_rel vanishes: of a step the fraction, else [s]
    };

    /// Of the states at the begin of steps the first modes alone are kept; `all_of_last`: all of
    /// the last step before another piece.
    void keep_modes(std::size_t modes, bool all_of_last) {
        modes_of_steps_ = modes;
        all_of_last_ = all_of_last;
    }

    /// For one more run of motions of `padded` modes.
    void clear(std::size_t padded) {
        padded_ = padded;
        size_ = 0;
        used_ = 0;
        has_separated_ = false;
    }

    Piece& add(Kind kind, modal::ModalState now, double approach_velocity,
               const contact::Contact<Law>& contact) {
        const bool is_step = kind == Kind::step;
        if (is_step && all_of_last_ && size_ > 0 && back().kind == Kind::step) shorten(back());
        const std::size_t modes =
            is_step && !all_of_last_ ? std::min(modes_of_steps_, padded_) : padded_;
        if (kind == Kind::separated) {
            has_separated_ = true;
            last_ = size_;
        }
        Piece& piece = next_piece(contact);
        piece.kind = kind;
        piece.state = used_;
        piece.modes = modes;
        piece.contact = contact;
        piece.approach_velocity = approach_velocity;
        if (used_ + 2 * modes > states_.size()) states_.resize(2 * (states_.size() + padded_));
        double* const to = states_.data() + used_;
        std::copy_n(now.q, modes, to);
        std::copy_n(now.v, modes, to + modes);
        used_ += 2 * modes;
        return piece;
    }

    bool empty() const { return size_ == 0; }
    Piece& back() { return pieces_[size_ - 1]; }
    std::size_t size() const { return size_; }

    bool has_separated() const { return has_separated_; }
    std::span<const Piece> pieces() const { return {pieces_.data(), size_}; }
    std::span<const Piece> pieces_to_separation() const { return pieces().first(last_ + 1); }
    /// The state at the begin of a piece.
    modal::ConstModalState state(const Piece& piece) const {
        const double* const q = states_.data() + piece.state;
        return {q, q + piece.modes};
    }

  private:
    /// Pieces of earlier runs are used again. To clear all of each took 7 % of the time of a
    /// collision: what not every kind of piece has is cleared, but for what steps alone have.
    Piece& next_piece(const contact::Contact<Law>& contact) {
        if (size_ == pieces_.size()) pieces_.push_back({.contact = contact});
        Piece& piece = pieces_[size_++];
        piece.crosses = piece.ends_compression = false;
        piece.flow = nullptr;
        piece.length = piece.largest_overlap = piece.edge = piece.compression = 0.0;
        return piece;
    }

    /// Keeps the first modes of the piece whose state came last.
    void shorten(Piece& piece) {
        const std::size_t modes = std::min(modes_of_steps_, padded_);
        double* const q = states_.data() + piece.state;
        std::copy_n(q + piece.modes, modes, q + modes);
        piece.modes = modes;
        used_ = piece.state + 2 * modes;
    }

    std::size_t padded_ = 0, modes_of_steps_ = 0, last_ = 0;
    bool all_of_last_ = false;
    bool has_separated_ = false;
    std::vector<Piece> pieces_;  // the first `size_` are of this run
    std::size_t size_ = 0;
    std::size_t used_ = 0;  // of the states
    std::vector<double> states_;
};

}  // namespace stoss::impact
