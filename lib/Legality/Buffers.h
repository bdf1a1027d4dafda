//===- Buffers.h - What is asked of every buffer ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LEGALITY_BUFFERS_H
#define CONVOPT_LIB_LEGALITY_BUFFERS_H

#include "CurrentNest.h"

namespace convopt {

llvm::Error refuseStorage(const llvm::Twine &message, SourceRange where,
                          std::string remedy = "");
llvm::Error notAffine(const llvm::Twine &what, SourceRange where);

/// What reads or writes a buffer: a statement, or the copy of another buffer.
struct BufferAccess {
  unsigned buffer;
  const Place &place;
  const std::map<unsigned, unsigned> &scope; // of Tree::declarations
  SourceRange range;
  std::string what; // "S1 reads 'in'"
};

/// The one copy that fills what \p access reads before it does, or, with
/// \p isStore, the one store that empties what it writes after it has: in the
/// same iteration of every loop around the copy, and in no guard of its own.
llvm::Expected<const CopySite *>
copyFor(const CurrentNest &current, const BufferAccess &access, bool isStore);

/// \p place with loops over whole tiles of threads and registers, and what
/// owns these loops.
struct WidePlace {
  std::vector<std::shared_ptr<const Loop>> owned;
  Place place;
};
WidePlace widened(const Nest &nest, Place place);

/// The iterations at \p r and those that partial tiles would add.
isl::set fullTiles(const CurrentNest &current, const Running &r);

/// \p access, for the iterations \p domain, is in the box of \p copy.
llvm::Error checkBox(const CurrentNest &current, const Running &r,
                     const Access &access, const isl::set &domain,
                     const Copy &copy);

/// The box of \p inner lies within that of \p outer, its other side.
llvm::Error checkWithin(const CurrentNest &current, const CopySite &inner,
                        const CopySite &outer);

/// The buffer of \p copy has rows that a swizzle exchanges units of, if it has
/// one.
llvm::Error checkSwizzle(const Nest &nest, const Copy &copy);

/// What the array's own type of buffer needs of its place: every thread of a
/// block comes to a shared buffer's copy, and its box is the same for all.
llvm::Error checkSharedPlace(const CurrentNest &current, const CopySite &f);

/// Barriers stand between what is done at \p first and at \p second with a
/// shared buffer, and between \p second and \p first of a later iteration of
/// the \p depth loops around both.
struct BufferUse {
  const Place &place;
  SourceRange range;
  std::string what; // "the copy to 'in_s'"
};
llvm::Error checkBarriers(const CurrentNest &current, const BufferUse &first,
                          const BufferUse &second, unsigned depth);

/// Buffers that are stored to their arrays.
llvm::Error checkStores(const CurrentNest &current);

} // namespace convopt

#endif // CONVOPT_LIB_LEGALITY_BUFFERS_H
