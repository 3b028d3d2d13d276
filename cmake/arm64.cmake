# Toolchain file: builds on Debian for ARM servers of 64 bits, with the packages of architecture arm64 beside those of the
# machine. tests/clean/arm64 makes a root with all of them. What is built runs on this machine by qemu-user.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
