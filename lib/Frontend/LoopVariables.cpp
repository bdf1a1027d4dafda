//===- LoopVariables.cpp - What loops use of their function ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopVariables.h"
#include "Diagnostics.h"
#include "Half.h"
#include "Mentions.h"
#include "clang/Basic/SourceManager.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

class Classifier {
public:
  Classifier(ASTContext &ast, const FunctionDecl *f, const Stmt *loops)
      : ast(ast), f(f), loops(loops), use(ast, f->getBody()),
        assigned(VariableUse::assignedIn(f->getBody())),
        assignedInLoops(VariableUse::assignedIn(loops)) {}

  LoopVariables run();

private:
  bool refuse(StringRef rule, const Twine &message, const Twine &remedy,
              clang::SourceRange where) {
    result.obstacle = {rule.str(), message.str(), remedy.str(), where};
    return false;
  }
  bool isBefore(const Stmt *a, const Stmt *b) const {
    return ast.getSourceManager().isBeforeInTranslationUnit(a->getBeginLoc(),
                                                            b->getBeginLoc());
  }
  bool isIn(clang::SourceLocation at, const Stmt *s) const {
    return ast.getSourceManager().isPointWithin(at, s->getBeginLoc(),
                                                s->getEndLoc());
  }
  bool findAround(const Stmt *s);
  const Stmt *bodyAround() const;
  bool checkExits();
  void enterLambdas();
  bool add(const VarDecl *v);
  void pass(const VarDecl *v);
  bool isOwn(const VarDecl *v);
  bool addOwn(const VarDecl *v);
  bool addAll(const Expr *value);
  void findUnread();
  bool mayHold(QualType type, QualType stored) const;
  bool mayChange(const VarDecl *v) const;
  const DeclRefExpr *firstAfter(const Readings &elsewhere) const;
  std::optional<LoopVariables::Obstacle> whyNotAlone(const VarDecl *v,
                                                     const Readings &elsewhere,
                                                     const Readings &within,
                                                     bool startsAnew) const;
  const BinaryOperator *setBefore(const VarDecl *v) const;
  const Expr *valueOf(const BinaryOperator *set) const;
  const Expr *startOf(const VarDecl *v, ArrayRef<const Stmt *> sets) const;
  const Expr *definition(const VarDecl *v) const;
  bool isArithmetic(const Expr *e) const;
  bool keepsValue(const VarDecl *v) const {
    return !assigned.count(v) && !isShared(v);
  }
  bool isShared(const VarDecl *v) const;

  ASTContext &ast;
  const FunctionDecl *f;
  const Stmt *loops;
  VariableUse use;
  std::set<const VarDecl *> assigned, assignedInLoops;
  std::vector<const Stmt *> around; // function body first, and then inwards
  std::vector<const Stmt *> before; // statements of lists that hold the loops
  mutable std::set<const VarDecl *> defining; // those in progress
  Mentions inside, whole;
  LoopVariables result;
};

} // namespace

/// Fills `around` with what stands around the loops.
bool Classifier::findAround(const Stmt *s) {
  if (s == loops)
    return true;
  if (!s)
    return false;
  around.push_back(s);
  for (const Stmt *child : s->children())
    if (findAround(child))
      return true;
  around.pop_back();
  return false;
}

/// The body of the innermost loop around, or null.
const Stmt *Classifier::bodyAround() const {
  const auto loop = find_if(reverse(around), isLoop);
  if (loop == around.rend())
    return nullptr;
  return loop == around.rbegin() ? loops : *std::prev(loop);
}

bool Classifier::checkExits() {
  if (const Stmt *s = inside.exit)
    return refuse(diag::LoopExit,
                  isa<ReturnStmt>(s)  ? "'return' leaves the loops"
                  : isa<LabelStmt>(s) ? "a label within the loops"
                                      : "'goto' or 'asm' within the loops",
                  "let the loops run to their ends", s->getSourceRange());
  if (const Expr *e = inside.sizeOfArray)
    return refuse(diag::SizeOf, "'sizeof' of an array within the loops",
                  "name the size before the loops", e->getSourceRange());
  return true;
}

