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
#include <stoss/core/error.hpp>
#include <stoss/io/csv.hpp>
#include <stoss/io/json.hpp>
#include <stoss/statistics/marginal.hpp>
#include <stoss/statistics/sensitivity.hpp>

namespace stoss::solvers {

/// e = e(m) + sum of de/dp_i(m) (p_i - m_i) with independent p_i of means m_i: mean and standard
/// deviation of e along the beam, and the share of each key in its variance. All collisions are
/// those of the case with its keys at their means.
class LinearUncertainty {
  public:
    /// `nominal` is the model of the case; one distribution a key. Precondition: `check` found
    /// nothing.
    LinearUncertainty(const models::BeamModel& nominal, const Locations& locations,
                      const std::vector<std::string>& keys,
                      const std::vector<statistics::Marginal>& marginals);
    LinearUncertainty(const LinearUncertainty&) = delete;  // the gradients refer to the model
    LinearUncertainty& operator=(const LinearUncertainty&) = delete;

    /// What is wrong with the case once its keys have their means, or with derivatives there.
    static std::vector<core::Violation> check(const models::BeamCollision& nominal,
                                              const std::vector<std::string>& keys,
                                              const std::vector<statistics::Marginal>& marginals);

    /// e at one place; NaN where there is no collision or a derivative is missing.
    struct Place {
        double xi = 0.0;             ///< as the case gives the place
        double cor = 0.0;            ///< at the means of the keys
        double mean = 0.0;           ///< of e: `cor` where there are derivatives
        double deviation = 0.0;      ///< standard deviation of e
        std::vector<double> shares;  ///< of the keys in the variance; none if it is 0
        /// Distance to the nearest kink, in standard deviations of the key that leads there; NaN:
        /// there is none.
        double kink = 0.0;
        std::string kink_words;  ///< the key, and what happens there
    };
    /// Computes all places on all cores and adds uncertainty_linear.csv, `linear` of the summary,
    /// and warnings: of keys without derivatives, and if `sampled`, e of the samples at each place,
    /// has another mean or standard deviation (empty: there are none). False if the run was
    /// stopped.
    bool add_to(Outcome& outcome, const RunOptions& options,
                const std::vector<statistics::Spread>& sampled, io::Value& summary) const;

  private:
    Place at(std::size_t index) const;
    std::vector<Place> places(const RunOptions& options) const;
    io::Table table(const std::vector<Place>& places) const;
    io::Value summary(const std::vector<Place>& places) const;
    void warn(const std::vector<Place>& places, std::vector<std::string>& warnings) const;

    Locations locations_;
    double length_;                    // of the beam of the case
    models::BeamModel at_means_;       // the model with all keys at their means
    models::BeamGradients gradients_;  // of that model
    double shift_ = 0.0;               // mean shift of the place of contact [m]
    std::vector<double> deviations_;   // of the keys
};

}  // namespace stoss::solvers
