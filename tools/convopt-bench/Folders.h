//===- Folders.h - Folders of schedules -------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_BENCH_FOLDERS_H
#define CONVOPT_TOOLS_CONVOPT_BENCH_FOLDERS_H

#include "convopt/Bench/Plan.h"

namespace convopt {

/// \p requests, with a folder as `-schedule=` replaced by its .sched files in
/// the order of their names. A file whose first line begins `# FOLDER/SOURCE:`
/// is taken where the nest comes from a file of that name, \p sourceName, and
/// one that does not say so is always taken. Labels get as much of the path as
/// tells them apart. Refuses (rule "usage") a folder with no file that fits,
/// and the same candidate twice.
llvm::Expected<std::vector<bench::CandidateRequest>>
expandFolders(llvm::ArrayRef<bench::CandidateRequest> requests,
              llvm::StringRef sourceName);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_BENCH_FOLDERS_H
