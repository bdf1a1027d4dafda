//===- Reference.cpp - The nest as sequential C++ -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/Text.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Verify/RhsText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::verify {

static std::string identifier(StringRef name) {
  std::string text;
  for (char c : name)
    text += isAlnum(c) ? c : '_';
  return text;
}

std::string driverName(const Nest &nest, Var v) {
  if (v.kind == Var::Param)
    return "cvp_" + identifier(nest.name(v));
  return "cvl_" + identifier(nest.name(v)) + "_" + std::to_string(v.id);
}

std::string arrayName(const Array &array) {
  return "cva_" + identifier(array.name);
}

std::string exprText(const Nest &nest, const IndexExpr &e) {
  std::string text;
  for (const auto &[monomial, coefficient] : e.terms()) {
    std::string term = "INT64_C(" + std::to_string(coefficient) + ")";
    if (coefficient == 1 && !monomial.empty())
      term.clear();
    for (const Atom &a : monomial) {
      term += term.empty() ? "" : " * ";
      term += a.isVar()
                  ? driverName(nest, a.asVar())
                  : "convopt_verify::floorDiv(" + exprText(nest, a.num()) +
                        ", " + exprText(nest, a.den()) + ")";
    }
    text += (text.empty() ? "" : " + ") + term;
  }
  return text.empty() ? "INT64_C(0)" : text;
}

static bool isGuardedRead(const Operand &o) {
  return o.kind == Operand::Read && !o.guard.empty();
}

namespace {
class Printer {
public:
  Printer(const Nest &original, raw_ostream &os, unsigned indent)
      : nest(withLimitsAsGuards(original)), os(os), indent(indent) {
    for (const StatementPath &p : statements(nest)) {
      slots[p.statement] = slotCount++;
      slotCount += count_if(p.statement->operands, isGuardedRead);
    }
    for (const Argument &a : nest.function.arguments)
      if (a.role == Argument::ScalarArg)
        scalars.push_back(a.name);
  }

  void function() {
    line() << "double convopt_ran[" << slotCount << "] = {}, convopt_all["
           << slotCount << "] = {};\n";
    body(nest.body);
    line() << "if (convopt_verify::state.recording)\n";
    line() << "  convopt_verify::cover(convopt_ran, convopt_all);\n";
  }

private:
  const Nest nest;
  raw_ostream &os;
  unsigned indent;
  /// The place of each statement in the coverage, its guarded reads after it.
  std::map<const Statement *, unsigned> slots;
  unsigned slotCount = 0;
  std::vector<std::string> scalars;

  void body(const Body &nodes) {
    for (const NodeRef &n : nodes)
      node(*n);
  }

  raw_ostream &line() { return os.indent(indent); }
  std::string expr(const IndexExpr &e) const { return exprText(nest, e); }

  std::string bounds(ArrayRef<Bound> all, StringRef choose) const {
    std::string text;
    for (const Bound &b : all) {
      std::string one = b.divisor == 1
                            ? expr(b.expr)
                            : "convopt_verify::ceilDiv(" + expr(b.expr) + ", " +
                                  std::to_string(b.divisor) + ")";
      text = text.empty()
                 ? one
                 : ("std::" + choose + "<int64_t>(" + text + ", " + one + ")")
                       .str();
    }
    return text;
  }

  std::string conditions(ArrayRef<Constraint> all,
                         function_ref<IndexExpr(const IndexExpr &)> map) const {
    std::string text;
    for (const Constraint &c : all) {
      text += text.empty() ? "" : " && ";
      text +=
          expr(map(c.expr)) + (c.kind == Constraint::Zero ? " == 0" : " >= 0");
    }
    return text;
  }

  void block(const Body &nodes, StringRef end = "\n") {
    os << " {\n";
    indent += 2;
    body(nodes);
    indent -= 2;
    line() << "}" << end;
  }

  void loopHead(const Loop &l) {
    std::string i = driverName(nest, loopVar(l.id));
    line() << "for (int64_t " << i << " = " << bounds(l.lower, "max") << "; "
           << i << " < " << bounds(l.upper, "min") << "; ++" << i << ")";
  }

  /// Of the array that \p access is to, what a guard keeps from being touched.
  void keep(const Statement &s, const Access &access) {
    if (!nest.arrays[access.array].isLocal())
      line() << element(s, access, "keep") << ";\n";
  }

