#pragma once
/// What a contact law does to one impact: restitution under gravity and load
/// (docs/theory/loaded_impact.md).

#include <optional>
#include <string_view>
#include <vector>

#include <stoss/contact/laws.hpp>
#include <stoss/core/error.hpp>

namespace stoss::impact {

/// A point mass meets a contact at rest. Two free bodies are one point mass of their effective mass
/// m_1 m_2/(m_1 + m_2).
struct Impact {
    core::Required speed = {};  ///< v0 > 0 [m/s]
    core::Required mass = {};   ///< m > 0 [kg]
    double gravity = 0.0;       ///< g [m/s^2], towards the contact
    double load = 0.0;          ///< F [N], constant, towards the contact
    contact::Separation separation = contact::Separation::zero_force;  ///< when contact ends
    /// Largest overlap of earlier impacts on the same spot [m]; of a law that leaves a dent,
    /// contact then begins at the dent. 0: a fresh spot. Other laws do not see it.
    double earlier_overlap = 0.0;

    double total_load() const { return mass * gravity + load; }  ///< m g + F [N]
};

/// How an impact ends.
enum class ImpactOutcome {
    rebounds,  ///< the body leaves the contact
    sticks,    ///< it never does: it comes to rest in contact
    failed     ///< the motion could not be computed: no number is there
};

/// "rebounds", "sticks", "failed".
std::string_view to_string(ImpactOutcome outcome);

/// What one impact shows; no numbers if it failed.
struct Restitution {
    ImpactOutcome status = ImpactOutcome::failed;  ///< how it ended
    std::optional<double> cor = {};                ///< e = (rebound speed at `rebound_overlap`)/v0
    std::optional<double> duration =
        {};  ///< until the contact force vanishes for good [s]; infinite: it sticks
    std::optional<double> peak_force = {};    ///< largest contact force [N]
    std::optional<double> peak_overlap = {};  ///< largest overlap [m]
    /// Overlap at which the force vanishes [m]; of a body that sticks that at which it first stops
    /// on its way out. It comes to rest elsewhere, where the law carries the load.
    std::optional<double> end_overlap = {};
    /// Overlap at the end of contact [m]: 0, the dent, or, below 0, the pull-off.
    std::optional<double> rebound_overlap = {};
    /// (1 - e^2) m v0^2/2 and the work of the load from the first overlap to the last [J]; of a
    /// body that sticks until it rests in contact, its stored energy taken off.
    std::optional<double> energy_lost = {};
};

/// What is wrong with the numbers of an impact, by the name of the member; empty if nothing is. A
/// load that pulls the body off its contact (m g + F < 0) is refused: nothing would hold it back.
std::vector<core::Violation> check(const Impact& impact);

/// The impact m x'' = m g + F - force(x, x'), x(0) = 0, x'(0) = v0 (13.1), for any law.
///
/// e = 0 and `sticks` if the body comes to rest again with overlap left (13.3), or if it moves
/// outwards at less than 1e-8 v0 and slows down. Under `zero_force` the load acts alone once the
/// force has vanished, until the overlap is gone or the law pushes again
/// (theory/contact_laws.md 8.24).
/// The relative accuracy of e, duration, peak force and peak overlap is 1e-12 (5 to 30 us a call).
/// That of e is 3e-11 if the work of the load is more than m v0^2/2, for any such load (13.8). The
/// e of a law that leaves a dent loses digits as the load grows. Walton and Braun's law on a fresh
/// spot does not. These accuracies are for a given damping. The damping that follows from a wanted
/// restitution gives it with an absolute error of 1e-12.
/// Errors: throws core::InputError with what `check` and `contact::with_all_numbers` find, and for
/// a law that attracts bodies that just touch, under `zero_force`. The status is `failed` if
/// - the force of the law is not finite,
/// - the body does not rebound, and at every overlap the force at rest is below the load,
/// - the law may leave a dent, and the work of the load is 1e9 times m v0^2/2.
Restitution restitution(const contact::Law& law, const Impact& impact);

/// Overlap at which the contact begins [m]: 0, or the dent that `earlier_overlap` left.
double begin_overlap(const contact::Law& law, const Impact& impact);

/// A point on the way of an impact.
struct PathPoint {
    double time;     ///< [s]
    double overlap;  ///< [m]
    double rate;     ///< of the overlap [m/s]
    double force;    ///< [N]
};

/// An impact with its way, for figures: a few hundred points, to 1e-5 of the largest value. Where
/// the body sticks the way ends when that is clear.
struct Path {
    Restitution restitution;        ///< what the impact shows
    std::vector<PathPoint> points;  ///< in order of time
};
/// The way of an impact. Errors: as of `restitution`.
Path path_of(const contact::Law& law, const Impact& impact);

/// e alone, in about half the time; none if the impact failed.
std::optional<double> coefficient_of_restitution(const contact::Law& law, const Impact& impact);

}  // namespace stoss::impact
