//===- Stage.h - Keep a tile of an array close by ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TRANSFORMS_STAGE_H
#define CONVOPT_TRANSFORMS_STAGE_H

#include "convopt/Nest/Nest.h"
#include "convopt/Transforms/Pass.h"

namespace convopt {

struct StageOptions {
  Buffer::Memory memory = Buffer::Shared;
  std::string name = {}; // of the buffer; made from the array's where empty
  /// Without an order, that of the buffer that the copy is from.
  BufferLayout layout = {};
  /// Where set, the buffer has an element for each iteration that reads one,
  /// not the box: of subscripts with these loops, by name, and of all where
  /// empty.
  std::optional<std::vector<std::string>> unfolded = {};
};

/// Has everything in the body of \p loop read \p array from a buffer that each
/// iteration of \p loop fills first. The buffer holds the box of elements that
/// one iteration reads: in all threads of a block for a shared buffer, in one
/// thread for registers. Reads that an earlier stage directed to a buffer are
/// copied from there.
///
/// Global and constant memory are filled by the launcher: outside of every
/// loop, where \p loop is none, or in a loop that the host runs. The box is
/// that of whole tiles.
///
/// A shared buffer has a barrier after its copies and, where the loop comes
/// back to it, one before; stages of one loop share them. An array whose every
/// read is guarded by its ends, as zero padding is, holds the guards' constant
/// there, and the reads lose their guards when they are emitted.
///
/// A bulk copy has a vector of 16 bytes.
///
/// Unfolded, a buffer has a dimension for each iterator that the array's
/// subscripts use, and one for those that a fused loop stands for, in place of
/// the array's: what neighbouring iterations of a fused loop read lies together
/// although it is in different rows and images. Its copies move single
/// elements. Unfolded by some loops, a subscript that adds up several others is
/// a dimension as it is in the array, where windows overlap.
///
/// Refuses (rule "structure") an array that is not read in \p loop or that the
/// nest writes, a shared buffer outside of the loops over threads, one of the
/// launcher's inside of a loop that a kernel runs, a box whose size depends on
/// loops, and registers whose number is not constant; unfolded, an array that
/// is read at two places, that TMA copies or that lies in constant memory,
/// loops that no subscript adds to others, or whose iterators are no functions
/// of loops.
llvm::Expected<Nest> stage(const Nest &nest, unsigned array,
                           std::optional<unsigned> loop,
                           const StageOptions &options);

/// `stage=ARRAY,LOOP,shared[,NAME][,vector:4]...`
extern const Pass stagePass;

/// The arguments of such a step.
struct StageArguments : StageOptions {
  std::string array;
  std::string loop; // or "launch": outside of every loop, where no loop is
                    // called so

  /// Refuses (rule "usage") words that are not those of `stagePass`.
  static llvm::Expected<StageArguments> parse(const StepWords &words);
  std::vector<std::string> words() const;
};

} // namespace convopt

#endif // CONVOPT_TRANSFORMS_STAGE_H
