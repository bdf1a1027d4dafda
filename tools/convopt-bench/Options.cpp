//===- Options.cpp - What the user asked for ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Revision.h"
#include "convopt/Bench/Report.h"
#include "convopt/Dependence/Dependence.h"
#include "convopt/Schedule/Options.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace llvm;

namespace convopt {

using namespace bench;

namespace {

constexpr const char *Overview =
    "convopt-bench: measure kernels on a GPU\n\n"
    "Reads .nest text (or, through convopt, a naive source), and measures the\n"
    "naive kernel, each candidate and cuDNN in plain FP32 for each shape. No\n"
    "time is given for a kernel that computes anything else than the nest.\n";

constexpr const char *Examples =
    "\nCANDIDATES:\n\n"
    "  Each -variant=, -schedule= and -kernel= is one candidate; -tile and "
    "-reg\n"
    "  outside of a -variant are together one more, the first. Without any, "
    "the\n"
    "  default tiles are measured.\n"
    "\nEXAMPLES:\n\n"
    "  convopt-bench conv.nest -shape=N=64,O=64,H=1024,W=1024,F=3\n"
    "      naive, the default tiles and cuDNN for one shape\n"
    "  convopt-bench conv.cu -tile=32,2,2 -reg=8,4 \\\n"
    "      -variant='-tile=64,2,1 -reg=4,4' -schedule=mine.sched \\\n"
    "      -shapes=examples/shapes.csv -set=seed -o results.json -o "
    "report.html\n"
    "      three candidates for the layers of a set\n"
    "  convopt-bench conv.cu -kernel=edited.cu -shapes=layers.csv -name=vgg1\n"
    "      a file that convopt emitted and somebody edited, built by nvcc\n"
    "  convopt-bench layer.nest -search=16 -best=layer.sched\n"
    "      the default and sixteen other tiles of a nest whose sizes are "
    "known;\n"
    "      convopt layer.cpp -schedule=layer.sched takes the fastest\n"
    "  convopt-bench layers.nest -shapes=layers.csv -known-sizes\n"
    "      for each layer what convopt makes of it if its sizes are known\n"
    "  convopt-bench -render=results.json -o report.html\n"
    "      a results file again; -render=docs/results -o docs/benchmarks.md "
    "makes\n"
    "      the page of a folder of them\n"
    "  convopt-bench conv.nest -static -shape=...\n"
    "      work, bounds, the model's times, registers and spills, without "
    "a GPU\n"
    "\nEXIT STATUS: 0 done, 1 bad input, usage or a kernel that failed, 2 "
    "refused\n"
    "as illegal, 3 a wrong result or a figure above its roof, 4 nothing could "
    "be\n"
    "timed though that was asked for, 70 a bug.\n";

/// Takes values as the parser of an option does.
template <class T> struct ValuesByName {
  SmallVector<std::pair<StringRef, T>, 4> all;

  ValuesByName &getParser() { return *this; }
  void addLiteralOption(StringRef name, int value, StringRef) {
    all.push_back({name, T(value)});
  }
};
} // namespace

/// Sets \p value to what \p given, of `-option=`, is called among \p values.
template <class T>
static Error choose(StringRef option, const std::optional<std::string> &given,
                    const cl::ValuesClass &values, T &value) {
  ValuesByName<T> known;
  values.apply(known);
  std::vector<StringRef> names;
  for (const auto &[name, meant] : known.all) {
    if (name == given)
      value = meant;
    names.push_back(name);
  }
  if (!given || is_contained(names, *given))
    return Error::success();
  return refuse("usage", "-" + option.str() + "=" + *given + " is not one of " +
                             join(names, ", "));
}

/// `-tile=32,2,2 -reg=8,4` as one candidate.
static Expected<CandidateRequest> parseVariant(StringRef text) {
  CandidateRequest request;
  request.label = text.trim().str();
  std::optional<std::string> boundary, algorithm, facts;
  SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    auto [name, value] = word.ltrim('-').split('=');
    std::optional<std::string> *field =
        name == "tile"        ? &request.schedule.tile
        : name == "reg"       ? &request.schedule.registers
        : name == "staging"   ? &request.schedule.staging
        : name == "schedule"  ? &request.schedule.scheduleFile
        : name == "boundary"  ? &boundary
        : name == "algorithm" ? &algorithm
        : name == "assume"    ? &facts
                              : nullptr;
    if (!field || !word.starts_with("-") || *field)
      return refuse(
          "usage",
          "'" + word.str() + "' in -variant='" + text.str() +
              "' is no option of a candidate",
          {},
          "a variant is words of -tile=, -reg=, -staging=, -schedule=, "
          "-boundary=, -algorithm= or -assume=, as in -variant='-tile=32,2,2 "
          "-reg=8,4'");
    *field = value.str();
  }
  if (words.empty())
    return refuse("usage", "an empty -variant=");
  if (facts)
    for (StringRef fact : split(*facts, ','))
      request.facts.push_back(fact.str());
  RETURN_IF_ERROR(choose("boundary", boundary, boundaryValues(),
                         request.schedule.boundary));
  RETURN_IF_ERROR(choose("algorithm", algorithm, algorithmValues(),
                         request.schedule.algorithm));
  return request;
}

