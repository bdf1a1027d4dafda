//===- Options.cpp - What the user asked for ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Revision.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

namespace {

constexpr const char *Overview =
    "convopt: tile a naive convolution for the GPU, or refuse\n\n"
    "Reads a C, C++ or CUDA loop nest or a one-thread-per-output kernel, and\n"
    "writes block- and register-tiled CUDA that computes the same thing.\n"
    "Options of the compiler (-I, -D, -std) follow `--`, or are those of a\n"
    "build (-p).\n";

constexpr const char *Examples =
    "\nEXAMPLES:\n\n"
    "  convopt naive_conv.cu -o tiled.cu\n"
    "      default tiles, chosen from the sizes and the device\n"
    "  convopt naive_conv.cu -tile=32,2,2 -reg=8,4 -o tiled.cu\n"
    "      32x2x2 threads a block, 8 rows and 4 channels a thread\n"
    "  convopt conv.c -tile=w:32,h:4,m:2 -reg=h:4,m:2 -verify=cpu -o tiled.cu\n"
    "      the same by loop names; run both versions and compare\n"
    "  convopt conv.c -emit=dependences\n"
    "      dependences, parallel loops and reductions\n"
    "  convopt conv.c -schedule=conv.sched -print-after-all -o tiled.cu\n"
    "      the steps of a file, with the nest after each\n"
    "  convopt conv.cu -add-version='-assume=K=7 -tile=32,4 -reg=4,8'\n"
    "      a kernel for K=7 beside the general one, chosen at run time\n"
    "  convopt conv.cu -function=forward -o tiled.cu -- -DK=7 -Iinclude\n"
    "      one function of several, with options for the compiler\n"
    "  convopt one.cu two.c -p build -o tiled\n"
    "      two sources as their build compiles them, to a folder\n\n"
    "EXIT STATUS: 0 done, 1 bad input or usage, 2 refused as illegal,\n"
    "3 verification failed, 4 a toolchain or GPU is missing, 70 a bug.\n";

} // namespace

/// The words of \p options, quotes taken off.
static std::vector<std::string> wordsOf(StringRef options) {
  BumpPtrAllocator memory;
  StringSaver saver(memory);
  SmallVector<const char *> words;
  cl::TokenizeGNUCommandLine(options, saver, words);
  return {words.begin(), words.end()};
}

/// \p argument where it shapes the emitted text, its path reduced to a base
/// name; else nothing.
static std::string shapingOption(StringRef argument) {
  auto [name, value] = argument.ltrim('-').split('=');
  if (!argument.starts_with("-"))
    return "";
  if (name == "schedule")
    return "-schedule=" + sys::path::filename(value).str();
  if (name == "add-version") {
    std::vector<std::string> words;
    for (const std::string &word : wordsOf(value))
      words.push_back(shapingOption(word));
    return "-add-version='" + join(words, " ") + "'";
  }
  bool shapes =
      is_contained({"tile", "reg", "staging", "arch", "suffix", "function",
                    "fassociative-math", "ffinite-math-only",
                    "fno-signed-zeros", "ffast-math", "boundary", "algorithm",
                    "assume", "filter-widths", "link"},
                   name);
  return shapes ? argument.str() : "";
}

/// The options that shape the emitted text, in their order, paths reduced to
/// base names so that the output does not depend on where it was made.
static std::vector<std::string> shapingOptions(ArrayRef<std::string> arguments,
                                               StringRef input) {
  std::vector<std::string> result;
  for (StringRef argument : arguments) {
    if (argument == input) {
      result.push_back(sys::path::filename(input).str());
      continue;
    }
    if (std::string option = shapingOption(argument); !option.empty())
      result.push_back(option);
  }
  return result;
}

/// The same for the compiler's options.
static std::vector<std::string>
shapingArguments(ArrayRef<std::string> arguments) {
  std::vector<std::string> result;
  for (StringRef a : arguments) {
    StringRef rest = a;
    if (rest.consume_front("-I"))
      result.push_back("-I" + sys::path::filename(rest).str());
    else
      result.push_back(a.starts_with("-") ? a.str()
                                          : sys::path::filename(a).str());
  }
  return result;
}

static Expected<std::optional<Where>>
parseWhere(const std::optional<std::string> &given) {
  if (!given)
    return std::nullopt;
  if (given->empty() || *given == "auto")
    return Where::Auto;
  if (*given == "cpu")
    return Where::Cpu;
  if (*given == "gpu")
    return Where::Gpu;
  return refuse("usage", "-verify=" + *given + " is not cpu, gpu or auto");
}

