//===- BuildSettings.h - What a source's build says of it -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compilation databases (`compile_commands.json`) and the folders that
/// relative includes start from.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_FRONTEND_BUILDSETTINGS_H
#define CONVOPT_FRONTEND_BUILDSETTINGS_H

#include "llvm/Support/Error.h"

namespace convopt {

/// The compiler's options for a source, as its build has them.
struct BuildFlags {
  /// Those that say what the source means: -D, -U, -I and its like, -include,
  /// -std, and the sign of `char`. Their paths are absolute.
  std::vector<std::string> arguments;
  std::string remark; // which file's, from where; empty where there are none
};

/// What the database in \p folder has for \p source. If it has nothing, it is
/// the options of the file with the most similar name, as Clang's tools do; the
/// remark says so. Refuses (rule "input") a folder without a database, a
/// database that cannot be read, and one that is empty.
llvm::Expected<BuildFlags> buildFlags(llvm::StringRef source,
                                      llvm::StringRef folder);

/// The same of the nearest database in the folders around \p source, if that
/// has this file; nothing else, as nobody asked for it.
BuildFlags nearbyBuildFlags(llvm::StringRef source);

/// \p code, whose includes of files beside it start from the folder \p from,
/// for a place in the folder \p to: `"util.h"` becomes `"../src/util.h"`.
std::string relocateIncludes(llvm::StringRef code, llvm::StringRef from,
                             llvm::StringRef to);

} // namespace convopt

#endif // CONVOPT_FRONTEND_BUILDSETTINGS_H
