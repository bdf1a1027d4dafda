//===- VariableUse.cpp - What a function does with its variables ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VariableUse.h"
#include "Containers.h"
#include "ForEach.h"
#include "Half.h"
#include "Mentions.h"
#include "ReadOnly.h"
#include "Records.h"

using namespace clang;

namespace convopt {

const VarDecl *namedVariable(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *m = dyn_cast<MemberExpr>(e))
    return memberVariable(m);
  const auto *ref = dyn_cast<DeclRefExpr>(e);
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

const Expr *assignedBy(const Stmt *s) {
  if (const auto *b = dyn_cast<BinaryOperator>(s))
    return b->isAssignmentOp() ? b->getLHS() : nullptr;
  if (const auto *u = dyn_cast<UnaryOperator>(s))
    return u->isIncrementDecrementOp() ? u->getSubExpr() : nullptr;
  // Within a template, where a name of some operator is in scope.
  const auto *o = dyn_cast<CXXOperatorCallExpr>(s);
  return o && o->isAssignmentOp() ? o->getArg(0) : nullptr;
}

/// The variable that \p e names, or that it names with a `*` before.
static const VarDecl *namedTarget(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenImpCasts());
  return namedVariable(u && u->getOpcode() == UO_Deref ? u->getSubExpr() : e);
}

const Expr *withoutAddressOf(const Expr *e) {
  const auto *u = dyn_cast<UnaryOperator>(e->IgnoreParenImpCasts());
  return u && u->getOpcode() == UO_AddrOf ? u->getSubExpr() : e;
}

/// The variable that \p e gives a call, by its address or as a reference.
static const VarDecl *passedVariable(const Expr *e) {
  return namedVariable(withoutAddressOf(e));
}

SmallVector<const Expr *> commaParts(const Expr *e) {
  if (!e)
    return {};
  e = e->IgnoreParens();
  const auto *b = dyn_cast<BinaryOperator>(e);
  if (!b || !b->isCommaOp())
    return {e};
  SmallVector<const Expr *> parts = commaParts(b->getLHS());
  parts.append(commaParts(b->getRHS()));
  return parts;
}

const VarDecl *steppedVariable(const Expr *e) {
  const Expr *target = assignedBy(e->IgnoreParens());
  return target ? namedVariable(target) : nullptr;
}

const VarDecl *countedVariable(const Expr *e) {
  const VarDecl *v = steppedVariable(e);
  const auto *set = dyn_cast<BinaryOperator>(e->IgnoreParens());
  const bool isSetAnew =
      v && set && set->getOpcode() == BO_Assign && !mentions(set->getRHS(), v);
  return isSetAnew ? nullptr : v;
}

namespace {

/// What a function returns, those within it apart.
class Returned : public DynamicRecursiveASTVisitor {
public:
  std::vector<Expr *> values;

  bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
  bool VisitReturnStmt(ReturnStmt *r) override {
    if (Expr *value = r->getRetValue())
      values.push_back(value);
    return true;
  }
};

/// The variables in an expression, and in what is returned to it; those by
/// other names than \p known apart.
class NamedVariables : public DynamicRecursiveASTVisitor {
public:
  using Names = std::set<const DeclRefExpr *>;

  explicit NamedVariables(const Expr *e, const Names *known = nullptr)
      : known(known) {
    TraverseStmt(const_cast<Expr *>(e));
  }

  std::set<const VarDecl *> all, others;

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    if (v)
      all.insert(v);
    if (v && !(known && known->count(ref)))
      others.insert(v);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *m) override {
    if (const VarDecl *v = memberVariable(m)) {
      all.insert(v);
      others.insert(v);
    }
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee || !entered.insert(callee).second)
      return true;
    Returned returned;
    returned.TraverseStmt(callee->getBody());
    for (Expr *value : returned.values)
      TraverseStmt(value);
    return true;
  }

private:
  const Names *known;
  std::set<const FunctionDecl *> entered;
};

} // namespace

const VarDecl *variableOf(const ForStmt *f) {
  const NamedVariables compared(f->getCond());
  for (const Expr *part : commaParts(f->getInc()))
    if (const VarDecl *v = steppedVariable(part))
      if (compared.all.count(v))
        return v;
  return nullptr;
}

namespace {

/// Pointers to integers that are subscripted with constants.
class Sizes : public DynamicRecursiveASTVisitor {
public:
  explicit Sizes(ASTContext &ast) : ast(ast) {}

