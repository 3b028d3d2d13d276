#pragma once
/// The bodies of a motion as lines that move, for pictures.

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include <models/impact_motion.hpp>

namespace stoss::models {

/// Lines that show the bodies of a model. x is along the tangent, y along the axis of the
/// displacements, z along the second tangent. Where all displacements are 0, the bodies lie so that
/// the gaps of their contacts are those of the case; bodies without a contact between them lie side
/// by side. A beam is its axis, a bar its rectangle, a sphere a circle with a spoke, and in space a
/// second circle. A point mass is drawn as a ball of steel of its mass. A surface is a line.
class MotionPicture {
  public:
    /// Keeps references to both.
    MotionPicture(const MotionModel& model, const MotionSystem& made);

    /// Where the points are if all displacements are 0 [m].
    const std::vector<std::array<double, 3>>& points() const { return points_; }
    /// Each line by the index of its points.
    const std::vector<std::vector<std::size_t>>& lines() const { return lines_; }
    /// For each point the place of its body in the model.
    const std::vector<std::size_t>& bodies() const { return bodies_; }

    /// Displacements of all points [m], points x 3, where the modes of the system have the
    /// coordinates q_j [sqrt(kg) m] at `time` [s]. The replacement of the omitted modes of a beam
    /// is known at its contacts alone and is left out.
    std::vector<double> displacements(double time, std::span<const double> coordinates) const;

  private:
    /// One body: its points and what moves them.
    struct Part {
        const Body* body;
        const BodyInSystem* modes;
        std::size_t begin, end;  // points
        std::array<double, 2> centre;
        Eigen::MatrixXd shapes;  // of a beam: points x modes
        Eigen::MatrixXd along;   // of a beam that moves along its axis: points x axial modes
    };

    void place_bodies();
    void place_beside(std::size_t body);
    void add_points(std::size_t body);
    void add_axis(std::size_t body, const BeamInMotion& beam, Part& part);
    void add_line(std::size_t body, const std::vector<std::array<double, 3>>& points);
    std::size_t index_of(const std::string& name) const;

    const MotionModel& model_;
    const MotionSystem& made_;
    std::vector<std::array<std::size_t, 2>> ends_;  // first and second body of each contact
    std::vector<std::optional<std::array<double, 2>>> centres_;  // of each body
    std::vector<Part> parts_;
    std::vector<std::array<double, 3>> points_;
    std::vector<std::vector<std::size_t>> lines_;
    std::vector<std::size_t> bodies_;
};

}  // namespace stoss::models
