//===- Rematerialization.cpp - A value for each that reads it -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for i in 0 .. N {            for i in 0 .. N {
//     local g                      local g
//     g = y[i] * s                 local g_
//     a += g * x[i]                g = y[i] * s
//     b[i] = g + 1                 g_ = y[i] * s
//   }                              a += g * x[i]
//                                  b[i] = g_ + 1
//                                }
//
//===----------------------------------------------------------------------===//

#include "Rematerialization.h"
#include "Expansion.h"

using namespace llvm;

namespace convopt {

/// The most values that are computed again.
constexpr size_t MostValues = 16;

/// The statement in \p body that sets the local \p array, which is declared
/// there; none where it is no scalar, or is set elsewhere, too.
static const Statement *valueIn(const Nest &nest, const Body &body,
                                unsigned array) {
  if (!nest.arrays[array].extents.empty())
    return nullptr;
  std::vector<const Statement *> setters;
  for (const Statement *s : collect<Statement>(nest.body))
    if (s->target.array == array)
      setters.push_back(s);
  const auto own = select<Statement>(body);
  return setters.size() == 1 && is_contained(own, setters[0]) &&
                 !setters[0]->accumulates()
             ? setters[0]
             : nullptr;
}

static void forEachBody(const Nest &nest, function_ref<void(const Body &)> f) {
  f(nest.body);
  walk(nest.body, [&](const Node &n, const std::vector<NodeRef> &) {
    if (const Body *body = bodyOf(n))
      f(*body);
  });
}

/// What each local that is declared once, and set once beside that, is set by,
/// in program order.
static std::vector<const Statement *> valuesOf(const Nest &nest) {
  std::vector<const Statement *> values;
  std::vector<unsigned> locals;
  for (const Local *l : collect<Local>(nest.body))
    locals.push_back(l->array);
  forEachBody(nest, [&](const Body &body) {
    for (const Local *l : select<Local>(body))
      if (count(locals, l->array) == 1)
        if (const Statement *value = valueIn(nest, body, l->array))
          values.push_back(value);
  });
  sort(values,
       [](const Statement *a, const Statement *b) { return a->id < b->id; });
  return values;
}

/// Gives the statement \p reader a scalar of its own instead of what \p value
/// sets.
static void addValue(Nest &nest, const Statement &value, unsigned reader) {
  const unsigned old = value.target.array, array = nest.arrays.size();
  nest.arrays.push_back(nest.arrays[old]);
  nest.arrays[array].name = freshName(nest, array);
  unsigned id = 0;
  for (const Statement *s : collect<Statement>(nest.body))
    id = std::max(id, s->id + 1);
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    if (const auto *l = dyn_cast<Local>(n.get()); l && l->array == old)
      return Body{n, std::make_shared<Local>(array, l->range)};
    const auto *s = dyn_cast<Statement>(n.get());
    if (!s || (s->id != value.id && s->id != reader))
      return std::nullopt;
    const auto copy = mapAccesses(*s, [&](Access &a) {
      if (a.array == old)
        a.array = array;
    });
    if (s->id == reader)
      return Body{copy};
    copy->id = id;
    return Body{n, copy};
  });
}

std::optional<Nest> rematerialized(const Nest &nest) {
  Nest result = nest;
  size_t added = 0;
  // What a value is made of is read once for each.
  const std::vector<const Statement *> values = valuesOf(nest);
  for (const Statement *value : reverse(values)) {
    std::vector<unsigned> readers;
    for (const Statement *s : collect<Statement>(result.body))
      if (reads(*s, value->target.array))
        readers.push_back(s->id);
    for (unsigned reader : drop_begin(readers, !readers.empty())) {
      if (++added > MostValues)
        return std::nullopt;
      addValue(result, *value, reader);
    }
  }
  return added == 0 ? std::nullopt : std::optional(std::move(result));
}

/// Two values of \p nest that follow one another and are the same.
static std::optional<std::pair<const Statement *, const Statement *>>
findRepeat(const Nest &nest) {
  const std::vector<const Statement *> values = valuesOf(nest);
  std::optional<std::pair<const Statement *, const Statement *>> found;
  forEachBody(nest, [&](const Body &body) {
    for (size_t k = 1; k < body.size() && !found; ++k) {
      const auto *a = dyn_cast<Statement>(body[k - 1].get()),
                 *b = dyn_cast<Statement>(body[k].get());
      if (is_contained(values, a) && is_contained(values, b) &&
          a->text == b->text && a->operands == b->operands &&
          nest.arrays[a->target.array].elementType ==
              nest.arrays[b->target.array].elementType)
        found = {a, b};
    }
  });
  return found;
}

Nest withoutRepeats(Nest nest) {
  while (const auto repeat = findRepeat(nest)) {
    const unsigned array = repeat->first->target.array,
                   old = repeat->second->target.array;
    nest.body =
        rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
          const auto *l = dyn_cast<Local>(n.get());
          const auto *s = dyn_cast<Statement>(n.get());
          if (n.get() == repeat->second || (l && l->array == old))
            return Body();
          if (!s || !reads(*s, old))
            return std::nullopt;
          return Body{mapAccesses(*s, [&](Access &a) {
            if (a.array == old)
              a.array = array;
          })};
        });
  }
  return nest;
}

} // namespace convopt
