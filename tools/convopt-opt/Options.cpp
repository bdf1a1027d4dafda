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

} // namespace

/// The steps of \p options, names and values in the order in which they were
/// given.
static Expected<std::vector<Step>>
collectSteps(ArrayRef<std::pair<std::string, std::string>> options) {
  std::vector<Step> steps;
  for (const auto &[name, value] : options) {
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
  CommandLine line("convopt-opt", Overview, Examples);
  shared.addTo(line);
  line.add("", input, "<input.nest>", "", cl::Positional);
  line.add("o", output, "Write to this file (default: -)", "file");
  line.add("emit", emission, "What to write",
           cl::values(clEnumValN(Emission::Nest, "nest", "The nest (default)"),
                      clEnumValN(Emission::Dependences, "dependences",
                                 "Dependences, parallel and reduction loops"),
                      clEnumValN(Emission::Schedule, "schedule",
                                 "The steps that were applied (.sched)"),
                      clEnumValN(Emission::Program, "program",
                                 "What one thread of the kernel runs"),
                      clEnumValN(Emission::Cuda, "cuda",
                                 "The kernel, its launcher and what replaces "
                                 "the function, without the source")));
  bool noLocations = false;
  line.add("no-locations", noLocations, "Print no source locations");
  line.add("assertions", assertions,
           "With -emit=program: print what is proved of it, too");
  std::vector<std::pair<std::string, std::string>> given;
  auto addStep = [&](StringRef name, StringRef help, StringRef shown) {
    line.declare<cl::list<std::string>>(
        name, help, shown, cl::callback([&given, name](const std::string &v) {
          given.emplace_back(name, v);
        }));
  };
  for (const Pass *p : passes())
    addStep(p->name, p->help, p->arguments.split(" ").first);
  addStep("schedule", "Apply the steps in this file", "file.sched");
  cl::SetVersionPrinter(
      [](raw_ostream &os) { printVersion(os, revision(), islVersion()); });
  RETURN_IF_ERROR(line.parse({argv, argv + argc}));
  locations = !noLocations;
  if (assertions && emission != Emission::Program)
    return refuse("usage", "-assertions are of a program", {},
                  "add -emit=program");
  RETURN_IF_ERROR(shared.check());
  ASSIGN_OR_RETURN(steps, collectSteps(given));
  if (!steps.empty() && shared.request.hasShorthand())
    return refuse("usage", "-tile, -reg and -staging exclude other steps", {},
                  "put the steps that -emit=schedule prints for them into a "
                  "file and add to it");
  return Error::success();
}

} // namespace convopt
