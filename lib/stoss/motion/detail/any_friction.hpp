#pragma once
/// The tangential force of a contact by any law: a spring with a slider, or a bed of springs.

#include <optional>
#include <utility>
#include <variant>

#include <stoss/contact/tangential_law.hpp>
#include <stoss/motion/detail/friction_course.hpp>
#include <stoss/motion/detail/ring_course.hpp>

namespace stoss::motion {

/// The members are those of FrictionCourse. A bed of springs has no events: its springs begin to
/// slip one after the other.
class AnyFriction {
  public:
    /// Precondition: the law is not contact::Smooth.
    explicit AnyFriction(const ContactFriction& given) : course_(made(given)) {}

    bool is_planar() const {
        return std::visit([](const auto& course) { return course.is_planar(); }, course_);
    }
    void begin(const AnyContact& law, double x) {
        std::visit([&](auto& course) { course.begin(law, x); }, course_);
    }
    double end() {
        return std::visit([](auto& course) { return course.end(); }, course_);
    }
    Tangential force() const {
        return std::visit([](const auto& course) -> Tangential { return course.force(); }, course_);
    }
    double stiffness() const {
        return std::visit([](const auto& course) { return course.stiffness(); }, course_);
    }
    double stored_energy() const {
        return std::visit([](const auto& course) { return course.stored_energy(); }, course_);
    }
    /// `normal`: overlap and its rate at the begin of the step.
    void begin_step(const TangentMotion& y, const ContactMotion& normal) {
        if (auto* const slider = std::get_if<FrictionCourse>(&course_))
            slider->begin_step(y, normal.v);
        else
            std::get<RingCourse>(course_).begin_step(y, normal);
    }
    TangentialForces at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                              const TangentNodes& tangent) const {
        return std::visit(
            [&](const auto& course) { return course.at_nodes(h, law, normal, tangent); }, course_);
    }
    std::optional<FrictionEvent> event(const FrictionStep& step) const {
        const auto* const slider = std::get_if<FrictionCourse>(&course_);
        return slider ? slider->event(step) : std::nullopt;
    }
    /// Of an event.
    double end_margin(FrictionCondition condition, const FrictionStep& step) const {
        return std::get<FrictionCourse>(course_).end_margin(condition, step);
    }
    void change(FrictionCondition condition, const FrictionStep& step) {
        std::get<FrictionCourse>(course_).change(condition, step);
    }
    double accept(const FrictionStep& step) {
        return std::visit([&](auto& course) { return course.accept(step); }, course_);
    }
    /// `force` [N]: of the law at the overlap x [m].
    double follow(const AnyContact& law, double x, double force) {
        if (auto* const slider = std::get_if<FrictionCourse>(&course_))
            return slider->follow(law, x);
        return std::get<RingCourse>(course_).follow(law, x, force);
    }

    /// Shows an archive what it is between two steps.
    template <class Archive>
    void visit(Archive& archive) {
        std::visit([&](auto& course) { archive(course); }, course_);
    }

  private:
    using Course = std::variant<FrictionCourse, RingCourse>;

    static Course made(const ContactFriction& given) {
        if (const auto* const law = std::get_if<contact::PartialSlip>(&given.tangential))
            return RingCourse(given, law->rings);
        return FrictionCourse(given);
    }

    Course course_;
};

}  // namespace stoss::motion
