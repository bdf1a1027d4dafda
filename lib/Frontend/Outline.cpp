//===- Outline.cpp - A function's loops as a function ---------------------===//
//
// TextRange of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outline.h"
#include "CarriedNumbers.h"
#include "Diagnostics.h"
#include "LoopRuns.h"
#include "LoopVariables.h"
#include "Mentions.h"
#include "NestBuilder.h"
#include "NestedVectors.h"
#include "convopt/Support/Refusal.h"
#include "clang/Lex/Lexer.h"

using namespace llvm;
using namespace clang;

namespace convopt {

/// Whether a variable that \p s, a `while` or `do` loop, compares is stepped in
/// its condition or by a statement of its body.
template <class LoopT> static bool counts(const LoopT *s) {
  std::set<const VarDecl *> stepped = VariableUse::assignedIn(s->getCond());
  if (const auto *list = dyn_cast<CompoundStmt>(s->getBody()))
    for (const Stmt *one : list->body())
      if (const auto *e = dyn_cast<Expr>(one))
        stepped.insert(countedVariable(e));
  const Mentions compared = mentionsOf(s->getCond());
  return any_of(compared.variables, [&](const DeclRefExpr *ref) {
    return stepped.count(cast<VarDecl>(ref->getDecl()));
  });
}

std::vector<const Stmt *> outermostLoops(const FunctionDecl *f) {
  class Finder : public DynamicRecursiveASTVisitor {
  public:
    std::vector<const Stmt *> found;
    bool TraverseForStmt(ForStmt *s) override {
      found.push_back(s);
      return true;
    }
    bool TraverseWhileStmt(WhileStmt *s) override {
      if (!counts(s))
        return DynamicRecursiveASTVisitor::TraverseWhileStmt(s);
      found.push_back(s);
      return true;
    }
    bool TraverseDoStmt(DoStmt *s) override {
      if (!counts(s))
        return DynamicRecursiveASTVisitor::TraverseDoStmt(s);
      found.push_back(s);
      return true;
    }
    bool TraverseCompoundStmt(CompoundStmt *list) override {
      if (!isLoopRun(list))
        return DynamicRecursiveASTVisitor::TraverseCompoundStmt(list);
      found.push_back(list);
      return true;
    }
    bool TraverseLambdaExpr(LambdaExpr *) override { return true; }
    bool TraverseDecl(Decl *d) override {
      return isa<CXXRecordDecl>(d) ||
             DynamicRecursiveASTVisitor::TraverseDecl(d);
    }
  } finder;
  finder.TraverseStmt(f->getBody());
  return finder.found;
}

/// Where \p r stands in the main file; macros count whole.
static std::optional<TextRange> partOf(const ASTContext &ast,
                                       clang::SourceRange r) {
  const SourceManager &sm = ast.getSourceManager();
  CharSourceRange all = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(r), sm, ast.getLangOpts());
  if (all.isInvalid() || !sm.isInMainFile(all.getBegin()))
    return std::nullopt;
  return TextRange{sm.getFileOffset(all.getBegin()),
                   sm.getFileOffset(all.getEnd())};
}

std::optional<TextRange> textRangeOf(const ParsedFile &file,
                                     const Stmt *loops) {
  std::optional<TextRange> found = partOf(file.ast(), loops->getSourceRange());
  const StringRef text = file.text;
  // A body without braces ends before its semicolon.
  if (found && text[found->end - 1] != '}' &&
      text.drop_front(found->end).ltrim().starts_with(";"))
    found->end = text.find(';', found->end) + 1;
  return found;
}

std::string freshName(StringRef stem, StringRef text) {
  std::string name = stem.str();
  for (unsigned n = 2; text.contains(name); ++n)
    name = stem.str() + std::to_string(n);
  return name;
}

namespace {

/// Loops with the pragmas before them.
struct NestText : TextRange {
  size_t loops = 0; // where the first one begins
};

class Outliner {
public:
  Outliner(const ParsedFile &file, const FunctionDecl *f, const Stmt *loops,
           const std::optional<FixedVariable> &fixed)
      : file(file), ast(file.ast()), sm(ast.getSourceManager()),
        text(file.text), f(f), loops(loops), fixed(fixed) {}

