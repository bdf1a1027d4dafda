//===- RhsBuilder.cpp - Right-hand sides as text with holes ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The text is made anew from the AST, since macros may have written it, and
/// says what the source says: literals as spelled, written conversions, calls
/// of pure functions. Implicit conversions follow from the operands' types.
///
//===----------------------------------------------------------------------===//

#include "ChosenPointers.h"
#include "Diagnostics.h"
#include "Half.h"
#include "Meaning.h"
#include "NestBuilder.h"
#include "ReadOnly.h"
#include "Records.h"
#include "convopt/Source/Lexemes.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {

void NestBuilder::addOperand(Operand o, Statement &s) {
  if (std::optional<int64_t> c = o.index.asConstant();
      c && o.kind == Operand::Index) {
    s.text += *c < 0 ? "(" + std::to_string(*c) + ")" : std::to_string(*c);
    return;
  }
  bool isSum = o.kind == Operand::Index && !o.index.asVar();
  std::string hole = "$" + std::to_string(s.operands.size());
  s.text += isSum ? "(" + hole + ")" : hole;
  s.operands.push_back(std::move(o));
}

/// The text of \p constant, its operands numbered on from those of \p s.
void NestBuilder::addConstant(const Binding &constant, Statement &s) {
  const unsigned first = s.operands.size();
  s.text += fillHoles(
      constant.text,
      [&](unsigned operand) { return "$" + std::to_string(first + operand); },
      "$$");
  append_range(s.operands, constant.operands);
}

std::string NestBuilder::literal(const Expr *e) const {
  const SourceManager &sm = ast.getSourceManager();
  SourceLocation at = sm.getSpellingLoc(e->getBeginLoc());
  std::string text = Lexer::getSourceText(CharSourceRange::getTokenRange(at),
                                          sm, ast.getLangOpts())
                         .str();
  std::string escaped;
  for (char c : text)
    escaped += c == '$' ? "$$" : std::string(1, c);
  return escaped;
}

/// The type that numbers of \p type have in arithmetic: an enumeration's own
/// type is no number in C++, or is not seen.
static QualType ofNumbers(QualType type) {
  const auto *e = type->getAs<EnumType>();
  return e ? e->getDecl()->getPromotionType() : type.getUnqualifiedType();
}

/// Whether a number can be written: of the NaNs one has a name.
static bool isWritten(const APValue &v) {
  return v.isInt() ||
         (v.isFloat() && (!v.getFloat().isNaN() ||
                          v.getFloat().bitwiseIsEqual(
                              APFloat::getQNaN(v.getFloat().getSemantics()))));
}

/// A constant as its value: the added code does not see its declaration, as of
/// C, or another one of that name.
bool NestBuilder::rhsOfConstant(const Expr *ref, StringRef name, Statement &s) {
  Expr::EvalResult value;
  if (ref->isValueDependent() ||
      !ref->EvaluateAsRValue(value, ast, /*InConstantContext=*/true) ||
      value.HasSideEffects || !isWritten(value.Val))
    return fail(diag::Global, ref->getSourceRange(),
                "the value of '" + name + "' is not known");
  SmallString<32> text;
  if (value.Val.isInt()) {
    value.Val.getInt().toString(text);
  } else if (!value.Val.getFloat().isFinite()) {
    text += value.Val.getFloat().isNegative() ? "-" : "";
    text += value.Val.getFloat().isInfinity() ? "INFINITY" : "NAN";
  } else {
    // Digits from which the same number is read, as a double.
    APFloat wide = value.Val.getFloat();
    bool loses = false;
    wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
    wide.toString(text);
  }
  s.text +=
      "(" + spelling(ofNumbers(ref->getType())) + ")(" + text.str().str() + ")";
  return true;
}

