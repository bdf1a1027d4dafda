//===- Revision.h - The commit that a tool was built of ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Of the tools, and no library: each commit would link all tests again.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_REVISION_H
#define CONVOPT_TOOLS_REVISION_H

#include <string>

namespace convopt {

/// The first digits of the commit; empty where the source is no repository.
std::string revision();

} // namespace convopt

#endif // CONVOPT_TOOLS_REVISION_H
