//===- DriverRuntime.h - What every verification driver needs ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a verification driver is doing, reference values, and the start and
/// end of each shape. Its text, with that of DriverArrays.h, is copied to the
/// top of each driver, before any code of the user.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace convopt_verify {

#ifdef __CUDACC__
constexpr bool onGpu = true;
inline size_t liveAllocations() { return 0; }
inline void setReverse(bool) {}
constexpr size_t guardBytes = 4096; // a write into them is noticed
#else
constexpr bool onGpu = false;
using cuda_on_cpu::liveAllocations;
using cuda_on_cpu::setReverse;
constexpr size_t guardBytes = 0; // AddressSanitizer guards each block
#endif

enum class Data { Integers, Random };
enum class Role { Input, Output, InOut };

/// Of a floating-point type: the distance from 1 to the next number, and the
/// smallest positive one.
struct Rounding {
  double epsilon = 0, smallest = 0;
};

/// What is being run, for messages.
struct State {
  std::string shape;
  Data data = Data::Integers;
  const char *variant = "";
  double budget = 2e9; // statement executions of the reference, on the CPU
  uint64_t seed = 20250301, random = 0;
  double work = 0;
  bool reference = true, exact = true, bits = true; // what was compared
  bool signedZeros = true; // equal bits include the signs of zeros
  double worst = 0;        // largest error as a share of its bound
  Rounding rounding;
  int passed = 0, notRun = 0;
  /// The versions and the general kernel, if there are several, how many
  /// shapes each took, and the one that took this shape.
  std::vector<std::string> kernels;
  std::vector<int> taken;
  size_t taker = 0;
};
inline State state;

inline std::string printShape() {
  return state.shape.empty() ? "constant sizes" : state.shape;
}
inline const char *dataName() {
  return state.data == Data::Integers ? "integer data" : "random data";
}

[[noreturn]] inline void fail(const std::string &what) {
  std::printf("FAIL %s: %s, %s: %s\n", printShape().c_str(), dataName(),
              state.variant, what.c_str());
  std::fflush(stdout);
  std::exit(3);
}

inline void require(cudaError_t e, const char *what) {
  if (e != cudaSuccess)
    fail(std::string(what) + ": " + cudaGetErrorName(e) + " (" +
         cudaGetErrorString(e) + ")");
}
/// After a launch: what it or the kernel itself met.
inline void requireRan() {
  require(cudaGetLastError(), "launch");
  require(cudaDeviceSynchronize(), "kernel");
}

inline int64_t floorDiv(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}
inline int64_t ceilDiv(int64_t a, int64_t b) { return -floorDiv(-a, b); }