  Expected<OutlinedText> run();

private:
  Refusal refusalAt(StringRef rule, clang::SourceRange where,
                    const Twine &message, const Twine &remedy) const;
  Error refuseAt(StringRef rule, clang::SourceRange where, const Twine &message,
                 const Twine &remedy) const {
    return make_error<Refusal>(refusalAt(rule, where, message, remedy));
  }
  std::optional<TextRange> partOf(clang::SourceRange r) const {
    return convopt::partOf(ast, r);
  }
  StringRef textOf(TextRange p) const { return text.slice(p.begin, p.end); }
  unsigned lineAt(size_t offset) const {
    return text.take_front(offset).count('\n') + 1;
  }
  size_t startOfLine(size_t offset) const {
    return text.take_front(offset).rfind('\n') + 1; // npos + 1 is 0
  }
  /// The line before that in which \p offset stands, or nothing.
  StringRef lineBefore(size_t offset) const {
    size_t start = startOfLine(offset);
    return start ? text.slice(startOfLine(start - 1), start - 1) : StringRef();
  }
  Error locate();
  Error checkDirectives() const;
  std::string declare(const VarDecl *v, bool isParameter,
                      std::string name = "") const;
  std::string printHead() const;
  std::string templateArguments() const;
  void printDeclarations(const LoopVariables &v, const CarriedNumbers &carried,
                         LineMapBuilder &b) const;
  std::map<size_t, std::string> marks(const LoopVariables::Set &unread) const;
  std::map<const Stmt *, std::string> nameTests(const LoopVariables &v) const;
  std::string valueOf(const Expr *test) const;
  const VarDecl *takeFixed(LoopVariables &v) const;
  std::string fixedValue(const VarDecl *v) const;
  OutlinedText print(const LoopVariables &v, const VarDecl *known) const;

  const ParsedFile &file;
  ASTContext &ast;
  const SourceManager &sm;
  StringRef text;
  const FunctionDecl *f;
  const Stmt *loops;
  const std::optional<FixedVariable> &fixed;
  size_t before = 0; // where the new function goes
  NestText nest;
};

} // namespace

Refusal Outliner::refusalAt(StringRef rule, clang::SourceRange where,
                            const Twine &message, const Twine &remedy) const {
  return Refusal(ExitStatus::BadInput, rule.str(), message.str(),
                 NestBuilder(ast, f, file.lines).range(where), remedy.str());
}

/// Finds the place of the new function and of the loops.
Error Outliner::locate() {
  const Decl *whole = f;
  if (const auto *t = f->getDescribedFunctionTemplate())
    whole = t;
  const auto *block = dyn_cast<LinkageSpecDecl>(f->getLexicalDeclContext());
  SourceLocation begin = block && !block->hasBraces() ? block->getBeginLoc()
                                                      : whole->getBeginLoc();
  for (const Attr *a : f->attrs())
    if (SourceLocation at = sm.getExpansionLoc(a->getLocation());
        at.isValid() && sm.isInMainFile(at) &&
        sm.isBeforeInTranslationUnit(at, begin))
      begin = at;
  const std::optional<TextRange> found = textRangeOf(file, loops);
  begin = sm.getExpansionLoc(begin); // `bool` is a macro in C
  if (!found || !sm.isInMainFile(begin))
    return refuseAt(diag::Macro, loops->getSourceRange(),
                    "a macro holds a part of these loops, or of '" +
                        f->getNameAsString() + "'",
                    "write the loops without it");
  before = startOfLine(sm.getFileOffset(begin));
  auto isComment = [](StringRef line) {
    return line.starts_with("//") ||
           (line.starts_with("/*") && line.ends_with("*/"));
  };
  while (isComment(lineBefore(before).trim()))
    before = startOfLine(before - 1);
  nest = {*found, found->begin};
  while (lineBefore(nest.begin).ltrim().starts_with("#pragma") &&
         text.slice(startOfLine(nest.begin), nest.begin).trim().empty())
    nest.begin = startOfLine(startOfLine(nest.begin) - 1);
  return Error::success();
}

