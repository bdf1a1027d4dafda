//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "DealOut.h"
#include "KernelBody.h"
#include "LaunchParts.h"
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

/// C rounds quotients to zero; subscripts mean the floor.
static std::string printFloorDiv(const std::string &name, Names names) {
  std::string a = names.fresh("a"), b = names.fresh("b");
  return "[[maybe_unused]] __host__ __device__ static constexpr long long " +
         name + "(long long " + a + ", long long " + b + ") {\n  return " + a +
         " / " + b + " - (" + a + " % " + b + " != 0 && (" + a + " < 0) != (" +
         b + " < 0));\n}\n\n";
}

/// Elements of an array: none where an extent is not positive, the largest
/// number where there are more.
static std::string printElements(const std::string &name, Names names) {
  std::string all = names.fresh("extents"), one = names.fresh("extent");
  std::string n = names.fresh("elements");
  return "[[maybe_unused]] static inline size_t " + name +
         "(std::initializer_list<long long> " + all +
         ") {\n"
         "  size_t " +
         n + " = 1;\n  for (long long " + one + " : " + all +
         ") {\n"
         "    if (" +
         one + " <= 0)\n      return 0;\n    " + n + " = " + n +
         " > SIZE_MAX / " + one + " ? SIZE_MAX : " + n + " * " + one +
         ";\n"
         "  }\n"
         "  return " +
         n + ";\n}\n\n";
}

/// What moves as one where CUDA has no vector type of the elements.
static std::string printVector(const std::string &name, Names names) {
  std::string type = names.fresh("T"), count = names.fresh("N");
  return "template <typename " + type + ", int " + count +
         "> struct __align__(sizeof(" + type + ") * " + count + ") " + name +
         " {\n  " + type + " element[" + count + "];\n};\n\n";
}

static std::string printAhead(const std::string &name, Names names) {
  std::string bytes = names.fresh("Bytes"), k = names.fresh("k");
  std::string to = names.fresh("to"), from = names.fresh("from");
  return "// Copies while the thread goes on, where devices have copies of so "
         "many bytes.\ntemplate <size_t " +
         bytes + ">\n[[maybe_unused]] __device__ static inline void " + name +
         "(void *" + to + ", const void *" + from + ") {\n  if constexpr (" +
         bytes + " == 4 || " + bytes + " == 8 || " + bytes +
         " == 16)\n    __pipeline_memcpy_async(" + to + ", " + from + ", " +
         bytes + ");\n  else\n    for (size_t " + k + " = 0; " + k +
         " != " + bytes + "; ++" + k + ")\n      ((char *)" + to + ")[" + k +
         "] = ((const char *)" + from + ")[" + k + "];\n}\n\n";
}

/// A vector of equal elements.
static std::string printVectorOf(const std::string &name, Names names) {
  std::string type = names.fresh("T"), count = names.fresh("N");
  std::string value = names.fresh("value"), one = names.fresh("one");
  std::string all = names.fresh("all");
  std::string vector = name + "<" + type + ", " + count + ">";
  return "template <typename " + type + ", int " + count +
         ">\n__device__ inline " + vector + " " + name + "_of(" + type + " " +
         value + ") {\n  " + vector + " " + all + ";\n  for (" + type + " &" +
         one + " : " + all + "." + "element)\n    " + one + " = " + value +
         ";\n  return " + all + ";\n}\n\n";
}

static std::string printOverlap(const std::string &name, Names names) {
  std::string a = names.fresh("a"), b = names.fresh("b");
  std::string aBytes = names.fresh("aBytes"), bBytes = names.fresh("bBytes");
  return "[[maybe_unused]] static inline bool " + name + "(const void *" + a +
         ", size_t " + aBytes + ", const void *" + b + ", size_t " + bBytes +
         ") {\n  return (size_t)" + a + " < (size_t)" + b + " + " + bBytes +
         " && (size_t)" + b + " < (size_t)" + a + " + " + aBytes + ";\n}\n\n";
}

