//===- Alias.cpp - Other names for inputs ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in 0 .. N {                   for i in 0 .. N {
//     for j in 0 .. N {                   for j in 0 .. N {
//       for k in 0 .. K {                   for k in 0 .. K {
//         c[i][j] += a[i][k] * a[j][k]        c[i][j] += a[i][k] * a_2[j][k]
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Alias.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

Expected<Nest> alias(const Nest &nest, unsigned array, unsigned loop) {
  const Array &of = nest.arrays[array];
  const std::string name = "'" + of.name + "'";
  if (of.role != Array::Input || of.alias)
    return refuse("structure", name + " is no input of the nest", of.range,
                  "give arrays that the nest only reads");
  size_t reads = 0, others = 0;
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement))
      if (o.access.array == array)
        ++(uses(o.access, loop) ? reads : others);
  if (reads == 0 || others == 0)
    return refuse("structure",
                  (reads == 0 ? "no read of " : "all reads of ") + name +
                      (reads == 0 ? " uses" : " use") + " loop '" +
                      nest.loopNames[loop] + "'",
                  of.range, "give a loop that some of its reads use");
  Nest result = nest, scratch = nest;
  Array named = of;
  named.name = scratch.loopNames[scratch.addLoopName(of.name)];
  named.alias = array;
  const unsigned id = result.arrays.size();
  result.arrays.push_back(std::move(named));
  result.body =
      rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
        const auto *s = dyn_cast<Statement>(n.get());
        if (!s)
          return std::nullopt;
        return Body{mapAccesses(*s, [&](Access &a) {
          if (a.array == array && uses(a, loop))
            a.array = id;
        })};
      });
  return result;
}

Nest withoutAliases(const Nest &nest) {
  Nest result = nest;
  auto plain = [&](unsigned &array) {
    array = nest.arrays[array].alias.value_or(array);
  };
  result.body =
      rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
        const auto *s = dyn_cast<Statement>(n.get());
        if (!s)
          return std::nullopt;
        return Body{mapAccesses(*s, [&](Access &a) { plain(a.array); })};
      });
  for (Array &a : result.arrays) {
    if (a.buffer)
      plain(a.buffer->of);
    if (a.alias) { // which nothing uses any more
      a.role = Array::LocalArray;
      a.alias.reset();
      a.footprint.clear();
      a.borders.clear();
    }
  }
  return result;
}

const Pass aliasPass{
    "alias", "ARRAY,LOOP", "Name what reads by this loop apart",
    bindTo<alias, Word::Array, Word::Loop>, Pass::Effect::Statements};

} // namespace convopt
