//===- Progress.h - What a driver prints, as it does ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_PROGRESS_H
#define CONVOPT_LIB_VERIFY_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace convopt::verify {

/// Prints the lines of a driver as they come. On a terminal the shapes that are
/// right are one line that moves: the last of them, its number and its time.
class Progress {
public:
  Progress(llvm::raw_ostream &os, size_t shapes);
  ~Progress() { clear(); }

  void add(llvm::StringRef line);
  /// What goes on, until the next line.
  void say(llvm::StringRef text) {
    if (isTerminal)
      move(text);
  }
  /// How many shapes were right, wrong or not run.
  size_t ended() const { return shapesEnded; }

private:
  void clear();
  void move(llvm::StringRef text);

  llvm::raw_ostream &os;
  const size_t shapes;
  const bool isTerminal;
  size_t shapesEnded = 0;
  bool isMoved = false; // a line stands that is to be written over
  bool isPart = false;  // lines belong to a shape that is not printed
  std::chrono::steady_clock::time_point began;
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_PROGRESS_H
