//===- LaunchParts.h - What a launcher is made of ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_LAUNCHPARTS_H
#define CONVOPT_LIB_LOWER_LAUNCHPARTS_H

#include "HostBuffers.h"
#include "HostCopies.h"

namespace convopt::lower {

//===----------------------------------------------------------------------===//
// Checks (LaunchChecks.cpp), statements that return an error
//===----------------------------------------------------------------------===//

/// Sizes that do not fit the kernel's int.
void checkNarrowing(const Context &c, Block &b);
/// Refuses (rule "limit") constant extents so large that an index of the last
/// tile would pass int.
llvm::Error checkLastTiles(const Nest &nest);
/// The same of other extents, which the launcher refuses.
void checkRanges(const Context &c, const Names &names, Block &b);
/// That some size divides by what is not positive: to be tested before any is
/// computed, as a division by zero ends the program.
Expr divisorsFail(const Nest &nest, const Names &names);
/// The same in a launcher, which has nothing to compute where it is a loop's
/// extent.
void checkDivisors(const Context &c, const Names &names, Block &b);
/// What an assumption of the nest is about, in the order in which they are
/// tested: the domain, as an unsigned size wraps where they do not hold and a
/// negative one is divided towards zero, or something else.
enum class FactAbout { Domain, Other };
/// Where an assumption of the nest does not hold, and what it needs.
struct BrokenAssumption {
  Expr where;
  std::string needs;
};
/// Those that divisorsFail does not test, with those that only copies of
/// \p copied need, arrays of the host.
std::vector<BrokenAssumption>
brokenAssumptions(const Context &c, const Names &names, FactAbout about,
                  llvm::ArrayRef<unsigned> copied = {});
/// Refuses where one of those that the kernel needs does not hold.
void checkAssumptions(const Context &c, const Names &names, FactAbout about,
                      Block &b);
/// `a <= 0 || b <= 0` over the extents of the loops of host and grid, which are
/// sizes, but for those that checkDivisors tests.
Expr emptyDomain(const Context &c, const Names &names);
/// Sizes that pass what the file has of constant memory.
void checkConstantLimits(const Context &c, llvm::ArrayRef<HostBuffer> filled,
                         Block &b);

/// A launcher up to where it computes anything, and its variables.
struct LauncherHead {
  FunctionDefinition function;
  Expr stream;
  Expr taken; // of a version: whether it launched its kernel
  Expr least; // where it has one: of the grid's blocks
};
/// What it takes; sizes that are none of this kernel; versions (Launcher.cpp).
LauncherHead lowerHead(const Context &c, Names &names);

/// What is checked before a launch, and the sizes that it needs (Launcher.cpp).
void lowerChecks(const Context &c, const Names &names,
                 llvm::ArrayRef<ArrayArgument> arrays,
                 llvm::ArrayRef<HostBuffer> filled, Block &b);

//===----------------------------------------------------------------------===//
// Memory that several launches share (LaunchMemory.cpp)
//===----------------------------------------------------------------------===//

/// What a launcher takes for the arrays that its kernels' nests have besides
/// those of the source's function.
class LaunchMemory {
public:
  /// Those of each of \p nests, which have the same ones. Defines how many
  /// elements they have, by one that touches them: others may say none.
  LaunchMemory(const Context &c, llvm::ArrayRef<const Nest *> nests,
               Names &names, Block &b);

  /// Takes it if there is no \p error.
  void take(const Context &c, const Expr &error, const Expr &stream,
            Block &b) const;
  /// Gives back what was taken.
  void free(const Expr &error, const Expr &stream, Names &names,
            Block &b) const;
  /// What kernels get it by.
  std::vector<Expr> pointers() const;

private:
  struct Part {
    const Array &array;
    Expr pointer, elements;
  };
  std::vector<Part> parts;
};

//===----------------------------------------------------------------------===//
// Launches (LaunchLoops.cpp)
//===----------------------------------------------------------------------===//

/// The launcher's variables.
struct LaunchVariables {
  Expr stream, grid, block, bytes{0}, kernel, error;
};

/// Whether the grid differs from launch to launch.
bool gridVaries(const Context &c);
/// `const dim3 grid(...);` of one of them.
void defineGrid(const Context &c, const Names &names, const Expr &grid,
                Block &b);

/// The loops of the host with all that stands in them: memory that is taken,
/// filled and given back, streams, and the launch. Ends with a return.
void lowerLaunches(const Context &c, Names &names,
                   llvm::ArrayRef<ArrayArgument> arrays,
                   llvm::ArrayRef<HostBuffer> filled,
                   llvm::ArrayRef<HostSlice> slices, const LaunchVariables &own,
                   Block &b);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_LAUNCHPARTS_H
