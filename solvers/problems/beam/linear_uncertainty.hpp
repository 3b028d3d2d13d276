#pragma once
/// The scatter of restitution from its derivatives: one map in place of samples
/// (docs/gradients.md).

#include <cstddef>
#include <string>
#include <vector>

#include <models/beam_gradients.hpp>
#include <models/beam_model.hpp>
#include <solvers/case/locations.hpp>
#include <solvers/case/outcome.hpp>
#include <solvers/case/problem.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>
#include <stoss/statistics/marginal.hpp>

namespace stoss::solvers {

/// e = e(p) + sum of de/dp_i (p_i - p) with independent p_i: mean and standard deviation of e along
/// the beam, and the share of each key in its variance.
class LinearUncertainty {
  public:
    /// One distribution a key.
    LinearUncertainty(const models::BeamModel& nominal, const Locations& locations,
                      std::vector<std::string> keys,
                      const std::vector<statistics::Marginal>& marginals);

    /// e at one place; NaN where there is no collision or a derivative is missing.
    struct Place {
        double xi = 0.0;
        double cor = 0.0;            ///< at the values of the case
        double mean = 0.0;           ///< of e
        double deviation = 0.0;      ///< standard deviation of e
        std::vector<double> shares;  ///< of the keys in the variance; none if it is 0
        /// Distance to the nearest kink, in standard deviations of the key that leads there; NaN:
        /// there is none.
        double kink = 0.0;
        std::string kink_words;  ///< the key, and what happens there
    };
    /// Computes all places on all cores and adds uncertainty_linear.csv, `linear` of the summary,
    /// and warnings: of keys without derivatives, and if `sampled`, the standard deviations from
    /// samples, differ (empty: there are none). False if the run was stopped.
    bool add_to(Outcome& outcome, const RunOptions& options, const std::vector<double>& sampled,
                io::Value& summary) const;

  private:
    Place at(std::size_t index) const;
    std::vector<Place> places(const RunOptions& options) const;
    io::Table table(const std::vector<Place>& places) const;
    io::Value summary(const std::vector<Place>& places) const;
    void warn(const std::vector<Place>& places, std::vector<std::string>& warnings) const;

    Locations locations_;
    double length_;
    models::BeamGradients gradients_;
    std::vector<double> means_, deviations_;  // of the keys
};

}  // namespace stoss::solvers
