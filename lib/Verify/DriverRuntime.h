//===- DriverRuntime.h - What every verification driver needs ---*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a verification driver is doing, what it has seen, and the start and end
/// of each shape. Its text, with those of DriverBounds.h, DriverGrid.h,
/// DriverValues.h, DriverArrays.h and DriverRefusals.h, is copied to the top of
/// each driver, before any code of the user.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>
#if __has_include(<span>)
#include <span> // nothing before C++20
#endif
#ifndef __CUDACC__
#include <sys/wait.h>
#include <unistd.h>
#endif

namespace convopt_verify {

#ifdef __CUDACC__
constexpr bool onGpu = true;
inline size_t liveAllocations() { return 0; }
inline void meanwhile(const std::function<void()> &) {}
inline std::set<const void *> takeKernels() { return {}; }
inline void setReverse(bool) {}
inline void setFull(bool) {}
inline void forbid(const void *, size_t) {}
inline void permit(const void *, size_t) {}
constexpr size_t guardBytes = 4096; // a write into them is noticed
#else
constexpr bool onGpu = false;
using cuda_on_cpu::liveAllocations;
/// What others do while host code runs a kernel.
inline void meanwhile(std::function<void()> f) {
  cuda_on_cpu::meanwhile = std::move(f);
}
/// Those that ran since the last call.
inline std::set<const void *> takeKernels() {
  return std::exchange(cuda_on_cpu::kernelsThatRan, {});
}
using cuda_on_cpu::forbid;
using cuda_on_cpu::permit;
using cuda_on_cpu::setReverse;
/// Whether there is no memory of the device for what is allocated next.
inline void setFull(bool isFull) { cuda_on_cpu::memory.isFull = isFull; }
constexpr size_t guardBytes = 0; // AddressSanitizer guards each block
#endif

/// Special: random, with zeros of both signs, infinities, NaNs, and values
/// whose products vanish; of every other shape, large negative values. Of
/// integers, as large ones as the naive code has a meaning for.
enum class Data { Integers, Random, Special };
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
  bool signedZeros = true; // equal bits include the signs of zeros
  double worst = 0;        // largest error as a share of its bound
  double epsilon = 0;      // of the arrays' coarsest type
  int passed = 0, notRun = 0;
  /// The versions and the general kernel, if there are several, which of them
  /// take this shape, the last where no other does, and which ran in any.
  std::vector<std::string> kernels;
  std::vector<bool> taking, ran;
  std::set<std::string> toRun; // those that have to
  std::set<const void *> kernelsOfLauncher;
  const char *toRefuse = nullptr; // what the launcher is called with
  bool isCopied = true;   // by host code, which else runs the naive code
  bool isFallback = false; // what runs where the device has no memory is tried
  bool isNaive = false;    // what runs is the source's own
  bool recording = false; // of what is touched, before there is any data
  /// Integers are 1 to 7, as others are no divisors or numbers of bits.
  bool isSmall = false;
  /// No number is negative or zero, as of others all results are NaN.
  bool isPositive = false;
  int draws = 0;  // of data, over all shapes
  int shapes = 0; // that were begun
  /// Of the shape's arrays with initial integers: how many there are; the bits
  /// of the widest type among them and scalars, and of the large ones drawn.
  int integerArrays = 0, widest = 0, bitsDrawn = 0;

