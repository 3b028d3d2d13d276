#pragma once
/// How far the coefficient of restitution of a struck beam is from its limit: the same collisions
/// with fewer and with more modes, elements and time steps.

#include <array>
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include <models/beam_collision.hpp>
#include <solvers/case/problem.hpp>

namespace stoss::solvers {

/// How finely a collision is computed.
struct Resolution {
    int modes = 0;
    int elements = 0;
    double time = 0.0;  ///< tolerance of the splitting scheme, or step [s] of Newmark's

    bool operator==(const Resolution&) const = default;
};

/// Precondition: the number of modes is given.
Resolution resolution_of(const models::BeamCollision& collision);
models::BeamCollision with_resolution(models::BeamCollision collision,
                                      const Resolution& resolution);

/// What is refined.
enum class Refined { modes, elements, time };
inline constexpr std::array all_refined{Refined::modes, Refined::elements, Refined::time};

/// A collision of the study.
struct StudiedPlace {
    std::size_t curve = 0;  ///< number of its parameters among those of the study
    double xi = 0.0;
    /// True: one of those that are spread evenly over the case. False: added because e is doubtful
    /// there; it must not move median and quantile.
    bool is_sample = true;
};

/// |change of e_N| over the places where both collisions ended with the bodies apart.
struct CorChanges {
    std::size_t places = 0;
    std::size_t places_in_quantiles = 0;        ///< those of the sample
    std::optional<double> median, quantile_90;  ///< of the sample; none if there is no such place
    std::optional<double> largest;              ///< of all places
    std::size_t place_of_largest = 0;
};

/// One refinement of resolutions for each of the three; the last level of a refinement is its
/// reference.
///
/// Resolution p, n, t of the case; N >= 4 n elements, at least two for each of 2 p modes; t' a
/// hundredth of the tolerance or a quarter of the step:
///
///     time       p, n, 100 t ... t'      elements   p, n ... N, t'      modes   p/4 ... 2 p, N, t'
///
/// The reference of the time is the level of the case among the elements, and that of the elements
/// the one among the modes. So the three changes from the case to the reference of a refinement
/// add up to the change from the case to (2 p, N, t').
class ConvergenceStudy {
  public:
    struct Level {
        Resolution resolution;
        std::size_t number;  ///< of the resolution among all of the study
    };
    struct Refinement {
        std::vector<Level> levels;  ///< from coarse to fine
        std::size_t own_level = 0;  ///< that of the case
    };

    /// `curves` share mesh and scheme. Precondition: models::check finds nothing in any of them,
    /// their number of modes is given, and the bodies close at every place.
    ConvergenceStudy(std::vector<models::BeamCollision> curves, std::vector<StudiedPlace> places);

    /// Computes all collisions that the checkpoint does not hold yet, one row each. False if it was
    /// stopped before all were done.
    /// Errors: core::NumericalError if the modes cannot be computed.
    bool compute(const RunOptions& options);

    std::size_t collisions() const { return cor_.size(); }
    std::size_t collisions_done() const { return done_; }

    /// Precondition of what follows: `compute` has ended.
    const std::vector<StudiedPlace>& places() const { return places_; }
    const Refinement& refinement(Refined refined) const;
    double cor(const Level& level, std::size_t place) const;  ///< e_N; NaN if bodies did not part
    double cor_of_case(std::size_t place) const;
    double cor_of_reference(std::size_t place) const;
    /// e_N of the case minus that of the reference of the refinement.
    double change(Refined refined, std::size_t place) const;
    /// The sum of the three.
    double change(std::size_t place) const;

    CorChanges changes() const;  ///< from the case to the finest of all
    CorChanges changes(
        Refined refined) const;  ///< from the case to the reference of the refinement
    CorChanges changes(Refined refined, std::size_t level) const;  ///< from the level to it

    /// The median change that the last refinement of the time makes: smaller ones say nothing of
    /// modes and elements.
    double floor() const;

    /// True if the level counts for `order`: at most half as fine as the reference, and its median
    /// change is above the floor and below `asymptotic`.
    bool counts(Refined refined, std::size_t level) const;

    /// Measured order q: the median change falls with the power -q of the number of modes or
    /// elements, and with the power q of tolerance or step. Least squares of the logarithms over
    /// the levels that count; none if there are fewer than two.
    std::optional<double> order(Refined refined) const;

    /// Changes of e_N above this are not those of an asymptotic expansion.
    static constexpr double asymptotic = 0.02;

  private:
    std::size_t number_of(const Resolution& resolution);
    void add(Refined refined, const Resolution& resolution);
    void add_modes(const Resolution& own, const Resolution& fine);
    void add_elements(const Resolution& own, const Resolution& fine);
    void add_time(const Resolution& own, const Resolution& fine);
    bool compute(std::size_t resolution, const RunOptions& options,
                 const std::function<void()>& advance);
    template <class Change>
    CorChanges spread(Change change) const;

    std::vector<models::BeamCollision> curves_;
    std::vector<StudiedPlace> places_;
    std::vector<Resolution> resolutions_;  ///< all different
    std::array<Refinement, all_refined.size()> refinements_;
    std::vector<double> cor_;  ///< e_N: place by place of each resolution
    std::size_t done_ = 0;
};

inline constexpr double tightest_tolerance = 1e-11;  ///< as time::Splitting has it
inline constexpr int most_elements = 5000;           ///< as `mesh.elements` has it

/// Number of modes or elements; one over tolerance or step [1/s].
double fineness(Refined refined, const Resolution& resolution);

/// The elements of the finest mesh of a study of such a collision.
int finest_elements(const models::BeamCollision& collision);

/// The name of what is refined: "modes", "elements", "tolerance" or "step".
std::string_view name_of(Refined refined, const impact::Scheme& scheme);

}  // namespace stoss::solvers