/// Options that would be ignored.
static Error checkUse(const Options &o) {
  if (o.verify && o.emission != Emission::Cuda)
    return refuse("usage", "-verify runs the CUDA file, which -emit leaves out",
                  {}, "leave out one of them");
  if (!o.dependencyFile.empty() && (o.inputs.size() > 1 || o.output == "-"))
    return refuse("usage", "-MF is about one output file", {},
                  "give one source, and its output with -o");
  if (!o.verifiedFile.empty() && o.inputs.size() > 1)
    return refuse("usage",
                  "-verify-file is one file, and there are " +
                      std::to_string(o.inputs.size()) + " sources",
                  {}, "give its source alone");
  if (!o.verifiedFile.empty() && !o.verify)
    return refuse("usage", "-verify-file is for -verify, which is not given",
                  {}, "add -verify");
  if (o.verifyTimeout == 0)
    return refuse("usage", "-verify-timeout=0 is no time", {},
                  "give the seconds that all shapes may run");
  if (!o.shapes.empty() && !o.verify && o.emission != Emission::VerifyDriver)
    return refuse("usage", "-shape is for -verify, which is not given", {},
                  "add -verify or -emit=verify-driver");
  for (size_t k = 0; k != o.filterWidths.size(); ++k) {
    const unsigned width = o.filterWidths[k];
    if (width == 0 ||
        is_contained(ArrayRef(o.filterWidths).take_front(k), width))
      return refuse(
          "usage",
          "-filter-widths= has " +
              (width == 0 ? "a width of 0" : std::to_string(width) + " twice"),
          {}, "give different widths of 1 and more");
  }
  if ((!o.versions.empty() || !o.filterWidths.empty()) &&
      o.emission != Emission::Cuda && o.emission != Emission::VerifyDriver)
    return refuse("usage",
                  "-add-version and -filter-widths are for the CUDA file, "
                  "which -emit leaves out",
                  {}, "give the options of the version by themselves");
  return Error::success();
}

namespace {

/// What is said of a kernel, whether it is the general one or a version.
struct KernelOptions {
  SharedOptions &shared;
  std::vector<std::string> &facts;
  std::optional<unsigned> leastBlocks = {};
  std::vector<std::string> schedules = {};

  void addTo(CommandLine &line) {
    shared.addTo(line);
    line.add("schedule", schedules, "Apply the steps in this file",
             "file.sched");
    line.add("assume", facts,
             "Sizes that the kernel may rely on, and its launcher checks",
             "K=7,C>=4", cl::CommaSeparated);
    line.add("least-blocks", leastBlocks,
             "Of an -add-version: the kernel is for grids of so many blocks or "
             "more",
             "blocks");
  }
  Error check() {
    if (schedules.size() > 1)
      return refuse("usage", "-schedule is given twice", {},
                    "put the steps into one file");
    if (!schedules.empty())
      shared.request.scheduleFile = schedules.front();
    return Error::success();
  }
};

} // namespace

/// Parses the words of an -add-version.
static Expected<VersionOptions> parseVersion(const std::string &text) {
  std::vector<std::string> words = wordsOf(text);
  std::vector<const char *> own{"convopt"};
  for (const std::string &word : words) {
    StringRef option = word, name = option.split('=').first.ltrim('-');
    if (!option.starts_with("-") || !option.contains('=') ||
        !is_contained({"assume", "tile", "reg", "staging", "schedule",
                       "boundary", "algorithm", "least-blocks"},
                      name))
      return refuse("usage",
                    "'" + word + "' in -add-version='" + text +
                        "' is no option of a version",
                    {},
                    "a version takes -assume=, -tile=, -reg=, -staging=, "
                    "-schedule=, -boundary=, -algorithm= and -least-blocks=, "
                    "as in -add-version='-assume=K=7 -reg=4,8'");
    own.push_back(word.c_str());
  }
  if (words.empty())
    return refuse("usage", "-add-version='" + text + "' names no options");
  VersionOptions version;
  SharedOptions shared;
  KernelOptions kernel{shared, version.facts};
  CommandLine line("convopt", Overview, "");
  kernel.addTo(line);
  RETURN_IF_ERROR(line.parse(own));
  RETURN_IF_ERROR(kernel.check());
  version.request = shared.request;
  version.leastBlocks = kernel.leastBlocks.value_or(0);
  return version;
}

Options Options::ofInput(const std::string &one, std::string file,
                         std::vector<std::string> flags) const {
  Options o = *this;
  o.input = one;
  o.output = std::move(file);
  o.clangArguments = std::move(flags);
  append_range(o.clangArguments, clangArguments);
  o.shaping = shapingOptions(own, one);
  if (!o.clangArguments.empty()) {
    o.shaping.push_back("--");
    append_range(o.shaping, shapingArguments(o.clangArguments));
  }
  return o;
}

