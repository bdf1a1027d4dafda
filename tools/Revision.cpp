//===- Revision.cpp - The commit that a tool was built of -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Revision.h"
#include "Revision.inc"

namespace convopt {

std::string revision() {
#ifdef CONVOPT_REVISION
  return std::string(CONVOPT_REVISION).substr(0, 12);
#else
  return "";
#endif
}

} // namespace convopt
