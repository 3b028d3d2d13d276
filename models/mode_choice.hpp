#pragma once
/// How many modes a collision needs: what `mesh.modes: auto` stands for (theory.md section 9).

#include <functional>
#include <optional>
#include <span>

#include <models/beam_collision.hpp>

namespace stoss::models {

/// As many modes as all collisions need.
struct ModeChoice {
    int modes = 0;            ///< p
    double cor_change = 0.0;  ///< largest |change of e_N| of the places that need all of them
    double xi = 0.0;          ///< the place of that change
};

/// How the collisions are computed, as for a run.
struct ModeSearch {
    int threads = 0;                                    ///< 0: all cores
    bool quiet = true;                                  ///< no progress
    std::function<bool()> stop = [] { return false; };  ///< true ends the search early
    int most_modes = 600;  ///< largest basis that is tried; the modes of such a one take a minute
};

/// The fewest modes p, of a ladder that rises by a quarter, with which every collision of `beams`
/// at every one of `places` (xi in [0, 1]) has an e_N that differs by less than its
/// `mesh.tolerance` from those with 1.25 p and 1.25^2 p modes. Two richer bases have to agree,
/// since one may do so by chance. Places where the bodies do not close do not count. Each basis has
/// the mesh of `with_modes`. nullopt if it was stopped.
///
/// Precondition: `check` found nothing in any of `beams`. Throws core::NumericalError if
/// `search.most_modes` are not enough, or the modes cannot be computed.
std::optional<ModeChoice> choose_modes(std::span<const BeamCollision> beams,
                                       std::span<const double> places, const ModeSearch& search);

/// `parameters` with p = `modes`, on a mesh of at least two elements for each of them: the smallest
/// multiple of its own elements, so that nodes stay where they are.
BeamCollision with_modes(BeamCollision parameters, int modes);

}  // namespace stoss::models