static CandidateRequest fileCandidate(StringRef option,
                                      const std::string &path) {
  CandidateRequest request;
  request.label = ("-" + option + "=" + sys::path::filename(path)).str();
  if (option == "schedule")
    request.schedule.scheduleFile = path;
  else
    request.file = path;
  return request;
}

/// What is said of candidates.
struct Asked {
  std::vector<std::pair<StringRef, std::string>> options; // as they were given
  ScheduleRequest tiles; // outside of a variant
  std::optional<unsigned> search;
};

static Expected<std::vector<CandidateRequest>>
collectCandidates(const Asked &asked) {
  std::vector<CandidateRequest> all;
  std::vector<std::string> words;
  if (asked.tiles.tile)
    words.push_back("-tile=" + *asked.tiles.tile);
  if (asked.tiles.registers)
    words.push_back("-reg=" + *asked.tiles.registers);
  if (!words.empty()) {
    ASSIGN_OR_RETURN(CandidateRequest request, parseVariant(join(words, " ")));
    all.push_back(std::move(request));
  }
  for (const auto &[option, value] : asked.options) {
    ASSIGN_OR_RETURN(CandidateRequest request,
                     option == "variant" ? parseVariant(value)
                                         : fileCandidate(option, value));
    all.push_back(std::move(request));
  }
  if (asked.search == 0)
    return refuse("usage", "-search is at least 1");
  if (all.empty())
    all.push_back({"default tiles", {}, ""});
  for (unsigned place = 1; place <= asked.search.value_or(0); ++place) {
    CandidateRequest request{"tile " + std::to_string(place), {}, ""};
    request.schedule.place = place;
    all.push_back(std::move(request));
  }
  return all;
}

static Error checkOutputs(ArrayRef<std::string> outputs) {
  for (const std::string &path : outputs)
    RETURN_IF_ERROR(checkReportPath(path));
  return Error::success();
}

static Error setModes(ArrayRef<std::string> modes, Options &options) {
  if (modes.empty())
    return Error::success();
  options.cold = options.warm = false;
  for (const std::string &mode : modes) {
    if (mode != "cold" && mode != "warm")
      return refuse("usage", "-mode=" + mode + " is not known", {},
                    "modes are cold and warm");
    (mode == "cold" ? options.cold : options.warm) = true;
  }
  return Error::success();
}

