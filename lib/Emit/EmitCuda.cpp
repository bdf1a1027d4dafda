//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Helpers.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Lower/SourceNames.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Program/Check.h"
#include "convopt/Target/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <set>

using namespace llvm;

namespace convopt {

using namespace emit;
using program::Block;
using program::Callee;
using program::Expr;
using program::FunctionDefinition;
using program::Helper;

namespace {
/// What added code uses of others: headers, and functions beside the kernel.
struct Uses {
  std::set<Helper> helpers;
  std::set<unsigned> tensorRanks; // of boxes that TMA copies

  void add(const Uses &other) {
    helpers.insert(other.helpers.begin(), other.helpers.end());
    tensorRanks.insert(other.tensorRanks.begin(), other.tensorRanks.end());
  }
  bool has(Helper h) const { return helpers.count(h) != 0; }
  std::string includes() const;
};

/// The texts that make up the added code.
struct Parts {
  std::string kernel, launcher, replacement;
  Uses uses;
};
} // namespace

std::string Uses::includes() const {
  std::string all = "#include <cuda_runtime.h>\n";
  if (has(Helper::Pipeline))
    all += "#include <cuda_pipeline_primitives.h>\n";
  if (has(Helper::Encode))
    all += "#include <cuda.h>\n";
  if (has(Helper::Algorithm))
    all += "#include <algorithm>\n";
  all += "#include <climits>\n#include <cstdint>\n#include <cstdio>\n"
         "#include <cstdlib>\n#include <initializer_list>\n";
  if (has(Helper::Constants) || has(Helper::Streams) || has(Helper::Take))
    all += "#include <mutex>\n";
  return all;
}

/// Adds the names of CUDA, or of a function, that \p e has but for those of its
/// operands.
static void addNames(const Expr &e, StringSet<> &names) {
  const StringRef type = e.type().name;
  for (StringRef name : {type.take_while([](char ch) { return ch != ' '; }),
                         e.kind() == Expr::Source ? StringRef(e.text()) : ""})
    if (isCudaName(name))
      names.insert(name);
  if (e.kind() != Expr::Call)
    return;
  const Callee callee = e.function().callee;
  if (callee == Callee::Min || callee == Callee::Max)
    names.insert(callee == Callee::Min ? "min" : "max");
  else if (callee == Callee::Named)
    names.insert(e.function().name);
}

/// Refuses (rule "structure") a parameter by a name that \p body has for
/// something else; adds what of the file it uses to \p uses.
static Error addUses(const Nest &nest, const Block &body, Uses &uses) {
  StringSet<> names;
  auto use = [&](std::optional<Helper> h) {
    if (h)
      uses.helpers.insert(*h);
  };
  walkExprs(body, [&](const Expr &e) {
    use(e.type().helper);
    addNames(e, names);
    if (e.kind() != Expr::Call)
      return;
    use(e.function().helper);
    const Callee callee = e.function().callee;
    if (callee >= Callee::AsyncCopy && callee <= Callee::WaitPrior)
      use(Helper::Pipeline);
    else if (callee == Callee::BulkInit)
      use(Helper::Bulk);
  });
  if (uses.has(Helper::Take)) // which refuses
    uses.helpers.insert(Helper::Fallback);
  return checkUsedNames(nest, names);
}

/// Adds the text of \p all, of which each is to keep the rules of programs.
static Error print(const Nest &nest, ArrayRef<FunctionDefinition> all,
                   Uses &uses, std::string &text) {
  for (const FunctionDefinition &f : all) {
    if (Error e = addUses(nest, f.body, uses))
      return e;
    if (Error e = program::check(f))
      return e;
    text += (text.empty() ? "" : "\n") + cudaText(f);
  }
  return Error::success();
}

static std::string printConstants(ArrayRef<ConstantArray> all) {
  std::string text;
  for (const ConstantArray &a : all)
    text += "__constant__ __align__(" + std::to_string(AccessBytes) + ") " +
            a.elementType + " " + a.name + "[" + std::to_string(a.elements) +
            "];\n";
  return text.empty() ? "" : text + "\n";
}

/// Adds the texts of \p k to \p parts. Its kernel was checked.
static Error print(const KernelFunctions &k, Parts &parts) {
  std::string kernel, packs;
  for (const FunctionDefinition &f : k.kernel) {
    if (Error e = addUses(k.nest, f.body, parts.uses))
      return e;
    kernel += (kernel.empty() ? "" : "\n") + cudaText(f);
  }
  parts.uses.tensorRanks.insert(k.tensorRanks.begin(), k.tensorRanks.end());
  if (Error e = print(k.nest, k.packing, parts.uses, packs))
    return e;
  parts.kernel += (parts.kernel.empty() ? "" : "\n") +
                  printConstants(k.constants) + packs +
                  (packs.empty() ? "" : "\n") + kernel;
  return print(k.nest, k.launcher, parts.uses, parts.launcher);
}

static Expected<Parts> print(Expected<LoweredNest> lowered) {
  if (!lowered)
    return lowered.takeError();
  Parts parts;
  for (const KernelFunctions &k : lowered->kernels)
    if (Error e = print(k, parts))
      return std::move(e);
  if (Error e =
          print(lowered->nest, lowered->launcher, parts.uses, parts.launcher))
    return std::move(e);
  if (Error e = print(lowered->nest, lowered->replacement, parts.uses,
                      parts.replacement))
    return std::move(e);
  return parts;
}

/// The texts of \p uses that are of the device or, if not \p ofDevice, of the
/// host, which take nothing from the source but its macros.
static std::string helperTexts(const Nest &nest, const LowerOptions &options,
                               const Uses &uses, bool ofDevice) {
  std::string text;
  for (Helper h : uses.helpers)
    if (isOfDevice(h) == ofDevice)
      text +=
          helperText(h, nest.function.name + options.suffix, options.reserved);
  return text;
}

/// How many of \p nest and \p versions have something in constant memory.
static int64_t countConstants(const CheckedNest &nest,
                              ArrayRef<KernelVersion> versions) {
  return usesConstants(nest.nest()) +
         count_if(versions, [](const KernelVersion &v) {
           return usesConstants(v.nest.nest());
         });
}

/// Adds the texts of \p versions and then those of \p nest to \p all. As many
/// kernels of the file as \p sharing have something in constant memory.
static Error addParts(const CheckedNest &nest, const Gpu &gpu,
                      const LowerOptions &options,
                      ArrayRef<KernelVersion> versions, int64_t sharing,
                      std::vector<Parts> &all) {
  OthersOfFile others{{}, gpu.constantBytes / std::max<int64_t>(1, sharing)};
  std::vector<std::string> launchers;
  for (const KernelVersion &v : versions) {
    LowerOptions own = options;
    own.fullTiles = v.fullTiles;
    own.facts = v.facts;
    own.version = v.name;
    own.leastBlocks = v.leastBlocks;
    Expected<Parts> parts = print(lowerNest(v.nest, gpu, own, others));
    if (!parts)
      return parts.takeError();
    all.push_back(std::move(*parts));
    launchers.push_back(nest.nest().function.name + options.suffix + "_" +
                        v.name + options.part + "_launch");
  }
  others.launchers = std::move(launchers);
  Expected<Parts> general = print(lowerNest(nest, gpu, options, others));
  if (!general)
    return general.takeError();
  all.push_back(std::move(*general));
  return Error::success();
}

static AddedText joined(const Nest &nest, const LowerOptions &options,
                        ArrayRef<Parts> all) {
  Uses uses;
  std::string text;
  for (const Parts &p : all) {
    uses.add(p.uses);
    text += p.kernel + "\n" + p.launcher + "\n" + p.replacement;
  }
  return {uses.includes(), helperTexts(nest, options, uses, /*ofDevice=*/true) +
                               helperTexts(nest, options, uses, false) +
                               tensorCopyTexts(uses.tensorRanks) + text};
}

Expected<AddedText> emitCuda(const CheckedNest &nest, const Gpu &gpu,
                             const LowerOptions &options,
                             ArrayRef<KernelVersion> versions) {
  std::vector<Parts> all;
  if (Error e = addParts(nest, gpu, options, versions,
                         countConstants(nest, versions), all))
    return std::move(e);
  return joined(nest.nest(), options, all);
}

Expected<AddedText> emitSequence(const CheckedNest &whole, const Gpu &gpu,
                                 const LowerOptions &options,
                                 ArrayRef<SequencePart> parts) {
  Expected<Parts> host = print(lowerSequence(whole, parts, gpu, options));
  if (!host)
    return host.takeError();
  int64_t sharing = 0;
  for (const SequencePart &p : parts)
    sharing += countConstants(p.nest, p.versions);
  std::vector<Parts> all;
  for (const SequencePart &p : parts)
    if (Error e = addParts(p.nest, gpu, p.options, p.versions, sharing, all))
      return std::move(e);
  all.push_back(std::move(*host));
  return joined(whole.nest(), options, all);
}

Expected<std::string> emitLauncher(const CheckedNest &nest, const Gpu &gpu,
                                   const LowerOptions &options) {
  Expected<LoweredNest> lowered =
      lowerNest(nest, gpu, options, {{}, gpu.constantBytes});
  if (!lowered)
    return lowered.takeError();
  std::string text;
  Uses uses;
  if (const KernelFunctions &k = lowered->kernels.front();
      lowered->kernels.size() == 1 && k.launcher.size() == 1)
    if (Error e = print(k.nest, k.launcher, uses, text))
      return std::move(e);
  return text;
}

Expected<KernelText> emitKernel(const CheckedNest &nest, const Gpu &gpu,
                                const LowerOptions &options) {
  Expected<Parts> parts =
      print(lowerNest(nest, gpu, options, {{}, gpu.constantBytes}));
  if (!parts)
    return parts.takeError();
  const Uses &uses = parts->uses;
  return KernelText{uses.includes(),
                    helperTexts(nest.nest(), options, uses, /*ofDevice=*/true) +
                        tensorCopyTexts(uses.tensorRanks) + parts->kernel,
                    helperTexts(nest.nest(), options, uses, false) +
                        parts->launcher};
}

} // namespace convopt
