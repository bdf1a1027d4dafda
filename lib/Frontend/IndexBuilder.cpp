//===- IndexBuilder.cpp - Integer expressions as polynomials --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Index arithmetic is taken as arithmetic in Z. Signed overflow is undefined,
/// unsigned sums and products agree modulo 2^n; where C looks at the value
/// itself (comparison, division, a conversion to a wider type) an unsigned
/// value, or the numerator of a division, must not be negative: an obligation.
/// So must what becomes a value of a type that is narrower than int be one.
///
//===----------------------------------------------------------------------===//

#include "Diagnostics.h"
#include "ForEach.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "ThreadSums.h"

using namespace llvm;
using namespace clang;

namespace convopt {

using Maybe = std::optional<IndexExpr>;

// No real subscript comes near; without it a product of sums takes all memory.
static constexpr size_t maxTerms = 1024;

bool NestBuilder::isPlainInteger(QualType type, clang::SourceRange where) {
  if (type->isDependentType())
    return fail(diag::IndexType, where,
                "an index has a type that is a template parameter", "use int");
  if (!type->isIntegralOrEnumerationType() || type->isBooleanType())
    return fail(diag::IndexType, where,
                "an index is of type '" + spelling(type) + "'", "use int");
  return true;
}

Maybe NestBuilder::constant(const Expr *e) const {
  if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType())
    return std::nullopt;
  Expr::EvalResult result;
  if (!e->EvaluateAsInt(result, ast) || result.HasSideEffects ||
      result.Val.getInt().getSignificantBits() > 63)
    return std::nullopt;
  return IndexExpr(result.Val.getInt().getExtValue());
}

/// Whether \p d is set to a number that is no integer and no data, as in
/// `int y0 = (int)(y * scale);`.
static bool isRounded(const ValueDecl *d) {
  const auto *v = dyn_cast<VarDecl>(d);
  const Expr *value = v ? v->getInit() : nullptr;
  for (value = value ? value->IgnoreParens() : value; value;) {
    const auto *cast = dyn_cast<CastExpr>(value);
    if (!cast)
      return false;
    if (cast->getCastKind() == CK_FloatingToIntegral)
      return !readsElement(cast->getSubExpr());
    value = cast->getSubExpr()->IgnoreParens();
  }
  return false;
}

/// What to do where \p d is set by elements of arrays that are lists of
/// numbers, which others may write.
static std::string constantTables(const ValueDecl *d) {
  std::string names;
  const auto *v = dyn_cast<VarDecl>(d);
  if (v && v->getInit())
    forEach<ArraySubscriptExpr>(v->getInit(), [&](const auto *s) {
      const VarDecl *table = namedVariable(s->getBase());
      if (table && table->hasGlobalStorage() && table->getInit() &&
          table->getType()->isConstantArrayType())
        names +=
            (names.empty() ? "'" : " and '") + table->getNameAsString() + "'";
    });
  return names.empty() ? "" : "declare " + names + " const";
}

/// Refuses \p ref, a name of \p d that holds data.
void NestBuilder::refuseData(const ValueDecl *d, const Expr *ref) {
  const std::string name = "'" + d->getNameAsString() + "'";
  if (isRounded(d))
    fail(diag::IndexType, ref->getSourceRange(),
         "an index is computed in floating point, and may be rounded: " + name,
         "use integers: n / d for a quotient that is rounded down");
  else
    fail(diag::IndexData, ref->getSourceRange(),
         "an index depends on data: " + name, constantTables(d));
}

