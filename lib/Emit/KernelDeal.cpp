//===- KernelDeal.cpp - The threads of a block at a copy ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "CopyBox.h"
#include "DealOut.h"
#include "SharedMemory.h"
#include "Text.h"
#include "convopt/Target/ElementSize.h"
#include "convopt/Transforms/Bounds.h"
#include "convopt/Transforms/Structure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::emit {

/// `V * (thread % 33)`
static std::string times(const std::string &factor, const std::string &text) {
  int64_t a, b;
  if (factor.empty() || text == "0")
    return text;
  if (!StringRef(factor).getAsInteger(10, a) &&
      !StringRef(text).getAsInteger(10, b))
    return std::to_string(a * b);
  if (text == "1")
    return factor;
  bool isSum = StringRef(text).contains(' ');
  return factor + " * " + (isSum ? "(" + text + ")" : text);
}

/// Opens a loop of \p s from \p first on in steps of \p step.
void KernelBody::openLoop(Scope &s, const std::string &name,
                          const std::string &first, const std::string &end,
                          const std::string &step) {
  line(s) << "for (int " << name << " = " << first << "; " << name << " < "
          << end << "; "
          << (step == "1" || step.empty() ? "++" + name : name + " += " + step)
          << ") {\n";
  ++s.indent;
}

/// Opens a loop over dimension \p d of a box and binds its coordinate.
void KernelBody::openDim(Scope &s, const CopyBox &box, const CopyDim &d,
                         CopyPlace &p, const std::string &first,
                         const std::string &step) {
  Var v = s.names.variable(d.name);
  openLoop(s, s.names(v), first, s.names.expr(d.extent), step);
  bool isRow = box.row && d.dim == box.row->dim;
  (box.isJoined && isRow ? p.along : p.at[d.dim]) = IndexExpr::of(v);
}

/// Opens the loops over the rows of a box, of which the thread takes those from
/// \p first on in steps of \p step: nested loops, or one that counts all rows.
void KernelBody::openRows(Scope &s, const CopyBox &box, CopyPlace &p,
                          const std::string &first, const std::string &step,
                          bool isNested) {
  if (isNested || box.rows.size() == 1) {
    for (const CopyDim &d : box.rows) {
      bool isLast = d.dim == box.rows.back().dim;
      openDim(s, box, d, p, isLast ? first : "0", isLast ? step : "1");
    }
    return;
  }
  std::string all;
  for (const CopyDim &d : box.rows)
    all += (all.empty() ? "" : " * ") + s.names.operand(d.extent);
  std::string rest = s.names.fresh("k");
  openLoop(s, rest, first, all, step);
  for (size_t k = box.rows.size(); k-- != 0;) {
    const CopyDim &d = box.rows[k];
    Var v = s.names.variable(d.name);
    std::string extent = s.names.operand(d.extent);
    declare(s, s.names(v), k ? rest + " % " + extent : rest);
    p.at[d.dim] = IndexExpr::of(v);
    rest += " / " + extent;
  }
}

/// The number of iterations of a loop over \p e, where it is constant.
static std::optional<int64_t> countOf(const Nest &nest, const IndexExpr &e) {
  return nest.expandDefinitions(e).asConstant();
}

