//===- Stmt.cpp - Statements as CUDA --------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Print/Cuda.h"
#include "convopt/Program/Atomics.h"
#include "convopt/Program/Outline.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace convopt::program;

namespace convopt {

static std::string extents(ArrayRef<Expr> all) {
  std::string result;
  for (const Expr &e : all)
    result += "[" + cudaText(e) + "]";
  return result;
}

namespace {
class Printer {
public:
  explicit Printer(raw_ostream &os) : os(os) {}

  void block(const Block &b, unsigned indent) {
    for (const StmtRef &s : b) {
      statement(*s, indent);
      // The threads that go on are set apart from those that leave.
      const auto *leaving = dyn_cast<If>(s.get());
      if (leaving && leaving->body.size() == 1 && isLeft(*leaving->body[0]))
        os << '\n';
    }
  }

private:
  static bool isLeft(const Stmt &s) {
    const auto *r = dyn_cast<Return>(&s);
    return r && !r->value;
  }

  raw_ostream &line(unsigned indent) { return os.indent(2 * indent); }

  void statement(const Stmt &s, unsigned indent) {
    if (!s.above.empty())
      line(indent) << "// " << s.above << '\n';
    switch (s.kind) {
    case Stmt::Kind::Declaration:
      return declaration(*cast<Declaration>(&s), indent);
    case Stmt::Kind::Assignment:
      line(indent) << assignment(*cast<Assignment>(&s)) << ";\n";
      return;
    case Stmt::Kind::Call:
      line(indent) << cudaText(cast<CallStmt>(&s)->call) << ";\n";
      return;
    case Stmt::Kind::For:
      return loop(*cast<For>(&s), indent);
    case Stmt::Kind::If:
      return conditional(*cast<If>(&s), indent);
    case Stmt::Kind::Scope:
      return scope(*cast<Scope>(&s), indent);
    case Stmt::Kind::LocalFunction: {
      const auto *f = cast<LocalFunction>(&s);
      line(indent) << "auto " << f->name->name << " = [&](int "
                   << f->parameter->name << ") {" << comment(s) << '\n';
      block(f->body, indent + 1);
      line(indent) << "};\n";
      return;
    }
    case Stmt::Kind::Return:
      line(indent) << "return" << prefixed(" ", cast<Return>(&s)->value)
                   << ";\n";
      return;
    case Stmt::Kind::Assertion: {
      const auto *a = cast<Assertion>(&s);
      line(indent) << (a->isGiven ? "assume(" : "assert(")
                   << cudaText(a->condition) << ");\n";
      return;
    }
    }
  }

  static std::string prefixed(const char *before, const Expr &e) {
    return e ? before + cudaText(e) : "";
  }

  static std::string comment(const Stmt &s) {
    return s.comment.empty() ? "" : " // " + s.comment;
  }

  static std::string alignment(const Variable &v) {
    return v.alignment ? "__align__(" + std::to_string(v.alignment) + ") " : "";
  }

  /// `struct __align__(128) in_s_box { float at[8][33]; };`
  void box(const Variable &v, unsigned indent) {
    line(indent) << "struct " << alignment(v) << v.box << " {\n";
    line(indent + 1) << v.type.name << " at"
                     << extents(ArrayRef(v.extents).drop_front()) << ";\n";
    line(indent) << "};\n";
  }

  void declaration(const Declaration &d, unsigned indent) {
    const Variable &v = *d.variable;
    ArrayRef<Expr> all = v.extents;
    std::string type = v.type.name;
    if (!v.box.empty()) {
      box(v, indent);
      type = v.box;
      all = all.take_front(1);
    }
    line(indent);
    if (!v.place.empty()) {
      std::string at = cudaFactor(v.place[0] + v.place[1]);
      if (v.isPointer)
        os << type << " *" << v.name << " = (" << type << " *)" << at;
      else
        os << "auto &" << v.name << " = *(" << type << " (*)" << extents(all)
           << ")" << at;
    } else if (v.memory == Memory::Shared && v.isPointer) {
      os << "extern __shared__ " << alignment(v) << type << ' ' << v.name
         << "[]";
    } else {
      os << (v.memory == Memory::Shared ? "__shared__ " : "")
         << (d.isConstexpr ? "constexpr "
             : v.isConst   ? "const "
                           : "")
         << (v.box.empty() ? alignment(v) : "") << type << ' ' << v.name
         << extents(all);
      bool isMade = d.value.kind() == Expr::Call &&
                    d.value.function().callee == Callee::Construct;
      os << prefixed(isMade ? "" : " = ", d.value);
      if (d.isZeroed)
        os << (v.isArray() ? " = {}" : " = 0");
    }
    os << ";" << comment(d) << '\n';
  }