bool NestBuilder::rhsOfName(const ValueDecl *d, const Expr *ref, Statement &s) {
  const auto *p = dyn_cast<ParmVarDecl>(d);
  QualType type =
      p && isConstReference(p) ? d->getType()->getPointeeType() : d->getType();
  auto it = scope.find(d);
  bool known = it != scope.end();
  if (known && (it->second.kind == Binding::Local ||
                it->second.kind == Binding::Element))
    return rhsOfRead(ref, s);
  if (known &&
      (it->second.kind == Binding::Constant ||
       (it->second.kind == Binding::Condition && !it->second.text.empty()))) {
    addConstant(it->second, s);
    return true;
  }
  if (known &&
      is_contained({Binding::Value, Binding::Thread, Binding::Condition},
                   it->second.kind)) {
    std::optional<IndexExpr> i = index(ref);
    if (!i)
      return false;
    // An iterator is an int in the output, whatever it was here.
    if (type->isScopedEnumeralType())
      type = ofNumbers(type);
    std::string name = spelling(type.getUnqualifiedType());
    if (name != "int")
      s.text += "(" + name + ")";
    addOperand({Operand::Index, {}, std::move(*i)}, s);
    return true;
  }
  if (known && it->second.kind == Binding::Extreme) {
    if (const std::string name = spelling(type.getUnqualifiedType());
        name != "int")
      s.text += "(" + name + ")";
    return rhsOfExtreme(it->second, s);
  }
  const auto *v = dyn_cast<VarDecl>(d);
  bool isParameter = p && !known && isNumber(type);
  if (isParameter && !use.assignments(v) && !use.isAddressTaken(v)) {
    s.text += nameOf(p);
    return true;
  }
  bool isConstant = isa<EnumConstantDecl>(d) ||
                    (v && v->hasGlobalStorage() && type.isConstQualified() &&
                     type->isArithmeticType() && v->hasInit());
  if (isConstant &&
      (!ast.getLangOpts().CPlusPlus || !isSeenBeside(function, d)))
    return rhsOfConstant(ref, d->getNameAsString(), s);
  if (isConstant) {
    s.text += cast<DeclRefExpr>(ref)->getNameInfo().getAsString();
    return true;
  }
  if (!known && bindGlobal(d, ref->getSourceRange()))
    return rhsOfPart(scope[d], type, s);
  if (v && v->isLocalVarDecl())
    return fail(diag::LoopValue, ref->getSourceRange(),
                "'" + d->getNameAsString() +
                    "' has no known value here: a loop or a branch before may "
                    "have set it",
                "compute it where it is used, from iterators and sizes");
  return fail(diag::Global, ref->getSourceRange(),
              "'" + d->getNameAsString() +
                  "' has no known value here, or may be changed elsewhere",
              "pass it as a parameter");
}

/// A part of a parameter: its value, in its own type.
bool NestBuilder::rhsOfPart(const Binding &part, QualType type, Statement &s) {
  if (part.kind == Binding::Constant) {
    addConstant(part, s);
    return true;
  }
  const std::string name = spelling(type.getUnqualifiedType());
  if (name != "int")
    s.text += "(" + name + ")";
  addOperand({Operand::Index, {}, part.index}, s);
  return true;
}

bool NestBuilder::rhsOfCast(const Expr *cast, QualType written, const Expr *sub,
                            Statement &s) {
  if (!isNumber(written))
    return fail(diag::Type, cast->getSourceRange(),
                "this conversion is not of a number");
  // Which says itself what it makes.
  const auto *c = dyn_cast<CastExpr>(cast);
  if (c && halfConversion(sub->IgnoreParenImpCasts()) &&
      is_contained(
          {CK_ConstructorConversion, CK_UserDefinedConversion, CK_NoOp},
          c->getCastKind()))
    return rhs(sub, s);
  s.text += "(" + spelling(written.getUnqualifiedType()) + ")(";
  if (!rhs(sub, s))
    return false;
  s.text += ")";
  return true;
}

bool NestBuilder::rhsOfBinary(const Expr *lhs, const Expr *rhsExpr,
                              StringRef op, Statement &s) {
  if (!rhs(lhs, s))
    return false;
  s.text += " " + op.str() + " ";
  // The right side of `&&` may not be evaluated.
  bool isMaybe = op == "&&" || op == "||";
  underCondition += isMaybe;
  bool good = rhs(rhsExpr, s);
  underCondition -= isMaybe;
  return good;
}

bool NestBuilder::refuseMaybeRead(unsigned array, clang::SourceRange where) {
  return fail(diag::DataBranch, where,
              "'" + nest.arrays[array].name +
                  "' is read only under a condition within an expression",
              "read it into a variable before the condition, as in 'float v = "
              "x[...]; s += mask ? v : 0'; what asks indices alone may stand "
              "around both as an 'if', or around the read, as in (inside ? "
              "x[...] : 0)");
}

