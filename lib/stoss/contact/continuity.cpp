#include <stoss/contact/continuity.hpp>

#include <variant>

namespace stoss::contact {

bool damps_from_onset(const Law& law) {
    return std::visit([](const auto& each) { return damps_from_onset(each); }, law);
}

}  // namespace stoss::contact
