//===- Verification.h - Running what was emitted ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_VERIFICATION_H
#define CONVOPT_TOOLS_CONVOPT_VERIFICATION_H

#include "PlannedFile.h"

namespace convopt {

/// Compiles and runs the naive code and \p emitted, or the user's edited output
/// in its place, and compares. Refuses what runVerification refuses.
llvm::Error verify(const PlannedFile &file, const std::string &emitted);

/// The program that does so elsewhere.
llvm::Expected<std::string> verifyDriver(const PlannedFile &file);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_VERIFICATION_H
