//===- CudaData.cpp - Memory of a GPU, and what is in it ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudaDevice.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

Expected<int64_t> CudaDevice::freeBytes() {
  size_t free = 0, total = 0;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuMemGetInfo_v2(&free, &total), "cuMemGetInfo"));
  return int64_t(free);
}

Expected<Buffer> CudaDevice::allocate(StringRef type, int64_t elements) {
  Buffer buffer{0, type.str(), elements};
  CUdeviceptr address = 0;
  const int64_t wanted = std::max<int64_t>(bytes(buffer), 16);
  RETURN_IF_ERROR(cuda.check(cuda.cuMemAlloc_v2(&address, size_t(wanted)),
                             "allocating " + Twine(wanted) + " bytes"));
  buffer.address = address;
  return buffer;
}

/// One of our own kernels, over as many blocks as fill the device.
Error CudaDevice::run(StringRef kernel, Arguments arguments, unsigned blocks,
                      unsigned threads) {
  std::vector<void *> pointers;
  for (uint64_t &a : arguments)
    pointers.push_back(&a);
  auto function = own.find(kernel.str());
  if (function == own.end())
    return refuse("device", "no kernel " + kernel.str());
  if (!blocks)
    blocks = 8 * about.multiprocessors;
  return cuda.check(cuda.cuLaunchKernel(function->second, blocks, 1, 1, threads,
                                        1, 1, 0, nullptr, pointers.data(),
                                        nullptr),
                    "launching " + kernel);
}

static std::string forType(StringRef kernel, const Buffer &buffer) {
  return (kernel + "<" + buffer.type + ">").str();
}

Error CudaDevice::fill(const Buffer &buffer, Data data, uint64_t seed) {
  return run(forType("convopt_fill", buffer),
             {buffer.address, uint64_t(buffer.elements), seed,
              uint64_t(data == Data::Integers)});
}

Error CudaDevice::poison(const Buffer &buffer) {
  return cuda.check(cuda.cuMemsetD8Async(buffer.address, 0xFF,
                                         size_t(bytes(buffer)), nullptr),
                    "cuMemsetD8Async");
}

Error CudaDevice::widen(const Buffer &from, const Buffer &value,
                        const Buffer &magnitude) {
  return run(forType("convopt_widen", from),
             {from.address, value.address, magnitude.address,
              uint64_t(from.elements)});
}

Expected<uint64_t> CudaDevice::hash(const Buffer &buffer) {
  uint64_t sum = 0;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuMemsetD8Async(result.address, 0, sizeof sum, nullptr),
                 "cuMemsetD8Async"));
  if (Error e =
          run("convopt_hash",
              {buffer.address, uint64_t(bytes(buffer) / 4), result.address}))
    return std::move(e);
  RETURN_IF_ERROR(
      cuda.check(cuda.cuMemcpyDtoH_v2(&sum, result.address, sizeof sum),
                 "hashing the results"));
  return sum;
}

Expected<Comparison> CudaDevice::compare(const Buffer &actual,
                                         const Buffer &value,
                                         const Buffer &magnitude,
                                         const Tolerance &tolerance) {
  // All bits set is also the largest `first`.
  RETURN_IF_ERROR(poison(result));
  for (uint64_t offset : {offsetof(Found, wrong), offsetof(Found, worst)})
    RETURN_IF_ERROR(
        cuda.check(cuda.cuMemsetD8Async(result.address + offset, 0, 8, nullptr),
                   "cuMemsetD8Async"));
  const double epsilon = actual.type == "double"
                             ? std::numeric_limits<double>::epsilon()
                             : std::numeric_limits<float>::epsilon();
  if (Error e = run(forType("convopt_compare", actual),
                    {actual.address, value.address, magnitude.address,
                     uint64_t(actual.elements), uint64_t(tolerance.exact),
                     bit_cast<uint64_t>(tolerance.depth),
                     bit_cast<uint64_t>(epsilon), result.address}))
    return std::move(e);
  Found found;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuMemcpyDtoH_v2(&found, result.address, sizeof found),
                 "comparing the results"));
  Comparison comparison;
  comparison.wrong = found.wrong;
  std::memcpy(&comparison.worst, &found.worst, sizeof(double));
  if (!found.wrong)
    return comparison;
  comparison.first = found.first;
  float single = 0;
  const bool wide = sizeOf(actual) == sizeof(double);
  void *to = wide ? static_cast<void *>(&comparison.actual) : &single;
  RETURN_IF_ERROR(cuda.check(
      cuda.cuMemcpyDtoH_v2(to, actual.address + found.first * sizeOf(actual),
                           size_t(sizeOf(actual))),
      "reading a result"));
  if (!wide)
    comparison.actual = single;
  RETURN_IF_ERROR(
      cuda.check(cuda.cuMemcpyDtoH_v2(&comparison.expected,
                                      value.address + found.first * 8, 8),
                 "reading the reference"));
  return comparison;
}

} // namespace convopt::bench
