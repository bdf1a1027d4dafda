//===- WellFormed.cpp - What every nest must keep to ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt {

bool Checker::fail(const Twine &message) {
  failure = message.str();
  return false;
}

Error Checker::run() {
  seen.resize(nest.loopNames.size());
  if (names() && params() && arrays() && function() && body(nest.body))
    return Error::success();
  return refuse("well-formed", failure, place);
}

//===----------------------------------------------------------------------===//
// The header
//===----------------------------------------------------------------------===//

bool Checker::declare(StringSet<> &taken, const std::string &name,
                      StringRef kind) {
  if (!isIdentifier(name))
    return fail(kind + " '" + name + "' is not named by an identifier");
  return taken.insert(name).second ||
         fail(kind + " '" + name + "' has a name that is taken");
}

bool Checker::names() {
  StringSet<> variables, arrays;
  for (const Param &p : nest.params)
    if (!declare(variables, p.name, "parameter"))
      return false;
  for (const std::string &l : nest.loopNames)
    if (!declare(variables, l, "loop"))
      return false;
  for (const Array &a : nest.arrays)
    if (!declare(arrays, a.name, "array"))
      return false;
  return true;
}

bool Checker::over(const IndexExpr &e, ArrayRef<unsigned> loops,
                   const Twine &what) {
  if (!e.isValid())
    return fail(what + " overflows");
  for (Var v : e.vars()) {
    bool known = v.kind == Var::Param ? v.id < nest.params.size()
                                      : v.id < nest.loopNames.size();
    if (!known)
      return fail(what + " uses a variable that the nest does not have");
    if (v.kind == Var::Loop && !is_contained(loops, v.id))
      return fail(what + " uses '" + nest.name(v) + "', which is out of scope");
  }
  return true;
}

bool Checker::overParams(const IndexExpr &e, const Twine &what) {
  return over(e, {}, what);
}

/// Why \p type cannot be printed as the type of a parameter or an array.
static std::string whyNoType(StringRef type) {
  std::string why = whyUnprintable(type);
  if (why.empty() && type.find_first_of("[=") != StringRef::npos)
    why = "has a '[' or '='";
  return why;
}

bool Checker::params() {
  for (auto [id, p] : enumerate(nest.params)) {
    std::string why = whyNoType(p.type);
    if (!why.empty())
      return fail("the type of parameter '" + p.name + "' " + why);
    if (!p.definition)
      continue;
    if (!overParams(*p.definition, "the value of parameter '" + p.name + "'"))
      return false;
    for (Var v : p.definition->vars())
      if (v.id >= id)
        return fail("the value of parameter '" + p.name + "' uses '" +
                    nest.name(v) + "', which is not declared before it");
  }
  return true;
}

bool Checker::arrays() {
  for (const Array &a : nest.arrays) {
    place = a.range;
    std::string why = whyNoType(a.elementType);
    if (!why.empty())
      return fail("the element type of array '" + a.name + "' " + why);
    for (const IndexExpr &e : a.footprint)
      if (!overParams(e, "the footprint of array '" + a.name + "'"))
        return false;
    if (a.expandedDims > a.extents.size() || (a.expandedDims && !a.isLocal()))
      return fail("array '" + a.name + "' cannot have " +
                  Twine(a.expandedDims) + " expanded dimensions");
    for (auto [d, e] : enumerate(a.extents)) {
      if (!overParams(e, "an extent of array '" + a.name + "'"))
        return false;
      if (d < a.expandedDims && e.asConstant().value_or(0) <= 0)
        return fail("expanded dimension " + Twine(d) + " of array '" + a.name +
                    "' has no constant extent");
    }
    if (a.buffer && !buffer(a))
      return false;
  }
  return true;
}

/// What is wrong with the layout of a buffer of \p rank dimensions.
static std::string whyNoLayout(const Buffer &b, size_t rank) {
  const BufferLayout &l = b.layout;
  std::vector<unsigned> sorted = l.order;
  llvm::sort(sorted);
  for (size_t d = 0; d != sorted.size(); ++d)
    if (sorted.size() != rank || sorted[d] != d)
      return "has an order that does not name each dimension once";
  if (l.pitch < 1 || l.pitch > 1024 || l.vector < 1 || l.vector > 16 ||
      !isPowerOf2_64(l.vector))
    return "needs a vector of 1, 2, 4, 8 or 16 elements and a pitch of 1 to "
           "1024";
  if (l.depth < 1 || l.depth > 8 ||
      (l.depth != 1 && b.memory != Buffer::Shared))
    return "needs a depth of 1 to 8, and of 1 in other than shared memory";
  bool isByTma = l.copyKind != BufferLayout::Threads;
  if ((!b.strides.empty() && b.strides.size() != rank) ||
      any_of(b.strides, [](int64_t g) { return g < 1 || g > 65536; }))
    return "needs a stride of 1 to 65536 for each dimension";
  if (!b.isDense() && (isByTma || l.linear != 1))
    return "has a stride, and is linear or filled by TMA";
  if (isByTma && (b.memory != Buffer::Shared || l.vector == 1))
    return "needs a vector and shared memory for copies by TMA";
  bool isPlain = l.pitch == 1 && l.linear == 1 && is_sorted(l.order);
  if (l.copyKind == BufferLayout::Tensor && !isPlain)
    return "has a pitch or an order or is linear, and TMA copies boxes "
           "as they are";
  if (l.block < 1 || l.block > 1024 ||
      (l.block != 1 && (!b.isOnHost() || l.pitch != 1)))
    return "needs blocks of 1 to 1024 elements, and of 1 where it has a pitch "
           "or is filled by a kernel";
  if (l.linear != 1 && (b.memory != Buffer::Shared || l.pitch != 1 ||
                        !l.order.empty() || !b.fill.empty()))
    return "is linear and not plain shared memory";
  if (l.swizzle < 0 || l.swizzle > 16 || (l.swizzle & (l.swizzle - 1)) != 0 ||
      (l.swizzle != 0 &&
       (b.memory != Buffer::Shared || l.linear != 1 || isByTma)))
    return "needs a swizzle of 1, 2, 4, 8 or 16 elements, and none in other "
           "than plain shared memory";
  return "";
}

