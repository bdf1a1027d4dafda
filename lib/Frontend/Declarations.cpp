//===- Declarations.cpp - Sizes, indices and accumulators -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A local variable is a size (a parameter with a definition), the index of a
/// thread, an index that is substituted where it is used, a condition, a
/// pointer into an array, or data: a local array of the nest.
///
//===----------------------------------------------------------------------===//

#include "ChosenPointers.h"
#include "Diagnostics.h"
#include "Half.h"
#include "Meaning.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "StructuredBindings.h"
#include "convopt/Nest/Terms.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// `w = ...` of `int h = ..., w = ...;`.
static clang::SourceRange nameRange(const VarDecl *v) {
  return {v->getLocation(), v->getEndLoc()};
}

/// The part of \p value, an index of threads, that no thread's number is in:
/// the first column of those that have all their neighbours, as of
/// `blockIdx.x * blockDim.x + threadIdx.x + 1`.
static IndexExpr startOf(const IndexExpr &value) {
  IndexExpr start;
  for (const auto &[product, times] : value.terms()) {
    const IndexExpr one = term(product, times);
    if (!hardware::isIn(one))
      start += one;
  }
  return start;
}

/// A value of blocks and threads. Two names for one value are one variable.
void NestBuilder::bindThreadValue(const VarDecl *v, const IndexExpr &value) {
  Binding b(Binding::Thread);
  for (b.number = 0; b.number != threads.variables.size(); ++b.number)
    if (threads.variables[b.number].value == value)
      break;
  if (b.number == threads.variables.size())
    threads.variables.push_back(
        {v->getNameAsString(), value, nullptr, range(nameRange(v))});
  scope[v] = b;
}

/// Whether the text of the function may name what a function that it calls
/// hides by \p name.
bool NestBuilder::mayBeHidden(StringRef name) const {
  return !calls.empty() && isNameBeside(function, name);
}

bool NestBuilder::bindValue(const VarDecl *v, const Expr *value) {
  if (!isPlainInteger(v->getType(), value->getSourceRange()))
    return false;
  size_t obliged = obligations.size();
  std::optional<IndexExpr> hardwareValue;
  if (nest.function.isKernel && atTop())
    hardwareValue = threadIndex(value);
  // What is arithmetic on other threads' variables is substituted; what is not
  // may be a part of one.
  bool isHardware = hardwareValue && hardware::isIn(*hardwareValue);
  if (isHardware &&
      (parseDigit(*hardwareValue) || hardware::isOfLaunch(*hardwareValue) ||
       namesHardware(value) || !attempt([&] { return index(value); }))) {
    if (isNarrow(v->getType()))
      return fail(diag::IndexType, nameRange(v),
                  "the index of a thread may wrap as '" +
                      spelling(v->getType().getUnqualifiedType()) + "'",
                  "use int");
    const IndexExpr start = startOf(*hardwareValue);
    const bool isShifted =
        !start.isZero() && parseDigit(*hardwareValue - start);
    bindThreadValue(v, isShifted ? *hardwareValue - start : *hardwareValue);
    if (!isShifted)
      return true;
    scope[v] = loopOf(nest, threads.variables[scope[v].number]) + start;
    return true;
  }
  // Of what a function computes that is called twice, nothing has a name.
  bool isNamed = atTop() && (calls.empty() || !calls.back().isValue);
  bool isSize =
      isNamed && use.assignments(v) <= (v->hasInit() ? 0u : 1u) && !isHardware;
  if (isSize)
    definedParam = nest.params.size();
  // What bounds a loop is the least of several; elsewhere it is one of them.
  const bool chooses = std::exchange(mayChoose, false);
  std::optional<IndexExpr> e = index(value);
  mayChoose = chooses;
  definedParam.reset();
  if (!e) {
    std::optional<Refusal> refused = std::exchange(pending, std::nullopt);
    obligations.resize(obliged);
    if (bindExtreme(v, value))
      return true;
    isSize = false;
    e = attempt([&] { return index(value); });
    if (!e) {
      pending = std::move(refused);
      return false;
    }
  }
  Binding b(*e);
  std::string name = v->getNameAsString();
  bool isTaken =
      any_of(nest.params, [&](const Param &p) { return p.name == name; }) ||
      is_contained(nest.loopNames, name) || mayBeHidden(name);
  if (isSize && !e->usesLoops() && !isTaken) {
    b.index = IndexExpr::param(nest.params.size());
    nest.params.push_back({name,
                           spelling(v->getType().getUnqualifiedType()),
                           false,
                           *e,
                           {},
                           range(v->getSourceRange())});
  } else {
    for (Obligation &o : obligations)
      if (o.param == nest.params.size())
        o.param.reset();
    b.divided = takeDivided(obliged);
    indices.emplace_back(name, b.index);
  }
  scope[v] = b;
  return true;
}

