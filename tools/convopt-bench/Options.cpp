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

struct CommandLine {
  cl::OptionCategory category{"convopt-bench options"};
  cl::opt<std::string> input{cl::Positional, cl::desc("<input>"),
                             cl::cat(category)};
  cl::list<std::string> outputs{
      "o", cl::desc("Write results: .json, .csv, .md or .html; repeatable"),
      cl::value_desc("file"), cl::cat(category)};
  cl::opt<std::string> render{
      "render",
      cl::desc("Measure nothing: show a results file, or write the page of a "
               "folder of them"),
      cl::value_desc("file.json|folder"), cl::cat(category)};
  cl::list<std::string> variants{
      "variant",
      cl::desc("A candidate: its -tile, -reg, -staging, -boundary, "
               "-algorithm and -assume as one word"),
      cl::value_desc("'-tile=... -reg=...'"), cl::cat(category)};
  cl::opt<std::string> tile{
      "tile", cl::desc("Threads of a block: x,y,z or loop:threads,..."),
      cl::value_desc("32,2,2"), cl::cat(category)};
  cl::opt<std::string> registers{
      "reg", cl::desc("Outputs of a thread: y,z or loop:outputs,..."),
      cl::value_desc("8,4"), cl::cat(category)};
  cl::list<std::string> schedules{
      "schedule", cl::desc("A candidate: the steps in a file"),
      cl::value_desc("file.sched"), cl::cat(category)};
  cl::list<std::string> kernels{
      "kernel", cl::desc("A candidate: an emitted file, built with nvcc"),
      cl::value_desc("file.cu"), cl::cat(category)};
  cl::opt<unsigned> search{
      "search",
      cl::desc("Candidates: the cheapest tiles by the model, so many"),
      cl::value_desc("tiles"), cl::cat(category)};
  cl::opt<bool> knownSizes{
      "known-sizes",
      cl::desc("Make the candidates anew for each shape, with all its sizes "
               "known (-assume=)"),
      cl::cat(category)};
  cl::opt<std::string> best{
      "best", cl::desc("Write the steps of the fastest candidate"),
      cl::value_desc("file.sched"), cl::cat(category)};
  LegalityCommandLine licences{category};
  cl::opt<std::string> arch{"arch", cl::desc("The device whose limits hold"),
                            cl::value_desc("sm_90"), cl::init("sm_90"),
                            cl::cat(category)};
  cl::opt<std::string> device{
      "device",
      cl::desc(
          "If nothing is timed: the device whose nominal figures give bounds"),
      cl::value_desc("H200"), cl::cat(category)};
  cl::opt<std::string> suffix{
      "suffix",
      cl::desc("What ends the names of the functions in a -kernel file"),
      cl::value_desc("_tiled"), cl::init("_tiled"), cl::cat(category)};
  cl::opt<std::string> function{"function",
                                cl::desc("The function to take of a source"),
                                cl::value_desc("name"), cl::cat(category)};
  cl::opt<Compiler> compiler{
      "compiler", cl::desc("What compiles the kernels"),
      cl::values(clEnumValN(Compiler::Nvrtc, "nvrtc", "NVRTC (default)"),
                 clEnumValN(Compiler::Nvcc, "nvcc", "nvcc")),
      cl::init(Compiler::Nvrtc), cl::cat(category)};

  cl::opt<std::string> shapesFile{
      "shapes", cl::desc("Layers: a CSV file, all its rows"),
      cl::value_desc("file.csv"), cl::cat(category)};
  cl::list<std::string> sets{
      "set", cl::desc("Of -shapes, the rows of these sets"),
      cl::value_desc("set,..."), cl::CommaSeparated, cl::cat(category)};
  cl::list<std::string> names{
      "name", cl::desc("Of -shapes, the rows of these names"),
      cl::value_desc("name,..."), cl::CommaSeparated, cl::cat(category)};
  cl::list<std::string> shapes{
      "shape", cl::desc("Sizes of the nest or of a layer; repeatable"),
      cl::value_desc("N=1,C=64,..."), cl::cat(category)};

  cl::opt<bool> isStatic{"static", cl::desc("Time nothing"), cl::cat(category)};
  cl::opt<bool> time{"time", cl::desc("Exit with 4 if nothing can be timed"),
                     cl::cat(category)};
  cl::list<std::string> modes{
      "mode", cl::desc("cold (the cache flushed), warm, or both (default)"),
      cl::value_desc("cold,warm"), cl::CommaSeparated, cl::cat(category)};
  cl::opt<double> seconds{
      "time-limit",
      cl::desc("Seconds of sampling for a kernel and mode (default 3); implies "
               "-time"),
      cl::value_desc("seconds"), cl::init(3), cl::cat(category)};
  cl::opt<unsigned> timeout{
      "timeout", cl::desc("Seconds after which a kernel is stopped"),
      cl::value_desc("seconds"), cl::init(300), cl::cat(category)};
  cl::opt<double> within{
      "within",
      cl::desc("Seconds after which no further kernel is started (default: no "
               "limit)"),
      cl::value_desc("seconds"), cl::init(0), cl::cat(category)};
  cl::opt<bool> noNaive{"no-naive", cl::desc("Leave the naive kernel out"),
                        cl::cat(category)};
  cl::opt<bool> noCudnn{"no-cudnn", cl::desc("Leave cuDNN out"),
                        cl::cat(category)};
  cl::opt<std::string> cudnn{"cudnn", cl::desc("Where libcudnn.so.9 is"),
                             cl::value_desc("path"), cl::cat(category)};
  cl::opt<std::string> simulate{"simulate", cl::desc("Script of a device"),
                                cl::value_desc("file"), cl::Hidden,
                                cl::cat(category)};
  cl::opt<std::string> runJob{"run-job", cl::Hidden, cl::cat(category)};
  cl::opt<std::string> outcome{"outcome", cl::Hidden, cl::cat(category)};
  cl::extrahelp examples{Examples};
};

} // namespace

