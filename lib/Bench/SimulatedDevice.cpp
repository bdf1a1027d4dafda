//===- SimulatedDevice.cpp - A device that follows a script ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Computes nothing: a buffer holds a number that stands for its contents, and
/// the script says how long each kernel takes and what is wrong with it
/// (docs/Bench.md, "Tests without a GPU"). Launches that a driver refuses are
/// refused.
///
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Device.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Gpu.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <csignal>
#include <thread>

using namespace llvm;

namespace convopt::bench {

//===----------------------------------------------------------------------===//
// What a device refuses to launch
//===----------------------------------------------------------------------===//

namespace {
/// What a kernel's declaration says of its launches.
struct KernelHead {
  std::optional<int64_t> maxThreads; // __launch_bounds__
  size_t parameters = 0;
};
} // namespace

/// How many parameters there are in \p text, which begins inside of their
/// parentheses.
static size_t countParameters(StringRef text) {
  size_t commas = 0;
  int depth = 0;
  for (size_t k = 0; k != text.size(); ++k) {
    const char c = text[k];
    if (c == ')' && depth == 0)
      return text.take_front(k).trim().empty() ? 0 : commas + 1;
    depth += StringRef("([{<").contains(c) - StringRef(")]}>").contains(c);
    commas += c == ',' && depth == 0;
  }
  return commas + 1;
}

/// The declaration of the kernel \p entry, template arguments apart, in
/// \p code; none where there is no such kernel.
static std::optional<KernelHead> findKernelHead(StringRef code,
                                                StringRef entry) {
  const std::string call = entry.split('<').first.str() + "(";
  for (size_t at = code.find(call); at != StringRef::npos;
       at = code.find(call, at + 1)) {
    const StringRef before = code.take_front(at);
    // What was declared before ends with one of these.
    const StringRef head = before.drop_front(before.find_last_of(";{}") + 1);
    if (before.empty() || isAlnum(before.back()) || before.back() == '_' ||
        !head.contains("__global__"))
      continue;
    KernelHead result;
    const size_t bounds = head.find("__launch_bounds__(");
    int64_t threads;
    if (bounds != StringRef::npos &&
        !head.drop_front(bounds).split('(').second.consumeInteger(10, threads))
      result.maxThreads = threads;
    result.parameters = countParameters(code.drop_front(at + call.size()));
    return result;
  }
  return std::nullopt;
}

/// Why \p gpu does not launch a kernel with this \p head, none where its text
/// is not known, that was given \p sharedBytes of dynamic shared memory when
/// it was loaded; empty where it does.
static std::string refusalOfLaunch(const Gpu &gpu,
                                   const std::optional<KernelHead> &head,
                                   int64_t sharedBytes, const Launch &launch) {
  const std::string code = "CUDA_ERROR_INVALID_VALUE: ";
  int64_t threads = 1;
  for (unsigned d = 0; d != 3; ++d) {
    const std::string dimension(1, "xyz"[d]);
    for (auto [what, size, limit] :
         {std::tuple("grid.", launch.grid[d], gpu.gridDim[d]),
          std::tuple("block.", launch.block[d], gpu.blockDim[d])})
      if (size < 1 || size > limit)
        return code + what + dimension + " is " + std::to_string(size) +
               ", not from 1 to " + std::to_string(limit);
    threads *= launch.block[d];
  }
  if (threads > gpu.threadsPerBlock)
    return code + "a block has " + std::to_string(threads) + " threads, " +
           gpu.name + " allows " + std::to_string(gpu.threadsPerBlock);
  if (head && head->maxThreads && threads > *head->maxThreads)
    return code + "a block has " + std::to_string(threads) +
           " threads, the kernel's launch bounds are " +
           std::to_string(*head->maxThreads);
  if (launch.dynamicSharedBytes > std::max(gpu.sharedPerBlock, sharedBytes))
    return code + "a block gets " + std::to_string(launch.dynamicSharedBytes) +
           " bytes of shared memory, the kernel was loaded with " +
           std::to_string(sharedBytes);
  if (head && launch.arguments.size() != head->parameters)
    return code + "the kernel takes " + std::to_string(head->parameters) +
           " arguments, not " + std::to_string(launch.arguments.size());
  return "";
}

//===----------------------------------------------------------------------===//
// The device
//===----------------------------------------------------------------------===//

namespace {

/// How a kernel behaves.
struct Script {
  std::vector<double> milliseconds{1}; // one after the other, again and again
  /// "integers", "random", "after timing", "inputs", "inputs when timed",
  /// "late"
  std::string wrong;
  std::string refused; // what the compiler says
  std::string error;   // what the launch says
  bool crashes = false, hangs = false;
  int64_t dynamicShared = 0; // bytes that a launcher asks for
  int clock = 1000;          // MHz while it runs
  std::string throttling;    // while it runs
  double overrun = 0;        // milliseconds on another stream
  uint64_t bits = 0; // another right result, in another order of the sum
};

struct DeviceScript {
  DeviceInfo info;
  int64_t largest = INT64_MAX; // of one allocation, whatever is free
  std::map<std::string, Script> kernels;
};

bool fromJSON(const json::Value &v, Script &s, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && o.mapOptional("ms", s.milliseconds) &&
         o.mapOptional("wrong", s.wrong) &&
         o.mapOptional("refused", s.refused) &&
         o.mapOptional("error", s.error) &&
         o.mapOptional("crashes", s.crashes) &&
         o.mapOptional("hangs", s.hangs) && o.mapOptional("bits", s.bits) &&
         o.mapOptional("clock", s.clock) &&
         o.mapOptional("throttling", s.throttling) &&
         o.mapOptional("overrun", s.overrun) &&
         o.mapOptional("dynamic shared", s.dynamicShared);
}

bool fromJSON(const json::Value &v, DeviceScript &s, json::Path path) {
  json::ObjectMapper o(v, path);
  s.info.name = "simulated device";
  s.info.arch = "sm_90";
  s.info.memoryBytes = 100000000000;
  s.info.l2Bytes = 50000000;
  s.info.multiprocessors = 100;
  s.info.nominalPeak = 60e12;
  s.info.nominalBandwidth = 4e12;
  return o && o.mapOptional("memory", s.info.memoryBytes) &&
         o.mapOptional("l2", s.info.l2Bytes) &&
         o.mapOptional("largest", s.largest) &&
         o.mapOptional("kernels", s.kernels);
}

class SimulatedDevice : public Device {
public:
  SimulatedDevice(DeviceScript script, Gpu gpu)
      : script(std::move(script)), gpu(std::move(gpu)) {}

