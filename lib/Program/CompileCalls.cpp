//===- CompileCalls.cpp - Calls made ready to run -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Operations.h"

using namespace llvm;

namespace convopt::program {

std::unique_ptr<Operation> Compiler::call(const Expr &e) {
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
    return std::make_unique<CallFunction>(*f->second.parameter,
                                          std::move(argument), *f->second.body);
  }
  case Callee::SyncThreads:
    return std::make_unique<Synchronise>(m);
  case Callee::Commit:
    return std::make_unique<EndGroup>(m, nullptr);
  case Callee::WaitPrior: {
    ValueRef prior = integer(e.operand(0));
    return prior ? std::make_unique<EndGroup>(m, std::move(prior)) : nullptr;
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
    return std::make_unique<UseBarrier>(m, callee, std::move(*barrier),
                                        std::move(parity));
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

std::unique_ptr<Operation> Compiler::asyncCopy(const Expr &e) {
  std::optional<Place> to = sharedPlace(e.operand(0)),
                       from = globalPlace(e.operand(1));
  const bool isChoice = e.operands().size() == 4;
  ValueRef bytes = integer(e.operand(2)),
           copies = isChoice ? integer(e.operand(3)) : nullptr;
  if (!to || !from || !bytes || (isChoice && !copies))
    return nullptr;
  // The helper without a choice has a name and copies any size.
  return std::make_unique<CopyAsync>(
      m, std::move(*to), std::move(*from), std::move(bytes), std::move(copies),
      /*anySize=*/!isChoice && !e.function().name.empty());
}

std::unique_ptr<Operation> Compiler::bulkCopy(const Expr &e) {
  std::optional<Place> to = sharedPlace(e.operand(0)),
                       from = globalPlace(e.operand(1)),
                       barrier = barrierPlace(e.operand(3));
  ValueRef bytes = integer(e.operand(2));
  if (!to || !from || !bytes || !barrier)
    return nullptr;
  if (!launch.hasBulk)
    return fail("the device has no copy engine");
  return std::make_unique<CopyBulk>(m, std::move(*to), std::move(*from),
                                    std::move(bytes), std::move(*barrier));
}

std::unique_ptr<Operation> Compiler::tensorCopy(const Expr &e) {
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
  return std::make_unique<CopyBox>(m, std::move(*to), std::move(bytes),
                                   std::move(*barrier), *map, *from->storage,
                                   std::move(coordinates));
}

} // namespace convopt::program
