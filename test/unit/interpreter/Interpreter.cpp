//===- Interpreter.cpp - Runs kernels without a compiler ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Target/Gpu.h"

using namespace llvm;

namespace convopt::program {

void Sequence::run(Lanes lanes) {
  unsigned returned = m.returned;
  std::vector<Lane> left;
  for (auto &[source, run] : all) {
    if (m.hasFailed) // of what decides whether this runs, too
      return;
    m.statement = source;
    m.operations += lanes.size();
    if (m.operations > m.launch.limit)
      m.fault(lanes[0], "runs for longer than the limit");
    run(lanes);
    if (m.returned == returned)
      continue;
    returned = m.returned;
    std::vector<Lane> still;
    for (Lane t : lanes)
      if (!m.hasReturned[t])
        still.push_back(t);
    left = std::move(still);
    lanes = left;
    if (lanes.empty())
      return;
  }
}

Error Compiler::compile(const Kernel &kernel, Sequence &to) {
  bindIndices(kernel);
  block(kernel.body, to);
  if (message.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(), message);
}

static Error checkSize(const Kernel &kernel, const Launch &launch) {
  const int64_t most = Gpu().threadsPerBlock;
  int64_t threads = 1;
  for (int64_t n : kernel.block) {
    threads = n >= 1 && n <= most ? threads * n : 0;
    if (threads < 1 || threads > most)
      return createStringError(inconvertibleErrorCode(),
                               "a block has from 1 to " + Twine(most) +
                                   " threads");
  }
  if (any_of(launch.grid, [](int64_t n) { return n < 1; }))
    return createStringError(inconvertibleErrorCode(),
                             "a launch has a block or more");
  return Error::success();
}

Expected<Outcome> run(const Kernel &kernel, Launch launch) {
  RETURN_IF_ERROR(checkSize(kernel, launch));
  Machine machine(kernel, launch);
  Compiler compiler(machine, launch);
  Sequence body(machine);
  RETURN_IF_ERROR(compiler.compile(kernel, body));
  std::vector<Lane> lanes(machine.threads);
  std::iota(lanes.begin(), lanes.end(), Lane(0));
  std::array<int64_t, 3> &at = machine.blockIndex;
  for (at[2] = 0; at[2] != launch.grid[2]; ++at[2])
    for (at[1] = 0; at[1] != launch.grid[1]; ++at[1])
      for (at[0] = 0; at[0] != launch.grid[0]; ++at[0]) {
        for (unsigned d = 0; d != 3; ++d)
          fill(compiler.blockIndices[d].values, at[d]);
        machine.beginBlock();
        body.run(lanes);
        machine.endBlock(compiler.barriers);
        if (machine.hasFailed)
          return machine.takeError();
      }
  for (Storage &s : compiler.storages)
    if (s.isParameter)
      launch.arrays[s.variable->name].elements = std::move(s.data);
  Outcome outcome{std::move(launch.arrays), machine.operations};
  return outcome;
}

} // namespace convopt::program
