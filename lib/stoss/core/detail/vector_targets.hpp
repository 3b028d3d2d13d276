#pragma once
/// Instruction sets that kernels on vector registers are not compiled for. Before Highway's
/// headers.
///
/// Vectors of SVE and RVV cannot be members of a struct. SSSE3 and the later AVX-512 add nothing.

#define HWY_DISABLED_TARGETS \
    (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3_DL)