/// The type of \p v, within a template that of `auto sum = T(0)` too.
static QualType typeOf(const VarDecl *v, const Expr *init) {
  const QualType type = v->getType();
  if (const auto *list = dyn_cast_or_null<InitListExpr>(init);
      list && list->getNumInits() == 1)
    init = list->getInit(0);
  const bool isOpen = init && isa<AutoType>(type) && type->isDependentType();
  return !isOpen ||
                 init->getType()->isSpecificBuiltinType(BuiltinType::Dependent)
             ? type
             : init->getType().getUnqualifiedType();
}

/// A variable that is set once, to what is the same in every iteration: each
/// use is that value, converted as the variable's type converts it.
bool NestBuilder::bindConstant(const VarDecl *v, const Expr *init) {
  if (!init || use.assignments(v))
    return false;
  Statement s(0);
  bool good = attempt([&] { return converted(init, typeOf(v, init), s); });
  bool isUniform = good && all_of(s.operands, [](const Operand &o) {
                     return o.kind == Operand::Index && !o.index.usesLoops();
                   });
  if (!isUniform)
    return false;
  Binding b(Binding::Constant);
  b.text = std::move(s.text);
  b.operands = std::move(s.operands);
  scope[v] = std::move(b);
  return true;
}

bool NestBuilder::bindPointer(const VarDecl *v, const Expr *value) {
  std::optional<ArrayPlace> p = pointer(value);
  if (!p)
    return false;
  scope[v] = {Binding::Pointer, std::move(*p)};
  return true;
}

std::string NestBuilder::freshArrayName(const std::string &stem) const {
  std::string name = stem;
  for (unsigned n = 2;
       any_of(nest.arrays, [&](const Array &o) { return o.name == name; }); ++n)
    name = stem + "_" + std::to_string(n);
  return name;
}

unsigned NestBuilder::addLocal(const std::string &name, const std::string &type,
                               std::vector<IndexExpr> extents,
                               clang::SourceRange where) {
  Array a;
  a.name = freshArrayName(name);
  a.elementType = type;
  a.role = Array::LocalArray;
  a.extents = std::move(extents);
  a.range = range(where);
  const unsigned id = nest.arrays.size();
  nest.arrays.push_back(std::move(a));
  sourceArrays.push_back({});
  current->push_back(std::make_shared<Local>(id, range(where)));
  return id;
}

/// Whether \p e is what elements have that a list leaves out.
static bool isZero(const Expr *e, const ASTContext &ast) {
  if (isa<ImplicitValueInitExpr>(e))
    return true;
  if (const auto *list = dyn_cast<InitListExpr>(e))
    return all_of(list->inits(), [&](const Expr *i) { return isZero(i, ast); });
  Expr::EvalResult value;
  if (e->isValueDependent() || !e->getType()->isArithmeticType() ||
      !e->EvaluateAsRValue(value, ast) || value.HasSideEffects)
    return false;
  return value.Val.isFloat() ? value.Val.getFloat().isPosZero()
                             : value.Val.isInt() && value.Val.getInt() == 0;
}

/// Gives \p target, an array or a part of one, the values of a list; what it
/// leaves out is zero, and so is all where \p value is null.
bool NestBuilder::initialise(Access target, const Expr *value, QualType element,
                             clang::SourceRange where) {
  const std::vector<IndexExpr> extents = nest.arrays[target.array].extents;
  const size_t dimension = target.subscripts.size();
  if (isa_and_nonnull<ImplicitValueInitExpr>(value)) // a row that is left out
    value = nullptr;
  if (dimension == extents.size())
    return store(std::move(target),
                 value ? value : new (ast) ImplicitValueInitExpr(element),
                 BO_Assign, where);
  const auto *list = dyn_cast_or_null<InitListExpr>(value);
  if (value && (!list || list->isStringLiteralInit()))
    return fail(diag::LocalArray, value->getSourceRange(),
                "array '" + nest.arrays[target.array].name +
                    "' is initialised by what is no list of its elements",
                "list them, with braces around each row");
  ArrayRef<const Expr *> given;
  if (list)
    given = ArrayRef(list->getInits(), list->getNumInits());
  while (!given.empty() && isZero(given.back(), ast))
    given = given.drop_back();
  for (auto [k, one] : enumerate(given)) {
    Access part = target;
    part.subscripts.push_back(int64_t(k));
    if (!initialise(std::move(part), one, element, where))
      return false;
  }
  const IndexExpr first = int64_t(given.size());
  if (extents[dimension] == first)
    return true;
  const std::string name = nameOf(nest.arrays[target.array].name + "_i");
  auto loop = std::make_shared<Loop>(nest.addLoopName(name), range(where));
  loop->lower.push_back({first, 1});
  loop->upper.push_back({extents[dimension], 1});
  target.subscripts.push_back(IndexExpr::loop(loop->id));
  Body *around = std::exchange(current, &loop->body);
  open.push_back(loop);
  bool good = initialise(std::move(target), nullptr, element, where);
  open.pop_back();
  current = around;
  current->push_back(std::move(loop));
  return good;
}

