//===- ThreadMapper.h - The loops that threads stand for --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_THREADMAPPER_H
#define CONVOPT_LIB_FRONTEND_THREADMAPPER_H

#include "Resolve.h"
#include "ThreadMapping.h"

namespace convopt {

/// A variable of the kernel that is a loop of the nest.
struct MappedLoop {
  const ThreadVariable *variable;
  ThreadDigit digit;
  bool isGuarded;
  bool isExact = false; // the launch alone says how many threads there are
};

/// The work of mapThreads(): ThreadMapping.cpp has the loops, ThreadParts.cpp
/// what is computed of one, ThreadLaunch.cpp the launch that covers them.
class ThreadMapper {
public:
  ThreadMapper(NestBuilder &b, GetLaunchFacts launches)
      : b(b), nest(b.nest), getLaunches(launches) {}

  llvm::Error run();

private:
  llvm::Error collect();
  void substituteParts();
  void substituteWholes();
  std::optional<IndexExpr> madeOfParts(const MappedLoop &whole) const;
  void replaceLoop(unsigned part, unsigned whole, const IndexExpr &value);
  llvm::Error checkHardware();
  llvm::Error extents(std::vector<MappedLoop *> &group);
  llvm::Error flatExtents(llvm::ArrayRef<MappedLoop *> group);
  IndexExpr extentOf(const ThreadDigit &d, const IndexExpr &total,
                     bool isSlowest) const;
  llvm::Error assumeWhole(const MappedLoop &slowest, const IndexExpr &total);
  llvm::Error unguarded(MappedLoop &m);
  std::optional<IndexExpr> launched(const ThreadDigit &d);
  std::optional<IndexExpr> ofAnyLaunch(const ThreadDigit &d);
  std::optional<IndexExpr> declaredExtent(unsigned loop) const;
  const LaunchFacts &launches();
  llvm::Error chain(std::vector<MappedLoop *> &group);
  std::optional<IndexExpr> extentFromStrides(unsigned loop) const;
  std::optional<IndexExpr> extentFromGuards(unsigned loop);
  bool takeLaunched(const std::array<bool, 3> &isOpen);
  llvm::Error blockExtents();
  llvm::Error blockOf(const MappedLoop &m);
  void setBlock();
  llvm::Error launchOf(llvm::ArrayRef<MappedLoop *> group);
  llvm::Error refuseVariable(llvm::StringRef rule, const ThreadVariable &v,
                             const llvm::Twine &message,
                             const llvm::Twine &remedy = "");
  std::string textOf(const ThreadDigit &d) const;
  std::string text(const IndexExpr &e) const;
  std::string blocksText(const IndexExpr &extent, int64_t width) const;

  NestBuilder &b;
  Nest &nest;
  GetLaunchFacts getLaunches;
  std::optional<LaunchFacts> facts;
  std::vector<MappedLoop> mapped;
  /// The extents of a block that are numbers, else 1.
  std::array<int64_t, 3> block{1, 1, 1};
  /// Numbers of blocks, expanded, as C that rounds up.
  std::vector<std::pair<IndexExpr, std::string>> roundedUp;
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_THREADMAPPER_H