  /// What the source has read before the guard.
  void readBefore(const Statement &s) {
    for (const Operand &o : s.operands)
      if (o.readBefore)
        line() << "if ("
               << conditions(*o.readBefore,
                             [&](const IndexExpr &e) {
                               return overCurrentLoops(s, e);
                             })
               << ") " << element(s, o.access, "read", o.otherwise == AtBorder)
               << ";\n";
  }

  /// Counts the statements in \p nodes that guards keep from running.
  void missed(const Body &nodes) {
    for (const NodeRef &n : nodes)
      if (const auto *s = dyn_cast<Statement>(n.get())) {
        unsigned slot = slots.at(s);
        unsigned end = slot + 1 + count_if(s->operands, isGuardedRead);
        for (; slot != end; ++slot)
          line() << "++convopt_all[" << slot << "];\n";
        for (const Access *a : accessesOf(*s))
          keep(*s, *a);
        readBefore(*s);
      } else if (const auto *g = dyn_cast<Guard>(n.get())) {
        missed(g->body);
      } else if (const auto *l = dyn_cast<Loop>(n.get())) {
        loopHead(*l);
        os << " {\n";
        indent += 2;
        missed(l->body);
        indent -= 2;
        line() << "}\n";
      }
  }

  void node(const Node &n) {
    if (const auto *l = dyn_cast<Loop>(&n)) {
      loopHead(*l);
      block(l->body);
    } else if (const auto *g = dyn_cast<Guard>(&n)) {
      line() << "if ("
             << conditions(g->conditions, [](const IndexExpr &e) { return e; })
             << ")";
      block(g->body, " else if (convopt_verify::state.recording) {\n");
      indent += 2;
      missed(g->body);
      indent -= 2;
      line() << "}\n";
    } else if (const auto *l = dyn_cast<Local>(&n)) {
      local(nest.arrays[l->array]);
    } else if (const auto *s = dyn_cast<Statement>(&n)) {
      statement(*s);
    }
  }

  static std::string braced(ArrayRef<std::string> parts) {
    return "{" + join(parts, ", ") + "}";
  }

  void local(const Array &a) {
    std::vector<std::string> extents;
    for (const IndexExpr &e : a.extents)
      extents.push_back(expr(e));
    if (extents.empty())
      line() << "convopt_verify::Cell<" << a.elementType << "> " << arrayName(a)
             << ";\n";
    else
      line() << "auto " << arrayName(a) << " = convopt_verify::makeLocal<"
             << a.elementType << ">(" << braced(extents) << ");\n";
  }

  /// The Cell of \p access, by the member \p member of an argument's array, or
  /// where it \p isPast the ends, of its image.
  std::string element(const Statement &s, const Access &access,
                      StringRef member, bool isPast = false) const {
    const Array &a = nest.arrays[access.array];
    std::vector<std::string> subscripts;
    for (const auto &[d, e] : enumerate(access.subscripts)) {
      subscripts.push_back(
          expr(d < a.expandedDims ? e : overCurrentLoops(s, e)));
      if (isPast && borderOf(a, d) != Border::None)
        subscripts.back() = "convopt_verify::imageOf(" +
                            std::to_string(unsigned(a.borders[d])) + ", " +
                            subscripts.back() + ", " + expr(a.extents[d]) + ")";
    }
    if (a.isLocal() && subscripts.empty())
      return arrayName(a);
    if (a.isLocal())
      return "convopt_verify::at(" + arrayName(a) + ", " + braced(subscripts) +
             ")";
    return arrayName(a) + "." + member.str() + "(" + braced(subscripts) + ")";
  }

  /// Declares `cvo_<k>`: what operand \p k reads. \p slot is the next of the
  /// statement's guarded reads.
  void operand(const Statement &s, size_t k, unsigned &slot) {
    const Operand &o = s.operands[k];
    std::string name = "cvo_" + std::to_string(k);
    if (o.kind == Operand::Index) {
      line() << "const auto " << name << " = convopt_verify::known<int>(int("
             << expr(overCurrentLoops(s, o.index)) << "));\n";
      return;
    }
    std::string value = element(s, o.access, "read");
    if (nest.arrays[o.access.array].isLocal())
      value += ".read()";
    if (!o.guard.empty()) {
      const Array &a = nest.arrays[o.access.array];
      const std::string reads = "cvr_" + std::to_string(k);
      line() << "const bool " << reads << " = "
             << conditions(
                    o.guard,
                    [&](const IndexExpr &e) { return overCurrentLoops(s, e); })
             << ";\n";
      line() << "++convopt_all[" << slot << "], convopt_ran[" << slot
             << "] += " << reads << ";\n";
      ++slot;
      const bool isPast = o.otherwise == AtBorder;
      if (!isPast) {
        line() << "if (convopt_verify::state.recording && !" << reads << ")\n";
        line() << "  " << element(s, o.access, "keep") << ";\n";
      }
      value = isPast ? element(s, o.access, "read", isPast)
                     : reads + " ? " + value + " : convopt_verify::known<" +
                           a.elementType + ">(" + o.otherwise + ")";
    }
    line() << "const auto " << name << " = " << value << ";\n";
  }