/// Whether a statement before, which runs wherever the current one does, has
/// read \p a.
bool NestBuilder::isReadBefore(const Access &a) const {
  auto isIn = [&](const Body &body) {
    return any_of(select<Statement>(body), [&](const Statement *s) {
      return any_of(readsOf(*s), [&](const Operand &o) {
        return o.guard.empty() && o.access == a;
      });
    });
  };
  return isIn(*current) ||
         any_of(open, [&](const auto &n) { return isIn(*bodyOf(*n)); });
}

/// An array that is read only under a condition may be shorter, or missing,
/// where that does not hold: its extent is not what the loops say.
bool NestBuilder::rhsOfRead(const Expr *e, Statement &s) {
  std::optional<Access> a = access(e);
  if (!a)
    return false;
  bool isRead = any_of(readsOf(s), [&](const Operand &o) {
    return o.guard.empty() && o.access == *a;
  });
  isRead |= is_contained(existing, *a) || isReadBefore(*a);
  const bool isMaybe =
      underCondition && !isRead && !nest.arrays[a->array].isLocal();
  if (isMaybe && mayBeTouched)
    dataReads.push_back({*a, open, e->getSourceRange()});
  else if (isMaybe)
    return refuseMaybeRead(a->array, e->getSourceRange());
  addOperand({Operand::Read, std::move(*a)}, s);
  return true;
}

/// Whether a call converts its argument \p e to the parameter's type.
static bool isConverted(const Expr *e) {
  const auto *cast = dyn_cast<ImplicitCastExpr>(e);
  if (!cast)
    return false;
  switch (cast->getCastKind()) {
  case CK_FloatingCast:
  case CK_FloatingToIntegral:
  case CK_IntegralToFloating:
  case CK_IntegralCast:
    return true;
  default:
    return false;
  }
}

/// Conversions of arguments are written out: where the source has one `exp`
/// of double, the emitted file has overloads, and must take the same one.
bool NestBuilder::rhsOfCall(const CallExpr *call, Statement &s) {
  PureCallee callee = pureCallee(call);
  if (std::optional<BinaryOperatorKind> op = halfOperator(call)) {
    s.text += "(";
    const bool good = rhsOfBinary(call->getArg(0), call->getArg(1),
                                  BinaryOperator::getOpcodeStr(*op), s);
    s.text += ")";
    return good;
  }
  if (!callee.isPure) {
    if (attempt([&] { return rhsOfConstant(call, callee.name, s); }))
      return true; // `std::numeric_limits<float>::max()`, `INFINITY`
    if (const FunctionDecl *own = visibleDefinition(call))
      return inlined(call, own, /*hoists=*/true, [&](const Expr *value) {
        QualType type = own->getReturnType();
        return type->isReferenceType() ? rhs(value, s)
                                       : converted(value, type, s);
      });
    return fail(diag::Call, call->getSourceRange(),
                "a call of '" + callee.name +
                    "' may have side effects: " + whyNotVisible(call),
                call->getCallee()->isTypeDependent()
                    ? "use the template in the file, or instantiate it there"
                    : "only the math functions of C and CUDA, and functions "
                      "whose body is in the file, are looked into");
  }
  if (callee.isStd && (callee.name == "max" || callee.name == "min"))
    if (const auto all = comparedBy(call); !all.empty())
      return rhsOfMinMax(call, all, callee.name == "min", s);
  if (callee.isStd && callee.name == "clamp")
    return rhsOfClamp(call, s);
  s.text += callee.rest.empty() ? "" : "(";
  s.text += (callee.isStd ? "std::" : "") + callee.name + "(";
  for (unsigned k = 0; k != call->getNumArgs(); ++k) {
    s.text += k ? ", " : "";
    if (!rhsOfArgument(call->getArg(k), s))
      return false;
  }
  s.text += ")" + (callee.rest.empty() ? "" : callee.rest + ")");
  return true;
}

