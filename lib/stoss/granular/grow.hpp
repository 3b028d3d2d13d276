#pragma once
/// Arrays whose size changes a little from step to step.

#include <cstddef>
#include <vector>

namespace stoss::granular {

/// Resizes to `count`. A growing array gets spare room, so that small changes do not allocate.
template <class T>
void resize_with_spare(std::vector<T>& values, std::size_t count) {
    if (count > values.capacity()) values.reserve(count + count / 16);
    values.resize(count);
}

}  // namespace stoss::granular
