#pragma once
/// Keys of a struck beam that are to be found between bounds, and results of its collisions as
/// functions of them: what `beam_fit` and `beam_optimize` share.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <Eigen/Core>
#include <models/beam_collision.hpp>
#include <models/beam_model.hpp>
#include <solvers/case/input_echo.hpp>
#include <solvers/case/key_range.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/error.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/core/place.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::solvers {

/// A key that is to be found, and where.
struct FittedKey {
    std::string key, from, to;
    Spacing spacing = Spacing::linear;

    static constexpr auto fields() {
        return std::tuple{
            core::field("key", &FittedKey::key, "path of the key, e.g. beam.internal_damping")
                .required(),
            core::field("from", &FittedKey::from,
                        "smallest accepted value, written as for the key itself")
                .required(),
            core::field("to", &FittedKey::to, "largest accepted value").required(),
            core::field(
                "spacing", &FittedKey::spacing,
                "scale of the search; logarithmic: for a key of unknown order of magnitude")};
    }
};

/// Each in [0, 1]: from the lower to the upper bound.
using Unknowns = std::vector<double>;

/// A key that is to be found, its bounds in SI.
struct Sought {
    std::string key, unit;
    Steps range;

    bool is_logarithmic() const { return range.spacing == Spacing::logarithmic; }
    double value(double t) const;
    double unknown(double value) const;
    double slope(double t) const;  ///< d value/dt
    bool admits(double value) const { return value >= range.from && value <= range.to; }
    /// Words of a search that ended at a bound, as `bound_of` has it; empty: it did not.
    std::string doubt_about_bound(double t) const;
};

/// The bound at which an unknown lies, to 1e-6 of the range: "lower", "upper" or "none".
const char* bound_of(double t);

/// The keys of a list under the key `list`. Adds what is wrong with them: none at all, one that is
/// given twice, that is no number of the case or one of its computation (mesh, integration), or
/// whose bounds are not admissible for it.
std::vector<Sought> read_sought(const models::BeamCollision& nominal,
                                const std::vector<FittedKey>& given, const std::string& list,
                                std::vector<core::Violation>& violations);

/// The value of a key in the case [SI]; none if the case leaves it open.
std::optional<double> value_in(const models::BeamCollision& nominal, const Sought& sought);

/// The values of the case, then points of Sobol's sequence between the bounds. A value outside its
/// bounds begins at the nearest one, a key that the case leaves open in the middle.
std::vector<Unknowns> starts_of(const models::BeamCollision& nominal,
                                const std::vector<Sought>& sought, int count);

/// What was understood of the case. Values outside their bounds are doubtful: the first search
/// begins elsewhere.
InputEcho echo_of(const models::BeamCollision& nominal, const std::vector<Sought>& sought,
                  std::span<const double> places);

/// The case with the keys at t; as it is if t is empty.
models::BeamCollision collision_at(const models::BeamCollision& nominal,
                                   const std::vector<Sought>& sought, const Unknowns& t);

using Places = std::vector<core::Place>;

/// Places xi, which move with the length of the beam.
Places fractions(const std::vector<double>& xi);

/// xi of places on a beam of that length [m]. Distances beyond its end by roundoff are its end.
std::vector<double> shares(const Places& places, double length);

/// One result of the collisions along the beam as a function of the unknowns. All arguments live
/// as long as this. Places that are distances stay where they are while `beam.length` changes.
class SoughtResults {
  public:
    /// Precondition: the number of modes is given.
    SoughtResults(const models::BeamCollision& nominal, const std::vector<Sought>& sought,
                  impact::Quantity quantity, const RunOptions& options);

    /// The result at the places for each set of unknowns, of the case itself for an empty set; NaN
    /// where there is none. False: stopped.
    bool curves(const std::vector<Unknowns>& sets, const Places& places,
                std::vector<std::vector<double>>& results) const;

    /// The result at the places, and its derivatives by the unknowns, places x unknowns: exact
    /// ones, or, of a key by which there are none, central differences. False: stopped.
    bool tangents(const Unknowns& t, const Places& places, std::vector<double>& results,
                  Eigen::MatrixXd& jacobian) const;

    /// True if the derivatives cost little more than the result itself.
    bool has_gradients() const { return has_gradients_; }

  private:
    /// The quantity; NaN if the collision does not tell it.
    double known_value(const impact::CollisionResult& result, double time_limit) const;
    /// Items 0 ... count - 1 on several threads. False: stopped, and the items under way are left.
    bool compute(std::size_t count, const std::function<void(std::size_t)>& item) const;
    bool take_gradients(const Unknowns& t, const Places& places, std::vector<double>& results,
                        Eigen::MatrixXd& jacobian) const;
    bool take_differences(const Unknowns& t, const Places& places,
                          const std::vector<std::size_t>& unknowns, std::vector<double>& results,
                          Eigen::MatrixXd& jacobian) const;
    void emplace(std::optional<models::BeamModel>& model, const Unknowns& t) const;

    const models::BeamCollision& collision_;
    const std::vector<Sought>& sought_;
    impact::Quantity quantity_;
    const RunOptions& options_;
    double step_ = 0.0;  // of differences
    std::vector<std::string> keys_;
    bool has_gradients_ = false;
    std::optional<models::BeamModel> nominal_;  // if no key changes the modes of the beam
};

}  // namespace stoss::solvers
