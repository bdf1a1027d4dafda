//===- Input.cpp - A nest from a file -------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Toolchain.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace convopt {

static constexpr unsigned SecondsToConvert = 300;

/// The .nest text that convopt makes of the source.
static Expected<std::string> convert(const Options &options,
                                     const std::string &ownPath) {
  StringRef folder = sys::path::parent_path(ownPath);
  auto program = sys::findProgramByName("convopt", {folder});
  if (!program)
    program = sys::findProgramByName("convopt");
  if (!program)
    return make_error<Refusal>(
        ExitStatus::Missing, "input",
        "'" + options.input +
            "' is a source, and there is no convopt here to read it",
        SourceRange(),
        "where convopt is, run 'convopt " + options.input +
            " -emit=nest -o conv.nest', and give conv.nest here");
  ASSIGN_OR_RETURN(auto directory, verify::PrivateDirectory::create());
  std::vector<std::string> arguments = {options.input, "-emit=nest", "-o",
                                        directory.file("input.nest")};
  if (!options.function.empty())
    arguments.push_back("-function=" + options.function);
  arguments.push_back("--");
  append_range(arguments, options.clangArguments);
  ASSIGN_OR_RETURN(auto child, verify::runChild(*program, arguments, directory,
                                                SecondsToConvert));
  if (child.status == 0)
    return readText(directory.file("input.nest"));
  std::string said = StringRef(child.err).rtrim().str();
  ExitStatus status = child.status == int(ExitStatus::Illegal)
                          ? ExitStatus::Illegal
                          : ExitStatus::BadInput;
  return make_error<Refusal>(status, "input",
                             "convopt does not take '" + options.input +
                                 "':\n" + said + child.problem);
}

/// Shows, in place of the .nest text in \p path, the source that it is of, if
/// that lies beside it.
static void showSource(StringRef path, Input &input) {
  SmallString<256> source(sys::path::parent_path(path));
  sys::path::append(source, input.nest.sourceFile);
  auto text = MemoryBuffer::getFile(source, /*IsText=*/true);
  if (!text)
    return;
  input.name = input.nest.sourceFile;
  input.text = (*text)->getBuffer().str();
}

Expected<Input> readInput(const Options &options, const std::string &ownPath) {
  Input input;
  input.name = sys::path::filename(options.input).str();
  StringRef extension = sys::path::extension(options.input);
  const bool isNest = extension == ".nest" || options.input == "-";
  ASSIGN_OR_RETURN(std::string text, readText(options.input));
  input.text = text;
  if (!isNest) {
    ASSIGN_OR_RETURN(text, convert(options, ownPath));
  }
  ASSIGN_OR_RETURN(input.nest, parseNest(text));
  if (isNest)
    showSource(options.input, input);
  return input;
}

} // namespace convopt
