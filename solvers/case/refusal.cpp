#include <solvers/case/refusal.hpp>

#include <utility>

#include <stoss/io/bind.hpp>

namespace stoss::solvers {

void refuse(const io::Document& document, const std::vector<core::Violation>& violations) {
    io::Problems problems;
    for (const core::Violation& violation : violations) {
        problems.push_back(document.locate(violation));
    }
    io::throw_if_any(document, std::move(problems));
}

}  // namespace stoss::solvers
