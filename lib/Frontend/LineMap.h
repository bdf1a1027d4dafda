//===- LineMap.h - Lines of a text made from another ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_LINEMAP_H
#define CONVOPT_LIB_FRONTEND_LINEMAP_H

#include "llvm/ADT/StringRef.h"
#include <vector>

namespace convopt {

/// Where the lines of a text stand in the source that it was made from.
class LineMap {
public:
  /// The source's line, from 1, that stands at \p line.
  unsigned operator[](unsigned line) const {
    return line && line <= lines.size() ? lines[line - 1] : line;
  }

  /// The same of a text that \p from maps to its own source.
  void follow(const LineMap &from) {
    for (unsigned &line : lines)
      line = from[line];
  }

private:
  friend class LineMapBuilder;
  std::vector<unsigned> lines; // none: it is the source
};

/// Appends to a text, and knows where its lines are from.
class LineMapBuilder {
public:
  /// \p piece of the source, which begins in \p line.
  void copy(llvm::StringRef piece, unsigned line) { append(piece, line, 1); }
  /// Something new, for what stands in \p line.
  void add(llvm::StringRef made, unsigned line) { append(made, line, 0); }

  std::string text;
  LineMap lines;

private:
  void append(llvm::StringRef piece, unsigned line, unsigned step) {
    if (!piece.empty() && (text.empty() || text.back() == '\n'))
      lines.lines.push_back(line);
    for (char c : piece.drop_back(piece.ends_with("\n"))) {
      line += c == '\n' ? step : 0;
      if (c == '\n')
        lines.lines.push_back(line);
    }
    text += piece;
  }
};

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_LINEMAP_H
