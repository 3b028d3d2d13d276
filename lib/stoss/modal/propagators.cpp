#include <stoss/modal/propagators.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

#include <stoss/modal/detail/flow_columns.hpp>

namespace stoss::modal {

Propagators::Propagators(std::span<const double> eigenvalues, std::span<const double> dampings,
                         double longest_step)
    : modes_(eigenvalues.size()),
      padded_((modes_ + lanes - 1) / lanes * lanes),
      eigenvalues_(padded_, 0.0),
      dampings_(padded_, 0.0),
      omegas_(padded_, 0.0),
      inverse_(padded_, 0.0),
      slots_(std::make_unique<std::array<Slot, levels>>()) {
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

const Propagator& Propagators::level(int l) const {
    Slot& slot = (*slots_)[static_cast<std::size_t>(l)];
    std::call_once(slot.made, [&] { make(slot, step(l)); });
    return slot.level;
}

void Propagators::make(Slot& slot, double step) const {
    slot.numbers.resize(FlowColumn::count * padded_, 0.0);
    slot.level = {step, eigenvalues_.data(), dampings_.data(), slot.numbers.data()};
    for (std::size_t j = 0; j < modes_; ++j) {
        double* const first = slot.numbers.data() + Propagator::place(j);
        detail::fill_columns(eigenvalues_[j], dampings_[j], step,
                             [&](std::size_t column) -> double& { return first[column * lanes]; });
    }
}

}  // namespace stoss::modal