  static StringRef method(Statement::Op op) {
    switch (op) {
    case Statement::Op::Assign:
      return "assign";
    case Statement::Op::Add:
      return "add";
    case Statement::Op::Sub:
      return "sub";
    case Statement::Op::Mul:
      return "mul";
    case Statement::Op::Max:
      return "max";
    case Statement::Op::Min:
      return "min";
    }
    llvm_unreachable("every operator is above");
  }

  /// Text of the source that cannot end a comment or carry it on.
  static std::string forComment(StringRef text) {
    std::string clean;
    for (char c : text)
      clean += isSpace(c) ? ' ' : isPrint(c) && c != '\\' ? c : '?';
    return clean;
  }

  void statement(const Statement &s) {
    line() << "{ // " << forComment(str(nest, s)) << '\n';
    indent += 2;
    unsigned slot = slots.at(&s);
    line() << "++convopt_all[" << slot << "], ++convopt_ran[" << slot << "];\n";
    ++slot;
    for (size_t k = 0; k != s.operands.size(); ++k)
      operand(s, k, slot);
    line() << element(s, s.target, "at") << "." << method(s.op) << "("
           << fillHoles(boundedText(rhsOf(nest, s), scalars),
                        [](unsigned k) { return "cvo_" + std::to_string(k); })
           << ");\n";
    indent -= 2;
    line() << "}\n";
  }
};
} // namespace

bool isFloating(const Nest &nest) {
  auto isOf = [&](StringRef type) {
    return convopt::isFloating(type) ||
           is_contained(nest.function.typeParams, type);
  };
  return all_of(nest.arrays,
                [&](const Array &a) { return isOf(a.elementType); }) &&
         all_of(statements(nest), [&](const StatementPath &p) {
           const Statement &s = *p.statement;
           return !rhsOf(nest, s).any([&](const CExpr &e) {
             return e.kind == CExpr::Verbatim ||
                    ((e.kind == CExpr::Cast || e.kind == CExpr::Call) &&
                     !isOf(typeOf(nest, s, e)));
           });
         });
}

std::vector<std::string> coverageNames(const Nest &nest) {
  std::vector<std::string> names;
  for (const StatementPath &p : statements(nest)) {
    const std::string name = "S" + std::to_string(p.statement->id);
    names.push_back(name);
    for (const Operand &o : p.statement->operands)
      if (isGuardedRead(o))
        names.push_back(name + "'s read of " +
                        nest.arrays[o.access.array].name);
  }
  return names;
}

std::string referenceBody(const Nest &nest, unsigned indent) {
  std::string text;
  raw_string_ostream os(text);
  Printer(nest, os, indent).function();
  return os.str();
}

static Body withLimitsAsGuards(const Body &body) {
  return rewriteEach<Loop>(body, [](const Loop *l) -> std::optional<Body> {
    auto slides = [](const Bound &b) { return b.expr.usesLoops(); };
    Loop limits = *l;
    auto within = std::make_shared<Loop>(*l);
    auto split = [&](std::vector<Bound> &all, std::vector<Bound> &limit) {
      const bool any = any_of(all, slides);
      erase_if(all, [&](const Bound &b) { return any && !slides(b); });
      erase_if(limit, [&](const Bound &b) { return !any || slides(b); });
    };
    split(within->lower, limits.lower);
    split(within->upper, limits.upper);
    if (limits.lower.empty() && limits.upper.empty())
      return std::nullopt;
    auto guard = std::make_shared<Guard>();
    guard->conditions = loopConstraints(limits);
    guard->body = withLimitsAsGuards(l->body);
    within->body = {std::move(guard)};
    return Body{std::move(within)};
  });
}

Nest withLimitsAsGuards(Nest nest) {
  nest.body = withLimitsAsGuards(nest.body);
  return nest;
}

} // namespace convopt::verify
