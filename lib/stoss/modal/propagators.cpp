#include <stoss/modal/propagators.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numbers>
#include <utility>
#include <vector>

#include <stoss/modal/detail/flow_columns.hpp>

namespace stoss::modal {

/// The tables that have been made. Every second level has steps twice as long, so that the motion
/// over its steps follows from that over the steps of the level before.
class Propagators::Tables {
  public:
    const Propagator& level(const Propagators& modes, int l) {
        Slot& slot = slots_[static_cast<std::size_t>(l)];
        if (!slot.is_made.load(std::memory_order_acquire)) {
            Doublings& doublings = doublings_[static_cast<std::size_t>(l % octave)];
            const std::lock_guard lock(doublings.mutex);
            if (!slot.is_made.load(std::memory_order_relaxed)) make(modes, l, doublings);
        }
        return slot.level;
    }

  private:
    struct Slot {
        std::atomic<bool> is_made = false;
        core::AlignedVector numbers;
        Propagator level;
    };
    /// Of all modes over the steps of the coarsest level that has been made.
    struct Doublings {
        std::mutex mutex;
        int coarsest = levels;  // none
        std::vector<detail::StepsToPlaces> steps;
    };

    /// Coarser levels than those that have been made come with all levels between.
    void make(const Propagators& modes, int l, Doublings& doublings) {
        if (doublings.coarsest == levels || l > doublings.coarsest) {
            std::vector<detail::StepsToPlaces> steps(modes.modes_);
            fill(modes, l, [&](std::size_t j, std::size_t place, double time) {
                return steps[j][place] =
                           modal_step(modes.eigenvalues_[j], modes.dampings_[j], time);
            });
            if (doublings.coarsest < levels) return;
            doublings.steps = std::move(steps);
            doublings.coarsest = l;
        }
        while (doublings.coarsest > l) {
            fill(modes, doublings.coarsest - octave,
                 [&](std::size_t j, std::size_t place, double time) {
                     ModalStep& step = doublings.steps[j][place];
                     return step =
                                modal_step(modes.eigenvalues_[j], modes.dampings_[j], time, step);
                 });
            doublings.coarsest -= octave;
        }
    }

    /// `step_to(j, place, time)`: the step of mode j to that place, which lasts that time [s].
    template <class StepTo>
    void fill(const Propagators& modes, int l, const StepTo& step_to) {
        Slot& slot = slots_[static_cast<std::size_t>(l)];
        const double step = modes.step(l);
        slot.numbers.resize(FlowColumn::count * modes.padded_, 0.0);
        slot.level = {step, modes.eigenvalues(), modes.dampings(), slot.numbers.data(),
                      static_cast<std::size_t>(l)};
        for (std::size_t j = 0; j < modes.modes_; ++j) {
            detail::StepsToPlaces steps;
            for (std::size_t i = 0; i < steps.size(); ++i)
                steps[i] = step_to(j, i, detail::places[i] * step);
            double* const first = slot.numbers.data() + Propagator::place(j);
            detail::fill_columns(
                steps, [&](std::size_t column) -> double& { return first[column * lanes]; });
        }
        slot.is_made.store(true, std::memory_order_release);
    }

    std::array<Slot, levels> slots_;
    std::array<Doublings, octave> doublings_;
};

Propagators::Propagators(std::span<const double> eigenvalues, std::span<const double> dampings,
                         double longest_step)
    : modes_(eigenvalues.size()),
      padded_((modes_ + lanes - 1) / lanes * lanes),
      eigenvalues_(padded_, 0.0),
      dampings_(padded_, 0.0),
      omegas_(padded_, 0.0),
      inverse_(padded_, 0.0),
      tables_(std::make_unique<Tables>()) {
    std::copy(eigenvalues.begin(), eigenvalues.end(), eigenvalues_.begin());
    std::copy(dampings.begin(), dampings.end(), dampings_.begin());
    for (int l = 0; l < levels; ++l) {
        steps_[static_cast<std::size_t>(l)] =
            std::ldexp(l % 2 == 0 ? longest_step : longest_step / std::numbers::sqrt2, -(l / 2));
    }
    for (std::size_t j = 0; j < modes_; ++j) {
        if (eigenvalues_[j] > 0.0) inverse_[j] = 1.0 / eigenvalues_[j];
        omegas_[j] = std::sqrt(eigenvalues_[j]);
        fastest_ = std::max(fastest_, omegas_[j] + dampings_[j]);
        highest_omega_ = std::max(highest_omega_, omegas_[j]);
    }
}

Propagators::~Propagators() = default;

const Propagator& Propagators::level(int l) const {
    return tables_->level(*this, l);
}

}  // namespace stoss::modal