/// Whether something else may be a name for \p v, or point at it.
bool Classifier::isShared(const VarDecl *v) const {
  if (v->isConstexpr())
    return false; // nothing changes it
  if (use.isAddressTaken(v) || whole.bound.count(v))
    return true;
  return !f->isDependentContext() &&
         v->getType().getNonReferenceType()->isScalarType() &&
         any_of(whole.variables, [&](const DeclRefExpr *ref) {
           return ref->getDecl() == v && !whole.loaded.count(ref) &&
                  !whole.targets.count(ref);
         });
}

/// Sums, products, quotients and places of variables that keep their values.
bool Classifier::isArithmetic(const Expr *e) const {
  e = e->IgnoreParens();
  if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return isa<EnumConstantDecl, NonTypeTemplateParmDecl>(ref->getDecl()) ||
           (v && !v->getType()->isReferenceType() &&
            (v->hasGlobalStorage() ? v->getType().isConstQualified()
                                   : keepsValue(v) || definition(v)));
  }
  if (isa<IntegerLiteral, CXXBoolLiteralExpr, UnaryExprOrTypeTraitExpr>(e))
    return true;
  if (const auto *cast = dyn_cast<CastExpr>(e))
    return cast->getCastKind() != CK_UserDefinedConversion &&
           cast->getCastKind() != CK_ConstructorConversion &&
           isArithmetic(cast->getSubExpr());
  if (const auto *u = dyn_cast<UnaryOperator>(e)) {
    const Expr *sub = u->getSubExpr()->IgnoreParens();
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(sub))
      return u->getOpcode() == UO_AddrOf && isArithmetic(element->getBase()) &&
             isArithmetic(element->getIdx());
    return (u->getOpcode() == UO_Minus || u->getOpcode() == UO_Plus ||
            u->getOpcode() == UO_LNot || u->getOpcode() == UO_Not) &&
           isArithmetic(sub);
  }
  const auto *b = dyn_cast<BinaryOperator>(e);
  return b && !b->isAssignmentOp() && !b->isPtrMemOp() &&
         isArithmetic(b->getLHS()) && isArithmetic(b->getRHS());
}

/// Whether \p e is a number that each type of integers has.
static bool isNumberOfAllTypes(const Expr *e) {
  const auto *number = dyn_cast<IntegerLiteral>(e->IgnoreParenImpCasts());
  return number && number->getValue().ule(1);
}

/// The assignment that \p s is, or null.
static const BinaryOperator *assignmentOf(const Stmt *s) {
  const auto *b = dyn_cast<BinaryOperator>(s);
  return b && b->getOpcode() == BO_Assign ? b : nullptr;
}

/// The last assignment to \p v that is a statement before the loops, or in one
/// that sets several variables.
const BinaryOperator *Classifier::setBefore(const VarDecl *v) const {
  for (const Stmt *one : reverse(before))
    for (const BinaryOperator *b = assignmentOf(one); b;
         b = assignmentOf(b->getRHS()->IgnoreParenImpCasts()))
      if (namedVariable(b->getLHS()) == v)
        return b;
  return nullptr;
}

/// What \p set sets its variable to: of `a = b = 0`, zero. Other values may be
/// converted on the way.
const Expr *Classifier::valueOf(const BinaryOperator *set) const {
  const Expr *value = set->getRHS();
  while (const BinaryOperator *inner =
             assignmentOf(value->IgnoreParenImpCasts()))
    value = inner->getRHS();
  return value == set->getRHS() || isNumberOfAllTypes(value) ? value
                                                             : set->getRHS();
}

/// The one value of \p v, where that is arithmetic: of its declaration, or of
/// an assignment that is a statement before the loops.
const Expr *Classifier::definition(const VarDecl *v) const {
  const bool isIndex =
      v->isConstexpr()
          ? v->getType()->isIntegralOrEnumerationType()
          : v->getType()->isIntegerType() && !v->getType()->isEnumeralType();
  if (isa<ParmVarDecl>(v) || isShared(v) ||
      v->getType().isVolatileQualified() ||
      !(isIndex || v->getType()->isPointerType()))
    return nullptr;
  const Expr *value = assigned.count(v) ? nullptr : v->getInit();
  if (!v->hasInit() && use.assignments(v) == 1)
    if (const BinaryOperator *b = setBefore(v))
      value = valueOf(b);
  if (!value || !defining.insert(v).second)
    return nullptr;
  bool good = isArithmetic(value);
  defining.erase(v);
  return good ? value : nullptr;
}

