//===- DeviceParts.cpp - Sizes that lie in device memory ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/DeviceParts.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

bool isOnDevice(const Function &f, const Parameter &p) {
  return f.isKernel && p.elements != 0;
}

bool isOnDevice(const Function &f, const Argument &a) {
  const StringRef name = StringRef(a.source).take_while(
      [](char c) { return isAlnum(c) || c == '_'; });
  return any_of(f.parameters, [&](const Parameter &p) {
    return p.name == name && isOnDevice(f, p);
  });
}

std::string addressOnDevice(const Argument &a) { return "&" + a.source; }

} // namespace convopt
