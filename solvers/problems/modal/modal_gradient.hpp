#pragma once
/// `gradient:` of `modal_impact`: derivatives by numbers of the case and of its tables.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include <models/collision_inputs.hpp>
#include <solvers/case/gradient_table.hpp>
#include <stoss/core/error.hpp>
#include <stoss/impact/collide.hpp>
#include <stoss/impact/gradient.hpp>

namespace stoss::solvers {

struct ModalCase;

/// What is wrong with `gradient:` of the case; a case without it has nothing wrong.
std::vector<core::Violation> check_gradient_keys(const ModalCase& all);

/// The derivatives of the collisions of a case.
///
/// Bodies, motions and law follow from the numbers by formulas, which are evaluated at the seven
/// points of a stencil. The gradient of the collision by all of these is exact.
class ModalGradient {
  public:
    /// Precondition: `check_gradient_keys` found nothing, and there are keys; the case lives as
    /// long as this.
    explicit ModalGradient(const ModalCase& all);

    /// The collision at a point of the case, by its number.
    GradientRow row(std::size_t point, const impact::Collider& collider,
                    impact::Collider::Workspace& workspace) const;

    std::span<const GradientKey> keys() const { return keys_; }

  private:
    void add_changes(const std::string& key);
    void take_slopes(std::size_t point, std::span<const impact::CollisionGradient> gradients,
                     models::CollisionSlopes& slopes) const;

    const ModalCase& case_;
    std::vector<impact::Quantity> quantities_;
    std::vector<GradientKey> keys_;
    std::vector<double> values_;                            // of the keys
    std::vector<std::vector<models::InputChange>> change_;  // keys x points
    impact::ModeNumbers by_{false, false, false};           // that any key changes
    impact::LawNumbers law_ = 0;                            // likewise
};

}  // namespace stoss::solvers
