#pragma once
/// What a recorded run adds up along the motion, as the quantities of its result need it
/// (docs/theory/gradients.md 26.9, 26.11, 26.12, docs/theory/splitting_scheme.md 12.4, 12.13).

#include <array>
#include <cstddef>
#include <span>

#include <stoss/core/gauss3.hpp>
#include <stoss/impact/detail/collision_record.hpp>
#include <stoss/impact/detail/contact_pair.hpp>
#include <stoss/impact/gradient.hpp>
#include <stoss/modal/modal_kernels.hpp>
#include <stoss/modal/propagators.hpp>
#include <stoss/time/detail/largest_force.hpp>
#include <stoss/time/detail/node_interpolation.hpp>

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

/// Impulse of a step in contact [N s].
template <class Piece>
double step_impulse(const Piece& piece) {
    double impulse = 0.0;
    for (std::size_t k = 0; k < 3; ++k)
        impulse += piece.length * core::Gauss3::weight[k] * piece.nodes[k];
    return impulse;
}

/// Share of the impulse of a step that takes V_rel to zero, and its parts [m/s].
struct CompressionShare {
    double value, fall, added;
};
/// `before`, `after`: V_rel [m/s] at the ends of the step.
template <class Piece>
CompressionShare compression_share(const ContactPair& pair, const Piece& piece, double before,
                                   double after) {
    const double added = pair.load_acceleration * piece.length;
    const double fall = before + added - after;
    return {(before + piece.compression * added) / fall, fall, added};
}

/// Moments of the force that is left at the end of a contact (12.4), for any number type. The
/// run has three Gauss nodes. Their error is small, but as the lengths of steps are held fixed,
/// a parameter changes this short time many times as much as the whole contact, and the error
/// with it.
template <class T>
struct Moments {
    T impulse{}, first{}, second{};
};
template <class Piece, class T>
Moments<T> moments(const Piece& piece, const T& rest, const T& x0, const T& v0, const T& a0) {
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
template <class Piece>
modal::LateForce late_force(const Piece& piece) {
    const Moments<double> sum =
        moments(piece, piece.length, piece.seen.x, piece.seen.v, piece.acceleration);
    return {piece.length, sum.impulse, sum.first, sum.second};
}

/// Of all pieces up to the last separation.
template <class Law>
RunSums sums_of(const ContactPair& pair, const CollisionRecord<Law>& record) {
    using Kind = typename CollisionRecord<Law>::Kind;
    using Piece = typename CollisionRecord<Law>::Piece;
    const std::span<const Piece> pieces = record.pieces_to_separation();
    RunSums sums;
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        const double before = piece.approach_velocity;
        const double after = pieces[i + 1].approach_velocity;
        double impulse = 0.0, load_work = 0.0, part = 1.0;
        if (piece.kind == Kind::step) {
            impulse = step_impulse(piece);
            double moment = 0.0;
            for (std::size_t k = 0; k < 3; ++k)
                moment += piece.length * piece.length * core::Gauss3::node[k] *
                          core::Gauss3::weight[k] * piece.nodes[k];
            load_work = pair.load_acceleration * (moment - 0.5 * piece.length * impulse);
            if (piece.ends_compression) part = compression_share(pair, piece, before, after).value;
        } else if (piece.kind == Kind::rest) {
            impulse = late_force(piece).impulse;
        }
        const double work = 0.5 * impulse * (before + after) + load_work;
        if (piece.ends_compression) {
            sums.compression_impulse = sums.impulse + part * impulse;
            sums.compression_work =
                sums.work + (piece.kind == Kind::step ? 0.5 * part * impulse * before : work);
        }
        sums.impulse += impulse;
        sums.work += work;
    }
    const auto energy = [&](const Piece& piece, std::size_t begin, std::size_t end) {
        const modal::ConstModalState now = record.state(piece);
        return pair.energy(begin, end, {now.q, pair.modes()}, {now.v, pair.modes()});
    };
    sums.energy_rigid = energy(pieces.back(), 0, pair.rigid);
    sums.energy_vibration = energy(pieces.back(), pair.rigid, pair.modes());
    sums.initial_energy = energy(pieces.front(), 0, pair.modes());
    return sums;
}

/// The step with the largest force of a run, and the derivatives of that force by the forces at the
/// begin, the nodes and the end of the step.
struct PeakForce {
    std::size_t piece = 0;
    std::array<double, 5> weights{};
};
template <class Law>
PeakForce peak_of(const CollisionRecord<Law>& record) {
    using Kind = typename CollisionRecord<Law>::Kind;
    using Piece = typename CollisionRecord<Law>::Piece;
    const std::span<const Piece> pieces = record.pieces_to_separation();
    PeakForce peak;
    time::Largest largest;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Piece& piece = pieces[i];
        if (piece.kind != Kind::step) continue;
        const time::Largest own = time::largest_force(piece.force, piece.nodes, piece.end_force);
        if (!(own.value > largest.value)) continue;
        largest = own;
        peak.piece = i;
    }
    if (largest.value > 0.0) peak.weights = time::lagrange_values(time::step_places, largest.place);
    return peak;
}

}  // namespace stoss::impact
