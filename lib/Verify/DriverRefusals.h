//===- DriverRefusals.h - Launches that are to be refused -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A part of each verification driver, after DriverArrays.h.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// Where array \p k is in a launch that is to be refused: nothing is there, and
/// nothing else is near.
inline uintptr_t placeOf(int k) { return uintptr_t(k + 1) << 40; }
/// One that is elsewhere.
inline std::pair<int, uintptr_t> moved{-1, 0};

template <class T> AnyPointer<T> nowhere(int k, bool there) {
  const uintptr_t place = k == moved.first ? moved.second : placeOf(k);
  return {there ? reinterpret_cast<T *>(place) : nullptr};
}

/// \p launch calls the launcher with \p what, which it must not take.
template <class Launch> void refuse(const char *what, Launch launch) {
  state.variant = "launch";
  state.toRefuse = what;
  const cudaError_t e = launch();
  state.toRefuse = nullptr;
  if (e != cudaErrorInvalidValue)
    fail(std::string(what) +
         ", which are to be refused as cudaErrorInvalidValue, are " +
         cudaGetErrorName(e));
}

/// The launcher must not run with the sizes of \p shape.
template <class Launch>
void requireRefused(const char *shape, Launch launch) {
  state.shape = shape;
  state.data = Data::Integers;
  refuse("sizes that a fact does not allow", launch);
  std::printf("ok   %s: refused\n", shape);
}

/// Array \p array, and up to which byte it is touched.
struct Extent {
  int array;
  bool isInput;
  size_t bytes;
};

/// The launcher must not run with arrays of which one is written, and begins
/// with the last byte of another or the other with its.
template <class Launch>
void requireDistinct(std::initializer_list<Extent> arrays, Launch launch) {
  for (const Extent &a : arrays)
    for (const Extent &b : arrays) {
      if (a.array == b.array || (a.isInput && b.isInput) || !a.bytes ||
          !b.bytes)
        continue;
      moved = {b.array, placeOf(a.array) + a.bytes - 1};
      refuse("arrays that overlap", launch);
    }
  moved = {-1, 0};
}

} // namespace convopt_verify
