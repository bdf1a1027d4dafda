//===- Options.cpp - What the user asked for ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Revision.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"

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
    "      the steps of a file\n"
    "  convopt-opt conv.nest -tile=32,2,2 -emit=cuda -o tiled.cuh\n"
    "      the CUDA text that is added to a source\n\n"
    "EXIT STATUS: 0 done, 1 bad input or usage, 2 refused as illegal, 70 a "
    "bug.\n";

/// The options proper. Built in parse, after the parser has been cleared of
/// what libraries register.
struct CommandLine {
  cl::OptionCategory category{"convopt-opt options"};
  SharedCommandLine shared{category};
  cl::opt<std::string> input{cl::Positional, cl::desc("<input.nest>"),
                             cl::init("-"), cl::cat(category)};
  cl::opt<Emission> emission{
      "emit", cl::desc("What to write"),
      cl::values(clEnumValN(Emission::Nest, "nest", "The nest (default)"),
                 clEnumValN(Emission::Dependences, "dependences",
                            "Dependences, parallel and reduction loops"),
                 clEnumValN(Emission::Schedule, "schedule",
                            "The steps that were applied (.sched)"),
                 clEnumValN(Emission::Program, "program",
                            "What one thread of the kernel runs"),
                 clEnumValN(Emission::Cuda, "cuda",
                            "The kernel, its launcher and what replaces the "
                            "function, without the source")),
      cl::init(Emission::Nest), cl::cat(category)};

  /// A list for each pass.
  std::vector<std::unique_ptr<cl::list<std::string>>> steps;

  cl::opt<bool> noLocations{
      "no-locations", cl::desc("Print no source locations"), cl::cat(category)};
  cl::opt<bool> assertions{
      "assertions",
      cl::desc("With -emit=program: print what is proved of it, too"),
      cl::cat(category)};
  cl::extrahelp examples{Examples};

  CommandLine() {
    for (const Pass *p : passes())
      steps.push_back(std::make_unique<cl::list<std::string>>(
          p->name, cl::desc(p->help),
          cl::value_desc(p->arguments.split(" ").first), cl::cat(category)));
  }

  /// The lists that are steps, `schedule` last.
  std::vector<cl::list<std::string> *> stepLists() {
    std::vector<cl::list<std::string> *> lists;
    for (const auto &list : steps)
      lists.push_back(list.get());
    // cl::list has an operator& of its own.
    lists.push_back(std::addressof(shared.schedule));
    return lists;
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
      ASSIGN_OR_RETURN(std::vector<Step> read, readSchedule(value));
      append_range(steps, read);
      continue;
    }
    ASSIGN_OR_RETURN(Step step, parseStep(name + "=" + value));
    steps.push_back(std::move(step));
  }
  return steps;
}

Error Options::parse(int argc, char **argv) {
  cl::ResetCommandLineParser();
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { printVersion(os, revision(), islVersion()); });
  if (Error e = parseCommandLine({argv, argv + argc}, "convopt-opt", Overview,
                                 {choicesOf(line.emission),
                                  choicesOf(line.shared.boundary),
                                  choicesOf(line.shared.algorithm)}))
    return e;
  input = line.input;
  output = line.shared.output;
  emission = line.emission;
  locations = !line.noLocations;
  assertions = line.assertions;
  shared = line.shared.values();
  if (assertions && emission != Emission::Program)
    return refuse("usage", "-assertions are of a program", {},
                  "add -emit=program");
  RETURN_IF_ERROR(shared.check());
  ASSIGN_OR_RETURN(std::vector<Step> collected, collectSteps(line));
  steps = std::move(collected);
  if (!steps.empty() && shared.request.hasShorthand())
    return refuse("usage", "-tile, -reg and -staging exclude other steps", {},
                  "put the steps that -emit=schedule prints for them into a "
                  "file and add to it");
  return Error::success();
}

} // namespace convopt
