//===- NaiveText.cpp - A nest as a function -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Quotients print as those of C, which round to zero. Guards come before what
// they keep from being negative.
//
//===----------------------------------------------------------------------===//

#include "NaiveText.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::test {
namespace {

class Writer {
public:
  explicit Writer(const Nest &nest) : nest(nest) {}
  std::string function();

private:
  const Nest &nest;
  std::string text;
  unsigned indent = 1;

  void line(const std::string &l) {
    text += std::string(2 * indent, ' ') + l + "\n";
  }
  std::string str(const IndexExpr &e) const {
    return e.str([&](Var v) { return nest.name(v); });
  }
  std::string str(ArrayRef<Constraint> all) const {
    std::vector<std::string> tests;
    for (const Constraint &c : all)
      tests.push_back(str(c.expr) +
                      (c.kind == Constraint::Zero ? " == 0" : " >= 0"));
    return join(tests, " && ");
  }
  std::string str(const Access &a) const;
  std::string str(const Operand &o) const;
  std::string bound(ArrayRef<Bound> all, const char *function) const;
  void body(const Body &nodes);
  void node(const Node &n);
  void statement(const Statement &s);
};

} // namespace

std::string Writer::str(const Access &a) const {
  const Array &array = nest.arrays[a.array];
  if (a.subscripts.empty())
    return array.name;
  std::string place = str(a.subscripts[0]);
  for (size_t d = 1; d != a.subscripts.size(); ++d)
    place = "(" + place + ") * (" + str(array.extents[d]) + ") + " +
            str(a.subscripts[d]);
  return array.name + "[" + place + "]";
}

std::string Writer::str(const Operand &o) const {
  if (o.kind == Operand::Index)
    return "(" + str(o.index) + ")";
  if (o.guard.empty())
    return str(o.access);
  return "(" + str(o.guard) + " ? " + str(o.access) + " : " + o.otherwise + ")";
}

/// Bounds of nests that no step has changed have no divisors.
std::string Writer::bound(ArrayRef<Bound> all, const char *function) const {
  std::string result = str(all[0].expr);
  for (const Bound &b : all.drop_front())
    result = std::string(function) + "(" + result + ", " + str(b.expr) + ")";
  return result;
}

void Writer::statement(const Statement &s) {
  const std::string value =
      fillHoles(s.text, [&](unsigned k) { return str(s.operands[k]); });
  const std::string target = str(s.target);
  static const char *const ops[] = {" = ", " += ", " -= ", " *= "};
  if (s.op < Statement::Op::Max)
    line(target + ops[unsigned(s.op)] + value + ";");
  else
    line(target + (s.op == Statement::Op::Max ? " = fmax" : " = fmin") +
         (nest.arrays[s.target.array].elementType == "float" ? "f(" : "(") +
         target + ", " + value + ");");
}

void Writer::node(const Node &n) {
  if (const auto *l = dyn_cast<Local>(&n))
    return line(nest.arrays[l->array].elementType + " " +
                nest.arrays[l->array].name + ";");
  if (const auto *s = dyn_cast<Statement>(&n))
    return statement(*s);
  if (const auto *g = dyn_cast<Guard>(&n)) {
    line("if (" + str(g->conditions) + ") {");
    body(g->body);
  } else if (const auto *l = dyn_cast<Loop>(&n)) {
    const std::string name = nest.loopNames[l->id];
    line("for (int " + name + " = " + bound(l->lower, "std::max") + "; " +
         name + " < " + bound(l->upper, "std::min") + "; ++" + name + ") {");
    body(l->body);
  }
  line("}");
}

void Writer::body(const Body &nodes) {
  ++indent;
  for (const NodeRef &n : nodes)
    node(*n);
  --indent;
}

std::string Writer::function() {
  std::vector<std::string> arguments;
  for (const Argument &a : nest.function.arguments) {
    auto [before, after] = StringRef(a.type).split('@');
    arguments.push_back((before + a.name + after).str());
  }
  text = "void " + nest.function.name + "(" + join(arguments, ", ") + ") {\n";
  for (const Param &p : nest.params)
    if (p.definition)
      line("const int " + p.name + " = " + str(*p.definition) + ";");
  --indent;
  body(nest.body);
  return "#include <algorithm>\n#include <cmath>\n" + text + "}\n";
}

std::string naiveText(const Nest &nest) {
  auto hasForm = [](const Array &a) { return a.elementType != "__half"; };
  // Of what is touched in a triangle the front end knows an upper bound, and
  // host functions copy as much.
  auto isTriangle = [](const Loop *l) {
    auto usesLoops = [](const Bound &b) { return b.expr.usesLoops(); };
    return any_of(l->lower, usesLoops) || any_of(l->upper, usesLoops);
  };
  if (!nest.function.templateArgs.empty() || !all_of(nest.arrays, hasForm) ||
      any_of(loops(nest), isTriangle))
    return "";
  return Writer(withCases(nest)).function();
}

static void write(const Twine &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path.str(), error);
  os << text;
}

void writeNaive(const Case &c, StringRef folder, StringRef name) {
  Expected<Nest> nest = parseNest(c.nest);
  if (!nest)
    return consumeError(nest.takeError());
  const std::string text = naiveText(*nest);
  if (text.empty())
    return;
  const std::string path = (folder + "/" + name).str();
  write(path + ".cpp", text);
  write(path + ".sched", join(c.steps, "\n") + "\n");
  std::string options = "-arch=" + c.arch;
  if (c.isAlgebraic)
    options += " -ffast-math";
  for (const Sizes &s : c.sizes) {
    std::vector<std::string> values;
    for (const auto &[size, value] : s)
      values.push_back(size + "=" + std::to_string(value));
    if (!values.empty())
      options += " -shape=" + join(values, ",");
  }
  write(path + ".options", options + "\n");
}

} // namespace convopt::test
