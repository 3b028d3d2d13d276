#include <stoss/core/cuthill_mckee.hpp>

#include <algorithm>
#include <numeric>

namespace stoss::core {

std::vector<std::size_t> cuthill_mckee(const std::vector<std::vector<std::size_t>>& neighbours) {
    const auto has_fewer = [&](std::size_t a, std::size_t b) {
        return neighbours[a].size() < neighbours[b].size();
    };
    std::vector<std::size_t> starts(neighbours.size()), order;
    std::iota(starts.begin(), starts.end(), std::size_t{0});
    std::stable_sort(starts.begin(), starts.end(), has_fewer);
    std::vector<bool> is_numbered(neighbours.size(), false);
    const auto number = [&](std::size_t node) {
        if (is_numbered[node]) return;
        is_numbered[node] = true;
        order.push_back(node);
    };
    for (const std::size_t start : starts) {
        std::size_t next = order.size();
        for (number(start); next < order.size(); ++next) {
            std::vector<std::size_t> beside = neighbours[order[next]];
            std::stable_sort(beside.begin(), beside.end(), has_fewer);
            for (const std::size_t node : beside) number(node);
        }
    }
    return order;
}

}  // namespace stoss::core
