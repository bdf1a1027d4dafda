//===- Apart.cpp - In a process of its own --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Apart.h"
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace convopt::test {

static constexpr unsigned Seconds = 30;

/// Leaves the kind as its exit status and the message in \p pipe.
[[noreturn]] static void child(int pipe, function_ref<Verdict()> run) noexcept {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(signal, SIG_DFL);
  std::set_terminate([] { ::_exit(Verdict::Fault); }); // `at` of a map
  ::alarm(Seconds);
  const Verdict v = run();
  // What does not fit into a pipe is left out.
  const std::string message = v.message.substr(0, 4000);
  if (::write(pipe, message.data(), message.size()) < 0)
    ::_exit(Verdict::Invalid);
  ::_exit(v.kind);
}

Verdict runApart(function_ref<Verdict()> run) {
  Verdict v;
  int pipe[2];
  if (::pipe(pipe) != 0)
    return v;
  const pid_t id = ::fork();
  if (id == 0)
    child(pipe[1], run);
  ::close(pipe[1]);
  char buffer[4096];
  for (ssize_t n; id > 0 && (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;)
    v.message.append(buffer, size_t(n));
  ::close(pipe[0]);
  int status = 0;
  if (id < 0 || ::waitpid(id, &status, 0) != id)
    return v;
  v.kind =
      WIFEXITED(status) ? Verdict::Kind(WEXITSTATUS(status)) : Verdict::Fault;
  if (v.isFailure() && v.message.empty())
    v.message = "what takes checked nests crashes or does not end";
  return v;
}

} // namespace convopt::test