namespace {
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

static Expected<std::vector<CandidateRequest>>
collectCandidates(CommandLine &line) {
  std::map<unsigned, CandidateRequest> byPosition;
  for (size_t k = 0; k != line.variants.size(); ++k) {
    ASSIGN_OR_RETURN(CandidateRequest request, parseVariant(line.variants[k]));
    byPosition[line.variants.getPosition(k)] = request;
  }
  for (auto *list :
       {std::addressof(line.schedules), std::addressof(line.kernels)})
    for (size_t k = 0; k != list->size(); ++k)
      byPosition[list->getPosition(k)] =
          fileCandidate(list->ArgStr, (*list)[k]);
  std::vector<CandidateRequest> all;
  if (line.tile.getNumOccurrences() || line.registers.getNumOccurrences()) {
    std::vector<std::string> words;
    if (line.tile.getNumOccurrences())
      words.push_back("-tile=" + line.tile);
    if (line.registers.getNumOccurrences())
      words.push_back("-reg=" + line.registers);
    ASSIGN_OR_RETURN(CandidateRequest request, parseVariant(join(words, " ")));
    all.push_back(request);
  }
  for (auto &[position, request] : byPosition)
    all.push_back(std::move(request));
  if (line.search.getNumOccurrences() && line.search == 0)
    return refuse("usage", "-search is at least 1");
  if (all.empty())
    all.push_back({"default tiles", {}, ""});
  for (unsigned place = 1; place <= line.search; ++place) {
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

static Error setModes(const cl::list<std::string> &modes, Options &options) {
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
  cl::ResetCommandLineParser();
  CommandLine line;
  cl::HideUnrelatedOptions(line.category);
  cl::SetVersionPrinter(
      [](raw_ostream &os) { printVersion(os, revision(), islVersion()); });
  std::vector<const char *> own = splitArguments(argc, argv, *this);
  if (Error e = parseCommandLine(own, "convopt-bench", Overview,
                                 {choicesOf(line.compiler)}))
    return e;
  runJob = line.runJob;
  outcome = line.outcome;
  if (!runJob.empty())
    return Error::success();
  input = line.input;
  render = line.render;
  outputs.assign(line.outputs.begin(), line.outputs.end());
  if (!render.empty())
    return input.empty()
               ? checkOutputs(outputs)
               : refuse("usage", "-render takes no input beside it, here '" +
                                     input + "'");
  if (input.empty())
    return refuse("usage", "no input is given", {}, "see convopt-bench -help");
  ASSIGN_OR_RETURN(std::vector<CandidateRequest> collected,
                   collectCandidates(line));
  candidates = std::move(collected);
  shapes.assign(line.shapes.begin(), line.shapes.end());
  selected.assign(line.sets.begin(), line.sets.end());
  selected.insert(selected.end(), line.names.begin(), line.names.end());
  shapesFile = line.shapesFile;
  best = line.best;
  knownSizes = line.knownSizes;
  if (!selected.empty() && shapesFile.empty())
    return refuse("usage", "-set and -name select rows of a -shapes file", {},
                  "give one with -shapes=");
  function = line.function;
  arch = line.arch;
  device = line.device;
  suffix = line.suffix;
  legality = line.licences.legality();
  compiler = line.compiler;
  isStatic = line.isStatic;
  timeDemanded = line.time || line.seconds.getNumOccurrences();
  if (isStatic && timeDemanded)
    return refuse("usage", "-static excludes -time and -time-limit");
  seconds = line.seconds;
  timeout = line.timeout;
  within = line.within;
  if (!(seconds > 0) || timeout == 0)
    return refuse("usage", "-time-limit and -timeout are positive");
  if (!std::isfinite(seconds) || !(within >= 0) || !std::isfinite(within))
    return refuse("usage", "-time-limit and -within are finite");
  naive = !line.noNaive;
  useCudnn = !line.noCudnn;
  cudnn = line.cudnn;
  simulate = line.simulate;
  RETURN_IF_ERROR(setModes(line.modes, *this));
  return checkOutputs(outputs);
}

} // namespace convopt
