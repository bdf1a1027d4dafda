//===- LaunchRules.cpp - What a device refuses to launch ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchRules.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

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

std::optional<KernelHead> findKernelHead(StringRef code, StringRef entry) {
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

std::string refusalOfLaunch(const Gpu &gpu,
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

} // namespace convopt::bench
