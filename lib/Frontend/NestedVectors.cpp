//===- NestedVectors.cpp - Vectors of vectors as one array ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestedVectors.h"
#include "Containers.h"
#include "Mentions.h"
#include "convopt/Frontend/Frontend.h"

using namespace llvm;
using namespace clang;

namespace convopt {
/// Numbers within vectors, two or more.
struct Nesting {
  QualType number;
  unsigned levels;
};

static std::optional<Nesting> nestingOf(const VarDecl *v) {
  Nesting n{v->getType().getNonReferenceType(), 0};
  for (auto c = containerType(n.number); c && !c->count && !c->isView;
       c = containerType(n.number)) {
    n.number = c->element.getUnqualifiedType();
    ++n.levels;
  }
  const bool isNumber =
      n.number->isArithmeticType() && !n.number->isBooleanType();
  return isNumber && n.levels > 1 ? std::optional(n) : std::nullopt;
}

static bool isInMacro(const Stmt *s) {
  return s->getBeginLoc().isMacroID() || s->getEndLoc().isMacroID();
}

namespace {

/// What is done with each vector of vectors.
class Uses : public DynamicRecursiveASTVisitor {
public:
  /// `v`, `v[i]`, `v[i][j]`: so many subscripts of \p of. A name for a row
  /// stands for what it is.
  struct Part {
    const VarDecl *of;
    unsigned level;
  };
  struct Size {
    const Stmt *call;
    const VarDecl *of;
    unsigned level;
  };

  std::map<const VarDecl *, unsigned> mentions, known;
  std::vector<Size> sizes;
  std::vector<std::pair<const VarDecl *, Part>> rows; // names for rows
  std::vector<std::pair<const CXXMemberCallExpr *, const VarDecl *>> data;

  bool VisitDeclStmt(DeclStmt *d) override {
    const auto *v = dyn_cast<VarDecl>(*d->decl_begin());
    if (!v || !d->isSingleDecl() || !v->getType()->isReferenceType() ||
        !v->hasLocalStorage() || !v->hasInit() || isInMacro(d))
      return true;
    const std::optional<Part> p = partOf(v->getInit());
    if (p && p->level && p->level < levelsOf(p->of)) {
      note(*p);
      rows.emplace_back(v, *p);
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) override {
    if (const std::optional<Part> p = partOf(ref))
      ++mentions[p->of];
    return true;
  }
  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *o) override {
    const std::optional<Part> p = partOf(o);
    if (p && p->level == levelsOf(p->of))
      note(*p);
    return true;
  }
  bool VisitCXXMemberCallExpr(CXXMemberCallExpr *call) override {
    const CXXMethodDecl *m = call->getMethodDecl();
    const std::optional<Part> p =
        m && m->getIdentifier() ? partOf(call->getImplicitObjectArgument())
                                : std::nullopt;
    if (!p || isInMacro(call))
      return true;
    const bool isSize = m->getName() == "size",
               isData =
                   m->getName() == "data" && p->level + 1 == levelsOf(p->of);
    if (isSize || isData)
      note(*p);
    if (isSize)
      sizes.push_back({call, p->of, p->level});
    if (isData)
      data.emplace_back(call, p->of);
    return true;
  }

private:
  static unsigned levelsOf(const VarDecl *v) { return nestingOf(v)->levels; }
  void note(const Part &p) { ++known[p.of]; }
  std::optional<Part> partOf(const Expr *e) const {
    e = e->IgnoreParenImpCasts();
    if (const auto *ref = dyn_cast<DeclRefExpr>(e)) {
      const auto *v = dyn_cast<VarDecl>(ref->getDecl());
      for (const auto &[row, part] : rows)
        if (row == v)
          return part;
      return v && nestingOf(v) ? std::optional(Part{v, 0}) : std::nullopt;
    }
    const auto *o = dyn_cast<CXXOperatorCallExpr>(e);
    const auto element = o ? containerElement(o) : std::nullopt;
    std::optional<Part> p = element ? partOf(element->container) : std::nullopt;
    if (p)
      ++p->level;
    return p;
  }
};

} // namespace

static bool isConst(const VarDecl *v) {
  return v->getType().getNonReferenceType().isConstQualified();
}

static std::string typeOf(const VarDecl *v) {
  PrintingPolicy policy(v->getASTContext().getLangOpts());
  return nestingOf(v)->number.getCanonicalType().getAsString(policy);
}

/// `_view` of two levels, `_view3` of three.
static std::string ofLevels(StringRef what, unsigned levels) {
  return (what + (levels == 2 ? "" : std::to_string(levels))).str();
}

/// The name of how many there are in each at \p level, of \p levels.
static std::string countAt(unsigned level, unsigned levels) {
  return level + 1 == levels ? "pitch" : "count" + std::to_string(level);
}

bool isCopyView(QualType type) {
  const auto *r = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type.getNonReferenceType()->getAsCXXRecordDecl());
  if (!r || !r->getName().contains("_nest"))
    return false;
  // What takes it stands beside it.
  const auto [function, levels] = r->getName().rsplit("_view");
  return r->getName().size() != function.size() &&
         all_of(levels, llvm::isDigit) &&
         !r->getDeclContext()
              ->lookup(&r->getASTContext().Idents.get(function))
              .empty();
}

