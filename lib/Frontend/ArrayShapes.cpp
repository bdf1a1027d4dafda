//===- ArrayShapes.cpp - Dimensions, extents and roles of arrays ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayShapes.h"
#include "Diagnostics.h"
#include "Resolve.h"
#include "convopt/Nest/Polynomial.h"
#include "convopt/Nest/SizeSamples.h"
#include "convopt/Nest/Text.h"

using namespace llvm;

namespace convopt {
namespace {

/// Remainders of loops by sizes, `(i + k) % H`, each as an iterator below the
/// size: what multiplies it is a stride, which parts of it are not.
class Remainders {
public:
  explicit Remainders(const Nest &nest) : first(nest.loopNames.size()) {}

  /// Has iterators for those of \p a.
  PlacedAccess taken(PlacedAccess a) {
    IndexExpr &e = a.subscripts[0];
    for (const auto &[m, times] : coefficientsOf(e)) {
      if (m.size() != 1 || m[0].isVar())
        continue;
      const IndexExpr &num = m[0].num(), &den = m[0].den();
      std::optional<IndexExpr> stride = divideExactly(-times, den);
      if (!stride || den.usesLoops())
        continue;
      const IndexExpr value = IndexExpr::mod(num, den);
      // A multiple, `k / H * H`, is no remainder.
      if ((e - *stride * value).terms().size() >= e.terms().size())
        continue;
      auto l = std::make_unique<Loop>(first + loops.size(), SourceRange());
      l->lower.push_back({0, 1});
      l->upper.push_back({den, 1});
      e += *stride * (IndexExpr::loop(l->id) - value);
      a.domain.loops.push_back(l.get());
      loops.push_back(std::move(l));
      values.push_back(value);
    }
    return a;
  }
  /// Has the remainders again.
  IndexExpr back(const IndexExpr &e) const {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      return v.kind == Var::Loop && v.id >= first
                 ? std::optional(values[v.id - first])
                 : std::nullopt;
    });
  }

private:
  unsigned first;
  std::vector<std::unique_ptr<Loop>> loops;
  std::vector<IndexExpr> values;
};

class ArrayResolver {
public:
  ArrayResolver(NestBuilder &b, unsigned id)
      : b(b), nest(b.nest), prover(b.nest), id(id), uses(usesOf(b.nest, id)),
        isWritten(any_of(uses, [](const ArrayUse &u) { return u.isWrite; })),
        isDeclared(any_of(nest.function.arguments,
                          [&](const Argument &a) {
                            return a.isGlobalArray() && a.index == id;
                          })),
        remainders(b.nest) {
    joinCases(uses, b);
  }

  /// Whether the shape depends on which other arrays have windows or pitches.
  bool waitsForOthers();
  Error run();

private:
  Error checkAffine();
  void findShapes();
  bool hasWindow(unsigned array, const std::set<Var> &outputs) const;
  std::set<Var> channels() const;
  void findPitches();
  Error flat();
  Error declared();
  Error outermost(const std::vector<std::vector<IndexExpr>> &subscripts);
  IndexExpr named(const IndexExpr &e) const;
  void assume(const std::vector<ShapeNeed> &needs);
  void assume(const SubscriptBound &bound, size_t dimension);
  bool isUsedWhereAny(const IndexExpr &count) const;
  void assumeElements();
  void replace(const std::vector<std::vector<IndexExpr>> &subscripts);
  Error refuseUse(StringRef rule, const ArrayUse &u, const Twine &message,
                  const Twine &remedy);

  NestBuilder &b;
  Nest &nest;
  Prover prover;
  unsigned id;
  std::vector<ArrayUse> uses;
  bool isWritten;
  bool isDeclared; // by the file, with all its extents
  Remainders remainders;
  ArrayUsage usage;
  std::vector<Delinearized> shapes; // of a flat pointer
};

} // namespace

Error ArrayResolver::refuseUse(StringRef rule, const ArrayUse &u,
                               const Twine &message, const Twine &remedy) {
  return refuse(rule.str(), message.str(), u.statement->range, remedy.str());
}

