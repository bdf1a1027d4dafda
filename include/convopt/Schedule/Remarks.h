//===- Remarks.h - What passes have to say ----------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_REMARKS_H
#define CONVOPT_SCHEDULE_REMARKS_H

#include "convopt/Nest/Nest.h"
#include <string>
#include <vector>

namespace convopt {

/// One line of `-Rpass=`, `-Rpass-missed=` or `-Rpass-analysis=`, which are
/// matched against `pass`.
struct Remark {
  enum class Kind : uint8_t { Passed, Missed, Analysis } kind;
  std::string pass; // "strip-mine", "roles", ...
  std::string message;
  SourceRange where;
};

using Remarks = std::vector<Remark>;

} // namespace convopt

#endif // CONVOPT_SCHEDULE_REMARKS_H