/// Every array that is not made in the nest comes in by an argument.
static Error checkArguments(const Nest &nest) {
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
  return Error::success();
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
  std::string floorDiv, vector, vectorOf, ahead, across, bulk, kernel;
  std::string hostHelpers, constants, streams, copies, pin;
  std::string encoder, launcher, replacement;
  std::set<unsigned> tensorRanks; // of boxes that the engine copies

  std::string deviceHelpers() const {
    return floorDiv + vector + vectorOf + ahead + across + bulk +
           printTensorCopies(tensorRanks);
  }
};
} // namespace

/// \p nest with names for its buffers that the source does not use.
static Nest withFreshBufferNames(const Nest &nest,
                                 ArrayRef<std::string> reserved) {
  Nest result = nest;
  for (Array &a : result.arrays)
    if (a.buffer)
      a.name.clear();
  Names names(result, reserved);
  for (size_t k = 0; k != nest.arrays.size(); ++k)
    if (nest.arrays[k].buffer)
      result.arrays[k].name = names.fresh(nest.arrays[k].name);
  return result;
}

namespace {
/// What a kernel has to know of others in the file.
struct Others {
  std::vector<std::string> launchers;    // of versions
  int64_t constantBytes = ConstantBytes; // that they leave
};
} // namespace

static Expected<Parts> emitParts(const Nest &staged, const Gpu &gpu,
                                 const EmitOptions &options,
                                 const Others &others) {
  Nest nest = withSizesOfBuffers(
      withFreshBufferNames(withKnownIndices(staged), options.reserved),
      options.reserved);
  if (Error e = checkArguments(nest))
    return std::move(e);
  if (Error e = checkConstants(nest, others.constantBytes))
    return std::move(e);
  if (Error e = checkLanguage(nest))
    return std::move(e);
  if (Error e = checkHostNames(nest))
    return std::move(e);
  Expected<Mapping> mapping = findMapping(nest, gpu);
  if (!mapping)
    return mapping.takeError();
  if (Error e = checkBulkUnits(nest))
    return std::move(e);
  if (Error e = checkVectorSizes(nest))
    return std::move(e);
  if (Error e = checkRestart(nest, *mapping))
    return std::move(e);
  Context c{nest, *mapping, gpu, options, {}, {}};
  c.versions = others.launchers;
  Names names(nest, options.reserved);
  if (hasOffsetType(nest))
    c.offsetType = names.fresh("Offset");
  if (!alignedArrays(nest).empty())
    c.aligned = names.fresh("Aligned");
  c.tensorMaps = nameTensorMaps(nest, names);
  names.setFloorDivName(c.helper("_floordiv"));
  for (const HostLevel &level : mapping->host)
    if (level.loop) {
      std::string name = names.fresh(baseName(nest.loopNames[level.loop->id]));
      names.bind(loopVar(level.loop->id), name);
      c.hostLoops[level.loop->id] = name;
    }
  // Unsigned and wide sizes count as int: the launcher checks that they are.
  Names kernelNames = names;
  for (size_t k = 0; k != nest.params.size(); ++k) {
    const Param &p = nest.params[k];
    if (fitsInt(p) || p.definition)
      continue;
    const Expr narrowed = Expr::cast(Type::integer(), names(paramVar(k)));
    names.bind(paramVar(k), narrowed);
    if (p.isTemplate)
      kernelNames.bind(paramVar(k), narrowed);
  }
  if (!c.offsetType.empty())
    kernelNames.setOffsetType(c.offsetType);
  HelperNames helpers{c.helper("_vector"),
                      c.helper("_copy_ahead"),
                      c.helper("_across"),
                      {},
                      c.tensorMaps};
  if (!c.aligned.empty())
    helpers.aligned = KernelBody::constant(c.aligned, Type::boolean());
  const program::Kernel kernel =
      KernelBody(nest, *mapping, kernelNames, helpers, options.fullTiles)
          .lower();
  const std::string body = print::text(kernel.body, 1);
  if (Error e = checkCalledNames(nest, body))
    return std::move(e);
  // The helpers take nothing from the source but its macros.
  const Nest none;
  const Names words(none, options.reserved);
  Parts parts;
  parts.kernel = printConstants(c, others.constantBytes) +
                 printPackKernels(c, kernelNames) + printKernel(c, body);
  parts.launcher = printLauncher(c, names);
  if (Error e = checkCalledNames(nest, parts.launcher))
    return std::move(e);
  if (!c.isVersion())
    parts.replacement = nest.function.isKernel ? printDispatch(c, names)
                                               : printReplacement(c, names);
  parts.hostHelpers = printElements(c.helper("_elements"), words) +
                      printOverlap(c.helper("_overlap"), words);
  if (!copiesTo(nest, *mapping, Buffer::Constant).empty())
    parts.constants = printConstantsHelper(c.helper("_constants"), words);
  if (usesWord(parts.launcher, c.helper("_fork")))
    parts.streams = printStreamsHelper(c.helper(""), words);
  if (usesWord(parts.launcher, c.helper("_copy")))
    parts.copies = printCopyHelper(c.helper(""), words);
  if (usesWord(parts.replacement, c.helper("_pin")))
    parts.pin = printPinHelper(c.helper(""), words);
  if (usesWord(body, helpers.vector))
    parts.vector = printVector(helpers.vector, words);
  if (usesWord(body, helpers.vector + "_of"))
    parts.vectorOf = printVectorOf(helpers.vector, words);
  if (usesWord(body, helpers.ahead))
    parts.ahead = printAhead(helpers.ahead, words);
  if (usesWord(body, helpers.across))
    parts.across = printAcross(helpers.across, words);
  if (usesWord(body, "convopt_bulk_init"))
    parts.bulk = printBulk();
  for (const TensorCopy &t : tensorCopies(nest))
    parts.tensorRanks.insert(t.box.extents.size());
  if (!c.tensorMaps.empty())
    parts.encoder = printEncoder(c.helper("_encode"));
  if (names.usesFloorDiv())
    parts.floorDiv = printFloorDiv(c.helper("_floordiv"), words);
  return parts;
}

