// Verification of 'convNaive_tiled', written by convopt. It runs the naive and the
// tiled code on the same data and exits 0, or 3 after a mismatch.
#include <cuda_runtime.h>

//===- DriverRuntime.h - What every verification driver needs ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a verification driver is doing, what it has seen, and the start and end
/// of each shape. Its text, with those of DriverValues.h and DriverArrays.h, is
/// copied to the top of each driver, before any code of the user.
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
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#ifndef __CUDACC__
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace convopt_verify {

#ifdef __CUDACC__
constexpr bool onGpu = true;
inline size_t liveAllocations() { return 0; }
inline std::set<const void *> takeKernels() { return {}; }
inline void setReverse(bool) {}
constexpr size_t guardBytes = 4096; // a write into them is noticed
#else
constexpr bool onGpu = false;
using cuda_on_cpu::liveAllocations;
/// Those that ran since the last call.
inline std::set<const void *> takeKernels() {
  return std::exchange(cuda_on_cpu::kernelsThatRan, {});
}
using cuda_on_cpu::setReverse;
constexpr size_t guardBytes = 0; // AddressSanitizer guards each block
#endif

/// Special: random, with zeros of both signs, infinities, NaNs, and values
/// whose products vanish; of every other shape, large negative values. Of
/// integers, large ones wherever the naive code has a meaning for them.
enum class Data { Integers, Random, Special };
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
  /// The versions and the general kernel, if there are several, which of them
  /// take this shape, the last where no other does, and which ran in any.
  std::vector<std::string> kernels;
  std::vector<bool> taking, ran;
  std::set<std::string> toRun; // those that have to
  std::set<const void *> kernelsOfLauncher;
  bool isCopied = true;   // by host code, which else runs the naive code
  bool recording = false; // of what is touched, before there is any data
  int draws = 0;          // of data, over all shapes
};
inline State state;