/// splitmix64 (Steele, Lea and Flood).
inline uint64_t nextRandom() {
  uint64_t z = state.random += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

//===----------------------------------------------------------------------===//
// Reference values
//===----------------------------------------------------------------------===//

/// The reference computes floating-point data in double and integers, which
/// wrap, as they are.
template <class T>
using Wide = std::conditional_t<std::is_integral<T>::value, T, double>;

/// A value of the user's type, such as `__half`, as the reference has it.
template <class T> Wide<T> widen(T v) {
  if constexpr (std::is_arithmetic<T>::value)
    return v;
  else
    return static_cast<double>(static_cast<float>(v));
}

template <class W> W absolute(W v) {
  if constexpr (std::is_integral<W>::value)
    return std::is_signed<W>::value && v < 0 ? W(-static_cast<long long>(v))
                                             : v;
  else
    return std::fabs(v);
}

/// A reference value, what it would be with every term positive, and how many
/// additions stand between it and the inputs: the error of the same sum in
/// less precision is at most about `depth * epsilon * magnitude`. Differences
/// of unsigned integers wrap to values that their terms do not bound.
template <class T> struct Cell {
  Wide<T> value = std::numeric_limits<Wide<T>>::quiet_NaN();
  Wide<T> magnitude = std::numeric_limits<Wide<T>>::quiet_NaN();
  int64_t depth = 0;
  bool written = false;

  template <class V, class M> void assign(V v, M m, int64_t d) {
    value = static_cast<Wide<T>>(v);
    magnitude = std::max(static_cast<Wide<T>>(m), absolute(value));
    depth = d;
    written = true;
  }
  template <class V, class M> void add(V v, M m, int64_t d) {
    assign(value + v, magnitude + bound(v, m), std::max(depth, d) + 1);
  }
  template <class V, class M> void sub(V v, M m, int64_t d) {
    assign(value - v, magnitude + bound(v, m), std::max(depth, d) + 1);
  }
  template <class V, class M> void mul(V v, M m, int64_t d) {
    assign(value * v, magnitude * bound(v, m), std::max(depth, d) + 1);
  }
  template <class V, class M> void max(V v, M m, int64_t d) {
    if (value < v)
      assign(v, m, std::max(depth, d));
  }
  template <class V, class M> void min(V v, M m, int64_t d) {
    if (v < value)
      assign(v, m, std::max(depth, d));
  }

private:
  template <class V, class M> static Wide<T> bound(V v, M m) {
    return std::max(static_cast<Wide<T>>(m), absolute(static_cast<Wide<T>>(v)));
  }
};

template <class T> Cell<T> known(T v) {
  Cell<T> c;
  c.value = widen(v);
  c.magnitude = absolute(c.value);
  return c;
}

/// Of T, by trial: numeric_limits knows no 16-bit floating-point types. Each
/// has its powers of two in common with float.
template <class T> Rounding roundingOf() {
  if constexpr (std::is_floating_point<T>::value) {
    return {double(std::numeric_limits<T>::epsilon()),
            double(std::numeric_limits<T>::denorm_min())};
  } else if constexpr (std::is_integral<T>::value ||
                       !std::is_constructible<T, float>::value) {
    return {};
  } else {
    Rounding r{1, 1};
    auto holds = [](double v) {
      return widen(static_cast<T>(static_cast<float>(v))) == v;
    };
    while (holds(1 + r.epsilon / 2))
      r.epsilon /= 2;
    while (holds(r.smallest / 2))
      r.smallest /= 2;
    return r;
  }
}

/// The coarsest of the types that take part in the sum.
template <class... Ts> Rounding coarsest() {
  Rounding most;
  for (Rounding r : {roundingOf<std::decay_t<Ts>>()...}) {
    most.epsilon = std::max(most.epsilon, r.epsilon);
    most.smallest = std::max(most.smallest, r.smallest);
  }
  return most;
}

/// A local array of the nest.
template <class T> struct LocalArray {
  std::vector<int64_t> extents;
  std::vector<Cell<T>> cells;
};

/// The row-major offset of \p index; fails outside of the extents.
inline size_t offset(const char *name, const std::vector<int64_t> &extents,
                     std::initializer_list<int64_t> index) {
  size_t at = 0, d = 0;
  for (int64_t i : index) {
    if (i < 0 || i >= extents[d])
      fail(std::string("the nest leaves dimension ") + std::to_string(d) +
           " of '" + name + "' with subscript " + std::to_string(i));
    at = at * extents[d++] + i;
  }
  return at;
}
inline size_t elements(const std::vector<int64_t> &extents) {
  size_t n = 1;
  for (int64_t e : extents)
    n *= e < 0 ? 0 : e;
  return n;
}

template <class T>
LocalArray<T> makeLocal(const std::vector<int64_t> &extents) {
  return {extents, std::vector<Cell<T>>(elements(extents))};
}
template <class T>
Cell<T> &at(LocalArray<T> &a, std::initializer_list<int64_t> index) {
  return a.cells[offset("a local array", a.extents, index)];
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

inline void start(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (!std::strncmp(argv[i], "--budget=", 9))
      state.budget = std::atof(argv[i] + 9);
    else if (!std::strncmp(argv[i], "--seed=", 7))
      state.seed = std::strtoull(argv[i] + 7, nullptr, 0);
    else {
      std::fprintf(stderr, "usage: %s [--budget=OPERATIONS] [--seed=N]\n",
                   argv[0]);
      std::exit(1);
    }
  }
  std::printf("random data from seed %llu\n",
              static_cast<unsigned long long>(state.seed));
}

/// The launcher must not run with the sizes of \p shape.
inline void requireRefused(const char *shape, cudaError_t e) {
  state.shape = shape;
  state.variant = "launch";
  if (e != cudaErrorInvalidValue)
    fail(std::string("is to be refused as cudaErrorInvalidValue, and is ") +
         cudaGetErrorName(e));
  std::printf("ok   %s: refused\n", shape);
}

/// \p kernel, a version, took the shape; the first that does counts.
inline void take(const char *kernel) {
  for (size_t k = 0; k < state.taker; ++k)
    if (state.kernels[k] == kernel)
      state.taker = k;
}

/// Whether to run a shape at all. \p device says that the naive function runs
/// on the device: then a GPU can do without the reference.
inline bool startShape(const char *shape, double work, bool device, bool bits,
                       Rounding rounding) {
  state.shape = shape;
  state.work = work;
  state.exact = true;
  state.bits = bits;
  state.rounding = rounding;
  state.worst = 0;
  state.taker = state.kernels.empty() ? 0 : state.kernels.size() - 1;
  state.reference = work <= state.budget;
  if (state.reference || (onGpu && device && bits))
    return true;
  std::printf("not run: %s: %.3g operations, and the budget is %.3g\n",
              printShape().c_str(), work, state.budget);
  ++state.notRun;
  return false;
}

inline void startData(int pass) {
  state.data = pass ? Data::Random : Data::Integers;
  state.random = state.seed + pass;
  setReverse(pass);
}

inline const char *identical() {
  return state.signedZeros ? "bit-identical to naive"
                           : "identical to naive but for signs of zeros";
}

inline void finishShape() {
  std::printf("ok   %s:", printShape().c_str());
  if (!state.reference)
    std::printf(" %s (float64 reference not run: %.3g operations)\n",
                identical(), state.work);
  else
    std::printf("%s float64 reference (max error %.2f of bound)%s%s\n",
                state.exact ? " integer-exact," : "", state.worst,
                state.bits ? ", " : "", state.bits ? identical() : "");
  if (!state.kernels.empty()) {
    std::printf("       by %s\n", state.kernels[state.taker].c_str());
    state.taken.resize(state.kernels.size());
    ++state.taken[state.taker];
  }
  std::fflush(stdout);
  ++state.passed;
}

/// The exit status of the driver.
inline int finish() {
  std::string where = "CPU";
  if (onGpu) {
    cudaDeviceProp p;
    require(cudaGetDeviceProperties(&p, 0), "cudaGetDeviceProperties");
    where = std::string("GPU ") + p.name;
  }
  if (state.passed)
    std::printf("verified: %d shape%s on the %s\n", state.passed,
                state.passed == 1 ? "" : "s", where.c_str());
  for (size_t k = 0; k != state.taken.size(); ++k)
    if (!state.taken[k])
      std::printf("not run: no shape was for %s\n", state.kernels[k].c_str());
  if (state.notRun)
    std::printf("not run: %d shape%s\n", state.notRun,
                state.notRun == 1 ? "" : "s");
  return state.notRun ? 4 : 0;
}

} // namespace convopt_verify
