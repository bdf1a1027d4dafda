//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Helpers.h"
#include "HostCopies.h"
#include "LaunchParts.h"
#include "LowerKernel.h"
#include "PackKernels.h"
#include "SourceNames.h"
#include "SplitKernels.h"
#include "Text.h"
#include "Vectors.h"
#include "convopt/Emit/Kernel.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Program/Check.h"
#include "convopt/Program/Outline.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace convopt {

using namespace emit;
using program::Callee;
using program::Expr;
using program::Type;

/// `const float *const w_c = (const float *)conv_tiled_w_c;`
static void addConstantAliases(const Context &c, Block &b) {
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Constant)) {
    const Array &a = c.nest.arrays[copy->buffer];
    Type type = pointer("const " + a.elementType);
    define(b, variable(handle(type.name + "const"), a.name),
           Expr::cast(type, known(constantName(c, a))));
  }
}

/// What \p apart, of a kernel of \p parameters, runs.
static FunctionDefinition
outlined(const Context &c, const program::Scope &apart,
         ArrayRef<FunctionDefinition::Parameter> parameters) {
  FunctionDefinition f{
      "// Computes again, by the guards, sums that zeros may have changed. "
      "That\n"
      "// is rare: apart, it takes no registers of the kernel.\n" +
          c.kernelTemplateHead(c.aligned) + "__device__ __noinline__ void\n" +
          apart.function,
      {},
      {}};
  for (const program::VariableRef &v : apart.parameters) {
    const auto *p = find_if(parameters, [&](const auto &known) {
      return known.variable->name == v->name;
    });
    f.parameters.push_back(
        {v, p == parameters.end() ? cudaParameter(*v) : p->text});
  }
  addConstantAliases(c, f.body);
  append_range(f.body, apart.body);
  return f;
}

static std::string printKernel(const Context &c,
                               const program::Kernel &kernel) {
  FunctionDefinition f = define(
      c,
      c.kernelTemplateHead(c.aligned) + "__global__ void __launch_bounds__(" +
          std::to_string(c.mapping.threads()) +
          (c.nest.minBlocks ? ", " + std::to_string(c.nest.minBlocks) : "") +
          ")\n" + c.name("_kernel"),
      deviceParameters(c, /*kernel=*/true));
  addConstantAliases(c, f.body);
  append_range(f.body, kernel.body);
  std::string text;
  for (const program::Scope *apart : outlinedIn(kernel.body))
    text += cudaText(outlined(c, *apart, f.parameters)) + "\n";
  return text + cudaText(f);
}

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

