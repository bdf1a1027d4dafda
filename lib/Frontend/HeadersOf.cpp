//===- HeadersOf.cpp - Headers of a source, and those of its types --------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestedVectors.h"
#include "SourceFacts.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"

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

/// The declarations that types are spelled by, and whether with their scope.
class TypeNames : public DynamicRecursiveASTVisitor {
public:
  struct Name {
    const NamedDecl *declared;
    bool hasScope;
  };
  std::vector<Name> found;

  bool VisitTypedefTypeLoc(TypedefTypeLoc t) override {
    return add(t.getDecl(), t.getQualifierLoc());
  }
  bool VisitUsingTypeLoc(UsingTypeLoc t) override {
    return add(t.getDecl()->getTargetDecl(), t.getQualifierLoc());
  }
  bool VisitTagTypeLoc(TagTypeLoc t) override {
    return add(t.getDecl(), t.getQualifierLoc());
  }
  bool
  VisitTemplateSpecializationTypeLoc(TemplateSpecializationTypeLoc t) override {
    const TemplateDecl *d =
        t.getTypePtr()->getTemplateName().getAsTemplateDecl();
    return !d || add(d, t.getQualifierLoc());
  }

private:
  bool add(const NamedDecl *d, NestedNameSpecifierLoc scope) {
    found.push_back({d, bool(scope)});
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

/// Whether \p d is seen where \p f is declared without a using-directive.
static bool isAround(const NamedDecl *d, const FunctionDecl *f) {
  const DeclContext *scope = d->getDeclContext()->getRedeclContext();
  while (scope->isInlineNamespace())
    scope = scope->getParent()->getRedeclContext();
  return scope->Encloses(f->getDeclContext());
}

HeaderTypes headerTypes(const ParsedFile &file, const FunctionDecl *f) {
  const SourceManager &sm = file.ast().getSourceManager();
  TypeNames types;
  HeaderTypes result;
  for (const ParmVarDecl *p : f->parameters()) {
    if (const TypeSourceInfo *t = p->getTypeSourceInfo())
      types.TraverseTypeLoc(t->getTypeLoc());
    if (!isCopyView(p->getType()))
      continue;
    result.refused = ("these loops take '" + p->getName() +
                      "', a vector in a vector, by a type that the emitted "
                      "file declares")
                         .str();
    result.remedy = "include the emitted file";
    return result;
  }
  auto refuse = [&](const NamedDecl *d, const Twine &why, const Twine &remedy) {
    result.refused =
        ("type '" + d->getName() + "' of a parameter is " + why).str();
    result.remedy = remedy.str();
  };
  std::set<std::string> includes;
  for (const auto &[d, hasScope] : types.found) {
    const SourceLocation at = includeOf(sm, d->getLocation());
    const std::string name = at.isValid() ? nameAt(sm, at) : "";
    if (!hasScope && !isAround(d, f))
      refuse(d, "seen by a using-directive or declaration",
             "spell it as '" + d->getQualifiedNameAsString() + "'");
    else if (!name.empty())
      includes.insert(name);
    else if (at.isValid())
      refuse(d, "from a header that a macro names", "name it in its #include");
    else if (isMain(sm, sm.getExpansionLoc(d->getLocation())))
      refuse(d, "declared in the source itself",
             "move it to a header that the source includes");
    else
      addCuda(sm, includes);
  }
  result.includes.assign(includes.begin(), includes.end());
  return result;
}

} // namespace convopt
