//===- Fields.cpp - Elements of arrays that have fields -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fields.h"

using namespace llvm;

namespace convopt {

int64_t fieldsOf(const Nest &nest, unsigned array) {
  if (nest.arrays[array].isLocal() || nest.arrays[array].extents.size() < 2)
    return 0;
  int64_t first = INT64_MAX, last = INT64_MIN;
  for (const StatementPath &p : statements(nest))
    for (const Access *a : accessesOf(*p.statement)) {
      if (a->array != array)
        continue;
      const std::optional<int64_t> at = nest.constantOf(a->subscripts.back());
      if (!at)
        return 0;
      first = std::min(first, *at);
      last = std::max(last, *at);
    }
  return std::max<int64_t>(last - first + 1, 0);
}

const IndexExpr *innermostMoving(ArrayRef<IndexExpr> subscripts) {
  auto last = find_if(reverse(subscripts),
                      [](const IndexExpr &e) { return e.usesLoops(); });
  return last == subscripts.rend() ? nullptr : &*last;
}

} // namespace convopt
