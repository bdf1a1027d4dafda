//===- Format.cpp - Emitted code in LLVM's style --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "clang/Format/Format.h"
#include "convopt/Frontend/Frontend.h"

using namespace clang;

namespace convopt {

std::string formatCode(llvm::StringRef code, unsigned columns) {
  format::FormatStyle style = format::getLLVMStyle(format::FormatStyle::LK_Cpp);
  style.ColumnLimit = columns;
  tooling::Replacements changes =
      format::reformat(style, code, tooling::Range(0, code.size()), "a.cu");
  // Unformatted code is as right as formatted code.
  return llvm::expectedToOptional(tooling::applyAllReplacements(code, changes))
      .value_or(code.str());
}

} // namespace convopt