/// What shows that no subscript of \p uses is negative. Elements in blocks of a
/// constant size, as of filters that are packed, have loops of their own.
static std::string remedyForSign(const Nest &nest, ArrayRef<ArrayUse> uses) {
  for (const ArrayUse &u : uses)
    for (const IndexExpr &e : u.access->subscripts)
      for (const auto &[monomial, coefficient] : e.terms())
        for (const Atom &a : monomial) {
          const std::optional<Var> v =
              a.isVar() ? std::nullopt : a.num().asVar();
          const std::optional<int64_t> size =
              v && v->kind == Var::Loop ? a.den().asConstant() : std::nullopt;
          if (!size)
            continue;
          const std::string by = std::to_string(*size);
          return "divide no '" + nest.loopNames[v->id] + "' by " + by +
                 ": write a loop over blocks and one within them, as in 'for "
                 "(b = 0; b < n / " +
                 by + "; b++) for (i = 0; i < " + by + "; i++)'";
        }
  return "guard the access, or start the loop where it is not";
}

Error ArrayResolver::checkAffine() {
  for (const ArrayUse &u : uses)
    for (const IndexExpr &e : u.access->subscripts)
      if (!isLinearInLoops(e))
        return refuseUse(diag::IndexAffine, u,
                         "a subscript of '" + nest.arrays[id].name +
                             "' is not affine: " + str(nest, e),
                         "subscripts are sums of loop iterators times sizes");
  return Error::success();
}

static std::string dimensionWhy(const std::string &array,
                                const ShapeNeed &need) {
  static const char *inner[] = {"column", "row"};
  static const char *outer[] = {"row", "plane"};
  std::string quoted = "'" + array + "'";
  if (need.kind == ShapeNeed::Strides)
    return "each stride of " + quoted + " is a multiple of the next smaller";
  if (need.kind == ShapeNeed::Start)
    return "no subscript of " + quoted + " is negative";
  if (need.dimension < 2)
    return std::string(inner[need.dimension]) + " of " + quoted +
           " stays within its " + outer[need.dimension];
  return "dimension " + std::to_string(need.dimension + 1) +
         " from the last of " + quoted + " stays within its extent";
}

void ArrayResolver::assume(const std::vector<ShapeNeed> &needs) {
  for (const ShapeNeed &n : needs) {
    // A stride: a size that multiplies a loop.
    std::optional<Var> size = (n.fact + 1).asVar();
    std::string why = size ? "'" + nest.name(*size) + "' is at least 1"
                           : dimensionWhy(nest.arrays[id].name, n);
    addAssumption(nest, n.fact, why, uses[n.access].statement->range);
  }
}

void ArrayResolver::assume(const SubscriptBound &bound, size_t dimension) {
  for (const IndexExpr &e : bound.needs)
    assume(std::vector<ShapeNeed>{{e, dimension, ShapeNeed::Start, 0}});
  auto agree = [&](const IndexExpr &e, std::optional<unsigned> spanned) {
    if (std::optional<Var> size = e.asVar())
      addAssumption(nest, e, "'" + nest.name(*size) + "' is not negative",
                    uses[0].statement->range);
    else
      addAssumption(nest, e,
                    "no guard keeps '" + nest.arrays[id].name +
                        "' from being used to its end",
                    uses[0].statement->range, spanned);
  };
  for (const IndexExpr &e : bound.agreements)
    agree(e, std::nullopt);
  // Of what the file declares, host code may copy more than is touched.
  if (!isDeclared)
    for (const IndexExpr &e : bound.spans)
      agree(e, id);
}

