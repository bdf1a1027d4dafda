//===- Progress.cpp - What a driver prints, as it does --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace convopt::verify {

Progress::Progress(raw_ostream &os, size_t shapes)
    : os(os), shapes(shapes), isTerminal(os.is_displayed()),
      began(std::chrono::steady_clock::now()) {}

void Progress::clear() {
  if (isMoved)
    os << "\r\033[K";
  isMoved = false;
}

/// A line that is longer than the terminal is wide would stay.
void Progress::move(StringRef text) {
  constexpr unsigned usual = 80;
  const unsigned columns = sys::Process::StandardErrColumns();
  clear();
  os << text.take_front((columns ? columns : usual) - 1);
  os.flush();
  isMoved = true;
}

void Progress::add(StringRef line) {
  const bool isRight = line.starts_with("ok ");
  // Sizes that the launcher has to refuse are beside the shapes.
  const bool isShape = (isRight && !line.ends_with(": refused")) ||
                       line.starts_with("FAIL ") ||
                       (line.starts_with("not run: ") && line.contains('='));
  if (isShape)
    ++shapesEnded;
  std::string number, time;
  if (isShape) {
    const auto now = std::chrono::steady_clock::now();
    const double seconds = std::chrono::duration<double>(now - began).count();
    began = now;
    raw_string_ostream(number) << shapesEnded << '/' << shapes;
    raw_string_ostream(time) << format("%.1f s", seconds);
  }
  if (!isTerminal) {
    os << line;
    if (isShape)
      os << " [" << number << ", " << time << ']';
    os << '\n';
    os.flush();
    return;
  }
  isPart = isRight || (isPart && line.starts_with(" "));
  if (!isPart) {
    clear();
    os << line << '\n';
  } else if (isRight) {
    move(("[" + number + "] " + time + " " +
          line.drop_front(2).ltrim().split(':').first)
             .str());
  }
}

} // namespace convopt::verify