  static std::string assignment(const Assignment &a) {
    std::string target = cudaText(a.target), value = cudaText(a.value);
    if (auto atomic = a.isAtomic ? atomicOf(a.update) : std::nullopt)
      return str(*atomic).str() + "(&" + target + ", " + value + ")";
    switch (a.update) {
    case Assignment::Update::None:
      return target + " = " + value;
    case Assignment::Update::Add:
      return target + " += " + value;
    case Assignment::Update::Sub:
      return target + " -= " + value;
    case Assignment::Update::Mul:
      return target + " *= " + value;
    case Assignment::Update::Xor:
      return target + " ^= " + value;
    case Assignment::Update::Max:
      return target + " = max(" + target + ", " + value + ")";
    case Assignment::Update::Min:
      return target + " = min(" + target + ", " + value + ")";
    }
    return {};
  }

  void scope(const program::Scope &s, unsigned indent) {
    if (!s.function.empty()) {
      const std::vector<Expr> arguments(s.parameters.begin(),
                                        s.parameters.end());
      line(indent) << cudaText(Expr::call(
                          {Callee::Named, s.function + s.templateArguments},
                          arguments))
                   << ";\n";
      return;
    }
    line(indent) << "{" << comment(s) << '\n';
    block(s.body, indent + 1);
    line(indent) << "}\n";
  }

  void loop(const For &f, unsigned indent) {
    if (f.unroll != For::ByCompiler)
      os << (f.unroll == For::Always ? "#pragma unroll\n"
                                     : "#pragma unroll 1\n");
    const std::string &v = f.variable->name;
    line(indent) << "for (int " << v << " = " << cudaText(f.first) << "; "
                 << cudaText(both(Expr::binary(Op::Less, f.variable, f.end),
                                  f.goesOn))
                 << "; "
                 << (f.step.isNumber(1) ? "++" + v
                                        : v + " += " + cudaText(f.step))
                 << ") {" << comment(f) << '\n';
    block(f.body, indent + 1);
    line(indent) << "}\n";
  }

  void conditional(const If &i, unsigned indent) {
    line(indent);
    branches(i, indent);
  }

  void branches(const If &i, unsigned indent) {
    os << "if (" << cudaText(i.condition) << ")" << (i.isBraced ? " {" : "")
       << comment(i) << '\n';
    block(i.body, indent + 1);
    if (!i.otherwise.empty()) {
      if (i.isBraced)
        line(indent) << "} else ";
      else
        line(indent) << "else ";
      const auto *next = i.otherwise.size() == 1
                             ? dyn_cast<If>(i.otherwise[0].get())
                             : nullptr;
      if (next)
        return branches(*next, indent);
      os << (i.isBraced ? "{\n" : "\n");
      block(i.otherwise, indent + 1);
    }
    if (i.isBraced)
      line(indent) << "}\n";
  }

  raw_ostream &os;
};
} // namespace

static const char *nameOf(Memory m) {
  switch (m) {
  case Memory::Register:
    return "registers";
  case Memory::Shared:
    return "shared";
  case Memory::Constant:
    return "constant";
  case Memory::Global:
    return "global";
  }
  return "";
}

static std::string parameterList(const FunctionDefinition &f, bool defaults) {
  std::string list;
  for (const auto &[variable, text] : f.parameters)
    list += (list.empty() || text.empty() ? "" : ", ") +
            (defaults ? text : StringRef(text).split(" = ").first.str());
  return "(" + list + ")";
}

std::string cudaText(const FunctionDefinition &f) {
  return f.head + parameterList(f, /*defaults=*/true) + " {\n" +
         cudaText(f.body, 1) + "}\n";
}

std::string cudaDeclaration(const FunctionDefinition &f) {
  return f.head + parameterList(f, /*defaults=*/false) + ";\n";
}

std::string cudaParameter(const Variable &v) {
  const std::string pointer = "*" + v.name;
  if (v.isPointer || v.extents.size() == 1)
    return (v.isPointer && v.isConst ? "const " : "") + v.type.name + " " +
           pointer;
  if (!v.isArray())
    return v.type.name + " " + v.name;
  return v.type.name + " (" + pointer + ")" +
         extents(ArrayRef(v.extents).drop_front());
}

std::string programText(const Kernel &kernel) {
  std::string result = "kernel";
  for (int64_t extent : kernel.block)
    result += " " + std::to_string(extent);
  result += "\n";
  for (const VariableRef &v : kernel.parameters) {
    result += "parameter " + v->name + ": ";
    if (v->isPointer)
      result += std::string(v->isConst ? "const " : "") + v->type.name +
                " in " + nameOf(v->memory) + "\n";
    else
      result += v->type.name + "\n";
  }
  for (const Scope *apart : outlinedIn(kernel.body)) {
    result += "function " + apart->function + apart->templateArguments + "(";
    for (const VariableRef &v : apart->parameters)
      result += (v == apart->parameters[0] ? "" : ", ") + cudaParameter(*v);
    result += ") {\n" + cudaText(apart->body, 1) + "}\n";
  }
  return result + "{\n" + cudaText(kernel.body, 1) + "}\n";
}

std::string cudaText(const Block &block, unsigned indent) {
  std::string result;
  raw_string_ostream os(result);
  Printer(os).block(block, indent);
  return result;
}

} // namespace convopt
