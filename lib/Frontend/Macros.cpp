//===- Macros.cpp - Macros where the added code goes ----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SourceFacts.h"
#include "clang/Lex/Preprocessor.h"

using namespace llvm;
using namespace clang;

namespace convopt {

using EachMacro =
    function_ref<void(StringRef name, const MacroInfo &, bool isOption)>;

/// Calls \p f for every macro in force at \p at but those of the compiler and
/// of the system.
static void forMacrosAt(const ParsedFile &file, SourceLocation at,
                        EachMacro f) {
  Preprocessor &pp = file.preprocessor();
  const SourceManager &sm = file.ast().getSourceManager();
  for (const auto &entry : pp.macros()) {
    const MacroInfo *m =
        pp.getMacroDefinitionAtLoc(entry.first, at).getMacroInfo();
    if (!m || m->isBuiltinMacro())
      continue;
    SourceLocation where = m->getDefinitionLoc();
    if (!sm.isWrittenInBuiltinFile(where) && !sm.isInSystemHeader(where))
      f(entry.first->getName(), *m, sm.isWrittenInCommandLineFile(where));
  }
}

std::vector<std::string> macrosAt(const ParsedFile &file, SourceLocation at,
                                  bool ofSource) {
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
  const SourceManager &sm = file.ast().getSourceManager();
  StringSet<> found;
  for (unsigned k = 0; k != sm.local_sloc_entry_size(); ++k) {
    const SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(k);
    if (!entry.isFile() || !entry.getFile().getContentCache().OrigEntry)
      continue;
    FileID id =
        sm.getFileID(SourceLocation::getFromRawEncoding(entry.getOffset()));
    if (sm.isInSystemHeader(sm.getLocForEndOfFile(id)))
      continue;
    Lexer lexer(id, sm.getBufferOrFake(id), sm, file.ast().getLangOpts());
    for (Token t; !lexer.LexFromRawLexer(t);)
      if (t.is(tok::raw_identifier))
        found.insert(t.getRawIdentifier());
  }
  return found;
}

/// Whether \p line is a directive that lets a compiler run loops in another
/// order, and nothing else.
static bool isHintOfLoops(ArrayRef<StringRef> line) {
  if (line.size() < 2 || line[0] != "pragma")
    return false;
  const bool isOfCompiler =
      line.size() > 2 && is_contained({"GCC", "clang"}, line[1]);
  return is_contained(
      {"omp", "acc", "unroll", "nounroll", "ivdep", "simd", "loop"},
      line[isOfCompiler ? 2 : 1]);
}

namespace {
/// What conditional directives test, each with where it stands last.
class TestedMacros {
public:
  StringMap<SourceLocation> found;

  /// Takes a directive, the words of \p line without its `#`.
  void directive(ArrayRef<StringRef> line, SourceLocation at) {
    const StringRef kind = line.empty() ? "" : line.front();
    if (kind.starts_with("if"))
      open.emplace_back();
    if (is_contained({"if", "ifdef", "ifndef", "elif"}, kind)) {
      for (StringRef name : drop_begin(line))
        if (!open.empty() && name != "defined" && !name.starts_with("__"))
          open.back().tests[name] = at;
    } else if (kind == "endif" && !open.empty()) {
      close();
    } else if (kind != "else" && !isHintOfLoops(line)) {
      code();
    }
  }
  /// What stands in no directive depends on all tests around.
  void code() {
    for (Group &g : open)
      g.selects = true;
  }

private:
  struct Group {
    StringMap<SourceLocation> tests;
    bool selects = false; // anything but hints
  };
  std::vector<Group> open;

  void close() {
    if (open.back().selects)
      for (const auto &[name, at] : open.back().tests)
        if (SourceLocation &last = found[name]; last < at)
          last = at;
    open.pop_back();
  }
};
} // namespace

/// What conditional directives of the source test that choose among more than
/// hints such as `#pragma omp`.
static StringMap<SourceLocation> testedMacros(const ParsedFile &file) {
  const SourceManager &sm = file.ast().getSourceManager();
  const FileID id = sm.getMainFileID();
  Lexer lexer(id, sm.getBufferOrFake(id), sm, file.ast().getLangOpts());
  TestedMacros all;
  std::optional<std::vector<StringRef>> line; // of a directive
  SourceLocation start;
  auto end = [&] {
    if (line)
      all.directive(*line, start);
    line.reset();
  };
  for (Token t; !lexer.LexFromRawLexer(t);) {
    if (t.isAtStartOfLine())
      end();
    if (t.isAtStartOfLine() && t.is(tok::hash)) {
      line.emplace();
      start = t.getLocation();
    } else if (!line) {
      all.code();
    } else if (t.is(tok::raw_identifier)) {
      line->push_back(t.getRawIdentifier());
    }
  }
  end();
  return std::move(all.found);
}

std::vector<CommandLineMacro> commandLineMacros(const ParsedFile &file,
                                                clang::SourceRange function) {
  std::vector<CommandLineMacro> result;
  const StringSet<> mentioned = identifiers(file);
  StringMap<SourceLocation> tested = testedMacros(file);
  Preprocessor &pp = file.preprocessor();
  const SourceManager &sm = file.ast().getSourceManager();
  forMacrosAt(file, function.getEnd(),
              [&](StringRef name, const MacroInfo &m, bool isOption) {
                const bool isOne = m.isObjectLike() && m.getNumTokens() == 1;
                const bool isNumber =
                    isOne && m.tokens()[0].is(tok::numeric_constant);
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
