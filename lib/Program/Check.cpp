//===- Check.cpp - Rules that programs keep -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Program/Check.h"
#include "Headline.h"
#include "Uniformity.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace convopt::program {

/// What \p e has as its type; helper functions have that of their arguments.
static Type::Kind kindOf(const Expr &e) {
  if (e.kind() == Expr::Select)
    return std::max(kindOf(e.operand(1)), kindOf(e.operand(2)));
  if (e.kind() != Expr::Call)
    return e.type().kind;
  const Callee callee = e.function().callee;
  if (callee == Callee::Fill)
    return Type::Vector;
  if (callee == Callee::Min || callee == Callee::Max)
    return std::max(kindOf(e.operand(0)), kindOf(e.operand(1)));
  return e.type().kind;
}

static bool isInteger(const Expr &e) { return e && kindOf(e) <= Type::Wide; }

static bool hasValue(Callee callee) {
  return callee < Callee::Local || callee == Callee::HasBulk ||
         callee == Callee::Named || callee == Callee::Construct;
}

namespace {
class Checker {
public:
  explicit Checker(StringRef without) : without(without) {}
  Error run(const Kernel &kernel);
  Error run(const FunctionDefinition &function);

private:
  /// How an expression stands in what is around it.
  enum class Place {
    Value,
    Part,    // an array or a part of it, which is pointed to or measured
    Address, // an argument of a copy, which may be an address
  };

  void fail(StringRef rule, const Twine &what);
  Error result() const;
  void declare(const VariableRef &v);
  const Variable *named(StringRef name) const;
  void block(const Block &b);
  void statement(const Stmt &s);
  void declaration(const Declaration &d);
  void assignment(const Assignment &a);
  void loop(const For &f);
  void function(const LocalFunction &f);
  void call(const CallStmt &c);
  void written(const Expr &to);
  void condition(const Expr &e);
  void integer(const Expr &e, StringRef what);
  void expression(const Expr &e, Place place = Place::Value);
  void variable(const Expr &e, Place place);
  void operation(const Expr &e);
  void valueOfCall(const Expr &e);
  void hostCall(const Expr &e);

  const StringRef without; // a rule
  std::string message;
  const Stmt *current = nullptr;
  bool isInFunction = false;
  std::vector<StringMap<VariableRef>> scopes;
  SmallPtrSet<const Variable *, 32> parameters;
};
} // namespace

