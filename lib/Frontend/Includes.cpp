//===- Includes.cpp - The text of a file: where it includes, its layout ---===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Frontend/BuildSettings.h"
#include "convopt/Frontend/Frontend.h"
#include "clang/Format/Format.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <filesystem>

using namespace llvm;
using namespace clang;
namespace scan = clang::dependency_directives_scan;

namespace convopt {

/// Whether \p kind names files: by an include, or in the __has_include of a
/// condition, which has no other strings.
static bool namesFiles(scan::DirectiveKind kind) {
  return is_contained(
      {scan::pp_include, scan::pp_import, scan::pp_if, scan::pp_elif}, kind);
}

/// What \p name, of a file in the folder \p from, is called in \p to; nothing
/// where there is no such file, or its name says where it is.
static std::string nameFrom(StringRef name, StringRef from, StringRef to) {
  SmallString<256> path(from);
  sys::path::append(path, name);
  if (sys::path::is_absolute(name) || !sys::fs::exists(path))
    return "";
  std::error_code failed;
  const std::filesystem::path there =
      std::filesystem::proximate(path.str().str(), to.str(), failed);
  return failed ? "" : there.generic_string();
}

std::string relocateIncludes(StringRef code, StringRef from, StringRef to) {
  SmallVector<scan::Token> tokens;
  SmallVector<scan::Directive> directives;
  bool same = false;
  if ((!sys::fs::equivalent(from, to, same) && same) ||
      clang::scanSourceForDependencyDirectives(code, tokens, directives))
    return code.str();
  std::string result;
  size_t done = 0;
  for (const scan::Directive &d : directives) {
    if (!namesFiles(d.Kind))
      continue;
    for (const scan::Token &t : d.Tokens) {
      StringRef name = code.substr(t.Offset, t.Length);
      if (!name.consume_front("\"") || !name.consume_back("\""))
        continue;
      const std::string moved = nameFrom(name, from, to);
      if (moved.empty())
        continue;
      result += code.slice(done, t.Offset).str() + '"' + moved + '"';
      done = t.Offset + t.Length;
    }
  }
  return result + code.substr(done).str();
}

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
