//===- Machine.h - Memory with shadows, for the interpreter -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The memory that the threads of a block see. Time is counted in epochs, which
/// barriers begin: two threads of a block that touch an element in the same
/// epoch race, if one of them writes, and not both by atomic updates.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_INTERPRETER_MACHINE_H
#define CONVOPT_TEST_UNIT_INTERPRETER_MACHINE_H

#include "Headline.h"
#include "Interpreter.h"
#include "convopt/Target/Shuffle.h"
#include "llvm/ADT/DenseMap.h"

namespace convopt::program {

/// The number of a thread in its block.
using Lane = uint16_t;
using Lanes = llvm::ArrayRef<Lane>;

/// A value: an integer, or the 64 bits of an element.
using Word = int64_t;

/// A scalar in registers.
struct Slot {
  std::vector<Word> values; // of all threads
  bool mayBeUndefined = false;
  unsigned declarations = 0; // that ran
};

/// Who touched an element last, and when.
struct Shadow {
  enum : uint16_t { None = 0xFFFF, Many = 0xFFFE, Engine = 0xFFFD };

  uint32_t writeEpoch = 0, readEpoch = 0; // 0: never
  Lane writer = None, reader = None;
  /// On its way to the element: a copy of this thread or of an engine.
  Lane flight = None;
  uint16_t sources : 15; // copies under way that read it
  uint16_t isReadByOtherBlocks : 1;
  bool isUpdatedByOtherBlocks = false; // atomically
  bool isPlain = false;  // written by other than atomic updates, ever
  bool isAtomic = false; // not so in the epoch of the last write

  Shadow() : sources(0), isReadByOtherBlocks(0) {}
};

/// An mbarrier. Its phase ends once a thread has arrived and all copies have;
/// that is when somebody waits for it, as late as may be.
struct BulkBarrier {
  struct Copy {
    struct Storage *to, *from;
    int64_t toIndex, count;
    std::vector<int64_t> fromIndices; // -1: a zero
  };
  bool isInitialised = false, hasArrived = false;
  Lane initialiser = 0;
  uint32_t initEpoch = 0;
  uint32_t phase = 0;    // phases that ended
  uint32_t endEpoch = 0; // when the last one did
  std::vector<Copy> copies;
  std::vector<uint32_t> seen; // of each thread: phases that it waited for

  bool isSeenBy(Lane t, uint32_t phases, uint32_t epoch) const {
    return seen[t] >= phases || (phases <= phase && endEpoch < epoch);
  }
};

/// Which phase brought an element.
struct Arrival {
  BulkBarrier *barrier = nullptr;
  uint32_t phase = 0;
};

/// An array, or a scalar that is not in a register.
struct Storage {
  const Variable *variable = nullptr;
  llvm::SmallVector<int64_t, 6> extents, strides; // in elements
  int64_t size = 0;                               // elements, with room between
  int64_t elementBytes = 4;
  /// Bytes that the address of the first element is a multiple of, and how far
  /// it lies in memory whose size the launch gives.
  int64_t alignment = 1, place = 0;
  bool isReadOnly = false, isParameter = false;
  uint64_t block = ~UINT64_C(0); // which one it was made for
  std::vector<uint64_t> data;    // of registers: all threads' first elements,
                                 // and so on
  std::vector<Shadow> shadow;    // of memory that threads share and write
  unsigned declarations = 0;     // that ran, of an array in registers
  std::vector<Arrival> arrivals; // where an engine has copied
  std::vector<BulkBarrier> barriers;

  bool isRegisters() const { return variable->memory == Memory::Register; }
  void setExtents(llvm::ArrayRef<int64_t> all, bool isFlat, bool isBoxed);
  std::string nameOf(int64_t index) const;
};

class Machine {
public:
  Machine(const Kernel &kernel, const Launch &launch);

  const Launch &launch;
  const std::array<int64_t, 3> blockDim;
  const unsigned threads;
  std::array<int64_t, 3> blockIndex{};
  uint64_t block = 0;                 // how many ran before
  uint32_t epoch = 1, firstEpoch = 1; // the current one; the block's first
  std::vector<bool> hasReturned;
  unsigned returned = 0; // threads
  uint64_t operations = 0;

