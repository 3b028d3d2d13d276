#include "readers.hpp"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    stoss::tests::read_body({reinterpret_cast<const char*>(data), size});
    return 0;
}
