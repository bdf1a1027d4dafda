//===- Dispatch.cpp - What launches of the naive kernel become ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "Values.h"
#include "convopt/Source/CExpr.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Op;

/// The dimensions of CUDA's \p variable that \p text has, in its order.
static std::vector<unsigned> dimensionsIn(StringRef text, StringRef variable) {
  std::vector<unsigned> found;
  parseCExpr(text).walk([&](const CExpr &e) {
    if (e.kind == CExpr::Member && e.parts[0].token == variable &&
        is_contained({"x", "y", "z"}, e.token))
      found.push_back(e.token[0] - 'x');
  });
  return found;
}

/// The first of them, or none.
static std::optional<unsigned> dimensionIn(StringRef text, StringRef variable) {
  const std::vector<unsigned> all = dimensionsIn(text, variable);
  return all.empty() ? std::nullopt : std::optional(all.front());
}

/// \p text of C over sizes.
static Expr sourceValue(const Nest &nest, StringRef text, const Names &names) {
  std::vector<Expr> sizes;
  std::string formula = parseCExpr(text).replaced([&](const CExpr &e) {
    auto p =
        find_if(nest.params, [&](const Param &p) { return p.name == e.token; });
    if (e.kind != CExpr::Name || p == nest.params.end())
      return e.token.str();
    sizes.push_back(
        Expr::element(names.variableOf(paramVar(p - nest.params.begin())), {}));
    return "$" + std::to_string(sizes.size() - 1);
  });
  return Expr::formula(std::move(formula), std::move(sizes), Type::integer());
}

/// Whether \p e divides by a size.
static bool dividesBySize(const IndexExpr &e) {
  return any_of(e.terms(), [](const auto &term) {
    return any_of(term.first, [](const Atom &a) {
      return !a.isVar() && !a.den().isConstant();
    });
  });
}

/// What must hold of \p grid and \p block for the naive launch to compute
/// exactly the nest's domain; nothing where any does.
static Expr covers(const Context &c, const Names &names, const Expr &grid,
                   const Expr &block) {
  const Function &f = c.nest.function;
  Expr all;
  // Dimensions of the grid that any number of blocks shares, or that blocks of
  // any size fill, and of such blocks.
  std::array<bool, 3> isShared{}, byBlockDim{}, isAnySize{};
  auto add = [&](Op op, const Expr &a, const Expr &b) {
    all = both(all, Expr::binary(op, a, b));
  };
  auto dim = [](const Expr &of, unsigned d) {
    return known(of.variable()->name + "." + dimensionName(d),
                 Type::unsignedInteger());
  };
  auto blocks = [&](unsigned d) {
    return Expr::cast(wide("long long"), dim(grid, d));
  };
  for (const ThreadMap &m : f.threadMaps)
    if (auto g = dimensionIn(m.by, "gridDim"))
      isShared[*g] = true;
  for (const ThreadMap &m : f.threadMaps) {
    auto g = dimensionIn(m.text, "blockIdx");
    auto stride = dimensionIn(g ? m.text : m.by, "blockDim");
    auto thread = dimensionIn(m.text, "threadIdx");
    if (!stride || !thread || (g && !f.gridText[*g].empty()))
      continue;
    isAnySize[*stride] = isAnySize[*thread] = true;
    if (!g)
      continue;
    byBlockDim[*g] = true;
    Expr threads = blocks(*g) * dim(block, *stride);
    const std::vector<unsigned> byBlocks = dimensionsIn(m.text, "blockIdx"),
                                byThreads = dimensionsIn(m.text, "threadIdx");
    for (unsigned row : drop_begin(byBlocks))
      threads = threads * dim(grid, row);
    for (unsigned row : drop_begin(byThreads)) {
      threads = threads * dim(block, row);
      isAnySize[row] = true;
    }
    if (!isShared[*g])
      add(f.gridExact[*g] ? Op::Equal : Op::GreaterEqual, threads,
          names.wideValue(f.grid[*g].expr));
    if (*stride != *thread) // rows stepped by one dimension, filled by another
      add(Op::GreaterEqual, dim(block, *thread), dim(block, *stride));
  }
  const bool isExact = is_contained(f.gridExact, true);
  if (any_of(f.grid, [](const Bound &b) { return dividesBySize(b.expr); }))
    for (const Assumption &a : c.nest.assumptions)
      if (a.fact.kind == Constraint::NonNegative && !a.fact.expr.hasQuotient())
        add(Op::GreaterEqual, names.wideValue(a.fact.expr), 0);
  for (unsigned d = 0; d != 3; ++d) {
    Expr need = f.gridText[d].empty()
                    ? ceilOf(f.grid[d], names, /*nonNegative=*/true)
                    : sourceValue(c.nest, f.gridText[d], names);
    if (!isShared[d] && !byBlockDim[d] && !need.isNumber(1) &&
        !need.isNumber(0))
      add(f.gridExact[d] ? Op::Equal : Op::GreaterEqual, blocks(d), need);
    if (isAnySize[d] || (f.block[d] == IndexExpr(1) && !f.blockExact[d]))
      continue;
    const std::optional<int64_t> width = f.block[d].asConstant();
    const bool isAll = f.blockExact[d] || (isExact && width);
    add(isAll ? Op::Equal : Op::GreaterEqual,
        width ? dim(block, d) : Expr::cast(wide("long long"), dim(block, d)),
        width ? Expr(*width) : names.wideValue(f.block[d]));
  }
  return all;
}

