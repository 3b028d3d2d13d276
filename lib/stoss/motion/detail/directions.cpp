#include <stoss/motion/detail/directions.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include <stoss/core/cuthill_mckee.hpp>

namespace stoss::motion {

namespace {

/// Mode values of a direction; null if the contact has no such tangent.
const std::vector<double>* values_of(const System& system, std::size_t d) {
    const std::size_t contacts = system.contacts.size();
    if (d >= contacts) {
        const std::optional<ContactFriction>& friction = system.contacts[d % contacts].friction;
        if (!friction || (d >= 2 * contacts && friction->lateral_phi.empty())) return nullptr;
    }
    return &direction(system, d);
}

}  // namespace

Directions::Directions(const System& system) : padded_(padded_modes(system)) {
    find_ranges(system);
    find_partners(system);
    order_contacts(system.contacts.size());
}

void Directions::find_ranges(const System& system) {
    ranges_.resize(directions(system));
    phi_.assign(std::max<std::size_t>(1, ranges_.size()) * padded_, 0.0);
    for (std::size_t d = 0; d < ranges_.size(); ++d) {
        const std::vector<double>* const values = values_of(system, d);
        if (!values) continue;
        std::ranges::copy(*values, phi_.begin() + static_cast<std::ptrdiff_t>(d * padded_));
        for (std::size_t j = 0; j < padded_; j += core::lanes) {
            const double* const first = phi(d) + j;
            if (std::all_of(first, first + core::lanes, [](double each) { return each == 0.0; }))
                continue;
            if (!ranges_[d].empty() && ranges_[d].back().end == j)
                ranges_[d].back().end = j + core::lanes;
            else
                ranges_[d].push_back({j, j + core::lanes});
        }
    }
}

void Directions::find_partners(const System& system) {
    const std::size_t contacts = system.contacts.size();
    partners_.resize(size());
    const auto are_coupled = [&](std::size_t c, std::size_t d) {
        return !system.residual_flexibility.empty() && c < contacts && d < contacts &&
               system.residual_flexibility[c * contacts + d] != 0.0;
    };
    for (std::size_t c = 0; c < size(); ++c) {
        for (std::size_t d = c; d < size(); ++d) {
            bool share = false;
            double mobility = 0.0;
            for_registers(c, [&](std::size_t first) {
                for (std::size_t j = first; j < first + core::lanes; ++j) {
                    share = share || (phi(c)[j] != 0.0 && phi(d)[j] != 0.0);
                    mobility += phi(c)[j] * phi(d)[j];
                }
            });
            if (!share && !are_coupled(c, d)) continue;
            partners_[c].push_back({d, pairs_, mobility});
            if (d != c) partners_[d].push_back({c, pairs_, mobility});
            ++pairs_;
        }
    }
}

void Directions::order_contacts(std::size_t contacts) {
    std::vector<std::vector<std::size_t>> beside(contacts);
    for (std::size_t c = 0; c < contacts; ++c) {
        for (const Partner& each : partners_[c])
            if (each.direction < contacts) beside[c].push_back(each.direction);
    }
    ranks_.resize(contacts);
    std::size_t rank = 0;
    for (const std::size_t contact : core::cuthill_mckee(beside)) ranks_[contact] = rank++;
}

}  // namespace stoss::motion
