//===- StrideLoops.cpp - Loops whose iterations threads share -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x
/// * gridDim.x)`, or the same by `while`: each i below n is in one thread, and
/// there once, however many threads there are. So the loop is `if (i < n)` for
/// an i that is the index of a thread. Over the threads of a block, and over
/// the blocks of the grid, it is the same; `i += 256` is that of blocks of 256.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "Launches.h"
#include "Resolve.h"
#include "convopt/Target/Gpu.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// How many threads there are along \p d.
static IndexExpr threadsAlong(const ThreadDigit &d) {
  return (d.thread ? d.width : IndexExpr(1)) *
         (d.block ? hardware::index(hardware::GridDim, *d.block)
                  : IndexExpr(1));
}

/// Whether steps of \p by make the threads of \p d share all iterations. Of the
/// threads of one block the step may be a number: blocks have as many then.
static bool isSharedBy(const ThreadDigit &d, const IndexExpr &by, Function &f) {
  if (d.rows)
    return false;
  if (by == threadsAlong(d))
    return true;
  const int64_t width = by.asConstant().value_or(0);
  if (d.block || width < 1 || width > MaxThreadsPerBlock)
    return false;
  const unsigned k = *d.thread;
  if (f.blockExact[k] && f.block[k] != by)
    return false;
  f.block[k] = by;
  f.blockExact[k] = true;
  return true;
}

/// Whether \p v is a hardware index that \p d is made of.
static bool isPartOf(Var v, const ThreadDigit &d) {
  auto h = hardware::parse(v);
  return h && ((h->first == hardware::ThreadIdx && d.thread == h->second) ||
               (h->first == hardware::BlockIdx && d.block == h->second));
}

/// \p e with those constants of the template in place that all launches of the
/// kernel in the file agree on.
IndexExpr NestBuilder::asLaunched(IndexExpr e) const {
  const FunctionTemplateDecl *t = function->getDescribedFunctionTemplate();
  if (!t)
    return e;
  for (auto [k, p] : enumerate(*t->getTemplateParameters())) {
    const auto *constant = dyn_cast<NonTypeTemplateParmDecl>(p);
    auto it = constant ? scope.find(constant) : scope.end();
    if (it == scope.end() || !e.uses(*it->second.index.asVar()))
      continue;
    if (std::optional<int64_t> value = launchedConstant(ast, function, k))
      e = e.substitute(*it->second.index.asVar(), *value);
  }
  return e;
}

/// \p e as blocks and threads compute it. What is the index of an output where
/// blocks are as wide as launches say, is that under this assumption.
std::optional<IndexExpr> NestBuilder::threadIndex(const Expr *e) {
  auto value = attempt([&] {
    const SaveAndRestore outer(threadMode, true);
    return index(e);
  });
  if (!value || !hardware::isIn(*value))
    return value;
  value = hardware::withRows(*value);
  if (parseDigit(*value))
    return value;
  const IndexExpr launched = asLaunched(*value);
  if (!parseDigit(launched))
    return value;
  for (Var v : value->vars())
    if (IndexExpr p = IndexExpr::of(v); !launched.uses(v))
      for (const IndexExpr &fact : {p - asLaunched(p), asLaunched(p) - p})
        addAssumption(nest, fact,
                      "'" + nest.name(v) + "' is the width of a block",
                      range(e->getSourceRange()));
  return launched;
}

/// What \p step adds to \p v.
static const Expr *addedTo(const VarDecl *v, const Expr *step) {
  const auto *b = dyn_cast<BinaryOperator>(step->IgnoreParens());
  if (!b || namedVariable(b->getLHS()) != v)
    return nullptr;
  if (b->getOpcode() == BO_AddAssign)
    return b->getRHS();
  const auto *sum =
      b->getOpcode() == BO_Assign
          ? dyn_cast<BinaryOperator>(b->getRHS()->IgnoreParenImpCasts())
          : nullptr;
  if (!sum || sum->getOpcode() != BO_Add)
    return nullptr;
  return namedVariable(sum->getLHS()) == v   ? sum->getRHS()
         : namedVariable(sum->getRHS()) == v ? sum->getLHS()
                                             : nullptr;
}

