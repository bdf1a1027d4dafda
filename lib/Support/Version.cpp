//===- Version.cpp - What `-version` prints -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Version.h"

using namespace llvm;

namespace convopt {

std::string version() { return CONVOPT_VERSION; }

void printVersion(raw_ostream &os, StringRef revision,
                  ArrayRef<std::string> libraries) {
  os << "convopt " << version();
  if (!revision.empty())
    os << " (commit " << revision << ')';
  os << "\n  LLVM " << LLVM_VERSION_STRING << "\n";
  for (const std::string &library : libraries)
    os << "  " << library << "\n";
}

} // namespace convopt
