//===- Host.h - Emitted code on the naive code's memory ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two programs are made of each input. One calls the naive functions and
/// records how far they reach into each array, and what they leave there
/// (record, Recorder.cpp). The other calls the emitted functions, under
/// AddressSanitizer, with arrays that begin and end where the naive code's
/// accesses do (run), for convopt's own arithmetic to play no part in what is
/// allowed.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_HOST_H
#define CONVOPT_TEST_HOST_H

#include "cuda_on_cpu.h"
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <tuple>

namespace host {

/// Between the two programs.
inline std::FILE *file;

[[noreturn]] inline void fail(const std::string &call,
                              const std::string &what) {
  std::printf("FAIL %s: %s\n", call.c_str(), what.c_str());
  std::fflush(stdout);
  std::_Exit(1);
}

/// Values whose sums depend on their order; outputs have some, too. What it
/// stores is not recorded.
template <class T>
__attribute__((no_sanitize("coverage"))) void fill(T *p, size_t elements,
                                                   unsigned array) {
  uint64_t r = array;
  for (size_t i = 0; i != elements; ++i) {
    r = r * 6364136223846793005u + 1442695040888963407u;
    const int v = static_cast<int>((r >> 33) % 2001) - 1000;
    p[i] = std::is_integral<T>::value ? T(v % 11) : T(v / 997.0);
  }
}

template <class P>
using Element =
    std::remove_cv_t<std::remove_all_extents_t<std::remove_pointer_t<P>>>;

using Values = std::initializer_list<double>;

/// Calls \p f with what \p give has for each pointer, an array of elements of
/// its type, and with \p values for the others. A launcher asks at its end
/// which pointers are there, and all are.
template <class R, class... P, class Give>
R call(R (*f)(P...), Values values, Give give) {
  const double *value = values.begin();
  auto argument = [&](auto *type) {
    using A = std::remove_pointer_t<decltype(type)>;
    if constexpr (std::is_same<A, cudaStream_t>::value)
      return A(nullptr);
    else if constexpr (std::is_pointer<A>::value)
      return (A)give(static_cast<Element<A> *>(nullptr));
    else
      return static_cast<A>(value == values.end() ? 1 : *value++);
  };
  std::tuple<P...> all{argument(static_cast<P *>(nullptr))...};
  return std::apply(f, all);
}

//===----------------------------------------------------------------------===//
// The naive code
//===----------------------------------------------------------------------===//

/// A large array, the \p k-th, and whether the code touched each of its bytes,
/// up to the last that it did.
constexpr size_t RegionBytes = size_t(16) << 20;
char *region(unsigned k);
const std::vector<unsigned char> &touched(unsigned k);
void startRecording();

template <class... P>
void record(const char *name, void (*f)(P...), Values values) {
  if (values.size() != (size_t(!std::is_pointer<P>::value) + ... + 0))
    fail(name, "another number of values is asked for");
  unsigned arrays = 0;
  startRecording();
  call(f, values, [&](auto *type) {
    auto *p = reinterpret_cast<decltype(type)>(region(arrays));
    fill(p, RegionBytes / sizeof *p, arrays++);
    return p;
  });
  // Guards may let nothing of an array be used, but not of any.
  bool isUsed = false;
  for (unsigned k = 0; k != arrays; ++k) {
    const std::vector<unsigned char> &marks = touched(k);
    const size_t bytes = marks.size();
    isUsed |= bytes != 0;
    if ((!isUsed && k + 1 == arrays) || bytes > RegionBytes / 2)
      fail(name, "pointer " + std::to_string(k) + " is used for " +
                     std::to_string(bytes) + " bytes");
    std::fwrite(&bytes, sizeof bytes, 1, file);
    std::fwrite(region(k), 1, bytes, file);
    std::fwrite(marks.data(), 1, bytes, file);
  }
}

//===----------------------------------------------------------------------===//
// The emitted code
//===----------------------------------------------------------------------===//

/// An array that ends with the last byte that the naive code touches, what it
/// left there, and which bytes those are. Host code may have it as memory of
/// the device, too: as launchers may take it for longer, and refuse arrays that
/// overlap, nothing else lies right behind it.
struct Exact {
  static constexpr size_t apart = size_t(1) << 16;
  std::vector<char> left;
  std::vector<unsigned char> touched;
  char *memory = nullptr, *p = nullptr;
  size_t first = 0; // of the bytes that there are