Maybe NestBuilder::indexOfName(const ValueDecl *d, const Expr *ref) {
  std::string name = d->getNameAsString();
  auto it = scope.find(d);
  if (it == scope.end()) {
    if (Maybe c = constant(ref))
      return c;
    const auto *v = dyn_cast<VarDecl>(d);
    if (v && use.holdsData(v))
      refuseData(d, ref);
    else if (bindGlobal(d, ref->getSourceRange()))
      return indexOfName(d, ref);
    else
      fail(diag::IndexValue, ref->getSourceRange(),
           "an index uses '" + name + "', which has no known value here");
    return std::nullopt;
  }
  const Binding &b = it->second;
  switch (b.kind) {
  case Binding::Value:
    if (threadMode && isChosen(b.index))
      return none(diag::ThreadIndex, ref->getSourceRange(),
                  "'" + name +
                      "' is one of several values, which no thread's index is");
    // Numbers are seen through, and numbers of blocks; sizes keep their names.
    if (std::optional<Var> v = b.index.asVar();
        threadMode && v && v->kind == Var::Param && !hardware::parse(*v))
      if (v->kind == Var::Param && nest.params[v->id].definition)
        if (IndexExpr e = nest.expandDefinitions(b.index);
            e.hasQuotient() || e.isConstant())
          return *nest.params[v->id].definition;
    for (const Obligation &o : b.divided)
      oblige(o);
    noteUnknown(b.index, ref->getSourceRange());
    return b.index;
  case Binding::Thread: {
    ThreadVariable &v = threads.variables[b.number];
    if (threadMode)
      return v.value;
    if (Maybe size = sizeOfLaunch(v.value))
      return size;
    if (!v.loop && !parseDigit(v.value)) {
      const ThreadVariable whole = v; // more variables are added
      if (Maybe e = overThreads(whole.value, whole.name + "_tile", whole.range))
        return e;
      const bool isOpen = any_of(whole.value.vars(), [&](Var p) {
        return !hardware::parse(p) && nest.params[p.id].isTemplate;
      });
      return none(
          diag::ThreadIndex, ref->getSourceRange(),
          "'" + name + "' is not the index of one output dimension",
          Twine("such as 'int x = blockIdx.x * blockDim.x + threadIdx.x;'") +
              (isOpen ? "; a template's constant is the width of a block "
                        "where all launches in the file give it one value"
                      : ""));
    }
    return loopOf(nest, v);
  }
  case Binding::Constant:
    if (!isPlainInteger(d->getType(), ref->getSourceRange()))
      return std::nullopt;
    [[fallthrough]];
  case Binding::Local:
    if (auto set = setTo.find(dyn_cast<VarDecl>(d)); set != setTo.end())
      return index(set->second);
    refuseData(d, ref);
    return std::nullopt;
  case Binding::Extreme:
    if (mayChoose && !threadMode) {
      for (const IndexExpr &one : b.several)
        noteUnknown(one, ref->getSourceRange());
      IndexExpr e = chosenOf(b.several, b.isMax, ref->getSourceRange());
      return pending ? std::nullopt : Maybe(e);
    }
    return none(
        diag::IndexExtreme, ref->getSourceRange(),
        "an index uses '" + name + "', which is the " +
            (b.isMax ? "greatest" : "least") + " of several values",
        "start a loop at the greatest of several values, and end it at the "
        "least");
  case Binding::Changed:
    return none(diag::Moving, ref->getSourceRange(),
                "an index uses '" + name +
                    "', which changes from iteration to iteration",
                "compute it from the loops' iterators");
  case Binding::Condition:
    if (mayChoose && !threadMode)
      return indexOfTruth(ref);
    break;
  case Binding::Pointer:
  case Binding::Element:
  case Binding::Fields:
  case Binding::Alias:
  case Binding::Part:
    break;
  }
  return none(diag::IndexValue, ref->getSourceRange(),
              "'" + name + "' is used as an index");
}

/// Whether \p e is a sum of sizes, all of them subtracted.
static bool isMinusSizes(const IndexExpr &e) {
  return !e.usesLoops() && !e.isConstant() &&
         all_of(e.terms(),
                [](const auto &t) { return t.first.empty() || t.second < 0; });
}

/// C divides towards zero, which is the floor where nothing is negative, or
/// where nothing is left over; `-K / 2` is `-(K / 2)`.
Maybe NestBuilder::quotient(const IndexExpr &num, const IndexExpr &den,
                            const Expr *e) {
  if (auto c = den.asConstant(); c && *c <= 0)
    return none(diag::IndexAffine, e->getSourceRange(),
                "a division by a number that is not positive");
  if (auto n = num.asConstant(), d = den.asConstant(); n && d)
    return IndexExpr(*n / *d);
  // A shift rounds downwards.
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (b && !b->isShiftOp() && e->getType()->isSignedIntegerType() &&
      isMinusSizes(num)) {
    Maybe q = quotient(-num, den, e);
    return q ? Maybe(-*q) : q;
  }
  oblige(den - 1, e->getSourceRange(), "the divisor is positive");
  Obligation o;
  o.expr = num;
  o.where = range(e->getSourceRange());
  const bool isUnsigned = e->getType()->isUnsignedIntegerType();
  o.why = isUnsigned ? "what is divided, which is unsigned, does not wrap"
                     : "what is divided is not negative";
  if (b && !isUnsigned)
    o.remedy = b->getOpcode() == BO_Rem
                   ? "write (a % n + n) % n for the remainder of any a"
                   : "check the value first";
  o.remainder = IndexExpr::mod(num, den);
  o.mayTurn = b && !isUnsigned;
  oblige(std::move(o));
  return IndexExpr::floorDiv(num, den);
}