/// Macros and parallel regions that begin in the function are not around the
/// new one.
Error Outliner::checkDirectives() const {
  SmallVector<StringRef> lines;
  text.slice(before, nest.end).split(lines, '\n');
  size_t at = before;
  for (StringRef line : lines) {
    StringRef rest = line.ltrim();
    bool isDirective = rest.consume_front("#");
    rest = rest.ltrim();
    bool defines = any_of(ArrayRef({"define", "undef", "include"}),
                          [&](StringRef w) { return rest.starts_with(w); });
    bool isOmp =
        rest.consume_front("pragma") && rest.ltrim().consume_front("omp");
    bool isRegion = isOmp && !rest.contains("parallel for") &&
                    (at < nest.begin || !rest.contains("simd"));
    SourceLocation where =
        sm.getLocForStartOfFile(sm.getMainFileID()).getLocWithOffset(at);
    if (isDirective && defines)
      return refuseAt(diag::Macro, where,
                      "a macro is defined in the function of the loops",
                      "define it before the function");
    if (isDirective && isRegion)
      return refuseAt(diag::OpenMP, where,
                      "OpenMP may run these loops in several threads",
                      "use no directive but 'parallel for' on them");
    at += line.size() + 1;
  }
  return Error::success();
}

/// `conv_nest` of `conv`, and of `conv_body`, which is a method's.
static std::string nameOfLoops(const FunctionDecl *f, StringRef text) {
  const std::string name = f->getNameAsString();
  StringRef stem = name;
  stem.consume_back("_body");
  return freshName((stem + "_nest").str(), text);
}

static bool isLocalName(QualType type) {
  class Finder : public DynamicRecursiveASTVisitor {
  public:
    bool found = false;
    bool VisitTypedefType(TypedefType *t) override {
      found |= t->getDecl()->getDeclContext()->isFunctionOrMethod();
      return true;
    }
  } finder;
  finder.TraverseType(type);
  return finder.found;
}

/// Whether \p type, or what it leads to, is declared within a function.
static bool isTypeWithin(QualType type) {
  type = type.getNonReferenceType();
  while (type->isPointerType() || type->isArrayType())
    type = type->isPointerType()
               ? type->getPointeeType()
               : QualType(type->getPointeeOrArrayElementType(), 0);
  const TagDecl *tag = type->getAsTagDecl();
  return tag && tag->getParentFunctionOrMethod();
}

/// A declaration of a variable like \p v, called \p name unless that is empty.
std::string Outliner::declare(const VarDecl *v, bool isParameter,
                              std::string name) const {
  QualType type = v->getType();
  const bool isReference = type->isReferenceType();
  type = type.getNonReferenceType();
  if (const auto *decayed = type->getAs<DecayedType>())
    type = decayed->getOriginalType();
  // What `auto` stands for may have a name of another scope.
  if (isLocalName(type) ||
      (!type->isDependentType() && type->getContainedAutoType()))
    type = type.getCanonicalType();
  if (name.empty())
    name = v->getNameAsString();
  if (type->isRecordType() && ast.getLangOpts().CPlusPlus &&
      (isParameter || isReference))
    name = "&" + name;
  else if (type->isScalarType() || type->isDependentType())
    type.removeLocalConst();
  PrintingPolicy policy(ast.getLangOpts());
  policy.SuppressTagKeyword = ast.getLangOpts().CPlusPlus;
  policy.Bool = true;
  type.getAsStringInternal(name, policy);
  return name;
}

std::string Outliner::printHead() const {
  const auto *t = f->getDescribedFunctionTemplate();
  if (!t)
    return "static ";
  const TemplateParameterList *list = t->getTemplateParameters();
  std::optional<TextRange> head =
      partOf({list->getTemplateLoc(), list->getRAngleLoc()});
  return (head ? textOf(*head).str() : "") + "\nstatic ";
}

