#include <stoss/motion/impact_motion.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <stoss/core/field_checks.hpp>
#include <stoss/core/interrupt.hpp>
#include <stoss/core/state_numbers.hpp>
#include <stoss/motion/detail/contact_steps.hpp>

namespace stoss::motion {

std::string_view to_string(MotionStatus status) {
    switch (status) {
        case MotionStatus::running:
            return "running";
        case MotionStatus::separated:
            return "separated";
        case MotionStatus::rests:
            return "rests";
        case MotionStatus::pushed:
            return "pushed";
        case MotionStatus::unsolved:
            return "unsolved";
        default:
            return "not_finite";
    }
}

/// The motion under way.
class ImpactMotion::Integration : public ContactSteps {
  public:
    using ContactSteps::ContactSteps;

    void advance(double until, const std::function<bool(const Impact&)>& ended) {
        while (now_.time < until && status_ == MotionStatus::running) {
            check_stop_();
            step(until);
            bool go_on = true;
            for (const Impact& each : ended_) go_on = (!ended || ended(each)) && go_on;
            ended_.clear();
            if (!go_on) return;
        }
    }

  private:
    void step(double until) {
        active_.clear();
        goal_ = until;
        end_closing_by_roundoff();
        if (status_ != MotionStatus::running) return;
        for (ContactState& contact : contacts_) contact.acts = false;
        double h = core::infinity;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            ContactState& contact = contacts_[c];
            if (contact.phase == Phase::touching) {
                const time::StepPrediction next = predict(contact);
                if (next.nearly_over) {
                    if (series_.is_present()) series_.release(contact, contacts_);
                    leave(contact, next.ahead);
                } else {
                    activate(c);
                    h = std::min(h, next.step * tables_.longest());
                }
            }
            if (contact.phase == Phase::leaving) h = std::min(h, 2.0 * contact.ahead);
            if (contact.phase == Phase::resting) h = std::min(h, time_of_rest(contact));
        }
        bounds_.hold(contacts_);
        const double left = until - now_.time;
        const auto closes_now = [](const ContactState& each) {
            return each.law && each.closes_now();
        };
        const bool any_acts = !active_.empty() || std::ranges::any_of(contacts_, closes_now);
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            if (!contacts_[c].law) continue;
            if (any_acts && contacts_[c].just_touches()) activate(c);
            if (contacts_[c].closes_now()) {
                begin_contact(c, now_.time, contacts_[c].v);
                activate(c);
                h = std::min(h, predict(contacts_[c]).step * tables_.longest());
            }
        }
        if (active_.empty()) h = std::min(h, push_together());
        if (std::ranges::any_of(active_, [&](std::size_t c) { return acts_on_resting_body(c); }))
            status_ = MotionStatus::pushed;
        else if (active_.empty())
            step_freely(std::min(h, left), left);
        else
            step_in_contact(h, left);
    }

    /// Surfaces that touch at rest act from now on if loads push any of them together. Returns how
    /// long [s] the forces stay small; infinity: nothing pushes.
    double push_together() {
        double h = core::infinity;
        for (std::size_t c = 0; c < contacts_.size(); ++c)
            if (contacts_[c].law && contacts_[c].just_touches())
                h = std::min(h, time_of_push(contacts_[c], closing_acceleration(c)));
        for (std::size_t c = 0; h < core::infinity && c < contacts_.size(); ++c)
            if (contacts_[c].law && contacts_[c].just_touches()) activate(c);
        return h;
    }

    /// The time [s] in which the force stays small beside the push of the acceleration a [m/s^2],
    /// but the overlap grows beyond its roundoff; infinity if a does not close the gap.
    double time_of_push(const ContactState& contact, double a) const {
        if (!(a > 0.0)) return core::infinity;
        const double least = 2.0 * std::sqrt(contact.touching / a);
        double h = tables_.longest();
        const auto is_small = [&] {
            const double force = contact.law->force(contact.x + 0.5 * a * h * h, a * h);
            return contact.mobility * std::abs(force) <= accuracy_.onset * a;
        };
        while (h > least && !is_small()) h *= 0.5;
        return h;
    }

    core::StopCheck check_stop_;
};

ImpactMotion::ImpactMotion(System system, double tolerance) {
    std::vector<core::Violation> found = check(system);
    if (!(tolerance > 0.0 && tolerance <= 1e-2))
        found.push_back({"tolerance", "", "must be > 0 and <= 0.01", ""});
    core::throw_if_any(found);
    integration_ = std::make_unique<Integration>(std::move(system), tolerance);
}
ImpactMotion::~ImpactMotion() = default;
ImpactMotion::ImpactMotion(ImpactMotion&&) noexcept = default;
ImpactMotion& ImpactMotion::operator=(ImpactMotion&&) noexcept = default;

void ImpactMotion::advance(double time, const std::function<bool(const Impact&)>& ended) {
    integration_->advance(time, ended);
}
void ImpactMotion::displace(std::span<const double> coordinates, std::span<const double> rates) {
    const std::size_t modes = system().modes();
    for (const std::size_t size : {coordinates.size(), rates.size()})
        if (size != modes)
            core::throw_if_any(
                {{"coordinates, rates", std::to_string(size),
                  "must hold " + std::to_string(modes) + " numbers, one a mode", ""}});
    integration_->displace(coordinates, rates);
}
MotionStatus ImpactMotion::status() const {
    return integration_->status();
}
double ImpactMotion::time() const {
    return integration_->state().time;
}
std::vector<double> ImpactMotion::coordinates() const {
    const auto& q = integration_->state().q;
    return {q.begin(), q.begin() + static_cast<std::ptrdiff_t>(system().modes())};
}
std::vector<double> ImpactMotion::rates() const {
    const auto& v = integration_->state().v;
    return {v.begin(), v.begin() + static_cast<std::ptrdiff_t>(system().modes())};
}
double ImpactMotion::overlap(std::size_t contact) const {
    return integration_->contact(contact).x;
}
double ImpactMotion::overlap_rate(std::size_t contact) const {
    return integration_->contact(contact).v;
}
double ImpactMotion::force(std::size_t contact) const {
    return integration_->contact(contact).force;
}
std::array<double, 2> ImpactMotion::tangential_force(std::size_t contact) const {
    const ContactState& state = integration_->contact(contact);
    return state.friction ? state.friction->force() : std::array<double, 2>{};
}
std::array<double, 2> ImpactMotion::slip_rate(std::size_t contact) const {
    return integration_->slip_rate(contact);
}
bool ImpactMotion::is_touching() const {
    return integration_->is_touching();
}
bool ImpactMotion::lacked_damping(std::size_t contact) const {
    return integration_->contact(contact).lacked_damping;
}
bool ImpactMotion::met_dent(std::size_t contact) const {
    return integration_->contact(contact).met_dent;
}
MotionEnergy ImpactMotion::energy() const {
    return integration_->energy();
}
std::size_t ImpactMotion::impacts() const {
    return integration_->impacts();
}
std::size_t ImpactMotion::steps() const {
    return integration_->steps();
}
std::vector<double> ImpactMotion::state() const {
    std::vector<double> numbers;
    core::PutNumbers put(numbers);
    integration_->visit(put);
    return numbers;
}
void ImpactMotion::take_up(std::span<const double> state) {
    const std::size_t size = this->state().size();
    if (state.size() != size)
        core::throw_if_any({{"state", std::to_string(state.size()),
                             "must hold " + std::to_string(size) + " numbers", ""}});
    core::TakeNumbers take(state);
    integration_->visit(take);
}
const System& ImpactMotion::system() const {
    return integration_->system();
}

}  // namespace stoss::motion
