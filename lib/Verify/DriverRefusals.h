//===- DriverRefusals.h - What is to be refused -----------------*- C++ -*-===//
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
template <class Launch>
void refuse(const char *what, Launch launch,
            cudaError_t as = cudaErrorInvalidValue) {
  state.variant = "launch";
  state.toRefuse = what;
  const cudaError_t e = launch();
  state.toRefuse = nullptr;
  if (e != as)
    fail(std::string(what) + ", which are to be refused as " +
         cudaGetErrorName(as) + ", are " + cudaGetErrorName(e));
}

/// The launcher must not run with the sizes of \p shape, for which a block
/// \p hasRoom or not.
template <class Launch>
void requireRefused(const char *shape, bool hasRoom, Launch launch) {
  state.shape = shape;
  state.data = Data::Integers;
  if (hasRoom)
    refuse("sizes that a fact does not allow", launch);
  else
    refuse("sizes for which a block has no room", launch,
           cudaErrorInvalidConfiguration);
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

/// What \p function leaves of memory in which \p in begins \p by bytes after
/// \p out, or before it.
template <class A, class B>
std::vector<unsigned char> leftBy(Array<A> &out, Array<B> &in, ptrdiff_t by,
                                  const std::function<void()> &function) {
  constexpr ptrdiff_t aligned = alignof(std::max_align_t);
  const ptrdiff_t before = by < 0 ? ceilDiv(-by, aligned) * aligned : 0;
  std::vector<unsigned char> memory(
      before + std::max<ptrdiff_t>(out.bytes(), by + in.bytes()));
  out.moveTo(reinterpret_cast<A *>(memory.data() + before));
  in.moveTo(reinterpret_cast<B *>(memory.data() + before + by));
  function();
  out.moveTo(nullptr);
  in.moveTo(nullptr);
  return memory;
}

/// A host function must leave what \p naive does, without a kernel, where
/// \p out and \p in have one element of each in common: one's first that is
/// touched, and the other's last. Each is a call on initial data.
template <class A, class B>
void requireNaive(Array<A> &out, Array<B> &in,
                  const std::function<void()> &naive,
                  const std::function<void()> &tiled) {
  if (!out.touchedBytes() || !in.touchedBytes() ||
      !out.template mayOverlap<B>() || !in.template mayOverlap<A>())
    return;
  const ptrdiff_t outFirst = out.firstByte(), inFirst = in.firstByte(),
                  outLast = out.touchedBytes() - sizeof(A),
                  inLast = in.touchedBytes() - sizeof(B);
  const ptrdiff_t size = sizeof(B);
  for (ptrdiff_t by : {floorDiv(outLast - inFirst, size) * size,
                       floorDiv(outFirst - inLast, size) * size}) {
    if (!isDefined([&] { leftBy(out, in, by, naive); }))
      continue;
    const std::vector<unsigned char> expected = leftBy(out, in, by, naive);
    takeKernels();
    const std::vector<unsigned char> left = leftBy(out, in, by, tiled);
    if (!takeKernels().empty())
      fail("arrays that overlap, which a kernel ran with");
    if (left != expected)
      fail("of arrays that overlap it leaves other values than naive");
  }
}

} // namespace convopt_verify
