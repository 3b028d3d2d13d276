#pragma once
/// What a convergence study says of a case, in words.

#include <cstddef>
#include <string>
#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/problems/beam/convergence_study.hpp>
#include <stoss/core/fields.hpp>

namespace stoss::solvers {

struct ConvergenceVerdict {
    /// Bound of one digit of |change of e|: that of the largest, if it is within three times the
    /// 90 % quantile; else, if the quantile is within `mesh.tolerance`, that of the largest within
    /// it; else that of the quantile.
    double known_to = 0.0;
    std::vector<std::size_t> unknown;       ///< places with larger changes, or without e
    Refined largest_part = Refined::modes;  ///< what changes e most
    std::string known, parts, advice;       ///< how well e is known, by what, what to do about it
    std::string methods;                    ///< a sentence for the methods section of a paper
};

/// Of how many places a study chose its own.
struct PlaceChoice {
    std::size_t of = 0;        ///< places of the case; 0: all of them were studied
    std::size_t doubtful = 0;  ///< not studied, but further modes change e beyond `mesh.tolerance`
};

/// `collision`: the first curve of the study; `labels`: the swept value of each curve, empty if
/// nothing is swept. Precondition: the study is computed, and some place was compared.
ConvergenceVerdict verdict_of(const ConvergenceStudy& study, const models::BeamCollision& collision,
                              const std::vector<std::string>& labels,
                              const PlaceChoice& choice = {});

}  // namespace stoss::solvers
