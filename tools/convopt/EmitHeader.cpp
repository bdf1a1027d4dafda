//===- EmitHeader.cpp - Prototypes for other files ------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Emit/Declarations.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// Whether types are spelled as the source spells them: of C as what they stand
/// for, if the added code takes what the function does.
static bool hasNamesOfTypes(const SourceNest &source) {
  return !source.isC || source.nest.function.hasParts();
}

/// Refuses what no other file can declare.
static Error checkVisible(const SourceNest &source) {
  const Function &f = source.nest.function;
  const std::string name = "'" + f.name + "'";
  if (!f.templateParameters.empty())
    return refuse("header",
                  name + " is a template, whose definition its callers need",
                  f.range, "include the emitted file");
  if (is_contained(source.scope, ""))
    return refuse("header",
                  name + " is in a namespace without a name, and not seen by "
                         "another file",
                  f.range, "give the namespace a name");
  if (hasNamesOfTypes(source) && !source.types.refused.empty())
    return refuse("header", source.types.refused, f.range, source.types.remedy);
  return Error::success();
}

/// `A_CONV_TILED_H`
static std::string guardOf(const PlannedFile &file) {
  std::string guard;
  for (const std::string &space : file.source.scope)
    guard += space + "_";
  guard += file.source.nest.function.name + file.options.suffix + "_h";
  return StringRef(guard).upper();
}

static std::string includesOf(const SourceNest &source) {
  std::string text = "#include <stddef.h>\n#include <stdint.h>\n";
  if (source.isC)
    text += "#include <stdbool.h>\n";
  if (hasNamesOfTypes(source))
    for (const std::string &name : source.types.includes)
      text += "#include " + name + "\n";
  return text;
}

/// \p text, whose linkage the header says around it.
static std::string withoutExternC(StringRef text) {
  return join(split(text, "extern \"C\" "), "");
}

Expected<std::string> emitHeader(const PlannedFile &file) {
  const SourceNest &source = file.source;
  RETURN_IF_ERROR(checkVisible(source));
  ASSIGN_OR_RETURN(CheckedNest nest, file.general().pipeline->checked());
  ASSIGN_OR_RETURN(std::vector<SequencePart> parts, partsOf(file));
  ASSIGN_OR_RETURN(
      Declarations declared,
      emitDeclarations(nest, file.gpu, file.lowerOptions(), parts));
  std::string launcher = declared.launcher, replacement = declared.replacement,
              begin, end;
  if (source.isC) { // `extern "C"` is no C
    launcher = withoutExternC(launcher);
    replacement = withoutExternC(replacement);
    begin = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
    end = "#ifdef __cplusplus\n}\n#endif\n";
  } else if (!source.isExternC && !source.scope.empty()) {
    begin = "namespace " + join(source.scope, "::") + " {\n";
    end = "} // namespace " + join(source.scope, "::") + "\n";
  }
  std::string code = "#if __has_include(<cuda_runtime.h>)\n";
  // What launches become takes CUDA's types, too.
  code += source.nest.function.isKernel
              ? launcher + "\n" + replacement + "#endif\n"
              : launcher + "#endif\n\n" + replacement;
  const std::string guard = guardOf(file);
  Provenance made = provenanceOf(file);
  made.schedule.clear();
  made.versions.clear();
  made.keepsBits = false;
  return printProvenance(made) +
         formatCode("#ifndef " + guard + "\n#define " + guard + "\n\n" +
                    includesOf(source) +
                    "#if __has_include(<cuda_runtime.h>)\n"
                    "#include <cuda_runtime.h>\n#endif\n\n" +
                    begin + "\n" + code + "\n" + end + "\n#endif // " + guard +
                    "\n");
}

} // namespace convopt