/// The first of \p elsewhere that may see what the loops have set.
const DeclRefExpr *Classifier::firstAfter(const Readings &elsewhere) const {
  const bool repeats = elsewhere.jumps || any_of(around, isLoop);
  const auto it = find_if(elsewhere.found, [&](const DeclRefExpr *ref) {
    return repeats || !isBefore(ref, loops);
  });
  return it == elsewhere.found.end() ? nullptr : *it;
}

/// Why loops that set \p v need others: what they set it to is read
/// \p elsewhere, or \p within them when they run again.
std::optional<LoopVariables::Obstacle>
Classifier::whyNotAlone(const VarDecl *v, const Readings &elsewhere,
                        const Readings &within, bool startsAnew) const {
  const std::string name = "'" + v->getNameAsString() + "'";
  const DeclRefExpr *after = firstAfter(elsewhere);
  const bool goesOn = !within.found.empty();
  if (!after && (startsAnew || !goesOn))
    return std::nullopt;
  if (after && isAddedTo(f->getBody(), after))
    return LoopVariables::Obstacle{
        diag::LoopValue,
        name + " is a running sum: another loop goes on with what these set it "
               "to",
        "compute each output by itself: let a loop within the one over outputs "
        "add up its terms, from 0 on",
        after->getSourceRange()};
  if (after && isAsserted(f->getBody(), after, ast))
    return LoopVariables::Obstacle{
        diag::LoopValue,
        name + " is set by these loops and read by an assertion after them",
        withoutAssertions, after->getSourceRange()};
  return LoopVariables::Obstacle{
      diag::LoopValue,
      name + " is set by these loops and read " +
          (after ? "after them" : "when they run again"),
      goesOn && use.holdsData(v) && !elsewhere.jumps
          ? "let threads share the sum (-fassociative-math), or write it to "
            "memory"
          : "write it to memory, or use a variable of its own",
      (after ? after : within.found.front())->getSourceRange()};
}

/// Whether the loops change \p v, or may do so.
bool Classifier::isOwn(const VarDecl *v) {
  QualType type = v->getType().getNonReferenceType();
  bool isScalar = type->isScalarType() || type->isDependentType();
  if (v->isConstexpr())
    return false;
  if (assignedInLoops.count(v))
    return true;
  // Passed by value.
  if (type->isRecordType() && !ast.getLangOpts().CPlusPlus)
    return inside.changedParts.count(v);
  if (f->isDependentContext())
    return any_of(inside.variables, [&](const DeclRefExpr *ref) {
      return ref->getDecl() == v && isScalar && use.isAddressTaken(v);
    });
  return isScalar && any_of(inside.variables, [&](const DeclRefExpr *ref) {
           return ref->getDecl() == v && !inside.loaded.count(ref);
         });
}

void Classifier::pass(const VarDecl *v) {
  // Extents are in the types of parameters after them.
  Mentions sizes;
  sizes.TraverseType(v->getType());
  for (const DeclRefExpr *ref : sizes.variables)
    pass(cast<VarDecl>(ref->getDecl()));
  result.passed.insert(v);
  result.computed.erase(v);
}

/// Whether something of \p type has a part that is written as \p stored.
bool Classifier::mayHold(QualType type, QualType stored) const {
  if (const clang::ArrayType *array = ast.getAsArrayType(type))
    return mayHold(array->getElementType(), stored);
  if (const RecordDecl *record = type->getAsRecordDecl())
    return !record->isCompleteDefinition() ||
           any_of(record->fields(), [&](const FieldDecl *field) {
             return mayHold(field->getType(), stored);
           });
  return stored->isAnyCharacterType() || stored->isDependentType() ||
         ast.hasSameUnqualifiedType(stored, type.getCanonicalType());
}

