//===- Macros.cpp - Macros where the added code goes ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Macros.h"
#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace convopt {

using EachMacro =
    function_ref<void(StringRef name, const clang::MacroInfo &, bool isOption)>;

/// Calls \p f for every macro in force at \p at but those of the compiler and
/// of the system.
static void forMacrosAt(const ParsedFile &file, clang::SourceLocation at,
                        EachMacro f) {
  clang::Preprocessor &pp = file.preprocessor();
  const clang::SourceManager &sm = file.ast().getSourceManager();
  for (const auto &entry : pp.macros()) {
    const clang::MacroInfo *m =
        pp.getMacroDefinitionAtLoc(entry.first, at).getMacroInfo();
    if (!m || m->isBuiltinMacro())
      continue;
    clang::SourceLocation where = m->getDefinitionLoc();
    if (!sm.isWrittenInBuiltinFile(where) && !sm.isInSystemHeader(where))
      f(entry.first->getName(), *m, sm.isWrittenInCommandLineFile(where));
  }
}

std::vector<std::string> macrosAt(const ParsedFile &file,
                                  clang::SourceLocation at, bool ofSource) {
  std::vector<std::string> names;
  forMacrosAt(file, at, [&](StringRef name, const auto &, bool isOption) {
    if (isOption || ofSource)
      names.push_back(name.str());
  });
  llvm::sort(names);
  return names;
}

/// The identifiers in the text of the source and of its own headers.
static StringSet<> identifiers(const ParsedFile &file) {
  const clang::SourceManager &sm = file.ast().getSourceManager();
  StringSet<> found;
  for (unsigned k = 0; k != sm.local_sloc_entry_size(); ++k) {
    const clang::SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(k);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      continue;
    clang::FileID id = sm.getFileID(
        clang::SourceLocation::getFromRawEncoding(entry.getOffset()));
    if (sm.isInSystemHeader(sm.getLocForEndOfFile(id)))
      continue;
    clang::Lexer lexer(id, sm.getBufferOrFake(id), sm,
                       file.ast().getLangOpts());
    for (clang::Token t; !lexer.LexFromRawLexer(t);)
      if (t.is(clang::tok::raw_identifier))
        found.insert(t.getRawIdentifier());
  }
  return found;
}

/// What conditional directives of the source test, each with where it stands
/// last.
static StringMap<clang::SourceLocation> testedMacros(const ParsedFile &file) {
  const clang::SourceManager &sm = file.ast().getSourceManager();
  const clang::FileID id = sm.getMainFileID();
  StringMap<clang::SourceLocation> found;
  clang::Lexer lexer(id, sm.getBufferOrFake(id), sm, file.ast().getLangOpts());
  bool isDirective = false, isTest = false;
  for (clang::Token t; !lexer.LexFromRawLexer(t);) {
    const bool isName = t.is(clang::tok::raw_identifier);
    const StringRef name = isName ? t.getRawIdentifier() : StringRef();
    if (t.isAtStartOfLine())
      isTest = false;
    if (isDirective)
      isTest = is_contained({"if", "ifdef", "ifndef", "elif"}, name);
    else if (isTest && isName && name != "defined" && !name.starts_with("__"))
      found[name] = t.getLocation();
    isDirective = t.isAtStartOfLine() && t.is(clang::tok::hash);
  }
  return found;
}

std::vector<CommandLineMacro> commandLineMacros(const ParsedFile &file,
                                                clang::SourceRange function) {
  std::vector<CommandLineMacro> result;
  const StringSet<> mentioned = identifiers(file);
  StringMap<clang::SourceLocation> tested = testedMacros(file);
  clang::Preprocessor &pp = file.preprocessor();
  const clang::SourceManager &sm = file.ast().getSourceManager();
  forMacrosAt(file, function.getEnd(),
              [&](StringRef name, const clang::MacroInfo &m, bool isOption) {
                const bool isOne = m.isObjectLike() && m.getNumTokens() == 1;
                const bool isNumber =
                    isOne && m.tokens()[0].is(clang::tok::numeric_constant);
                const bool isLeft = tested.erase(name) && isNumber;
                if (!isLeft && (!isOption || !mentioned.contains(name)))
                  return;
                CommandLineMacro macro{name.str(), ""};
                if (isOne)
                  macro.value = pp.getSpelling(m.tokens()[0]);
                result.push_back(std::move(macro));
              });
  for (const auto &[name, at] : tested)
    if (sm.isPointWithin(at, sm.getExpansionLoc(function.getBegin()),
                         sm.getExpansionLoc(function.getEnd())) &&
        !pp.getMacroDefinitionAtLoc(pp.getIdentifierInfo(name),
                                    function.getEnd()))
      result.push_back({name.str(), "", /*isDefined=*/false});
  llvm::sort(result, [](const CommandLineMacro &a, const CommandLineMacro &b) {
    return a.name < b.name;
  });
  return result;
}

} // namespace convopt
