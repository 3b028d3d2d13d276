#pragma once
/// Numbers that start on a cache line, for loops that run over whole vector registers.

#include <cstddef>
#include <new>
#include <vector>

namespace stoss::core {

inline constexpr std::size_t cache_line = 64;  ///< [bytes]; also the widest vector register

template <class T>
struct AlignedAllocator {
    using value_type = T;

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>& /*other*/) {}

    T* allocate(std::size_t count) {
        return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t(cache_line)));
    }
    void deallocate(T* place, std::size_t /*count*/) {
        ::operator delete(place, std::align_val_t(cache_line));
    }
    template <class U>
    bool operator==(const AlignedAllocator<U>& /*other*/) const {
        return true;
    }
};

using AlignedVector = std::vector<double, AlignedAllocator<double>>;

}  // namespace stoss::core
