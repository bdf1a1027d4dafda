//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Helpers.h"
#include "LaunchParts.h"
#include "LowerKernel.h"
#include "SourceNames.h"
#include "Text.h"
#include "Vectors.h"
#include "convopt/Emit/Kernel.h"
#include "convopt/Print/Cuda.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace convopt {

using namespace emit;
using program::Callee;
using program::Expr;
using program::Type;

/// `const float *const w_c = (const float *)conv_tiled_w_c;`
static std::string constantAliases(const Context &c) {
  std::string text;
  for (const Copy *copy : copiesTo(c.nest, c.mapping, Buffer::Constant)) {
    const Array &a = c.nest.arrays[copy->buffer];
    std::string type = "const " + a.elementType + " *";
    text += "  " + type + "const " + a.name + " = (" + type + ")" +
            constantName(c, a) + ";\n";
  }
  return text;
}

static std::string printKernel(const Context &c, const std::string &body) {
  return c.kernelTemplateHead(c.aligned) +
         "__global__ void __launch_bounds__(" +
         std::to_string(c.mapping.threads()) +
         (c.nest.minBlocks ? ", " + std::to_string(c.nest.minBlocks) : "") +
         ")\n" + c.name("_kernel") + "(" +
         deviceParameters(c, /*kernel=*/true) + ") {\n" + constantAliases(c) +
         body + "}\n";
}

std::string emittedIncludes(StringRef code) {
  std::string includes = "#include <cuda_runtime.h>\n";
  if (code.contains("__pipeline_"))
    includes += "#include <cuda_pipeline_primitives.h>\n";
  if (code.contains("CUtensorMap"))
    includes += "#include <cuda.h>\n";
  return includes +
         (code.contains("std::min(") ? "#include <algorithm>\n" : "") +
         "#include <climits>\n#include <cstdint>\n"
         "#include <cstdio>\n#include <cstdlib>\n"
         "#include <initializer_list>\n" +
         (code.contains("std::mutex") ? "#include <mutex>\n" : "");
}

namespace {
/// The texts that make up the added code.
struct Parts {
  std::string kernel, launcher, replacement;
  std::set<Helper> helpers;
  std::set<unsigned> tensorRanks; // of boxes that the engine copies
};
} // namespace

namespace {
/// What a kernel has to know of others in the file.
struct Others {
  std::vector<std::string> launchers;    // of versions
  int64_t constantBytes = ConstantBytes; // that they leave
};
} // namespace

/// What \p kernel uses of the file. \p vector is the struct of elements that
/// move as one.
static std::set<Helper> helpersOf(const program::Kernel &kernel,
                                  StringRef vector) {
  std::set<Helper> helpers;
  walkExprs(kernel.body, [&](const Expr &e) {
    if (e.type().kind == Type::Vector &&
        StringRef(e.type().name).starts_with(vector))
      helpers.insert(Helper::Vector);
    if (e.kind() != Expr::Call)
      return;
    switch (e.function().callee) {
    case Callee::Fill:
      helpers.insert(Helper::VectorOf);
      break;
    case Callee::Across:
      helpers.insert(Helper::Across);
      break;
    case Callee::BulkInit:
      helpers.insert(Helper::Bulk);
      break;
    case Callee::AsyncCopy:
      if (!e.function().name.empty())
        helpers.insert(Helper::CopyAhead);
      break;
    default:
      break;
    }
  });
  return helpers;
}