NestedVectors::NestedVectors(const Stmt *loops,
                             ArrayRef<const VarDecl *> passed,
                             std::string prefix)
    : prefix(std::move(prefix)) {
  Uses uses;
  uses.TraverseStmt(const_cast<Stmt *>(loops));
  for (const VarDecl *v : passed)
    if (nestingOf(v) && uses.mentions[v] == uses.known[v])
      all.push_back(v);
  for (const VarDecl *v : passed) // a name for a row, of around the loops
    if (v->getType()->isReferenceType() && v->hasInit())
      for (const DeclRefExpr *ref : mentionsOf(v->getInit()).variables)
        erase(all, ref->getDecl());
  for (const Uses::Size &s : uses.sizes) {
    if (!isOne(s.of))
      continue;
    const unsigned levels = nestingOf(s.of)->levels;
    const std::string name =
        nameOf(s.of, s.level == 0            ? "_count"
                     : s.level + 1 == levels ? "_columns"
                                             : "_" + countAt(s.level, levels));
    sizeNames[s.call] = name;
    sizeValues[name] =
        s.level ? nameOf(s.of, "_rows") + "." + countAt(s.level, levels)
                : s.of->getNameAsString() + ".size()";
  }
  for (const auto &[row, part] : uses.rows)
    if (isOne(part.of))
      references.push_back(row);
  for (const auto &[call, of] : uses.data)
    if (isOne(of))
      dataCalls.push_back(call);
}

bool NestedVectors::isOne(const VarDecl *v) const {
  return is_contained(all, v);
}

std::string NestedVectors::nameOf(const VarDecl *v, StringRef what) const {
  return prefix + "_" + v->getNameAsString() + what.str();
}

/// A view of \p levels, each of whose elements is one of a level less.
static std::string viewText(const std::string &prefix, unsigned levels) {
  std::string counts, product, inner;
  for (unsigned level = 1; level != levels; ++level) {
    const std::string count = countAt(level, levels);
    counts += (level == 1 ? "" : ", ") + count;
    product += " * " + count;
    inner += level == 1 ? "" : ", " + count;
  }
  const std::string first = "data + row" + product;
  return "template <class T> struct " + prefix + ofLevels("_view", levels) +
         " {\n  T *data;\n  std::size_t " + counts + ";\n  " +
         (levels == 2 ? "T *"
                      : prefix + ofLevels("_view", levels - 1) + "<T> ") +
         "operator[](std::size_t row) const { return " +
         (levels == 2 ? first : "{" + first + inner + "}") + "; }\n};\n\n";
}

/// A copy of \p levels.
static std::string copyText(const std::string &prefix, unsigned levels) {
  const std::string copied = prefix + ofLevels("_copied", levels),
                    view = prefix + ofLevels("_view", levels);
  std::string type = "T", first = "rows", isEmpty, counts, set, values, copy,
              store, around = "rows";
  for (unsigned level = 0; level != levels; ++level)
    type = "std::vector<" + type + ">";
  for (unsigned level = 1; level != levels; ++level) {
    const std::string count = countAt(level, levels);
    isEmpty += (level == 1 ? "" : " || ") + first + ".empty()";
    first += "[0]";
    counts += (level == 1 ? "" : ", ") + count;
    set += (level == 1 ? "" : ", ") + count + "(" + isEmpty +
           " ? 0 : " + first + ".size())";
    values += ", " + count;
    const bool isLast = level + 1 == levels;
    const std::string row = isLast ? "row" : "row" + std::to_string(level),
                      name = isLast ? "std::vector<T> &row" : "auto &" + row;
    copy += "for (const " + name + " : " + around + ") {\nisEven &= " + row +
            ".size() == " + count + ";\n";
    store += "for (" + name + " : " + around + ")\n";
    around = row;
  }
  return "template <class T> struct " + copied + " {\n  using Rows = " + type +
         ";\n  std::vector<T> all;\n  std::size_t " + counts +
         ";\n  bool isEven = true; // rows are of one length\n\n  explicit " +
         copied + "(const Rows &rows) : " + set + " {\n" + copy +
         "all.insert(all.end(), row.begin(), row.end());\n" +
         std::string(levels - 1, '}') + "\n}\n  " + view +
         "<T> view() { return {all.data()" + values + "}; }\n  " + view +
         "<const T> constView() const { return {all.data()" + values +
         "}; }\n  // Writes what has changed.\n"
         "  void store(Rows &rows) const {\n    const T *from = all.data();\n" +
         store +
         "      for (T &to : row) {\n"
         "        if (__builtin_memcmp(&to, from, sizeof to))\n"
         "          to = *from;\n        ++from;\n      }\n  }\n};\n\n";
}

std::string NestedVectors::definitions() const {
  std::set<unsigned> levels;
  for (const VarDecl *v : all)
    levels.insert(nestingOf(v)->levels);
  std::string text = "// Rows that lie one after another.\n";
  for (unsigned level = 2; level <= *levels.rbegin(); ++level)
    text += viewText(prefix, level);
  for (unsigned level : levels)
    text += copyText(prefix, level);
  return StringRef(formatCode(text)).rtrim().str() + "\n\n";
}

std::string NestedVectors::parameterOf(const VarDecl *v) const {
  return prefix + ofLevels("_view", nestingOf(v)->levels) + "<" +
         (isConst(v) ? "const " : "") + typeOf(v) + "> " + v->getNameAsString();
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
    copies += "    " + prefix + ofLevels("_copied", nestingOf(v)->levels) +
              "<" + typeOf(v) + "> " + nameOf(v, "_rows") + "(" + name + ");\n";
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
  std::string text = "\n";
  for (const VarDecl *v : all)
    if (!isConst(v))
      text += "      " + nameOf(v, "_rows") + ".store(" + v->getNameAsString() +
              ");\n";
  return text + "    } else\n    ";
}

} // namespace convopt