  const DeviceInfo &info() const override { return script.info; }
  Expected<int64_t> freeBytes() override {
    return script.info.memoryBytes - used;
  }
  Clocks clocks() override { return {1000, 2000, ""}; }
  double seconds() const override { return now; }

  Expected<Buffer> allocate(StringRef type, int64_t elements) override {
    const int64_t bytes = elements * (type == "double" ? 8 : 4);
    if (bytes > script.largest || used + bytes > script.info.memoryBytes)
      return refuse("device", "allocating " + std::to_string(bytes) +
                                  " bytes: CUDA_ERROR_OUT_OF_MEMORY");
    used += bytes;
    contents.push_back({});
    return Buffer{uint64_t(contents.size()) << AddressShift, type.str(),
                  elements};
  }
  Error release(const Buffer &buffer) override {
    used -= buffer.elements * (buffer.type == "double" ? 8 : 4);
    return Error::success();
  }
  Error fill(const Buffer &buffer, Data data, uint64_t seed) override {
    at(buffer) = {seed, false, false};
    current = data;
    return Error::success();
  }
  Error poison(const Buffer &buffer) override {
    at(buffer) = {~0ull, true, false};
    return Error::success();
  }
  Error widen(const Buffer &, const Buffer &, const Buffer &) override {
    return Error::success();
  }
  Expected<uint64_t> hash(const Buffer &buffer) override {
    return at(buffer).value;
  }
  Expected<Comparison> compare(const Buffer &actual, const Buffer &,
                               const Buffer &, const Tolerance &) override {
    Comparison result;
    result.worst = 1e-7;
    if (!at(actual).isWrong && at(actual).value != ~0ull)
      return result;
    result.wrong = 1;
    result.first = 5;
    result.actual = 3;
    result.expected = 2;
    return result;
  }

  Expected<LoadedKernel> load(const KernelSource &source) override;
  void inspect(LoadedKernel &kernel, const Launch &launch) override;
  Error launch(const LoadedKernel &kernel, const Launch &launch) override;
  Error synchronize() override { return Error::success(); }
  Expected<double> time(bool cold, function_ref<Error()> work,
                        Clocks *during) override;
  double overrun() const override { return scriptOf(last).overrun; }

private:
  /// What a buffer holds, as a number.
  struct Contents {
    uint64_t value = 0;
    bool isOutput = false, isWrong = false;
  };
  /// A kernel of the driver, or a launcher of its own.
  struct Loaded {
    std::string label;
    bool hasLauncher = false;
    std::optional<KernelHead> head; // none: a library's
    int64_t sharedBytes = 0;
  };
  /// Addresses are larger than any size that a kernel is given.
  static constexpr int AddressShift = 40;
  Contents *find(uint64_t address) {
    const uint64_t index = address >> AddressShift;
    return index == 0 || index > contents.size() ? nullptr
                                                 : &contents[index - 1];
  }
  Contents &at(const Buffer &buffer) { return *find(buffer.address); }
  /// The script of the longest name that \p label begins with.
  const Script &scriptOf(StringRef label) const;

