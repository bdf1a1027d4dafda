//===- Options.cpp - What the user asked for ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include <array>

using namespace llvm;

namespace convopt {

namespace {

constexpr const char *Overview =
    "convopt-opt: apply steps to a loop nest, or refuse\n\n"
    "Reads .nest text, applies steps in the order of the command line, asks\n"
    "after each whether the nest still computes the same, and prints it.\n";

constexpr const char *Examples =
    "\nEXAMPLES:\n\n"
    "  convopt-opt conv.nest -strip-mine=y,16 -interchange=y_o,x,y_i\n"
    "      two steps; -print-after-all shows the nest after each\n"
    "  convopt-opt conv.nest -register-tile=y,8\n"
    "      strip-mine, interchange, distribute, expand and unroll\n"
    "  convopt-opt conv.nest -tile=32,2,2 -reg=8,4 -emit=schedule\n"
    "      the steps that tiles stand for\n"
    "  convopt-opt conv.nest -schedule=conv.sched -o tiled.nest\n"
    "      the steps of a file\n\n"
    "EXIT STATUS: 0 done, 1 bad input or usage, 2 refused as illegal, 70 a "
    "bug.\n";

/// The options proper. Built in parse, after the parser has been cleared of
/// what libraries register.
struct CommandLine {
  cl::OptionCategory category{"convopt-opt options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<input.nest>"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<std::string> output{"o", cl::desc("Write to this file (default: -)"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category)};
  cl::opt<Emission> emission{
      "emit", cl::desc("What to write"),
      cl::values(clEnumValN(Emission::Nest, "nest", "The nest (default)"),
                 clEnumValN(Emission::Dependences, "dependences",
                            "Dependences, parallel and reduction loops"),
                 clEnumValN(Emission::Schedule, "schedule",
                            "The steps that were applied (.sched)")),
      cl::init(Emission::Nest), cl::cat(category)};
  cl::opt<std::string> arch{"arch", cl::desc("Limits of this device"),
                            cl::value_desc("sm_90"), cl::init("sm_90"),
                            cl::cat(category)};

  cl::list<std::string> scalarReplace{
      "scalar-replace", cl::desc("Sum into this array in a register"),
      cl::value_desc("array"), cl::cat(category)};
  cl::list<std::string> stripMine{
      "strip-mine", cl::desc("Split a loop into strips"),
      cl::value_desc("loop,factor[,outer,inner]"), cl::cat(category)};
  cl::list<std::string> interchange{
      "interchange", cl::desc("Put perfectly nested loops in this order"),
      cl::value_desc("loop,loop,..."), cl::cat(category)};
  cl::list<std::string> distribute{
      "distribute", cl::desc("Split a loop over the parts of its body"),
      cl::value_desc("loop"), cl::cat(category)};
  cl::list<std::string> unroll{"unroll", cl::desc("Write a loop out"),
                               cl::value_desc("loop"), cl::cat(category)};
  cl::list<std::string> map{"map", cl::desc("Give a loop to grid or block"),
                            cl::value_desc("loop,grid.x"), cl::cat(category)};
  cl::list<std::string> registerTile{
      "register-tile", cl::desc("Compute several outputs in a thread"),
      cl::value_desc("loop[,factor]"), cl::cat(category)};
  cl::list<std::string> schedule{
      "schedule", cl::desc("Apply the steps in this file"),
      cl::value_desc("file.sched"), cl::cat(category)};
  cl::opt<std::string> tile{
      "tile", cl::desc("Threads of a block: x,y,z or loop:threads,..."),
      cl::value_desc("32,2,2"), cl::cat(category)};
  cl::opt<std::string> registers{
      "reg", cl::desc("Outputs of a thread: y,z or loop:outputs,..."),
      cl::value_desc("8,4"), cl::cat(category)};

  cl::opt<bool> associativeMath{"fassociative-math",
                                cl::desc("Sums may be reordered"),
                                cl::cat(category)};
  cl::opt<bool> noLocations{
      "no-locations", cl::desc("Print no source locations"), cl::cat(category)};
  cl::opt<bool> printAfterAll{"print-after-all",
                              cl::desc("Print the nest after each step"),
                              cl::cat(category)};
  cl::list<std::string> printAfter{
      "print-after", cl::desc("Print it after this pass"),
      cl::value_desc("pass"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<std::string> passed{"Rpass", cl::desc("Report what passes did"),
                              cl::value_desc("regex"), cl::cat(category)};
  cl::opt<std::string> missed{"Rpass-missed",
                              cl::desc("Report what passes did not do"),
                              cl::value_desc("regex"), cl::cat(category)};
  cl::opt<std::string> analysis{"Rpass-analysis",
                                cl::desc("Report what was found"),
                                cl::value_desc("regex"), cl::cat(category)};
  cl::extrahelp examples{Examples};

  /// The lists that are steps, `schedule` last.
  std::array<cl::list<std::string> *, 8> stepLists() {
    // cl::list has an operator& of its own.
    return {std::addressof(scalarReplace), std::addressof(stripMine),
            std::addressof(interchange),   std::addressof(distribute),
            std::addressof(unroll),        std::addressof(map),
            std::addressof(registerTile),  std::addressof(schedule)};
  }
};

} // namespace

/// The steps of all step options in the order in which they were given.
static Expected<std::vector<Step>> collectSteps(CommandLine &line) {
  std::map<unsigned, std::pair<std::string, std::string>> byPosition;
  for (cl::list<std::string> *list : line.stepLists())
    for (size_t i = 0; i != list->size(); ++i)
      byPosition[list->getPosition(i)] = {list->ArgStr.str(), (*list)[i]};
  std::vector<Step> steps;
  for (const auto &[position, option] : byPosition) {
    const auto &[name, value] = option;
    if (name == "schedule") {
      Expected<std::vector<Step>> read = readSchedule(value);
      if (!read)
        return read.takeError();
      append_range(steps, *read);
      continue;
    }
    Expected<Step> step = parseStep(name + "=" + value);
    if (!step)
      return step.takeError();
    steps.push_back(std::move(*step));
  }
  return steps;
}

static std::optional<std::string> given(const cl::opt<std::string> &option) {
  if (option.getNumOccurrences() == 0)
    return std::nullopt;
  return option.getValue();
}

/// Of "convopt-opt: Unknown argument '-x'.  Try: ..." what stands between.
static std::string firstSentence(StringRef problem) {
  problem.consume_front("convopt-opt: ");
  if (problem.empty()) // a value; it has been printed already
    return "an option does not take the value that it was given";
  return problem.split(".  Try:").first.split('\n').first.trim().str();
}

Error Options::parse(int argc, char **argv) {
  cl::ResetCommandLineParser();
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { printVersion(os, islVersion()); });
  std::string problem;
  raw_string_ostream os(problem);
  if (!cl::ParseCommandLineOptions(argc, argv, Overview, &os))
    return refuse("usage", firstSentence(problem), {}, "see convopt-opt -help");
  input = line.input;
  output = line.output;
  arch = line.arch;
  emission = line.emission;
  associativeMath = line.associativeMath;
  locations = !line.noLocations;
  printAfterAll = line.printAfterAll;
  printAfter.assign(line.printAfter.begin(), line.printAfter.end());
  remarks = {line.passed, line.missed, line.analysis};
  if (Error e = remarks.check())
    return e;
  request.tile = given(line.tile);
  request.registers = given(line.registers);
  Expected<std::vector<Step>> collected = collectSteps(line);
  if (!collected)
    return collected.takeError();
  steps = std::move(*collected);
  if (!steps.empty() && (request.tile || request.registers))
    return refuse("usage", "-tile and -reg exclude other steps", {},
                  "put the steps that -emit=schedule prints for them into a "
                  "file and add to it");
  return Error::success();
}

} // namespace convopt
