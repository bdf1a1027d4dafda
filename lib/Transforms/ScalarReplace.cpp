//===- ScalarReplace.cpp - Sum in a register -----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for x in 0 .. W {            for x in 0 .. W {
//     S0: out[x] = 0.0f            local out_sum
//     for n in 0 .. N {            S0: out_sum = 0.0f
//       S1: out[x] += ...          for n in 0 .. N {
//     }                              S1: out_sum += ...
//   }                              }
//                                  S2: out[x] = out_sum
//                                }
//
// Without S0 the local starts with `out_sum = out[x]`. Where the sum's loops
// have no iteration for some x, that and S2 are for the others alone.
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/ScalarReplace.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

namespace {

/// Replacement around one reduction.
class Replacement {
public:
  Replacement(const Nest &nest, unsigned array, const StatementPath &reduction)
      : nest(nest), array(array), reduction(*reduction.statement),
        enclosing(reduction.enclosing), result(nest) {}

  Expected<Nest> run() {
    RETURN_IF_ERROR(findHome());
    RETURN_IF_ERROR(checkAccesses());
    addLocal();
    Body changed = rewriteHome();
    if (enclosing.empty()) {
      result.body = std::move(changed);
      return result;
    }
    const NodeRef &home = enclosing.back();
    result.body =
        rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
          if (n != home)
            return std::nullopt;
          return Body{withBody(*n, changed)};
        });
    return result;
  }

private:
  bool dependsOn(const Node &n) const {
    const auto *l = dyn_cast<Loop>(&n);
    return l && uses(reduction.target, l->id);
  }

  /// Leaves in `enclosing` what the element depends on: loops that it does not
  /// use are left, up to a guard, behind which it may not exist, unless it is
  /// assigned to before.
  Error findHome() {
    const std::vector<NodeRef> all = enclosing;
    while (!enclosing.empty() && !dependsOn(*enclosing.back()))
      enclosing.pop_back();
    auto first = find_if(homeBody(),
                         [&](const NodeRef &n) { return touches({n}, array); });
    if (!assigns(*first)) {
      enclosing = all;
      while (!enclosing.empty() && isa<Loop>(enclosing.back().get()) &&
             !dependsOn(*enclosing.back()))
        enclosing.pop_back();
    }
    sumLoops.assign(all.begin() + enclosing.size(), all.end());
    if (enclosing.size() != all.size())
      return Error::success();
    return refuse("structure",
                  "'" + nest.arrays[array].name +
                      "' is not summed over a loop at S" +
                      std::to_string(reduction.id),
                  reduction.range,
                  "scalar-replace an array that a reduction loop adds into");
  }

  const Body &homeBody() const {
    if (enclosing.empty())
      return nest.body;
    return *bodyOf(*enclosing.back());
  }

  Error checkAccesses() {
    for (const Statement *s : collect<Statement>(homeBody()))
      for (const Access *a : accessesOf(*s))
        if (a->array == array && a->subscripts != reduction.target.subscripts)
          return refuse("structure",
                        "within the sum into " + str(nest, reduction.target) +
                            ", S" + std::to_string(s->id) + " touches " +
                            str(nest, *a),
                        s->range, "leave the sum in the array");
    return Error::success();
  }

  void addLocal() {
    const Array &a = nest.arrays[array];
    auto isTaken = [&](const std::string &name) {
      return nest.hasName(name) ||
             any_of(nest.function.arguments,
                    [&](const Argument &a) { return a.name == name; });
    };
    std::string base = a.name + "_sum", name = base;
    for (unsigned n = 2; isTaken(name); ++n)
      name = base + "_" + std::to_string(n);
    Array local;
    local.name = name;
    local.elementType = a.elementType;
    local.role = Array::LocalArray;
    local.range = a.range;
    result.arrays.push_back(local);
    sum.array = result.arrays.size() - 1;
    for (const StatementPath &p : statements(nest))
      nextStatement = std::max(nextStatement, p.statement->id + 1);
  }

  /// `target = source`, for every iteration of the loops around the sum.
  NodeRef copy(const Access &target, const Access &source) {
    auto s = std::make_shared<Statement>(nextStatement++, reduction.range);
    s->target = target;
    s->text = "$0";
    s->operands = {{Operand::Read, source}};
    for (const Loop *l : select<Loop>(enclosing)) {
      s->iterators.push_back(l->id);
      s->instance.push_back(IndexExpr::loop(l->id));
    }
    return s;
  }

  /// True where \p n is an assignment to the element.
  bool assigns(const NodeRef &n) const {
    const auto *s = dyn_cast<Statement>(n.get());
    return s && s->op == Statement::Op::Assign && s->target.array == array &&
           s->target.subscripts == reduction.target.subscripts;
  }

  /// True where \p n gives the element a first value without reading it.
  bool initialises(const NodeRef &n) const {
    const auto *s = dyn_cast<Statement>(n.get());
    return s && s->op == Statement::Op::Assign && s->target.array == array &&
           !reads(*s, array);
  }

  /// What loops around the sum say of its own having iterations: of an element
  /// without a term nothing may be touched, as it need not exist.
  std::vector<Constraint> sumRuns() const {
    ArrayRef<NodeRef> path = sumLoops;
    auto isOuter = [&](Var v) {
      return none_of(select<Loop>(path),
                     [&](const Loop *l) { return v == loopVar(l->id); });
    };
    std::vector<Constraint> all;
    for (const Loop *l : select<Loop>(path)) {
      for (const Bound &first : l->lower)
        for (const Bound &end : l->upper) {
          const IndexExpr room =
              end.expr - IndexExpr(end.divisor) * first.expr - 1;
          if (first.divisor == 1 && room.usesLoops() &&
              all_of(room.vars(), isOuter))
            all.push_back({Constraint::NonNegative, room});
        }
    }
    const std::vector<const Loop *> loops = loopsAmong(enclosing);
    erase_if(all, [&](const Constraint &c) {
      return isProvablyNonNegative(nest, c.expr, loops) ||
             any_of(select<Guard>(enclosing), [&](const Guard *g) {
               return is_contained(g->conditions, c);
             });
    });
    return all;
  }

  static NodeRef under(const std::vector<Constraint> &conditions, NodeRef n) {
    if (conditions.empty())
      return n;
    auto guard = std::make_shared<Guard>(n->range);
    guard->conditions = conditions;
    guard->body = {std::move(n)};
    return guard;
  }

  Body rewriteHome() {
    const Body &old = homeBody();
    auto isTouching = [&](const NodeRef &n) { return touches({n}, array); };
    auto first = find_if(old, isTouching);
    auto last = std::find_if(old.rbegin(), old.rend(), isTouching).base();

    Body changed(old.begin(), first);
    changed.push_back(std::make_shared<Local>(sum.array, reduction.range));
    const bool isOnly = std::next(first) == last && !assigns(*first);
    const std::vector<Constraint> asked =
        isOnly ? sumRuns() : std::vector<Constraint>();
    if (!initialises(*first))
      changed.push_back(under(asked, copy(sum, reduction.target)));
    append_range(changed, replaceAccesses(Body(first, last)));
    changed.push_back(under(asked, copy(reduction.target, sum)));
    changed.insert(changed.end(), last, old.end());
    return changed;
  }

  Body replaceAccesses(const Body &body) {
    return rewriteEach<Statement>(
        body, [&](const Statement *s) -> std::optional<Body> {
          return Body{mapAccesses(*s, [&](Access &a) {
            if (a.array == array)
              a = sum;
          })};
        });
  }

  const Nest &nest;
  unsigned array;
  const Statement &reduction;
  std::vector<NodeRef> enclosing, sumLoops; // around the home, and within it
  Nest result;
  Access sum;
  unsigned nextStatement = 0;
};

} // namespace