  Exact() {
    size_t bytes = 0;
    if (!std::fread(&bytes, sizeof bytes, 1, file))
      std::abort();
    left.resize(bytes);
    touched.resize(bytes);
    if (std::fread(left.data(), 1, bytes, file) != bytes ||
        std::fread(touched.data(), 1, bytes, file) != bytes)
      std::abort();
  }
  Exact(const Exact &) = delete;
  ~Exact() { cudaFree(memory); }

  /// Has the array begin with byte \p begin, and with what fill() gives. A
  /// block of its own lets not even one byte before be read.
  template <class T> void allocate(size_t begin, unsigned array) {
    cudaFree(memory);
    const size_t bytes = left.size() - begin;
    if (cudaMalloc(&memory, bytes + apart))
      std::abort();
    cuda_on_cpu::forbid(memory + bytes, apart);
    first = begin;
    p = memory - begin;
    const std::unique_ptr<T[]> values(new T[left.size() / sizeof(T) + 1]);
    fill(values.get(), left.size() / sizeof(T) + 1, array);
    std::memcpy(memory, (const char *)values.get() + begin, bytes);
  }

  /// How many bytes lie before the first that is touched.
  size_t before() const {
    return std::find(touched.begin(), touched.end(), 1) - touched.begin();
  }
  /// What is between belongs to others, who change it while a kernel runs.
  void changeOthers() {
    for (size_t i = before(); i < left.size(); ++i)
      if (!touched[i]) {
        left[i] = ~left[i];
        p[i] = ~p[i];
      }
  }
};

/// Whether a tiled kernel was launched since the last time, and no other.
inline bool isTiled() {
  size_t tiled = 0, naive = 0;
  for (const auto &[launcher, times] : cuda_on_cpu::launches) {
    const bool is = launcher.find("_tiled") != std::string::npos &&
                    launcher.find("_dispatch") == std::string::npos;
    (is ? tiled : naive) += times;
  }
  cuda_on_cpu::launches.clear();
  return tiled && !naive;
}

template <class R, class... P>
void runOne(const std::string &name, R (*f)(P...), Values values,
            std::vector<std::unique_ptr<Exact>> &arrays) {
  size_t next = 0;
  auto give = [&](auto *type) {
    if (next == arrays.size())
      arrays.push_back(std::make_unique<Exact>());
    Exact &a = *arrays[next];
    using T = std::remove_pointer_t<decltype(type)>;
    a.allocate<T>(std::is_void<R>::value ? a.before() : 0, next++);
    return reinterpret_cast<T *>(a.p);
  };
  bool isFirst = true;
  cuda_on_cpu::meanwhile = [&] {
    if (std::exchange(isFirst, false))
      for (auto &a : arrays)
        a->changeOthers();
  };
  if constexpr (std::is_void<R>::value)
    call(f, values, give);
  else if (R error = call(f, values, give))
    fail(name, std::string("refused: ") + cudaGetErrorString(error));
  if (!isTiled())
    fail(name, "the tiled kernel did not run");
  for (size_t k = 0; k != arrays.size(); ++k)
    for (size_t i = arrays[k]->first; i != arrays[k]->left.size(); ++i)
      if (arrays[k]->p[i] != arrays[k]->left[i])
        fail(name, "pointer " + std::to_string(k) +
                       " points to another value in byte " + std::to_string(i) +
                       " of " + std::to_string(arrays[k]->left.size()));
  for (auto &a : arrays) // back to what the naive code leaves
    a->changeOthers();
}

/// The functions are called one after the other with the same arguments.
template <class... F>
void run(const std::string &name, Values values, F... functions) {
  std::vector<std::unique_ptr<Exact>> arrays;
  (runOne(name, functions, values, arrays), ...);
  std::printf("ok   %s\n", name.c_str());
}

} // namespace host

#endif // CONVOPT_TEST_HOST_H
