# `cpack -G DEB` makes two packages: convopt, the tools, and convopt-dev, the
# libraries. What the tools' programs need, dpkg-shlibdeps finds.
set(CPACK_PACKAGE_NAME convopt)
set(CPACK_PACKAGE_VENDOR convopt)
set(CPACK_PACKAGE_CONTACT "The convopt authors <convopt@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "tile naive convolutions for the GPU, or refuse")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME convopt)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
  "Reads a naive convolution in C, C++ or CUDA and writes block- and
 register-tiled CUDA that computes the same, or says why it does not.")
# Sources are read with the headers of Clang and of C++; -verify=cpu compiles
# what it runs.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "libstdc++-12-dev | libstdc++-dev,\
 libclang-common-${LLVM_VERSION_MAJOR}-dev")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS
  "clang-${LLVM_VERSION_MAJOR}, libclang-rt-${LLVM_VERSION_MAJOR}-dev,\
 libboost-context-dev")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "cmake, nvidia-cuda-toolkit")

set(CPACK_DEBIAN_LIBRARIES_PACKAGE_NAME convopt-dev)
set(CPACK_COMPONENT_LIBRARIES_DESCRIPTION
  "The compiler's libraries and headers, for tools of one's own.")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_DEPENDS
  "convopt (= ${PROJECT_VERSION}), llvm-${LLVM_VERSION_MAJOR}-dev,\
 libclang-${LLVM_VERSION_MAJOR}-dev, libisl-dev, libgmp-dev")
set(CPACK_DEBIAN_LIBRARIES_PACKAGE_SECTION libdevel)

set(CPACK_COMPONENTS_ALL Tools Libraries)
include(CPack)