void Checker::fail(StringRef rule, const Twine &what) {
  if (!message.empty() || rule == without)
    return;
  message =
      (rule + ": " +
       (current ? headline(*current) : std::string("parameters")) + ": " + what)
          .str();
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

const Variable *Checker::named(StringRef name) const {
  for (const auto &scope : reverse(scopes))
    if (auto it = scope.find(name); it != scope.end())
      return it->second.get();
  return nullptr;
}

void Checker::declare(const VariableRef &v) {
  // Again where it went out of scope is another one of the same name.
  if (named(v->name) == v.get())
    return fail("scope", "'" + v->name + "' is declared twice");
  if (!scopes.back().try_emplace(v->name, v).second)
    fail("scope", "there are two '" + v->name + "' in a block");
}

/// \p e names a variable.
void Checker::variable(const Expr &e, Place place) {
  const Variable &v = *e.variable();
  const std::string name = "'" + v.name + "'";
  if (!isThreadIndex(v) && !isBlockIndex(v)) {
    const Variable *found = named(v.name);
    if (!found)
      return fail("scope", name + " is not declared here");
    if (found != &v)
      return fail("scope", name + " means another variable here");
  }
  const size_t count = e.operands().size();
  const size_t all = v.isPointer ? 1 : v.extents.size();
  if (e.kind() == Expr::Use && place == Place::Value && v.isArray())
    return fail("subscripts", name + " is an array and no value");
  if (e.kind() != Expr::Element)
    return;
  // `*p`
  const bool isFirst = v.isPointer && count == 0;
  if (count > all || (count < all && place == Place::Value && !isFirst))
    fail("subscripts", name + " has " + Twine(count) + " subscripts for " +
                           Twine(all) + " extents");
  for (const Expr &s : e.operands())
    integer(s, "a subscript of " + name);
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

void Checker::condition(const Expr &e) {
  expression(e);
  if (e && kindOf(e) != Type::Bool)
    fail("types", "a condition is not boolean");
}

void Checker::integer(const Expr &e, StringRef what) {
  expression(e);
  if (e && !isInteger(e))
    fail("types", what + " is no integer");
}

void Checker::expression(const Expr &e, Place place) {
  switch (e.kind()) {
  case Expr::None:
    return fail("types", "an expression is missing");
  case Expr::Use:
  case Expr::Element:
    return variable(e, place);
  case Expr::Beyond:
    expression(e.operand(0), Place::Part);
    return integer(e.operand(1), "an offset");
  case Expr::Access:
    expression(e.operand(0));
    return integer(e.operand(1), "the number of elements of an access");
  case Expr::Extent:
    return expression(e.operand(0), Place::Part);
  case Expr::Unary:
    if (e.op() != Op::AddressOf)
      return operation(e);
    if (place != Place::Address)
      fail("types", "an address is no value");
    return expression(e.operand(0), Place::Part);
  case Expr::Binary:
    return operation(e);
  case Expr::Select:
    condition(e.operand(0));
    expression(e.operand(1));
    expression(e.operand(2));
    if ((kindOf(e.operand(1)) == Type::Vector) !=
        (kindOf(e.operand(2)) == Type::Vector))
      fail("types", "a choice between a vector and what is none");
    return;
  case Expr::Call:
    return valueOfCall(e);
  case Expr::List:
  case Expr::Cast:
  case Expr::Formula:
    for (const Expr &o : e.operands())
      expression(o);
    return;
  case Expr::Number:
  case Expr::Source:
  case Expr::Zero:
  case Expr::SizeOf:
    return;
  }
}

void Checker::operation(const Expr &e) {
  const bool isLogic =
      e.op() == Op::And || e.op() == Op::Or || e.op() == Op::Not;
  const bool isAddress =
      e.op() == Op::Add || e.op() == Op::Equal || e.op() == Op::NotEqual;
  for (const Expr &o : e.operands())
    if (isLogic)
      condition(o);
    else if (isAddress && kindOf(o) == Type::Handle) // is compared, or has more
      expression(o);
    else
      integer(o, "what is computed with");
}

void Checker::valueOfCall(const Expr &e) {
  const Callee callee = e.function().callee;
  if (!hasValue(callee))
    return fail("calls", nameOf(e.function()) + " has no value");
  if (callee == Callee::Named || callee == Callee::Construct)
    return hostCall(e);
  if (e.operands().size() != (callee == Callee::HasBulk ? 0 : 2))
    return fail("calls", nameOf(e.function()) + " with " +
                             Twine(e.operands().size()) + " arguments");
  for (const Expr &o : e.operands())
    if (callee == Callee::Fill)
      expression(o);
    else
      integer(o, "an argument");
}

void Checker::hostCall(const Expr &e) {
  if (named(e.function().name))
    fail("scope", "'" + e.function().name + "' is a variable here");
  for (const Expr &o : e.operands())
    expression(o, Place::Address);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Checker::block(const Block &b) {
  scopes.emplace_back();
  for (const StmtRef &s : b)
    statement(*s);
  scopes.pop_back();
}

void Checker::statement(const Stmt &s) {
  current = &s;
  switch (s.kind) {
  case Stmt::Kind::Declaration:
    return declaration(*cast<Declaration>(&s));
  case Stmt::Kind::Assignment:
    return assignment(*cast<Assignment>(&s));
  case Stmt::Kind::Call:
    return call(*cast<CallStmt>(&s));
  case Stmt::Kind::For:
    return loop(*cast<For>(&s));
  case Stmt::Kind::If:
    condition(cast<If>(&s)->condition);
    block(cast<If>(&s)->body);
    return block(cast<If>(&s)->otherwise);
  case Stmt::Kind::Scope:
    return block(cast<Scope>(&s)->body);
  case Stmt::Kind::LocalFunction:
    return function(*cast<LocalFunction>(&s));
  case Stmt::Kind::Return:
    if (isInFunction)
      fail("calls", "a function of a thread returns at its end only");
    if (const Expr &value = cast<Return>(&s)->value)
      expression(value);
    return;
  }
}

/// \p value is one of \p type.
static bool canHold(Type::Kind type, const Expr &value) {
  const Type::Kind kind = kindOf(value);
  if (value.kind() == Expr::List) // which is what is initialised
    return true;
  return type <= Type::Wide      ? kind <= Type::Wide
         : type == Type::Element ? kind <= Type::Element
                                 : kind == type;
}

void Checker::declaration(const Declaration &d) {
  const Variable &v = *d.variable;
  for (const Expr &e : v.extents)
    integer(e, "an extent");
  for (const Expr &e : v.place)
    expression(e, Place::Part);
  if (d.value)
    expression(d.value);
  declare(d.variable);
  if (v.memory != Memory::Register && v.memory != Memory::Shared)
    fail("scope", "a kernel declares registers and shared memory");
  if (v.isArray() ? bool(d.value) && d.value.kind() != Expr::List
                  : v.isConst && !d.value)
    fail("constants", v.isArray() ? "an array has no value of its own"
                                  : "a constant has no value");
  if (d.value && !canHold(v.type.kind, d.value))
    fail("types", "the value is of another type");
}

void Checker::written(const Expr &to) {
  const Variable *v = nullptr;
  to.walk([&](const Expr &part) {
    if (!v)
      v = part.variable().get();
  });
  if (v && (v->isConst || v->memory == Memory::Constant ||
            (!v->isArray() && parameters.contains(v)) || isThreadIndex(*v) ||
            isBlockIndex(*v)))
    fail("constants", "'" + v->name + "' is constant");
}

void Checker::assignment(const Assignment &a) {
  const bool isAccess = a.target.kind() == Expr::Access;
  if (!isAccess && a.target.kind() != Expr::Use &&
      a.target.kind() != Expr::Element && a.target.kind() != Expr::Beyond)
    return fail("types", "the target is no variable");
  expression(a.target);
  expression(a.value);
  if (!a.value)
    return;
  written(a.target);
  if (!canHold(a.target.type().kind, a.value))
    fail("types", "the value is of another type");
  if (isAccess && a.update != Assignment::Update::None)
    fail("types", "a vector is not updated");
}

void Checker::loop(const For &f) {
  integer(f.first, "the first value of a loop");
  scopes.emplace_back();
  declare(f.variable);
  integer(f.end, "the bound of a loop");
  integer(f.step, "the step of a loop");
  if (f.goesOn)
    condition(f.goesOn);
  block(f.body);
  scopes.pop_back();
}

void Checker::function(const LocalFunction &f) {
  if (isInFunction)
    fail("calls", "a function of a thread within another");
  isInFunction = true;
  scopes.emplace_back();
  declare(f.parameter);
  block(f.body);
  scopes.pop_back();
  isInFunction = false;
  current = &f;
  declare(f.name);
}

void Checker::call(const CallStmt &c) {
  const bool isDropped = c.call.kind() == Expr::Cast; // `(void)f()`
  const Expr &call = isDropped ? c.call.operand(0) : c.call;
  if (call.kind() == Expr::Call && (call.function().callee == Callee::Named ||
                                    call.function().callee == Callee::Launch))
    return hostCall(call);
  if (call.kind() != Expr::Call || hasValue(call.function().callee))
    return fail("calls", "a value that nobody uses");
  const Function &f = c.call.function();
  const size_t count = c.call.operands().size(),
               needed = argumentCount(f.callee);
  if (f.callee == Callee::TensorCopy ? count <= needed : count != needed)
    return fail("calls", nameOf(f) + " with " + Twine(count) + " arguments");
  for (const Expr &o : c.call.operands())
    expression(o, Place::Address);
  switch (f.callee) {
  case Callee::Local: {
    const Variable *v = named(f.name);
    if (!v || v->type.kind != Type::Function)
      fail("calls", "'" + f.name + "' is no function here");
    return;
  }
  case Callee::AsyncCopy:
  case Callee::BulkCopy:
  case Callee::TensorCopy:
    return written(c.call.operand(0));
  default:
    return;
  }
}

Error Checker::run(const Kernel &kernel) {
  scopes.emplace_back();
  for (const VariableRef &v : kernel.parameters) {
    declare(v);
    parameters.insert(v.get());
  }
  walk(kernel.body, [&](const Stmt &s) {
    current = &s;
    const auto *f = dyn_cast<For>(&s);
    const auto *r = dyn_cast<Return>(&s);
    if ((f && f->goesOn) || (r && r->value))
      fail("host", "no thread does that");
  });
  walkExprs(kernel.body, [&](const Expr &e) {
    if (e.kind() == Expr::List ||
        (e.kind() == Expr::Call && e.function().callee >= Callee::Named))
      fail("host", "no thread does that");
  });
  block(kernel.body);
  if (message.empty()) {
    auto [statement, why] = Uniformity(kernel).divergent();
    current = statement;
    if (statement)
      fail("uniform control", "it " + why);
  }
  return result();
}

Error Checker::run(const FunctionDefinition &function) {
  scopes.emplace_back();
  for (const auto &[variable, text] : function.parameters)
    declare(variable);
  block(function.body);
  return result();
}

Error Checker::result() const {
  if (message.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(), message);
}

Error check(const Kernel &kernel, StringRef without) {
  return Checker(without).run(kernel);
}
Error check(const FunctionDefinition &function) {
  return Checker("").run(function);
}

} // namespace convopt::program
