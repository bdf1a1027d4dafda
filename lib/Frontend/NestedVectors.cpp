//===- NestedVectors.cpp - Vectors of vectors as one array ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestedVectors.h"
#include "Containers.h"
#include "VariableUse.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace convopt {
namespace {

/// What is done with each vector of vectors.
class Uses : public DynamicRecursiveASTVisitor {
public:
  struct Size {
    const Stmt *call;
    const VarDecl *of;
    bool isOfRow;
  };

  std::map<const VarDecl *, unsigned> mentions, known;
  std::vector<Size> sizes;

  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const auto *v = dyn_cast<VarDecl>(ref->getDecl()))
      ++mentions[v];
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) override {
    const auto element = containerElement(o);
    if (const VarDecl *v = element ? rowOf(element->container) : nullptr)
      ++known[v];
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    const CXXMethodDecl *m = call->getMethodDecl();
    if (!isContainerSize(call) || m->getName() != "size" ||
        call->getBeginLoc().isMacroID() || call->getEndLoc().isMacroID())
      return true;
    const Expr *of = call->getImplicitObjectArgument();
    const VarDecl *row = rowOf(of), *v = row ? row : namedVariable(of);
    ++known[v];
    sizes.push_back({call, v, row != nullptr});
    return true;
  }

private:
  /// The variable of which \p e is an element by `[]`.
  static const VarDecl *rowOf(const Expr *e) {
    const auto *o = dyn_cast<CXXOperatorCallExpr>(e->IgnoreParenImpCasts());
    const auto element = o ? containerElement(o) : std::nullopt;
    return element ? namedVariable(element->container) : nullptr;
  }
};

} // namespace

static bool isVector(QualType type) {
  const auto c = containerType(type);
  return c && !c->count && !c->isView;
}

/// The type of the numbers in a vector of vectors, or none.
static QualType numberOf(const VarDecl *v) {
  const QualType type = v->getType().getNonReferenceType();
  if (!isVector(type) || !isVector(containerType(type)->element))
    return {};
  const QualType of =
      containerType(containerType(type)->element)->element.getUnqualifiedType();
  return of->isArithmeticType() && !of->isBooleanType() ? of : QualType();
}

static bool isConst(const VarDecl *v) {
  return v->getType().getNonReferenceType().isConstQualified();
}

static std::string typeOf(const VarDecl *v) {
  PrintingPolicy policy(v->getASTContext().getLangOpts());
  return numberOf(v).getCanonicalType().getAsString(policy);
}

NestedVectors::NestedVectors(const Stmt *loops,
                             ArrayRef<const VarDecl *> passed,
                             std::string prefix)
    : prefix(std::move(prefix)) {
  Uses uses;
  uses.TraverseStmt(const_cast<Stmt *>(loops));
  for (const VarDecl *v : passed)
    if (!numberOf(v).isNull() && uses.mentions[v] == uses.known[v])
      all.push_back(v);
  for (const Uses::Size &s : uses.sizes) {
    if (!isOne(s.of))
      continue;
    const std::string name = nameOf(s.of, s.isOfRow ? "_columns" : "_count");
    sizeNames[s.call] = name;
    sizeValues[name] = s.isOfRow ? nameOf(s.of, "_rows") + ".pitch"
                                 : s.of->getNameAsString() + ".size()";
  }
}

bool NestedVectors::isOne(const VarDecl *v) const {
  return is_contained(all, v);
}

std::string NestedVectors::nameOf(const VarDecl *v, StringRef what) const {
  return prefix + "_" + v->getNameAsString() + what.str();
}

std::string NestedVectors::definitions() const {
  const std::string view = prefix + "_view", copied = prefix + "_copied";
  return "// Rows that lie one after another.\n"
         "template <class T> struct " +
         view +
         " {\n  T *data;\n  std::size_t pitch;\n"
         "  T *operator[](std::size_t row) const { return data + row * "
         "pitch; }\n};\n\n"
         "template <class T> struct " +
         copied +
         " {\n"
         "  using Rows = std::vector<std::vector<T>>;\n"
         "  std::vector<T> all;\n  std::size_t pitch;\n"
         "  bool isEven = true; // rows are of one length\n\n"
         "  explicit " +
         copied +
         "(const Rows &rows) : pitch(rows.empty() ? 0 : rows[0].size()) {\n"
         "    for (const std::vector<T> &row : rows) {\n"
         "      isEven &= row.size() == pitch;\n"
         "      all.insert(all.end(), row.begin(), row.end());\n    }\n  }\n"
         "  " +
         view +
         "<T> view() { return {all.data(), pitch}; }\n"
         "  " +
         view +
         "<const T> constView() const { return {all.data(), pitch}; }\n"
         "  // Writes what has changed.\n"
         "  void store(Rows &rows) const {\n"
         "    const T *from = all.data();\n"
         "    for (std::vector<T> &row : rows)\n"
         "      for (T &to : row) {\n"
         "        if (__builtin_memcmp(&to, from, sizeof to))\n"
         "          to = *from;\n        ++from;\n      }\n  }\n};\n\n";
}

std::string NestedVectors::parameterOf(const VarDecl *v) const {
  return prefix + "_view<" + (isConst(v) ? "const " : "") + typeOf(v) + "> " +
         v->getNameAsString();
}

std::string NestedVectors::argumentOf(const VarDecl *v) const {
  return nameOf(v, "_rows") + (isConst(v) ? ".constView()" : ".view()");
}

std::vector<std::string> NestedVectors::sizeParameters() const {
  std::vector<std::string> names;
  for (const auto &[name, value] : sizeValues)
    names.push_back("std::size_t " + name);
  return names;
}

std::vector<std::string> NestedVectors::sizeArguments() const {
  std::vector<std::string> values;
  for (const auto &[name, value] : sizeValues)
    values.push_back(value);
  return values;
}

std::string NestedVectors::beforeCall() const {
  std::string copies = "{\n", isGood;
  for (const VarDecl *v : all) {
    const std::string name = v->getNameAsString();
    copies += "    " + prefix + "_copied<" + typeOf(v) + "> " +
              nameOf(v, "_rows") + "(" + name + ");\n";
    isGood += (isGood.empty() ? "" : " &&\n        ") + nameOf(v, "_rows") +
              ".isEven";
    for (const VarDecl *other :
         ArrayRef(all).take_until([&](const VarDecl *o) { return o == v; }))
      if (!isConst(v) || !isConst(other))
        isGood += " &&\n        (const void *)&" + name +
                  " != (const void *)&" + other->getNameAsString();
  }
  return copies + "    if (" + isGood + ") {\n      ";
}

std::string NestedVectors::afterCall() const {
  std::string text = ";\n";
  for (const VarDecl *v : all)
    if (!isConst(v))
      text += "      " + nameOf(v, "_rows") + ".store(" + v->getNameAsString() +
              ");\n";
  return text + "    } else\n    ";
}

} // namespace convopt
