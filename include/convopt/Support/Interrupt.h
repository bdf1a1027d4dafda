//===- Interrupt.h - Signals that ask for the end ---------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SUPPORT_INTERRUPT_H
#define CONVOPT_SUPPORT_INTERRUPT_H

namespace convopt {

/// While one of them exists there is something to clean up: SIGINT, SIGTERM and
/// SIGHUP do not end the process, but have wasInterrupted() say so. Whoever
/// waits looks at that, and ends what it waits for. A second signal ends the
/// process.
class CleanupScope {
public:
  CleanupScope();
  ~CleanupScope();
  CleanupScope(const CleanupScope &) = delete;
  CleanupScope &operator=(const CleanupScope &) = delete;
};

bool wasInterrupted();

/// Ends the process by the signal that interrupted it, if one did; for the end
/// of a tool, where all is cleaned up.
void endIfInterrupted();

} // namespace convopt

#endif // CONVOPT_SUPPORT_INTERRUPT_H
