//===- LowerKernel.cpp - From a mapped nest to a program ------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerKernel.h"
#include "BulkCopies.h"
#include "LaunchParts.h"
#include "PackKernels.h"
#include "SharedMemory.h"
#include "SplitKernels.h"
#include "Values.h"
#include "convopt/Legality/Assertions.h"
#include "convopt/Lower/Kernel.h"
#include "convopt/Lower/SourceNames.h"
#include "convopt/Nest/LocalNames.h"
#include "convopt/Program/Check.h"
#include "convopt/Program/Outline.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::lower {

/// Every array that is not made in the nest comes in by an argument, and so
/// does every size that is no template's and has no definition. Where some
/// arguments are parts of parameters, others are among the parameters.
static Error checkArguments(const Nest &nest) {
  for (const auto &[k, p] : llvm::enumerate(nest.params)) {
    bool isArgument =
        llvm::any_of(nest.function.arguments, [id = k](const Argument &a) {
          return a.role == Argument::ParamArg && a.index == id;
        });
    if (!p.isTemplate && !p.definition && !isArgument)
      return refuse("structure",
                    "nothing gives the function the size '" + p.name + "'",
                    nest.function.range, "pass it as a parameter");
  }
  for (size_t k = 0; k != nest.arrays.size(); ++k) {
    bool isArgument =
        llvm::any_of(nest.function.arguments, [&](const Argument &a) {
          return a.role == Argument::ArrayArg && a.index == k;
        });
    if (!nest.arrays[k].isLocal() && !isArgument)
      return refuse("structure",
                    "array '" + nest.arrays[k].name +
                        "' is not a parameter of the function",
                    nest.arrays[k].range, "pass it as a parameter");
  }
  const std::vector<Parameter> all = nest.function.signature();
  for (const Argument &a : nest.function.arguments)
    if (!a.isPart() && llvm::none_of(all, [&](const Parameter &p) {
          return p.name == a.name;
        }))
      return refuse("structure",
                    "argument '" + a.name + "' is no parameter of the function",
                    a.range, "list it among the lines 'parameter'");
  return Error::success();
}

/// Everything that is refused before names are given.
static Error checkNest(const Nest &nest, const Gpu &gpu,
                       int64_t constantBytes) {
  if (Error e = checkArguments(nest))
    return e;
  if (Error e = checkConstants(nest, gpu, constantBytes))
    return e;
  if (Error e = checkLanguage(nest))
    return e;
  return checkHostNames(nest);
}

static Error checkMapped(const Nest &nest, const Mapping &mapping) {
  if (Error e = checkBulkUnits(nest))
    return e;
  if (Error e = checkVectorSizes(nest))
    return e;
  if (Error e = checkLastTiles(nest))
    return e;
  return checkRestart(nest, mapping);
}

/// What host code has \p a in, a part of a parameter or one of another name.
static program::Expr partVariable(const Nest &nest, const Argument &a) {
  const bool isInt =
      a.role == Argument::ParamArg && fitsInt(nest.params[a.index]);
  std::string type = StringRef(a.type).rtrim("@ ").str();
  return variable(isInt                          ? program::Type::integer()
                  : a.role == Argument::ParamArg ? wide(std::move(type))
                                                 : handle(std::move(type)),
                  a.name, /*isConst=*/a.role != Argument::ArrayArg);
}