/// Whether the loops may change \p v by its address, or by a name for it.
bool Classifier::mayChange(const VarDecl *v) const {
  QualType type = v->getType().getNonReferenceType();
  const bool isCopied = type->isScalarType() ||
                        (type->isRecordType() && !ast.getLangOpts().CPlusPlus);
  return isCopied && (v->getType()->isReferenceType() || isShared(v)) &&
         any_of(inside.stored, [&](QualType t) { return mayHold(type, t); });
}

/// What \p v is before the loops, if that can be computed again; \p sets are
/// the assignments that may have run until then.
const Expr *Classifier::startOf(const VarDecl *v,
                                ArrayRef<const Stmt *> sets) const {
  const BinaryOperator *set = v->hasInit() ? nullptr : setBefore(v);
  const Expr *value = set && sets.size() == 1                ? valueOf(set)
                      : sets.empty() && !isa<ParmVarDecl>(v) ? v->getInit()
                                                             : nullptr;
  const bool isKnown =
      value &&
      (isArithmetic(value) || (use.holdsData(v) && !value->isValueDependent() &&
                               value->isEvaluatable(ast)));
  return isKnown ? value : nullptr;
}

/// What the loops set: other statements may see it where it is a number.
bool Classifier::addOwn(const VarDecl *v) {
  if (v->getType()->isReferenceType() || v->getType()->isRecordType() ||
      v->isStaticLocal() || isShared(v))
    return refuse(
        diag::LoopValue,
        "'" + v->getNameAsString() + "' keeps what these loops set it to",
        "use a variable that is declared in them", v->getSourceRange());
  const Readings elsewhere = readingsOf(v, f->getBody(), loops),
                 within = readingsBefore(v, loops);
  const Stmt *body = bodyAround();
  const BinaryOperator *set = v->hasInit() ? nullptr : setBefore(v);
  // Loops around run these with what they left.
  const bool runsAgain = body && !isIn(v->getLocation(), body);
  const bool startsAnew = !runsAgain || (set && isIn(set->getBeginLoc(), body));
  const bool isData = use.holdsData(v) && isNumber(v->getType());
  LoopVariables::Carried carried;
  if (auto why = whyNotAlone(v, elsewhere, within, startsAnew)) {
    if (!isData || elsewhere.jumps) {
      result.obstacle = std::move(why);
      return false;
    }
    carried.isRead = true;
    if (!result.alone)
      result.alone = std::move(why);
  }
  std::vector<const Stmt *> sets = assignmentsTo(v, f->getBody(), loops);
  if (isData && !elsewhere.jumps)
    erase_if(sets, [&](const Stmt *s) { return !isBefore(s, loops); });
  const bool isPlace =
      v->getType()->isIntegerType() || v->getType()->isPointerType();
  const bool starts = (isData || isPlace) &&
                      (carried.isRead || !within.found.empty()) &&
                      (isa<ParmVarDecl>(v) || v->hasInit() || !sets.empty() ||
                       (carried.isRead && runsAgain));
  const Expr *start = starts && startsAnew ? startOf(v, sets) : nullptr;
  if (start && !addAll(start))
    return false;
  carried.starts = starts && !start;
  if (carried.starts && !isData) {
    pass(v);
    return true;
  }
  result.own.insert({v, start});
  if (carried.starts || carried.isRead)
    result.carried.insert({v, carried});
  return true;
}

/// The lambda that \p v is, or null.
static const LambdaExpr *lambdaOf(const VarDecl *v) {
  const Expr *init = v->isLocalVarDecl() ? v->getInit() : nullptr;
  return init ? dyn_cast<LambdaExpr>(init->IgnoreUnlessSpelledInSource())
              : nullptr;
}

/// The bodies of lambdas that the loops call are parts of the loops.
void Classifier::enterLambdas() {
  std::set<const LambdaExpr *> entered;
  for (size_t k = 0; k != inside.variables.size(); ++k) {
    const auto *v = cast<VarDecl>(inside.variables[k]->getDecl());
    const LambdaExpr *lambda = lambdaOf(v);
    if (!lambda || inside.declared.count(v) || !entered.insert(lambda).second)
      continue;
    inside.TraverseStmt(const_cast<LambdaExpr *>(lambda));
    const auto more = VariableUse::assignedIn(lambda->getBody());
    assignedInLoops.insert(more.begin(), more.end());
  }
}

