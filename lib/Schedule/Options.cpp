//===- Options.cpp - Options that every tool has --------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Options.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

Error SharedOptions::check() const {
  for (const std::string &pass : printAfter)
    if (!is_contained(passNames(), pass))
      return refuse("usage", "-print-after=" + pass + " names no pass", {},
                    "the passes are " + join(passNames(), ", "));
  return remarks.check();
}

PrintHook SharedOptions::hook(raw_ostream &os) const {
  if (printAfterAll)
    return convopt::printAfter(os, {});
  return printAfter.empty() ? PrintHook() : convopt::printAfter(os, printAfter);
}

cl::ValuesClass boundaryValues() {
  return cl::values(
      clEnumValN(Boundary::Guards, "guards", "Guards in all tiles"),
      clEnumValN(Boundary::FullTiles, "full-tiles",
                 "Tiles inside of the image run without guards"),
      clEnumValN(Boundary::Fill, "fill",
                 "Sums read zeros outside of the image; needs "
                 "-ffinite-math-only -fno-signed-zeros"),
      clEnumValN(Boundary::Recompute, "recompute",
                 "Sums read zeros outside of the image; those that could "
                 "differ are computed again (default)"));
}

cl::ValuesClass algorithmValues() {
  return cl::values(
      clEnumValN(Algorithm::Direct, "direct", "By tiles of its loops"),
      clEnumValN(Algorithm::Product, "product",
                 "As an implicit GEMM: a product of matrices that are never "
                 "stored"),
      clEnumValN(Algorithm::Im2col, "im2col",
                 "As an explicit GEMM: a kernel stores the image as a matrix "
                 "first"),
      clEnumValN(Algorithm::Auto, "auto",
                 "By the one that is estimated to take less time, if sizes are "
                 "known (default)"));
}

LegalityCommandLine::LegalityCommandLine(cl::OptionCategory &category)
    : associativeMath("fassociative-math", cl::desc("Sums may be reordered"),
                      cl::cat(category)),
      finiteMath("ffinite-math-only", cl::desc("No element is infinite or NaN"),
                 cl::cat(category)),
      noSignedZeros("fno-signed-zeros", cl::desc("Zeros may have either sign"),
                    cl::cat(category)),
      fastMath("ffast-math",
               cl::desc("-fassociative-math, -ffinite-math-only and "
                        "-fno-signed-zeros"),
               cl::cat(category)),
      maxOperations("isl-max-operations",
                    cl::desc("What isl may spend on one question about "
                             "dependences; 0: no limit (default: 2000000)"),
                    cl::value_desc("operations"),
                    cl::init(DefaultMaxOperations), cl::cat(category)) {}

LegalityOptions LegalityCommandLine::legality() const {
  LegalityOptions v;
  v.associativeMath = associativeMath || fastMath;
  v.finiteMath = finiteMath || fastMath;
  v.noSignedZeros = noSignedZeros || fastMath;
  v.maxOperations = maxOperations;
  return v;
}

SharedCommandLine::SharedCommandLine(cl::OptionCategory &category)
    : LegalityCommandLine(category),
      output("o", cl::desc("Write to this file (default: -)"),
             cl::value_desc("file"), cl::init("-"), cl::cat(category)),
      arch("arch", cl::desc("The device whose limits hold"),
           cl::value_desc("sm_90"), cl::init("sm_90"), cl::cat(category)),
      tile("tile", cl::desc("Threads of a block: x,y,z or loop:threads,..."),
           cl::value_desc("32,2,2"), cl::cat(category)),
      registers("reg", cl::desc("Outputs of a thread: y,z or loop:outputs,..."),
                cl::value_desc("8,4"), cl::cat(category)),
      staging("staging",
              cl::desc("Keep what the sum reads in shared memory and registers:"
                       " none, shared or pipelined, with :iterations"),
              cl::value_desc("pipelined:4"), cl::cat(category)),
      schedule("schedule", cl::desc("Apply the steps in this file"),
               cl::value_desc("file.sched"), cl::cat(category)),
      boundary(
          "boundary", cl::desc("How sums handle the border of a padded image"),
          boundaryValues(), cl::init(Boundary::Recompute), cl::cat(category)),
      algorithm("algorithm", cl::desc("How a sum is computed"),
                algorithmValues(), cl::init(Algorithm::Auto),
                cl::cat(category)),
      printAfterAll("print-after-all",
                    cl::desc("Print the nest after each step"),
                    cl::cat(category)),
      printAfter("print-after", cl::desc("Print the nest after this pass"),
                 cl::value_desc("pass"), cl::CommaSeparated, cl::cat(category)),
      passed("Rpass", cl::desc("Report what passes did"),
             cl::value_desc("regex"), cl::cat(category)),
      missed("Rpass-missed", cl::desc("Report what passes did not do"),
             cl::value_desc("regex"), cl::cat(category)),
      analysis("Rpass-analysis", cl::desc("Report what was found"),
               cl::value_desc("regex"), cl::cat(category)) {}

