//===- Remarks.h - What passes have to say ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_REMARKS_H
#define CONVOPT_SCHEDULE_REMARKS_H

#include "convopt/Nest/Nest.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// One line of `-Rpass=`, `-Rpass-missed=` or `-Rpass-analysis=`, which are
/// matched against `pass`; or one that is printed without being asked for: a
/// warning, or a note of what was not done (Said).
struct Remark {
  enum class Kind : uint8_t { Passed, Missed, Analysis, Warning, Said } kind;
  std::string pass; // "strip-mine", "roles", ...
  std::string message;
  SourceRange where;

  bool isAlwaysPrinted() const {
    return kind == Kind::Warning || kind == Kind::Said;
  }
};

using Remarks = std::vector<Remark>;

/// The regular expressions of the three options; empty: no such remarks.
struct RemarkFilter {
  std::string passed, missed, analysis;

  /// Refuses (rule "usage") what is not a regular expression.
  llvm::Error check() const;
  bool wants(const Remark &r) const;
};

/// What a kernel of \p nest, as written, needs of sizes after all steps, which
/// its launcher checks, as remarks of pass "assumptions"; \p facts that
/// together hold for hardly any sizes are a warning.
Remarks assumptionRemarks(const Nest &nest, llvm::ArrayRef<Assumption> facts);

/// The arrays of \p nest, as the source has it, that may be touched less than
/// they are taken to have (\p loose, see looseFootprints), as remarks of pass
/// "footprint": one by default, and how many elements of each on request.
Remarks footprintRemarks(const Nest &nest, llvm::ArrayRef<unsigned> loose);

/// The loops of \p nest that are as long as the launch of the naive kernel
/// makes them (Argument::launch), as remarks of pass "launch".
Remarks launchRemarks(const Nest &nest);

/// Warnings, of pass "stage", about buffers of \p mapped that the memory of
/// \p gpu has no room for, as their sizes show.
Remarks memoryRemarks(const Nest &mapped, const Gpu &gpu);

/// Prints the remarks that \p filter wants as `file:line:col: remark: message
/// [-Rpass=pass]`.
void print(const Remarks &remarks, const RemarkFilter &filter,
           llvm::StringRef file, llvm::raw_ostream &os);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_REMARKS_H
