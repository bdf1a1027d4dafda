//===- DriverRuntime.h - What every verification driver needs ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Data, reference values and comparisons of a verification driver. Its text
/// is copied to the top of each driver, before any code of the user.
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

/// What is being run, for messages.
struct State {
  std::string shape;
  Data data = Data::Integers;
  const char *variant = "";
  double budget = 2e9; // statement executions of the reference, on the CPU
  uint64_t seed = 20250301, random = 0;
  double work = 0;
  bool reference = true, exact = true, bits = true; // what was compared
  double worst = 0; // largest error as a share of its bound
  int passed = 0, notRun = 0;
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

template <class W> W absolute(W v) {
  if constexpr (std::is_integral<W>::value)
    return std::is_signed<W>::value && v < 0 ? W(-static_cast<long long>(v))
                                             : v;
  else
    return std::fabs(v);
}

/// A reference value, what it would be with every term positive, and how many
/// additions stand between it and the inputs: the error of the same sum in
/// less precision is at most about `depth * epsilon * magnitude`.
template <class T> struct Cell {
  Wide<T> value = std::numeric_limits<Wide<T>>::quiet_NaN();
  Wide<T> magnitude = std::numeric_limits<Wide<T>>::quiet_NaN();
  int64_t depth = 0;
  bool written = false;

  template <class V, class M> void assign(V v, M m, int64_t d) {
    value = static_cast<Wide<T>>(v);
    magnitude = static_cast<Wide<T>>(m);
    depth = d;
    written = true;
  }
  template <class V, class M> void add(V v, M m, int64_t d) {
    assign(value + v, magnitude + m, std::max(depth, d) + 1);
  }
  template <class V, class M> void sub(V v, M m, int64_t d) {
    assign(value - v, magnitude + m, std::max(depth, d) + 1);
  }
  template <class V, class M> void mul(V v, M m, int64_t d) {
    assign(value * v, magnitude * m, std::max(depth, d) + 1);
  }
  template <class V, class M> void max(V v, M m, int64_t d) {
    if (value < v)
      assign(v, m, std::max(depth, d));
  }
  template <class V, class M> void min(V v, M m, int64_t d) {
    if (v < value)
      assign(v, m, std::max(depth, d));
  }
};

template <class T> Cell<T> known(T v) {
  Cell<T> c;
  c.value = static_cast<Wide<T>>(v);
  c.magnitude = absolute(c.value);
  return c;
}

/// The coarsest of the types that take part in the sum.
template <class... Ts> double coarsestEpsilon() {
  double e = 0;
  for (double t : {double(std::numeric_limits<Ts>::epsilon())...})
    e = std::max(e, t);
  return e;
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
// Arrays
//===----------------------------------------------------------------------===//

/// A pointer that any pointer parameter takes.
template <class T> struct AnyPointer {
  T *p;
  template <class U> operator U *() const { return reinterpret_cast<U *>(p); }
};

template <class T> std::string printValue(T v) {
  char text[64];
  if constexpr (std::is_integral<T>::value)
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(v));
  else
    std::snprintf(text, sizeof text, "%.9g", static_cast<double>(v));
  return text;
}

template <class T> bool sameBits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

/// An argument array: its initial data, the copy that a run works on, the
/// reference and the naive result.
template <class T> class Array {
public:
  Array(const char *name, Role role, std::vector<int64_t> extents)
      : name(name), role(role), extents(std::move(extents)),
        count(elements(this->extents)), initial(new T[count]),
        work(new T[count]), naive(new T[count]) {}
  Array(const Array &) = delete;
  ~Array() { release(); }

  size_t bytes() const { return count * sizeof(T); }
  AnyPointer<T> host() { return {work.get()}; }
  const T *hostData() const { return work.get(); }
  AnyPointer<T> device() { return {devicePointer}; }

  void fill() {
    if (role == Role::Output)
      poison();
    else
      for (size_t i = 0; i < count; ++i)
        initial[i] = draw();
    if (role == Role::Input || !state.reference)
      return;
    cells.assign(count, Cell<T>());
    for (size_t i = 0; i < count; ++i)
      cells[i] = known(initial[i]);
  }

  Cell<T> read(std::initializer_list<int64_t> index) const {
    const size_t i = offset(name, extents, index);
    return role == Role::Input ? known(initial[i]) : cells[i];
  }
  Cell<T> &at(std::initializer_list<int64_t> index) {
    return cells[offset(name, extents, index)];
  }

  void reset() { std::copy_n(initial.get(), count, work.get()); }

  void upload() {
    release();
    const size_t total = bytes() + 2 * guardBytes;
    void *p = nullptr;
    require(cudaMalloc(&p, total), "cudaMalloc");
    if (guardBytes)
      require(cudaMemset(p, 0xFF, total), "cudaMemset");
    block = static_cast<char *>(p);
    devicePointer = reinterpret_cast<T *>(block + guardBytes);
    require(cudaMemcpy(devicePointer, initial.get(), bytes(),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  void download() {
    require(
        cudaMemcpy(work.get(), devicePointer, bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    std::vector<unsigned char> guard(guardBytes);
    for (const char *g : {block, block + guardBytes + bytes()}) {
      if (guardBytes)
        require(cudaMemcpy(guard.data(), g, guardBytes, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
      for (unsigned char b : guard)
        if (b != 0xFF)
          fail(std::string("wrote outside of '") + name + "'");
    }
    release();
  }

  /// The naive result, which has to agree with the reference too.
  void keepNaive(double epsilon, bool exactText) {
    check(epsilon, exactText, /*compareBits=*/false);
    std::copy_n(work.get(), count, naive.get());
  }

  /// Compares the working copy with the reference and the naive result.
  void check(double epsilon, bool exactText, bool compareBits) {
    size_t wrong = 0, first = 0;
    std::string why;
    for (size_t i = 0; i < count; ++i) {
      std::string expected = mismatch(i, epsilon, exactText, compareBits);
      if (expected.empty())
        continue;
      if (!wrong++) {
        first = i;
        why = expected;
      }
    }
    if (wrong)
      fail(std::to_string(wrong) + " of " + std::to_string(count) +
           " elements of '" + name + "' are wrong, the first is " +
           printElement(first) + " = " + printValue(work[first]) + ", " + why);
  }

private:
  const char *name;
  Role role;
  std::vector<int64_t> extents;
  size_t count;
  std::unique_ptr<T[]> initial, work, naive;
  std::vector<Cell<T>> cells;
  char *block = nullptr;
  T *devicePointer = nullptr;

  void release() {
    if (block)
      (void)cudaFree(block);
    block = nullptr;
  }

  /// NaN; for integers, whose every value could be a result, another value in
  /// each run.
  void poison() {
    const bool other = std::is_integral<T>::value && state.data == Data::Random;
    std::memset(static_cast<void *>(initial.get()), other ? 0x5A : 0xFF,
                bytes());
  }

  /// Integers of which all sums are exact, or anything in [-1, 1].
  static T draw() {
    const uint64_t r = nextRandom();
    if (std::is_integral<T>::value || state.data == Data::Integers)
      return static_cast<T>(static_cast<int>(r >> 40) % 5 -
                            (std::is_unsigned<T>::value ? 0 : 2));
    return static_cast<T>((r >> 11) * 0x1p-52 - 1);
  }

  /// Why element \p i of the working copy is wrong; empty where it is right.
  std::string mismatch(size_t i, double epsilon, bool exactText,
                       bool compareBits) {
    const T got = work[i];
    if (role == Role::Input)
      return sameBits(got, initial[i])
                 ? ""
                 : "an input, was " + printValue(initial[i]);
    if (compareBits && !sameBits(got, naive[i]))
      return "naive " + printValue(naive[i]);
    if (!state.reference)
      return "";
    const Cell<T> &c = cells[i];
    if (!c.written)
      return sameBits(got, initial[i]) ? "" : "must not be written";
    if constexpr (std::is_integral<T>::value) {
      return got == c.value ? "" : "reference " + printValue(c.value);
    } else {
      const bool exact = exactText && state.data == Data::Integers &&
                         c.magnitude * epsilon < 1;
      const double value = static_cast<double>(got);
      if (std::isnan(c.value) || std::isinf(c.value) || exact)
        return value == c.value || (std::isnan(c.value) && std::isnan(value))
                   ? ""
                   : "reference " + printValue(c.value);
      if (state.data == Data::Integers)
        state.exact = false;
      const double bound = (c.depth + 4) * epsilon * c.magnitude +
                           double(std::numeric_limits<T>::denorm_min());
      const double error = std::fabs(value - c.value);
      state.worst = std::max(state.worst, error / bound);
      return error <= bound
                 ? ""
                 : "reference " + printValue(c.value) +
                       ", the bound on the error is " + printValue(bound);
    }
  }

  std::string printElement(size_t i) const {
    std::string text;
    for (size_t d = extents.size(); d-- > 0; i /= extents[d])
      text = "[" + std::to_string(i % extents[d]) + "]" + text;
    return name + text;
  }
};

template <class T>
Cell<T> &at(Array<T> &a, std::initializer_list<int64_t> index) {
  return a.at(index);
}

/// A value for a scalar that the function passes through.
template <class T> T scalar() {
  if constexpr (std::is_arithmetic<T>::value)
    return static_cast<T>(2);
  else
    return T{};
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

/// Whether to run a shape at all. \p device says that the naive function runs
/// on the device: then a GPU can do without the reference.
inline bool startShape(const char *shape, double work, bool device, bool bits) {
  state.shape = shape;
  state.work = work;
  state.exact = true;
  state.bits = bits;
  state.worst = 0;
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

inline void finishShape() {
  std::printf("ok   %s:", printShape().c_str());
  if (!state.reference)
    std::printf(" bit-identical to naive (float64 reference not run: %.3g "
                "operations)\n",
                state.work);
  else
    std::printf("%s float64 reference (max error %.2f of bound)%s\n",
                state.exact ? " integer-exact," : "", state.worst,
                state.bits ? ", bit-identical to naive" : "");
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
  if (state.notRun)
    std::printf("not run: %d shape%s\n", state.notRun,
                state.notRun == 1 ? "" : "s");
  return state.notRun ? 4 : 0;
}

} // namespace convopt_verify