bool NestBuilder::rhsOfArgument(const Expr *argument, Statement &s) {
  if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(argument))
    argument = m->getSubExpr(); // of a reference
  bool converted = isConverted(argument);
  if (converted)
    s.text += "(" + spelling(argument->getType().getUnqualifiedType()) + ")(";
  bool good = rhs(argument, s);
  s.text += converted ? ")" : "";
  return good;
}

/// A conversion of a 16-bit number is a cast, whoever makes it. An argument
/// whose type a template leaves open is converted to the parameter's first.
bool NestBuilder::rhsOfHalf(const HalfConversion &c, Statement &s) {
  if (c.to.empty())
    return rhs(c.value, s);
  const bool isOpen = !c.from.empty() && c.value->isTypeDependent();
  s.text += "(" + c.to + ")(" + (isOpen ? "(" + c.from + ")(" : "");
  bool good = c.from.empty() ? rhs(c.value, s) : rhsOfArgument(c.value, s);
  s.text += isOpen ? "))" : ")";
  return good;
}

/// The text of an operator before a value.
static std::optional<char> signOf(OverloadedOperatorKind op) {
  switch (op) {
  case OO_Minus:
    return '-';
  case OO_Plus:
    return '+';
  case OO_Tilde:
    return '~';
  case OO_Exclaim:
    return '!';
  default:
    return std::nullopt;
  }
}

/// No `--` out of a sign before a sign.
bool NestBuilder::rhsOfSign(char sign, const Expr *value, Statement &s) {
  s.text += std::string(1, sign) + "(";
  bool good = rhs(value, s);
  s.text += ")";
  return good;
}

/// The type of `{}`, `float()` and `T{}`, which are zeros; none of other
/// expressions.
static QualType zeroOf(const Expr *e) {
  auto isEmpty = [](const Expr *e) {
    const auto *list = dyn_cast<InitListExpr>(e);
    return list && list->getNumInits() == 0;
  };
  const auto *t = dyn_cast<CXXUnresolvedConstructExpr>(e);
  if (t &&
      (t->getNumArgs() == 0 || (t->getNumArgs() == 1 && isEmpty(t->getArg(0)))))
    return t->getTypeAsWritten();
  return isEmpty(e) || isa<ImplicitValueInitExpr, CXXScalarValueInitExpr>(e)
             ? e->getType()
             : QualType();
}

/// A field of a value, or of an element of an array of structures.
bool NestBuilder::rhsOfMember(const MemberExpr *m, Statement &s) {
  const auto *f = dyn_cast<FieldDecl>(m->getMemberDecl());
  const Expr *value = f && !m->isArrow() ? memberOf(m->getBase(), f) : m;
  if (!isa<MemberExpr>(value))
    return converted(value, f->getType(), s);
  if (const CallExpr *call = callOfMember(cast<MemberExpr>(value)))
    return inlined(call, visibleDefinition(call), /*hoists=*/true,
                   [&](const Expr *returned) {
                     return converted(memberOf(returned, f), f->getType(), s);
                   });
  return rhsOfRead(value, s);
}

