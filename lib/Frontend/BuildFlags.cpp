//===- BuildFlags.cpp - Options from a compilation database ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Frontend/BuildSettings.h"
#include "convopt/Support/Refusal.h"
#include "clang/Options/Options.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Option/ArgList.h"

using namespace llvm;
using namespace clang::tooling;
namespace opts = clang::options;

namespace convopt {

static constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

static std::string absolutePath(StringRef path, StringRef folder = "") {
  SmallString<256> whole(path);
  if (folder.empty())
    sys::fs::make_absolute(whole);
  else
    sys::path::make_absolute(folder, whole);
  sys::path::remove_dots(whole, /*remove_dot_dot=*/true);
  return whole.str().str();
}

static std::string databaseIn(StringRef folder) {
  SmallString<256> path(folder);
  sys::path::append(path, DatabaseName);
  return path.str().str();
}

/// nvcc's name for a file of options is `--options-file FILE`; Clang's `@FILE`.
static std::vector<std::string> expanded(const CompileCommand &command) {
  std::vector<std::string> words;
  for (StringRef word : command.CommandLine)
    if (!words.empty() &&
        (words.back() == "--options-file" || words.back() == "-optf"))
      words.back() = ("@" + word).str();
    else
      words.push_back(word.str());
  addExpandedResponseFiles(words, command.Directory, cl::TokenizeGNUCommandLine,
                           *vfs::getRealFileSystem());
  return words;
}

/// A value of nvcc's follows an equals sign.
static std::string pathOf(const opt::Arg &a, StringRef folder) {
  StringRef path = a.getValue();
  path.consume_front("=");
  const std::string whole = absolutePath(path, folder);
  // What is not in the folder is looked for where headers are.
  bool isHeader = a.getOption().matches(opts::OPT_include) ||
                  a.getOption().matches(opts::OPT_imacros);
  return isHeader && !sys::fs::exists(whole) ? path.str() : whole;
}

/// The options of \p command that say what its source means. Those that Clang
/// does not know, other inputs and the output are none.
static std::vector<std::string> meaningOf(const CompileCommand &command) {
  std::vector<std::string> words = expanded(command);
  std::vector<const char *> arguments;
  for (const std::string &w : drop_begin(words))
    arguments.push_back(w.c_str());
  unsigned index = 0, count = 0;
  const opt::InputArgList parsed = clang::getDriverOptTable().ParseArgs(
      arguments, index, count, opt::Visibility(opts::ClangOption));
  std::vector<std::string> kept;
  for (const opt::Arg *a : parsed) {
    const std::string name = a->getOption().getPrefixedName().str();
    auto is = [&](std::initializer_list<opts::ID> ids) {
      return any_of(ids,
                    [&](opts::ID id) { return a->getOption().matches(id); });
    };
    if (is({opts::OPT_D, opts::OPT_U, opts::OPT_std_EQ}))
      kept.push_back(name + a->getValue());
    else if (is({opts::OPT_fsigned_char, opts::OPT_funsigned_char}))
      kept.push_back(name);
    else if (is({opts::OPT_I, opts::OPT_isystem, opts::OPT_iquote,
                 opts::OPT_idirafter, opts::OPT_include, opts::OPT_imacros}))
      kept.insert(kept.end(), {name, pathOf(*a, command.Directory)});
  }
  return kept;
}

/// The remark on \p commands, of which the first is taken.
static std::string remarkOn(ArrayRef<CompileCommand> commands,
                            const std::string &source,
                            const std::string &database) {
  const CompileCommand &first = commands.front();
  StringRef from = first.Heuristic;
  if (from.consume_front("inferred from "))
    return "'" + database + "' does not have '" + source +
           "'; its options are taken to be those of '" + from.str() + "'";
  std::string text = "options of '" + source + "' are from '" + database + "'";
  const std::vector<std::string> taken = meaningOf(first);
  if (any_of(commands.drop_front(),
             [&](const CompileCommand &c) { return meaningOf(c) != taken; }))
    text += ", which compiles it more than once: the first time counts";
  return text;
}

Expected<BuildFlags> buildFlags(StringRef source, StringRef folder) {
  const std::string path = databaseIn(folder);
  if (!sys::fs::exists(path))
    return refuse("input",
                  "-p=" + folder.str() + " holds no " + DatabaseName.str(), {},
                  "name the build folder of a CMake project that is configured "
                  "with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  std::string why;
  std::unique_ptr<CompilationDatabase> database =
      CompilationDatabase::loadFromDirectory(folder, why);
  if (!database) {
    // What was said is about another kind of database, tried after this one.
    why.clear();
    JSONCompilationDatabase::loadFromFile(path, why,
                                          JSONCommandLineSyntax::AutoDetect);
    return refuse("input",
                  "'" + path + "' cannot be read: " +
                      StringRef(why).trim().split('\n').first.str(),
                  {}, "make it again, or give the options after --");
  }
  const std::vector<CompileCommand> commands =
      database->getCompileCommands(absolutePath(source));
  if (commands.empty())
    return refuse("input",
                  "'" + path + "' has no command for '" + source.str() +
                      "', nor for any file like it",
                  {}, "give the options after --, without -p");
  return BuildFlags{meaningOf(commands.front()),
                    remarkOn(commands, source.str(), path)};
}

BuildFlags nearbyBuildFlags(StringRef source) {
  const std::string file = absolutePath(source);
  for (StringRef folder = sys::path::parent_path(file); !folder.empty();
       folder = sys::path::parent_path(folder)) {
    const std::string path = databaseIn(folder);
    std::string why;
    if (!sys::fs::exists(path))
      continue;
    std::unique_ptr<CompilationDatabase> database =
        CompilationDatabase::loadFromDirectory(folder, why);
    if (!database)
      return {{}, "'" + path + "' is passed over, as it cannot be read"};
    const std::vector<CompileCommand> commands =
        database->getCompileCommands(file);
    if (commands.empty() || !commands.front().Heuristic.empty())
      return {};
    return {meaningOf(commands.front()),
            remarkOn(commands, source.str(), path)};
  }
  return {};
}

} // namespace convopt
