//===- CompileCalls.cpp - Calls made ready to run -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Code.h"
#include "convopt/Target/Memory.h"

using namespace llvm;

namespace convopt::program {

/// What a copy of \p bytes is for the elements of \p s; 0 after a fault.
static int64_t countOf(Machine &m, Lane t, const Storage &s, int64_t bytes) {
  if (bytes > 0 && bytes % s.elementBytes == 0)
    return bytes / s.elementBytes;
  m.fault(t, "copies " + Twine(bytes) + " bytes of elements of " +
                 Twine(s.elementBytes));
  return 0;
}

namespace {

struct CopyAsync {
  Machine &m;
  Place to, from;
  ValueRef bytes;
  ValueRef copies; // zeros where that is false; none: it is true
  bool anySize;    // copied at once where the device has no such copy

  void operator()(Lanes lanes) {
    const Word *size = bytes->eval(lanes),
               *chosen = copies ? copies->eval(lanes) : nullptr;
    if (m.hasFailed)
      return;
    for (Lane t : lanes) {
      const bool isAsync = isAsyncSize(size[t]);
      if (!isAsync && !anySize)
        return m.fault(t, "copies " + Twine(size[t]) +
                              " bytes, and devices have copies of 4, 8 and 16");
      const int64_t count = countOf(m, t, *to.storage, size[t]);
      if (m.hasFailed)
        return;
      const bool isCopied = !chosen || chosen[t];
      for (Place *p : {&to, &from}) {
        if (p == &from && !isCopied) // is not looked at
          break;
        p->eval(m, t, count, isAsync ? size[t] : p->storage->elementBytes);
        if (m.hasFailed)
          return;
      }
      Storage *source = isCopied ? from.storage : nullptr;
      if (isAsync) {
        m.startAsync(t, *to.storage, to.indices[t], source, from.indices[t],
                     count);
        continue;
      }
      for (int64_t k = 0; k != count; ++k)
        m.write(*to.storage, to.indices[t] + k, t,
                source ? m.read(*from.storage, from.indices[t] + k, t) : 0);
    }
  }
};

/// Initialises an mbarrier, arrives at it or waits for a phase of it.
struct UseBarrier {
  Machine &m;
  Callee callee;
  Place barrier;
  ValueRef parity;

  void operator()(Lanes lanes) {
    barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
    const Word *phase = parity && !m.hasFailed ? parity->eval(lanes) : nullptr;
    for (Lane t : lanes) {
      if (m.hasFailed)
        return;
      if (callee == Callee::BulkInit)
        m.initBarrier(t, *barrier.storage, barrier.indices[t]);
      else if (callee == Callee::BulkArrive)
        m.arrive(t, *barrier.storage, barrier.indices[t]);
      else
        m.waitBulk(t, *barrier.storage, barrier.indices[t], phase[t]);
    }
  }
};

struct CopyBulk {
  Machine &m;
  Place to, from;
  ValueRef bytes;
  Place barrier;

  void operator()(Lanes lanes) {
    const Word *size = bytes->eval(lanes);
    if (!m.hasFailed)
      barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
    for (Lane t : lanes) {
      if (m.hasFailed)
        return;
      if (size[t] < 1 || size[t] % AccessBytes)
        return m.fault(t, "has the engine copy " + Twine(size[t]) +
                              " bytes, and it copies multiples of 16");
      const int64_t count = countOf(m, t, *to.storage, size[t]);
      for (Place *p : {&to, &from}) {
        if (m.hasFailed)
          return;
        p->eval(m, t, count, p->storage->elementBytes);
        if (!m.hasFailed)
          p->eval(m, t, 1, AccessBytes);
      }
      if (m.hasFailed)
        return;
      BulkBarrier::Copy copy{
          to.storage, from.storage, to.indices[t], count, {}};
      for (int64_t k = 0; k != count; ++k)
        copy.fromIndices.push_back(from.indices[t] + k);
      m.startBulk(t, *barrier.storage, barrier.indices[t], std::move(copy));
    }
  }
};

struct CopyBox {
  Machine &m;
  Place to;
  ValueRef bytes;
  Place barrier;
  const LaunchTensorMap &map;
  Storage &from;
  std::vector<ValueRef> coordinates;

