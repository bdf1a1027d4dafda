# LLVM and Clang 22, or 19 where that is what there is.
if(NOT LLVM_DIR)
  foreach(version 22 21 20 19)
    if(EXISTS /usr/lib/llvm-${version}/lib/cmake/clang AND NOT LLVM_DIR)
      set(LLVM_DIR /usr/lib/llvm-${version}/lib/cmake/llvm)
      set(Clang_DIR /usr/lib/llvm-${version}/lib/cmake/clang)
    endif()
  endforeach()
endif()
include(ConvoptZstd)
find_package(LLVM REQUIRED CONFIG)
find_package(Clang REQUIRED CONFIG)
if(LLVM_VERSION_MAJOR LESS 19)
  message(FATAL_ERROR "convopt needs LLVM and Clang 19 or later, found "
                      "${LLVM_VERSION}: install libclang-22-dev and "
                      "llvm-22-dev, or point LLVM_DIR and Clang_DIR at one")
endif()
message(STATUS "LLVM ${LLVM_VERSION} in ${LLVM_DIR}")

find_path(ISL_INCLUDE_DIR isl/cpp.h REQUIRED)
find_library(ISL_STATIC_LIBRARY NAMES libisl.a REQUIRED)
find_library(GMP_STATIC_LIBRARY NAMES libgmp.a REQUIRED)