Maybe NestBuilder::indexOfBinary(const BinaryOperator *b) {
  if (b->isAssignmentOp() || b->isCommaOp() || b->isComparisonOp() ||
      b->isLogicalOp()) {
    if (Maybe c = chosenIndex(b); c || pending)
      return c;
    return none(diag::IndexAffine, b->getSourceRange(),
                "an index is not affine: '" + b->getOpcodeStr() + "' in it");
  }
  if (b->isAdditiveOp() && nest.function.isKernel && !threadMode)
    if (const SmallVector<SumTerm> terms = termsOf(b, ast);
        const std::optional<TileIndex> tile = tileIndex(terms))
      return indexOfTerms(terms, *tile);
  if (b->getOpcode() == BO_And || b->getOpcode() == BO_Or)
    if (Maybe masked = indexOfMask(b))
      return masked;
  if (b->getOpcode() == BO_Rem)
    if (Maybe circle = attempt([&] { return indexOfCircle(b); }))
      return circle;
  Maybe l = index(b->getLHS());
  Maybe r = l ? index(b->getRHS()) : std::nullopt;
  if (!r)
    return std::nullopt;
  if (l->terms().size() * r->terms().size() > maxTerms)
    return none(diag::IndexAffine, b->getSourceRange(), "an index is too long");
  std::optional<int64_t> shift = r->asConstant();
  bool canShift = shift && *shift >= 0 && *shift < 31;
  switch (b->getOpcode()) {
  case BO_Add:
    return *l + *r;
  case BO_Sub:
    return *l - *r;
  case BO_Mul:
    if (!threadMode && l->usesLoops() && r->usesLoops() &&
        namesHardware(b->getLHS()) && namesHardware(b->getRHS()))
      break;
    return *l * *r;
  case BO_Div:
    return quotient(*l, *r, b);
  case BO_Rem:
    if (Maybe q = quotient(*l, *r, b))
      return *l - *r * *q;
    return std::nullopt;
  case BO_Shl:
    if (canShift)
      return *l * IndexExpr(int64_t(1) << *shift);
    break;
  case BO_Shr:
    if (auto n = l->asConstant(); n && canShift)
      return IndexExpr(*n >> *shift);
    if (canShift)
      return quotient(*l, IndexExpr(int64_t(1) << *shift), b);
    break;
  default:
    break;
  }
  return none(diag::IndexAffine, b->getSourceRange(),
              "an index is not affine: '" + b->getOpcodeStr() + "' in it");
}

Maybe NestBuilder::indexOfCast(const CastExpr *cast) {
  const Expr *sub = cast->getSubExpr();
  if (cast->getCastKind() == CK_FloatingToIntegral)
    return indexOfReal(sub);
  if (sub->getType()->isBooleanType() && cast->getType()->isIntegerType())
    return index(sub); // 0 or 1 in any type
  if (!isPlainInteger(cast->getType(), cast->getSourceRange()))
    return std::nullopt;
  QualType from = sub->getType(), to = cast->getType();
  // What is loaded was one of the type's values when it was set.
  const bool converts = cast->getCastKind() != CK_LValueToRValue &&
                        cast->getCastKind() != CK_NoOp;
  if ((threadMode || namesHardware(sub)) && converts && isNarrow(to))
    return none(diag::IndexType, cast->getSourceRange(),
                "the index of a thread may wrap as '" + spelling(to) + "'",
                "use int");
  const size_t obliged = obligations.size();
  Maybe e = index(sub);
  if (converts && (isNarrow(to) || to->isUnsignedIntegerType()))
    for (Obligation &o : drop_begin(obligations, obliged))
      o.mayTurn = false;
  const bool widens = from->isUnsignedIntegerType() && !isNarrow(from) &&
                      ast.getTypeSize(from) < ast.getTypeSize(to);
  // Nothing is asked of what blocks and threads compute: it must not wrap by
  // what it looks like.
  if (e && widens && threadMode &&
      any_of(e->terms(), [](const auto &term) { return term.second < 0; }))
    return none(diag::IndexType, cast->getSourceRange(),
                "the unsigned index of a thread may wrap before it becomes '" +
                    spelling(to) + "'",
                "use int");
  if (e && converts && isNarrow(to))
    obligeFits(*e, to, cast->getSourceRange());
  else if (e && widens)
    oblige(*e, cast->getSourceRange(), "an unsigned index does not wrap");
  return e;
}