/// What the kernel's template, host loops and arguments are called.
static void nameParts(Lowered &l) {
  Context &c = l.context;
  Names &names = l.names;
  if (hasOffsetType(l.nest))
    c.offsetType = names.fresh("Offset");
  if (!alignedArrays(l.nest).empty())
    c.aligned = names.fresh("Aligned");
  c.tensorMaps = nameTensorMaps(l.nest, names);
  names.setFloorDiv(
      c.helper(Helper::FloorDiv, "_floordiv", program::Callee::FloorDiv));
  for (const Loop *loop : l.mapping.hostLoops()) {
    names.bind(loopVar(loop->id),
               names.fresh(baseName(l.nest.loopNames[loop->id])));
    c.hostLoops[loop->id] = names(loopVar(loop->id));
  }
  for (const Argument &a : l.nest.function.arguments)
    if (a.role == Argument::ParamArg &&
        (a.isPart() || a.name != l.nest.params[a.index].name))
      names.bind(paramVar(a.index), partVariable(l.nest, a));
  for (size_t k = 0; k != l.nest.params.size(); ++k)
    if (!l.nest.params[k].definition)
      c.seen.push_back(names.declared(paramVar(k)));
  for (const Argument &a : l.nest.function.arguments)
    if (a.role == Argument::ParamArg) {
      c.arguments.push_back(names(paramVar(a.index)));
      erase(c.seen, c.arguments.back().variable());
    } else {
      c.arguments.push_back(a.isPart() ? partVariable(l.nest, a)
                                       : variable(handle(a.type), a.name));
    }
}

/// Unsigned and wide sizes count as int: the launcher checks that they are.
static void narrowSizes(Lowered &l) {
  using program::Expr;
  l.kernelNames = l.names;
  for (size_t k = 0; k != l.nest.params.size(); ++k) {
    const Param &p = l.nest.params[k];
    if (fitsInt(p) || p.definition)
      continue;
    const Expr narrowed =
        Expr::cast(program::Type::integer(), l.names(paramVar(k)));
    l.names.bind(paramVar(k), narrowed);
    if (p.isTemplate)
      l.kernelNames.bind(paramVar(k), narrowed);
  }
  if (!l.context.offsetType.empty())
    l.kernelNames.setOffsetType(l.context.offsetType);
}

/// `const float *__restrict__ inputs, ..., int N`: pointers to what \p body
/// names, and sizes as int.
static std::vector<FunctionDefinition::Parameter>
kernelParameters(const Context &c, const KernelBody &body) {
  std::vector<FunctionDefinition::Parameter> all;
  auto add = [&](program::VariableRef v, const std::string &type) {
    all.push_back({v, type + v->name});
  };
  auto addArray = [&](unsigned id, bool isConst) {
    add(body.variableOf(id), (isConst ? "const " : "") +
                                 c.nest.arrays[id].elementType +
                                 " *__restrict__ ");
  };
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, c.arguments))
    if (a.role == Argument::ArrayArg)
      addArray(a.index, c.nest.arrays[a.index].role == Array::Input);
    else if (a.role == Argument::ParamArg)
      add(v.variable(), "int ");
    else
      all.push_back({v.variable(), declare(a.type, a.name)});
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Global))
    addArray(copy->buffer, /*isConst=*/true);
  for (const auto &[loop, index] : c.hostLoops)
    add(index.variable(), "int ");
  for (const auto &[copy, map] : c.tensorMaps)
    add(map.variable(), "const __grid_constant__ CUtensorMap ");
  return all;
}

/// Lowers the kernel, and has its program checked.
static Error lowerBody(Lowered &l) {
  KernelBody body(l.nest, l.mapping, l.kernelNames, l.helpers,
                  l.options.fullTiles);
  l.kernel = body.lower();
  l.kernelParameters = kernelParameters(l.context, body);
  for (const auto &[a, v] :
       zip_equal(l.nest.function.arguments, l.context.arguments))
    if (a.role == Argument::ScalarArg)
      l.kernel.scalars.push_back(v.variable());
  if (Error e = checkAssertions(l.kernel))
    return e;
  if (!l.options.assertions)
    l.kernel.body = dropUnused(l.kernel.body);
  std::vector<program::VariableRef> everywhere = l.context.seen;
  if (l.helpers.aligned)
    everywhere.push_back(l.helpers.aligned);
  program::outlineRare(l.kernel, l.context.name("_again"),
                       l.context.argumentsInKernel(), everywhere);
  return program::check(l.kernel);
}

std::vector<Lowered *> Lowered::kernels() {
  std::vector<Lowered *> all;
  for (const std::unique_ptr<Lowered> &l : split)
    all.push_back(l.get());
  return all.empty() ? std::vector{this} : all;
}

