//===- Replacement.h - An edit of a text ------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_REPLACEMENT_H
#define CONVOPT_SUPPORT_REPLACEMENT_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace convopt {

/// Bytes [begin, end) of the source give way to \p text.
struct Replacement {
  size_t begin, end;
  std::string text;
};

/// \p text with \p edits, which do not overlap; those of one place in their
/// order.
std::string edited(llvm::StringRef text, std::vector<Replacement> edits);

} // namespace convopt

#endif // CONVOPT_SUPPORT_REPLACEMENT_H
