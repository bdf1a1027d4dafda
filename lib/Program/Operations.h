//===- Operations.h - Statements that are ready to run ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_PROGRAM_OPERATIONS_H
#define CONVOPT_LIB_PROGRAM_OPERATIONS_H

#include "Code.h"

namespace convopt::program {

/// Declares a scalar in registers, or assigns or updates one.
struct SetSlot : Operation {
  SetSlot(Machine &m, Slot &slot, const Variable &variable, ValueRef value,
          Assignment::Update update = Assignment::Update::None)
      : m(m), slot(slot), variable(variable), value(std::move(value)),
        update(update) {}
  void run(Lanes lanes) override;

  Machine &m;
  Slot &slot;
  const Variable &variable;
  ValueRef value; // none: it holds nothing
  Assignment::Update update;
};

/// Makes an array, for the thread or for the block.
struct MakeArray : Operation {
  MakeArray(Machine &m, Storage &storage) : m(m), storage(storage) {}
  void run(Lanes lanes) override;

  Machine &m;
  Storage &storage;
  std::vector<ValueRef> extents;
  ValueRef place; // in memory whose size the launch gives
  std::vector<Storage *> *placed = nullptr; // all such arrays
};

/// Assigns or updates elements.
struct SetElements : Operation {
  SetElements(Machine &m, Place place, ValueRef value,
              Assignment::Update update, bool isAtomic)
      : m(m), place(std::move(place)), value(std::move(value)), update(update),
        isAtomic(isAtomic) {}
  void run(Lanes lanes) override;

  Machine &m;
  Place place;
  ValueRef value;
  Assignment::Update update;
  bool isAtomic;
};

struct Conditional : Operation {
  explicit Conditional(Machine &m) : body(m), otherwise(m) {}
  void run(Lanes lanes) override;

  ValueRef condition;
  Sequence body, otherwise;
  std::vector<Lane> yes, no;
};

/// A fault where the condition fails.
struct Assert : Operation {
  Assert(Machine &m, ValueRef condition)
      : m(m), condition(std::move(condition)) {}
  void run(Lanes lanes) override;

  Machine &m;
  ValueRef condition;
};

struct Repeat : Operation {
  Repeat(Machine &m, Slot &slot) : m(m), slot(slot), body(m) {}
  void run(Lanes lanes) override;

  Machine &m;
  Slot &slot;
  ValueRef first, end, step;
  Sequence body;
};

struct Within : Operation {
  explicit Within(Machine &m) : body(m) {}
  void run(Lanes lanes) override { body.run(lanes); }

  Sequence body;
};

struct Leave : Operation {
  explicit Leave(Machine &m) : m(m) {}
  void run(Lanes lanes) override { m.leave(lanes); }

  Machine &m;
};

struct CallFunction : Operation {
  CallFunction(Slot &parameter, ValueRef argument, Sequence &body)
      : parameter(parameter), argument(std::move(argument)), body(body) {}
  void run(Lanes lanes) override;

  Slot &parameter;
  ValueRef argument;
  Sequence &body;
};

struct Synchronise : Operation {
  explicit Synchronise(Machine &m) : m(m) {}
  void run(Lanes lanes) override { m.synchronise(lanes); }

  Machine &m;
};

/// Commits, or waits for all groups but some.
struct EndGroup : Operation {
  EndGroup(Machine &m, ValueRef prior) : m(m), prior(std::move(prior)) {}
  void run(Lanes lanes) override;

  Machine &m;
  ValueRef prior; // none: commits
};

struct CopyAsync : Operation {
  CopyAsync(Machine &m, Place to, Place from, ValueRef bytes, ValueRef copies,
            bool anySize)
      : m(m), to(std::move(to)), from(std::move(from)), bytes(std::move(bytes)),
        copies(std::move(copies)), anySize(anySize) {}
  void run(Lanes lanes) override;

  Machine &m;
  Place to, from;
  ValueRef bytes;
  ValueRef copies; // zeros where that is false; none: it is true
  bool anySize; // copied at once where the device has no such copy
};

/// Initialises an mbarrier, arrives at it or waits for a phase of it.
struct UseBarrier : Operation {
  UseBarrier(Machine &m, Callee callee, Place barrier, ValueRef parity)
      : m(m), callee(callee), barrier(std::move(barrier)),
        parity(std::move(parity)) {}
  void run(Lanes lanes) override;

  Machine &m;
  Callee callee;
  Place barrier;
  ValueRef parity;
};

struct CopyBulk : Operation {
  CopyBulk(Machine &m, Place to, Place from, ValueRef bytes, Place barrier)
      : m(m), to(std::move(to)), from(std::move(from)), bytes(std::move(bytes)),
        barrier(std::move(barrier)) {}
  void run(Lanes lanes) override;

  Machine &m;
  Place to, from;
  ValueRef bytes;
  Place barrier;
};

struct CopyBox : Operation {
  CopyBox(Machine &m, Place to, ValueRef bytes, Place barrier,
          const LaunchTensorMap &map, Storage &from,
          std::vector<ValueRef> coordinates)
      : m(m), to(std::move(to)), bytes(std::move(bytes)),
        barrier(std::move(barrier)), map(map), from(from),
        coordinates(std::move(coordinates)) {}
  void run(Lanes lanes) override;

  Machine &m;
  Place to;
  ValueRef bytes;
  Place barrier;
  const LaunchTensorMap &map;
  Storage &from;
  std::vector<ValueRef> coordinates;
};

} // namespace convopt::program

#endif // CONVOPT_LIB_PROGRAM_OPERATIONS_H
