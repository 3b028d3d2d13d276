#pragma once
/// How many modes a collision needs: the meaning of `mesh.modes: auto`
/// (docs/theory/number_of_modes.md).

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include <models/beam_model.hpp>

namespace stoss::models {

/// The number of modes that nearly all collisions need.
struct ModeChoice {
    int modes = 0;            ///< p
    double cor_change = 0.0;  ///< largest |change of e_N| by further modes where e_N is known
    double xi = 0.0;          ///< the place of that change
    std::size_t places = 0;   ///< at which e_N was computed
    /// Number of these places at which further modes change e_N by more than `mesh.tolerance`.
    std::size_t open = 0;
    /// The model of each beam with these modes, as `with_modes` makes it; empty if one of them was
    /// not needed for the choice.
    std::vector<BeamModel> models = {};
};

/// How the collisions are computed, as for a run.
struct ModeSearch {
    int threads = 0;                                    ///< 0: all cores
    bool quiet = true;                                  ///< no progress
    std::function<bool()> stop = [] { return false; };  ///< true ends the search early
    int most_modes = 200;                               ///< largest basis that is tried
    std::size_t most_places = 48;  ///< of a map: so many places, evenly spaced, decide
};

/// The fewest modes p, of numbers that rise by `truncation_ratio`, with which nine in ten
/// collisions of `beams` at `places` (xi in [0, 1]) have an e_N that further modes change by less
/// than `mesh.tolerance` (models/truncation.hpp), or the most modes that are tried. Where e_N
/// `converges_unevenly` this must hold for the number before, too. Places where the bodies do not
/// approach each other do not count. Each basis has the mesh of `with_modes`. nullopt if it was
/// stopped.
///
/// Precondition: `check` found nothing in any of `beams`. Throws core::NumericalError if the modes
/// cannot be computed.
std::optional<ModeChoice> choose_modes(std::span<const BeamCollision> beams,
                                       std::span<const double> places, const ModeSearch& search);

/// A mesh needs at least so many elements for each mode.
inline constexpr int elements_per_mode = 4;

/// `parameters` with p = `modes`, on a mesh of at least four elements for each of them: the
/// smallest multiple of its own elements, so that nodes stay where they are.
BeamCollision with_modes(BeamCollision parameters, int modes);

}  // namespace stoss::models