/// Whether \p type is a std::complex.
static bool isComplex(QualType type) {
  const RecordDecl *r = type->getAsRecordDecl();
  return r && r->isInStdNamespace() && r->getName() == "complex";
}

/// An accumulator or a value that was loaded: storage of the nest's own.
bool NestBuilder::dataVariable(const VarDecl *v, const Expr *init) {
  QualType type = typeOf(v, init);
  std::optional<std::vector<IndexExpr>> extents =
      innerExtents(type, nameRange(v));
  if (!extents)
    return false;
  std::string name = v->getNameAsString();
  if (type->getContainedAutoType() && type->isDependentType())
    return fail(diag::Type, nameRange(v),
                "the type of '" + name + "' is not known",
                "write the type instead of auto");
  if (!isNumber(type))
    return fail(diag::Type, nameRange(v),
                "'" + name + "' is of type '" + spelling(type) +
                    (isOfHostAlone(type) ? "', which device code does not have"
                                         : "', which is no number"),
                isOfHostAlone(type) ? "use float or double"
                : isComplex(type)
                    ? "use float2, or a structure of your own with a field for "
                      "each part and operators"
                    : "");
  if (use.isAddressTaken(v))
    return fail(diag::Address, nameRange(v),
                "the address of '" + name + "' is taken, so that it may alias");
  // Of a template's type, a list has none of its own.
  if (const auto *list = dyn_cast_or_null<InitListExpr>(init);
      list && list->getNumInits() == 0 && extents->empty() &&
      type->isDependentType())
    init = new (ast) ImplicitValueInitExpr(type);
  if (extents->empty() && bindConstant(v, init))
    return true;
  if (!mayHoist)
    return bindText(v, init);
  const bool isInLoops =
      nest.function.isKernel ||
      any_of(open, [](const auto &n) { return isa<Loop>(&*n); });
  if (!extents->empty() && init && !isInLoops)
    return !tableOf(v).empty() || // whose numbers subscripts know
           fail(diag::LocalArray, nameRange(v),
                "array '" + name + "' is initialised before the loops",
                "pass it as a parameter");
  Binding b;
  b.number = addLocal(name, spelling(type.getUnqualifiedType()), *extents,
                      nameRange(v));
  b.kind = extents->empty() ? Binding::Local : Binding::Pointer;
  if (!extents->empty())
    b.place = {b.number, {IndexExpr(0)}};
  scope[v] = b;
  if (!init)
    return true;
  if (!extents->empty())
    return initialise({b.number, {}}, init, type.getUnqualifiedType(),
                      nameRange(v));
  initialisers.insert(nextStatement);
  noteConversion(init, type);
  const bool good = store({b.number, {}}, init, BO_Assign, nameRange(v));
  scope[v] = b; // which a call in the value may have had for itself
  return good;
}

/// Whether \p v has one value in all calls, that may as well be made anew.
static bool isTable(const VarDecl *v, const ASTContext &ast) {
  return v->isStaticLocal() && !v->hasAttr<CUDASharedAttr>() &&
         ast.getBaseElementType(v->getType()).isConstQualified() &&
         v->hasInit() &&
         v->getInit()->isConstantInitializer(const_cast<ASTContext &>(ast),
                                             /*ForRef=*/false);
}

