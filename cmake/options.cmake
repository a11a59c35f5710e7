# Compiler settings shared by every target of the project.
add_library(scree_flags INTERFACE)
target_compile_options(scree_flags INTERFACE -Wall -Wextra -Wno-psabi -fno-math-errno -fno-trapping-math)
# Position-independent code must leave room for another program to put its functions before ours, unless told that
# none will: then the step's functions may be inlined into one another.
target_compile_options(scree_flags INTERFACE -fno-semantic-interposition)
# a * b + c rounds twice everywhere: the bits do not depend on whether the processor can do it at once.
include(CheckCXXCompilerFlag)
if(SCREE_FUSED)
  target_compile_options(scree_flags INTERFACE -ffp-contract=fast)
  target_compile_definitions(scree_flags INTERFACE SCREE_FUSED)
else()
  target_compile_options(scree_flags INTERFACE -ffp-contract=off)
  # GCC 12 takes pairs of such terms together (vfmaddsub) even so, where it makes vectors of straight code:
  # without the instructions it cannot. AVX-512 has its own, and registers that are worth having.
  check_cxx_compiler_flag(-mno-fma SCREE_HAVE_NO_FMA)
  if(SCREE_HAVE_NO_FMA)
    set(SCREE_SAME_BITS -mno-fma)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND SCREE_SAME_BITS -fno-tree-slp-vectorize)
  endif()
endif()
# GCC 12 warns wrongly of overlapping copies in std::string's operator+ (GCC bug 105651), of its bounds, and of
# Eigen's three-vectors read as four, and of strings in structs that are returned.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(scree_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                         -Wno-maybe-uninitialized)
endif()
if(SCREE_NATIVE)
  target_compile_options(scree_flags INTERFACE -march=native ${SCREE_SAME_BITS})
elseif(SCREE_MARCH)
  target_compile_options(scree_flags INTERFACE -march=${SCREE_MARCH} ${SCREE_SAME_BITS})
endif()
if(SCREE_THREAD_SANITIZER)
  target_compile_options(scree_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(scree_flags INTERFACE -fsanitize=thread)
endif()
if(SCREE_SANITIZE)
  target_compile_options(scree_flags INTERFACE -O1 -g1 -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(scree_flags INTERFACE -fsanitize=address,undefined)
endif()
# GCC tidies up its memory from 128 MB on, again and again; most of our files take less than 1 GB, and an eighth
# of the time is saved.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("SHELL:--param ggc-min-heapsize=1000000")
endif()
# Optimise the release build for the hot loops; keep asserts out of it.
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

# Whole rooms at once parse Eigen a few times instead of 200; a precompiled header is for single files.
set(CMAKE_UNITY_BUILD ${SCREE_UNITY})
set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)
if(SCREE_UNITY)
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()

find_program(SCREE_CCACHE ccache)
if(SCREE_CCACHE)
  # Paths relative to the tree: a second clone finds what the first one compiled. The precompiled header is
  # part of what ccache hashes; its time stamp need not be.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SCREE_CCACHE})
  if(NOT SCREE_UNITY)
    add_compile_options(-fpch-preprocess)
  endif()
endif()