/// The outermost extent is the smallest that holds every access.
Error ArrayResolver::outermost(
    const std::vector<std::vector<IndexExpr>> &subscripts) {
  std::vector<IndexExpr> rows;
  for (const std::vector<IndexExpr> &s : subscripts)
    rows.push_back(s[0]);
  const ArrayUse *unbounded;
  SubscriptBound bound = boundOf(rows, uses, nest, prover, unbounded);
  if (unbounded)
    return refuseUse(
        diag::Extent, *unbounded,
        "the extent of '" + nest.arrays[id].name + "' that the subscript " +
            str(nest, rows[unbounded - uses.data()]) + " needs is not known",
        "bound the subscript by the sizes");
  if (bound.values.empty())
    return refuseUse(diag::Extent, uses[0],
                     "accesses to '" + nest.arrays[id].name +
                         "' need extents that cannot be compared: " +
                         str(nest, bound.maxima[0] + 1) + " and " +
                         str(nest, bound.maxima[1] + 1),
                     "say before the loops which is larger, as in assert(" +
                         str(nest, bound.maxima[0] + 1) +
                         " <= " + str(nest, bound.maxima[1] + 1) + ")");
  std::vector<IndexExpr> &extents = nest.arrays[id].extents;
  extents.insert(extents.begin(), shortest(nest, bound.values) + 1);
  setFootprint(nest, id, uses, subscripts,
               [&](const SubscriptBound &b, size_t d) { assume(b, d); });
  return Error::success();
}

/// The size whose definition is \p e, or \p e.
IndexExpr ArrayResolver::named(const IndexExpr &e) const {
  IndexExpr expanded = nest.expandDefinitions(e);
  if (expanded.terms().size() > 1 || expanded.hasQuotient())
    for (auto [id, p] : enumerate(nest.params))
      if (p.definition && nest.expandDefinitions(*p.definition) == expanded)
        return IndexExpr::param(id);
  return e;
}

void ArrayResolver::replace(
    const std::vector<std::vector<IndexExpr>> &subscripts) {
  std::map<const Statement *, std::shared_ptr<Statement>> copies;
  for (auto [u, s] : zip(uses, subscripts)) {
    std::shared_ptr<Statement> &copy = copies[u.statement];
    if (!copy)
      copy = std::make_shared<Statement>(*u.statement);
    if (u.access == &u.statement->target) {
      copy->target.subscripts = s;
      continue;
    }
    for (size_t k = 0; k != u.statement->operands.size(); ++k)
      if (u.access == &u.statement->operands[k].access)
        copy->operands[k].access.subscripts = s;
  }
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    auto it = copies.find(dyn_cast<Statement>(n.get()));
    if (it == copies.end())
      return std::nullopt;
    return Body{it->second};
  });
}

/// Pairs of loops of which the first moves further through what the nest writes
/// than the second.
static std::set<std::pair<Var, Var>> orderOfOutputs(const Nest &nest) {
  struct Move {
    Var loop;
    size_t dimension;
    IndexExpr step;
  };
  std::set<std::pair<Var, Var>> order;
  for (const StatementPath &p : statements(nest)) {
    const Access &a = p.statement->target;
    if (nest.arrays[a.array].isLocal())
      continue;
    std::vector<Move> moves; // outermost first
    for (const auto &[dimension, e] : enumerate(a.subscripts))
      for (Var v : e.vars())
        if (v.kind == Var::Loop)
          moves.push_back({v, dimension, e.symbolicCoefficient(v).value_or(0)});
    auto isOuter = [](const Move &a, const Move &b) {
      return a.dimension != b.dimension
                 ? a.dimension < b.dimension
                 : a.step != b.step && !b.step.isZero() &&
                       divideExactly(a.step, b.step);
    };
    for (const Move &outer : moves)
      for (const Move &inner : moves)
        if (isOuter(outer, inner))
          order.insert({outer.loop, inner.loop});
  }
  return order;
}

/// Whether a subscript of \p array has loops of \p outputs and others.
bool ArrayResolver::hasWindow(unsigned array,
                              const std::set<Var> &outputs) const {
  auto isWindow = [&](const IndexExpr &e) {
    bool isOfOutputs = false, isOfOthers = false;
    for (Var v : e.vars())
      if (v.kind == Var::Loop)
        (outputs.count(v) ? isOfOutputs : isOfOthers) = true;
    return isOfOutputs && isOfOthers;
  };
  return any_of(statements(nest), [&](const StatementPath &p) {
    return any_of(readsOf(*p.statement), [&](const Operand &o) {
      return o.access.array == array && any_of(o.access.subscripts, isWindow);
    });
  });
}