  /// Shapes in which each such array has large integers alone once, after one
  /// in which all have, and the number of this one from the first.
  int round() const { return integerArrays > 1 ? integerArrays + 1 : 1; }
  int turn() const { return (shapes - 1) % round(); }
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

inline void printFailure(const std::string &what) {
  std::printf("FAIL %s: %s, %s: %s\n", printShape().c_str(), dataName(),
              state.variant, what.c_str());
  std::fflush(stdout);
}
[[noreturn]] inline void fail(const std::string &what) {
  printFailure(what);
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

/// Coordinate \p v of a dimension with \p extent elements, or what border \p b
/// of the array (convopt::Border) has in place of it.
inline int64_t imageOf(int b, int64_t v, int64_t extent) {
  const int64_t last = extent - 1;
  if (v >= 0 && v <= last)
    return v;
  switch (b) {
  case 1:
    return v < 0 ? 0 : last;
  case 2:
    return v < 0 ? -v : 2 * last - v;
  case 3:
    return v < 0 ? -1 - v : 2 * last + 1 - v;
  default:
    return v < 0 ? v + extent : v - extent;
  }
}

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

template <class... Ts> constexpr bool anyIntegral() {
  return (std::is_integral<Ts>::value || ...);
}

#ifdef __CUDACC__
template <class Reference> bool isDefined(Reference) { return true; }
template <class Draw, class Naive> bool fitData(Draw, Naive) { return false; }
#else
constexpr int undefinedStatus = 5;
inline bool isTrial = false;

/// UBSan calls this before it prints.
extern "C" void __ubsan_on_report() {
  if (isTrial)
    _exit(undefinedStatus);
  if (state.isNaive)
    std::fprintf(stderr, "the source itself has no meaning here: %s, %s, %s\n",
                 state.variant, printShape().c_str(), dataName());
}

/// AddressSanitizer does: a kernel ran where there is nothing.
extern "C" void __asan_on_error() {
  if (!state.toRefuse)
    return;
  printFailure(std::string(state.toRefuse) + ", which a kernel ran with");
  _exit(3);
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

/// Has large integers drawn with fewer bits; false where these would be no
/// larger than others are.
inline bool drawsFewerBits() {
  constexpr int few = 7;
  state.bitsDrawn -= state.bitsDrawn > 32 ? 8 : 2;
  return state.bitsDrawn > few;
}

/// Has \p draw draw large integers with as many bits as \p naive has a meaning
/// for; false where it has none for them, or where nothing could tell.
template <class Draw, class Naive> bool fitData(Draw draw, Naive naive) {
  while (!isDefined(naive)) {
    if (!drawsFewerBits())
      return false;
    draw();
  }
  return true;
}
#endif

/// Runs \p reference, if the shape has it; false where the source does not say
/// what comes of the values drawn, which is tried if it \p isPartial: has
/// shifts or divisions. Then drawsSmall() says whether to draw others.
template <class Reference>
bool runReference(Reference reference, bool isPartial) {
  state.variant = "reference";
  if (!state.reference)
    return true;
  if (isPartial && !isDefined(reference))
    return false;
  reference();
  return true;
}

/// Has small integers drawn for the rest of the shape; false where they are or
/// nothing is drawn yet: then the shape does not run.
inline bool drawsSmall() {
  if (!state.recording && !std::exchange(state.isSmall, true))
    return true;
  std::printf("not run: %s: the naive code is undefined with these values\n",
              printShape().c_str());
  state.recording = false;
  return false;
}

/// Has positive numbers drawn for the rest of the shape where what the naive
/// code makes of the others \p isNan; false where they are already.
inline bool drawsPositive(bool isNan) {
  return isNan && !std::exchange(state.isPositive, true);
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

/// Whether something of an output was compared in this shape, whether in any,
/// and whether it held more than one value in any.
struct Variety {
  std::string name;
  bool compared = false, ever = false, varies = false;
  bool isNan = false; // what it held first
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
    if (!v.ever)
      return "no bound on the error of '" + v.name + "' is known in any shape";
    else if (!v.varies)
      return "'" + v.name +
             (v.isNan ? "' is NaN in all shapes, of positive numbers, too"
                      : "' has one value in all shapes");
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

/// \p kernel, a version, ran by itself; \p isTaken says whether the launcher
/// takes it, too, or one before it.
inline void take(const char *kernel, bool isTaken) {
  for (size_t k = 0; k < state.kernels.size(); ++k)
    if (state.kernels[k] == kernel) {
      state.ran[k] = true;
      state.taking[k] = isTaken;
    }
}

/// Whether to run a shape at all. \p device says that the naive function runs
/// on the device: then a GPU can do without the reference.
inline bool startShape(const char *shape, double work, bool device, bool bits) {
  state.shape = shape;
  state.work = work;
  state.exact = true;
  state.bits = bits;
  state.epsilon = state.worst = 0;
  for (Variety &v : outputs)
    v.compared = false;
  state.isSmall = state.isPositive = false;
  ++state.shapes;
  state.integerArrays = state.widest = 0;
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
  state.bitsDrawn = state.widest;
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
  for (Variety &v : outputs) {
    v.ever |= v.compared;
    if (v.compared)
      continue;
    std::printf("not verified: %s: no bound on the error of '%s' is known\n",
                printShape().c_str(), v.name.c_str());
    return;
  }
  std::printf("ok   %s:", printShape().c_str());
  if (!state.reference)
    std::printf(" %s (float64 reference not run: %.3g operations)\n",
                identical(), state.work);
  else
    std::printf("%s float64 reference (max error %.2f of bound%s)%s%s%s%s%s\n",
                state.exact ? " integer-exact," : "", state.worst,
                state.worst > 1 ? ", which is that of naive" : "",
                state.bits ? ", " : "", state.bits ? identical() : "",
                printCoverage().c_str(), written.c_str(),
                state.isPositive ? "; of positive numbers, as others make NaN"
                                 : "");
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