/// A word as a shell reads it.
static std::string quoted(StringRef word) {
  const bool isPlain = !word.empty() && all_of(word, [](char c) {
    return isAlnum(c) || StringRef("_@%+=:,./-").contains(c);
  });
  if (isPlain)
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// What stands after `--` is for the compiler and not for the parser.
static std::vector<const char *> splitArguments(int argc, char **argv,
                                                Options &options) {
  std::vector<const char *> own;
  int k = 0;
  for (; k != argc && StringRef(argv[k]) != "--"; ++k)
    own.push_back(argv[k]);
  for (++k; k < argc; ++k)
    options.clangArguments.push_back(argv[k]);
  std::vector<std::string> words(argv, argv + argc);
  if (argc)
    words[0] = "convopt-bench";
  options.command = join(map_range(words, quoted), " ");
  return own;
}

unsigned Options::searched() const {
  unsigned most = 0;
  for (const CandidateRequest &request : candidates)
    most = std::max(most, request.schedule.place);
  return most;
}

Error Options::parse(int argc, char **argv) {
  CommandLine line("convopt-bench", Overview, Examples);
  Asked asked;
  auto addCandidates = [&](StringRef name, StringRef help, StringRef shown) {
    line.declare<cl::list<std::string>>(
        name, help, shown, cl::callback([&asked, name](const std::string &v) {
          asked.options.emplace_back(name, v);
        }));
  };
  line.add("", input, "<input>", "", cl::Positional);
  line.add("o", outputs, "Write results: .json, .csv, .md or .html; repeatable",
           "file");
  line.add("render", render,
           "Measure nothing: show a results file, or write the page of a "
           "folder of them",
           "file.json|folder");
  addCandidates("variant",
                "A candidate: its -tile, -reg, -staging, -boundary, -algorithm "
                "and -assume as one word",
                "'-tile=... -reg=...'");
  addCandidates("schedule", "A candidate: the steps in a file", "file.sched");
  addCandidates("kernel", "A candidate: an emitted file, built with nvcc",
                "file.cu");
  addTiles(line, asked.tiles);
  line.add("search", asked.search,
           "Candidates: the cheapest tiles by the model, so many", "tiles");
  line.add("known-sizes", knownSizes,
           "Make the candidates anew for each shape, with all its sizes known "
           "(-assume=)");
  line.add("best", best, "Write the steps of the fastest candidate",
           "file.sched");
  addLegality(line, legality);
  addArch(line, arch);
  line.add("device", device,
           "If nothing is timed: the device whose nominal figures give bounds",
           "H200");
  line.add("suffix", suffix,
           "What ends the names of the functions in a -kernel file", "_tiled");
  line.add("function", function, "The function to take of a source", "name");
  line.add("compiler", compiler, "What compiles the kernels",
           cl::values(clEnumValN(Compiler::Nvrtc, "nvrtc", "NVRTC (default)"),
                      clEnumValN(Compiler::Nvcc, "nvcc", "nvcc")));
  line.add("shapes", shapesFile, "Layers: a CSV file, all its rows",
           "file.csv");
  std::vector<std::string> names, modes;
  line.add("set", selected, "Of -shapes, the rows of these sets", "set,...",
           cl::CommaSeparated);
  line.add("name", names, "Of -shapes, the rows of these names", "name,...",
           cl::CommaSeparated);
  line.add("shape", shapes, "Sizes of the nest or of a layer; repeatable",
           "N=1,C=64,...");
  line.add("static", isStatic, "Time nothing");
  line.add("time", timeDemanded, "Exit with 4 if nothing can be timed");
  line.add("mode", modes, "cold (the cache flushed), warm, or both (default)",
           "cold,warm", cl::CommaSeparated);
  const auto &limit =
      line.add("time-limit", seconds,
               "Seconds of sampling for a kernel and mode (default 3); implies "
               "-time",
               "seconds");
  line.add("timeout", timeout, "Seconds after which a kernel is stopped",
           "seconds");
  line.add("within", within,
           "Seconds after which no further kernel is started (default: no "
           "limit)",
           "seconds");
  bool noNaive = false, noCudnn = false;
  line.add("no-naive", noNaive, "Leave the naive kernel out");
  line.add("no-cudnn", noCudnn, "Leave cuDNN out");
  line.add("cudnn", cudnn, "Where libcudnn.so.9 is", "path");
  line.add("simulate", simulate, "Script of a device", "file", cl::Hidden);
  line.add("run-job", runJob, "", "", cl::Hidden);
  line.add("outcome", outcome, "", "", cl::Hidden);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { printVersion(os, revision(), islVersion()); });
  RETURN_IF_ERROR(line.parse(splitArguments(argc, argv, *this)));
  if (!runJob.empty())
    return Error::success();
  if (!render.empty())
    return input.empty()
               ? checkOutputs(outputs)
               : refuse("usage", "-render takes no input beside it, here '" +
                                     input + "'");
  if (input.empty())
    return refuse("usage", "no input is given", {}, "see convopt-bench -help");
  ASSIGN_OR_RETURN(candidates, collectCandidates(asked));
  append_range(selected, names);
  if (!selected.empty() && shapesFile.empty())
    return refuse("usage", "-set and -name select rows of a -shapes file", {},
                  "give one with -shapes=");
  timeDemanded |= limit.getNumOccurrences() != 0;
  if (isStatic && timeDemanded)
    return refuse("usage", "-static excludes -time and -time-limit");
  if (!(seconds > 0) || timeout == 0)
    return refuse("usage", "-time-limit and -timeout are positive");
  if (!std::isfinite(seconds) || !(within >= 0) || !std::isfinite(within))
    return refuse("usage", "-time-limit and -within are finite");
  naive = !noNaive;
  useCudnn = !noCudnn;
  RETURN_IF_ERROR(setModes(modes, *this));
  return checkOutputs(outputs);
}

} // namespace convopt