/// ArrayUsage::channels, as far as other arrays have shapes.
std::set<Var> ArrayResolver::channels() const {
  const std::set<Var> outputs = loopsOfOutputs(nest);
  std::set<Var> result;
  std::map<unsigned, std::set<Var>> used; // by array whose shape is known
  for (const StatementPath &p : statements(nest))
    for (const Operand &o : readsOf(*p.statement)) {
      const Array &a = nest.arrays[o.access.array];
      if (o.access.array != id && !a.isLocal() && !a.extents.empty())
        for (const IndexExpr &e : o.access.subscripts)
          used[o.access.array].merge(e.vars());
    }
  for (const auto &[array, vars] : used)
    if (hasWindow(array, outputs))
      for (Var v : outputs)
        if (!vars.count(v))
          result.insert(v);
  return result;
}

/// ArrayUsage::pitchedRank and pitchedLoops, as far as other arrays have
/// shapes.
void ArrayResolver::findPitches() {
  bool isEach = true;
  for (auto [number, a] : enumerate(nest.arrays)) {
    const size_t rank = a.extents.size() - b.sourceArrays[number].hasFields;
    if (!a.isLocal() && !a.extents.empty() && rank > 1) {
      const std::optional<Var> row = a.extents[rank - 1].asVar();
      isEach &= row && usage.pitches.count(*row);
      usage.pitchedRank = std::max(usage.pitchedRank, rank);
    }
  }
  if (!isEach)
    usage.pitchedRank = 0;
  for (const StatementPath &p : statements(nest)) {
    const Access &a = p.statement->target;
    const std::vector<IndexExpr> &extents = nest.arrays[a.array].extents;
    if (a.array == id || nest.arrays[a.array].isLocal())
      continue;
    for (size_t d = 0; d + 1 < extents.size(); ++d)
      if (std::optional<Var> v = a.subscripts[d].asVar();
          v && usage.isPitch(extents[d + 1]) &&
          any_of(drop_begin(a.subscripts, d + 1),
                 [](const IndexExpr &e) { return e.usesLoops(); }))
        usage.pitchedLoops.insert(*v);
  }
}

void ArrayResolver::findShapes() {
  usage.outputLoops = loopsOfOutputs(nest);
  usage.outputOrder = orderOfOutputs(nest);
  for (unsigned p = 0; p != nest.params.size(); ++p)
    if (!nest.params[p].definition && none_of(loops(nest), [&](const Loop *l) {
          return any_of(l->upper, [&](const Bound &bound) {
            return nest.expandDefinitions(bound.expr).uses(paramVar(p));
          });
        }))
      usage.pitches.insert(paramVar(p));
  usage.isRead = !isWritten;
  usage.fields = b.sourceArrays[id].numbersEach;
  usage.isAssigned = any_of(uses, [](const ArrayUse &u) {
    return u.isWrite && u.statement->op == Statement::Op::Assign;
  });
  // Threads of a kernel write elements of their own, wherever these lie.
  usage.needsRows = isWritten && !nest.function.isKernel;
  std::vector<PlacedAccess> placed;
  for (const ArrayUse &u : uses) {
    placed.push_back({u.access->subscripts, u.domain});
    placed.back() = remainders.taken(std::move(placed.back()));
  }
  for (const Naming &naming : namingsOf(placed, nest))
    append_range(shapes, delinearize(naming.accesses, naming.facts, naming.step,
                                     usage, prover));
}

bool ArrayResolver::waitsForOthers() {
  if (uses.empty() || isWritten || !b.sourceArrays[id].isFlat())
    return false;
  for (const ArrayUse &u : uses)
    if (!isLinearInLoops(u.access->subscripts[0]))
      return false;
  findShapes();
  usage.channels = channels();
  const Delinearized *now = cheapest(shapes, usage, prover);
  usage.channels = usage.outputLoops;
  usage.pitchedRank = SIZE_MAX;
  return now != cheapest(shapes, usage, prover);
}

