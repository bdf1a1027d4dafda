//===- Staging.h - One array staged at one place ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_TRANSFORMS_STAGING_H
#define CONVOPT_LIB_TRANSFORMS_STAGING_H

#include "convopt/Transforms/Footprint.h"
#include "convopt/Transforms/Stage.h"
#include "convopt/Transforms/Structure.h"

namespace convopt {

/// The work of stage(): Stage.cpp has the place and the buffer, StageBox.cpp
/// the box.
class Staging {
public:
  /// \p path is none outside of every loop.
  Staging(const Nest &nest, unsigned array, const LoopPath *path,
          const StageOptions &options)
      : nest(nest), array(array), loop(path ? path->loop : nullptr),
        enclosing(path ? path->enclosing : std::vector<NodeRef>()),
        body(path ? path->loop->body : nest.body),
        where(path ? path->loop->range : nest.function.range), options(options),
        result(nest) {}

  llvm::Expected<Nest> run();

private:
  llvm::Error checkArray() const;
  llvm::Error checkPlace();
  llvm::Error refusePlace(llvm::StringRef memory, llvm::StringRef why,
                          llvm::StringRef remedy) const;
  llvm::Error checkOnce() const;
  llvm::Error checkLayout() const;
  llvm::Error findAccesses();
  llvm::Error widen(std::optional<unsigned> side, SourceRange range,
                    const std::vector<IndexExpr> &least,
                    const std::vector<IndexExpr> &greatest,
                    const std::vector<int64_t> &steps,
                    llvm::ArrayRef<NodeRef> enclosing);
  llvm::Error checkOneSide(const Statement &s) const;
  llvm::Error checkLinear() const;
  llvm::Error checkExtents() const;
  std::vector<Assumption> findReadFacts() const;
  void keepStrides();
  llvm::Error noteUnfolding(const std::optional<Unfolding> &found,
                            std::optional<unsigned> side, SourceRange range);
  llvm::Error noteUnfolding(const Statement &s, const Access &a);
  void noteGuard(const Operand &o);
  void addBuffer();
  std::shared_ptr<Copy> makeCopy() const;
  Body redirect() const;
  Body withCopy(Body body) const;
  Body withStore(Body body) const;
  bool isRepeated() const;

  const Array &source() const { return nest.arrays[array]; }
  /// How many elements the buffer holds along dimension \p d.
  IndexExpr extentOf(size_t d) const {
    IndexExpr reach = box[d].greatest - box[d].least;
    return (strides[d] == 1 ? reach
                            : IndexExpr::floorDiv(nest.expandDefinitions(reach),
                                                  IndexExpr(strides[d]))) +
           1;
  }
  bool isShared() const { return options.memory == Buffer::Shared; }
  bool isOnHost() const {
    return options.memory == Buffer::Global ||
           options.memory == Buffer::Constant;
  }
  /// "an iteration of 'c'", for messages.
  std::string place() const {
    return loop ? "an iteration of '" + nest.loopNames[loop->id] + "'"
                : "the nest";
  }
  /// Whether a copy inside the loop fills \p buffer, or a store empties it.
  bool isFilledInside(std::optional<unsigned> buffer) const {
    return buffer && llvm::is_contained(inner, *buffer);
  }

  /// Whether registers are staged and \p c is between what threads share and
  /// the array, which registers do not come between.
  bool passesRegistersBy(const Copy &c) const {
    return options.memory == Buffer::Registers &&
           nest.arrays[c.buffer].buffer->memory == Buffer::Shared;
  }

  const Nest &nest;
  unsigned array;
  const Loop *loop; // none outside of every loop
  std::vector<NodeRef> enclosing;
  const Body &body; // what uses the buffer
  SourceRange where;
  const StageOptions &options;
  Nest result;

  std::vector<unsigned> inner;       // buffers filled inside the loop
  std::vector<const Loop *> threads; // around and including the loop
  bool isWritten = false;            // an output: the buffer is stored
  bool any = false;                  // access so far
  std::optional<unsigned> from;      // where accesses find the array so far
  std::vector<Range> box;            // by dimension
  std::vector<int64_t> strides;      // of what is accessed of it; 0: any
  std::optional<Unfolding> unfolding;
  std::vector<IndexExpr> unfoldedAccess; // the subscripts that it is of
  bool endsGuard = true;             // every guard is one of the array's ends
  bool hasBorder = false;            // some read continues past them
  std::string fill;
  unsigned buffer = 0; // the new array
};

} // namespace convopt

#endif // CONVOPT_LIB_TRANSFORMS_STAGING_H