std::string Outliner::templateArguments() const {
  const auto *t = f->getDescribedFunctionTemplate();
  std::vector<std::string> names;
  if (t)
    for (const NamedDecl *p : *t->getTemplateParameters())
      names.push_back(p->getNameAsString());
  return t ? "<" + join(names, ", ") + ">" : "";
}

/// Declarations that the loops need, each for the line where it stands.
void Outliner::printDeclarations(const LoopVariables &v,
                                 const CarriedNumbers &carried,
                                 LineMapBuilder &b) const {
  auto line = [&](SourceLocation at) {
    return lineAt(sm.getFileOffset(sm.getExpansionLoc(at)));
  };
  for (const DeclStmt *d : v.names)
    if (std::optional<TextRange> p = partOf(d->getSourceRange()))
      b.copy("  " + textOf(*p).str() + "\n", line(d->getBeginLoc()));
  auto declareAgain = [&](const VarDecl *variable, const Expr *value) {
    std::optional<TextRange> p =
        value ? partOf(value->getSourceRange()) : std::nullopt;
    const std::string start = p ? textOf(*p).str() : carried.startOf(variable);
    const auto *record = variable->getType()->getAsCXXRecordDecl();
    b.add("  " + std::string(variable->isConstexpr() ? "constexpr " : "") +
              (record && record->isLambda()
                   ? "auto " + variable->getNameAsString()
                   : declare(variable, /*isParameter=*/false)) +
              (start.empty() ? "" : " = " + start) + ";\n",
          line(variable->getLocation()));
  };
  for (auto [variable, value] : v.computed)
    declareAgain(variable, value);
  for (auto [variable, value] : v.own)
    declareAgain(variable, value);
}

/// By where: what has compilers warn of \p unread no more than they did while
/// the loops stood there.
std::map<size_t, std::string>
Outliner::marks(const LoopVariables::Set &unread) const {
  std::map<size_t, std::string> result;
  const bool isC = !ast.getLangOpts().CPlusPlus;
  for (const VarDecl *v : unread)
    if (std::optional<TextRange> p = partOf(v->getSourceRange());
        p && !v->hasAttr<UnusedAttr>())
      result[p->begin] = isC ? "__attribute__((unused)) " : "[[maybe_unused]] ";
  return result;
}

/// A name for each comparison that is passed, the same for those that read
/// alike.
std::map<const Stmt *, std::string>
Outliner::nameTests(const LoopVariables &v) const {
  std::map<std::string, std::string> names; // by the text
  std::map<const Stmt *, std::string> result;
  unsigned n = 0;
  for (const Expr *e : v.tests) {
    std::string &name = names[textOf(*partOf(e->getSourceRange())).str()];
    while (name.empty() || text.contains(name))
      name = "compared" + std::to_string(++n);
    result[e] = name;
  }
  return result;
}

/// What \p test compares to; pointers may be null where no loop runs.
std::string Outliner::valueOf(const Expr *test) const {
  std::string isThere;
  for (const VarDecl *p : pointersOf(test))
    isThere += (isThere.empty() ? "" : " && ") + p->getNameAsString();
  const std::string value = textOf(*partOf(test->getSourceRange())).str();
  return isThere.empty() ? value : isThere + " ? " + value + " : 0";
}

/// Takes the variable that is fixed out of what is passed; null for none.
const VarDecl *Outliner::takeFixed(LoopVariables &v) const {
  auto it = find_if(v.passed, [&](const VarDecl *p) {
    return fixed && p->getName() == fixed->name &&
           p->getType()->isIntegralOrEnumerationType();
  });
  if (it == v.passed.end())
    return nullptr;
  const VarDecl *found = *it;
  v.passed.erase(it);
  return found;
}

std::string Outliner::fixedValue(const VarDecl *v) const {
  const std::string value = std::to_string(fixed->value);
  PrintingPolicy policy(ast.getLangOpts());
  return v->getType()->isEnumeralType()
             ? "(" + v->getType().getUnqualifiedType().getAsString(policy) +
                   ")" + value
             : value;
}

