//===- HostCopies.h - Arrays of the host on the device ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_EMIT_HOSTCOPIES_H
#define CONVOPT_LIB_EMIT_HOSTCOPIES_H

#include "HostSlices.h"

namespace convopt::emit {

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

} // namespace convopt::emit

#endif // CONVOPT_LIB_EMIT_HOSTCOPIES_H