  std::map<const VarDecl *, unsigned> uses, constants, extents;
  std::set<const VarDecl *> used; // as sizes
  std::set<const VarDecl *> written;
  /// The parameters that a pointer is passed for.
  std::map<const VarDecl *, std::set<const VarDecl *>> forwards;

  /// Whether \p p is read at constant subscripts and nothing else, whose extent
  /// then counts the functions that it is passed to.
  bool hasConstantsAlone(const VarDecl *p) {
    if (!visiting.insert(p).second)
      return false;
    bool good = uses[p] == constants[p] && !written.count(p);
    for (const VarDecl *q : forwards[p]) {
      good = good && hasConstantsAlone(q);
      extents[p] = std::max(extents[p], extents[q]);
    }
    visiting.erase(p);
    return good;
  }
  /// What is in \p s is a size.
  void collect(const Stmt *s) {
    if (const auto *a = dyn_cast_or_null<ArraySubscriptExpr>(s))
      if (const VarDecl *p = namedVariable(a->getBase()))
        used.insert(p);
    if (const auto *u = dyn_cast_or_null<UnaryOperator>(s))
      if (const VarDecl *p = namedVariable(u->getSubExpr()))
        used.insert(p);
    if (const auto *o = dyn_cast_or_null<CXXOperatorCallExpr>(s))
      if (const VarDecl *p = namedVariable(o->getArg(0)))
        used.insert(p);
    if (const auto *call = dyn_cast_or_null<CallExpr>(s))
      for (const Expr *argument : call->arguments())
        if (const VarDecl *p = namedVariable(argument))
          used.insert(p);
    if (s)
      for (const Stmt *child : s->children())
        collect(child);
  }
  bool VisitStmt(Stmt *s) override {
    const Expr *target = assignedBy(s);
    target = target ? target->IgnoreParens() : nullptr;
    if (const auto *a = dyn_cast_or_null<ArraySubscriptExpr>(target))
      written.insert(namedVariable(a->getBase()));
    else if (const auto c = target ? containerElement(target) : std::nullopt)
      written.insert(namedVariable(c->container));
    else if (target)
      written.insert(namedTarget(target));
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      ++uses[v];
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    for (auto [p, argument] : argumentsOf(call, callee))
      if (const VarDecl *v = namedVariable(argument);
          v && p->getType()->isPointerType()) {
        ++constants[v];
        forwards[v].insert(p);
      }
    return isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }
  bool VisitForStmt(ForStmt *f) override {
    collect(f->getInit());
    collect(f->getCond());
    return true;
  }
  // `std::views::iota(0, n)`
  bool VisitCXXForRangeStmt(CXXForRangeStmt *s) override {
    for (const Expr *e : boundsOfIota(s->getRangeInit()))
      collect(e);
    return true;
  }
  // What a branch asks for.
  bool VisitIfStmt(IfStmt *s) override {
    collect(s->getCond());
    return true;
  }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *s) override {
    return element(s, s->getBase(), s->getIdx());
  }
  // `*height`, the first of those that it points at.
  bool VisitUnaryOperator(UnaryOperator *u) override {
    const auto *p =
        u->getOpcode() == UO_Deref
            ? dyn_cast_or_null<ParmVarDecl>(namedVariable(u->getSubExpr()))
            : nullptr;
    return !p || !u->getType()->isIntegerType() || isElement(p, 0);
  }
  // `x[1]` of a vector.
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) override {
    const auto c = containerElement(o);
    return !c || element(o, c->container, c->by);
  }

private:
  bool element(const Expr *whole, const Expr *base, const Expr *by) {
    collect(by);
    const auto *p = dyn_cast_or_null<ParmVarDecl>(namedVariable(base));
    Expr::EvalResult k;
    if (!p || !whole->getType()->isIntegerType() || by->isValueDependent() ||
        !by->EvaluateAsInt(k, ast))
      return true;
    const llvm::APSInt &value = k.Val.getInt();
    if (value.isNegative() || value.getActiveBits() > 8)
      return true;
    return isElement(p, value.getZExtValue());
  }
  bool isElement(const VarDecl *p, unsigned number) {
    ++constants[p];
    extents[p] = std::max(extents[p], number + 1);
    return true;
  }

  ASTContext &ast;
  std::set<const FunctionDecl *> entered;
  std::set<const VarDecl *> visiting;
};

