#pragma once
/// `uncertainty:`, keys of a struck beam that are known as distributions only, and what they do to
/// the coefficient of restitution along the beam (docs/theory/experiments.md).

#include <array>
#include <cstddef>
#include <string>
#include <tuple>
#include <vector>

#include <models/beam_model.hpp>
#include <solvers/case/distribution.hpp>
#include <solvers/case/locations.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/core/fields.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/document.hpp>
#include <stoss/io/json.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {

/// One key and its distribution.
struct UncertainKey {
    std::string key;
    Distribution distribution;

    static constexpr auto fields() {
        return std::tuple{core::field("key", &UncertainKey::key,
                                      "path of the key, e.g. beam.material.youngs_modulus; or "
                                      "location: a shift of the contact location (m)")
                              .required(),
                          core::field("distribution", &UncertainKey::distribution,
                                      "probability distribution of the key")
                              .required()};
    }
};

/// How the scatter of e is found.
enum class UncertaintyMethod { sobol, linear, both };

constexpr auto enum_names(UncertaintyMethod) {
    return std::array{
        core::EnumName{UncertaintyMethod::sobol, "sobol",
                       "samples: N (d + 2) maps; band and Sobol indices"},
        core::EnumName{UncertaintyMethod::linear, "linear",
                       "one map at the means of the keys, with its exact derivatives; exact where "
                       "e is linear in the keys"},
        core::EnumName{UncertaintyMethod::both, "both", "both, and where they differ"}};
}

/// `uncertainty:` of a map.
struct Uncertainty {
    UncertaintyMethod method = UncertaintyMethod::sobol;
    int samples = 1024;
    int seed = 1;
    std::vector<UncertainKey> keys;

    static constexpr auto fields() {
        return std::tuple{
            core::field("method", &Uncertainty::method, "method that finds the scatter of e"),
            core::field(
                "samples", &Uncertainty::samples, "", core::closed(2, 1 << 20),
                "number N of samples, a power of 2; with d keys N (d + 2) maps are computed"),
            core::field("seed", &Uncertainty::seed, "", core::at_least(0),
                        "seed of the random shift of Sobol's sequence"),
            core::field("keys", &Uncertainty::keys, "uncertain keys").required()};
    }

    bool samples_e() const { return method != UncertaintyMethod::linear; }
    bool is_linear() const { return method != UncertaintyMethod::sobol; }
    std::vector<std::string> key_names() const;
};

/// The samples of a case, ready to be computed.
class UncertaintyStudy {
  public:
    /// `nominal` is the collision of the case, its number of modes given. Errors: core::InputError
    /// as `check_uncertainty`.
    UncertaintyStudy(const io::Document& document, const Uncertainty& uncertainty,
                     const models::BeamCollision& nominal, const Locations& locations);

    /// Computes all samples that the checkpoint does not hold yet; their rows begin at
    /// `first_row`. False if the run was stopped before all were done.
    /// Errors: core::InputError if values together make no case that can be computed.
    bool compute(const models::BeamModel& nominal, const RunOptions& options,
                 std::size_t first_row);

    std::size_t collisions() const;       ///< that are to be computed
    std::size_t collisions_done() const;  ///< of these

    /// What the samples say of one place, one index a key; precondition: all are computed.
    struct Place {
        statistics::Spread spread;
        std::vector<std::optional<statistics::SobolIndex>> indices;
    };
    std::vector<Place> places() const;
    io::Table table(const std::vector<Place>& places) const;    ///< uncertainty.csv
    io::Value summary(const std::vector<Place>& places) const;  ///< `uncertainty` of summary.json

    /// The distributions, one a key.
    const std::vector<statistics::Marginal>& marginals() const { return marginals_; }
    /// Key, unit and quantiles of each.
    io::Value keys_summary() const;

    /// Adds a warning for each kind of doubtful result, and sets the ending if a collision failed.
    void judge(const std::vector<Place>& places, Outcome& outcome) const;

  private:
    using Row = std::vector<double>;

    std::size_t keys() const { return marginals_.size(); }
    std::size_t points() const { return locations_.count(); }
    double value(std::size_t sample, bool of_b, std::size_t key) const;
    Row compute_row(const models::BeamModel& nominal, std::size_t sample) const;
    models::BeamModel model(const models::BeamModel& same_beam, const std::vector<double>& values,
                            bool beam_differs) const;
    void strike(const models::BeamModel& model, double shift, Row& row) const;
    std::vector<double> results(std::size_t variant, std::size_t place) const;
    Place at(std::size_t place) const;
    statistics::SobolIndex index_errors(const std::vector<Place>& places, std::size_t key) const;
    void add_deviations(const std::vector<Place>& places, io::Value& summary) const;

    const io::Document& document_;
    Uncertainty uncertainty_;
    models::BeamCollision nominal_;
    Locations locations_;
    double resolution_;  ///< e is not known better
    std::vector<statistics::Marginal> marginals_;
    std::vector<std::string> units_;
    std::vector<bool> changes_beam_;  ///< the modes depend on that key
    std::vector<double> points_;      ///< of Sobol's sequence: for each sample A, then B
    std::vector<Row> rows_;  ///< a sample: failed collisions, largest error, e of A, B, A_B^1, ...
};

/// What is wrong with `uncertainty`: number of samples, keys, distributions, samples that a key may
/// not have. Precondition: `models::check(nominal)` found nothing.
std::vector<core::Violation> check_uncertainty(const Uncertainty& uncertainty,
                                               const models::BeamCollision& nominal,
                                               std::size_t places);

}  // namespace stoss::solvers