/// Whether the loop \p s of \p own sets a variable of around, such as a sum
/// that its threads share as well.
static bool setsOthers(const Stmt *s, const VarDecl *own) {
  const SourceManager &sm = own->getASTContext().getSourceManager();
  return any_of(VariableUse::assignedIn(s), [&](const ValueDecl *v) {
    return v != own &&
           sm.isBeforeInTranslationUnit(v->getLocation(), s->getBeginLoc());
  });
}

/// `for (init; cond; v += by)`, and `while (cond) { ...; v += by; }`.
std::optional<NestBuilder::Stride> NestBuilder::strideOf(const Stmt *s) {
  if (!nest.function.isKernel || !atTop())
    return std::nullopt;
  Stride result;
  const Expr *step = nullptr;
  if (const auto *f = dyn_cast<ForStmt>(s)) {
    step = f->getInc();
    result.condition = f->getCond();
    const auto *d = dyn_cast_or_null<DeclStmt>(f->getInit());
    const auto *set = dyn_cast_or_null<BinaryOperator>(f->getInit());
    if (d && d->isSingleDecl() && isa<VarDecl>(d->getSingleDecl())) {
      result.variable = cast<VarDecl>(d->getSingleDecl());
      result.start = result.variable->getInit();
    } else if (set && set->getOpcode() == BO_Assign) {
      result.variable = namedVariable(set->getLHS());
      result.start = set->getRHS();
    } else if (step && !f->getInit()) {
      result.variable = steppedVariable(step);
    }
    if (f->getConditionVariable() || (f->getInit() && !result.start))
      return std::nullopt;
    result.body = statementsOf(f->getBody());
  } else if (const auto *w = dyn_cast<WhileStmt>(s)) {
    const auto *body = dyn_cast<CompoundStmt>(w->getBody());
    step = body && !body->body_empty() ? dyn_cast<Expr>(body->body_back())
                                       : nullptr;
    result.condition = w->getCond();
    result.variable = step ? steppedVariable(step) : nullptr;
    if (result.variable && !w->getConditionVariable())
      result.body = SmallVector<const Stmt *>(drop_end(body->body()));
  }
  if (!step || !result.condition || !result.variable)
    return std::nullopt;
  result.by = addedTo(result.variable, step);
  auto by = result.by ? threadIndex(result.by) : std::nullopt;
  if (by && by->isConstant() && result.start) {
    auto start = threadIndex(result.start);
    std::optional<ThreadDigit> d = start ? parseDigit(*start) : std::nullopt;
    if (d && !d->block && !setsOthers(s, result.variable))
      return result;
  }
  return by && hardware::isIn(*by) ? std::optional(result) : std::nullopt;
}

/// What was computed of \p d before keeps its value while the loop goes on.
void NestBuilder::forgetThreads(const ThreadDigit &d) {
  auto isOld = [&](const IndexExpr &e) {
    return any_of(e.vars(), [&](Var v) {
      return isPartOf(v, d) ||
             any_of(threads.variables, [&](const ThreadVariable &t) {
               return t.loop && v == loopVar(t.loop->id) &&
                      any_of(t.value.vars(),
                             [&](Var h) { return isPartOf(h, d); });
             });
    });
  };
  auto isOldPiece = [&](const Pieces &all) {
    return any_of(all, [&](const Conjunction &c) {
      return any_of(c, [&](const Constraint &one) { return isOld(one.expr); });
    });
  };
  for (auto &[v, b] : scope)
    if (isOld(b.index) || any_of(b.several, isOld) || isOldPiece(b.pieces) ||
        isOldPiece(b.otherwise) || any_of(b.place.subscripts, isOld) ||
        any_of(b.operands, [&](const Operand &o) { return isOld(o.index); }) ||
        (b.kind == Binding::Thread &&
         any_of(threads.variables[b.number].value.vars(),
                [&](Var h) { return isPartOf(h, d); })))
      b = Binding();
}

