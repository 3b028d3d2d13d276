# Machines on which the results would be wrong or differ are refused before anything is built.
# WebAssembly has addresses of 32 bits and little-endian doubles, and is tested (./dev lab test).
if(CMAKE_SIZEOF_VOID_P LESS 8 AND NOT EMSCRIPTEN)
  message(FATAL_ERROR "Stoss needs a machine with 64 bits: on 32 bits the registers of some processors round doubles "
    "twice, so results would not have the same bits, and large tables do not fit into memory.")
endif()
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "Stoss needs a little-endian machine: checkpoints of spheres hold numbers byte by byte, "
    "and no test runs on a machine of the other order.")
endif()
