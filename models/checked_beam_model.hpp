#pragma once
/// Collisions of a beam for programs: parameters are checked, the number of modes is found, results
/// are values. `stoss::BeamModel` of <stoss/stoss.hpp>.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <models/beam_model.hpp>

namespace stoss::models {

/// One collision, and its motion if that was asked for.
struct Collision : impact::CollisionResult {
    std::vector<impact::Sample> history = {};  ///< in order of time; empty if not asked for
};

/// Collisions at many places: entry i is the collision at xi[i].
struct CollisionMap {
    std::vector<double> xi;                           ///< places x/l
    std::vector<impact::CollisionResult> collisions;  ///< one for each place

    std::size_t size() const { return collisions.size(); }  ///< number of places
    const impact::CollisionResult& operator[](std::size_t i) const { return collisions[i]; }
    /// Iterators over the collisions.
    auto begin() const { return collisions.begin(); }
    auto end() const { return collisions.end(); }  ///< likewise

    /// One number of each collision, as `map.values(&CollisionResult::cor_kinematic)` or a function
    /// of the result.
    template <class Value>
    auto values(Value value) const {
        using Number =
            std::remove_cvref_t<std::invoke_result_t<Value, const impact::CollisionResult&>>;
        std::vector<Number> all;
        all.reserve(collisions.size());
        for (const auto& each : collisions) all.push_back(std::invoke(value, each));
        return all;
    }
};

/// A beam and its striker, ready to collide at any place. A value: it refers to nothing outside,
/// and copies share what was computed once. Safe to share between threads.
///
/// With `mesh.modes` given the modes are computed once. With `auto`, the default, each call first
/// finds as many modes as its own places need (models/mode_choice.hpp), as a run of the command
/// does; `settled` does that once for many calls.
class CheckedBeamModel {
  public:
    /// Errors: core::InputError with everything that is wrong with the parameters, keys as in a
    /// case file; core::NumericalError if the modes cannot be computed.
    explicit CheckedBeamModel(const BeamCollision& parameters);

    /// The collisions at the places xi in [0, 1] on `threads` threads, 0: all cores. The numbers do
    /// not depend on `threads`. Where the bodies do not close the status is `no_approach`.
    /// Errors: core::InputError for a place outside [0, 1]; core::NumericalError as above.
    /// `stop` is asked before each collision, by several threads: core::Stopped once it answers
    /// true. Empty: never.
    CollisionMap map(std::span<const double> xi, int threads = 0,
                     const std::function<bool()>& stop = {}) const;

    /// The same, for many more places than results are wanted in memory: `take(i, result)` is
    /// called once for each place, by several threads at once.
    void map(std::span<const double> xi, int threads, const std::function<bool()>& stop,
             const std::function<void(std::size_t, const impact::CollisionResult&)>& take) const;

    /// The collision at xi in [0, 1], with at most `samples` instants of its motion.
    /// Errors: as of `map`.
    Collision collide(double xi, std::size_t samples = 0) const;

    /// How much further modes would change e_N at the places xi: an estimate for each
    /// (docs/theory/number_of_modes.md); none where the bodies do not part. Takes two or three
    /// collisions a place. `threads`, `stop`, errors: as of `map`.
    std::vector<std::optional<double>> truncation(std::span<const double> xi, int threads = 0,
                                                  const std::function<bool()>& stop = {}) const;

    /// The same beam with the number of modes that these places need; itself if it was given.
    /// `stop` as in `map`.
    CheckedBeamModel settled(std::span<const double> xi, int threads = 0,
                             const std::function<bool()>& stop = {}) const;

    /// Modes, mesh, scales, contact stiffness. Precondition: `mesh.modes` is given, or the model is
    /// `settled`.
    const BeamModel& model() const { return *model_; }

    /// The parameters as given.
    const BeamCollision& parameters() const { return parameters_; }

  private:
    BeamCollision parameters_;
    std::shared_ptr<const BeamModel> model_;  // none: the number of modes is open
};

}  // namespace stoss::models
