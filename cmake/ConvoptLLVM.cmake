# LLVM and Clang 22.
if(NOT LLVM_DIR AND EXISTS /usr/lib/llvm-22/lib/cmake/clang)
  set(LLVM_DIR /usr/lib/llvm-22/lib/cmake/llvm)
  set(Clang_DIR /usr/lib/llvm-22/lib/cmake/clang)
endif()
include(ConvoptZstd)
find_package(LLVM REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG)
if(LLVM_VERSION_MAJOR LESS 22)
  message(FATAL_ERROR "convopt needs LLVM and Clang 22 or later, found "
                      "${LLVM_VERSION}: install libclang-22-dev and "
                      "llvm-22-dev, or point LLVM_DIR and Clang_DIR at one")
endif()
message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_DIR}")

find_path(ISL_INCLUDE_DIR isl/cpp.h REQUIRED)
find_library(ISL_STATIC_LIBRARY NAMES libisl.a REQUIRED)
find_library(GMP_STATIC_LIBRARY NAMES libgmp.a REQUIRED)
