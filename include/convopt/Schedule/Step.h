//===- Step.h - One line of a schedule --------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_STEP_H
#define CONVOPT_SCHEDULE_STEP_H

#include "convopt/Nest/Nest.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace convopt {

/// A pass with its arguments, as a value that prints and parses. Loops and
/// arrays are named as in the text of the nest at hand.
struct Step {
  enum class Kind : uint8_t {
    ScalarReplace, // names = {array}
    IfConvert,     // names = {array}
    StripMine,     // names = {loop} or {loop, outer, inner}; factor
    Interchange,   // names = the loops in their new order
    Distribute,    // names = {loop}
    Unroll,        // names = {loop}
    Map,           // names = {loop}; target, streams
    RegisterTile,  // names = {loop}; factor, or none for a loop as it is
    Stage,         // names = {array, loop} or {array, loop, buffer}; memory,
                   // layout. The loop `launch`: outside of every loop, but
                   // where a loop is called so
    MinBlocks,     // factor
  } kind;
  std::vector<std::string> names;
  std::optional<int64_t> factor;
  LoopKind target = LoopKind::Serial;
  unsigned streams = 1; // of a target Stream
  Buffer::Memory memory = Buffer::Shared;
  BufferLayout layout = {};
  /// Where the step was written: "conv.sched" and a line, if in a file.
  std::string file = {};
  unsigned line = 0;

  /// `strip-mine=y,16,y_o,y_i`
  std::string str() const;

  friend bool operator==(const Step &a, const Step &b) {
    return a.str() == b.str();
  }
};

/// Whether such a step changes statements, where others move them.
inline bool changesStatements(Step::Kind kind) {
  return kind == Step::Kind::ScalarReplace || kind == Step::Kind::IfConvert;
}

/// "strip-mine", "interchange", ...
llvm::StringRef passName(Step::Kind kind);
/// Every pass name, in the order of Step::Kind.
llvm::ArrayRef<llvm::StringRef> passNames();

/// Parses `pass=argument,...`; refuses (rule "usage") an unknown pass with the
/// list of them, and arguments that are not what the pass takes.
llvm::Expected<Step> parseStep(llvm::StringRef text);

/// Parses the text of a .sched file: a step a line, `#` begins a comment.
/// Refuses with \p file and the line.
llvm::Expected<std::vector<Step>> parseSchedule(llvm::StringRef text,
                                                llvm::StringRef file = "");

/// The text of a .sched file.
std::string str(llvm::ArrayRef<Step> steps);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_STEP_H