/// The text, with its lines where those of the source are. \p known is the
/// variable that is fixed, or null.
OutlinedText Outliner::print(const LoopVariables &v,
                             const VarDecl *known) const {
  OutlinedText out;
  out.name = nameOfLoops(f, text);
  std::map<const Stmt *, std::string> tests = nameTests(v);
  std::vector<const VarDecl *> passed(v.passed.begin(), v.passed.end());
  llvm::sort(passed, [&](const auto *a, const auto *b) {
    return sm.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  const NestedVectors vectors(loops, passed, out.name);
  const CarriedNumbers carried(
      v, text, [&](const VarDecl *of, const std::string &name) {
        return declare(of, /*isParameter=*/false, name);
      });
  out.hasViews = !vectors.empty();
  std::vector<std::string> parameters = vectors.sizeParameters(),
                           arguments = vectors.sizeArguments();
  for (const VarDecl *p : passed) {
    const bool isView = vectors.isOne(p);
    parameters.push_back(isView ? vectors.parameterOf(p)
                                : declare(p, /*isParameter=*/true));
    arguments.push_back(isView ? vectors.argumentOf(p) : p->getNameAsString());
  }
  std::set<std::string> tested;
  for (const Expr *e : v.tests)
    if (tested.insert(tests.at(e)).second) {
      parameters.push_back((isa<CallExpr>(e)              ? "int "
                            : ast.getLangOpts().CPlusPlus ? "bool "
                                                          : "_Bool ") +
                           tests.at(e));
      arguments.push_back(valueOf(e));
    }
  append_range(parameters, carried.parameters());
  append_range(arguments, carried.arguments());
  std::map<size_t, std::pair<TextRange, std::string>> edits; // by their begin
  tests.insert(vectors.sizes().begin(), vectors.sizes().end());
  for (const auto &[e, name] : tests) {
    const TextRange p = *partOf(e->getSourceRange());
    edits[p.begin] = {p, name};
  }
  for (const VarDecl *row : vectors.rows()) {
    const TextRange p = *partOf({row->getBeginLoc(), row->getLocation()});
    edits[p.begin] = {p, "auto &&" + row->getNameAsString()};
  }
  for (const CXXMemberCallExpr *data : vectors.calls()) {
    const auto *member = cast<MemberExpr>(data->getCallee());
    const TextRange p = *partOf({member->getOperatorLoc(), data->getEndLoc()});
    edits[p.begin] = {p, ""};
  }
  std::vector<const Stmt *> moved{loops};
  if (isLoopRun(loops)) { // the function's braces will do
    const auto *block = cast<CompoundStmt>(loops);
    moved.assign(block->body_begin() + 1, block->body_end());
    const size_t first = nest.loops + StringRef(RunBegins).size(),
                 last = nest.end - StringRef(RunEnds).size();
    edits[nest.loops] = {{nest.loops, first}, ""};
    edits[last] = {{last, nest.end}, ""};
  }
  out.meanings = meaningsOf(ast, moved, tests);
  out.results = carried.results();
  const std::string taken = parameters.empty() && !ast.getLangOpts().CPlusPlus
                                ? "void"
                                : join(parameters, ", ");
  const size_t margin = nest.loops - startOfLine(nest.loops);
  const StringRef line = text.drop_front(startOfLine(nest.loops));
  const size_t indent =
      out.hasViews ? 6 : line.size() - line.ltrim(' ').size() + (known ? 2 : 0);
  LineMapBuilder b;
  b.copy(text.take_front(before), 1);
  if (out.hasViews)
    b.add(vectors.definitions(), lineAt(before));
  std::string head =
      formatCode(printHead() + "void " + out.name + "(" + taken + ") {}");
  b.add(StringRef(head).rtrim().drop_back().str() + "\n", lineAt(before));
  if (known)
    b.add("  " + declare(known, /*isParameter=*/false) + " = " +
              fixedValue(known) + ";\n",
          lineAt(before));
  printDeclarations(v, carried, b);
  if (nest.begin == nest.loops)
    b.add(std::string(margin, ' '), lineAt(nest.begin));
  size_t done = nest.begin;
  for (const auto &[begin, edit] : edits) {
    b.copy(text.slice(done, begin), lineAt(done));
    b.add(edit.second, lineAt(begin));
    done = edit.first.end;
  }
  b.copy(text.slice(done, nest.end).str() + "\n", lineAt(done));
  b.add(carried.storeResults(), lineAt(nest.end));
  b.add("}\n\n", lineAt(before));
  out.inserted[before] = b.text.size() - before;
  size_t copied = before;
  if (!out.hasViews && !known) // the loops do not stay
    for (const auto &[at, mark] : marks(v.unread)) {
      b.copy(text.slice(copied, at), lineAt(copied));
      b.add(mark, lineAt(at));
      out.inserted[at] = mark.size();
      copied = at;
    }
  b.copy(text.slice(copied, nest.begin), lineAt(copied));
  if (nest.begin != nest.loops)
    b.add(std::string(margin, ' '), lineAt(nest.begin));
  if (out.hasViews)
    b.add(vectors.beforeCall(), lineAt(nest.begin));
  if (known)
    b.add("if (" + fixed->name + " == " + fixedValue(known) + ")\n" +
              std::string(margin + 2, ' '),
          lineAt(nest.begin));
  b.add(carried.beforeCall(indent), lineAt(nest.begin));
  out.call.emplace();
  out.call->arguments = templateArguments() + "(" + join(arguments, ", ") + ")";
  out.call->begin = b.text.size();
  b.add(out.name + out.call->arguments, lineAt(nest.begin));
  out.call->end = b.text.size();
  b.add(";" + carried.afterCall(indent) +
            (out.hasViews ? vectors.afterCall() : ""),
        lineAt(nest.begin));
  if (known)
    b.add("\n" + std::string(margin, ' ') + "else\n" +
              std::string(nest.begin == nest.loops ? margin : 0, ' '),
          lineAt(nest.begin));
  if (out.hasViews || known)
    b.copy(text.slice(nest.begin, nest.end), lineAt(nest.begin));
  if (out.hasViews)
    b.add("\n  }", lineAt(nest.end));
  b.copy(text.drop_front(nest.end), lineAt(nest.end));
  out.text = std::move(b.text);
  out.lines = std::move(b.lines);
  return out;
}

Expected<OutlinedText> Outliner::run() {
  RETURN_IF_ERROR(locate());
  RETURN_IF_ERROR(checkDirectives());
  LoopVariables v = variablesOf(ast, f, loops);
  if (v.obstacle)
    return refuseAt(v.obstacle->rule, v.obstacle->where, v.obstacle->message,
                    v.obstacle->remedy);
  for (const Expr *e : v.tests)
    if (!partOf(e->getSourceRange()))
      return refuseAt(diag::Macro, e->getSourceRange(),
                      "a macro holds a part of this comparison of strings",
                      "write it without the macro");
  for (const VarDecl *p : v.passed)
    if (isTypeWithin(p->getType()))
      return refuseAt(diag::LocalNames, loops->getSourceRange(),
                      "these loops make no function: the type of '" +
                          p->getNameAsString() + "' is declared in '" +
                          f->getNameAsString() + "'",
                      "declare types and constants before the function");
  const VarDecl *known = takeFixed(v);
  OutlinedText out = print(v, known);
  if (v.alone)
    out.alone = refusalAt(v.alone->rule, v.alone->where, v.alone->message,
                          v.alone->remedy);
  if (fixed && (!known || out.hasViews))
    return refuseAt(diag::LocalNames, loops->getSourceRange(),
                    "'" + fixed->name + "' is no variable that is passed",
                    "pass it as a parameter");
  return out;
}

Expected<OutlinedText> outline(const ParsedFile &file, const FunctionDecl *f,
                               const Stmt *loops,
                               const std::optional<FixedVariable> &fixed) {
  return Outliner(file, f, loops, fixed).run();
}

} // namespace convopt