inline std::string printShape() {
  return state.shape.empty() ? "constant sizes" : state.shape;
}
inline const char *dataName() {
  static constexpr const char *names[] = {"integer data", "random data",
                                          "special values"};
  return names[static_cast<int>(state.data)];
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

/// After an entry point that may fall back to the naive code: the kernel that
/// the launcher runs has run here, too.
inline void requireKernel() {
  const std::set<const void *> ran = takeKernels();
  const auto &wanted = state.kernelsOfLauncher;
  if (!wanted.empty() && state.isCopied &&
      std::none_of(wanted.begin(), wanted.end(),
                   [&](const void *kernel) { return ran.count(kernel); }))
    fail("the naive code ran in place of the kernel");
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
// What the source leaves undefined
//===----------------------------------------------------------------------===//

#ifdef __CUDACC__
template <class Reference> bool isDefined(Reference) { return true; }
template <class Naive> bool isSeenDefined(Naive) { return false; }
#else
constexpr int undefinedStatus = 5;
inline bool isTrial = false;

/// UBSan calls this before it prints.
extern "C" void __ubsan_on_report() {
  if (isTrial)
    _exit(undefinedStatus);
}

/// Whether a copy of the process computes \p reference to its end.
template <class Reference> bool isDefined(Reference reference) {
  const pid_t copy = fork();
  if (copy == 0) {
    isTrial = true;
    reference();
    _exit(0);
  }
  int status = 0;
  return copy < 0 || waitpid(copy, &status, 0) != copy || !WIFEXITED(status) ||
         WEXITSTATUS(status) != undefinedStatus;
}

/// The same of \p naive; false where nothing could tell.
template <class Naive> bool isSeenDefined(Naive naive) {
  return isDefined(naive);
}
#endif

/// Runs \p reference, if the shape has it; false where the source does not say
/// what comes of the values drawn, which is tried if it \p isPartial: has
/// shifts or divisions.
template <class Reference>
bool runReference(Reference reference, bool isPartial) {
  state.variant = "reference";
  if (!state.reference)
    return true;
  if (isPartial && !isDefined(reference)) {
    std::printf("not run: %s: the naive code is undefined with these values\n",
                printShape().c_str());
    state.recording = false;
    return false;
  }
  reference();
  return true;
}

//===----------------------------------------------------------------------===//
// Coverage
//===----------------------------------------------------------------------===//

/// How often a statement, or a read under a guard, happened, of how often it
/// would have without any guard; in this shape and whether in any.
struct Coverage {
  const char *name;
  double ran = 0, all = 0;
  bool ever = false;
};

/// Whether an output held more than one value, in any shape.
struct Variety {
  std::string name;
  bool varies = false;
};

inline std::vector<Coverage> coverage;
inline std::vector<Variety> outputs;

template <size_t N> void cover(const double (&ran)[N], const double (&all)[N]) {
  for (size_t k = 0; k != N; ++k) {
    coverage[k].ran = ran[k];
    coverage[k].all = all[k];
  }
}

/// "98%", which is 100% or 0% only where it is all or nothing.
inline std::string printShare(double part, double all) {
  double percent = all > 0 ? 100 * part / all : 0;
  if (part > 0 && part < all)
    percent = std::min(99.0, std::max(1.0, std::floor(percent + 0.5)));
  return std::to_string(static_cast<int>(percent)) + "%";
}

/// ", ran S0 100%, S1 83%".
inline std::string printCoverage() {
  std::string text;
  for (const Coverage &c : coverage)
    text += (text.empty() ? "; ran " : ", ") + std::string(c.name) + " " +
            printShare(c.ran, c.all);
  return text;
}

/// Why the shapes that ran verify less than there is; empty where they do not.
inline std::string missedByAll() {
  for (size_t k = 0; k != state.kernels.size(); ++k)
    if (!state.ran[k] && state.toRun.count(state.kernels[k]))
      return state.kernels[k] + " ran in no shape";
  for (const Coverage &c : coverage)
    if (!c.ever)
      return std::string(c.name) + " ran in no shape";
  for (const Variety &v : outputs)
    if (!v.varies)
      return "'" + v.name + "' has one value in all shapes";
  return "";
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

/// \p kernel, a version, ran by itself.
inline void take(const char *kernel) {
  for (size_t k = 0; k < state.kernels.size(); ++k)
    if (state.kernels[k] == kernel)
      state.taking[k] = true;
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
  state.taking.assign(state.kernels.size(), false);
  state.ran.resize(state.kernels.size());
  state.reference = work <= state.budget;
  if (state.reference || (onGpu && device && bits))
    return true;
  std::printf("not run: %s: %.3g operations, and the budget is %.3g\n",
              printShape().c_str(), work, state.budget);
  ++state.notRun;
  return false;
}

inline void startData(int pass) {
  ++state.draws;
  state.data = static_cast<Data>(pass);
  state.random = state.seed + pass;
  setReverse(pass);
}

inline const char *identical() {
  return state.signedZeros ? "bit-identical to naive"
                           : "identical to naive but for signs of zeros";
}

/// The launcher takes the first kernel that takes the shape; those before the
/// last ran by themselves, too.
inline void finishKernels() {
  if (state.kernels.empty())
    return;
  const auto first =
      std::find(state.taking.begin(), state.taking.end() - 1, true);
  *first = true;
  std::printf("       by %s\n",
              state.kernels[first - state.taking.begin()].c_str());
  for (size_t k = 0; k != state.kernels.size(); ++k)
    state.ran[k] = state.ran[k] || state.taking[k];
}

/// \p written says which share of each output the nest writes.
inline void finishShape(const std::string &written) {
  bool anyRan = !state.reference;
  for (Coverage &c : coverage) {
    c.ever |= c.ran > 0 || !state.reference;
    anyRan |= c.ran > 0;
  }
  if (!anyRan) { // so that nothing could be wrong
    std::printf("not run: %s: the nest is empty\n", printShape().c_str());
    return;
  }
  std::printf("ok   %s:", printShape().c_str());
  if (!state.reference)
    std::printf(" %s (float64 reference not run: %.3g operations)\n",
                identical(), state.work);
  else
    std::printf("%s float64 reference (max error %.2f of bound%s)%s%s%s%s\n",
                state.exact ? " integer-exact," : "", state.worst,
                state.worst > 1 ? ", which is that of naive" : "",
                state.bits ? ", " : "", state.bits ? identical() : "",
                printCoverage().c_str(), written.c_str());
  finishKernels();
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
  for (size_t k = 0; k != state.ran.size(); ++k)
    if (!state.ran[k] && !state.toRun.count(state.kernels[k]))
      std::printf("not run: no shape was for %s\n", state.kernels[k].c_str());
  if (state.notRun)
    std::printf("not run: %d shape%s\n", state.notRun,
                state.notRun == 1 ? "" : "s");
  const std::string missed = state.passed || !state.notRun ? missedByAll() : "";
  if (!missed.empty())
    std::printf("not verified: %s\n", missed.c_str());
  return state.notRun || !missed.empty() ? 4 : 0;
}

} // namespace convopt_verify
//===- DriverValues.h - Reference values of a driver ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the reference computes with: values in double, bounds on the errors of
/// less precision, and the nest's local arrays. Its text follows that of
/// DriverRuntime.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

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

/// In double, as the magnitude of the least integer is none of its type.
template <class W> double absolute(W v) {
  return std::fabs(static_cast<double>(widen(v)));
}

/// A reference value, what it would be with every term positive, and how many
/// additions stand between it and the inputs: the error of the same sum in
/// less precision is at most about `depth * epsilon * magnitude`. Differences
/// of unsigned integers wrap to values that their terms do not bound.
template <class T> struct Cell {
  Wide<T> value = std::numeric_limits<Wide<T>>::quiet_NaN();
  double magnitude = std::numeric_limits<double>::quiet_NaN();
  int64_t depth = 0;
  bool written = false;

  /// In the type of the value, for text that asks for it.
  Wide<T> typedMagnitude() const {
    constexpr Wide<T> most = std::numeric_limits<Wide<T>>::max();
    if constexpr (std::is_integral<T>::value)
      return magnitude < static_cast<double>(most)
                 ? static_cast<Wide<T>>(magnitude)
                 : most;
    else
      return magnitude;
  }

  template <class V, class M> void assign(V v, M m, int64_t d) {
    value = static_cast<Wide<T>>(v);
    magnitude = std::max(static_cast<double>(m), absolute(value));
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
  template <class V, class M> static double bound(V v, M m) {
    return std::max(static_cast<double>(m), absolute(static_cast<Wide<T>>(v)));
  }
};

/// Of a scalar, in its own type.
template <class W> auto typedMagnitude(W v) {
  if constexpr (std::is_arithmetic<W>::value)
    return v < W(0) ? W(-v) : v;
  else
    return v;
}

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

/// The row-major offset of \p index; fails outside of the extents, but for the
/// outermost, of which the memory has what the nest touches.
inline size_t offset(const char *name, const std::vector<int64_t> &extents,
                     std::initializer_list<int64_t> index) {
  size_t at = 0, d = 0;
  for (int64_t i : index) {
    if (i < 0 || (d > 0 && i >= extents[d]))
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
  const size_t i = offset("a local array", a.extents, index);
  if (i >= a.cells.size())
    fail("the nest leaves a local array");
  return a.cells[i];
}

} // namespace convopt_verify
//===- DriverArrays.h - Argument arrays of a driver -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The data that a verification driver runs on, and the comparison of what was
/// computed. Its text follows that of DriverValues.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

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
    std::snprintf(text, sizeof text, "%.9g", double(widen(v)));
  return text;
}

template <class T> bool sameBits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

/// Gives the container \p c as many elements as it can have up to \p size.
template <class T> void resize(std::vector<T> &c, size_t size) {
  c.resize(size);
}
template <class C> void resize(C &, size_t) {}

/// An argument array: its initial data, the copy that a run works on, the
/// reference and the naive result. Its memory is what the nest touches, as was
/// recorded, up to the last such element; on the device, up to the limit of its
/// guard.
template <class T> class Array {
public:
  Array(const char *name, Role role, std::vector<int64_t> extents)
      : name(name), role(role), extents(std::move(extents)) {}
  Array(const Array &) = delete;
  ~Array() { release(); }

  /// After the recording, or without one as large as the extents.
  void allocate() {
    if (!state.reference)
      writes.assign(elements(extents), role != Role::Input);
    writes.resize(std::max(writes.size(), least));
    count = writes.size();
    initial.reset(new T[count]);
    work.reset(new T[count]);
    naive.reset(new T[count]);
  }

  /// Before it is allocated: what it has room for.
  void atLeast(size_t elements) { least = elements; }

  size_t bytes() const { return count * sizeof(T); }
  /// Null where it is not \p there.
  AnyPointer<T> host(bool there = true) {
    return {there ? work.get() : nullptr};
  }
  const T *hostData() const { return work.get(); }
  T *data() { return work.get(); }
  T *initialData() { return initial.get(); }
  AnyPointer<T> device(bool there = true) {
    return {there ? devicePointer : nullptr};
  }

  void fill() {
    for (size_t i = 0; i < count; ++i)
      if (role == Role::Output && writes[i])
        poison(initial[i]);
      else
        initial[i] = draw();
    if (role == Role::Input || !state.reference)
      return;
    cells.assign(count, Cell<T>());
    for (size_t i = 0; i < count; ++i)
      cells[i] = known(initial[i]);
  }

  Cell<T> read(std::initializer_list<int64_t> index) {
    const size_t i = find(index);
    if (state.recording)
      return known(static_cast<T>(1.0f));
    return role == Role::Input ? known(initial[i]) : cells[i];
  }
  Cell<T> &at(std::initializer_list<int64_t> index) {
    const size_t i = find(index);
    if (!state.recording)
      return cells[i];
    writes[i] = true;
    return scratch = known(static_cast<T>(1.0f));
  }

  /// The nest would touch this, and a guard does not let it.
  void keep(std::initializer_list<int64_t> index) {
    kept.resize(extents.size());
    size_t d = 0;
    for (int64_t i : index)
      kept[d++].insert(i);
  }

  /// Makes the container \p c hold what a run works on.
  template <class C> void fit(C &c) const {
    resize(c, (bytes() + sizeof(*c.data()) - 1) / sizeof(*c.data()));
  }
  template <class C> void copyTo(C &c) const {
    if (bytesWith(c)) // what is empty has no address
      std::memcpy(c.data(), work.get(), bytesWith(c));
  }
  template <class C> void copyFrom(C &c) {
    if (bytesWith(c))
      std::memcpy(work.get(), c.data(), bytesWith(c));
  }
  template <class C> size_t bytesWith(const C &c) const {
    return std::min(bytes(), c.size() * sizeof(*c.data()));
  }

  void reset() { std::copy_n(initial.get(), count, work.get()); }

  void upload() {
    release();
    // Of what is not touched there is one byte, as there is no less.
    const size_t more = spare() * sizeof(T);
    const size_t total =
        before() + std::max<size_t>(bytes() + more, 1) + guardBytes;
    void *p = nullptr;
    require(cudaMalloc(&p, total), "cudaMalloc");
    if (before() || more)
      require(cudaMemset(p, 0xFF, total), "cudaMemset");
    block = static_cast<char *>(p);
    devicePointer = reinterpret_cast<T *>(block + before());
    require(cudaMemcpy(devicePointer, initial.get(), bytes(),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  void download() {
    require(
        cudaMemcpy(work.get(), devicePointer, bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    for (auto [g, size] : {std::pair(block, before()),
                           std::pair(block + before() + bytes(), guardBytes)}) {
      std::vector<unsigned char> guard(size);
      if (size)
        require(cudaMemcpy(guard.data(), g, size, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
      for (unsigned char b : guard)
        if (b != 0xFF)
          fail(std::string("wrote outside of '") + name + "'");
    }
    release();
  }

  /// The naive result, which has to agree with the reference too.
  void keepNaive(bool exactText, bool compareBits) {
    std::copy_n(work.get(), count, naive.get());
    check(exactText, compareBits);
    if (role == Role::Input)
      return;
    for (Variety &v : outputs)
      for (size_t i = 0; v.name == name && i < count && !v.varies; ++i)
        if (writes[i] && !first)
          first.reset(new T(naive[i]));
        else if (writes[i])
          v.varies = !sameBits(naive[i], *first);
  }

  /// ", 98% of 'out'": how much the nest writes; of an input, how many elements
  /// a kernel may read that the nest does not.
  std::string written() const {
    if (role == Role::Input)
      return spare() == 0 ? ""
                          : ", on the device " + std::to_string(spare()) +
                                " more elements of '" + name + "'";
    const double part = std::count(writes.begin(), writes.end(), true);
    return ", wrote " + printShare(part, count) + " of '" + name + "'";
  }

  /// Compares the working copy with the reference and the naive result.
  void check(bool exactText, bool compareBits) {
    size_t wrong = 0, first = 0;
    std::string why;
    for (size_t i = 0; i < count; ++i) {
      std::string expected = mismatch(i, exactText, compareBits);
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
  size_t count = 0, least = 0;
  std::unique_ptr<T[]> initial, work, naive;
  std::unique_ptr<T> first;
  std::vector<bool> writes;            // by element, of those that are touched
  std::vector<int64_t> most;           // by dimension, that is touched
  std::vector<std::set<int64_t>> kept; // by dimension, that a guard keeps out
  std::vector<Cell<T>> cells;
  Cell<T> scratch;
  char *block = nullptr;
  T *devicePointer = nullptr;

  size_t find(std::initializer_list<int64_t> index) {
    const size_t i = offset(name, extents, index);
    if (i >= writes.size()) {
      if (!state.recording)
        fail(std::string("the nest touches more of '") + name +
             "' than was recorded");
      writes.resize(i + 1);
    }
    if (state.recording) {
      most.resize(extents.size(), -1);
      std::transform(index.begin(), index.end(), most.begin(), most.begin(),
                     [](int64_t i, int64_t m) { return std::max(i, m); });
    }
    return i;
  }

  /// Where a stride ends before the limit of a guard, the source says that what
  /// lies between is there, too: that many elements after the last touched.
  size_t spare() const {
    size_t spare = 0, pitch = 1;
    for (size_t d = std::min(kept.size(), most.size()); d-- > 0;
         pitch *= extents[d]) {
      auto next = kept[d].upper_bound(most[d]);
      if (next != kept[d].end())
        spare += (*next - 1 - most[d]) * pitch;
    }
    return spare;
  }

  /// Bytes before the first element. Random data begins where no vector may.
  static size_t before() {
    return guardBytes + (state.data == Data::Random ? sizeof(T) : 0);
  }

  void release() {
    if (block)
      (void)cudaFree(block);
    block = nullptr;
  }

  /// NaN; for integers, whose every value could be a result, another value in
  /// each run.
  static void poison(T &element) {
    const bool other =
        std::is_integral<T>::value && state.data != Data::Integers;
    std::memset(static_cast<void *>(&element), other ? 0x5A : 0xFF, sizeof(T));
  }

  /// Integers of which all sums are exact, or anything in [-1, 1]. A sum in a
  /// 16-bit type stays exact for longer on smaller ones. Integers are larger
  /// once, and seldom negative, so that sums show when a type is too narrow.
  static T draw() {
    const uint64_t r = nextRandom();
    const bool isInteger = std::is_integral<T>::value;
    const bool isSpecial = !isInteger && state.data == Data::Special;
    if (isSpecial && state.draws % 2 && r % 16 == 0)
      return special((r >> 4) % 32);
    const double unit = (r >> 11) * 0x1p-52 - 1;
    if (isSpecial &&
        state.draws % 2 == 0) // far below what a maximum begins with
      return static_cast<T>(1000 * (unit - 2));
    if (!isInteger && state.data != Data::Integers)
      return static_cast<T>(unit);
    const int small = state.rounding.epsilon > 0x1p-12 ? 1 : 2;
    if (isInteger && state.data == Data::Special)
      return wide(r);
    const bool isLarge = isInteger && state.data != Data::Integers;
    const int least = std::is_unsigned<T>::value ? 0 : isLarge ? -20 : -small;
    const int count = isLarge ? 101 : 2 * small + 1;
    return static_cast<T>(static_cast<int>(r >> 40) % count + least);
  }

  /// An integer of up to 20 bits, of every other shape a negative one.
  static T wide(uint64_t r) {
    const int bits = std::min<int>(8 * sizeof(T) - 1, 20);
    const int64_t size = static_cast<int64_t>(r >> (64 - bits));
    const bool isNegative =
        std::is_signed<T>::value && (state.draws % 2 == 0 || r % 2);
    return static_cast<T>(isNegative ? -size - 1 : size);
  }

  static T special(uint64_t k) {
    static constexpr double rare[] = {INFINITY, -INFINITY, NAN};
    static constexpr double usual[] = {0.0, -0.0, 1e-30, -1e-30};
    return static_cast<T>(k < 3 ? rare[k] : usual[k % 4]);
  }

  /// Why element \p i of the working copy is wrong; empty where it is right.
  std::string mismatch(size_t i, bool exactText, bool compareBits) {
    const T got = work[i];
    if (role == Role::Input)
      return sameBits(got, initial[i])
                 ? ""
                 : "an input, was " + printValue(initial[i]);
    const bool mayDifferInSign = !state.signedZeros && got == naive[i];
    if (compareBits && !sameBits(got, naive[i]) && !mayDifferInSign)
      return "naive " + printValue(naive[i]);
    if (!state.reference)
      return "";
    const Cell<T> &c = cells[i];
    if (c.written && state.data == Data::Special)
      return ""; // of which doubles say nothing
    if (!c.written)
      return sameBits(got, initial[i])
                 ? ""
                 : "must not be written, was " + printValue(initial[i]);
    if constexpr (std::is_integral<T>::value) {
      return got == c.value ? "" : "reference " + printValue(c.value);
    } else {
      const bool exact = exactText && state.data == Data::Integers &&
                         c.magnitude * state.rounding.epsilon < 1;
      const double value = widen(got);
      if (std::isnan(c.value) || std::isinf(c.value) || exact)
        return value == c.value || (std::isnan(c.value) && std::isnan(value))
                   ? ""
                   : "reference " + printValue(c.value);
      if (state.data == Data::Integers)
        state.exact = false;
      const double bound =
          (c.depth + 4) *
          (state.rounding.epsilon * c.magnitude + state.rounding.smallest);
      const double error = std::fabs(value - c.value);
      state.worst = std::max(state.worst, error / bound);
      // Bounds are of first order, which a quotient of nearly nothing passes:
      // the bits of the naive code are right wherever they are asked for.
      return error <= bound || (compareBits && sameBits(got, naive[i]))
                 ? ""
                 : "reference " + printValue(c.value) +
                       ", the bound on the error is " + printValue(bound);
    }
  }

  std::string printElement(size_t i) const {
    std::string text;
    for (size_t d = extents.size(); d-- > 1; i /= extents[d])
      text = "[" + std::to_string(i % extents[d]) + "]" + text;
    return name + ("[" + std::to_string(i) + "]") + text;
  }
};

template <class T>
Cell<T> &at(Array<T> &a, std::initializer_list<int64_t> index) {
  return a.at(index);
}

/// A value for scalar number \p k that the function passes through: another
/// one with each draw of data, negative ones among them unless \p positive.
template <class T> T scalar(int k, bool positive) {
  static constexpr float integers[] = {2, -3, 1, -1, 3};
  static constexpr float fractions[] = {-0.75f, 1.5f, -2.25f};
  const int draw = state.draws + k;
  const bool whole = std::is_integral<T>::value || state.data == Data::Integers;
  const float value = whole ? integers[draw % 5] : fractions[draw % 3];
  if constexpr (std::is_same<T, bool>::value)
    return draw % 2;
  else if constexpr (std::is_constructible<T, float>::value)
    return static_cast<T>(
        positive || std::is_unsigned<T>::value ? std::fabs(value) : value);
  else
    return T{};
}

} // namespace convopt_verify

#define main convopt_user_main
#include "emitted.cu"
#undef main

template <class ElTp, int radius>
static void convopt_case(const char *cv_shape, double cv_work, [[maybe_unused]] int64_t cvp_widthIn, [[maybe_unused]] int64_t cvp_widthOut, [[maybe_unused]] int64_t cvp_nIn, [[maybe_unused]] int64_t cvp_nOut) {
  const bool cv_bits = true;
  if (!convopt_verify::startShape(cv_shape, cv_work, true, cv_bits,
      convopt_verify::coarsest<ElTp>()))
    return;
  [[maybe_unused]] const int64_t cvp_radius = radius;
  [[maybe_unused]] const int64_t cvp_size = INT64_C(1) + INT64_C(2) * cvp_radius;
  convopt_verify::Array<ElTp> cva_input("input", convopt_verify::Role::Input,
      {cvp_nIn, cvp_widthIn, cvp_widthIn});
  convopt_verify::Array<ElTp> cva_kernel("kernel", convopt_verify::Role::Input,
      {cvp_nIn, cvp_nOut, cvp_size, cvp_size});
  convopt_verify::Array<ElTp> cva_output("output", convopt_verify::Role::Output,
      {cvp_nOut, cvp_widthOut, cvp_widthOut});
  const auto cv_nest = [&]() {
    double cv_ran[3] = {}, cv_all[3] = {};
    for (int64_t cvl_gidz_0 = INT64_C(0); cvl_gidz_0 < cvp_nOut; ++cvl_gidz_0) {
      for (int64_t cvl_gidy_1 = INT64_C(0); cvl_gidy_1 < cvp_widthOut; ++cvl_gidy_1) {
        for (int64_t cvl_gidx_2 = INT64_C(0); cvl_gidx_2 < cvp_widthOut; ++cvl_gidx_2) {
          convopt_verify::Cell<ElTp> cva_sum;
          { // S0: sum = 0.0f
            ++cv_all[0], ++cv_ran[0];
            cva_sum.assign(convopt_verify::widen(double(0.0f)), convopt_verify::absolute(double(0.0f)), 0);
          }
          for (int64_t cvl_c_3 = INT64_C(0); cvl_c_3 < cvp_nIn; ++cvl_c_3) {
            for (int64_t cvl_row_4 = INT64_C(0); cvl_row_4 < cvp_size; ++cvl_row_4) {
              for (int64_t cvl_col_5 = INT64_C(0); cvl_col_5 < cvp_size; ++cvl_col_5) {
                { // S1: sum += input[c][gidy + row][gidx + col] * kernel[c][gidz][row][col]
                  ++cv_all[1], ++cv_ran[1];
                  const auto cvo_0 = cva_input.read({cvl_c_3, cvl_gidy_1 + cvl_row_4, cvl_gidx_2 + cvl_col_5});
                  const auto cvo_1 = cva_kernel.read({cvl_c_3, cvl_gidz_0, cvl_row_4, cvl_col_5});
                  cva_sum.add(convopt_verify::widen(cvo_0.value * cvo_1.value), convopt_verify::absolute(cvo_0.magnitude * cvo_1.magnitude), 0);
                }
              }
            }
          }
          { // S2: output[gidz][gidy][gidx] = sum
            ++cv_all[2], ++cv_ran[2];
            const auto cvo_0 = cva_sum;
            cva_output.at({cvl_gidz_0, cvl_gidy_1, cvl_gidx_2}).assign(convopt_verify::widen(cvo_0.value), convopt_verify::absolute(cvo_0.magnitude), std::max<int64_t>(0, cvo_0.depth));
          }
        }
      }
    }
    if (convopt_verify::state.recording)
      convopt_verify::cover(cv_ran, cv_all);
  };
  const auto cv_reference = [&] { cv_nest(); };
  convopt_verify::state.recording = true;
  if (!convopt_verify::runReference(cv_reference, false))
    return;
  convopt_verify::state.recording = false;
    cva_input.allocate();
    cva_kernel.allocate();
    cva_output.allocate();
  const bool cv_exact = true;
  for (int cv_pass = 0; cv_pass < 3; ++cv_pass) {
    convopt_verify::startData(cv_pass);
    cva_input.fill();
    cva_kernel.fill();
    cva_output.fill();
    const dim3 cv_grid(convopt_verify::ceilDiv(cvp_widthOut, 32),
        convopt_verify::ceilDiv(cvp_widthOut, 4),
        convopt_verify::ceilDiv(cvp_nOut, 2));
    const dim3 cv_block(32, 4, 2);
    convopt_verify::state.variant = "convNaive";
    const auto cv_naive = [&] {
    cva_input.reset();
    cva_kernel.reset();
    cva_output.reset();
    cva_input.upload();
    cva_kernel.upload();
    cva_output.upload();
    
#ifdef __CUDACC__
    convNaive<ElTp, radius><<<cv_grid, cv_block>>>(cva_input.device(), cva_kernel.device(), cva_output.device(), cvp_widthIn, cvp_widthOut, cvp_nIn, cvp_nOut);
#else
    ::cuda_on_cpu::launch(cv_grid, cv_block, 0, 0, [&] { convNaive<ElTp, radius>(cva_input.device(), cva_kernel.device(), cva_output.device(), cvp_widthIn, cvp_widthOut, cvp_nIn, cvp_nOut); });
#endif
    convopt_verify::requireRan();
    cva_input.download();
    cva_kernel.download();
    cva_output.download();
    
    };
    if (!convopt_verify::runReference(cv_reference, false))
      return;

    convopt_verify::state.variant = "convNaive";
    cv_naive();
    cva_input.keepNaive(cv_exact, cv_bits);
    cva_kernel.keepNaive(cv_exact, cv_bits);
    cva_output.keepNaive(cv_exact, cv_bits);

    convopt_verify::state.variant = "convNaive_tiled_launch";
    cva_input.reset();
    cva_kernel.reset();
    cva_output.reset();
    convopt_verify::takeKernels();
    cva_input.upload();
    cva_kernel.upload();
    cva_output.upload();
    convopt_verify::require(convNaive_tiled_launch<ElTp, radius>(cva_input.device(), cva_kernel.device(), cva_output.device(), cvp_widthIn, cvp_widthOut, cvp_nIn, cvp_nOut, nullptr), "launch");
    convopt_verify::requireRan();
    cva_input.download();
    cva_kernel.download();
    cva_output.download();
    cva_input.check(cv_exact, cv_bits);
    cva_kernel.check(cv_exact, cv_bits);
    cva_output.check(cv_exact, cv_bits);
    convopt_verify::state.kernelsOfLauncher = convopt_verify::takeKernels();

    convopt_verify::state.variant = "convNaive_tiled_dispatch";
    cva_input.reset();
    cva_kernel.reset();
    cva_output.reset();
    convopt_verify::takeKernels();
    cva_input.upload();
    cva_kernel.upload();
    cva_output.upload();
    convNaive_tiled_dispatch<ElTp, radius>(cv_grid, cv_block, 0, nullptr, cva_input.device(), cva_kernel.device(), cva_output.device(), cvp_widthIn, cvp_widthOut, cvp_nIn, cvp_nOut);
    convopt_verify::requireRan();
    cva_input.download();
    cva_kernel.download();
    cva_output.download();
    
    cva_input.check(cv_exact, cv_bits);
    cva_kernel.check(cv_exact, cv_bits);
    cva_output.check(cv_exact, cv_bits);
    convopt_verify::requireKernel();
  }
  convopt_verify::finishShape(std::string() + cva_output.written());
}

int main(int argc, char **argv) {
  convopt_verify::start(argc, argv);
  convopt_verify::coverage = {{"S0"}, {"S1"}, {"S2"}, };
  convopt_verify::outputs = {{"output"}, };
  ::convopt_case<float, 1>("radius=1 widthIn=3 widthOut=1 nIn=9 nOut=2 ElTp=float", 1.660000e+02, INT64_C(3), INT64_C(1), INT64_C(9), INT64_C(2));
  ::convopt_case<float, 5>("radius=5 widthIn=12 widthOut=2 nIn=9 nOut=1 ElTp=float", 4.364000e+03, INT64_C(12), INT64_C(2), INT64_C(9), INT64_C(1));
  ::convopt_case<float, 1>("radius=1 widthIn=26 widthOut=19 nIn=1 nOut=1 ElTp=float", 3.971000e+03, INT64_C(26), INT64_C(19), INT64_C(1), INT64_C(1));
  ::convopt_case<float, 0>("radius=0 widthIn=16 widthOut=4 nIn=3 nOut=1 ElTp=float", 8.000000e+01, INT64_C(16), INT64_C(4), INT64_C(3), INT64_C(1));
  ::convopt_case<float, 1>("radius=1 widthIn=8 widthOut=2 nIn=2 nOut=17 ElTp=float", 1.360000e+03, INT64_C(8), INT64_C(2), INT64_C(2), INT64_C(17));
  ::convopt_case<float, 1>("radius=1 widthIn=39 widthOut=3 nIn=1 nOut=8 ElTp=float", 7.920000e+02, INT64_C(39), INT64_C(3), INT64_C(1), INT64_C(8));
  ::convopt_case<float, 5>("radius=5 widthIn=27 widthOut=5 nIn=3 nOut=1 ElTp=float", 9.125000e+03, INT64_C(27), INT64_C(5), INT64_C(3), INT64_C(1));
  ::convopt_case<float, 1>("radius=1 widthIn=12 widthOut=9 nIn=1 nOut=17 ElTp=float", 1.514700e+04, INT64_C(12), INT64_C(9), INT64_C(1), INT64_C(17));
  ::convopt_case<float, 1>("radius=1 widthIn=4 widthOut=2 nIn=8 nOut=1 ElTp=float", 2.960000e+02, INT64_C(4), INT64_C(2), INT64_C(8), INT64_C(1));
  ::convopt_case<float, 1>("radius=1 widthIn=39 widthOut=4 nIn=1 nOut=7 ElTp=float", 1.232000e+03, INT64_C(39), INT64_C(4), INT64_C(1), INT64_C(7));
  ::convopt_case<float, 1>("radius=1 widthIn=40 widthOut=37 nIn=2 nOut=1 ElTp=float", 2.738000e+04, INT64_C(40), INT64_C(37), INT64_C(2), INT64_C(1));
  return convopt_verify::finish();
}
