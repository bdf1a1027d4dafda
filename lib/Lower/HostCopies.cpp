//===- HostCopies.cpp - Arrays of the host on the device ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "Values.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Nest/Touched.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Assignment;
using program::CallStmt;

static Expr direction(bool isBack) {
  return known(isBack ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToDevice");
}

/// Whether some statement of \p nest reads \p array.
static bool isRead(const Nest &nest, unsigned array) {
  return any_of(statements(nest), [&](const StatementPath &p) {
    const Statement &s = *p.statement;
    return (s.target.array == array && s.op != Statement::Op::Assign) ||
           reads(s, array);
  });
}

/// That some access asks for these sizes; nothing where one asks for none.
static Expr mayTouch(const Context &c, unsigned array, const Names &names) {
  Expr any;
  for (const auto &sizes : touchedUnder(c.source, array))
    any = either(any, names.condition(sizes));
  return any;
}

/// Whether \p box is all that \p a is taken to have.
static bool isWhole(const Nest &nest, const Array &a,
                    ArrayRef<SubscriptRange> box) {
  auto is = [&](const IndexExpr &e, const IndexExpr &other) {
    return nest.expandDefinitions(e) == nest.expandDefinitions(other);
  };
  IndexExpr row = 1;
  for (size_t d = box.size(); d-- > 0;) {
    const bool isOutermost = d == 0;
    if (box[d].first != std::vector{IndexExpr(0)} ||
        (!isOutermost &&
         !(box[d].end.size() == 1 && is(box[d].end[0], a.extents[d]))))
      return false;
    row = isOutermost ? row : row * a.extents[d];
  }
  std::vector<IndexExpr> counts = a.footprint;
  if (counts.empty())
    counts.push_back(wholeOf(nest, a));
  return counts.size() == box[0].end.size() &&
         all_of(box[0].end, [&](const IndexExpr &end) {
           return any_of(counts, [&](const IndexExpr &count) {
             return is(end * row, count);
           });
         });
}

HostCopies::HostCopies(const Context &c, Names &names,
                       ArrayRef<ArrayArgument> arrays,
                       ArrayRef<HostSlice> slices, Expr error)
    : c(c), names(names), error(std::move(error)) {
  for (const ArrayArgument &a : arrays) {
    const unsigned id = a.argument->index;
    const bool isSliced =
        any_of(slices, [&](const HostSlice &s) { return s.array == a.array; });
    copies.push_back({a,
                      variable(pointer(a.array->elementType),
                               names.fresh("device_" + a.argument->name)),
                      c.boxes(id), isSliced});
    HostCopy &copy = copies.back();
    // Else they are all that the array is taken to have.
    copy.isBoxed = !copy.boxes.touched.empty() &&
                   (is_contained(c.options.loose, id) || !beginsAtBase(c, id));
    if (!copy.isBoxed && !isSliced)
      count(copy);
    copy.whenTouched = both(
        copy.counted ? Expr() : names.condition(touchedWhere(c.source, id)),
        mayTouch(c, id, names));
  }
}

/// Finds out what the nest touches of an array that it may touch less of than
/// that is taken to have, as callers have no more.
void HostCopies::count(HostCopy &copy) {
  const unsigned id = copy.a.argument->index;
  auto find = [&](End end, const char *suffix, const Expr &ofNothing) {
    const Expr count =
        variable(wide("size_t"), names.fresh(copy.a.argument->name + suffix));
    Block loops;
    if (!countTouched(c.source, end, id, copy.a.elements, names, count, loops))
      return Expr();
    lower::define(counting, count, ofNothing);
    if (!loops.empty())
      where(counting, succeeded(error)) = std::move(loops);
    return count;
  };
  if (is_contained(c.options.loose, id))
    copy.counted = find(End::Last, "_touched", 0);
  if (copy.a.array->role != Array::Output && copy.boxes.touched.empty())
    copy.untouched = find(End::First, "_untouched", elementsOf(copy));
}

std::vector<unsigned> HostCopies::spanned() const {
  std::vector<unsigned> all;
  for (const HostCopy &copy : copies) {
    const unsigned id = copy.a.argument->index;
    if (!copy.counted && !(copy.isBoxed && is_contained(c.options.loose, id)))
      all.push_back(id);
  }
  return all;
}

/// \p e, computed in 64 bits.
static Expr valueOf(const IndexExpr &e, const Names &names) {
  return e.asVar() || e.isConstant() ? names.value(e)
                                     : names.widened(e).value(e);
}

/// An end of a range, which \p function picks of two.
static Expr endOf(ArrayRef<IndexExpr> all, const char *function,
                  const Names &names) {
  Expr end;
  for (const IndexExpr &e : all)
    end = end ? call(algorithm(function), {end, valueOf(e, names)},
                     wide("long long"))
              : valueOf(e, names);
  return end;
}

Expr HostCopies::copyBox(const HostCopy &copy, ArrayRef<SubscriptRange> box,
                         const Expr &host, bool isBack) const {
  std::vector<Expr> ranges;
  for (const auto &[r, extent] : zip_equal(box, copy.a.array->extents))
    ranges.push_back(Expr::list({endOf(r.first, "std::max<long long>", names),
                                 endOf(r.end, "std::min<long long>", names),
                                 valueOf(extent, names)}));
  return call(c.helper(Helper::CopyBox, "_copy_box"),
              {isBack ? host : copy.device, isBack ? copy.device : host,
               Expr::list(ranges),
               Expr::sizeOf({Type::Element, copy.a.array->elementType}),
               direction(isBack)});
}

void HostCopies::define(Block &b) const {
  for (const HostCopy &copy : copies)
    lower::define(b, copy.device, known("nullptr"));
}

void HostCopies::toDevice(Block &b) {
  std::move(counting.begin(), counting.end(), std::back_inserter(b));
  for (const HostCopy &copy : copies)
    step(b, error,
         call("cudaMalloc", {Expr::unary(program::Op::AddressOf, copy.device),
                             copy.a.bytes()}));
  for (const HostCopy &copy : copies) {
    const Array &a = *copy.a.array;
    const bool isOverwritten =
        a.role == Array::Output || (!copy.boxes.written.empty() &&
                                    !isRead(c.source, copy.a.argument->index));
    if (copy.isSliced || (isOverwritten && !isStoredApart(c, a)))
      continue;
    // What is left out may be read, though nothing comes of it.
    if (copy.isBoxed || copy.counted || copy.untouched || isOverwritten)
      step(b, error, call("cudaMemset", {copy.device, 0, copy.a.bytes()}),
           Expr::binary(program::Op::NotEqual, copy.a.elements, 0));
    if (!isOverwritten)
      step(b, error,
           copy.isBoxed ? copyBox(copy, copy.boxes.touched, copy.a.pointer,
                                  /*isBack=*/false)
                        : copyRange(copy, copy.a.pointer, /*isBack=*/false),
           copy.whenTouched);
  }
}

const Expr &HostCopies::elementsOf(const HostCopy &copy) {
  return copy.counted ? copy.counted : copy.a.elements;
}

Expr HostCopies::copyRange(const HostCopy &copy, const Expr &host,
                           bool isBack) const {
  Expr to = isBack ? host : copy.device, from = isBack ? copy.device : host;
  Expr elements = elementsOf(copy);
  if (copy.untouched) {
    Expr &caller = isBack ? to : from;
    caller = toElements(*copy.a.argument, *copy.a.array, caller);
    to = to + copy.untouched;
    from = from + copy.untouched;
    elements = elements - copy.untouched;
  }
  return call("cudaMemcpy",
              {to, from, bytesOf(elements, copy.a.array->elementType),
               direction(isBack)});
}

/// Copies to memory of the host, of which callStore stores what is written; the
/// pointer to that.
Expr HostCopies::copyAside(const HostCopy &copy, Block &b) const {
  const std::string &type = copy.a.array->elementType;
  const Expr aside =
      variable(pointer(type), names.fresh("computed_" + copy.a.argument->name));
  lower::define(b, aside, known("nullptr"));
  Block &in = where(b, both(succeeded(error), copy.whenTouched));
  add<Assignment>(in, aside,
                  Expr::cast(aside.type(), call("std::malloc", {copy.a.bytes()},
                                                handle("void *"))));
  add<Assignment>(in, error,
                  Expr::select(isNot(aside, "nullptr"),
                               copy.boxes.written.empty()
                                   ? copyRange(copy, aside, /*isBack=*/true)
                                   : copyBox(copy, copy.boxes.written, aside,
                                             /*isBack=*/true),
                               known("cudaErrorMemoryAllocation")));
  return aside;
}

void HostCopies::back(Block &b) const {
  // What can fail comes first: the host's arrays stay as they are then.
  std::vector<std::pair<const HostCopy *, Expr>> aside;
  for (const HostCopy &copy : copies)
    if (isStoredApart(c, *copy.a.array))
      aside.push_back({&copy, copyAside(copy, b)});
  for (const HostCopy &copy : copies) {
    const Array &a = *copy.a.array;
    if (a.role == Array::Input || copy.isSliced || isStoredApart(c, a))
      continue;
    step(b, error,
         copy.boxes.written.empty() || isWhole(c.nest, a, copy.boxes.written)
             ? copyRange(copy, copy.a.pointer, /*isBack=*/true)
             : copyBox(copy, copy.boxes.written, copy.a.pointer,
                       /*isBack=*/true),
         copy.whenTouched);
  }
  for (const auto &[copy, from] : aside) {
    add<CallStmt>(where(b, both(succeeded(error), isNot(from, "nullptr")),
                        /*isBraced=*/false),
                  callStore(c, copy->a, from, names));
    add<CallStmt>(b, call("std::free", {from}, handle("void")));
  }
  for (const HostCopy &copy : copies)
    add<CallStmt>(b, call("cudaFree", {copy.device}));
}

} // namespace convopt::lower