CopyDeal KernelBody::dealOf(const Copy &c, const CopyBox &box, Scope &s) {
  const int64_t threads = mapping.threads(), x = mapping.blockDim[0];
  std::string all = std::to_string(threads);
  std::optional<int64_t> columns = countOf(nest, box.row->extent), rows = 1;
  for (const CopyDim &d : box.rows) {
    std::optional<int64_t> extent = countOf(nest, d.extent);
    rows = extent && rows ? std::optional(*extent * *rows) : std::nullopt;
  }
  CopyDeal deal;
  const std::string &name = nest.arrays[c.buffer].name;
  auto declareDown = [&] {
    deal.down = root.fresh(name + "_down");
    declare(s, deal.down, all + " / " + deal.across);
  };
  if (!columns || !rows) {
    deal.alongX = !isCompileTime(nest, box.row->extent) && x > 1 &&
                  isProvablyNonNegative(nest, box.row->extent - x, {});
    if (deal.alongX)
      return deal;
    deal.across = root.fresh(name + "_across");
    std::string count = s.names.expr(box.row->extent);
    if (!box.step.empty())
      count = "(" + s.names.expr(box.row->extent - 1) + " + " + box.step +
              ") / " + box.step;
    declare(s, deal.across, helpers.across + "(" + count + ", " + all + ")");
    declareDown();
    deal.guard = thread + " < " + deal.down + " * " + deal.across;
    return deal;
  }
  int64_t vectors = divideCeil(uint64_t(*columns), uint64_t(box.vector));
  Deal wide = dealOut(threads, x, vectors, *rows);
  bool isChosen = !c.from && box.vector != 1;
  Deal single = isChosen ? dealOut(threads, x, *columns, *rows) : wide;
  auto isNested = [&](const Deal &d, int64_t columns) {
    int64_t last = *countOf(nest, box.rows.back().extent);
    return 4 * (*rows / last) * turns(d, columns, last) <=
           5 * turns(d, columns, *rows);
  };
  deal.isNested =
      isNested(wide, vectors) && (!isChosen || isNested(single, *columns));
  // Of a template's type, an access may move fewer.
  bool isExact = box.vector == 1 ||
                 elementSize(nest.arrays[c.buffer].elementType).has_value();
  deal.isOneTurn = isExact && wide.across == vectors &&
                   single.across == (isChosen ? *columns : vectors);
  deal.alongX = x > 1 && wide.across == x && single.across == x;
  if (deal.alongX)
    return deal;
  if (wide.across == single.across) {
    deal.across = std::to_string(wide.across);
    deal.down = std::to_string(wide.down());
  } else {
    deal.across = root.fresh(name + "_across");
    declare(s, deal.across,
            helpers.aligned + " ? " + std::to_string(wide.across) + " : " +
                std::to_string(single.across));
    declareDown();
  }
  if (wide.idle() || single.idle())
    deal.guard = thread + " < " + times(deal.down, deal.across);
  return deal;
}

/// Columns outside, since what depends on a column is the same in all rows.
void KernelBody::printDealt(const Copy &c, const CopyBox &box, CopyPlace &p,
                            Scope &s) {
  CopyDeal deal = dealOf(c, box, s);
  std::string column = "threadIdx.x", row = threadText(mapping, {1, 2});
  std::string across = std::to_string(mapping.blockDim[0]);
  std::string down = std::to_string(threadCount(mapping, {1, 2}));
  if (!deal.alongX) {
    column = thread + " % " + deal.across;
    row = thread + " / " + deal.across;
    across = deal.across;
    down = deal.down;
  }
  if (!deal.guard.empty() || deal.isOneTurn) {
    line(s) << (deal.guard.empty() ? "" : "if (" + deal.guard + ") ") << "{\n";
    ++s.indent;
  }
  if (deal.isOneTurn) {
    Var v = s.names.variable(box.row->name);
    declare(s, s.names(v), times(box.step, column));
    (box.isJoined ? p.along : p.at[box.row->dim]) = IndexExpr::of(v);
  } else {
    openDim(s, box, *box.row, p, times(box.step, column),
            times(box.step, across));
  }
  std::vector<std::string> ends = endsOf(c, box, p, box.row->dim, s);
  bool isFilled = !c.isStore && !fillOf(nest.arrays[c.buffer]).empty();
  if (!c.from && !ends.empty() && !isFilled) {
    line(s) << "if (" << join(ends, " && ") << ") {\n";
    ++s.indent;
    p.isRowInside = true;
  }
  openRows(s, box, p, row.empty() ? "0" : row, down, deal.isNested);
}

void KernelBody::printCopy(const Copy &c, const Scope &s) {
  if (isByEngine(nest, c))
    printBulkCopy(c, s);
  else
    printThreadsCopy(c, s);
}

void KernelBody::printThreadsCopy(const Copy &c, const Scope &outer) {
  const Array &buffer = nest.arrays[c.buffer];
  Scope s = outer;
  CopyBox box = boxOf(c);
  CopyPlace p{std::vector<IndexExpr>(buffer.extents.size()), {}, false};
  size_t mark = declarations.size();
  bool isShared = buffer.buffer->memory == Buffer::Shared;
  if (!isShared || mapping.threads() == 1) {
    std::vector<CopyDim> dims = box.rows;
    if (box.row)
      dims.push_back(*box.row);
    for (const CopyDim &d : dims) {
      if (!isShared)
        out << "#pragma unroll\n";
      bool isRow = d.dim == box.row->dim;
      openDim(s, box, d, p, "0", isRow ? box.step : "1");
    }
  } else if (!box.row) {
    line(s) << "if (" << thread << " == 0) {\n";
    ++s.indent;
  } else if (box.rows.empty()) {
    openDim(s, box, *box.row, p, times(box.step, thread),
            times(box.step, std::to_string(mapping.threads())));
  } else {
    printDealt(c, box, p, s);
  }
  printElement(c, box, p, s);
  endScope(mark);
  while (s.indent != outer.indent) {
    --s.indent;
    line(s) << "}\n";
  }
}

} // namespace convopt::emit
