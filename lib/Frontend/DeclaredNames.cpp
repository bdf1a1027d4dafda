//===- DeclaredNames.cpp - What a file already declares -------------------===//
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
namespace {

class NameCollector {
public:
  NameCollector(const ParsedFile &file, const FunctionDecl *naive)
      : file(file), sm(file.ast().getSourceManager()), naive(naive) {}

  void scope(const DeclContext *context);
  void macros();

  std::vector<DeclaredName> names;

private:
  bool isPromise(const Decl *d) const;
  void add(StringRef name, SourceLocation at);

  const ParsedFile &file;
  const SourceManager &sm;
  const FunctionDecl *naive;
};

} // namespace

void NameCollector::add(StringRef name, SourceLocation at) {
  at = sm.getExpansionLoc(at);
  if (name.empty() || at.isInvalid() || sm.isInSystemHeader(at) ||
      sm.isWrittenInBuiltinFile(at))
    return;
  PresumedLoc place = sm.getPresumedLoc(at, /*UseLineDirectives=*/false);
  if (place.isInvalid())
    return;
  DeclaredName d;
  d.name = name.str();
  d.where = {place.getLine(), place.getColumn(), place.getLine(),
             unsigned(place.getColumn() + name.size())};
  if (!sm.isInMainFile(at))
    d.file = place.getFilename();
  names.push_back(std::move(d));
}

/// A declaration without a definition that has the naive function's type, as of
/// a program that means to call the tiled one. C hides its text from CUDA.
bool NameCollector::isPromise(const Decl *d) const {
  const auto *f = dyn_cast<FunctionDecl>(d);
  return f && !f->isDefined() &&
         (!file.ast().getLangOpts().CPlusPlus ||
          file.ast().hasSameType(f->getType(), naive->getType()));
}

/// Names that are visible in \p context as if they were its own.
void NameCollector::scope(const DeclContext *context) {
  for (const Decl *d : context->decls()) {
    if (const auto *named = dyn_cast<NamedDecl>(d);
        named && !named->isImplicit() && named->getIdentifier() &&
        !isPromise(d))
      add(named->getName(), named->getLocation());
    const auto *inner = dyn_cast<DeclContext>(d);
    const auto *list = dyn_cast<EnumDecl>(d);
    if (isa<LinkageSpecDecl>(d) || (list && !list->isScoped()))
      scope(inner);
  }
}

void NameCollector::macros() {
  Preprocessor &pp = file.preprocessor();
  for (const auto &entry : pp.macros())
    if (const MacroInfo *m = pp.getMacroInfo(entry.first))
      add(entry.first->getName(), m->getDefinitionLoc());
}

std::vector<DeclaredName> declaredNames(const ParsedFile &file,
                                        const FunctionDecl *function) {
  NameCollector collector(file, function);
  const DeclContext *context = function->getDeclContext()->getRedeclContext();
  if (const auto *space = dyn_cast<NamespaceDecl>(context)) {
    for (const NamespaceDecl *part : space->redecls())
      collector.scope(part);
  } else {
    collector.scope(context);
  }
  collector.macros();
  return std::move(collector.names);
}

} // namespace convopt