/// `a[2]` of a std::array, which is a part of it like a field, or of one of
/// \p vectors.
bool isPartOfArray(const Expr *e,
                   const std::map<const VarDecl *, unsigned> &vectors,
                   const ConstantArguments &constants, const ASTContext &ast) {
  std::optional<ContainerElement> c = containerElement(e);
  if (c && !c->isChecked && vectors.count(namedVariable(c->container)))
    return true;
  return c && containerType(c->container->getType())->count &&
         e->getType()->isIntegerType() && constants.isConstant(c->by, ast);
}

/// Does a value come from memory, or from a variable that is data?
class ReadsData : public DynamicRecursiveASTVisitor {
public:
  using Aliases = std::map<const VarDecl *, std::set<const VarDecl *>>;

  /// Of what is \p ofPlace, elements of a table of constants are none.
  ReadsData(const std::set<const VarDecl *> &data, const Aliases &aliases,
            const std::map<const VarDecl *, unsigned> &sizes, bool ofPlace)
      : data(data), aliases(aliases), sizes(sizes), ofPlace(ofPlace) {}

  bool found = false;

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *s) override {
    const VarDecl *p = namedVariable(s->getBase());
    // `p->dims[2]`; elements by other subscripts are data.
    const auto *m = dyn_cast<MemberExpr>(s->getBase()->IgnoreParenImpCasts());
    return (m && constants.isConstant(s->getIdx(),
                                      m->getMemberDecl()->getASTContext())) ||
           (p && sizes.count(p)) || !(found = true);
  }
  bool TraverseArraySubscriptExpr(ArraySubscriptExpr *s) override {
    return ofPlace && !tableOf(namedVariable(s->getBase())).empty()
               ? TraverseStmt(s->getIdx())
               : DynamicRecursiveASTVisitor::TraverseArraySubscriptExpr(s);
  }
  bool TraverseCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    if (isContainerSize(call) || isPart(call))
      return true;
    if (containerElement(call))
      return !(found = true);
    return visibleDefinition(call)
               ? TraverseCallExpr(call)
               : DynamicRecursiveASTVisitor::TraverseCXXMemberCallExpr(call);
  }
  // Of a function that is seen, what it returns counts.
  bool TraverseCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return DynamicRecursiveASTVisitor::TraverseCallExpr(call);
    return constants.enter(call, callee, [&] {
      Returned returned;
      returned.TraverseStmt(callee->getBody());
      return llvm::all_of(returned.values,
                          [&](Expr *value) { return TraverseStmt(value); });
    });
  }
  bool TraverseCXXOperatorCallExpr(CXXOperatorCallExpr *o) override {
    return isPart(o)              ? true
           : visibleDefinition(o) ? TraverseCallExpr(o)
                                  : !(found = true);
  }
  bool VisitUnaryOperator(UnaryOperator *u) override {
    const VarDecl *v = namedTarget(u);
    return u->getOpcode() != UO_Deref || u->getType()->isRecordType() ||
           (v && (aliases.count(v) || sizes.count(v))) || !(found = true);
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    const auto *v = dyn_cast<VarDecl>(ref->getDecl());
    return !v || !data.count(v) || !(found = true);
  }
  bool VisitMemberExpr(MemberExpr *m) override {
    const VarDecl *v = memberVariable(m);
    return !v || !data.count(v) || !(found = true);
  }

private:
  bool isPart(const CallExpr *e) const {
    const Decl *callee = e->getCalleeDecl();
    return callee &&
           isPartOfArray(e, sizes, constants, callee->getASTContext());
  }

  const std::set<const VarDecl *> &data;
  const Aliases &aliases;
  const std::map<const VarDecl *, unsigned> &sizes;
  const bool ofPlace;
  ConstantArguments constants;
};

} // namespace

class VariableUse::Visitor : public DynamicRecursiveASTVisitor {
public:
  explicit Visitor(VariableUse &use) : use(use) {}

  /// An assignment to a variable, or through a pointer to one.
  struct Write {
    const VarDecl *variable;
    bool isTarget;
    Expr *value; // null: it updates what is there
    bool adds; // `value`, or 1, to what is there, or multiplies it and the like
  };

