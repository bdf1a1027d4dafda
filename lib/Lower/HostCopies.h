//===- HostCopies.h - Arrays of the host on the device ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_HOSTCOPIES_H
#define CONVOPT_LIB_LOWER_HOSTCOPIES_H

#include "HostCode.h"
#include "Names.h"
#include "Reach.h"
#include "convopt/Program/Stmt.h"

namespace convopt::lower {

/// Sets \p count, of host code, to how many elements of \p array, which is
/// taken to have \p elements, the nest as written, \p source, leaves before the
/// first that it touches, or has up to the last. Where nothing is touched, it
/// stays as it is, to begin with 0 for the last and all for the first. The
/// assumptions hold where \p b stands. Nothing, and false, where that is what
/// the array is taken to have: 0, or \p elements.
bool countTouched(const Nest &source, End end, unsigned array,
                  const program::Expr &elements, Names names,
                  const program::Expr &count, program::Block &b);

/// The rows of an array that an iteration of the loop over streams uses, rows
/// being what one index of dimension `dim` stands for; the dimensions before it
/// have one element. In the host's memory they lie in one piece, and are copied
/// while other iterations compute.
struct HostSlice {
  const Argument *argument;
  const Array *array;
  unsigned dim = 0;
  IndexExpr first, end; // over parameters and the loop; may pass the array
  /// Of an input: iterations share rows. Each copies those that the one before
  /// has not.
  bool overlaps = false;
  Expr host = {}; // the parameter that holds the host's array

  bool isOutput() const { return array->role == Array::Output; }
};

/// Whether the first element of \p array is touched wherever any is.
bool beginsAtBase(const Context &c, unsigned array);

/// The arrays that can be copied in slices, where the outermost loop of the
/// host is one over streams: inputs of which the rows move on with the loop,
/// and outputs of which iterations write rows of their own. The rest is copied
/// whole, before or after all launches. An array that is read and written is,
/// too: what the host has stays as it is until all went well.
std::vector<HostSlice> hostSlices(const Context &c);

/// The same with names for parameters, where the host function copies so: of a
/// nest with one kernel.
std::vector<HostSlice> overlappedSlices(const Context &c, Names &names);

/// The steps by which host code brings arrays to the device and what was
/// written back. The device has each from its base on, as far as its footprint
/// goes; what is copied is less, where the nest touches less (docs/Design.md,
/// Footprints). What streams copy themselves, \p slices, is left to them.
class HostCopies {
public:
  HostCopies(const Context &c, Names &names,
             llvm::ArrayRef<ArrayArgument> arrays,
             llvm::ArrayRef<HostSlice> slices, Expr error);

  /// Arrays that are copied as far as they are taken to reach: what says that
  /// the nest reaches there is to be checked.
  std::vector<unsigned> spanned() const;
  /// The device's pointer to the \p k-th array.
  const Expr &device(size_t k) const { return copies[k].device; }

  /// Declares the pointers, which are null.
  void define(Block &b) const;
  void toDevice(Block &b);
  /// Frees the device's memory, too.
  void back(Block &b) const;

private:
  struct HostCopy {
    const ArrayArgument &a;
    Expr device;
    const ArrayBoxes &boxes;
    bool isSliced;
    Expr counted = {};     // elements from the base, where not all
    Expr untouched = {};   // elements before the first that is copied
    bool isBoxed = false;  // to the device
    Expr whenTouched = {}; // what asks for that
  };
  void count(HostCopy &copy);
  Expr copyBox(const HostCopy &copy, llvm::ArrayRef<SubscriptRange> box,
               const Expr &host, bool isBack) const;
  static const Expr &elementsOf(const HostCopy &copy);
  Expr copyRange(const HostCopy &copy, const Expr &host, bool isBack) const;
  Expr copyAside(const HostCopy &copy, Block &b) const;

  const Context &c;
  Names &names;
  Expr error;
  std::vector<HostCopy> copies;
  Block counting;
};

/// Whether what the nest writes of \p array is not shown to lie in one piece:
/// host code copies it aside first, and stores it from there.
bool isStoredApart(const Context &c, const Array &array);

/// The functions that do so, `<name><suffix>_store_<array>(to, from, sizes)`:
/// loops over a box, or else the loops and guards of the nest's writes.
std::vector<FunctionDefinition> lowerStores(const Context &c,
                                            const Names &names);

/// A call of that of \p a, where \p from is what was computed.
Expr callStore(const Context &c, const ArrayArgument &a, const Expr &from,
               const Names &names);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_HOSTCOPIES_H
