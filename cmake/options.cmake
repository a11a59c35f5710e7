# Compiler settings shared by every target of the project.
add_library(scree_flags INTERFACE)
target_compile_options(scree_flags INTERFACE -Wall -Wextra -Wno-psabi -fno-math-errno -fno-trapping-math)
# GCC 12 warns wrongly of overlapping copies in std::string's operator+ (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(scree_flags INTERFACE -Wno-restrict)
endif()
if(SCREE_NATIVE)
  target_compile_options(scree_flags INTERFACE -march=native)
endif()
if(SCREE_SANITIZE)
  target_compile_options(scree_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(scree_flags INTERFACE -fsanitize=address,undefined)
endif()
# Optimise the release build for the hot loops; keep asserts out of it.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(SCREE_CCACHE ccache)
if(SCREE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SCREE_CCACHE})
endif()
