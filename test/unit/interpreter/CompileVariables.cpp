//===- CompileVariables.cpp - Variables made ready to run -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprValues.h"

using namespace llvm;

namespace convopt::program {

//===----------------------------------------------------------------------===//
// What runs
//===----------------------------------------------------------------------===//

/// What comes of nothing is nothing.
static uint64_t updatedOrUndefined(Assignment::Update update, uint64_t old,
                                   uint64_t value, const Machine &m) {
  return value == Uninitialised
             ? value
             : updated(update, old, value, m.launch.isAlgebraic);
}

namespace {

/// Declares a scalar in registers, or assigns or updates one.
struct SetSlot {
  Machine &m;
  Slot &slot;
  const Variable &variable;
  ValueRef value; // none: it holds nothing
  Assignment::Update update;

  void operator()(Lanes lanes) {
    if (!value) {
      for (Lane t : lanes)
        slot.values[t] = Word(Uninitialised);
      ++slot.declarations;
      return;
    }
    const Word *from = value->eval(lanes);
    if (m.hasFailed)
      return;
    if (update == Assignment::Update::None) {
      for (Lane t : lanes)
        slot.values[t] = from[t];
    } else {
      for (Lane t : lanes)
        if (uint64_t old = uint64_t(slot.values[t]); old != Uninitialised)
          slot.values[t] =
              Word(updatedOrUndefined(update, old, uint64_t(from[t]), m));
        else
          m.takeUndefined(t, slot, variable);
    }
    if (slot.mayBeUndefined)
      for (Lane t : lanes)
        if (uint64_t(slot.values[t]) == Uninitialised)
          m.keepUndefined(t, slot);
  }
};

/// Makes an array, for the thread or for the block.
struct MakeArray {
  Machine &m;
  Storage &storage;
  std::vector<ValueRef> extents;
  ValueRef place; // in memory whose size the launch gives
  std::vector<Storage *> *placed = nullptr; // all such arrays

  void operator()(Lanes lanes) {
    Storage &s = storage;
    SmallVector<int64_t, 6> all;
    for (const ValueRef &e : extents) {
      const Word *extent = e->eval(lanes);
      if (m.hasFailed)
        return;
      for (Lane t : lanes)
        if (extent[t] < 0 || extent[t] != extent[lanes[0]])
          return m.fault(t, "has an array of extent " + Twine(extent[t]));
      all.push_back(extent[lanes[0]]);
    }
    const Variable &v = *s.variable;
    if (s.isRegisters()) {
      s.setExtents(all, v.isPointer, false);
      s.data.resize(s.size * m.threads);
      for (int64_t k = 0; k != s.size; ++k)
        for (Lane t : lanes)
          s.data[k * m.threads + t] = Uninitialised;
      ++s.declarations;
      return;
    }
    // Of the block: whoever comes first makes it.
    if (s.block == m.block)
      return;
    s.block = m.block;
    s.place = 0;
    s.setExtents(all, v.isPointer, !v.box.empty());
    s.data.assign(s.size, Uninitialised);
    s.shadow.assign(s.size, {});
    s.arrivals.clear();
    if (v.type.kind == Type::Barrier)
      s.barriers.assign(s.size, {});
    if (!placed)
      return;
    const Word *at = place ? place->eval(lanes) : nullptr;
    if (m.hasFailed)
      return;
    s.place = at ? at[lanes[0]] : 0;
    const int64_t end = s.place + s.size * s.elementBytes;
    if (s.place < 0 || s.place % s.elementBytes)
      return m.fault(lanes[0], "has an array at byte " + Twine(s.place) +
                                   " of shared memory");
    if (m.launch.sharedBytes && end > *m.launch.sharedBytes)
      return m.fault(lanes[0], "has an array that ends at byte " + Twine(end) +
                                   " of shared memory, which has " +
                                   Twine(*m.launch.sharedBytes));
    for (const Storage *other : *placed)
      if (other != &s && other->block == m.block && s.place < end &&
          other->place < end &&
          s.place < other->place + other->size * other->elementBytes)
        return m.fault(lanes[0], "has an array in the memory of '" +
                                     other->variable->name + "'");
  }
};

/// Assigns or updates elements.
struct SetElements {
  Machine &m;
  Place place;
  ValueRef value;
  Assignment::Update update;
  bool isAtomic;

  void operator()(Lanes lanes) {
    Storage &s = *place.storage;
    const Word *from = value->eval(lanes);
    const unsigned width = value->width;
    if (!m.hasFailed)
      place.eval(m, lanes, width, width * s.elementBytes);
    if (m.hasFailed)
      return;
    for (Lane t : lanes)
      for (unsigned k = 0; k != width; ++k) {
        const int64_t at = place.indices[t] + k;
        uint64_t w = uint64_t(from[t * width + k]);
        if (update != Assignment::Update::None) {
          const uint64_t old =
              isAtomic ? m.readAtomically(s, at, t) : m.read(s, at, t);
          if (old == Uninitialised)
            m.takeUndefined(t, s, at);
          w = old == Uninitialised ? old
                                   : updatedOrUndefined(update, old, w, m);
        }
        if (isAtomic)
          s.data[at] = w;
        else
          m.write(s, at, t, w);
        if (w != Uninitialised)
          continue;
        if (s.isParameter)
          return m.fault(t, "stores to " + s.nameOf(at) + " what comes of " +
                                m.originText(t));
        m.keepUndefined(t, s, at);
      }
  }
};

} // namespace

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

Operation Compiler::declaration(const Declaration &d) {
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
      return Nothing;
    }
  }
  Slot &slot = slots.emplace_back();
  slot.values.resize(m.threads);
  slot.mayBeUndefined = !value || v.type.kind == Type::Element;
  bindings[&v] = {};
  bindings[&v].slot = &slot;
  return SetSlot{m, slot, v, std::move(value), Assignment::Update::None};
}

Operation Compiler::arrayDeclaration(const Declaration &d) {
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
    return Nothing;
  MakeArray op{m, s, {}, nullptr, nullptr};
  for (const Expr &e : v.extents)
    if (!op.extents.emplace_back(integer(e)))
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
  if (v.place.size() == 2 && !(op.place = integer(v.place[1])))
    return nullptr;
  placed.push_back(&s);
  op.placed = &placed;
  return op;
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

Operation Compiler::assignment(const Assignment &a) {
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
    return SetSlot{m, *b->slot, v, std::move(value), update};
  std::optional<Place> p = place(element);
  if (!p)
    return nullptr;
  return SetElements{m, std::move(*p), std::move(value), update, a.isAtomic};
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

} // namespace convopt::program
