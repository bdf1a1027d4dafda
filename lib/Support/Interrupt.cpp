//===- Interrupt.cpp - Signals that ask for the end -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Interrupt.h"
#include <atomic>
#include <csignal>
#include <initializer_list>

namespace convopt {

static std::atomic<int> scopes{0}, interruptedBy{0};

static void endBy(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

static void onSignal(int signal) {
  if (scopes == 0 || interruptedBy.exchange(signal) != 0)
    endBy(signal);
}

CleanupScope::CleanupScope() {
  if (scopes++ != 0)
    return;
  for (int signal : {SIGINT, SIGTERM, SIGHUP})
    if (std::signal(signal, onSignal) == SIG_IGN)
      std::signal(signal, SIG_IGN); // as nohup has it
}

CleanupScope::~CleanupScope() { --scopes; }

bool wasInterrupted() { return interruptedBy != 0; }

void endIfInterrupted() {
  if (int signal = interruptedBy)
    endBy(signal);
}

} // namespace convopt
