//===- Fields.h - Elements of arrays that have fields -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `in[y][x + j][0]`, `in[y][x + j][1]`: the last dimension holds the fields of
/// an element, which constants index and no loop. An iteration reads several,
/// and rows go along the dimension before it.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_FIELDS_H
#define CONVOPT_LIB_SCHEDULE_FIELDS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// The most elements of a dimension that a loop goes over as over fields.
inline constexpr int64_t MostFields = 4;

/// How many fields of an element of \p array \p nest accesses, those between
/// the first and the last one counted; 0 where its elements have none.
int64_t fieldsOf(const Nest &nest, unsigned array);

/// The innermost of \p subscripts that loops move, or null.
const IndexExpr *innermostMoving(llvm::ArrayRef<IndexExpr> subscripts);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_FIELDS_H
