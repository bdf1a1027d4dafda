//===- Expr.cpp - Expressions as CUDA -------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Print/Cuda.h"
#include "convopt/Source/Lexemes.h"

using namespace llvm;
using namespace convopt::program;

namespace convopt {

namespace {
/// How tightly C binds, from the loosest on.
enum Precedence : uint8_t {
  Conditional,
  Disjunction,
  Conjunction,
  Xor,
  And,
  Equality,
  Relation,
  Shift,
  Sum,
  Product,
  Prefix,
  Primary,
};

struct Operator {
  const char *spelling;
  Precedence precedence;
};
} // namespace

static Operator operatorOf(Op op) {
  switch (op) {
  case Op::Mul:
    return {" * ", Product};
  case Op::Div:
    return {" / ", Product};
  case Op::Rem:
    return {" % ", Product};
  case Op::Add:
    return {" + ", Sum};
  case Op::Sub:
    return {" - ", Sum};
  case Op::ShiftLeft:
    return {" << ", Shift};
  case Op::ShiftRight:
    return {" >> ", Shift};
  case Op::Less:
    return {" < ", Relation};
  case Op::LessEqual:
    return {" <= ", Relation};
  case Op::Greater:
    return {" > ", Relation};
  case Op::GreaterEqual:
    return {" >= ", Relation};
  case Op::Equal:
    return {" == ", Equality};
  case Op::NotEqual:
    return {" != ", Equality};
  case Op::BitAnd:
    return {" & ", And};
  case Op::BitXor:
    return {" ^ ", Xor};
  case Op::And:
    return {" && ", Conjunction};
  case Op::Or:
    return {" || ", Disjunction};
  case Op::Negate:
    return {"-", Prefix};
  case Op::Not:
    return {"!", Prefix};
  case Op::AddressOf:
    return {"&", Prefix};
  }
  return {"", Primary};
}

static Precedence precedenceOf(const Expr &e) {
  switch (e.kind()) {
  case Expr::Unary:
  case Expr::Binary:
    // `&a[0] + 3`
    if (e.kind() == Expr::Unary && e.op() == Op::AddressOf &&
        e.operand(0).kind() == Expr::Beyond)
      return Sum;
    return operatorOf(e.op()).precedence;
  case Expr::Select:
    return Conditional;
  case Expr::Cast:
  case Expr::Access:
    return Prefix;
  case Expr::Number:
    return e.number() < 0 ? Prefix : Primary;
  default:
    return Primary;
  }
}

static std::string atLeast(const Expr &e, Precedence p) {
  return precedenceOf(e) < p ? "(" + cudaText(e) + ")" : cudaText(e);
}

static std::string list(ArrayRef<Expr> all) {
  std::string items;
  for (const Expr &e : all)
    items += (items.empty() ? "" : ", ") + cudaText(e);
  return items;
}

/// Sums and masks among bits, and whatever is shifted, have parentheses that C
/// does not need and readers do.
static std::string operandOf(Precedence outer, const Expr &e, bool isRight) {
  Precedence inner = precedenceOf(e);
  bool isBits = outer == Shift || outer == And || outer == Xor;
  bool isClear = !isBits || (inner != Sum && inner != And &&
                             (outer != Shift || inner > Product));
  Precedence least = Precedence(outer + isRight);
  return isClear ? atLeast(e, least) : atLeast(e, Primary);
}

static std::string binaryText(const Expr &e) {
  auto [spelling, precedence] = operatorOf(e.op());
  return operandOf(precedence, e.operand(0), /*isRight=*/false) + spelling +
         operandOf(precedence, e.operand(1), /*isRight=*/true);
}

static std::string elementText(const Expr &e) {
  const Variable &v = *e.variable();
  if (e.operands().empty())
    return v.isPointer ? "*" + v.name : v.name;
  std::string result = v.name;
  for (const Expr &subscript : e.operands()) {
    bool isBox = &subscript == e.operands().begin() && !v.box.empty();
    bool isAll = isBox && e.operands().size() == 1;
    result += "[" + cudaText(subscript) + "]" + (isBox && !isAll ? ".at" : "");
  }
  return result;
}

static std::string addressText(const Expr &e) {
  if (e.kind() == Expr::Beyond)
    return addressText(e.operand(0)) + " + " + atLeast(e.operand(1), Product);
  return "&" + atLeast(e, Prefix);
}

/// `*(const float4 *)&in_s[y][x]`
static std::string accessText(const Expr &e) {
  const Expr &element = e.operand(0);
  std::string address = addressText(element);
  if (element.kind() == Expr::Beyond)
    address = "(" + address + ")";
  return "*(" + std::string(e.isConstAccess() ? "const " : "") + e.type().name +
         " *)" + address;
}

static std::string callText(const Expr &e) {
  const CalledFunction &f = e.function();
  ArrayRef<Expr> all = e.operands();
  auto call = [&](const char *name) {
    return (f.name.empty() ? name : f.name) + "(" + list(all) + ")";
  };
  switch (f.callee) {
  case Callee::Min:
    return call("min");
  case Callee::Max:
    return call("max");
  case Callee::SyncThreadsOr:
    return call("__syncthreads_or");
  case Callee::Exchange: // among all lanes
    return "__shfl_xor_sync(0xffffffffu, " + list(all) + ")";
  case Callee::FloorDiv:
  case Callee::Across:
  case Callee::Local:
  case Callee::Named:
    return call("");
  case Callee::Fill:
    return f.name + "<" + all[0].type().name + ", " + cudaText(all[1]) + ">(" +
           cudaText(all[0]) + ")";
  case Callee::SyncThreads:
    return call("__syncthreads");
  case Callee::AsyncCopy:
    if (f.name.empty())
      return call("__pipeline_memcpy_async");
    return f.name + "<" + cudaText(all[2]) + ">(" + list(all.take_front(2)) +
           (all.size() == 4 ? ", " + cudaText(all[3]) : "") + ")";
  case Callee::Commit:
    return call("__pipeline_commit");
  case Callee::WaitPrior:
    return call("__pipeline_wait_prior");
  case Callee::BulkInit:
    return call("convopt_bulk_init");
  case Callee::BulkCopy:
    return call("convopt_bulk_copy");
  case Callee::BulkArrive:
    return call("convopt_bulk_arrive");
  case Callee::BulkWait:
    return call("convopt_bulk_wait");
  case Callee::TensorCopy:
    return call("convopt_tensor_copy");
  case Callee::HasBulk:
    return call("convopt_has_bulk");
  case Callee::Construct:
    return "(" + list(all) + ")";
  case Callee::Launch:
    return cudaText(all[0]) + "<<<" + list(all.slice(1, 4)) + ">>>(" +
           list(all.drop_front(5)) + ")";
  }
  return {};
}

/// Elements of arrays stand for themselves; anything else is one operand of
/// whatever stands around it in the source.
static std::string formulaText(const Expr &e) {
  return fillHoles(e.text(), [&](unsigned k) {
    const Expr &operand = e.operand(k);
    const std::string text = cudaText(operand);
    return operand.kind() == Expr::Element ? text : "(" + text + ")";
  });
}

std::string cudaText(const Expr &e) {
  switch (e.kind()) {
  case Expr::None:
    return {};
  case Expr::Number:
    if (e.type().kind == Type::Bool)
      return e.number() ? "true" : "false";
    return std::to_string(e.number()) +
           (e.type().kind == Type::Unsigned ? "u" : "");
  case Expr::Source:
    return e.text();
  case Expr::Use:
    return e.variable()->name;
  case Expr::Element:
    return elementText(e);
  case Expr::Beyond:
    return "(" + addressText(e.operand(0)) + ")[" + cudaText(e.operand(1)) +
           "]";
  case Expr::Unary:
    if (e.op() == Op::AddressOf)
      return addressText(e.operand(0));
    return operatorOf(e.op()).spelling + atLeast(e.operand(0), Prefix);
  case Expr::Binary:
    return binaryText(e);
  case Expr::Select:
    return atLeast(e.operand(0), Disjunction) + " ? " +
           atLeast(e.operand(1), Disjunction) + " : " + cudaText(e.operand(2));
  case Expr::Cast:
    return "(" + e.type().name + ")" + atLeast(e.operand(0), Prefix);
  case Expr::Access:
    return accessText(e);
  case Expr::Zero:
    return e.type().name + "{}";
  case Expr::SizeOf:
    return "sizeof(" + e.text() + ")";
  case Expr::Extent:
    return "sizeof(" + cudaText(e.operand(0)) +
           (e.variable()->box.empty() ? "" : ".at") + ")";
  case Expr::List:
    return "{" + list(e.operands()) + "}";
  case Expr::Call:
    return callText(e);
  case Expr::Formula:
    return formulaText(e);
  }
  return {};
}

std::string cudaFactor(const Expr &e) { return atLeast(e, Prefix); }

} // namespace convopt