  // Faults.
  const Stmt *statement = nullptr; // that runs
  bool hasFailed = false;
  void fault(Lane t, const llvm::Twine &what);
  llvm::Error takeError();
  /// Whether there was a fault, which is forgotten.
  bool takeFailure() {
    message.clear();
    return std::exchange(hasFailed, false);
  }

  // The block.
  void beginBlock();
  void endBlock(llvm::ArrayRef<Storage *> barriers);
  void synchronise(Lanes lanes);
  /// All lanes of the warps of \p lanes meet.
  void meetInWarps(Lanes lanes);
  void leave(Lanes lanes);

  // Elements; of an index in bounds.
  uint64_t read(Storage &s, int64_t index, Lane t) {
    if (s.isRegisters())
      return s.data[index * threads + t];
    if (!s.isReadOnly)
      noteRead(s, index, t);
    return s.data[index];
  }
  void write(Storage &s, int64_t index, Lane t, uint64_t value) {
    if (s.isRegisters()) {
      s.data[index * threads + t] = value;
      return;
    }
    noteWrite(s, index, t);
    s.data[index] = value;
  }
  /// What an atomic update of an element of memory is about to change.
  uint64_t readAtomically(Storage &s, int64_t index, Lane t) {
    noteAtomic(s, index, t);
    return s.data[index];
  }

  // What has no value. It may be copied and computed with; where it comes from
  // is what a fault names.
  struct Origin {
    const Variable *variable = nullptr;
    const Storage *storage = nullptr; // of no scalar in a register
    int64_t index = 0;
    unsigned declarations = 0; // of where it is kept, then
  };
  void takeUndefined(Lane t, const Slot &slot, const Variable &v);
  void takeUndefined(Lane t, const Storage &s, int64_t index);
  void keepUndefined(Lane t, const Slot &slot);
  void keepUndefined(Lane t, const Storage &s, int64_t index);
  /// Each lane has what the one at \p distance has taken.
  void exchangeOrigins(Lanes lanes, unsigned distance);
  std::string originText(Lane t) const;

  // Copies that run ahead.
  /// From nothing: zeros.
  void startAsync(Lane t, Storage &to, int64_t toIndex, Storage *from,
                  int64_t fromIndex, int64_t count);
  void commit(Lane t);
  void waitPrior(Lane t, int64_t groups);

  // The engine.
  void initBarrier(Lane t, Storage &s, int64_t index);
  void startBulk(Lane t, Storage &s, int64_t index, BulkBarrier::Copy copy);
  void arrive(Lane t, Storage &s, int64_t index);
  void waitBulk(Lane t, Storage &s, int64_t index, int64_t parity);

private:
  struct AsyncCopy {
    Storage *to, *from;
    int64_t toIndex, fromIndex, count;
  };
  /// Of a thread: groups that were committed, and what the next one holds.
  struct Groups {
    std::vector<std::vector<AsyncCopy>> committed;
    std::vector<AsyncCopy> open;
  };

  /// A fault where \p lanes, which are in order, are not all from \p first on
  /// up to \p end.
  void expectAll(Lanes lanes, unsigned first, unsigned end,
                 llvm::StringRef whom);
  void noteRead(Storage &s, int64_t index, Lane t);
  void noteWrite(Storage &s, int64_t index, Lane t);
  void noteAtomic(Storage &s, int64_t index, Lane t);
  /// Whether \p t may write to an element now, or update it atomically; else a
  /// fault.
  bool mayWrite(Storage &s, int64_t index, Lane t, bool isAtomic);
  /// A write that happens later.
  void noteFlight(Storage &s, int64_t index, Lane t, Lane who);
  void noteSource(Storage &s, int64_t index, Lane t);
  void endSource(Storage &s, int64_t index);
  void land(AsyncCopy &copy, Lane t);
  void endPhase(BulkBarrier &b);
  BulkBarrier *barrierOf(Lane t, Storage &s, int64_t index);
  std::string threadText(Lane t) const;

  using Where = std::pair<const void *, int64_t>;
  Where whereOf(Lane t, const Storage &s, int64_t index) const {
    return {&s, s.isRegisters() ? index * threads + t : index};
  }

  void take(Lane t, Where where, unsigned declarations, Origin itself);

  std::vector<Groups> groups;
  std::vector<Origin> taken; // by each thread, last
  llvm::DenseMap<Where, Origin> origins;
  std::string message;
};

} // namespace convopt::program

#endif // CONVOPT_TEST_UNIT_INTERPRETER_MACHINE_H