/// \p part is what the names of one of several kernels have besides.
static Expected<std::unique_ptr<Lowered>>
lower(const CheckedNest &staged, const Gpu &gpu, const LowerOptions &options,
      int64_t constantBytes, const std::string &part) {
  const Nest &known = staged.nest();
  if (Error e = checkNest(known, gpu, constantBytes))
    return std::move(e);
  Expected<Mapping> mapping = findMapping(known, gpu);
  if (!mapping)
    return mapping.takeError();
  auto l = std::make_unique<Lowered>(
      withSizesOfBuffers(withFreshLocalNames(withPartsOfSums(known, *mapping),
                                             namesOfOthers(options.reserved)),
                         options.reserved),
      staged.source(), gpu, options);
  l->mapping = cantFail(findMapping(l->nest, gpu));
  l->context.part = options.part + part;
  if (Error e = checkMapped(l->nest, l->mapping))
    return std::move(e);
  nameParts(*l);
  narrowSizes(*l);
  const Context &c = l->context;
  l->helpers = {
      c.helper("_vector"),
      c.helper(Helper::VectorOf, "_vector_of", program::Callee::Fill),
      c.helper(Helper::CopyAsync, "_copy_async", program::Callee::AsyncCopy),
      c.helper(Helper::CopyOrZeros, "_copy_or_zeros",
               program::Callee::AsyncCopy),
      c.helper(Helper::Across, "_across", program::Callee::Across),
      {},
      c.tensorMaps};
  if (!c.aligned.empty())
    l->helpers.aligned =
        KernelBody::constant(c.aligned, program::Type::boolean());
  if (l->mapping.takesKernels()) {
    std::array<SplitKernel, 2> both =
        splitKernels(staged, *mapping, options.reserved);
    Expected<std::vector<CheckedNest>> checked = checkKernels(
        staged, {std::move(both[0].nest), std::move(both[1].nest)});
    if (!checked)
      return checked.takeError();
    const bool haveConstants = all_of(
        *checked, [](const CheckedNest &k) { return usesConstants(k.nest()); });
    for (const auto &[k, nest] : zip_equal(both, *checked)) {
      auto kernel = lower(nest, gpu, options,
                          constantBytes / (haveConstants ? 2 : 1), k.name);
      if (!kernel)
        return kernel.takeError();
      l->split.push_back(std::move(*kernel));
    }
    return l;
  }
  if (Error e = lowerBody(*l))
    return std::move(e);
  return l;
}

/// What a kernel of \p part rests on, but for iterations of loops around it,
/// is asked of \p whole.
static void addAssumptions(const Nest &part, Nest &whole) {
  for (const Assumption &a : part.assumptions) {
    if (a.spanned || llvm::any_of(a.fact.expr.vars(), [&](Var v) {
          return v.kind == Var::Param && v.id >= whole.params.size();
        }))
      continue;
    auto isSame = [&](const Assumption &b) { return a.fact == b.fact; };
    erase_if(whole.assumptions,
             [&](const Assumption &b) { return isSame(b) && b.spanned; });
    if (llvm::none_of(whole.assumptions, isSame))
      whole.assumptions.push_back(a);
  }
}

Expected<std::unique_ptr<Lowered>> lowerHost(const CheckedNest &whole,
                                             ArrayRef<SequencePart> parts,
                                             const Gpu &gpu,
                                             const LowerOptions &options) {
  Nest nest = whole.nest();
  for (const SequencePart &p : parts)
    addAssumptions(p.nest.nest(), nest);
  if (Error e = checkNest(nest, gpu, gpu.constantBytes))
    return std::move(e);
  auto l = std::make_unique<Lowered>(std::move(nest), whole.source(), gpu,
                                     options);
  l->context.isOfSequence = true;
  nameParts(*l);
  narrowSizes(*l);
  return l;
}

Expected<std::unique_ptr<Lowered>> lower(const CheckedNest &staged,
                                         const Gpu &gpu,
                                         const LowerOptions &options,
                                         int64_t constantBytes) {
  return lower(staged, gpu, options, constantBytes, "");
}

} // namespace convopt::lower