/// What a kernel has to know of others in the file.
struct Others {
  std::vector<std::string> launchers; // of versions
  int64_t constantBytes;              // that they leave
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
static Error addUses(const Lowered &l, const Block &body, Uses &uses) {
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
  return checkUsedNames(l.nest, names);
}

/// The text of \p all, which are to keep the rules of programs.
static Error print(const Lowered &l, ArrayRef<FunctionDefinition> all,
                   Uses &uses, std::string &text) {
  for (const FunctionDefinition &f : all) {
    if (Error e = addUses(l, f.body, uses))
      return e;
    if (Error e = program::check(f))
      return e;
    text += (text.empty() ? "" : "\n") + cudaText(f);
  }
  return Error::success();
}

/// Adds the texts of \p l to \p parts.
static Error emitKernelAndLauncher(const Lowered &l, int64_t constantBytes,
                                   Parts &parts) {
  const Context &c = l.context;
  if (Error e = addUses(l, l.kernel.body, parts.uses))
    return e;
  for (const TensorCopy &t : tensorCopies(l.nest))
    parts.uses.tensorRanks.insert(t.box.extents.size());
  std::string packs;
  if (Error e = print(l, lowerPackKernels(c, l.kernelNames), parts.uses, packs))
    return e;
  parts.kernel += (parts.kernel.empty() ? "" : "\n") +
                  printConstants(c, constantBytes) + packs +
                  (packs.empty() ? "" : "\n") + printKernel(c, l.kernel);
  return print(l, lowerLauncher(c, l.names), parts.uses, parts.launcher);
}

/// Adds what calls or launches of the source's function become to \p parts.
static Error printReplacement(const Lowered &l, Parts &parts) {
  const Context &c = l.context;
  std::vector<FunctionDefinition> last;
  if (l.nest.function.isKernel) {
    last = {lowerDispatch(c, l.names)};
  } else {
    last = lowerStores(c, l.kernelNames);
    last.push_back(lowerReplacement(c, l.names));
  }
  return print(l, last, parts.uses, parts.replacement);
}

static Expected<Parts> emitParts(const CheckedNest &staged, const Gpu &gpu,
                                 const EmitOptions &options,
                                 const Others &others) {
  Expected<std::unique_ptr<Lowered>> lowered =
      lower(staged, gpu, options, others.constantBytes);
  if (!lowered)
    return lowered.takeError();
  Lowered &l = **lowered;
  Context &c = l.context;
  c.versions = others.launchers;
  if (options.leastBlocks && !l.split.empty())
    return refuse("structure",
                  "'" + options.version +
                      "' has a least number of blocks, and sums that blocks "
                      "share",
                  l.nest.function.range, "leave out -least-blocks");
  Parts parts;
  for (const Lowered *kernel : l.kernels())
    if (Error e = emitKernelAndLauncher(*kernel, others.constantBytes, parts))
      return std::move(e);
  if (!l.split.empty())
    if (Error e = print(l, {lowerSplitLauncher(l)}, parts.uses, parts.launcher))
      return std::move(e);
  if (c.isVersion() || !options.part.empty())
    return parts;
  if (Error e = printReplacement(l, parts))
    return std::move(e);
  return parts;
}

/// The texts of \p uses that are of the device or, if not \p ofDevice, of the
/// host, which take nothing from the source but its macros.
static std::string helperTexts(const Nest &nest, const EmitOptions &options,
                               const Uses &uses, bool ofDevice) {
  const Nest none;
  const Names words(none, options.reserved);
  std::string text;
  for (Helper h : uses.helpers)
    if (isOfDevice(h) == ofDevice)
      text += helperText(h, nest.function.name + options.suffix, words);
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
                      const EmitOptions &options,
                      ArrayRef<KernelVersion> versions, int64_t sharing,
                      std::vector<Parts> &all) {
  Others others{{}, gpu.constantBytes / std::max<int64_t>(1, sharing)};
  std::vector<std::string> launchers;
  for (const KernelVersion &v : versions) {
    EmitOptions own = options;
    own.fullTiles = v.fullTiles;
    own.facts = v.facts;
    own.version = v.name;
    own.leastBlocks = v.leastBlocks;
    Expected<Parts> parts = emitParts(v.nest, gpu, own, others);
    if (!parts)
      return parts.takeError();
    all.push_back(std::move(*parts));
    launchers.push_back(nest.nest().function.name + options.suffix + "_" +
                        v.name + options.part + "_launch");
  }
  others.launchers = std::move(launchers);
  Expected<Parts> general = emitParts(nest, gpu, options, others);
  if (!general)
    return general.takeError();
  all.push_back(std::move(*general));
  return Error::success();
}

static AddedText joined(const Nest &nest, const EmitOptions &options,
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
                             const EmitOptions &options,
                             ArrayRef<KernelVersion> versions) {
  std::vector<Parts> all;
  if (Error e = addParts(nest, gpu, options, versions,
                         countConstants(nest, versions), all))
    return std::move(e);
  return joined(nest.nest(), options, all);
}

Expected<AddedText> emitSequence(const CheckedNest &whole, const Gpu &gpu,
                                 const EmitOptions &options,
                                 ArrayRef<SequencePart> parts) {
  Expected<std::unique_ptr<Lowered>> host = lowerHost(whole, parts, gpu, options);
  if (!host)
    return host.takeError();
  const Lowered &l = **host;
  int64_t sharing = 0;
  for (const SequencePart &p : parts)
    sharing += countConstants(p.nest, p.versions);
  std::vector<Parts> all;
  for (const SequencePart &p : parts)
    if (Error e = addParts(p.nest, gpu, p.options, p.versions, sharing, all))
      return std::move(e);
  all.emplace_back();
  if (Error e = print(l, {lowerSequenceLauncher(l, parts)}, all.back().uses,
                      all.back().launcher))
    return std::move(e);
  if (Error e = printReplacement(l, all.back()))
    return std::move(e);
  return joined(whole.nest(), options, all);
}

Expected<std::string> emitLauncher(const CheckedNest &nest, const Gpu &gpu,
                                   const EmitOptions &options) {
  Expected<std::unique_ptr<Lowered>> lowered =
      lower(nest, gpu, options, gpu.constantBytes);
  if (!lowered)
    return lowered.takeError();
  const Lowered &l = **lowered;
  const std::vector<FunctionDefinition> all =
      lowerLauncher(l.context, l.names);
  std::string text;
  Uses uses;
  if (l.split.empty() && all.size() == 1)
    if (Error e = print(l, all, uses, text))
      return std::move(e);
  return text;
}

Expected<KernelText> emitKernel(const CheckedNest &nest, const Gpu &gpu,
                                const EmitOptions &options) {
  Expected<Parts> parts =
      emitParts(nest, gpu, options, {{}, gpu.constantBytes});
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
