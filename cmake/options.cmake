# Compiler settings shared by every target of the project.
add_library(scree_flags INTERFACE)
target_compile_options(scree_flags INTERFACE -Wall -Wextra -Wno-psabi -fno-math-errno -fno-trapping-math)
# GCC 12 warns wrongly of overlapping copies in std::string's operator+ (GCC bug 105651), of its bounds, and of
# Eigen's three-vectors read as four.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(scree_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
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
  # The precompiled header is part of what ccache hashes; its time stamp need not be.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SCREE_CCACHE})
  add_compile_options(-fpch-preprocess)
endif()
