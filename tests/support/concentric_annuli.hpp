#pragma once
/// The oblique impact of an elastic sphere by the method of Maw, Barber and Fawcett (1976): the
/// contact is divided into concentric annuli, which the half space couples. It shares no code with
/// the library.

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

/// A sphere whose radius, mass and E* are 1 meets a half space at the normal speed 1, with mu = 1.
/// The normal motion is that of Hertz. Steps are such that the edge of the contact always lies
/// between two annuli.
class ConcentricAnnuli {
  public:
    /// `share`: tangential over normal stiffness.
    ConcentricAnnuli(double share, int count)
        : count_(count),
          radius_(count),
          force_(count),
          traction_(count, count),
          lift_(count, count) {
        follow_hertz();
        for (int i = 0; i < count; ++i) {
            const double r = 0.5 * (radius_[i] + (i > 0 ? radius_[i - 1] : 0.0));
            for (int j = 0; j < count; ++j) {
                const double a = radius_[j], ratio = std::min(r / a, a / r);
                const double root = std::sqrt(1.0 - ratio * ratio);
                traction_(i, j) = r < a ? root : 0.0;
                lift_(i, j) = r < a ? 0.25 * std::numbers::pi * (2.0 * a - r * r / a)
                                    : 0.5 * ((2.0 * a - r * r / a) * std::asin(ratio) + r * root);
            }
        }
        lift_ /= share;
        force_ = 2.0 / 3.0 * std::numbers::pi * radius_.cwiseAbs2();
    }

    /// Slip of the contact point over mu v_n after the impact, from that before.
    double after(double slip) const {
        Eigen::VectorXd displacement = Eigen::VectorXd::Zero(count_), next = displacement;
        double force = 0.0;
        for (int n = 1; n <= 2 * count_; ++n) {
            const int inside = std::min(n, 2 * count_ - n);
            double end = force;
            for (int pass = 0; pass < 3; ++pass) {
                const double way = step_ * (slip - mobility * step_ * (force / 3.0 + end / 6.0));
                end = inside > 0 ? solve(inside, way, displacement, next) : 0.0;
            }
            slip -= mobility * 0.5 * step_ * (force + end);
            displacement = next;
            force = end;
        }
        return slip;
    }

  private:
    static constexpr double mobility = 3.5;  // of the contact point of a solid sphere

    /// Radii of the contact after equal times up to the largest overlap.
    void follow_hertz() {
        const double k = 4.0 / 3.0, deepest = std::pow(1.25 / k, 0.4);
        step_ = deepest * std::sqrt(std::numbers::pi) * std::tgamma(1.4) / std::tgamma(0.9) /
                static_cast<double>(count_);
        constexpr int parts = 2000;
        const double h = step_ / parts;
        double x = 0.0, v = 1.0;
        const auto slowed = [&](double at) { return -k * std::pow(std::max(at, 0.0), 1.5); };
        for (int j = 0; j < count_; ++j) {
            for (int part = 0; part < parts; ++part) {
                v += 0.5 * h * slowed(x);
                x += h * v;
                v += 0.5 * h * slowed(x);
            }
            radius_[j] = std::sqrt(x);
        }
    }

    /// Displacements of the surface after the bodies slip by `way`; returns the force. An annulus
    /// sticks, or slips with the traction of Coulomb.
    double solve(int inside, double way, const Eigen::VectorXd& before,
                 Eigen::VectorXd& after) const {
        const auto traction = traction_.topLeftCorner(inside, inside);
        const auto lift = lift_.topLeftCorner(inside, inside);
        const Eigen::VectorXd limit =
            2.0 / std::numbers::pi * radius_[inside - 1] * traction.col(inside - 1);
        Eigen::VectorXi slips = Eigen::VectorXi::Zero(inside);
        Eigen::VectorXd weights(inside);
        for (int round = 0; round < 1000; ++round) {
            Eigen::MatrixXd matrix(inside, inside);
            Eigen::VectorXd wanted(inside);
            for (int i = 0; i < inside; ++i) {
                matrix.row(i) = slips[i] != 0 ? traction.row(i) : lift.row(i);
                wanted[i] = slips[i] != 0 ? slips[i] * limit[i] : before[i] + way;
            }
            weights = matrix.partialPivLu().solve(wanted);
            const Eigen::VectorXd stress = traction * weights;
            const Eigen::VectorXd moved = lift * weights - before.head(inside);
            bool changes = false;
            for (int i = 0; i < inside; ++i) {
                if (slips[i] == 0 && std::abs(stress[i]) > limit[i] * (1.0 + 1e-9)) {
                    slips[i] = stress[i] > 0.0 ? 1 : -1;
                    changes = true;
                } else if (slips[i] != 0 && (way - moved[i]) * slips[i] < -1e-12) {
                    slips[i] = 0;
                    changes = true;
                }
            }
            if (!changes) break;
        }
        after = lift_.leftCols(inside) * weights;
        return force_.head(inside).dot(weights);
    }

    int count_;
    double step_ = 0.0;
    Eigen::VectorXd radius_, force_;   // of each annulus, its outer radius; of each distribution
    Eigen::MatrixXd traction_, lift_;  // at the annuli, of distributions sqrt(1 - r^2/a_j^2)
};
