//===- Process.cpp - A job in a process of its own ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Job.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Toolchain.h"
#include "llvm/Support/FileSystem.h"
#include <csignal>
#ifdef __linux__
#include <sys/prctl.h>
#endif

using namespace llvm;

namespace convopt::bench {

/// Why a process that left no outcome ended.
static std::string reasonOf(const verify::ChildResult &child,
                            unsigned seconds) {
  StringRef problem = child.problem;
  if (problem == verify::TimedOut)
    return "did not end within " + std::to_string(seconds) +
           " s and was stopped; give it longer with -timeout=, or choose a "
           "smaller shape";
  if (child.status < 0)
    return "crashed" + (problem.empty() ? "" : " (" + problem.str() + ")") +
           "; the other rows do not depend on it, and 'convopt "
           "-emit=verify-driver' makes a program to look into it";
  std::string line = StringRef(child.err).split('\n').first.str();
  return "ended with status " + std::to_string(child.status) +
         (line.empty() ? "" : ": " + line);
}

static Expected<Outcome> tryInProcess(const Job &job, StringRef program,
                                      unsigned seconds) {
  ASSIGN_OR_RETURN(auto directory, verify::PrivateDirectory::create());
  RETURN_IF_ERROR(directory.write("job.json", toJson(job)));
  const std::string outcomeFile = directory.file("outcome.json");
  ASSIGN_OR_RETURN(auto child,
                   verify::runChild(program,
                                    {"-run-job=" + directory.file("job.json"),
                                     "-outcome=" + outcomeFile},
                                    directory, seconds));
  if (child.status != 0 || !sys::fs::exists(outcomeFile))
    return refuse("process", reasonOf(child, seconds));
  Expected<std::string> text = readText(outcomeFile, "process");
  return text ? readOutcome(*text) : text.takeError();
}

Outcome runInProcess(const Job &job, StringRef program, unsigned seconds) {
  Expected<Outcome> found = tryInProcess(job, program, seconds);
  endIfInterrupted(); // the rows so far are written
  if (found)
    return std::move(*found);
  Outcome outcome;
  outcome.row.kernel = job.label;
  outcome.row.facts = job.facts;
  outcome.row.status = Row::Status::Failed;
  outcome.row.reason = messageOf(found.takeError());
  return outcome;
}

/// Has this process end where the one that started it does: it is the one that
/// watches over the time limit.
static void endWithParent() {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

Error runJobFile(StringRef jobFile, StringRef outcomeFile) {
  endWithParent();
  ASSIGN_OR_RETURN(std::string text, readText(jobFile, "process"));
  ASSIGN_OR_RETURN(Job job, readJob(text));
  return writeOutput(outcomeFile, toJson(runJob(job)));
}

} // namespace convopt::bench