bool Checker::buffer(const Array &a) {
  if (a.buffer->of >= nest.arrays.size())
    return fail("buffer '" + a.name + "' is of no array");
  const Array &of = nest.arrays[a.buffer->of];
  if (!a.isLocal() || a.expandedDims != 0 || of.isLocal())
    return fail("buffer '" + a.name +
                "' must be a local array without expanded dimensions, of an "
                "array that is not local");
  if (a.buffer->unfolding) {
    if (!unfolding(a))
      return false;
  } else if (a.extents.size() != of.extents.size()) {
    return fail("buffer '" + a.name + "' has " + Twine(a.extents.size()) +
                " dimensions, '" + of.name + "' has " +
                Twine(of.extents.size()));
  }
  for (const IndexExpr &e : a.extents)
    if (nest.constantOf(e).value_or(1) < 1)
      return fail("buffer '" + a.name + "' has no element");
  std::string problem = whyNoLayout(*a.buffer, a.extents.size());
  if (!problem.empty())
    return fail("buffer '" + a.name + "' " + problem);
  if (!linear(a))
    return false;
  if (a.buffer->fill.empty())
    return true;
  std::string why = whyUnprintable(a.buffer->fill);
  return why.empty() || fail("the fill of buffer '" + a.name + "' " + why);
}

bool Checker::unfolding(const Array &a) {
  const Buffer &b = *a.buffer;
  const Unfolding &u = *b.unfolding;
  const std::string what = "unfolded buffer '" + a.name + "'";
  const size_t rank = nest.arrays[b.of].extents.size();
  if (u.dims.size() != a.extents.size() ||
      u.dims.size() != u.coordinates.size())
    return fail(what + " has " + Twine(a.extents.size()) + " dimensions and " +
                Twine(u.dims.size()) + " coordinates");
  if (u.subscripts.size() != rank)
    return fail(what + " gives " + Twine(u.subscripts.size()) +
                " subscripts to '" + nest.arrays[b.of].name + "'");
  if (b.layout.copyKind != BufferLayout::Threads || b.layout.linear != 1 ||
      !b.isDense() || b.memory == Buffer::Constant)
    return fail(what + " has a stride, is linear, is filled by TMA or "
                       "lies in constant memory");
  // Every iterator is a coordinate or a function of these.
  std::vector<unsigned> known = u.dims;
  for (const auto &[iterator, value] : u.iterators) {
    const std::set<Var> vars = value.vars();
    if (vars.size() != 1 || !is_contained(u.dims, vars.begin()->id) ||
        vars.begin()->kind != Var::Loop)
      return fail("an iterator of " + what +
                  " is no function of one coordinate");
    known.push_back(iterator);
  }
  if (std::set<unsigned>(known.begin(), known.end()).size() != known.size())
    return fail(what + " names a variable twice");
  return all_of(u.subscripts, [&](const IndexExpr &e) {
    return over(e, known, "a subscript of " + what);
  });
}

bool Checker::linear(const Array &a) {
  const Array &of = nest.arrays[a.buffer->of];
  int64_t rank = a.extents.size(), linear = a.buffer->layout.linear;
  if (linear < 1 || linear > std::max<int64_t>(rank, 1))
    return fail("buffer '" + a.name + "' has 1 to " + Twine(rank) +
                " linear dimensions");
  for (int64_t d = rank - linear + 1; d < rank; ++d) {
    auto box = nest.constantOf(a.extents[d]);
    auto whole = nest.constantOf(of.extents[d]);
    if (!box || !whole || *box < *whole)
      return fail("linear buffer '" + a.name +
                  "' must have the whole of dimension " + Twine(d) +
                  ", of constant extent");
  }
  return true;
}

bool Checker::function() {
  const Function &f = nest.function;
  place = f.range;
  for (const Argument &a : f.arguments) {
    size_t size = a.role == Argument::ArrayArg   ? nest.arrays.size()
                  : a.role == Argument::ParamArg ? nest.params.size()
                                                 : a.index + 1;
    if (a.index >= size)
      return fail("argument '" + a.name + "' stands for nothing in the nest");
  }
  for (const std::string &t : f.typeParams)
    if (!is_contained(f.templateArgs, t))
      return fail("type '" + t + "' is no template argument");
  for (const ThreadMap &t : f.threadMaps)
    if (t.loop >= nest.loopNames.size())
      return fail("threads stand for a loop that the nest does not have");
  for (const Bound &b : f.grid)
    if (!overParams(b.expr, "the grid of the launch") ||
        (b.divisor <= 0 && !fail("the grid of the launch divides by a number "
                                 "that is not positive")))
      return false;
  for (const IndexExpr &extent : f.block)
    if (!overParams(extent, "a block extent of the launch") ||
        (extent.asConstant().value_or(1) <= 0 &&
         !fail("a block extent of the launch is not positive")))
      return false;
  for (const Assumption &a : nest.assumptions)
    if (!overParams(a.fact.expr, "an assumption") ||
        (a.spanned && *a.spanned >= nest.arrays.size() &&
         !fail("an assumption is of an array that is not declared")))
      return false;
  return true;
}

Error checkWellFormed(const Nest &nest) { return Checker(nest).run(); }

} // namespace convopt
