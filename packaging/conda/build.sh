#!/bin/sh
set -eu
# shellcheck disable=SC2086  # CMAKE_ARGS is a list of words of conda-build
cmake -S . -B build -G Ninja $CMAKE_ARGS -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" \
    -DCMAKE_INSTALL_LIBDIR=lib -DSTOSS_TESTS=OFF -DSTOSS_EXAMPLES=OFF -DSTOSS_PYTHON=ON \
    -DPython_EXECUTABLE="$PYTHON" -DSTOSS_PYTHON_DIR="$SP_DIR"
cmake --build build --parallel "$CPU_COUNT"
cmake --install build
cmake --install build --component python