/// What one of \p all needs, once.
static std::string sharedHelpers(ArrayRef<Parts> all) {
  std::string text;
  for (std::string Parts::*helper :
       {&Parts::floorDiv, &Parts::vector, &Parts::vectorOf, &Parts::ahead,
        &Parts::across, &Parts::bulk, &Parts::hostHelpers, &Parts::constants,
        &Parts::streams, &Parts::copies, &Parts::pin, &Parts::encoder}) {
    const auto *needs = llvm::find_if(
        all, [&](const Parts &p) { return !(p.*helper).empty(); });
    if (needs != all.end())
      text += (*needs).*helper;
  }
  std::set<unsigned> ranks;
  for (const Parts &p : all)
    ranks.insert(p.tensorRanks.begin(), p.tensorRanks.end());
  return text + printTensorCopies(ranks);
}

Expected<std::string> emitCuda(const Nest &nest, const Gpu &gpu,
                               const EmitOptions &options,
                               ArrayRef<KernelVersion> versions) {
  Others others;
  int64_t sharing = usesConstants(nest);
  for (const KernelVersion &v : versions)
    sharing += usesConstants(v.nest);
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
    launchers.push_back(nest.function.name + options.suffix + "_" + v.name +
                        "_launch");
  }
  others.launchers = std::move(launchers);
  Expected<Parts> general = emitParts(nest, gpu, options, others);
  if (!general)
    return general.takeError();
  all.push_back(std::move(*general));
  std::string text = sharedHelpers(all);
  for (const Parts &p : all)
    text += p.kernel + "\n" + p.launcher + "\n" + p.replacement;
  return text;
}

Expected<KernelText> emitKernel(const Nest &nest, const Gpu &gpu,
                                const EmitOptions &options) {
  Expected<Parts> parts = emitParts(nest, gpu, options, {});
  if (!parts)
    return parts.takeError();
  return KernelText{parts->deviceHelpers() + parts->kernel,
                    parts->hostHelpers + parts->constants + parts->streams +
                        parts->copies + parts->encoder + parts->launcher};
}

} // namespace convopt
