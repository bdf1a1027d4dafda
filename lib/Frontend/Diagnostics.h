//===- Diagnostics.h - Why a source is no nest ------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rules of the front end's refusals: names that stay the same whatever the
/// message says. docs/diagnostics.md has an example and a remedy for each.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H
#define CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H

namespace convopt::diag {

/// Locals whose address is taken.
inline constexpr char Address[] = "address";
/// Pointers of which nobody knows where they lead.
inline constexpr char Alias[] = "alias";
/// Shared memory of a kernel that stages by itself.
inline constexpr char AlreadyStaged[] = "already-staged";
/// Sums of several threads in one element.
inline constexpr char Atomic[] = "atomic";
/// Functions that cannot be looked into.
inline constexpr char Call[] = "call";
/// More cases than can be told apart.
inline constexpr char Cases[] = "cases";
/// Containers whose elements are no row of numbers.
inline constexpr char Container[] = "container";
/// Branches on elements of arrays.
inline constexpr char DataBranch[] = "data-branch";
/// Expressions that are no part of a nest.
inline constexpr char Expression[] = "expression";
/// Arrays of unknown extent.
inline constexpr char Extent[] = "extent";
/// Fields that host code cannot pass on.
inline constexpr char Field[] = "field";
/// Globals without a known value.
inline constexpr char Global[] = "global";
/// Subscripts that are no sums of iterators times sizes.
inline constexpr char IndexAffine[] = "index-affine";
/// Subscripts that are read from arrays.
inline constexpr char IndexData[] = "index-data";
/// The least or greatest of several values as an index.
inline constexpr char IndexExtreme[] = "index-extreme";
/// Subscripts that are no int, or may wrap.
inline constexpr char IndexType[] = "index-type";
/// Variables of an index that have no known value.
inline constexpr char IndexValue[] = "index-value";
/// Arrays that the nest sets up with values.
inline constexpr char LocalArray[] = "local-array";
/// Loops that need names of their function.
inline constexpr char LocalNames[] = "local-names";
/// Loops that are left before their end.
inline constexpr char LoopExit[] = "loop-exit";
/// Loops that are no count from one bound to another.
inline constexpr char LoopForm[] = "loop-form";
/// Variables that the loops set and others read.
inline constexpr char LoopValue[] = "loop-value";
/// Macros that hold part of a function.
inline constexpr char Macro[] = "macro";
/// Methods that cannot be functions.
inline constexpr char Method[] = "method";
/// Pointers and indices that move unevenly.
inline constexpr char Moving[] = "moving";
/// Subscripts or dividends that may be negative.
inline constexpr char Negative[] = "negative";
/// Input without a nest.
inline constexpr char NoNest[] = "no-nest";
/// Loops that write no array.
inline constexpr char NoOutput[] = "no-output";
/// Directives that run loops in threads.
inline constexpr char OpenMP[] = "openmp";
/// Elements of one type read as another.
inline constexpr char PointerCast[] = "pointer-cast";
/// One of several arrays, chosen by a value.
inline constexpr char PointerChoice[] = "pointer-choice";
/// Input with several nests.
inline constexpr char SeveralNests[] = "several-nests";
/// Assignments within expressions.
inline constexpr char SideEffect[] = "side-effect";
/// Functions that cannot be called by others.
inline constexpr char Signature[] = "signature";
/// Structures whose fields are set from one another.
inline constexpr char Record[] = "record";
/// Sizes that the function changes.
inline constexpr char SizeChanged[] = "size-changed";
/// Sizes of arrays within the loops.
inline constexpr char SizeOf[] = "sizeof";
/// Statements that are no part of a nest.
inline constexpr char Statement[] = "statement";
/// Variables that outlive an iteration or a call.
inline constexpr char Static[] = "static";
/// A case that runs on into the next.
inline constexpr char SwitchFallsThrough[] = "switch-falls-through";
/// Templates of which no instance can be a function.
inline constexpr char Template[] = "template";
/// Blocks of no constant size.
inline constexpr char ThreadBlock[] = "thread-block";
/// Parts of an index that are no digits of it.
inline constexpr char ThreadDigit[] = "thread-digit";
/// Threads of which nobody says how many there are.
inline constexpr char ThreadExtent[] = "thread-extent";
/// Hardware indices that are no index of an output.
inline constexpr char ThreadIndex[] = "thread-index";
/// Loops that threads share in part.
inline constexpr char ThreadLoop[] = "thread-loop";
/// Values that are no numbers.
inline constexpr char Type[] = "type";
/// Data that may change by themselves.
inline constexpr char Volatile[] = "volatile";
/// Rows where elements are wanted.
inline constexpr char WholeRow[] = "whole-row";
/// Outputs of threads out of bounds.
inline constexpr char WriteUnguarded[] = "write-unguarded";

} // namespace convopt::diag

#endif // CONVOPT_LIB_FRONTEND_DIAGNOSTICS_H
