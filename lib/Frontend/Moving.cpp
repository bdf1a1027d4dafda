//===- Moving.cpp - Variables that move with a loop -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `s += *p++ * w[k++]`, `row += W`: a pointer or an index that each iteration
/// moves by the same distance is a function of the iterator. While a loop is
/// read, such a variable starts as an unknown; what the body makes of it says
/// how far it moves, and then the unknown is
///
///   start + (iterations before this one) * distance
///
/// in all that was read. After the loop it has moved by all iterations. One
/// that each iteration ends by setting, `q = j` or `odd = (t + 1) % 2`, is what
/// the iteration before has set it to, if that is how it starts, too.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "Resolve.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

using namespace llvm;
using namespace clang;

namespace convopt {

// Unknowns are parameters that no nest has.
static constexpr unsigned firstUnknown = 1u << 25;

static bool isUnknown(Var v) {
  return v.kind == Var::Param && v.id >= firstUnknown;
}

/// What moves of \p b: an index, or the place where a pointer is.
static IndexExpr *movingPart(Binding &b) {
  if (b.kind == Binding::Value)
    return &b.index;
  return b.kind == Binding::Pointer ? &b.place.subscripts.back() : nullptr;
}

static const IndexExpr &movingPart(const Binding &b) {
  return b.kind == Binding::Value ? b.index : b.place.subscripts.back();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::vector<NestBuilder::Moving> NestBuilder::startMoving(const Stmt *loop) {
  std::vector<Moving> all;
  for (const VarDecl *v : VariableUse::assignedIn(loop)) {
    auto it = findVariable(v);
    if (it == scope.end() || it->second.kind == Binding::Local ||
        it->second.kind == Binding::Element ||
        it->second.kind == Binding::Fields)
      continue;
    Moving m;
    m.variable = it->first;
    if (any_of(all, [&](const Moving &o) { return o.variable == m.variable; }))
      continue;
    IndexExpr *part = movingPart(it->second);
    if (!part) {
      it->second = Binding();
      continue;
    }
    m.start = it->second;
    m.unknown = paramVar(firstUnknown + unknowns++);
    *part = IndexExpr::of(m.unknown);
    it->second.divided.clear();
    all.push_back(std::move(m));
  }
  return all;
}

void NestBuilder::noteUnknown(const IndexExpr &e, clang::SourceRange at) {
  for (Var v : e.vars())
    if (isUnknown(v))
      unknownUses.try_emplace(v.id, at);
}

/// The iterations of \p l, where these are not less than none; nothing where
/// there are several bounds.
static std::optional<IndexExpr> iterations(const Loop &l) {
  if (l.lower.size() != 1 || l.upper.size() != 1 || l.lower[0].divisor != 1)
    return std::nullopt;
  const Bound &end = l.upper[0];
  IndexExpr distance = end.expr - IndexExpr(end.divisor) * l.lower[0].expr;
  return end.divisor == 1
             ? distance
             : IndexExpr::floorDiv(distance + (end.divisor - 1), end.divisor);
}

/// What the variable of \p m is after an iteration, if that is in the array
/// that it starts in.
const IndexExpr *NestBuilder::valueAtEnd(const Moving &m) {
  Binding &now = scope[m.variable];
  IndexExpr *part = now.kind == m.start.kind ? movingPart(now) : nullptr;
  const bool staysInArray =
      part && (now.kind == Binding::Value ||
               (now.place.array == m.start.place.array &&
                ArrayRef(now.place.subscripts).drop_back() ==
                    ArrayRef(m.start.place.subscripts).drop_back()));
  return staysInArray ? part : nullptr;
}

/// What each iteration of \p loop, whose body was read, ends by setting the
/// variable of \p m to, over those that \p all do not move; nothing where it
/// starts as something else than the iteration before the first would leave.
std::optional<IndexExpr> NestBuilder::setByEach(const Moving &m,
                                                ArrayRef<Moving> all,
                                                const Loop &loop) {
  const IndexExpr *end = valueAtEnd(m);
  if (!end || isChosen(*end) || loop.lower.size() != 1 ||
      loop.lower[0].divisor != 1 ||
      any_of(all, [&](const Moving &o) { return end->uses(o.unknown); }) ||
      end->substitute(loopVar(loop.id), loop.lower[0].expr - 1) !=
          movingPart(m.start))
    return std::nullopt;
  return *end;
}

/// How far an iteration of \p loop, whose body was read, moves the variable of
/// \p m; nothing where iterations differ in that.
std::optional<IndexExpr> NestBuilder::distanceOf(const Moving &m,
                                                 const Loop &loop) {
  const IndexExpr *end = valueAtEnd(m);
  if (!end)
    return std::nullopt;
  IndexExpr distance = *end - IndexExpr::of(m.unknown);
  return distance.uses(loopVar(loop.id)) || isChosen(distance) ||
                 any_of(distance.vars(), isUnknown)
             ? std::nullopt
             : std::make_optional(distance);
}

/// What \p start is after \p loop, each iteration of which moves it by \p
/// distance: a value, where there are as many as the one bound says.
Binding NestBuilder::movedBy(Binding start, const IndexExpr &distance,
                             const Loop &loop, const ValueDecl *v) const {
  const std::optional<IndexExpr> count = iterations(loop);
  if (!count)
    return Binding();
  *movingPart(start) += *count * distance;
  Obligation runs;
  runs.expr = *count;
  runs.why = "the loop that moves '" + v->getNameAsString() +
             "' does not end before it starts";
  runs.where = loop.range;
  start.divided.push_back(std::move(runs));
  return start;
}

/// The option for the first loops in \p loop, which changes pointer \p m, as
/// one that is swapped with another after each step in time.
std::string NestBuilder::loopsWithin(const Moving &m, const Loop &loop) const {
  const auto inner = select<Loop>(loop.body);
  if (!m.variable->getType()->isPointerType() || inner.empty())
    return "";
  return "; -function=" + nest.function.name + ":" +
         std::to_string((*inner.begin())->range.line) +
         " takes the loops within";
}

/// Whether pointer \p m is in another array after an iteration, as one that is
/// swapped.
bool NestBuilder::leadsElsewhere(const Moving &m) {
  const Binding &now = scope[m.variable];
  return m.start.kind == Binding::Pointer && now.kind == Binding::Pointer &&
         now.place.array != m.start.place.array;
}

bool NestBuilder::finishMoving(const std::vector<Moving> &all, Loop &loop) {
  std::map<Var, IndexExpr> values;
  for (const Moving &m : all) {
    const std::optional<IndexExpr> distance = distanceOf(m, loop);
    const bool stays = distance && distance->isZero();
    auto use = unknownUses.find(m.unknown.id);
    const std::optional<IndexExpr> set = !distance && use != unknownUses.end()
                                             ? setByEach(m, all, loop)
                                             : std::nullopt;
    if (use != unknownUses.end()) {
      if (!set && (!distance || (!stays && loop.lower.size() != 1)))
        return fail(
            diag::Moving, use->second,
            "'" + m.variable->getNameAsString() +
                "' changes from iteration to iteration",
            (leadsElsewhere(m)
                 ? std::string(diag::TakeTurns)
                 : std::string("compute it from the loops' iterators, "
                               "or move it by the same distance in each "
                               "iteration")) +
                loopsWithin(m, loop));
      noteUnknown(movingPart(m.start), use->second);
      for (const Obligation &o : m.start.divided)
        oblige(o);
      for (const Obligation &o : scope[m.variable].divided)
        oblige(o);
    }
    Binding after;
    if (set)
      values[m.unknown] =
          set->substitute(loopVar(loop.id), IndexExpr::loop(loop.id) - 1);
    if (distance) {
      after = m.start;
      append_range(after.divided, scope[m.variable].divided);
      IndexExpr &part = *movingPart(after);
      values[m.unknown] =
          stays ? part
                : part + (IndexExpr::loop(loop.id) - loop.lower[0].expr) *
                             *distance;
      if (!stays)
        after = movedBy(std::move(after), *distance, loop, m.variable);
    }
    scope[m.variable] = std::move(after);
  }
  if (!values.empty())
    replaceUnknowns(values, loop);
  return true;
}

/// Puts \p values in all that was read of \p loop.
void NestBuilder::replaceUnknowns(const std::map<Var, IndexExpr> &values,
                                  Loop &loop) {
  auto known = [&](const IndexExpr &e) {
    return e.substitute([&](Var v) -> std::optional<IndexExpr> {
      auto it = values.find(v);
      return it == values.end() ? std::nullopt : std::optional(it->second);
    });
  };
  auto replace = [&](Obligation &o) {
    o.expr = known(o.expr);
    if (o.remainder)
      o.remainder = known(*o.remainder);
    for (Constraint &c : o.guards)
      c.expr = known(c.expr);
    for (const auto &l : o.loops)
      for (auto *bounds : {&l->lower, &l->upper})
        for (Bound &b : *bounds)
          b.expr = known(b.expr);
  };
  loop.body = mapExpressions(loop.body, known);
  for (Array &a : nest.arrays)
    for (IndexExpr &e : a.extents)
      e = known(e);
  for_each(obligations, replace);
  for (auto &[v, b] : scope)
    for_each(b.divided, replace);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool NestBuilder::move(const VarDecl *v, const IndexExpr &by,
                       clang::SourceRange where) {
  if (!mayChange(v, where))
    return false;
  auto it = scope.find(v);
  IndexExpr *part = it == scope.end() ? nullptr : movingPart(it->second);
  if (!part)
    return fail(diag::Moving, where,
                "'" + v->getNameAsString() +
                    "' is moved, but has no known value here",
                "set it in the same loop, or move it without a condition");
  const std::optional<RecordElements> records =
      v->getType()->isPointerType()
          ? recordElements(v->getType()->getPointeeType())
          : std::nullopt;
  if (!records && it->second.kind == Binding::Pointer &&
      isView(v->getType()->getPointeeType(), it->second.place.array))
    return fail(diag::PointerCast, where,
                "pointer '" + v->getNameAsString() +
                    "' moves by other steps than elements of its array",
                "add to a pointer of the array's type");
  const bool areFlat = records && sourceArrays[it->second.place.array].isFlat();
  *part += areFlat ? by * IndexExpr(records->count) : by;
  if (isNarrow(v->getType())) {
    noteUnknown(*part, where);
    obligeFits(*part, v->getType(), where);
  }
  return true;
}

bool NestBuilder::isMoving(const ValueDecl *d) const {
  const auto *v = dyn_cast_or_null<VarDecl>(d);
  if (!v || v->hasGlobalStorage())
    return false;
  QualType type = v->getType();
  return type->isPointerType() ||
         (type->isIntegerType() && !type->isBooleanType() && !use.holdsData(v));
}

/// 1 for `v++` and `++v`, -1 for `v--` and `--v`.
static int stepOf(const UnaryOperator *u) {
  return u->isIncrementOp() ? 1 : -1;
}

namespace {

/// The steps within an expression, and how often it mentions variables.
class Steps : public DynamicRecursiveASTVisitor {
public:
  std::vector<const UnaryOperator *> all;
  std::set<const UnaryOperator *> conditional;
  std::vector<const Expr *> names;

  bool VisitUnaryOperator(UnaryOperator *u) override {
    if (u->isIncrementDecrementOp() && !isOfCall(u->getSubExpr())) {
      all.push_back(u);
      if (conditions)
        conditional.insert(u);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    names.push_back(ref);
    return true;
  }
  bool TraverseConditionalOperator(ConditionalOperator *c) override {
    return TraverseStmt(c->getCond()) && maybe(c->getTrueExpr()) &&
           maybe(c->getFalseExpr());
  }
  bool TraverseBinaryOperator(BinaryOperator *b) override {
    return b->isLogicalOp()
               ? TraverseStmt(b->getLHS()) && maybe(b->getRHS())
               : DynamicRecursiveASTVisitor::TraverseBinaryOperator(b);
  }
  // What is not evaluated, or not here.
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) override {
    return true;
  }
  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  // A lambda mentions the variables of around.
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    return !callee || !isLambda(callee) || !entered.insert(callee).second ||
           maybe(callee->getBody());
  }

private:
  /// Whether \p e is a variable of a lambda that is called, whose own
  /// statements move it.
  bool isOfCall(const Expr *e) const {
    const VarDecl *d = namedVariable(e);
    return d && any_of(entered, [&](const FunctionDecl *f) {
             return d->getDeclContext() == f;
           });
  }
  bool maybe(Stmt *s) {
    ++conditions;
    bool goesOn = TraverseStmt(s);
    --conditions;
    return goesOn;
  }

  unsigned conditions = 0;
  std::set<const FunctionDecl *> entered;
};

} // namespace

std::optional<IndexExpr> NestBuilder::offsetWithin(const Expr *e) const {
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (!u || !steps.count(u))
    return std::nullopt;
  return IndexExpr(u->isPrefix() ? stepOf(u) : 0);
}

/// C leaves open when a step within an expression happens, so what it moves is
/// not used elsewhere in it.
bool NestBuilder::readWithSteps(const Expr *full, function_ref<bool()> read) {
  Steps found;
  found.TraverseStmt(const_cast<Expr *>(full));
  std::vector<std::pair<const VarDecl *, const UnaryOperator *>> moves;
  for (const UnaryOperator *u : found.all) {
    const ValueDecl *d = named(u->getSubExpr());
    if (!isMoving(d))
      continue;
    const bool isConditional = found.conditional.count(u);
    const bool isAlone = count_if(found.names, [&](const Expr *name) {
                           return named(name) == d;
                         }) == 1;
    if (isConditional || !isAlone)
      return fail(diag::Moving, u->getSourceRange(),
                  "'" + d->getNameAsString() +
                      (isConditional ? "' is moved under a condition"
                                     : "' is moved where it is used twice"),
                  "move it in a statement of its own");
    moves.emplace_back(cast<VarDecl>(d), u);
    steps.insert(u);
  }
  bool good = read();
  for (auto [v, u] : moves) {
    steps.erase(u);
    good = good && move(v, stepOf(u), u->getSourceRange());
  }
  return good;
}

bool NestBuilder::isWithinDepth(clang::SourceRange loop) {
  return open.size() < MaxLoopDepth ||
         fail(diag::TooLarge, loop,
              "this loop is within too many loops and conditions",
              "a nest has up to " + std::to_string(MaxLoopDepth) +
                  " of them around a statement");
}

bool NestBuilder::withinLoop(const std::shared_ptr<Loop> &loop,
                             const std::vector<Moving> &moving,
                             function_ref<bool()> lowerBody) {
  auto outer = scope;
  open.push_back(loop);
  const SaveAndRestore outerTail(tail, true);
  const SaveAndRestore around(current, &loop->body);
  const bool good = lowerBody() && finishMoving(moving, *loop);
  open.pop_back();
  for (const Moving &m : moving)
    outer[m.variable] = scope[m.variable];
  scope = std::move(outer);
  return good;
}

} // namespace convopt
