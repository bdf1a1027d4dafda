//===- KernelLocals.cpp - Variables of a thread ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBody.h"
#include "convopt/Nest/Arithmetic.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Whether threads or iterations without an output may add to the integer
/// \p array what they have not set: its overflow would have no meaning.
bool KernelBody::needsZero(unsigned array) const {
  const Array &a = nest.arrays[array];
  return !a.buffer && !isFloating(a.elementType) &&
         any_of(statements(nest), [&](const StatementPath &p) {
           return p.statement->target.array == array &&
                  p.statement->op == Statement::Op::Assign &&
                  !isPrivate(*p.statement);
         });
}

void KernelBody::lowerLocal(const Local &l, Scope &s) {
  const Array &a = nest.arrays[l.array];
  if (a.buffer && (a.buffer->memory == Buffer::Shared || s.isInPlace(l.array)))
    return; // stands at the head of the kernel, or has no use
  s.add<program::Declaration>(variableOf(l.array)).isZeroed =
      needsZero(l.array);
  if (isSplit(l.array) && startsAnew(l.array))
    lowerNeutral(l.array, s);
}

/// Whether \p st gives the variable \p local its first value.
static bool isInitialiser(const Nest &nest, const Statement &st,
                          const Local &local) {
  const Array &a = nest.arrays[local.array];
  return st.op == Statement::Op::Assign && st.target.array == local.array &&
         a.extents.empty() && !a.buffer && !reads(st, local.array);
}

bool KernelBody::lowerInitialised(const Body &body, size_t k, Scope &s) {
  const auto *local = dyn_cast<Local>(body[k].get());
  const auto *first =
      k + 1 == body.size() ? nullptr : dyn_cast<Statement>(body[k + 1].get());
  if (!local || !first || !isInitialiser(nest, *first, *local) ||
      (outputTest(*first) && !isPrivate(*first)))
    return false;
  s.add<program::Declaration>(variableOf(local->array),
                              valueOf(*first, withIterators(*first, s)));
  return true;
}

} // namespace convopt::lower
