//===- Cuts.h - Where the body of a band is cut -----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_SCHEDULE_CUTS_H
#define CONVOPT_LIB_SCHEDULE_CUTS_H

#include "convopt/Schedule/Pipeline.h"

namespace convopt {

/// Distributes the band that \p root begins over the parts of its body, as far
/// as locals and dependences let it; false where that is not at all.
bool distribute(const Loop &root, Pipeline &pipeline);

} // namespace convopt

#endif // CONVOPT_LIB_SCHEDULE_CUTS_H