Error Options::parse(int argc, char **argv) {
  CommandLine line("convopt", Overview, Examples);
  KernelOptions general{shared, facts};
  general.addTo(line);
  line.add("", inputs, "<source>...", "", cl::Positional);
  line.add("o", output, "Write to this file (default: -)", "file");
  line.add("p", buildFolder,
           "Take a source's -I, -D and -std from the compile_commands.json in "
           "this folder",
           "build");
  line.add("MF", dependencyFile,
           "Write to this file, as a makefile's rule, what the output was made "
           "of",
           "file.d");
  line.add(
      "emit", emission, "What to write",
      cl::values(
          clEnumValN(Emission::Cuda, "cuda", "The tiled CUDA file (default)"),
          clEnumValN(Emission::Header, "header",
                     "Prototypes of what the CUDA file adds (.h)"),
          clEnumValN(Emission::Nest, "nest", "The nest as read (.nest)"),
          clEnumValN(Emission::Dependences, "dependences",
                     "Dependences, parallel and reduction loops"),
          clEnumValN(Emission::Schedule, "schedule",
                     "The steps that -tile and -reg stand for "
                     "(.sched)"),
          clEnumValN(Emission::VerifyDriver, "verify-driver",
                     "A CUDA program that verifies the file named "
                     "by -o of an earlier run, for use "
                     "elsewhere")));
  line.add("link", link, "What the CUDA file is linked with",
           cl::values(clEnumValN(Link::Instead, "instead",
                                 "It has the source's text and stands in place "
                                 "of the source (default)"),
                      clEnumValN(Link::Beside, "beside",
                                 "It has the tiled functions alone and is "
                                 "linked with the source's object")));
  const auto &functions =
      line.add("function", function,
               "The function to take, by its name and perhaps scope", "name");
  line.add("explain", explain,
           "If a function is refused, print what was understood of it");
  line.add("q", quiet,
           "Do not say what was made, nor which function was taken");
  line.add("suffix", suffix, "What is appended to the names of added functions",
           "_tiled");
  std::vector<std::string> given;
  line.add("add-version", given,
           "One more kernel, for the sizes of an -assume= (may be repeated)",
           "options");
  line.add("filter-widths", filterWidths,
           "One more kernel for each of these widths of the filter, with "
           "default tiles",
           "3,5,7", cl::CommaSeparated);
  std::optional<std::string> where;
  line.add("verify", where, "Run naive and tiled and compare: cpu, gpu or auto",
           "auto", cl::ValueOptional);
  line.add("verify-timeout", verifyTimeout,
           "Seconds that all shapes of a nest may take together", "900");
  line.add("verify-file", verifiedFile,
           "Verify this edited output in place of what is written", "file",
           cl::Hidden);
  line.add("shape", shapes, "Verify with these sizes (may be repeated)",
           "H=33,W=40,...");
  cl::SetVersionPrinter([](raw_ostream &os) {
    printVersion(os, revision(), {"Clang " + clangVersion(), islVersion()});
  });
  // What follows `--` is the compiler's.
  char **end = argv + argc;
  char **dashes =
      std::find_if(argv + 1, end, [](char *a) { return StringRef(a) == "--"; });
  if (dashes != end)
    clangArguments.assign(dashes + 1, end);
  own.assign(argv + 1, dashes);
  RETURN_IF_ERROR(line.parse(std::vector<const char *>(argv, dashes)));
  if (general.leastBlocks)
    return refuse("usage",
                  "-least-blocks is for a version, as the general kernel takes "
                  "all sizes",
                  {}, "write it into an -add-version='...'");
  if (functions.getNumOccurrences() > 1)
    return refuse("usage", "-function is given twice", {},
                  "call convopt once for each, on the file that is written for "
                  "the one before");
  if (inputs.empty() || is_contained(inputs, ""))
    return refuse("usage", "no source file given", {},
                  "convopt SOURCE -tile=32,2,2 -reg=8,4 -o OUTPUT");
  ASSIGN_OR_RETURN(verify, parseWhere(where));
  RETURN_IF_ERROR(general.check());
  argv0 = argv[0];
  for (const std::string &text : given) {
    ASSIGN_OR_RETURN(VersionOptions version, parseVersion(text));
    versions.push_back(std::move(version));
  }
  RETURN_IF_ERROR(checkUse(*this));
  return shared.check();
}

} // namespace convopt