  void operator()(Lanes lanes) {
    const Word *size = bytes->eval(lanes);
    int64_t count = 1;
    for (int64_t e : map.box)
      count *= e;
    if (!m.hasFailed)
      barrier.eval(m, lanes, 1, barrier.storage->elementBytes);
    std::vector<const Word *> corner;
    for (const ValueRef &c : coordinates)
      corner.push_back(c->eval(lanes));
    for (Lane t : lanes) {
      if (m.hasFailed)
        return;
      if (size[t] != count * to.storage->elementBytes)
        return m.fault(t, "expects " + Twine(size[t]) + " bytes of a box of " +
                              Twine(count) + " elements");
      if (corner.back()[t] * to.storage->elementBytes % AccessBytes)
        return m.fault(t, "copies a box that begins at column " +
                              Twine(corner.back()[t]) +
                              ", between multiples of 16 bytes");
      to.eval(m, t, count, to.storage->elementBytes);
      if (!m.hasFailed)
        to.eval(m, t, 1, TensorAlignment);
      if (m.hasFailed)
        return;
      BulkBarrier::Copy copy{to.storage, &from, to.indices[t], count, {}};
      for (int64_t k = 0; k != count; ++k) {
        int64_t rest = k, stride = 1, index = 0;
        bool isInside = true;
        for (size_t d = map.box.size(); d-- != 0;) {
          const int64_t at = corner[d][t] + rest % map.box[d];
          rest /= map.box[d];
          isInside &= at >= 0 && at < map.extents[d];
          index += at * stride;
          stride *= map.extents[d];
        }
        if (isInside && index >= from.size)
          return m.fault(t, "copies a box of a map that is larger than '" +
                                map.array + "'");
        copy.fromIndices.push_back(isInside ? index : -1);
      }
      m.startBulk(t, *barrier.storage, barrier.indices[t], std::move(copy));
    }
  }
};

} // namespace

Operation Compiler::call(const Expr &e) {
  if (e.kind() != Expr::Call)
    return fail("what is no call does nothing");
  const Callee callee = e.function().callee;
  if (!hasItsArguments(e))
    return fail("wrong number of arguments");
  switch (callee) {
  case Callee::Local: {
    auto f = functions.find(e.function().name);
    if (f == functions.end())
      return fail("'" + e.function().name + "' is no function");
    ValueRef argument = converted(integer(e.operand(0)), f->second.type);
    if (!argument)
      return nullptr;
    return [argument = std::move(argument), &parameter = *f->second.parameter,
            &body = *f->second.body](Lanes lanes) {
      const Word *from = argument->eval(lanes);
      for (Lane t : lanes)
        parameter.values[t] = from[t];
      body.run(lanes);
    };
  }
  case Callee::SyncThreads:
    return [this](Lanes lanes) { m.synchronise(lanes); };
  case Callee::Commit:
    return [this](Lanes lanes) {
      for (Lane t : lanes)
        m.commit(t);
    };
  case Callee::WaitPrior: {
    ValueRef prior = integer(e.operand(0));
    if (!prior)
      return nullptr;
    return [this, prior = std::move(prior)](Lanes lanes) {
      const Word *groups = prior->eval(lanes);
      for (Lane t : lanes) {
        if (groups[t] < 0)
          return m.fault(t,
                         "waits for all but " + Twine(groups[t]) + " groups");
        m.waitPrior(t, groups[t]);
      }
    };
  }
  case Callee::AsyncCopy:
    return asyncCopy(e);
  case Callee::BulkInit:
  case Callee::BulkArrive:
  case Callee::BulkWait: {
    std::optional<Place> barrier = barrierPlace(e.operand(0));
    ValueRef parity;
    if (callee == Callee::BulkWait && !(parity = integer(e.operand(1))))
      return nullptr;
    if (!barrier)
      return nullptr;
    return UseBarrier{m, callee, std::move(*barrier), std::move(parity)};
  }
  case Callee::BulkCopy:
    return bulkCopy(e);
  case Callee::TensorCopy:
    return tensorCopy(e);
  default:
    return fail(nameOf(e.function()) + " does nothing");
  }
}

/// Where a copy that runs ahead goes.
std::optional<Place> Compiler::sharedPlace(const Expr &e) {
  std::optional<Place> p = address(e);
  if (p && p->storage->variable->memory != Memory::Shared) {
    fail("'" + p->storage->variable->name +
         "' is not shared memory, which copies that run ahead fill");
    return std::nullopt;
  }
  return p;
}

/// Where it comes from.
std::optional<Place> Compiler::globalPlace(const Expr &e) {
  std::optional<Place> p = address(e);
  if (p && p->storage->variable->memory != Memory::Global) {
    fail("'" + p->storage->variable->name +
         "' is not global memory, which copies that run ahead read");
    return std::nullopt;
  }
  return p;
}

std::optional<Place> Compiler::barrierPlace(const Expr &e) {
  std::optional<Place> p = address(e);
  if (p && p->storage->variable->type.kind != Type::Barrier) {
    fail("'" + p->storage->variable->name + "' is no mbarrier");
    return std::nullopt;
  }
  return p;
}

Operation Compiler::asyncCopy(const Expr &e) {
  std::optional<Place> to = sharedPlace(e.operand(0)),
                       from = globalPlace(e.operand(1));
  const bool isChoice = e.operands().size() == 4;
  ValueRef bytes = integer(e.operand(2)),
           copies = isChoice ? integer(e.operand(3)) : nullptr;
  if (!to || !from || !bytes || (isChoice && !copies))
    return nullptr;
  // The helper without a choice has a name and copies any size.
  return CopyAsync{m,
                   std::move(*to),
                   std::move(*from),
                   std::move(bytes),
                   std::move(copies),
                   /*anySize=*/!isChoice && !e.function().name.empty()};
}

Operation Compiler::bulkCopy(const Expr &e) {
  std::optional<Place> to = sharedPlace(e.operand(0)),
                       from = globalPlace(e.operand(1)),
                       barrier = barrierPlace(e.operand(3));
  ValueRef bytes = integer(e.operand(2));
  if (!to || !from || !bytes || !barrier)
    return nullptr;
  if (!launch.hasBulk)
    return fail("the device has no copy engine");
  return CopyBulk{m, std::move(*to), std::move(*from), std::move(bytes),
                  std::move(*barrier)};
}

Operation Compiler::tensorCopy(const Expr &e) {
  std::optional<Place> to = sharedPlace(e.operand(0)),
                       barrier = barrierPlace(e.operand(2));
  ValueRef bytes = integer(e.operand(1));
  if (!to || !bytes || !barrier)
    return nullptr;
  if (!launch.hasBulk)
    return fail("the device has no copy engine");
  Expr use = e.operand(3);
  if (use.kind() == Expr::Unary && use.op() == Op::AddressOf)
    use = use.operand(0);
  const Binding *b = use.variable() ? bindingOf(use.variable()) : nullptr;
  const LaunchTensorMap *map = b ? b->map : nullptr;
  if (!map)
    return fail("a tensor copy needs a tensor map");
  Variable &array = tensors.emplace_back(
      Variable{map->array, to->storage->variable->type, Memory::Global});
  const Binding *from = bindParameter(array);
  const size_t rank = e.operands().size() - 4;
  if (!from || !from->storage || map->box.size() != rank ||
      map->extents.size() != rank)
    return fail("the launch's tensor map is another one");
  std::vector<ValueRef> coordinates;
  for (const Expr &c : e.operands().drop_front(4))
    if (!coordinates.emplace_back(converted(integer(c), Type::Int)))
      return nullptr;
  return CopyBox{
      m,    std::move(*to), std::move(bytes),      std::move(*barrier),
      *map, *from->storage, std::move(coordinates)};
}

} // namespace convopt::program
