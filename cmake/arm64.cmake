# The core for arm64 by Debian's cross compiler, tests under qemu-user:
#   cmake --preset arm64 && cmake --build build/arm64 && ctest --test-dir build/arm64
# Only what is a header is taken from this machine: Eigen, toml++, CLI11, fmt; GoogleTest from its sources.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64;-L;/usr/aarch64-linux-gnu)
set(CMAKE_DISABLE_FIND_PACKAGE_ZLIB ON)
set(CMAKE_DISABLE_FIND_PACKAGE_benchmark ON)
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu)