bool NestBuilder::strideLoop(const Stride &l) {
  const VarDecl *v = l.variable;
  const std::string name = "'" + v->getNameAsString() + "'";
  const clang::SourceRange where = l.condition->getSourceRange();
  const Binding *thread = bound(v, Binding::Thread);
  std::optional<IndexExpr> start =
      l.start  ? threadIndex(l.start)
      : thread ? std::optional(threads.variables[thread->number].value)
               : std::nullopt;
  std::optional<ThreadDigit> d = start ? parseDigit(*start) : std::nullopt;
  const bool isWhole = d && !d->modulus && d->divisor == IndexExpr(1);
  // What else it asks would end the loop where it does not hold.
  const auto *test =
      dyn_cast<BinaryOperator>(l.condition->IgnoreParenImpCasts());
  if (!isWhole ||
      !isSharedBy(*d, asLaunched(*threadIndex(l.by)), nest.function))
    return fail(diag::ThreadLoop, where,
                "the threads do not share the iterations of loop " + name,
                "start at 'blockIdx.x * blockDim.x + threadIdx.x' and step by "
                "'blockDim.x * gridDim.x'");
  if (!test || !test->isRelationalOp())
    return fail(diag::ThreadLoop, where,
                "the condition of loop " + name +
                    " does not compare it with a bound alone",
                "write '" + v->getNameAsString() + " < n'");
  if (isNarrow(v->getType()) || use.isAddressTaken(v) || v->isImplicit() ||
      any_of(l.body, [&](const Stmt *s) {
        return VariableUse::assignedIn(s).count(v) != 0;
      }))
    return fail(diag::ThreadLoop, where,
                "iterator " + name + " is narrow or changed in the loop",
                "use an int that only the loop changes");
  for (const ThreadVariable &t : threads.variables)
    if (t.loop && !t.loop->upper.empty() &&
        any_of(t.value.vars(), [&](Var h) { return isPartOf(h, *d); }))
      return fail(diag::ThreadLoop, where,
                  "the threads that share loop " + name +
                      " are not all of them: '" + t.name +
                      "' is checked before",
                  "check only the bound of the loop");
  auto before = scope;
  const SaveAndRestore outer(sharing);
  forgetThreads(*d);
  bindThreadValue(v, *start);
  threads.variables[scope[v].number].isShared = true;
  sharing.push_back(*d);
  std::optional<Pieces> runs = pieces(l.condition, /*negated=*/false);
  const SaveAndRestore outerTail(tail, true);
  const SaveAndRestore outerStores(storesFollow, false);
  const SaveAndRestore outerLoops(sharedIn, unsigned(calls.size() + 1));
  bool good = runs && branch(
                          *runs, [&] { return list(l.body); }, where);
  scope = std::move(before);
  scope[v] = Binding();
  for (const Stmt *s : l.body)
    forgetAssigned(s);
  afterGuard = true;
  if (good && !isBounded(*start))
    return fail(diag::ThreadLoop, where,
                "the end of loop " + name + " is not a bound of it",
                "compare it with the number of outputs");
  return good;
}

/// Whether a guard ends the loop of the threads whose index is \p value.
bool NestBuilder::isBounded(const IndexExpr &value) const {
  return any_of(threads.variables, [&](const ThreadVariable &t) {
    return t.value == value && t.loop && !t.loop->upper.empty();
  });
}

/// Whether \p kind and \p dimension stay the same in a loop whose iterations
/// threads share.
bool NestBuilder::isShared(hardware::Kind kind, unsigned dimension) const {
  const Var v = *hardware::index(kind, dimension).asVar();
  return any_of(sharing, [&](const ThreadDigit &d) { return isPartOf(v, d); });
}

} // namespace convopt
