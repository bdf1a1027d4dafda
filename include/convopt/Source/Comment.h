//===- Comment.h - Text of the user's in comments ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SOURCE_COMMENT_H
#define CONVOPT_SOURCE_COMMENT_H

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace convopt {

/// \p text fit to stand in a `//` comment: names come from users, and nothing
/// in one may end the comment or continue it on the next line.
inline std::string forComment(llvm::StringRef text) {
  std::string clean;
  for (char c : text)
    clean += llvm::isPrint(c) && c != '\\' ? c : '?';
  return clean;
}

} // namespace convopt

#endif // CONVOPT_SOURCE_COMMENT_H
