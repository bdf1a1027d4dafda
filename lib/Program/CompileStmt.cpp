//===- CompileStmt.cpp - Statements made ready to run ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprValues.h"
#include "Operations.h"

using namespace llvm;

namespace convopt::program {

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

void Compiler::bindIndices(const Kernel &kernel) {
  for (unsigned d = 0; d != 3; ++d) {
    threadIndices[d].values.resize(m.threads);
    blockIndices[d].values.resize(m.threads);
    bindings[threadIndex(d).get()].slot = &threadIndices[d];
    bindings[blockIndex(d).get()].slot = &blockIndices[d];
  }
  for (unsigned t = 0; t != m.threads; ++t) {
    Word rest = t;
    for (unsigned d = 0; d != 3; ++d) {
      threadIndices[d].values[t] = rest % kernel.block[d];
      rest /= kernel.block[d];
    }
  }
}

const Compiler::Binding *Compiler::bindParameter(const Variable &v) {
  // One array, whatever object the kernel knows it by.
  auto [known, isNew] = parameters.try_emplace(v.name);
  Binding &b = known->second;
  auto scalar = launch.scalars.find(v.name);
  auto array = launch.arrays.find(v.name);
  auto map = launch.tensorMaps.find(v.name);
  if (!isNew) {
  } else if (array != launch.arrays.end()) {
    Storage &s = storages.emplace_back();
    b.storage = &s;
    s.variable = &v;
    s.isParameter = true;
    s.elementBytes = sizeOf(v.type);
    s.alignment = array->second.alignment;
    s.isReadOnly = array->second.isReadOnly || v.memory == Memory::Constant;
    s.data = std::move(array->second.elements);
    s.setExtents(int64_t(s.data.size()), /*isFlat=*/true, false);
    if (!s.isReadOnly)
      s.shadow.resize(s.size);
  } else if (map != launch.tensorMaps.end()) {
    b.map = &map->second;
  } else if (scalar != launch.scalars.end()) {
    b.constant = scalar->second;
  } else {
    parameters.erase(known);
    return fail("'" + v.name + "' is not declared, nor in the launch");
  }
  return &(bindings[&v] = b);
}

std::unique_ptr<Operation> Compiler::declaration(const Declaration &d) {
  const Variable &v = *d.variable;
  if (v.isArray() || v.memory != Memory::Register)
    return arrayDeclaration(d);
  ValueRef value;
  if (d.value) {
    value = converted(this->value(d.value), v.type.kind);
    if (!value)
      return nullptr;
    if (value->width != 1)
      return fail("a vector is no scalar");
    if (v.isConst && value->isConstant) {
      bindings[&v].constant = value->eval(Lane(0))[0];
      return std::make_unique<Within>(m); // nothing
    }
  }
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  slot.mayBeUndefined = !value || v.type.kind == Type::Element;
  bindings[&v] = {};
  bindings[&v].slot = &slot;
  return std::make_unique<SetSlot>(m, slot, v, std::move(value));
}

std::unique_ptr<Operation> Compiler::arrayDeclaration(const Declaration &d) {
  const Variable &v = *d.variable;
  if (d.value)
    return fail("an array has no value of its own");
  if (v.memory != Memory::Register && v.memory != Memory::Shared)
    return fail("a kernel declares registers and shared memory");
  Storage &s = storages.emplace_back();
  bindings[&v] = {};
  bindings[&v].storage = &s;
  s.variable = &v;
  s.elementBytes = v.type.kind == Type::Barrier ? 8 : sizeOf(v.type);
  s.alignment = std::max<int64_t>(v.alignment, s.elementBytes);
  if (v.isPointer && v.extents.empty()) // the region that the launch sizes
    return std::make_unique<Within>(m);
  auto op = std::make_unique<MakeArray>(m, s);
  for (const Expr &e : v.extents)
    if (!op->extents.emplace_back(integer(e)))
      return nullptr;
  if (v.type.kind == Type::Barrier)
    barriers.push_back(&s);
  if (v.place.empty())
    return op;
  if (v.place[0].kind() != Expr::Use || v.place.size() > 2)
    return fail("a place is a region of memory and bytes from its begin");
  const Binding *region = bindingOf(v.place[0].variable());
  if (!region || !region->storage)
    return fail("'" + v.place[0].variable()->name + "' is no region of memory");
  s.alignment = region->storage->alignment;
  if (v.place.size() == 2 && !(op->place = integer(v.place[1])))
    return nullptr;
  placed.push_back(&s);
  op->placed = &placed;
  return op;
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

std::unique_ptr<Operation> Compiler::assignment(const Assignment &a) {
  const bool isAccess = a.target.kind() == Expr::Access;
  const Expr &element = isAccess ? a.target.operand(0) : a.target;
  const bool isUpdate = a.update != Assignment::Update::None;
  if (element.kind() != Expr::Use && element.kind() != Expr::Element &&
      element.kind() != Expr::Beyond)
    return fail("the target is no variable");
  const Variable &v = *element.variable();
  const Binding *b = bindingOf(element.variable());
  if (!b)
    return nullptr;
  if (b->constant || v.memory == Memory::Constant)
    return fail("'" + v.name + "' is constant");
  Word width = 1;
  if (isAccess) {
    std::optional<Word> count = constantValue(a.target.operand(1));
    if (!count)
      return nullptr;
    width = *count;
  }
  const Type::Kind type = v.type.kind;
  ValueRef value;
  if (a.isAtomic && type < Type::Element)
    return fail("an atomic update of what is no element");
  if (isUpdate && type < Type::Element) // arithmetic, with its rules
    value = integer(updatedExpr(a));
  else
    value = this->value(a.value, unsigned(width));
  value = converted(std::move(value), type);
  if (!value)
    return nullptr;
  if (value->width != width)
    return fail("the value is not as wide as the target");
  if (isUpdate && width != 1)
    return fail("a vector is not updated");
  const Assignment::Update update =
      type < Type::Element ? Assignment::Update::None : a.update;
  if (b->slot)
    return std::make_unique<SetSlot>(m, *b->slot, v, std::move(value), update);
  std::optional<Place> p = place(element);
  if (!p)
    return nullptr;
  return std::make_unique<SetElements>(m, std::move(*p), std::move(value),
                                       update, a.isAtomic);
}

Expr Compiler::updatedExpr(const Assignment &a) {
  switch (a.update) {
  case Assignment::Update::None:
    return a.value;
  case Assignment::Update::Add:
    return Expr::binary(Op::Add, a.target, a.value);
  case Assignment::Update::Sub:
    return Expr::binary(Op::Sub, a.target, a.value);
  case Assignment::Update::Mul:
    return Expr::binary(Op::Mul, a.target, a.value);
  case Assignment::Update::Xor:
    return Expr::binary(Op::BitXor, a.target, a.value);
  case Assignment::Update::Max:
    return Expr::call({Callee::Max, ""}, {a.target, a.value});
  case Assignment::Update::Min:
    return Expr::call({Callee::Min, ""}, {a.target, a.value});
  }
  return {};
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

void Compiler::block(const Block &b, Sequence &to) {
  for (const StmtRef &s : b) {
    if (!message.empty())
      return;
    std::unique_ptr<Operation> op = statement(*s);
    if (!op)
      return;
    op->source = s.get();
    to.add(std::move(op));
  }
}

std::unique_ptr<Operation> Compiler::statement(const Stmt &s) {
  current = &s;
  switch (s.kind) {
  case Stmt::Kind::Declaration:
    return declaration(*cast<Declaration>(&s));
  case Stmt::Kind::Assignment:
    return assignment(*cast<Assignment>(&s));
  case Stmt::Kind::Call:
    return call(cast<CallStmt>(&s)->call);
  case Stmt::Kind::For:
    return loop(*cast<For>(&s));
  case Stmt::Kind::If:
    return conditional(*cast<If>(&s));
  case Stmt::Kind::Scope: {
    auto op = std::make_unique<Within>(m);
    const auto *scope = cast<Scope>(&s);
    if (scope->function.empty()) {
      block(scope->body, op->body);
      return op;
    }
    const auto outside = bindings; // a function's variables are its own
    block(scope->body, op->body);
    bindings = outside;
    return op;
  }
  case Stmt::Kind::LocalFunction:
    return localFunction(*cast<LocalFunction>(&s));
  case Stmt::Kind::Return:
    if (isInFunction)
      return fail("a return from a function of a thread");
    return std::make_unique<Leave>(m);
  case Stmt::Kind::Assertion:
    return assertion(*cast<Assertion>(&s));
  }
  return nullptr;
}

std::unique_ptr<Operation> Compiler::assertion(const Assertion &a) {
  ValueRef condition = converted(integer(a.condition), Type::Bool);
  if (!condition)
    return nullptr;
  return std::make_unique<Assert>(m, std::move(condition));
}

std::unique_ptr<Operation> Compiler::conditional(const If &i) {
  ValueRef condition = converted(integer(i.condition), Type::Bool);
  if (!condition)
    return nullptr;
  if (condition->isConstant) { // what does not run need not make sense
    auto op = std::make_unique<Within>(m);
    block(condition->eval(Lane(0))[0] ? i.body : i.otherwise, op->body);
    return op;
  }
  auto op = std::make_unique<Conditional>(m);
  op->condition = std::move(condition);
  block(i.body, op->body);
  block(i.otherwise, op->otherwise);
  return op;
}

std::unique_ptr<Operation> Compiler::loop(const For &f) {
  const Type::Kind type = f.variable->type.kind;
  ValueRef first = converted(integer(f.first), type);
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  bindings[f.variable.get()] = {};
  bindings[f.variable.get()].slot = &slot;
  auto op = std::make_unique<Repeat>(m, slot);
  op->first = std::move(first);
  // Compared as C does.
  op->end = integer(f.end);
  op->step = integer(f.step);
  if (!op->first || !op->end || !op->step)
    return nullptr;
  if (op->end->type == Type::Unsigned) { // both are
    op->first = std::make_unique<RangeValue>(m, std::move(op->first), false);
    op->end = std::make_unique<RangeValue>(m, std::move(op->end), false);
  }
  block(f.body, op->body);
  return op;
}

std::unique_ptr<Operation> Compiler::localFunction(const LocalFunction &f) {
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  bindings[f.parameter.get()] = {};
  bindings[f.parameter.get()].slot = &slot;
  Sequence &body = bodies.emplace_back(m);
  isInFunction = true;
  block(f.body, body);
  isInFunction = false;
  functions[f.name->name] = {&slot, f.parameter->type.kind, &body};
  return std::make_unique<Within>(m);
}

} // namespace convopt::program