  std::vector<std::pair<const VarDecl *, Expr *>> values;
  std::vector<Write> writes;
  std::vector<IfStmt *> branches;
  /// What parameters and references are other names of, or point at.
  std::map<const VarDecl *, std::set<const VarDecl *>> aliases;
  /// Those of VariableUse::places that are not just read at once, by names in
  /// `known`, where a branch has set them.
  std::set<const VarDecl *> lasting;
  bool VisitForStmt(ForStmt *f) override {
    const VarDecl *iterator = variableOf(f);
    if (const auto *init = dyn_cast_or_null<Expr>(f->getInit()))
      for (const Expr *part : commaParts(init))
        if (steppedVariable(part) == iterator)
          headers.insert(part);
    for (const Expr *part : commaParts(f->getInc()))
      if (f->getInit() && steppedVariable(part) == iterator)
        headers.insert(part);
    return place(f->getCond());
  }
  bool VisitIfStmt(IfStmt *s) override {
    branches.push_back(s);
    for (Stmt *branch : {s->getThen(), s->getElse()})
      if (const auto *list = dyn_cast_or_null<CompoundStmt>(branch))
        noteKnown(list);
    return true;
  }
  bool VisitWhileStmt(WhileStmt *s) override { return place(s->getCond()); }
  bool VisitDoStmt(DoStmt *s) override { return place(s->getCond()); }
  bool VisitSwitchStmt(SwitchStmt *s) override { return place(s->getCond()); }
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *s) override {
    return place(s->getIdx());
  }
  bool place(const Expr *e, bool lasts = true) {
    const NamedVariables names(e, &known);
    use.places.insert(names.all.begin(), names.all.end());
    if (lasts)
      lasting.insert(names.others.begin(), names.others.end());
    return true;
  }
  bool VisitVarDecl(VarDecl *v) override {
    Expr *init = v->getInit();
    if (init && recordFields(v->getType()).empty())
      values.emplace_back(v, init);
    if (init)
      passFields(v->getType(), init,
                 [&](const FieldDecl *f) { return fieldVariable(v, f); });
    if (init && v->getType()->isReferenceType())
      if (const VarDecl *other = namedTarget(init))
        aliases[v].insert(other);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *b) override {
    const bool isPlace = b->getLHS()->getType()->isPointerType() ||
                         b->getRHS()->getType()->isPointerType();
    return !isPlace || b->isCommaOp() || place(b);
  }
  bool VisitStmt(Stmt *s) override {
    if (auto [target, value] = recordAssignment(s); target)
      for (const FieldDecl *f : recordFields(target->getType()))
        write(memberOf(target, f), const_cast<Expr *>(memberOf(value, f)));
    const Expr *target = assignedBy(s);
    if (!target || headers.count(s))
      return true;
    const auto *b = dyn_cast<BinaryOperator>(s);
    const bool adds =
        isa<UnaryOperator>(s) || (b && b->isCompoundAssignmentOp());
    const bool hasValue = b && (adds || b->getOpcode() == BO_Assign);
    write(target, hasValue ? b->getRHS() : nullptr, adds);
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *u) override {
    const VarDecl *v = namedVariable(u->getSubExpr());
    if (v && u->getOpcode() == UO_AddrOf && !passed.count(u))
      use.addressTaken.insert(v);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    if (std::optional<ContainerElement> c = containerElement(call))
      place(c->by);
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    if (const Expr *object = objectOf(call))
      passFields(object->getType(), object, fieldOfThis, /*isReference=*/true);
    for (auto [p, argument] : argumentsOf(call, callee)) {
      QualType type = p->getType();
      passFields(type, argument,
                 [&](const FieldDecl *f) { return fieldVariable(p, f); });
      if (const QualType of = type.getNonReferenceType();
          of->isArithmeticType() || isHalf(of))
        values.emplace_back(p, argument);
      const VarDecl *other = passedVariable(argument);
      if (!other || !(type->isPointerType() || type->isReferenceType()))
        continue;
      aliases[p].insert(other);
      passed.insert(argument->IgnoreParenImpCasts());
    }
    // The body of a lambda is part of the function's.
    return isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }

  /// What makes up a place is one.
  void findPlaces() {
    auto makesUp = [&](const VarDecl *v, const Expr *value) {
      if (use.isPlace(v))
        place(value, lasting.count(v));
    };
    for (size_t before = ~size_t(0);
         before != use.places.size() + lasting.size();) {
      before = use.places.size() + lasting.size();
      for (auto [v, value] : values)
        makesUp(v, value);
      for (const Write &w : writes)
        if (w.value)
          makesUp(w.variable, w.value);
    }
  }