static std::optional<std::string> given(const cl::opt<std::string> &option) {
  if (option.getNumOccurrences() == 0)
    return std::nullopt;
  return option.getValue();
}

SharedOptions SharedCommandLine::values() const {
  SharedOptions v;
  v.arch = arch;
  v.request.tile = given(tile);
  v.request.registers = given(registers);
  v.request.staging = given(staging);
  v.legality = legality();
  v.request.boundary = boundary;
  v.request.algorithm = algorithm;
  v.printAfterAll = printAfterAll;
  v.printAfter.assign(printAfter.begin(), printAfter.end());
  v.remarks = {passed, missed, analysis};
  return v;
}

/// Of "tool: Unknown argument '-x'.  Try: ..." what stands between.
static std::string firstSentence(StringRef problem, StringRef tool) {
  problem.consume_front((tool + ": ").str());
  if (problem.empty()) // a value; it has been printed already
    return "an option does not take the value that it was given";
  return problem.split(".  Try:").first.split('\n').first.trim().str();
}

/// The option of the tool's own whose name \p given begins; empty where there
/// is none, or are several.
static StringRef completed(StringRef given) {
  StringRef found;
  for (const auto &entry : cl::getRegisteredOptions()) {
    const bool isOwn = none_of(entry.second->Categories, [](const auto *c) {
      return c == &cl::getGeneralCategory();
    });
    if (!isOwn || !entry.first.starts_with(given))
      continue;
    if (!found.empty())
      return "";
    found = entry.first;
  }
  return found;
}

/// `did you mean '-emit=nest'?`, where \p problem proposes an option that is
/// like the one that was given, or that one begins another; else empty.
static std::string nearMiss(StringRef problem) {
  auto optionAfter = [&](StringRef words) {
    return problem.split(words).second.split('\'').first.ltrim('-');
  };
  const auto [given, value] = optionAfter("argument '").split('=');
  if (const StringRef whole = completed(given); !whole.empty())
    return ("did you mean '-" + whole + (value.empty() ? "" : "=") + value +
            "'?")
        .str();
  const StringRef proposed = optionAfter("Did you mean '");
  if (proposed.empty() ||
      given.edit_distance(proposed.split('=').first) > (given.size() + 2) / 3)
    return "";
  return ("did you mean '-" + proposed + "'?").str();
}

/// Refuses the first of \p arguments that has none of its option's \p choices.
static Error checkChoices(ArrayRef<const char *> arguments,
                          ArrayRef<Choices> choices) {
  for (StringRef argument : arguments)
    for (const Choices &c : choices) {
      const auto [name, value] = argument.ltrim('-').split('=');
      if (argument.starts_with("-") && argument.contains('=') &&
          name == c.option && !is_contained(c.values, value))
        return refuse("usage",
                      "option '-" + c.option.str() + "' does not take '" +
                          value.str() + "'",
                      {},
                      "-" + c.option.str() + " takes " + join(c.values, ", "));
    }
  return Error::success();
}

Error parseCommandLine(ArrayRef<const char *> arguments, StringRef tool,
                       StringRef overview, ArrayRef<Choices> choices) {
  // LLVM prints such values in words of its own.
  RETURN_IF_ERROR(checkChoices(arguments, choices));
  std::string problem;
  raw_string_ostream os(problem);
  if (cl::ParseCommandLineOptions(arguments.size(), arguments.data(), overview,
                                  &os))
    return Error::success();
  const std::string remedy = nearMiss(problem);
  return refuse("usage", firstSentence(problem, tool), {},
                remedy.empty() ? ("see " + tool + " -help").str() : remedy);
}

} // namespace convopt
