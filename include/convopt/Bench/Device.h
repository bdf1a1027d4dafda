//===- Device.h - What measuring needs of a device --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Measuring code sees a device through this interface alone. There are two:
/// a GPU through its driver, and a simulated one that follows a script, so
/// that every way in which a kernel can go wrong is tested without a GPU.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_BENCH_DEVICE_H
#define CONVOPT_BENCH_DEVICE_H

#include "llvm/Support/Error.h"

namespace convopt::bench {

struct DeviceInfo {
  std::string name, arch;   // "NVIDIA H200", "sm_90"
  std::string driver, cuda; // versions
  int64_t memoryBytes = 0, l2Bytes = 0;
  int multiprocessors = 0;
  double nominalPeak = 0;      // flop/s
  double nominalBandwidth = 0; // bytes/s
};

/// Memory of the device that holds elements of one type.
struct Buffer {
  uint64_t address = 0;
  std::string type; // C spelling: "float"
  int64_t elements = 0;
};

/// What buffers are filled with, always other than zero.
enum class Data : uint8_t {
  Integers, // -2 .. 2: all sums are exact
  Random,   // in [-1, 1)
};

/// How far a result may be from the reference in double.
struct Tolerance {
  bool exact = false; // not at all
  double depth = 0;   // roundings between an output and its inputs
};

/// What a comparison found.
struct Comparison {
  uint64_t wrong = 0; // elements
  uint64_t first = 0; // index of the first of them
  double actual = 0, expected = 0;
  /// Largest error, as a share of the sum of the terms' magnitudes.
  double worst = 0;
};

/// How a kernel's text becomes code.
enum class Compiler : uint8_t { Nvrtc, Nvcc };

/// A kernel before compilation.
struct KernelSource {
  std::string label;    // the row's name, for messages
  std::string code;     // CUDA text
  std::string entry;    // the kernel with its template arguments
  std::string launcher; // with Nvcc: the launcher to call, the same way
  std::string folder;   // with Nvcc: of the headers that the text includes
  Compiler compiler = Compiler::Nvrtc;
  std::array<int64_t, 3> block{1, 1, 1}; // for occupancy; 1 thread: unknown
  int64_t dynamicSharedBytes = 0;
  /// With Nvcc: whether a capturing stream may record a launch. It may not
  /// where the launcher waits for the launch before.
  bool isCapturable = true;
  bool isFile = false; // somebody may have edited it
};

/// A kernel that is ready to be launched. What its launcher chooses is known
/// once Device::inspect has looked.
struct LoadedKernel {
  unsigned id = 0;
  std::optional<int64_t> threadsPerBlock;
  std::optional<int64_t> registers, spillBytes;
  std::optional<int64_t> staticSharedBytes, dynamicSharedBytes;
  std::optional<double> occupancy;
};

/// Argument values as they lie in memory, 8 bytes each.
using Arguments = std::vector<uint64_t>;

struct Launch {
  std::array<int64_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  int64_t dynamicSharedBytes = 0;
  Arguments arguments;
};

/// What the clocks of the multiprocessors did at a moment.
struct Clocks {
  int now = 0, max = 0;   // MHz; 0: not known
  std::string throttling; // reasons; empty: none
};

/// One device and one stream. Errors are of rule "device", with the name of
/// the driver's error code; after one that a kernel caused, nothing else can
/// be expected to work.
class Device {
public:
  virtual ~Device() = default;

  virtual const DeviceInfo &info() const = 0;
  virtual llvm::Expected<int64_t> freeBytes() = 0;
  virtual Clocks clocks() = 0;
  /// Seconds on a clock that only goes forward.
  virtual double seconds() const = 0;

  /// Freed with the device, or by release.
  virtual llvm::Expected<Buffer> allocate(llvm::StringRef type,
                                          int64_t elements) = 0;
  virtual llvm::Error release(const Buffer &buffer) = 0;
  virtual llvm::Error fill(const Buffer &buffer, Data data, uint64_t seed) = 0;
  /// Sets every bit: NaN in floating point.
  virtual llvm::Error poison(const Buffer &buffer) = 0;
  /// Copies \p from to the doubles \p value and its magnitudes to the other.
  virtual llvm::Error widen(const Buffer &from, const Buffer &value,
                            const Buffer &magnitude) = 0;
  /// A number that differs, but for chance, where any bit differs.
  virtual llvm::Expected<uint64_t> hash(const Buffer &buffer) = 0;
  /// Compares with reference values; where those are NaN, the element must
  /// still be poisoned.
  virtual llvm::Expected<Comparison> compare(const Buffer &actual,
                                             const Buffer &value,
                                             const Buffer &magnitude,
                                             const Tolerance &tolerance) = 0;

  /// Compiles and loads. Refuses what the compiler refuses, with the first
  /// lines of what it says.
  virtual llvm::Expected<LoadedKernel> load(const KernelSource &source) = 0;
  /// Completes \p kernel with what its launcher chooses for \p launch, where
  /// it has one and the device can tell; nothing runs.
  virtual void inspect(LoadedKernel &kernel, const Launch &launch) = 0;
  /// Starts the kernel and does not wait for it.
  virtual llvm::Error launch(const LoadedKernel &kernel,
                             const Launch &launch) = 0;
  /// Waits for everything that was started.
  virtual llvm::Error synchronize() = 0;
  /// Milliseconds of what \p work starts, between two events. Where \p cold,
  /// the L2 cache is filled with other data before. The device is kept busy
  /// until both events and the work are queued, so that the host's part of a
  /// launch is not measured. Where \p during is given, it gets the clocks as
  /// they are once all is queued: while the work runs, or just after it.
  virtual llvm::Expected<double> time(bool cold,
                                      llvm::function_ref<llvm::Error()> work,
                                      Clocks *during = nullptr) = 0;
  /// Milliseconds for which the device went on after the end of what was timed
  /// last, where that was a launcher of a file, which may have left work on a
  /// stream of its own; else 0.
  virtual double overrun() const = 0;
};

/// The first GPU. Refuses (status Missing) where there is no driver, no device
/// or no NVRTC.
llvm::Expected<std::unique_ptr<Device>> openCudaDevice();

/// A device that follows the script in the JSON file \p path (docs/Bench.md,
/// "Tests without a GPU").
llvm::Expected<std::unique_ptr<Device>>
openSimulatedDevice(llvm::StringRef path);

} // namespace convopt::bench

#endif // CONVOPT_BENCH_DEVICE_H