private:
  /// Of a structure of numbers, or what leads to one, the fields.
  void
  passFields(QualType type, const Expr *value,
             llvm::function_ref<const VarDecl *(const FieldDecl *)> variable,
             bool isReference = false) {
    if (value->getType().isNull())
      return; // `dim3 grid(w, h)` of a template
    isReference |= type->isReferenceType() || type->isPointerType();
    value = withoutAddressOf(value);
    for (const FieldDecl *f :
         recordFields(type->isPointerType() ? type->getPointeeType() : type)) {
      const Expr *member = memberOf(value, f);
      values.emplace_back(variable(f), const_cast<Expr *>(member));
      if (const VarDecl *other = namedVariable(member); other && isReference)
        aliases[variable(f)].insert(other);
    }
  }
  void write(const Expr *target, Expr *value, bool adds = false) {
    target = target->IgnoreParenImpCasts();
    if (const VarDecl *v = namedTarget(target))
      writes.push_back({v, isa<UnaryOperator>(target), value, adds});
  }

  /// In \p branch, `v = i;` says what v is in what follows.
  void noteKnown(const CompoundStmt *branch) {
    for (const auto &[k, s] : enumerate(branch->body())) {
      const auto *set = dyn_cast<BinaryOperator>(s);
      const VarDecl *v = set && set->getOpcode() == BO_Assign
                             ? namedVariable(set->getLHS())
                             : nullptr;
      if (!v || !v->getType()->isIntegerType() || mentions(set->getRHS(), v))
        continue;
      for (Stmt *next : drop_begin(branch->body(), k + 1)) {
        if (assignedIn(next).count(v))
          break;
        forEach<DeclRefExpr>(next, [&](const auto *ref) {
          if (ref->getDecl() == v)
            known.insert(ref);
        });
      }
    }
  }

  VariableUse &use;
  NamedVariables::Names known;
  std::set<const Stmt *> headers; // the parts of `for` headers
  std::set<const Stmt *> passed;  // addresses that a call takes
  std::set<const FunctionDecl *> entered;
};

/// Whether \p e names a structure that a pointer leads to, as `layer->next`
/// does, whose fields are parts and no data.
static bool namesStructure(const Expr *e) {
  e = e->IgnoreParenImpCasts();
  return !e->getType().isNull() && e->getType()->isPointerType() &&
         e->getType()->getPointeeType()->isRecordType() &&
         isa<MemberExpr, DeclRefExpr>(e);
}

VariableUse::VariableUse(ASTContext &ast, const Stmt *body) {
  Visitor visitor(*this);
  visitor.TraverseStmt(const_cast<Stmt *>(body));
  visitor.findPlaces();
  Sizes visited(ast);
  visited.TraverseStmt(const_cast<Stmt *>(body));
  for (auto [v, value] : visitor.values)
    if (isPlace(v) && v->getType()->isIntegerType())
      visited.collect(value);
  for (const Stmt *s : body->children())
    if (const auto *d = dyn_cast_or_null<DeclStmt>(s))
      visited.collect(d);
  for (const VarDecl *p : visited.used)
    if (visited.hasConstantsAlone(p) && visited.extents[p]) {
      sizes[p] = visited.extents[p];
      for (const VarDecl *q : visited.forwards[p])
        sizes[q] = visited.extents[q];
    }
  for (const Visitor::Write &w : visitor.writes) {
    std::set<const VarDecl *> targets;
    std::function<void(const VarDecl *)> reach = [&](const VarDecl *v) {
      for (const VarDecl *other : visitor.aliases[v])
        if (targets.insert(other).second)
          reach(other);
    };
    reach(w.variable);
    if (!w.isTarget)
      targets.insert(w.variable);
    for (const VarDecl *v : targets) {
      // Of pointers, only what they point at is written.
      if (w.isTarget && v->getType()->isPointerType())
        continue;
      ++assigned[v];
      if (!recordFields(v->getType()).empty())
        continue; // its fields say what they hold
      // What is added to a place, or to what makes one up, moves it, and what
      // divides it makes another.
      const bool moves =
          w.adds && places.count(v) && v->getType()->isIntegerType();
      if (w.value && (moves || !w.adds))
        visitor.values.emplace_back(v, w.value);
      else if (!moves)
        data.insert(v);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto &[v, others] : visitor.aliases)
      for (const VarDecl *other : others)
        if (data.count(other))
          changed |= data.insert(v).second;
    for (auto [v, value] : visitor.values) {
      if (data.count(v))
        continue;
      ReadsData reads(data, visitor.aliases, sizes, isPlace(v));
      reads.TraverseStmt(value);
      const bool isStructure =
          assignments(v) <= (v->hasInit() ? 0u : 1u) && namesStructure(value);
      if (reads.found ||
          !(isStructure ||
            v->getType().getNonReferenceType()->isIntegralOrEnumerationType()))
        changed |= data.insert(v).second;
    }
    // What data decide about.
    for (IfStmt *branch : visitor.branches) {
      ReadsData reads(data, visitor.aliases, sizes, /*ofPlace=*/false);
      reads.TraverseStmt(branch->getCond());
      for (const Stmt *s : {branch->getThen(), branch->getElse()})
        if (reads.found && s)
          for (const VarDecl *v : assignedIn(s))
            if (assigned.count(v) && !visitor.lasting.count(v) &&
                v->getType()->isIntegerType()) {
              changed |= data.insert(v).second;
              places.erase(v);
            }
    }
  }
}

