//===- EmitCuda.cpp - CUDA text from a mapped nest ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "DealOut.h"
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

namespace {
/// What a kernel has to know of others in the file.
struct Others {
  std::vector<std::string> launchers;    // of versions
  int64_t constantBytes = ConstantBytes; // that they leave
};
} // namespace

namespace {
/// What of a file's helpers a kernel uses.
struct Uses {
  std::set<Callee> callees;
  bool vector = false, ahead = false;
};
} // namespace

static Uses usesOf(const program::Kernel &kernel, StringRef vector) {
  Uses uses;
  walkExprs(kernel.body, [&](const Expr &e) {
    uses.vector |= e.type().kind == Type::Vector &&
                   StringRef(e.type().name).starts_with(vector);
    if (e.kind() != Expr::Call)
      return;
    uses.callees.insert(e.function().callee);
    uses.ahead |=
        e.function().callee == Callee::AsyncCopy && !e.function().name.empty();
  });
  return uses;
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
  // The helpers take nothing from the source but its macros.
  const Nest none;
  const Names words(none, options.reserved);
  Parts parts;
  parts.kernel = printConstants(c, others.constantBytes) +
                 printPackKernels(c, l.kernelNames) + printKernel(c, body);
  parts.launcher = printLauncher(c, l.names);
  if (Error e = checkCalledNames(l.nest, parts.launcher))
    return std::move(e);
  if (!c.isVersion())
    parts.replacement = l.nest.function.isKernel ? printDispatch(c, l.names)
                                                 : printReplacement(c, l.names);
  parts.hostHelpers = printElements(c.helper("_elements"), words) +
                      printOverlap(c.helper("_overlap"), words);
  if (!copiesTo(l.nest, l.mapping, Buffer::Constant).empty())
    parts.constants = printConstantsHelper(c.helper("_constants"), words);
  if (usesWord(parts.launcher, c.helper("_fork")))
    parts.streams = printStreamsHelper(c.helper(""), words);
  if (usesWord(parts.launcher, c.helper("_copy")))
    parts.copies = printCopyHelper(c.helper(""), words);
  if (usesWord(parts.replacement, c.helper("_pin")))
    parts.pin = printPinHelper(c.helper(""), words);
  const Uses uses = usesOf(l.kernel, l.helpers.vector);
  if (uses.vector)
    parts.vector = printVector(l.helpers.vector, words);
  if (uses.callees.count(Callee::Fill))
    parts.vectorOf = printVectorOf(l.helpers.vector, words);
  if (uses.ahead)
    parts.ahead = printAhead(l.helpers.ahead, words);
  if (uses.callees.count(Callee::Across))
    parts.across = printAcross(l.helpers.across, words);
  if (uses.callees.count(Callee::BulkInit))
    parts.bulk = printBulk();
  for (const TensorCopy &t : tensorCopies(l.nest))
    parts.tensorRanks.insert(t.box.extents.size());
  if (!c.tensorMaps.empty())
    parts.encoder = printEncoder(c.helper("_encode"));
  if (l.names.usesFloorDiv())
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
  std::string text = sharedHelpers(all);
  for (const Parts &p : all)
    text += p.kernel + "\n" + p.launcher + "\n" + p.replacement;
  return text;
}

Expected<KernelText> emitKernel(const CheckedNest &nest, const Gpu &gpu,
                                const EmitOptions &options) {
  Expected<Parts> parts = emitParts(nest, gpu, options, {});
  if (!parts)
    return parts.takeError();
  return KernelText{parts->deviceHelpers() + parts->kernel,
                    parts->hostHelpers + parts->constants + parts->streams +
                        parts->copies + parts->encoder + parts->launcher};
}

} // namespace convopt
