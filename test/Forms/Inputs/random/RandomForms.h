//===- RandomForms.h - Naive and emitted code on the same data --*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What run.py's drivers of several programs begin with. Each program runs
/// in a process of its own, with arrays of exactly the elements that its sizes
/// give, which AddressSanitizer guards; so convopt's own idea of how large
/// arrays are plays no part.
///
//===----------------------------------------------------------------------===//

#include "cuda_on_cpu.h"
#include <cfloat>
#include <cinttypes>
#include <initializer_list>
#include <span>
#include <sys/wait.h>
#include <unistd.h>

namespace forms {

/// Special floating-point values are zeros of both signs, infinities, NaNs and
/// numbers whose products vanish. Integers are small, as sums must not
/// overflow.
enum class Data { Random, Special, Integers };

/// An element of an array, by what it is the \p r-th of.
template <class T> T value(uint64_t r, Data data) {
  r = (r + 1) * 6364136223846793005u + 1442695040888963407u;
  r = (r ^ r >> 29) * 6364136223846793005u;
  const int v = static_cast<int>((r >> 33) % 2001) - 1000;
  if (std::is_integral<T>::value || data == Data::Integers)
    return T(std::is_unsigned<T>::value ? (v + 1000) % 6 : v % 6);
  static const double special[] = {0., -0., INFINITY, -INFINITY, NAN, 1e-40};
  if (data == Data::Special && (r >> 20) % 16 == 0)
    return T(special[(r >> 24) % 6]);
  return T(v / 997.0);
}

/// An array that is passed as whatever the function takes.
struct Array {
  void *p;
  size_t n;
  template <class P> operator P *() const { return (P *)p; }
  template <class T> operator std::span<T>() const { return {(T *)p, n}; }
};

/// What the \p k-th array of a function is filled with.
struct Contents {
  size_t n, k;
  Data data;
};

template <class T> struct Memory {
  T *p;
  size_t n;
  Memory(Contents c)
      : p(static_cast<T *>(std::malloc(c.n * sizeof(T)))), n(c.n) {
    for (size_t i = 0; i != n; ++i)
      p[i] = value<T>(i + 1000003 * c.k, c.data);
  }
  Memory(const Memory &) = delete;
  ~Memory() { std::free(p); }
  operator Array() const { return {p, n}; }
};

/// Bits, but any NaN for a NaN; with integers as data sums may be reordered and
/// zeros have either sign.
template <class T> bool same(T a, T b, Data data) {
  return data == Data::Integers && a == b || a != a && b != b ||
         !std::memcmp(&a, &b, sizeof a);
}

/// Whether a tiled kernel was launched since the last time, and no other.
inline bool isTiled() {
  bool tiled = false, naive = false;
  for (const auto &[launcher, times] : cuda_on_cpu::launches) {
    const bool is = launcher.find("_tiled") != std::string::npos &&
                    launcher.find("_dispatch") == std::string::npos;
    (is ? tiled : naive) |= times != 0;
  }
  cuda_on_cpu::launches.clear();
  return tiled && !naive;
}

inline int shapes, shapesOfKernels;

/// Calls \p naive and \p tiled with an array for each of \p lengths, of types
/// \p T, and exits with 3 where they leave other values. \p shape is for
/// messages.
template <class... T, size_t... I, class Naive, class Tiled>
void compareEach(const char *shape, const size_t *lengths, Data data,
                 Naive naive, Tiled tiled, std::index_sequence<I...>) {
  std::tuple<Memory<T>...> a(Contents{lengths[I], I, data}...);
  std::tuple<Memory<T>...> b(Contents{lengths[I], I, data}...);
  naive(Array(std::get<I>(a))...);
  isTiled();
  tiled(Array(std::get<I>(b))...);
  ++shapes;
  shapesOfKernels += isTiled();
  auto check = [&](const auto &x, const auto &y, unsigned array) {
    for (size_t i = 0; i != x.n; ++i)
      if (!same(x.p[i], y.p[i], data)) {
        std::printf("%s: array %u, element %zu of %zu: %g is %g\n", shape,
                    array, i, x.n, double(x.p[i]), double(y.p[i]));
        std::fflush(stdout);
        std::_Exit(3);
      }
  };
  (check(std::get<I>(a), std::get<I>(b), I), ...);
}
template <class... T, class Naive, class Tiled>
void compare(const char *shape, std::initializer_list<size_t> lengths,
             Data data, Naive naive, Tiled tiled) {
  compareEach<T...>(shape, lengths.begin(), data, naive, tiled,
                    std::index_sequence_for<T...>());
}

/// Runs a program in a process of its own and prints what became of it.
inline void run(int id, void (*program)()) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    program();
    std::fflush(stdout);
    std::_Exit(shapesOfKernels == 0 ? 4 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("program %d: %d\n", id,
              WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
}

} // namespace forms