/// What `gridDim.x` and `blockDim.x` make, where nothing else of the hardware
/// is in \p e: sizes that the launch says.
Maybe NestBuilder::sizeOfLaunch(const IndexExpr &e) {
  if (!hardware::isOfLaunch(e))
    return std::nullopt;
  return e.substitute([&](Var v) -> std::optional<IndexExpr> {
    ASSIGN_OR_RETURN(const auto h, hardware::parse(v));
    const bool isGrid = h.first == hardware::GridDim;
    return takeOfLaunch(
        isGrid ? LaunchSize{h.second} : LaunchSize{{}, h.second},
        std::string(isGrid ? "blocks_" : "block_") + "xyz"[h.second]);
  });
}

static const StringRef hardwareNames[] = {"threadIdx", "blockIdx", "blockDim",
                                          "gridDim"};

/// What \p member is, in a kernel, of threadIdx.x and the like.
std::optional<std::pair<hardware::Kind, unsigned>>
NestBuilder::hardwareOf(const MemberExpr *member) const {
  const auto *base =
      dyn_cast<DeclRefExpr>(member->getBase()->IgnoreParenImpCasts());
  const StringRef field = member->getMemberDecl()->getName();
  if (!base || !nest.function.isKernel || field.size() != 1)
    return std::nullopt;
  const auto *kind = find(hardwareNames, base->getDecl()->getName());
  if (kind == std::end(hardwareNames))
    return std::nullopt;
  return std::pair(hardware::Kind(kind - hardwareNames),
                   unsigned(field[0] - 'x'));
}

Maybe NestBuilder::hardwareIndex(const MemberExpr *member) {
  const auto of = hardwareOf(member);
  if (!of) {
    const StringRef field = member->getMemberDecl()->getName();
    const bool isField = isa<FieldDecl>(member->getMemberDecl());
    return none(diag::Field, member->getSourceRange(),
                "an index uses the " +
                    Twine(isField ? "field '" : "static member '") + field +
                    "'" + (isField ? ", which host code cannot read" : ""),
                "pass sizes as integers of their own, or in a struct by value");
  }
  const auto [which, dimension] = *of;
  const IndexExpr hardware = hardware::index(which, dimension);
  const std::string name =
      ("'" + hardwareNames[which] + "." + Twine("xyz"[dimension]) + "'").str();
  if (Maybe size = threadMode ? std::nullopt : sizeOfLaunch(hardware))
    return size;
  if (!threadMode)
    return none(
        diag::ThreadIndex, member->getSourceRange(),
        name + " is used within an expression",
        "give the index of each output dimension a variable of its own, such "
        "as 'int x = blockIdx.x * blockDim.x + threadIdx.x;', before the "
        "loops");
  if (isShared(which, dimension))
    return none(diag::ThreadIndex, member->getSourceRange(),
                name +
                    " stays the same while the loop that threads share goes on",
                "use the iterator of that loop");
  return hardware;
}

/// A name for what \p e is, in a refusal.
namespace {
struct Reason {
  const char *rule;
  std::string message;
  const char *remedy =
      "subscripts and bounds are sums of loop iterators times sizes";
};
} // namespace

