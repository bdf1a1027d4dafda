//===- SourceRange.h - A place in a source ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_SOURCERANGE_H
#define CONVOPT_SUPPORT_SOURCERANGE_H

namespace convopt {

/// Lines and columns in the source that the nest was read from, from 1; 0
/// where there is none (a node made by a pass keeps the range of its cause).
struct SourceRange {
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
  /// Of .nest text that names no place in a source: the place in that text,
  /// which messages name and nothing else does.
  bool isOfText = false;

  /// Whether it is a place in the source.
  bool isValid() const { return line != 0 && !isOfText; }
  /// Whether a message can name it.
  bool isKnown() const { return line != 0; }
  friend bool operator==(const SourceRange &a, const SourceRange &b) {
    return a.line == b.line && a.column == b.column && a.endLine == b.endLine &&
           a.endColumn == b.endColumn && a.isOfText == b.isOfText;
  }
};

} // namespace convopt

#endif // CONVOPT_SUPPORT_SOURCERANGE_H