/// The launcher's arguments: arrays as pointers to their elements.
static std::vector<Expr> launcherArguments(const Context &c) {
  std::vector<Expr> all;
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, c.arguments))
    all.push_back(a.role == Argument::ArrayArg
                      ? toElements(a, c.nest.arrays[a.index], v)
                      : v);
  return all;
}

FunctionDefinition lowerDispatch(const Context &c, Names names) {
  auto fresh = [&](const char *type, const char *wish) {
    return variable(handle(type), names.fresh(wish));
  };
  Expr grid = fresh("dim3", "grid"), block = fresh("dim3", "block");
  Expr shared = fresh("size_t", "shared"),
       stream = fresh("cudaStream_t", "stream");
  // The naive kernel's own parameters: what its launches pass, and what goes on
  // to it where the tiled kernel cannot stand in.
  FunctionDefinition f =
      define(c, c.templateHead() + "void " + c.name("_dispatch"),
             {parameter(grid), parameter(block), parameter(shared),
              parameter(stream)});
  const std::vector<Expr> naive =
      takeNaive(c, f, {grid, block, shared, stream});
  defineSizes(c.nest, names, f.body);
  Expr isWhole;
  if (const Expr all = covers(c, names, grid, block)) {
    isWhole = variable(Type::boolean(), names.fresh("covers"), true);
    add<program::Declaration>(f.body, isWhole.variable(), all).above =
        "The naive launch must have meant the whole output.";
  }
  std::vector<Expr> arguments = launcherArguments(c);
  arguments.push_back(stream);
  const std::vector<ObjectMemory> objects = objectMemory(c, names);
  Expr overlapping;
  if (!objects.empty()) {
    const std::vector<ArrayArgument> arrays = buffers(c, names);
    defineElements(c, arrays, names, f.body);
    overlapping = overlaps(c, arrays, objects);
  }
  const Expr launched = call(c.name("_launch") + c.templateArguments(),
                             std::move(arguments), errorType());
  const Expr error = variable(errorType(), names.fresh("error"));
  beginRefusals(c, f.body);
  add<program::Declaration>(f.body, error.variable(),
                            call("cudaPeekAtLastError", {}, errorType()));
  auto refuse = [&](const Expr &condition, const char *kind,
                    const char *needs) {
    if (condition)
      add<program::Assignment>(where(f.body, both(succeeded(error), condition),
                                     /*isBraced=*/false),
                               error, refusal(c, kind, needs));
  };
  refuse(isWhole ? Expr::unary(Op::Not, isWhole) : Expr(),
         "cudaErrorInvalidConfiguration",
         "a launch that means the whole output");
  refuse(overlapping, "cudaErrorInvalidValue",
         "sizes apart from what is written");
  add<program::Assignment>(where(f.body, succeeded(error), /*isBraced=*/false),
                           error, launched);
  Block &fails = where(f.body, isNot(error, "cudaSuccess"));
  add<program::CallStmt>(fails, call(c.helper(Helper::Fallback, "_fallback"),
                                     {error}, handle("void")));
  add<program::CallStmt>(
      fails, launch({known(c.nest.function.name + c.templateArguments()), grid,
                     block, shared, stream},
                    naive));
  f.body = dropUnused(f.body);
  return f;
}

} // namespace convopt::lower