/// Why \p e is no index.
static Reason describe(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (isa<ArraySubscriptExpr>(e) || (u && u->getOpcode() == UO_Deref))
    return {diag::IndexData,
            "an index depends on data: it is read from memory"};
  if (isa<ConditionalOperator>(e))
    return {diag::IndexAffine,
            "an index is not affine: it is clamped or chosen"};
  const auto *call = dyn_cast<CallExpr>(e);
  if (call && pureCallee(call).isPure)
    return {diag::IndexAffine, "an index is not affine: '" +
                                   pureCallee(call).name + "' of others"};
  if (call)
    return {diag::Call,
            "an index comes from a call of '" + pureCallee(call).name +
                "': " + whyNotVisible(call),
            call->getCallee()->isTypeDependent()
                ? "use the template in the file, or instantiate it there"
                : "call it before the loops, and use its result in them"};
  return {diag::IndexAffine, "an index is not affine"};
}

/// A field of a value, or an index of the hardware.
Maybe NestBuilder::indexOfMember(const MemberExpr *m) {
  const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl());
  const Expr *value = f && !m->isArrow() ? memberOf(m->getBase(), f) : m;
  if (!isa<MemberExpr>(value))
    return index(value);
  if (const CallExpr *call = callOfMember(cast<MemberExpr>(value)))
    return inlined(
        call, visibleDefinition(call), /*hoists=*/false,
        [&](const Expr *returned) { return index(memberOf(returned, f)); });
  return hardwareIndex(m);
}

Maybe NestBuilder::index(const Expr *e) {
  e = e->IgnoreParens();
  if (Maybe threads = indexOfThreads(e))
    return threads;
  if (const auto *full = dyn_cast<FullExpr>(e))
    return index(full->getSubExpr());
  if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
    return index(m->getSubExpr());
  if (const auto *s = dyn_cast<SubstNonTypeTemplateParmExpr>(e))
    return index(s->getReplacement());
  if (const auto *list = dyn_cast<InitListExpr>(e);
      list && list->getNumInits() <= 1)
    return list->getNumInits() ? index(list->getInit(0)) : Maybe(0);
  if (const auto *cast = dyn_cast<CastExpr>(e))
    return indexOfCast(cast);
  if (const ValueDecl *d = named(e))
    return indexOfName(d, e);
  if (std::optional<Binding> p = part(e)) {
    if (p->kind == Binding::Value)
      return p->index;
    return none(diag::IndexType, e->getSourceRange(),
                "this is no integer to use as an index");
  }
  if (pending)
    return std::nullopt;
  if (const auto *b = dyn_cast<BinaryOperator>(e))
    return indexOfBinary(b);
  if (const auto *member = dyn_cast<MemberExpr>(e))
    return indexOfMember(member);
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    if (Maybe by = offsetWithin(u)) {
      Maybe value = index(u->getSubExpr());
      return value ? Maybe(*value + *by) : value;
    }
    bool isMinus = u->getOpcode() == UO_Minus;
    if (isMinus || u->getOpcode() == UO_Plus) {
      Maybe sub = index(u->getSubExpr());
      return sub && isMinus ? Maybe(-*sub) : sub;
    }
  }
  if (Maybe c = constant(e))
    return c;
  if (const auto *s = dyn_cast<ArraySubscriptExpr>(e))
    if (Maybe c = indexOfTable(s); c || pending)
      return c;
  if (const auto *s = dyn_cast<StmtExpr>(e))
    return inStatements(s, /*hoists=*/false,
                        [&](const Expr *value) { return index(value); });
  const auto *call = dyn_cast<CallExpr>(e);
  if (call && pureCallee(call).isPure && pureCallee(call).name == "__mul24") {
    IndexExpr product = 1;
    for (const Expr *factor : call->arguments()) {
      const Maybe f = index(factor);
      if (!f)
        return f;
      // More than 24 bits would be cut off.
      if (!hardware::isIn(*f))
        for (const IndexExpr &fits : {*f + (1 << 23), (1 << 23) - 1 - *f})
          oblige(fits, factor->getSourceRange(), "a factor has 24 bits");
      product = product * *f;
    }
    return product;
  }
  if (call)
    if (const FunctionDecl *callee = visibleDefinition(call))
      return inlined(call, callee, /*hoists=*/false,
                     [&](const Expr *value) { return index(value); });
  if (Maybe c = chosenIndex(e); c || pending)
    return c;
  const Reason why = describe(e);
  return none(why.rule, e->getSourceRange(), why.message, why.remedy);
}

} // namespace convopt
