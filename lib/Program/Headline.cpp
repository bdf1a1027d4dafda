//===- Headline.cpp - Statements in messages ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Headline.h"

using namespace llvm;

namespace convopt::program {

StringRef nameOf(const CalledFunction &f) {
  switch (f.callee) {
  case Callee::Min:
    return "min";
  case Callee::Max:
    return "max";
  case Callee::FloorDiv:
    return "floordiv";
  case Callee::Across:
    return "across";
  case Callee::Fill:
    return "fill";
  case Callee::SyncThreadsOr:
    return "__syncthreads_or";
  case Callee::Exchange:
    return "__shfl_xor_sync";
  case Callee::Local:
    return f.name;
  case Callee::SyncThreads:
    return "__syncthreads";
  case Callee::AsyncCopy:
    return "async copy";
  case Callee::Commit:
    return "commit";
  case Callee::WaitPrior:
    return "wait_prior";
  case Callee::BulkInit:
    return "bulk_init";
  case Callee::BulkCopy:
    return "bulk_copy";
  case Callee::BulkArrive:
    return "bulk_arrive";
  case Callee::BulkWait:
    return "bulk_wait";
  case Callee::TensorCopy:
    return "tensor_copy";
  case Callee::HasBulk:
    return "has_bulk";
  case Callee::Named:
    return f.name;
  case Callee::Construct:
    return "construction";
  case Callee::Launch:
    return "launch";
  }
  return "";
}

/// Of tensor copies, before the coordinates.
static unsigned argumentCount(Callee callee) {
  switch (callee) {
  case Callee::BulkCopy:
  case Callee::TensorCopy:
    return 4;
  case Callee::AsyncCopy:
    return 3;
  case Callee::BulkWait:
    return 2;
  case Callee::Local:
  case Callee::WaitPrior:
  case Callee::BulkInit:
  case Callee::BulkArrive:
    return 1;
  default:
    return 0;
  }
}

bool hasItsArguments(const Expr &call) {
  const CalledFunction &f = call.function();
  const size_t count = call.operands().size(), needed = argumentCount(f.callee);
  if (f.callee == Callee::TensorCopy)
    return count > needed;
  return count == needed || (f.callee == Callee::AsyncCopy && !f.name.empty() &&
                             count == needed + 1);
}

/// The first variable that \p e names.
static std::string firstOf(const Expr &e) {
  std::string name;
  e.walk([&](const Expr &part) {
    if (name.empty() && part.variable())
      name = "'" + part.variable()->name + "'";
  });
  return name;
}

std::string headline(const Stmt &s) {
  std::string text;
  if (const auto *d = dyn_cast<Declaration>(&s)) {
    text = "declaration of '" + d->variable->name + "'";
  } else if (const auto *a = dyn_cast<Assignment>(&s)) {
    text = "assignment";
    if (std::string name = firstOf(a->target); !name.empty())
      text += " to " + name;
  } else if (const auto *c = dyn_cast<CallStmt>(&s)) {
    text = "call of " + nameOf(c->call.function()).str();
    if (!c->call.operands().empty())
      if (std::string name = firstOf(c->call.operand(0)); !name.empty())
        text += " for " + name;
  } else if (const auto *f = dyn_cast<For>(&s)) {
    text = "loop over '" + f->variable->name + "'";
  } else if (isa<If>(&s)) {
    text = "conditional";
  } else if (const auto *f = dyn_cast<LocalFunction>(&s)) {
    text = "function '" + f->name->name + "'";
  } else if (const auto *apart = dyn_cast<Scope>(&s);
             apart && !apart->function.empty()) {
    text = "call of '" + apart->function + "'";
  } else if (isa<Assertion>(&s)) {
    text = "assertion";
  } else {
    text = isa<Return>(&s) ? "return" : "scope";
  }
  return s.comment.empty() ? text : text + " (" + s.comment + ")";
}

} // namespace convopt::program
