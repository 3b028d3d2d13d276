#pragma once
/// The tangential force of a contact by any law: a spring with a slider, or a bed of springs.

#include <optional>
#include <utility>
#include <variant>

#include <stoss/contact/tangential_law.hpp>
#include <stoss/motion/detail/ring_friction.hpp>
#include <stoss/motion/detail/slider_friction.hpp>

namespace stoss::motion {

/// The members are those of SliderFriction. A bed of springs has no events: its springs begin to
/// slip one after the other.
class AnyFriction {
  public:
    /// Precondition: the law is not contact::Smooth.
    explicit AnyFriction(const ContactFriction& given) : model_(made(given)) {}

    bool is_planar() const {
        return std::visit([](const auto& model) { return model.is_planar(); }, model_);
    }
    void begin(const AnyContact& law, double x) {
        std::visit([&](auto& model) { model.begin(law, x); }, model_);
    }
    double end() {
        return std::visit([](auto& model) { return model.end(); }, model_);
    }
    Tangential force() const {
        return std::visit([](const auto& model) -> Tangential { return model.force(); }, model_);
    }
    double stiffness() const {
        return std::visit([](const auto& model) { return model.stiffness(); }, model_);
    }
    double stored_energy() const {
        return std::visit([](const auto& model) { return model.stored_energy(); }, model_);
    }
    /// `normal`: overlap and its rate at the begin of the step.
    void begin_step(const TangentMotion& y, const ContactMotion& normal) {
        if (auto* const slider = std::get_if<SliderFriction>(&model_))
            slider->begin_step(y, normal.v);
        else
            std::get<RingFriction>(model_).begin_step(y, normal);
    }
    TangentialForces at_nodes(double h, const AnyContact& law, const NodeMotion& normal,
                              const TangentNodes& tangent) const {
        return std::visit(
            [&](const auto& model) { return model.at_nodes(h, law, normal, tangent); }, model_);
    }
    std::optional<FrictionEvent> event(const FrictionStep& step) const {
        const auto* const slider = std::get_if<SliderFriction>(&model_);
        return slider ? slider->event(step) : std::nullopt;
    }
    /// Of an event.
    double end_margin(FrictionCondition condition, const FrictionStep& step) const {
        return std::get<SliderFriction>(model_).end_margin(condition, step);
    }
    void change(FrictionCondition condition, const FrictionStep& step) {
        std::get<SliderFriction>(model_).change(condition, step);
    }
    double accept(const FrictionStep& step) {
        return std::visit([&](auto& model) { return model.accept(step); }, model_);
    }
    /// `force` [N]: of the law at the overlap x [m].
    double follow(const AnyContact& law, double x, double force) {
        if (auto* const slider = std::get_if<SliderFriction>(&model_))
            return slider->follow(law, x);
        return std::get<RingFriction>(model_).follow(law, x, force);
    }

    /// Shows an archive what it is between two steps.
    template <class Archive>
    void visit(Archive& archive) {
        std::visit([&](auto& model) { archive(model); }, model_);
    }

  private:
    using Model = std::variant<SliderFriction, RingFriction>;

    static Model made(const ContactFriction& given) {
        if (const auto* const law = std::get_if<contact::PartialSlip>(&given.tangential))
            return RingFriction(given, law->rings);
        return SliderFriction(given);
    }

    Model model_;
};

}  // namespace stoss::motion
