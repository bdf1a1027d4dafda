//===- Interpreter.h - Runs kernels without a compiler ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a kernel program for one launch and finds what a device would leave
/// undefined: subscripts out of bounds, elements used before they have a value,
/// races within a block and between blocks, barriers that not all threads
/// reach, exchanges that not all lanes of a warp reach, copies that nobody
/// waited for, overflows of indices.
///
/// The threads of a block go through the program in lockstep, each statement
/// for all that are there. A program without a fault does not depend on their
/// order: what would depend on it is a race, and a fault. Atomic updates are
/// none among themselves; by algebra they leave the same in any order. Elements
/// that were never written may be copied and computed with, as vectors hold
/// some that nobody asks for and threads outside of a domain compute with those
/// that are there; it is a fault to store what comes of them to global memory.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_INTERPRETER_INTERPRETER_H
#define CONVOPT_TEST_UNIT_INTERPRETER_INTERPRETER_H

#include "convopt/Program/Stmt.h"
#include "llvm/Support/Error.h"
#include <map>

namespace convopt::program {

/// What an element holds to which nothing was written.
constexpr uint64_t Uninitialised = 0xC4CEB9FE1A85EC53u;

/// An array of global or constant memory.
struct LaunchArray {
  std::vector<uint64_t> elements; // as many as it has
  bool isReadOnly = false;
  int64_t alignment = 256; // of its address, in bytes
};

/// What a CUtensorMap says: extents and box in elements, slowest first.
struct LaunchTensorMap {
  std::string array; // a parameter
  std::vector<int64_t> extents, box;
};

/// A launch. Parameters are known by their names.
struct Launch {
  std::array<int64_t, 3> grid{1, 1, 1};
  std::map<std::string, int64_t> scalars = {}; // sizes, template parameters too
  std::map<std::string, LaunchArray> arrays = {};
  std::map<std::string, LaunchTensorMap> tensorMaps = {};
  /// Sizes of types of elements in bytes; 4 of those that are not there.
  std::map<std::string, int64_t> elementSizes = {};
  /// Of dynamic shared memory; none: as much as it takes.
  std::optional<int64_t> sharedBytes = {};
  bool hasBulk = false; // the device has copy engines
  /// Operations of a statement's text have their algebra (Values.h).
  bool isAlgebraic = false;
  /// A run with more operations of a thread is a fault.
  uint64_t limit = UINT64_C(1) << 36;
};

/// What a launch leaves.
struct Outcome {
  std::map<std::string, LaunchArray> arrays;
  uint64_t operations; // statements of a thread that ran
};

/// Runs \p kernel, which check() has accepted. The error names the first fault,
/// its statement, thread and block.
llvm::Expected<Outcome> run(const Kernel &kernel, Launch launch);

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_INTERPRETER_INTERPRETER_H
