# LLVM's static Support library names zstd::libzstd_shared. Debian's llvm-dev
# does not depend on libzstd-dev, but always on the library itself: use that
# where there is no -dev package. Before find_package(LLVM).
find_library(CONVOPT_ZSTD NAMES libzstd.so.1 zstd)
if(CONVOPT_ZSTD AND NOT TARGET zstd::libzstd_shared)
  add_library(zstd::libzstd_shared SHARED IMPORTED)
  set_target_properties(zstd::libzstd_shared PROPERTIES
    IMPORTED_LOCATION ${CONVOPT_ZSTD})
endif()