unsigned VariableUse::assignments(const VarDecl *v) const {
  auto it = assigned.find(v);
  return it == assigned.end() ? 0 : it->second;
}

namespace {

class Assignments : public DynamicRecursiveASTVisitor {
public:
  std::set<const VarDecl *> all;

  bool VisitStmt(Stmt *s) override {
    const Expr *target = assignedBy(s);
    if (const VarDecl *v = target ? namedVariable(target) : nullptr)
      all.insert(v);
    if (const Expr *whole = recordAssignment(s).first)
      addFields(whole);
    return true;
  }
  bool VisitVarDecl(VarDecl *v) override {
    if (v->getType()->isReferenceType() && v->getInit())
      if (const VarDecl *other = namedTarget(v->getInit()))
        all.insert(other);
    return true;
  }
  bool VisitCallExpr(CallExpr *call) override {
    const FunctionDecl *callee = visibleDefinition(call);
    if (!callee)
      return true;
    for (auto [p, argument] : argumentsOf(call, callee)) {
      QualType type = p->getType();
      const VarDecl *v = passedVariable(argument);
      bool isGiven =
          type->isReferenceType() ||
          (v && type->isPointerType() && !v->getType()->isPointerType());
      if (v && isGiven && !type->getPointeeType().isConstQualified()) {
        all.insert(v);
        addFields(argument);
      }
    }
    if (const Expr *object = objectOf(call))
      addFields(object);
    return !isLambda(callee) || !entered.insert(callee).second ||
           TraverseStmt(callee->getBody());
  }

private:
  /// The fields of \p e, a variable that is a structure or its address.
  void addFields(const Expr *e) {
    e = withoutAddressOf(e);
    for (const FieldDecl *f : recordFields(e->getType()))
      if (const VarDecl *v = namedVariable(memberOf(e, f)))
        all.insert(v);
  }

  std::set<const FunctionDecl *> entered;
};

} // namespace

std::set<const VarDecl *> VariableUse::assignedIn(const Stmt *s) {
  Assignments assignments;
  assignments.TraverseStmt(const_cast<Stmt *>(s));
  return assignments.all;
}

namespace {
enum class First { None, Sets, Uses };
} // namespace

/// What \p s does first with \p v.
static First firstOf(const Stmt *s, const VarDecl *v) {
  if (const auto *list = dyn_cast_or_null<CompoundStmt>(s)) {
    for (const Stmt *one : list->body())
      if (First first = firstOf(one, v); first != First::None)
        return first;
    return First::None;
  }
  const auto *i = dyn_cast_or_null<IfStmt>(s);
  if (i && i->getElse() && firstOf(i->getCond(), v) == First::None &&
      firstOf(i->getThen(), v) == First::Sets &&
      firstOf(i->getElse(), v) == First::Sets)
    return First::Sets;
  const auto *b = dyn_cast_or_null<BinaryOperator>(s);
  if (b && b->getOpcode() == BO_Assign && namedVariable(b->getLHS()) == v &&
      firstOf(b->getRHS(), v) == First::None)
    return First::Sets;
  const auto *ref = dyn_cast_or_null<DeclRefExpr>(s);
  const bool isUsed = s && ((ref && ref->getDecl() == v) ||
                            any_of(s->children(), [&](const Stmt *part) {
                              return firstOf(part, v) != First::None;
                            }));
  return isUsed ? First::Uses : First::None;
}

bool VariableUse::isSetFirst(ArrayRef<const Stmt *> list, const VarDecl *v) {
  for (const Stmt *s : list)
    if (First first = firstOf(s, v); first != First::None)
      return first == First::Sets;
  return false;
}

} // namespace convopt