bool NestBuilder::variable(const VarDecl *v, const Expr *init) {
  std::string name = "'" + v->getNameAsString() + "'";
  QualType type = v->getType();
  clang::SourceRange where = nameRange(v);
  if (v->hasAttr<CUDASharedAttr>() && !sharedVariable(v))
    return false;
  if (type.isVolatileQualified())
    return fail(diag::Volatile, where, name + " is volatile");
  if (v->isConstexpr() && v->isStaticLocal() && type->isIntegerType() &&
      v->hasInit())
    return bindValue(v, v->getInit());
  if ((v->isStaticLocal() && !v->hasAttr<CUDASharedAttr>() &&
       !isTable(v, ast)) ||
      v->hasExternalStorage() || v->getTLSKind() != VarDecl::TLS_None)
    return fail(diag::Static, where, name + " keeps its value between calls");
  if (const CXXRecordDecl *r = type->getAsCXXRecordDecl(); r && r->isLambda())
    return lambda(v, r);
  if (const auto fields = recordFields(type);
      type->isReferenceType() && !fields.empty() &&
      !attempt([&] { return object(init); })) {
    std::map<const VarDecl *, Binding> bound;
    if (!bindFields(
            init, fields,
            [&](const FieldDecl *f) { return fieldVariable(v, f); },
            /*isReference=*/true, /*isCopied=*/false, bound))
      return false;
    bound[v] = Binding::Fields;
    for (auto &[one, b] : bound)
      scope[one] = std::move(b);
    return true;
  }
  if (type->isReferenceType()) {
    std::optional<Binding> b = refersTo(v, init);
    if (b)
      scope[v] = std::move(*b);
    return b.has_value();
  }
  if (init && objectType(type)->isRecordType() && !isHalf(type) &&
      !isRecordChanged(v))
    if (std::optional<Binding> b = attempt([&] { return refersTo(v, init); })) {
      scope[v] = std::move(*b);
      return true;
    }
  if (isSplit(v) && !(init && init->getType().isNull()))
    return recordVariable(v, init);
  if (type->isPointerType()) {
    if (use.isAddressTaken(v))
      return fail(diag::Address, where,
                  "pointer " + name + " may alias: its address is taken",
                  "subscript the parameter instead");
    // Assigned later, or read as one of two.
    return !init || chosenPointer(init, ast) || bindPointer(v, init);
  }
  if (truths.contains(v) &&
      (!init || attempt([&] { return bindTruth(v, init); })))
    return true;
  bool fresh = init && !use.holdsData(v);
  // A truth value of C is an int.
  bool isTruth = type->isBooleanType() || (init && type->isIntegerType() &&
                                           init->isKnownToHaveBooleanValue());
  if (isTruth && fresh && !use.assignments(v) &&
      attempt([&] { return bindTruth(v, init); }))
    return true;
  bool isIndex = type->isIntegralOrEnumerationType() &&
                 !type->isBooleanType() && !use.holdsData(v) &&
                 !use.isAddressTaken(v);
  if (!isIndex)
    return dataVariable(v, init);
  // Data that wraps perhaps.
  if (isNarrow(type) && !use.isPlace(v) && bindConstant(v, init))
    return true;
  // Declared now and assigned later.
  return !init || bindValue(v, init);
}

bool NestBuilder::declaration(const DeclStmt *d) {
  for (const Decl *one : d->decls()) {
    if (isa<TypedefNameDecl, EmptyDecl, StaticAssertDecl, UsingDecl,
            UsingDirectiveDecl>(one))
      continue;
    const auto *v = dyn_cast<VarDecl>(one);
    if (!v)
      return fail(diag::Statement, one->getSourceRange(),
                  "this declaration is not part of a loop nest");
    if (const auto *parts = dyn_cast<DecompositionDecl>(v)) {
      const Expr *of = decomposed(parts);
      const bool isKnown = areOnlyRead(parts);
      for (auto [k, b] : enumerate(parts->bindings())) {
        const Expr *part = isKnown ? boundPart(b, k, of) : nullptr;
        const auto *member = dyn_cast_or_null<MemberExpr>(part);
        std::optional<Object> p;
        if (part && b->getType()->isIntegralOrEnumerationType())
          p = member ? field(member) : elementOf(of, part);
        if (!p)
          return pending ? false
                         : fail(diag::IndexValue, b->getSourceRange(),
                                "what '" + b->getNameAsString() +
                                    "' names is not understood",
                                "declare a variable for each part");
        const std::string name = b->getNameAsString();
        scope[b] = addPart(*p, b->getType(), b->getSourceRange(),
                           mayBeHidden(name) ? "" : name);
      }
      continue;
    }
    const Expr *init = v->getInit();
    // `T sum(0)`
    if (const auto *list = dyn_cast_or_null<ParenListExpr>(init);
        list && list->getNumExprs() == 1)
      init = list->getExpr(0);
    auto read = [&] { return variable(v, init); };
    if (!(init ? readWithSteps(init, read) : read()))
      return false;
  }
  return true;
}

} // namespace convopt