/// What host code and kernel of \p l use beside that.
static void addHelpers(const Lowered &l, Parts &parts) {
  const Context &c = l.context;
  auto add = [&](Helper h, bool isUsed) {
    if (isUsed)
      parts.helpers.insert(h);
  };
  add(Helper::Elements, true);
  add(Helper::Overlap, true);
  add(Helper::Constants,
      !copiesTo(l.nest, l.mapping, Buffer::Constant).empty());
  add(Helper::Streams, usesWord(parts.launcher, c.helper("_fork")));
  add(Helper::Copy, usesWord(parts.launcher, c.helper("_copy")));
  add(Helper::Pin, usesWord(parts.replacement, c.helper("_pin")));
  add(Helper::Encode, !c.tensorMaps.empty());
  add(Helper::FloorDiv, l.names.usesFloorDiv());
  for (const TensorCopy &t : tensorCopies(l.nest))
    parts.tensorRanks.insert(t.box.extents.size());
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
  const std::string body = cudaText(l.kernel.body, 1);
  if (Error e = checkCalledNames(l.nest, body))
    return std::move(e);
  Parts parts;
  parts.kernel = printConstants(c, others.constantBytes) +
                 printPackKernels(c, l.kernelNames) + printKernel(c, body);
  parts.launcher = printLauncher(c, l.names);
  if (Error e = checkCalledNames(l.nest, parts.launcher))
    return std::move(e);
  if (!c.isVersion())
    parts.replacement = l.nest.function.isKernel ? printDispatch(c, l.names)
                                                 : printReplacement(c, l.names);
  parts.helpers = helpersOf(l.kernel, l.helpers.vector);
  addHelpers(l, parts);
  return parts;
}

/// The texts of \p all, which take nothing from the source but its macros.
static std::string helperTexts(const Nest &nest, const EmitOptions &options,
                               const std::set<Helper> &all) {
  const Nest none;
  const Names words(none, options.reserved);
  std::string text;
  for (Helper h : all)
    text += helperText(h, nest.function.name + options.suffix, words);
  return text;
}

Expected<std::string> emitCuda(const CheckedNest &nest, const Gpu &gpu,
                               const EmitOptions &options,
                               ArrayRef<KernelVersion> versions) {
  Others others;
  int64_t sharing = usesConstants(nest.nest());
  for (const KernelVersion &v : versions)
    sharing += usesConstants(v.nest.nest());
  others.constantBytes /= std::max<int64_t>(1, sharing);
  std::vector<Parts> all;
  std::vector<std::string> launchers;
  for (const KernelVersion &v : versions) {
    EmitOptions own = options;
    own.fullTiles = v.fullTiles;
    own.facts = v.facts;
    own.version = v.name;
    Expected<Parts> parts = emitParts(v.nest, gpu, own, others);
    if (!parts)
      return parts.takeError();
    all.push_back(std::move(*parts));
    launchers.push_back(nest.nest().function.name + options.suffix + "_" +
                        v.name + "_launch");
  }
  others.launchers = std::move(launchers);
  Expected<Parts> general = emitParts(nest, gpu, options, others);
  if (!general)
    return general.takeError();
  all.push_back(std::move(*general));
  std::set<Helper> helpers;
  std::set<unsigned> ranks;
  for (const Parts &p : all) {
    helpers.insert(p.helpers.begin(), p.helpers.end());
    ranks.insert(p.tensorRanks.begin(), p.tensorRanks.end());
  }
  std::string text =
      helperTexts(nest.nest(), options, helpers) + tensorCopyTexts(ranks);
  for (const Parts &p : all)
    text += p.kernel + "\n" + p.launcher + "\n" + p.replacement;
  return text;
}

Expected<KernelText> emitKernel(const CheckedNest &nest, const Gpu &gpu,
                                const EmitOptions &options) {
  Expected<Parts> parts = emitParts(nest, gpu, options, {});
  if (!parts)
    return parts.takeError();
  std::set<Helper> ofDevice, ofHost;
  for (Helper h : parts->helpers)
    (isOfDevice(h) ? ofDevice : ofHost).insert(h);
  ofHost.erase(Helper::Pin); // of the function that replaces the naive one
  return KernelText{helperTexts(nest.nest(), options, ofDevice) +
                        tensorCopyTexts(parts->tensorRanks) + parts->kernel,
                    helperTexts(nest.nest(), options, ofHost) +
                        parts->launcher};
}

} // namespace convopt
