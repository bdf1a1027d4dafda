//===- KernelVerify.cpp - Whether a kernel computed the right thing -------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelJob.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace convopt::bench {

/// Arrays get different data, and the same in every process.
static uint64_t seedOf(size_t array, Data data) {
  return (uint64_t(array) + 1) * 0x100000001B3u + (data == Data::Random);
}

Error KernelJob::fillAll(Data data) {
  for (auto [k, a] : enumerate(arrays))
    if (!a.isOutput())
      RETURN_IF_ERROR(device.fill(a.data, data, seedOf(k, data)));
  ASSIGN_OR_RETURN(uint64_t inputs, hash(/*outputs=*/false));
  filled = inputs;
  return Error::success();
}

Error KernelJob::resetOutputs(Data data) {
  for (auto [k, a] : enumerate(arrays)) {
    if (a.spec.role == Array::Output)
      RETURN_IF_ERROR(device.poison(a.data));
    if (a.spec.role == Array::InOut)
      RETURN_IF_ERROR(device.fill(a.data, data, seedOf(k, data)));
  }
  return Error::success();
}

Expected<uint64_t> KernelJob::hash(bool outputs) {
  uint64_t all = 0;
  for (const ArrayData &a : arrays) {
    if (a.isOutput() != outputs)
      continue;
    ASSIGN_OR_RETURN(uint64_t one, device.hash(a.data));
    all = all * 0x100000001B3u + one;
  }
  return all;
}

Error KernelJob::makeReference(Data data) {
  if (referenceOf == data)
    return Error::success();
  if (!job.reference)
    return refuse("reference", "there is no reference to compare with");
  if (!referenceKernel) {
    ASSIGN_OR_RETURN(LoadedKernel kernel, device.load(job.reference->source));
    referenceKernel = kernel;
  }
  for (auto [k, a] : enumerate(arrays)) {
    if (!a.isOutput())
      continue;
    for (Buffer *b : {&a.value, &a.magnitude}) {
      if (b->address == 0) {
        ASSIGN_OR_RETURN(Buffer buffer,
                         device.allocate("double", a.spec.elements));
        *b = buffer;
      }
      RETURN_IF_ERROR(device.poison(*b));
    }
    if (a.spec.role == Array::InOut) {
      // The result under test stays where it is: its start is made again.
      ASSIGN_OR_RETURN(Buffer start,
                       device.allocate(a.spec.type, a.spec.elements));
      RETURN_IF_ERROR(device.fill(start, data, seedOf(k, data)));
      RETURN_IF_ERROR(device.widen(start, a.value, a.magnitude));
    }
  }
  RETURN_IF_ERROR(launch(*job.reference, *referenceKernel));
  RETURN_IF_ERROR(device.synchronize());
  referenceOf = data;
  return Error::success();
}

static const char *nameOf(Data data) {
  return data == Data::Integers ? "integer data" : "random data";
}

Error KernelJob::compare(Data data, const char *when) {
  RETURN_IF_ERROR(makeReference(data));
  Tolerance tolerance = job.tolerance;
  tolerance.exact &= data == Data::Integers;
  for (const ArrayData &a : arrays) {
    if (!a.isOutput())
      continue;
    ASSIGN_OR_RETURN(Comparison c,
                     device.compare(a.data, a.value, a.magnitude, tolerance));
    if (c.wrong) {
      wrong(formatv("{0} of {1} elements of '{2}' are wrong {3} on {4}; "
                    "element {5} is {6}, not {7}",
                    c.wrong, a.spec.elements, a.spec.name, when, nameOf(data),
                    c.first, c.actual, c.expected)
                .str());
      return Error::success();
    }
    worst = std::max(worst, c.worst);
  }
  return Error::success();
}

/// Runs on poisoned outputs and compares: with the naive kernel, whose results
/// were compared before, or with the reference.
Error KernelJob::verify(Data data, const char *when) {
  ASSIGN_OR_RETURN(uint64_t inputs, hash(/*outputs=*/false));
  if (inputs != *filled) {
    wrong(formatv("changed its inputs {0}, when it was timed", when).str());
    return Error::success();
  }
  RETURN_IF_ERROR(resetOutputs(data));
  const double start = device.seconds();
  RETURN_IF_ERROR(launchChosen());
  RETURN_IF_ERROR(device.synchronize());
  lastRun = device.seconds() - start;
  ASSIGN_OR_RETURN(uint64_t after, hash(/*outputs=*/false));
  if (after != inputs) {
    wrong(formatv("changes its inputs {0} on {1}", when, nameOf(data)).str());
    return Error::success();
  }
  ASSIGN_OR_RETURN(uint64_t outputs, hash(/*outputs=*/true));
  const bool isInteger = data == Data::Integers;
  uint64_t &mine = isInteger ? found.integers : found.random;
  mine = outputs;
  if (job.naive &&
      outputs == (isInteger ? job.naive->integers : job.naive->random))
    return Error::success();
  identical = false;
  return compare(data, when);
}

} // namespace convopt::bench
