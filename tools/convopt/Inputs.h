//===- Inputs.h - Several sources in one run --------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TOOLS_CONVOPT_INPUTS_H
#define CONVOPT_TOOLS_CONVOPT_INPUTS_H

#include "PlannedFile.h"

namespace convopt {

/// The options for each input, with those that its build has for it; a remark
/// says which these are. Of several inputs -o names a folder, in which
/// `conv.c` becomes `conv_tiled.cu`. Refuses (rule "usage") an input that is
/// given twice, by whatever names, no folder, two outputs of one name, (rule
/// "output") a folder that is a file, and what buildFlags refuses.
llvm::Expected<std::vector<Options>> optionsOfInputs(const Options &options);

/// Refuses (rule "names") two of \p files in which functions of one name would
/// be added: a program cannot have both.
llvm::Error checkApart(llvm::ArrayRef<const PlannedFile *> files);

/// A makefile's rule: the output of \p file is made of its source, the headers
/// that this includes, but for the system's, and files of schedules.
std::string dependencyRule(const PlannedFile &file);

/// Makes the folder \p path where there is none; refuses (rule "output") where
/// that fails.
llvm::Error makeFolder(llvm::StringRef path);

/// The folder that \p path lies in.
std::string folderOf(llvm::StringRef path);

} // namespace convopt

#endif // CONVOPT_TOOLS_CONVOPT_INPUTS_H
