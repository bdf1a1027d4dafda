//===- HeadersOf.cpp - Headers of a source, and those of its types --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherFiles.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FileSystem.h"
#include <set>

using namespace llvm;
using namespace clang;

namespace convopt {

std::vector<std::string> headersOf(const ParsedFile &file) {
  const SourceManager &sm = file.ast().getSourceManager();
  SetVector<StringRef> names;
  for (unsigned k = 0; k != sm.local_sloc_entry_size(); ++k) {
    const SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(k);
    if (!entry.isFile() ||
        SrcMgr::isSystem(entry.getFile().getFileCharacteristic()))
      continue;
    const OptionalFileEntryRef f = entry.getFile().getContentCache().OrigEntry;
    if (f && &f->getFileEntry() != sm.getFileEntryForID(sm.getMainFileID()) &&
        sys::fs::exists(f->getName())) // the stubs of CUDA are no file
      names.insert(f->getName());
  }
  return {names.begin(), names.end()};
}

namespace {

/// The declarations that a type is spelled by.
class TypeNames : public DynamicRecursiveASTVisitor {
public:
  SmallSetVector<const NamedDecl *, 4> found;

  bool VisitTypedefTypeLoc(TypedefTypeLoc t) override {
    found.insert(t.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc t) override {
    found.insert(t.getDecl());
    return true;
  }
  bool
  VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc t) override {
    if (const TemplateDecl *d =
            t.getTypePtr()->getTemplateName().getAsTemplateDecl())
      found.insert(d);
    return true;
  }
};

} // namespace

static bool isMain(const SourceManager &sm, SourceLocation at) {
  return sm.getFileID(at) == sm.getMainFileID();
}

/// The include of \p sm's main file that leads to \p at; invalid where none
/// does.
static SourceLocation includeOf(const SourceManager &sm, SourceLocation at) {
  at = sm.getExpansionLoc(at);
  SourceLocation include = sm.getIncludeLoc(sm.getFileID(at));
  while (include.isValid() && !isMain(sm, include))
    include = sm.getIncludeLoc(sm.getFileID(include));
  return include;
}

/// `<vector>` or `"image.h"`, which stands at \p at; nothing if a macro does.
static std::string nameAt(const SourceManager &sm, SourceLocation at) {
  StringRef text = StringRef(sm.getCharacterData(at));
  if (!text.starts_with("<") && !text.starts_with("\""))
    return "";
  const char close = text.front() == '<' ? '>' : '"';
  return text.take_front(text.find(close, 1) + 1).str();
}

/// Adds the main file's includes of CUDA's headers, whose types a file has that
/// it does not include.
static void addCuda(const SourceManager &sm, std::set<std::string> &names) {
  for (unsigned k = 0; k != sm.local_sloc_entry_size(); ++k) {
    const SrcMgr::SLocEntry &entry = sm.getLocalSLocEntry(k);
    if (!entry.isFile() || entry.getFile().getIncludeLoc().isInvalid() ||
        !isMain(sm, entry.getFile().getIncludeLoc()))
      continue;
    const std::string name = nameAt(sm, entry.getFile().getIncludeLoc());
    if (is_contained(cudaHeaderNames(), StringRef(name).trim("<>\"")))
      names.insert(name);
  }
}

std::vector<std::string> typeIncludes(const ParsedFile &file,
                                      const FunctionDecl *f,
                                      std::vector<std::string> &ownTypes) {
  const SourceManager &sm = file.ast().getSourceManager();
  TypeNames types;
  for (const ParmVarDecl *p : f->parameters())
    if (const TypeSourceInfo *t = p->getTypeSourceInfo())
      types.TraverseTypeLoc(t->getTypeLoc());
  std::set<std::string> names;
  for (const NamedDecl *d : types.found) {
    const SourceLocation at = includeOf(sm, d->getLocation());
    const std::string name = at.isValid() ? nameAt(sm, at) : "";
    if (!name.empty())
      names.insert(name);
    else if (at.isValid() || isMain(sm, sm.getExpansionLoc(d->getLocation())))
      ownTypes.push_back(d->getNameAsString());
    else
      addCuda(sm, names);
  }
  return {names.begin(), names.end()};
}

} // namespace convopt
