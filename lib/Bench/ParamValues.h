//===- ParamValues.h - Parameters under a shape -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_BENCH_PARAMVALUES_H
#define CONVOPT_LIB_BENCH_PARAMVALUES_H

#include "convopt/Verify/Verify.h"

namespace convopt::bench {

/// The value of every parameter by id, definitions included. \p shape is one
/// that parseShape or bindLayer gave for \p nest, so that all have one.
inline std::vector<int64_t> paramValues(const Nest &nest, const Shape &shape) {
  std::vector<int64_t> values;
  for (const Param &p : nest.params) {
    auto given = shape.sizes.find(p.name);
    if (p.definition)
      values.push_back(
          p.definition->evaluate([&](Var v) { return values[v.id]; })
              .value_or(0));
    else
      values.push_back(given == shape.sizes.end() ? 0 : given->second);
  }
  return values;
}

} // namespace convopt::bench

#endif // CONVOPT_LIB_BENCH_PARAMVALUES_H