/// The first that is made of its old value; of assignments, `y[x] = fmaxf(y[x],
/// ...)`, only one that a loop repeats.
static std::optional<StatementPath> firstReduction(const Nest &nest,
                                                   unsigned array) {
  auto isRepeated = [](const StatementPath &p) {
    const std::vector<const Loop *> around = loopsAmong(p.enclosing);
    return !around.empty() && !uses(p.statement->target, around.back()->id);
  };
  for (StatementPath &p : statements(nest))
    if (p.statement->target.array == array && p.statement->accumulates() &&
        (p.statement->isReduction() || isRepeated(p)))
      return std::move(p);
  return std::nullopt;
}

bool isSummedInMemory(const Nest &nest, unsigned array) {
  return !nest.arrays[array].isLocal() && firstReduction(nest, array);
}

Expected<Nest> scalarReplace(const Nest &nest, unsigned array) {
  const Array &a = nest.arrays[array];
  std::optional<StatementPath> reduction = firstReduction(nest, array);
  if (a.isLocal() || !reduction)
    return refuse("structure",
                  "no statement adds into an element of '" + a.name +
                      "' in memory",
                  a.range, "name an array that a reduction adds into");
  Nest current = nest;
  // Each sum gets a local of its own.
  for (; reduction; reduction = firstReduction(current, array)) {
    if (!isOriginal(*reduction->statement))
      return refuse("structure",
                    "scalar-replace of '" + a.name +
                        "' comes after other steps",
                    a.range, "make it the first step of the schedule");
    ASSIGN_OR_RETURN(Nest next, Replacement(current, array, *reduction).run());
    current = std::move(next);
  }
  return current;
}

const Pass scalarReplacePass{
    "scalar-replace", "ARRAY", "Sum into this array in a register",
    bindTo<scalarReplace, Word::Array>, Pass::Effect::Statements};

} // namespace convopt
