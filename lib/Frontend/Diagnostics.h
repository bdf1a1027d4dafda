//===- Diagnostics.h - Why a source is no nest ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rules of the front end's refusals: names that stay the same whatever the
/// message says. docs/diagnostics.md says what each is about, with an example
/// and a remedy.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H
#define CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H

namespace convopt::diag {

inline constexpr char Address[] = "address";
inline constexpr char Alias[] = "alias";
inline constexpr char AlreadyStaged[] = "already-staged";
inline constexpr char Atomic[] = "atomic";
inline constexpr char Call[] = "call";
inline constexpr char Cases[] = "cases";
inline constexpr char Container[] = "container";
inline constexpr char DataBranch[] = "data-branch";
inline constexpr char Expression[] = "expression";
inline constexpr char Extent[] = "extent";
inline constexpr char Field[] = "field";
inline constexpr char Global[] = "global";
inline constexpr char IndexAffine[] = "index-affine";
inline constexpr char IndexData[] = "index-data";
inline constexpr char IndexExtreme[] = "index-extreme";
inline constexpr char IndexType[] = "index-type";
inline constexpr char IndexValue[] = "index-value";
inline constexpr char LocalArray[] = "local-array";
inline constexpr char LocalNames[] = "local-names";
inline constexpr char LoopExit[] = "loop-exit";
inline constexpr char LoopForm[] = "loop-form";
inline constexpr char LoopValue[] = "loop-value";
inline constexpr char Macro[] = "macro";
inline constexpr char Method[] = "method";
inline constexpr char Moving[] = "moving";
inline constexpr char Negative[] = "negative";
inline constexpr char NoNest[] = "no-nest";
inline constexpr char NoOutput[] = "no-output";
inline constexpr char OpenMP[] = "openmp";
inline constexpr char PointerCast[] = "pointer-cast";
inline constexpr char PointerChoice[] = "pointer-choice";
inline constexpr char SeveralNests[] = "several-nests";
inline constexpr char SideEffect[] = "side-effect";
inline constexpr char Signature[] = "signature";
inline constexpr char Record[] = "record";
inline constexpr char SizeChanged[] = "size-changed";
inline constexpr char SizeOf[] = "sizeof";
inline constexpr char Statement[] = "statement";
inline constexpr char Static[] = "static";
inline constexpr char SwitchFallsThrough[] = "switch-falls-through";
inline constexpr char Template[] = "template";
inline constexpr char ThreadBlock[] = "thread-block";
inline constexpr char ThreadDigit[] = "thread-digit";
inline constexpr char ThreadExtent[] = "thread-extent";
inline constexpr char ThreadIndex[] = "thread-index";
inline constexpr char ThreadLoop[] = "thread-loop";
inline constexpr char TooLarge[] = "too-large";
inline constexpr char Type[] = "type";
inline constexpr char Volatile[] = "volatile";
inline constexpr char WholeRow[] = "whole-row";
inline constexpr char WriteUnguarded[] = "write-unguarded";

/// What to do in place of buffers that take turns in being read and written.
inline constexpr char TakeTurns[] =
    "of two buffers that take turns, make one array: read u[(t % 2 * H + y) * "
    "W + x], and write u[((t + 1) % 2 * H + y) * W + x]";

} // namespace convopt::diag

#endif // CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H