Error ArrayResolver::flat() {
  if (shapes.empty())
    findShapes();
  if (!isWritten)
    usage.channels = channels();
  usage.pitchedRank = 0;
  findPitches();
  const Delinearized *best = cheapest(shapes, usage, prover);
  if (!best)
    return refuseUse(diag::Negative, uses[0],
                     "a subscript of '" + nest.arrays[id].name +
                         "' cannot be shown not to be negative",
                     remedyForSign(nest, uses));
  if (best->shape.rank() == 1 && usage.needsRows)
    for (const ArrayUse &u : uses)
      if (!u.access->subscripts[0].isAffine())
        return refuseUse(diag::IndexAffine, u,
                         "a subscript of '" + nest.arrays[id].name +
                             "', which is written, is not affine and has no "
                             "dimensions: " +
                             str(nest, u.access->subscripts[0]),
                         "index it as an array with rows and columns");
  std::vector<std::vector<IndexExpr>> subscripts; // outermost first
  for (const std::vector<IndexExpr> &s : best->subscripts) {
    std::vector<IndexExpr> &all = subscripts.emplace_back();
    for (const IndexExpr &e : reverse(s))
      all.push_back(remainders.back(e));
  }
  std::vector<ShapeNeed> needs = best->needs;
  for (ShapeNeed &n : needs)
    n.dimension -= n.dimension != 0 && best->hasFields;
  assume(needs);
  b.sourceArrays[id].hasFields = best->hasFields;
  std::vector<IndexExpr> &extents = nest.arrays[id].extents;
  for (size_t k = best->shape.rank() - 1; k-- > 0;)
    extents.push_back(named(best->shape.extent(k)));
  RETURN_IF_ERROR(outermost(subscripts));
  replace(subscripts);
  return Error::success();
}

