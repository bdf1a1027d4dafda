//===- Rows.cpp - Contiguous runs of a copy -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row begins at the offset `sum of (base[d] + at[d]) * stride[d]`, with the
// strides products of extents. It is a multiple of n for every block and every
// row if what multiplies each product of loops is one: a polynomial over sizes,
// which its coefficients prove or the launcher tests. Rows that end at a
// multiple of n have vectors that lie inside of the array or outside.
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Quotients.h"
#include "convopt/Nest/StorageMap.h"
#include "convopt/Nest/Terms.h"
#include "convopt/Nest/Text.h"
#include "convopt/Nest/Unfolding.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;

namespace convopt {

static bool usesLoop(const Atom &a) {
  return a.isVar() ? a.asVar().kind == Var::Loop
                   : a.num().usesLoops() || a.den().usesLoops();
}

/// Adds what over the sizes must be a multiple of \p n for \p e to be one;
/// false where it is none whatever they are.
static bool addMultiples(const IndexExpr &e, int64_t n,
                         std::vector<IndexExpr> &multiples) {
  std::map<Monomial, IndexExpr> byLoops;
  for (const auto &[monomial, coefficient] : e.terms()) {
    int64_t rest = (coefficient % n + n) % n;
    if (rest == 0)
      continue;
    Monomial loops, sizes;
    for (const Atom &a : monomial)
      (usesLoop(a) ? loops : sizes).push_back(a);
    byLoops[loops] += IndexExpr(rest) * term(sizes);
  }
  for (const auto &[loops, sizes] : byLoops) {
    // 2 * R + 1 is no multiple of 2, whatever R is.
    int64_t step = n, constant = 0;
    for (const auto &[monomial, coefficient] : sizes.terms())
      if (monomial.empty())
        constant = coefficient;
      else
        step = std::gcd(step, coefficient);
    if (constant % step != 0)
      return false;
    if (!is_contained(multiples, sizes))
      multiples.push_back(sizes);
  }
  return e.isValid();
}

/// Whether every term of \p e has all of \p factor, a single term.
static bool isMultipleOf(const IndexExpr &e, const IndexExpr &factor) {
  const auto &[atoms, unit] = *factor.terms().begin();
  return all_of(e.terms(), [&](const auto &term) {
    return term.second % unit == 0 &&
           std::includes(term.first.begin(), term.first.end(), atoms.begin(),
                         atoms.end());
  });
}

/// Takes out what others of \p multiples imply.
static void keepIndependent(std::vector<IndexExpr> &multiples) {
  std::vector<IndexExpr> kept;
  for (size_t k = 0; k != multiples.size(); ++k) {
    bool isImplied = false;
    for (size_t j = 0; j != multiples.size(); ++j)
      isImplied |= j != k && multiples[j].terms().size() == 1 &&
                   isMultipleOf(multiples[k], multiples[j]);
    if (!isImplied)
      kept.push_back(multiples[k]);
  }
  multiples = std::move(kept);
}

/// The iteration of a loop that has at most this one.
static std::optional<int64_t> onlyIteration(const Nest &nest, const Loop &l) {
  auto value = [&](const Bound &b) -> std::optional<int64_t> {
    ASSIGN_OR_RETURN(int64_t constant, nest.constantOf(b.expr));
    return divideCeilSigned(constant, b.divisor);
  };
  std::optional<int64_t> first = value(l.lower[0]);
  bool isOne = first && any_of(l.upper, [&](const Bound &b) {
                 return value(b) == *first + 1;
               });
  return isOne ? first : std::nullopt;
}

IndexExpr inOnlyIterations(const Nest &nest, const IndexExpr &e) {
  std::map<Var, IndexExpr> once;
  for (const Loop *l : loops(nest))
    if (std::optional<int64_t> only = onlyIteration(nest, *l))
      once[loopVar(l->id)] = *only;
  return nest.expandDefinitions(e).substitute(
      [&](Var v) -> std::optional<IndexExpr> {
        auto found = once.find(v);
        return found == once.end() ? std::nullopt
                                   : std::optional(found->second);
      });
}

static Error refuseVector(const Nest &nest, const Copy &c, const Twine &why,
                          std::string remedy) {
  const Array &buffer = nest.arrays[c.buffer];
  const BufferLayout &layout = buffer.buffer->layout;
  std::string n = std::to_string(layout.vector) + " elements";
  std::string what =
      layout.copyKind == BufferLayout::Bulk
          ? "a TMA bulk copy cannot fill '" + buffer.name + "' by " + n
          : "vectors of " + n + " cannot be copied to '" + buffer.name + "'";
  return refuseIllegal("Storage", what + ": " + why.str(), c.range,
                       std::move(remedy));
}

/// Refuses \p c where its vectors do not lie in one piece of \p a, which it
/// fills or copies from.
static Error checkWhole(const Nest &nest, const Copy &c, const Array &a) {
  const int64_t n = nest.arrays[c.buffer].buffer->layout.vector;
  const BufferLayout &layout = a.buffer->layout;
  if (layout.swizzle % n != 0)
    return refuseVector(nest, c,
                        "units of " + Twine(layout.swizzle) +
                            " elements change places in '" + a.name + "'",
                        "stage '" + a.name + "' with swizzle:" +
                            std::to_string(n) + ", or take the vector off");
  const StorageMap map(nest, a);
  const IndexExpr row = map.digits().empty()
                            ? IndexExpr(1)
                            : nest.expandDefinitions(map.digits().back().count);
  if (IndexExpr::mod(row, IndexExpr(n)).isZero())
    return Error::success();
  const bool isBlocked = layout.block != 1;
  return refuseVector(nest, c,
                      (isBlocked ? "blocks of '" : "rows of '") + a.name +
                          "' have " + str(nest, row) + " elements",
                      isBlocked ? "take the vector off"
                                : "stage '" + a.name +
                                      "' with pitch:" + std::to_string(n));
}

namespace {

class RowFinder {
public:
  RowFinder(const Nest &nest, const Copy &c)
      : nest(nest), buffer(nest.arrays[c.buffer]),
        layout(buffer.buffer->layout), of(nest.arrays[buffer.buffer->of]),
        copy(c), map(nest, buffer) {
    for (size_t d = 0; d != buffer.extents.size(); ++d) {
      base.push_back(inOnlyIterations(nest, c.base[d]));
      box.push_back(nest.expandDefinitions(buffer.extents[d]));
    }
    for (const IndexExpr &extent : of.extents)
      whole.push_back(nest.expandDefinitions(extent));
  }