  DeviceScript script;
  Gpu gpu;
  int64_t used = 0;
  double now = 0;
  std::vector<Contents> contents;
  std::vector<Loaded> loaded;
  std::map<std::string, size_t> runs; // timed ones, by label
  Data current = Data::Integers;
  std::string last;     // label of the kernel launched last
  bool isTimed = false; // what is launched now
};

} // namespace

const Script &SimulatedDevice::scriptOf(StringRef label) const {
  static const Script ordinary;
  const Script *found = &ordinary;
  size_t length = 0;
  for (const auto &[name, one] : script.kernels)
    if (label.starts_with(name) && name.size() >= length) {
      found = &one;
      length = name.size();
    }
  return *found;
}

Expected<LoadedKernel> SimulatedDevice::load(const KernelSource &source) {
  const Script &s = scriptOf(source.label);
  if (!s.refused.empty())
    return refuse("compile", s.refused);
  LoadedKernel kernel;
  kernel.id = unsigned(loaded.size());
  kernel.registers = 40;
  kernel.spillBytes = 0;
  kernel.staticSharedBytes = 16;
  Loaded code{source.label, source.compiler == Compiler::Nvcc, std::nullopt,
              source.dynamicSharedBytes};
  if (!code.hasLauncher) {
    code.head = findKernelHead(source.code, source.entry);
    if (!code.head && !source.code.empty())
      return refuse("compile", "there is no kernel '" + source.entry + "'");
    if (source.dynamicSharedBytes > gpu.sharedPerBlockOptIn)
      return refuse("device", "asking for " +
                                  std::to_string(source.dynamicSharedBytes) +
                                  " bytes of shared memory: "
                                  "CUDA_ERROR_INVALID_VALUE");
    kernel.threadsPerBlock =
        source.block[0] * source.block[1] * source.block[2];
    kernel.dynamicSharedBytes = source.dynamicSharedBytes;
    kernel.occupancy = 0.5;
  }
  loaded.push_back(std::move(code));
  return kernel;
}

/// Timed runs after which a kernel that is wrong late is wrong.
static constexpr size_t LateRuns = 20;

void SimulatedDevice::inspect(LoadedKernel &kernel, const Launch &) {
  if (kernel.threadsPerBlock)
    return;
  kernel.threadsPerBlock = 96;
  kernel.dynamicSharedBytes = scriptOf(loaded[kernel.id].label).dynamicShared;
  kernel.occupancy = 0.25;
}

Error SimulatedDevice::launch(const LoadedKernel &kernel,
                              const Launch &launch) {
  const Loaded &code = loaded[kernel.id];
  last = code.label;
  const Script &s = scriptOf(last);
  if (s.crashes)
    std::raise(SIGKILL);
  if (!isTimed && !s.milliseconds.empty())
    now += s.milliseconds.front() * 1e-3;
  while (s.hangs)
    std::this_thread::sleep_for(std::chrono::seconds(1));
  if (!s.error.empty())
    return refuse("device", "launching " + last + ": " + s.error);
  if (!code.hasLauncher)
    if (std::string why =
            refusalOfLaunch(gpu, code.head, code.sharedBytes, launch);
        !why.empty())
      return refuse("device", "launching " + last + ": " + why);
  const bool wrong =
      s.wrong == (current == Data::Integers ? "integers" : "random") ||
      (s.wrong == "after timing" && runs.count(last)) ||
      (s.wrong == "late" && runs[last] > LateRuns);
  const bool changesInputs =
      s.wrong == "inputs" || (s.wrong == "inputs when timed" && isTimed);
  for (uint64_t argument : launch.arguments) {
    Contents *c = find(argument);
    if (c && c->isOutput) {
      c->value = 1000 + uint64_t(current) + 100 * s.bits + 10 * wrong;
      c->isWrong = wrong;
    } else if (c && changesInputs) {
      ++c->value;
    }
  }
  return Error::success();
}

Expected<double> SimulatedDevice::time(bool, function_ref<Error()> work,
                                       Clocks *during) {
  isTimed = true;
  Error failed = work();
  isTimed = false;
  if (failed)
    return std::move(failed);
  const Script &s = scriptOf(last);
  if (during)
    *during = {s.clock, 2000, s.throttling};
  const double milliseconds =
      s.milliseconds.empty()
          ? 1
          : s.milliseconds[runs[last]++ % s.milliseconds.size()];
  now += milliseconds * 1e-3;
  return milliseconds;
}

Expected<std::unique_ptr<Device>> openSimulatedDevice(StringRef path) {
  ASSIGN_OR_RETURN(std::string text, readText(path));
  Expected<DeviceScript> script = json::parse<DeviceScript>(text);
  if (!script)
    return refuse("input", toString(script.takeError()));
  ASSIGN_OR_RETURN(Gpu gpu, findGpu(script->info.arch));
  return std::make_unique<SimulatedDevice>(std::move(*script), std::move(gpu));
}

} // namespace convopt::bench
