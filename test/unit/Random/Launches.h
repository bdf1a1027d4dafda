//===- Launches.h - What the launcher would launch --------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_LAUNCHES_H
#define CONVOPT_TEST_UNIT_RANDOM_LAUNCHES_H

#include "Emitted.h"
#include "interpreter/Interpreter.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt::test {

/// The extents of \p a for \p values of the parameters.
std::vector<int64_t> extentsOf(const Array &a, llvm::ArrayRef<int64_t> values);
/// The place of an element in an array of these extents.
int64_t flatIndex(llvm::ArrayRef<int64_t> at, llvm::ArrayRef<int64_t> extents);

/// The loops of the host around a kernel: fills the buffers of the device and
/// launches the kernel, as the text of the launcher would.
class Launches {
public:
  /// \p packing: those that fill buffers of the device; of others the nest
  /// says what they hold.
  Launches(const Nest &mapped, const program::Kernel &kernel,
           llvm::ArrayRef<program::Kernel> packing, const Case &c,
           llvm::ArrayRef<int64_t> values);

  void setArray(unsigned id, std::vector<uint64_t> elements);
  /// Runs all launches, iterations over streams from the last one where they
  /// are \p backwards. A Refusal: the launcher would refuse.
  llvm::Error run(bool backwards);
  const std::map<std::string, program::LaunchArray> &arrays() const {
    return launch.arrays;
  }

  unsigned launches = 0;
  uint64_t operations = 0;

private:
  const Nest nest; // as the kernel has it
  const program::Kernel &kernel;
  const llvm::ArrayRef<program::Kernel> packing;
  const Case &c;
  const std::vector<int64_t> values; // of parameters
  std::vector<int64_t> loops;        // of the host, by id
  std::vector<const Loop *> hostLoops;
  std::map<unsigned, std::string> names; // of arrays in the kernel
  program::Launch launch;
  bool isBackwards = false;

  int64_t value(const IndexExpr &e) const;
  int64_t value(const Bound &b) const;
  std::pair<int64_t, int64_t> rangeOf(const Loop &l) const;
  llvm::Error bind();
  void bindTensorMaps();
  std::vector<uint64_t> filled(const Copy &c) const;
  llvm::Error fill(const Copy &c);
  llvm::Error level(const Body &body);
  llvm::Error launchOnce(const Body &body);
};

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_LAUNCHES_H