Error ArrayResolver::declared() {
  const std::vector<IndexExpr> &inner = b.sourceArrays[id].innerExtents;
  std::vector<PlacedAccess> placed;
  std::vector<std::vector<IndexExpr>> subscripts;
  for (const ArrayUse &u : uses) {
    placed.push_back({u.access->subscripts, u.domain});
    subscripts.push_back(u.access->subscripts);
  }
  auto needs = withinExtents(placed, inner, prover);
  if (!needs)
    return refuseUse(diag::Extent, uses[0],
                     "a subscript of '" + nest.arrays[id].name +
                         "' cannot be shown to stay within its extent",
                     "guard the access");
  assume(*needs);
  nest.arrays[id].extents = inner;
  return outermost(subscripts);
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// True where \p u assigns every element: each subscript is a loop of its own
/// over the whole extent, or the only place, and nothing guards it.
static bool coversAll(const Nest &nest, const ArrayUse &u) {
  const Array &a = nest.arrays[u.access->array];
  if (u.statement->op != Statement::Op::Assign || !u.domain.guards.empty())
    return false;
  std::set<unsigned> seen;
  for (auto [e, extent] : zip(u.access->subscripts, a.extents)) {
    if (e.isZero() && extent == IndexExpr(1))
      continue;
    std::optional<Var> v = e.asVar();
    if (!v || v->kind != Var::Loop || !seen.insert(v->id).second)
      return false;
    auto it =
        find_if(u.domain.loops, [&](const Loop *l) { return l->id == v->id; });
    if (it == u.domain.loops.end())
      return false;
    const Loop &l = **it;
    bool whole = l.lower.size() == 1 && l.lower[0].expr.isZero() &&
                 l.upper.size() == 1 && l.upper[0].divisor == 1 &&
                 nest.expandDefinitions(l.upper[0].expr) ==
                     nest.expandDefinitions(extent);
    if (!whole)
      return false;
  }
  // Loops around that the subscripts do not use may not run at all.
  return all_of(u.domain.loops,
                [&](const Loop *l) { return seen.count(l->id) != 0; });
}

/// Whether \p u, which comes later, touches what \p first, which covers all,
/// has assigned to: in an iteration of the loops around both, the elements of
/// that iteration.
static bool isAfter(const ArrayUse &first, const ArrayUse &u) {
  return all_of(zip(first.access->subscripts, u.access->subscripts),
                [&](const auto &both) {
                  const auto &[assigned, touched] = both;
                  return assigned == touched ||
                         none_of(u.domain.loops, [&](auto *l) {
                           return assigned.uses(loopVar(l->id));
                         });
                });
}

static Array::Role roleOf(const Nest &nest, ArrayRef<ArrayUse> uses) {
  if (none_of(uses, [](const ArrayUse &u) { return u.isWrite; }))
    return Array::Input;
  const ArrayUse &first = uses.front();
  bool overwrites =
      first.isWrite && coversAll(nest, first) &&
      all_of(uses, [&](const ArrayUse &u) { return isAfter(first, u); });
  return overwrites ? Array::Output : Array::InOut;
}

void updateRoles(Nest &nest) {
  for (auto [id, a] : enumerate(nest.arrays))
    if (a.role == Array::InOut)
      a.role = roleOf(nest, usesOf(nest, id));
}

/// Whether each access stands where \p count is not zero.
bool ArrayResolver::isUsedWhereAny(const IndexExpr &count) const {
  return all_of(uses, [&](const ArrayUse &u) {
    return is_contained(u.domain.guards,
                        Constraint{Constraint::NonNegative, count - 1});
  });
}

/// What is touched of a variable of the file, or of a container, is not more
/// than there is.
void ArrayResolver::assumeElements() {
  const Array &a = nest.arrays[id];
  for (const Argument &argument : nest.function.arguments) {
    if (argument.role != Argument::ArrayArg || argument.index != id)
      continue;
    auto size = b.containerSizes.find(argument.container);
    const bool isContainer = size != b.containerSizes.end();
    if (!isContainer && !argument.isGlobalArray())
      continue;
    IndexExpr all = isContainer ? size->second : IndexExpr(argument.elements);
    if (isContainer)
      for (const IndexExpr &e : b.sourceArrays[id].innerExtents)
        all = all * e;
    all = all * IndexExpr(b.sourceArrays[id].numbersEach);
    IndexExpr left = all - (a.footprint.empty() ? wholeOf(nest, a)
                                                : shortest(nest, a.footprint));
    // `if (!bias.empty())`: of none, none is touched.
    if (isContainer && isUsedWhereAny(all))
      left = all * left;
    addAssumption(nest, left,
                  "'" + a.name + "' has " + str(nest, all) + " elements",
                  a.range);
  }
}

Error ArrayResolver::run() {
  if (uses.empty()) {
    // An argument that the nest does not touch.
    nest.arrays[id].extents = b.sourceArrays[id].innerExtents;
    nest.arrays[id].extents.insert(nest.arrays[id].extents.begin(), 0);
    return Error::success();
  }
  RETURN_IF_ERROR(checkAffine());
  bool isFlat = b.sourceArrays[id].isFlat();
  RETURN_IF_ERROR(isFlat ? flat() : declared());
  nest.arrays[id].role = roleOf(nest, usesOf(nest, id));
  assumeElements();
  return Error::success();
}

Error resolveArrays(NestBuilder &b) {
  bool writes = false;
  auto resolve = [&](unsigned id, bool isLast) -> Expected<bool> {
    ArrayResolver resolver(b, id);
    if (!isLast && resolver.waitsForOthers())
      return false;
    RETURN_IF_ERROR(resolver.run());
    writes |= b.nest.arrays[id].role != Array::Input;
    return true;
  };
  std::vector<unsigned> waiting;
  for (unsigned id = 0; id != b.nest.arrays.size(); ++id) {
    if (b.nest.arrays[id].isLocal())
      continue;
    ASSIGN_OR_RETURN(bool isDone, resolve(id, /*isLast=*/false));
    if (!isDone)
      waiting.push_back(id);
  }
  for (unsigned id : waiting)
    RETURN_IF_ERROR(resolve(id, /*isLast=*/true).takeError());
  if (!writes)
    return refuse(diag::NoOutput, "the nest writes no array",
                  b.nest.function.range);
  return Error::success();
}

} // namespace convopt