  Expected<CopyRows> run() const;
  Expected<CopyRows> runUnfolded() const;

private:
  bool isContiguous(unsigned first) const;
  bool isWhole(unsigned d) const {
    return base[d].isZero() && (box[d] == whole[d] || map.isLinear(d));
  }
  Error end(CopyRows &rows) const;
  Error align(CopyRows &rows) const;
  Error refuse(const Twine &why, std::string remedy) const {
    return refuseVector(nest, copy, why, std::move(remedy));
  }

  const Nest &nest;
  const Array &buffer;
  const BufferLayout &layout;
  const Array &of;
  const Copy &copy;
  const StorageMap map;
  std::vector<IndexExpr> base, box, whole; // with definitions expanded
};

} // namespace

/// Whether rows from dimension \p first on are contiguous in array and buffer.
bool RowFinder::isContiguous(unsigned first) const {
  if (first + 1 == box.size())
    return true;
  for (unsigned d = first; d != box.size(); ++d)
    if (buffer.buffer->stride(d) != 1 || (d != first && !isWhole(d)))
      return false;
  const auto isStored = [&](unsigned d) { return is_contained(map.dims(), d); };
  return isStored(first) &&
         any_of(seq<unsigned>(first + 1, box.size()), isStored) &&
         map.liesAsArray(first);
}

/// No vector passes the end of what the nest touches: that is a multiple of n.
/// Of several bounds, as for TMA, none is less than what the extents say.
Error RowFinder::end(CopyRows &rows) const {
  if (copy.isStore) // what is stored was written
    return Error::success();
  if (of.footprint.size() > 1 || layout.copyKind != BufferLayout::Threads) {
    rows.notNegative = shortfalls(nest, of);
    return Error::success();
  }
  for (const IndexExpr &e : of.footprint)
    if (!addMultiples(nest.expandDefinitions(e), layout.vector, rows.multiples))
      return refuse("'" + of.name + "' may end after " + str(nest, e) +
                        " elements",
                    "take the vector off");
  return Error::success();
}

Error RowFinder::align(CopyRows &rows) const {
  const int64_t n = layout.vector;
  auto add = [&](const IndexExpr &e) {
    return addMultiples(e, n, rows.multiples);
  };
  bool isJoined = rows.isJoined(buffer);
  if (const int64_t stride = buffer.buffer->stride(box.size() - 1); stride != 1)
    return refuse("it holds one of " + Twine(stride) +
                      " elements of a row of '" + of.name + "'",
                  "take the vector off");
  if (!isJoined && !map.dims().empty() && map.dims().back() != rows.first)
    return refuse("its rows are not those of '" + of.name + "'",
                  "give it the order of '" + of.name + "'");
  // The rows of the buffer.
  if (isJoined && !add(rows.length))
    return refuse("its rows have " + str(nest, rows.length) + " elements",
                  "stage more of '" + of.name + "' at a time");
  if (!isJoined)
    RETURN_IF_ERROR(checkWhole(nest, copy, buffer));
  // What a store moves beyond its box is not its own.
  if (!isJoined && copy.isStore && !add(rows.length))
    return refuse(
        "it would store rows of " + str(nest, rows.length) + " elements",
        "choose tiles whose width is a multiple of " + std::to_string(n));
  // The rows of the array, and where the box begins in them. No vector passes
  // the end of a row, nor that of an array of one row; so rows lie multiples of
  // n apart, and dimensions around them add nothing.
  IndexExpr stride(1), offset;
  for (unsigned d = box.size(); d-- != rows.first;) {
    offset += base[d] * stride;
    stride = stride * whole[d];
  }
  if (!add(stride))
    return refuse("rows of '" + of.name + "' have " + str(nest, stride) +
                      " elements",
                  "take the vector off");
  RETURN_IF_ERROR(end(rows));
  if (!add(offset))
    return refuse("they would begin at element " + str(nest, offset) + " of '" +
                      of.name + "'",
                  "choose tiles whose width is a multiple of " +
                      std::to_string(n));
  keepIndependent(rows.multiples);
  return Error::success();
}

Expected<CopyRows> RowFinder::run() const {
  Error problem = Error::success();
  for (unsigned first = 0; first != box.size(); ++first) {
    if (!isContiguous(first))
      continue;
    CopyRows rows{first, IndexExpr(1), {}};
    for (unsigned d = first; d != box.size(); ++d)
      rows.length =
          rows.length *
          (d != first && map.isLinear(d) ? of.extents[d] : buffer.extents[d]);
    Error misaligned = layout.vector == 1 ? Error::success() : align(rows);
    if (!misaligned) {
      consumeError(std::move(problem));
      return rows;
    }
    // Of several, the longest rows say most.
    if (problem)
      consumeError(std::move(misaligned));
    else
      problem = std::move(misaligned);
  }
  if (problem)
    return std::move(problem);
  return CopyRows{}; // a single element
}

/// Of an unfolded buffer, whose vectors are neighbours in a row of the array
/// where no quotient or other subscript tells them apart.
Expected<CopyRows> RowFinder::runUnfolded() const {
  const int64_t n = layout.vector;
  const unsigned last = box.size() - 1;
  CopyRows rows{last, buffer.extents[last], {}};
  auto refuseRows = [&] {
    return refuse("it is unfolded, and neighbours in it are not "
                  "always neighbours in a row of '" +
                      of.name + "'",
                  "take the vector off");
  };
  auto fresh = [&](unsigned d) { return loopVar(nest.loopNames.size() + d); };
  const Var within = fresh(box.size());
  std::vector<IndexExpr> at = base;
  for (unsigned d = 0; d != box.size(); ++d)
    if (box[d] != IndexExpr(1))
      at[d] += IndexExpr((d == last ? n : 1) * buffer.buffer->stride(d)) *
               IndexExpr::of(fresh(d));
  at[last] += IndexExpr::of(within);
  std::vector<IndexExpr> element = elementAt(*buffer.buffer->unfolding, at);
  for (IndexExpr &e : element)
    e = dropFromDividends(
        nest.expandDefinitions(e),
        [&](Var v) {
          return v == within ? std::optional(n - 1) : std::nullopt;
        },
        [&](Var v) { return v == within; });
  element.back() -= IndexExpr::of(within);
  const bool isRow =
      buffer.buffer->stride(last) == 1 && !map.dims().empty() &&
      map.dims().back() == last &&
      none_of(element, [&](const IndexExpr &e) { return e.uses(within); });
  if (!isRow || !addMultiples(base[last], n, rows.multiples) ||
      !addMultiples(element.back(), n, rows.multiples) ||
      !addMultiples(whole.back(), n, rows.multiples))
    return refuseRows();
  RETURN_IF_ERROR(checkWhole(nest, copy, buffer));
  RETURN_IF_ERROR(end(rows));
  keepIndependent(rows.multiples);
  return rows;
}

/// How threads can copy what a TMA bulk copy cannot.
static std::string withoutBulk(Nest nest, const Copy &c) {
  BufferLayout &layout = nest.arrays[c.buffer].buffer->layout;
  layout.copyKind = BufferLayout::Threads;
  while ((layout.vector /= 2) > 1) {
    if (expectedToOptional(rowsOf(nest, c)))
      return "have threads copy it, with vector:" +
             std::to_string(layout.vector);
  }
  return "have threads copy it, without a vector";
}

Expected<CopyRows> rowsOf(const Nest &nest, const Copy &c) {
  const Array &buffer = nest.arrays[c.buffer];
  if (buffer.buffer->unfolding && buffer.buffer->fill == AtBorder &&
      buffer.buffer->layout.vector != 1 && !c.from)
    return refuseVector(nest, c,
                        "it is unfolded, and '" +
                            nest.arrays[buffer.buffer->of].name +
                            "' continues past its ends",
                        "take the vector off");
  if (buffer.buffer->unfolding)
    return c.from || buffer.buffer->layout.vector == 1
               ? CopyRows{}
               : RowFinder(nest, c).runUnfolded();
  Expected<CopyRows> rows = RowFinder(nest, c).run();
  if (rows ||
      nest.arrays[c.buffer].buffer->layout.copyKind != BufferLayout::Bulk)
    return rows;
  return handleErrors(rows.takeError(), [&](std::unique_ptr<Refusal> r) {
    r->remedy = withoutBulk(nest, c);
    return Error(std::move(r));
  });
}

Error checkVectors(const Nest &nest, const Copy &c) {
  const Array &buffer = nest.arrays[c.buffer];
  const BufferLayout &layout = buffer.buffer->layout;
  if (layout.vector == 1)
    return Error::success();
  auto refuse = [&](const Twine &why, std::string remedy) {
    return refuseVector(nest, c, why, std::move(remedy));
  };
  if (buffer.buffer->isOnHost())
    return refuse("the launcher fills it element by element",
                  "take the vector off");
  const StorageMap map(nest, buffer);
  if (map.dims().empty()) // no row that a pitch makes longer
    return refuse("it holds a single element", "take the vector off");
  if (!c.from)
    return rowsOf(nest, c).takeError();
  const Array &from = nest.arrays[*c.from];
  const StorageMap source(nest, from);
  const unsigned d = map.dims().back();
  if (source.dims().empty() || source.dims().back() != d)
    return refuse("rows of '" + from.name + "' are of another dimension",
                  "give both the same order");
  for (const Array *a : {&buffer, &from})
    RETURN_IF_ERROR(checkWhole(nest, c, *a));
  if (const Copy *outer = copyOf(nest, *c.from)) {
    if (buffer.buffer->stride(d) != from.buffer->stride(d))
      return refuse("it holds one of " + Twine(buffer.buffer->stride(d)) +
                        " elements of a row, and '" + from.name + "' one of " +
                        Twine(from.buffer->stride(d)),
                    "take the vector off");
    IndexExpr at = placeOf(nest, from, d, c.base[d] - outer->base[d]);
    if (!IndexExpr::mod(at, IndexExpr(layout.vector)).isZero())
      return refuse("they would begin at place " + str(nest, at) + " of '" +
                        from.name + "'",
                    "take the vector off");
  }
  return Error::success();
}

IndexExpr remainder(const Nest &nest, const IndexExpr &e, int64_t n) {
  IndexExpr odd, expanded = nest.expandDefinitions(e);
  for (const auto &[monomial, coefficient] : expanded.terms())
    if (coefficient % n != 0)
      odd += term(monomial, coefficient);
  return odd;
}

} // namespace convopt
