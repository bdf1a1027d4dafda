//===- KernelBorder.cpp - Reads past the ends of arrays -------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy moves what each place of its box is an image of, and a sum asks only
// where it reads the array itself, outside of full tiles:
//
//   const int in_y = min(max(y0 + y_s - 2, 0), H - 1);
//   const int in_x = min(max(x0 + x_s - 2, 0), W - 1);
//   in_s[y_s][x_s] = in[in_y * W + in_x];
//
//===----------------------------------------------------------------------===//

#include "CopyBox.h"
#include "KernelBody.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using namespace program;

bool continuesPast(const Nest &nest, const Array &buffer, size_t d) {
  return buffer.buffer->fill == AtBorder &&
         borderOf(nest.arrays[buffer.buffer->of], d) != Border::None;
}

static Constraint notNegative(IndexExpr e) {
  return {Constraint::NonNegative, std::move(e)};
}

/// The element that border \p b has for coordinate \p v, which may be below the
/// first of \p extent or above the last.
static Expr imageExpr(Border b, const IndexExpr &v, const IndexExpr &extent,
                      bool mayBeBelow, bool mayBeAbove, const Names &names) {
  // The launcher sees to it that what guards compare is an int.
  auto valueOf = [&](const IndexExpr &e) {
    const Expr value = names.value(names.fold(e));
    const bool isInt = names.isInt(e) && !names.fold(e).hasQuotient();
    return isInt ? value : Expr::cast(Type::integer(), value);
  };
  Expr e = valueOf(v);
  for (const auto &[mayBe, isAbove] :
       {std::pair(mayBeBelow, false), std::pair(mayBeAbove, true)}) {
    const Expr image = valueOf(imageOf(b, v, extent, isAbove));
    const IndexExpr end = names.fold(isAbove ? extent - 1 - v : v);
    if (mayBe && b == Border::Clamp)
      e = Expr::call({isAbove ? Callee::Min : Callee::Max, ""}, {e, image});
    else if (mayBe)
      e = Expr::select(names.condition(notNegative(end), /*negated=*/true),
                       image, e);
  }
  return e;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

void KernelBody::lowerBorderCopy(const Copy &c, Scope &s) {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  if (buffer.buffer->unfolding) // no box of the array
    return lowerThreadsCopy(c, s, /*isPast=*/true);
  std::vector<Constraint> ends;
  for (size_t d = 0; d != c.base.size(); ++d)
    for (const IndexExpr &e :
         {c.base[d], of.extents[d] - 1 - c.base[d] - reachOf(buffer, d)})
      if (continuesPast(nest, buffer, d) && !isAlways(notNegative(e), s))
        ends.push_back(notNegative(e));
  // Single elements cost as much inside of the array, but for a comparison.
  if (ends.empty() || buffer.buffer->layout.vector == 1)
    return lowerThreadsCopy(c, s, !ends.empty());
  auto &inside = s.add<If>(comparison(ends, s));
  inside.comment = "all of the box is inside of '" + of.name + "'";
  lowerThreadsCopy(c, s.in(inside.body));
  lowerThreadsCopy(c, s.in(inside.otherwise), /*isPast=*/true);
}

void KernelBody::declareImages(const Copy &c, const CopyBox &box, CopyPlace &p,
                               Scope &s) {
  const Array &buffer = nest.arrays[c.buffer];
  const Array &of = nest.arrays[buffer.buffer->of];
  const std::vector<IndexExpr> there = sourceOf(c, box, p, s.names);
  for (size_t d = 0; d != there.size(); ++d) {
    if (!continuesPast(nest, buffer, d))
      continue;
    auto declared = [&](Border b, const IndexExpr &at) {
      const std::string place = coordinateName(nest, buffer.buffer->of, d);
      const Var v = s.names.variable(
          of.name + "_" + StringRef(place).drop_back(2).str(), true);
      declare(s, v, imageExpr(b, at, of.extents[d], true, true, s.names));
      return IndexExpr::of(v);
    };
    p.images[d] = declared(of.borders[d], there[d]);
    if (of.borders[d] != Border::Clamp)
      p.images[d] = declared(Border::Clamp, p.images[d]);
  }
}

//===----------------------------------------------------------------------===//
// Reads of the array itself
//===----------------------------------------------------------------------===//

Expr KernelBody::atBorder(const Operand &o, ArrayRef<Constraint> asked,
                          const Scope &s) const {
  const Array &a = nest.arrays[o.access.array];
  auto mayFail = [&](const IndexExpr &e) {
    return any_of(asked, [&](const Constraint &c) {
      return nest.expandDefinitions(c.expr - e).isZero();
    });
  };
  Access image = o.access;
  Names names = s.names;
  for (const auto &[d, e] : enumerate(image.subscripts)) {
    const bool isBelow = mayFail(e), isAbove = mayFail(a.extents[d] - 1 - e);
    if (!isBelow && !isAbove)
      continue;
    const Var v = names.variable("image");
    names.bind(
        v, imageExpr(borderOf(a, d), e, a.extents[d], isBelow, isAbove, names));
    e = IndexExpr::of(v);
  }
  return element(image, names);
}

} // namespace convopt::lower