bool NestBuilder::rhs(const Expr *e, Statement &s) {
  if (s.text.size() > MaxTextSize)
    return fail(diag::TooLarge, e->getSourceRange(),
                "the expression that this is part of is too large",
                "compute it in several statements");
  if (isOfHostAlone(e->getType()))
    return fail(diag::Type, e->getSourceRange(),
                "this is of type '" +
                    spelling(e->getType().getUnqualifiedType()) +
                    "', which device code does not have",
                "use float or double");
  if (const auto *paren = dyn_cast<ParenExpr>(e)) {
    // Which has parentheses of its own.
    if (isa<ConditionalOperator>(paren->getSubExpr()))
      return rhs(paren->getSubExpr(), s);
    s.text += "(";
    bool good = rhs(paren->getSubExpr(), s);
    s.text += ")";
    return good;
  }
  if (const auto *full = dyn_cast<FullExpr>(e))
    return rhs(full->getSubExpr(), s);
  if (const auto *m = dyn_cast<MaterializeTemporaryExpr>(e))
    return rhs(m->getSubExpr(), s);
  if (const auto *given = dyn_cast<SubstNonTypeTemplateParmExpr>(e))
    return given->getType()->isEnumeralType()
               ? rhsOfConstant(given, "this argument", s)
               : rhs(given->getReplacement(), s);
  if (const auto *cast = dyn_cast<ImplicitCastExpr>(e))
    return rhs(cast->getSubExpr(), s);
  if (const auto *cast = dyn_cast<ExplicitCastExpr>(e))
    return rhsOfCast(e, cast->getTypeAsWritten(), cast->getSubExpr(), s);
  const QualType zero = zeroOf(e);
  if (!zero.isNull() && isNumber(zero)) {
    s.text += "(" + spelling(zero.getUnqualifiedType()) + ")(0)";
    return true;
  }
  if (const auto *cast = dyn_cast<CXXUnresolvedConstructExpr>(e))
    if (cast->getNumArgs() == 1)
      return rhsOfCast(e, cast->getTypeAsWritten(), cast->getArg(0), s);
  const auto *list = dyn_cast<InitListExpr>(e);
  if (list && list->getNumInits() == 1)
    return rhs(list->getInit(0), s);
  if (const ValueDecl *d = named(e))
    return rhsOfName(d, e, s);
  if (const Expr *one = chosenElement(e, ast))
    return rhs(one, s);
  if (std::optional<Binding> p = part(e))
    return rhsOfPart(*p, e->getType(), s);
  if (pending)
    return false;
  if (const auto *m = dyn_cast<MemberExpr>(e))
    return rhsOfMember(m, s);
  if (isa<FloatingLiteral, IntegerLiteral, CXXBoolLiteralExpr>(e)) {
    s.text += literal(e);
    return true;
  }
  if (const auto *c = dyn_cast<ConditionalOperator>(e))
    return rhsOfConditional(c, s);
  if (const auto *block = dyn_cast<StmtExpr>(e))
    return inStatements(block, /*hoists=*/true, [&](const Expr *value) {
      return converted(value, block->getType(), s);
    });
  if (const auto *b = dyn_cast<BinaryOperator>(e);
      b && !b->isAssignmentOp() && !b->isCommaOp() && !b->isPtrMemOp())
    return rhsOfBinary(b->getLHS(), b->getRHS(), b->getOpcodeStr(), s);
  if (const auto *o = dyn_cast<CXXOperatorCallExpr>(e)) {
    // Within a template a name of some operator is in scope.
    if (isOfNumbers(o) && o->isInfixBinaryOp() && !o->isAssignmentOp())
      return rhsOfBinary(o->getArg(0), o->getArg(1),
                         getOperatorSpelling(o->getOperator()), s);
    if (isOfNumbers(o) && o->getNumArgs() == 1)
      if (auto sign = signOf(o->getOperator()))
        return rhsOfSign(*sign, o->getArg(0), s);
  }
  if (std::optional<HalfConversion> c = halfConversion(e))
    return rhsOfHalf(*c, s);
  if (containerElement(e))
    return rhsOfRead(e, s);
  const auto *call = dyn_cast<CallExpr>(e);
  if (call && (!isa<CXXOperatorCallExpr>(e) || visibleDefinition(call)))
    return rhsOfCall(call, s);
  const auto *u = dyn_cast<UnaryOperator>(e);
  if (u)
    if (auto sign =
            signOf(UnaryOperator::getOverloadedOperator(u->getOpcode())))
      return rhsOfSign(*sign, u->getSubExpr(), s);
  const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
  if (isa<ArraySubscriptExpr>(e) || (u && u->getOpcode() == UO_Deref) ||
      (o && o->getOperator() == OO_Subscript))
    return rhsOfRead(e, s);
  if (call && !(o && o->isAssignmentOp()))
    return fail(diag::Call, e->getSourceRange(),
                "a call of an operator of type '" +
                    spelling(call->getArg(0)->getType().getUnqualifiedType()) +
                    "' may have side effects: " + whyNotVisible(call),
                "only functions whose body is in the file are looked into");
  const bool hasEffect = isa<BinaryOperator>(e) || isa<UnaryOperator>(e);
  return fail(hasEffect ? diag::SideEffect : diag::Expression,
              e->getSourceRange(),
              hasEffect ? "an expression with a side effect within another"
                        : "this expression is not understood",
              "a nest computes with numbers, array elements and the functions "
              "of <math.h>");
}

} // namespace convopt
