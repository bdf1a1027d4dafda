//===- StoreWritten.h - What the nest writes, and no more -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_STOREWRITTEN_H
#define CONVOPT_LIB_EMIT_STOREWRITTEN_H

#include "HostCode.h"

namespace convopt::emit {

/// Whether what the nest writes of \p array is not shown to lie in one piece:
/// host code copies it aside first, and stores it from there.
bool isStoredApart(const Context &c, const Array &array);

/// The functions that do so, `<name><suffix>_store_<array>(to, from, sizes)`:
/// loops over a box, or else the loops and guards of the nest's writes.
std::vector<FunctionDefinition> lowerStores(const Context &c,
                                            const Names &names);

/// A call of that of \p a, where \p from is what was computed.
Expr callStore(const Context &c, const ArrayArgument &a, const Expr &from,
               const Names &names);

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_STOREWRITTEN_H