bool Classifier::add(const VarDecl *v) {
  if (const LambdaExpr *lambda = lambdaOf(v)) {
    const Mentions of = mentionsOf(lambda);
    const bool good = result.computed.count(v) ||
                      all_of(of.variables, [&](const DeclRefExpr *ref) {
                        const auto *used = cast<VarDecl>(ref->getDecl());
                        return of.declared.count(used) || add(used);
                      });
    if (good)
      result.computed.insert({v, v->getInit()});
    return good;
  }
  if (result.passed.count(v) || result.computed.count(v) || result.own.count(v))
    return true;
  if (isOwn(v))
    return addOwn(v);
  if (mayChange(v))
    return refuse(diag::LoopValue,
                  "'" + v->getNameAsString() +
                      "' may change while these loops run, by its address",
                  "copy it to a variable of which no address is taken",
                  v->getSourceRange());
  // Where the type is declared again, an extent would be what it is by then.
  const Mentions extents = extentsOf(v->getType());
  for (const DeclRefExpr *ref : extents.variables)
    if (assigned.count(cast<VarDecl>(ref->getDecl())))
      return refuse(
          diag::LoopValue,
          "'" + ref->getDecl()->getNameAsString() + "', an extent of '" +
              v->getNameAsString() + "', is changed in the function",
          "use a variable of its own for what changes", v->getSourceRange());
  const Expr *value = definition(v);
  if (!value) {
    pass(v);
    return true;
  }
  Mentions sizes;
  sizes.TraverseType(v->getType());
  for (const DeclRefExpr *ref : sizes.variables)
    if (!add(cast<VarDecl>(ref->getDecl())))
      return false;
  if (!addAll(value))
    return false;
  result.computed.insert({v, value});
  return true;
}

/// All variables of \p value.
bool Classifier::addAll(const Expr *value) {
  const Mentions of = mentionsOf(value);
  return all_of(of.variables, [&](const DeclRefExpr *ref) {
    return add(cast<VarDecl>(ref->getDecl()));
  });
}

void Classifier::findUnread() {
  Mentions others; // than those of the loops
  others.skipped.insert(loops);
  others.TraverseStmt(f->getBody());
  LoopVariables::Set read;
  for (const DeclRefExpr *ref : others.variables)
    if (!others.targets.count(ref))
      read.insert(cast<VarDecl>(ref->getDecl()));
  auto add = [&](const auto &variables) {
    for (auto [v, value] : variables)
      if (!isa<ParmVarDecl>(v) && !read.contains(v))
        result.unread.insert(v);
  };
  add(result.computed);
  add(result.own);
}

LoopVariables Classifier::run() {
  findAround(f->getBody());
  whole.TraverseStmt(f->getBody());
  result.tests = invariantTests(ast, loops, [&](const VarDecl *v) {
    return !assignedInLoops.count(v) && !isShared(v);
  });
  inside.skipped.insert(result.tests.begin(), result.tests.end());
  inside.TraverseStmt(const_cast<Stmt *>(loops));
  if (!checkExits())
    return std::move(result);
  enterLambdas();
  for (const Stmt *s : around)
    if (const auto *list = dyn_cast<CompoundStmt>(s))
      copy_if(list->body(), std::back_inserter(before),
              [&](const Stmt *one) { return isBefore(one, loops); });
  for (const Stmt *one : before)
    if (const auto *d = dyn_cast<DeclStmt>(one);
        d && none_of(d->decls(), [](const Decl *x) { return isa<VarDecl>(x); }))
      result.names.push_back(d);
  for (const DeclRefExpr *ref : inside.variables) {
    const auto *v = cast<VarDecl>(ref->getDecl());
    if (!inside.declared.count(v) && !add(v))
      break;
  }
  findUnread();
  return std::move(result);
}

LoopVariables variablesOf(ASTContext &ast, const FunctionDecl *f,
                          const Stmt *loops) {
  return Classifier(ast, f, loops).run();
}

} // namespace convopt
