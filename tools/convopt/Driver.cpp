//===- Driver.cpp - From the command line to a file -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Dependence/Footprints.h"
#include "convopt/Frontend/BuildSettings.h"
#include "convopt/Legality/Reassociation.h"
#include "convopt/Nest/Text.h"
#include "convopt/Nest/Touched.h"
#include "convopt/Schedule/Siblings.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Interrupt.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

namespace {

/// The way of one input, in the order of its methods. Of several nests of one
/// function, those that are refused stay as they are.
class Driver {
public:
  explicit Driver(const Options &options) : options(options) {}
  Error read();
  /// What is to be written.
  Expected<std::string> make();
  Error write(const std::string &text) const;
  void summarise() const;
  const PlannedNests &plans() const { return nests; }

private:
  Error checkOptions();
  void printChoice(const SourceNest &source) const;
  Error forEachNest(function_ref<Error(PlannedFile &)> step);
  PlanInput sourceOf(const PlannedFile &file) const;
  Error plan(PlannedFile &file) const;
  bool maySplit() const;
  const std::optional<KernelSequence> &sequenceOf(const Nest &nest) const;
  Error planParts(PlannedFile &file) const;
  Error planKernels(PlannedFile &file) const;
  std::optional<std::string> emitBeforeScheduling() const;
  Error transform(PlannedFile &file) const;
  Expected<std::string> emit() const;

  const Options &options;
  Gpu gpu;
  PlannedNests nests;
  /// By the nest's text: the front end asks about most of what is planned.
  mutable std::map<std::string, std::optional<KernelSequence>> sequences;
};

} // namespace

static bool isIdentifierPart(StringRef text) {
  return !text.empty() &&
         all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}

Error Driver::checkOptions() {
  ASSIGN_OR_RETURN(Gpu found, findGpu(options.shared.arch));
  gpu = found;
  if (!isIdentifierPart(options.suffix))
    return refuse("usage",
                  "-suffix=" + options.suffix + " does not make an identifier",
                  {}, "use letters, digits and '_'");
  if (const auto &file = options.shared.request.scheduleFile)
    RETURN_IF_ERROR(checkOutputPath(options.output, *file));
  for (const std::string &input : options.inputs)
    for (const std::string &output : {options.output, options.dependencyFile})
      RETURN_IF_ERROR(checkOutputPath(output, input));
  return Error::success();
}

std::optional<std::string> Driver::emitBeforeScheduling() const {
  std::string text;
  raw_string_ostream os(text);
  if (options.emission == Emission::Nest)
    print(nests.front().general().pipeline->nest(), os);
  else if (options.emission == Emission::Dependences)
    nests.front().general().pipeline->dependences().print(os);
  else
    return std::nullopt;
  return text;
}

/// Takes \p step with each nest. One that is refused is left out, with a
/// remark, unless it is the last.
Error Driver::forEachNest(function_ref<Error(PlannedFile &)> step) {
  for (auto file = nests.begin(); file != nests.end();) {
    Error refused = step(*file);
    if (!refused) {
      ++file;
      continue;
    }
    if (nests.size() == 1 || !refused.isA<Refusal>())
      return refused;
    handleAllErrors(std::move(refused), [&](const Refusal &r) {
      const Function &f = file->source.nest.function;
      const SourceRange &where = r.where.isValid() ? r.where : f.range;
      const std::string place = options.input + ":" +
                                std::to_string(where.line) + ":" +
                                std::to_string(where.column);
      errs() << place << ": remark: '" << f.name
             << "' stays as it is: " << r.message << " [" << r.rule << "]\n";
      if (!r.remedy.empty())
        errs() << place << ": note: " << r.remedy << '\n';
    });
    file = nests.erase(file);
  }
  return Error::success();
}

PlanInput Driver::sourceOf(const PlannedFile &file) const {
  return {file.source.nest, gpu, options.shared.legality,
          options.shared.hook(errs())};
}

/// Whether the loops of a function may become several kernels: what is said of
/// tiles is said of one, and other outputs show the nest.
bool Driver::maySplit() const {
  return options.shared.request.isDefault() && options.versions.empty() &&
         options.filterWidths.empty() &&
         is_contained({Emission::Cuda, Emission::Header, Emission::Schedule,
                       Emission::VerifyDriver},
                      options.emission);
}

/// How several kernels compute \p nest; none where one does.
const std::optional<KernelSequence> &
Driver::sequenceOf(const Nest &nest) const {
  std::string text;
  raw_string_ostream os(text);
  print(nest, os);
  const auto [known, isNew] = sequences.try_emplace(text);
  if (isNew && maySplit())
    known->second = kernelSequence(nest, options.shared.legality);
  return known->second;
}

/// Plans the kernels that \p file has instead of one.
Error Driver::planParts(PlannedFile &file) const {
  for (const KernelSequence::Part &p : file.sequence->parts) {
    PlannedFile &part =
        file.parts.emplace_back(PlannedFile{options, gpu, file.source});
    part.source.nest = p.nest;
    part.inWhole = &p;
    part.part = "_" + std::to_string(file.parts.size());
    RETURN_IF_ERROR(plan(part));
    RETURN_IF_ERROR(planKernels(part));
  }
  return Error::success();
}

/// Plans the kernels of \p file, or of one part of a file.
Error Driver::planKernels(PlannedFile &file) const {
  for (PlannedKernel &k : file.kernels)
    RETURN_IF_ERROR(k.transform(gpu));
  // A schedule that is printed is one to go on from: that for many outputs.
  addUsualKernels(sourceOf(file), options.emission != Emission::Schedule,
                  file.kernels);
  return Error::success();
}

Error Driver::transform(PlannedFile &file) const {
  file.sequence = sequenceOf(file.source.nest);
  Error refused = file.sequence ? planParts(file) : planKernels(file);
  if (refused && file.sequence) {
    file.parts.clear();
    file.sequence.reset();
    if (Error e = planKernels(file)) {
      consumeError(std::move(e));
      return refused;
    }
    consumeError(std::move(refused));
    refused = Error::success();
  }
  Remarks all;
  for (const PlannedKernel *k : file.launchedKernels())
    for (const Remark &r : k->notes.remarks)
      if (none_of(all, [&](const Remark &said) { // by another part
            return said.kind == r.kind && said.pass == r.pass &&
                   said.message == r.message && said.where == r.where;
          }))
        all.push_back(r);
  if (refused) { // of no kernel there is no need to say where it runs
    erase_if(all, [](const Remark &r) {
      return r.kind == Remark::Kind::Said && r.pass == "assumptions";
    });
  } else {
    append_range(all, launchRemarks(file.source.nest));
    file.loose = looseFootprints(file.source.nest,
                                 options.shared.legality.maxOperations);
    append_range(all, footprintRemarks(file.source.nest, file.loose));
  }
  print(all, options.shared.remarks, options.input, errs());
  return refused;
}

/// Leaves out of \p source what \p kernel has no instances of: there is nothing
/// to verify.
static void dropDead(Nest &source, const Nest &kernel) {
  std::set<unsigned> live;
  for (const StatementPath &p : statements(kernel))
    live.insert(p.statement->id);
  std::vector<unsigned> dead;
  for (const StatementPath &p : statements(source))
    if (!live.count(p.statement->id))
      dead.push_back(p.statement->id);
  source.body = withoutStatements(source.body, dead);
  emptyUntouched(source);
}

/// Which function was taken, and why no other was.
void Driver::printChoice(const SourceNest &source) const {
  for (const auto &[where, text] : source.choice)
    errs() << options.input << ':' << where.line << ':' << where.column << ": "
           << (&text == &source.choice.front().second ? "remark: " : "note: ")
           << text << '\n';
}

/// Where nothing in the source comes to the tiled code of \p file: what other
/// files are to call, as the naive function keeps its name.
static void printHowToCall(const PlannedFile &file, const Options &options) {
  const SourceNest &source = file.source;
  const Function &f = source.nest.function;
  const bool isRedirected =
      source.call || !source.launches.empty() || !source.calls.empty();
  if (source.isLocal || (isRedirected && options.link == Link::Instead))
    return;
  const std::string name = f.name + options.suffix;
  if (f.isKernel)
    errs() << "  call '" << name << "_dispatch' to launch it; '" << f.name
           << "' stays the naive kernel\n";
  else
    errs() << "  call '" << name << "' to run it; '" << f.name
           << "' stays the naive function\n";
}

static void summarise(const PlannedFile &file, const Options &options) {
  const Function &f = file.source.nest.function;
  const size_t count = file.launchedKernels().size();
  errs() << options.input << ':' << f.range.line << ": '" << f.name << "' has "
         << (count == 1 ? "a kernel" : std::to_string(count) + " kernels");
  if (options.output != "-")
    errs() << " in " << options.output;
  errs() << ":\n";
  for (const PlannedFile *one : file.launched()) {
    for (const PlannedKernel &k : one->versions())
      printSummary(*one, k, errs());
    printSummary(*one, one->general(), errs());
  }
  printHowToCall(file, options);
  if (file.source.isC && options.link == Link::Instead && options.output != "-")
    errs() << "  compile it twice and link both objects: by nvcc, and by a C "
              "compiler as C ('cc -x c') for the rest of the source\n";
}

/// Refuses \p nest where blocks would have nothing to share, as of a recursive
/// filter.
static Error checkParallel(const Nest &nest, const LegalityOptions &legality) {
  ASSIGN_OR_RETURN(Pipeline pipeline, Pipeline::create(nest, legality));
  auto isShared = [&](const LoopFacts &l) {
    return l.parallel || (l.reduction && legality.associativeMath);
  };
  if (any_of(pipeline.dependences().loopFacts(), isShared))
    return Error::success();
  const std::vector<Dependence> &all = pipeline.dependences().dependences();
  auto isCarried = [](const Dependence &d) {
    return d.kind == DependenceKind::Flow && !d.reduction;
  };
  // What is in memory says more than what is passed on in a local.
  auto carried = find_if(all, [&](const Dependence &d) {
    return isCarried(d) && !nest.arrays[d.array].isLocal();
  });
  if (carried == all.end())
    carried = find_if(all, isCarried);
  if (carried == all.end() && !all.empty()) { // sums alone
    const Dependence &d = all.front();
    return refuse("Mapping",
                  "no loop of it is parallel: each adds to elements of '" +
                      nest.arrays[d.array].name + "' in their order",
                  d.sinkRange, licenseRemedy(nest, d.array));
  }
  if (carried == all.end())
    return refuse("Mapping", "no loop of it is parallel", nest.function.range);
  return refuse("Mapping",
                "no loop of it is parallel: this reads what earlier iterations "
                "write to '" +
                    nest.arrays[carried->array].name + "'",
                carried->sinkRange,
                "compute along one dimension at a time, in loops that follow "
                "one another, or write to another array than is read");
}

void Driver::summarise() const {
  for (const PlannedFile &file : nests)
    convopt::summarise(file, options);
}

/// The kernels of a nest, as it is.
Error Driver::plan(PlannedFile &file) const {
  ASSIGN_OR_RETURN(std::vector<PlannedKernel> requested,
                   requestedKernels(options, file.source.nest));
  file.kernels = std::move(requested);
  for (PlannedKernel &k : file.kernels)
    RETURN_IF_ERROR(k.create(sourceOf(file)));
  dropDead(file.source.nest, file.general().pipeline->nest());
  return Error::success();
}

Error Driver::read() {
  RETURN_IF_ERROR(checkOptions());
  FrontendOptions reading{options.function,
                          options.clangArguments,
                          options.argv0,
                          options.explain,
                          options.emission == Emission::Cuda,
                          options.suffix};
  if (!options.shared.request.scheduleFile) // which may have loops skewed
    reading.check = [&](const Nest &nest) {
      return checkParallel(nest, options.shared.legality);
    };
  reading.runsAsOne = [&](const Nest &nest) {
    return runsAsOne(nest, options.shared.legality) || sequenceOf(nest);
  };
  ASSIGN_OR_RETURN(std::vector<SourceNest> sources,
                   readSource(options.input, reading));
  if (!options.quiet)
    printChoice(sources.front());
  for (SourceNest &source : sources)
    nests.push_back({options, gpu, std::move(source)});
  return forEachNest([&](PlannedFile &file) { return plan(file); });
}

/// What -emit asks for, verified if it is asked for.
Expected<std::string> Driver::emit() const {
  if (options.emission == Emission::Schedule)
    return printSchedules(nests.front());
  if (options.emission == Emission::VerifyDriver)
    return verifyDriver(nests.front());
  if (options.emission == Emission::Header)
    return emitHeader(nests.front());
  ASSIGN_OR_RETURN(EmittedFile emitted, emitFile(nests, options.link));
  if (options.verify)
    for (const PlannedFile &file : nests) {
      if (nests.size() > 1)
        errs() << "'" << file.source.nest.function.name << "':\n";
      RETURN_IF_ERROR(verify(file, emitted.toVerify));
    }
  return std::move(emitted.text);
}

Expected<std::string> Driver::make() {
  if (std::optional<std::string> text = emitBeforeScheduling())
    return *text;
  if (Error e = forEachNest([&](PlannedFile &f) { return transform(f); }))
    return std::move(e);
  return emit();
}

/// Writes \p text, and the rule that says what it was made of.
Error Driver::write(const std::string &text) const {
  const bool hasIncludes = options.emission == Emission::Cuda ||
                           options.emission == Emission::Header;
  RETURN_IF_ERROR(writeOutput(
      options.output, hasIncludes && options.output != "-"
                          ? relocateIncludes(text, folderOf(options.input),
                                             folderOf(options.output))
                          : text));
  return options.dependencyFile.empty()
             ? Error::success()
             : writeOutput(options.dependencyFile,
                           dependencyRule(nests.front()));
}

namespace {
/// The runs on all inputs, in the order of its methods.
class Runs {
public:
  explicit Runs(ArrayRef<Options> each) : each(each) {}
  void read();
  void make();
  void write();
  ExitStatus status = ExitStatus::Done; // of the first that fails

private:
  void fail(Error e, StringRef input) {
    ExitStatus own = report(std::move(e), errs(), input);
    if (status == ExitStatus::Done)
      status = own;
  }

  struct Run {
    const Options &options;
    Driver driver;
    std::string text;
    explicit Run(const Options &o) : options(o), driver(o) {}
  };
  ArrayRef<Options> each;
  std::list<Run> runs; // of inputs that are not refused
};
} // namespace

void Runs::read() {
  std::vector<const PlannedFile *> plans;
  for (const Options &o : each) {
    Driver &driver = runs.emplace_back(o).driver;
    if (Error e = driver.read()) {
      fail(std::move(e), o.input);
      runs.pop_back();
    } else {
      for (const PlannedFile &file : driver.plans())
        plans.push_back(&file);
    }
  }
  fail(checkApart(plans), "");
}

void Runs::make() {
  for (Run &run : runs) {
    if (wasInterrupted())
      return;
    if (run.options.verify && each.size() > 1)
      errs() << run.options.input << ":\n";
    if (Expected<std::string> text = run.driver.make())
      run.text = std::move(*text);
    else
      fail(text.takeError(), run.options.input);
  }
}

/// Nothing where any run failed.
void Runs::write() {
  if (status == ExitStatus::Done && each.size() > 1)
    fail(makeFolder(sys::path::parent_path(each.front().output)), "");
  if (status != ExitStatus::Done || wasInterrupted())
    return;
  for (const Run &run : runs) {
    if (Error e = run.driver.write(run.text))
      fail(std::move(e), run.options.input);
    else if (run.options.emission == Emission::Cuda && !run.options.quiet)
      run.driver.summarise();
  }
}

ExitStatus runDriver(const Options &options) {
  Expected<std::vector<Options>> each = optionsOfInputs(options);
  if (!each)
    return report(each.takeError(), errs(), "");
  Runs runs(*each);
  runs.read();
  if (runs.status == ExitStatus::Done || !options.verify) // not in vain
    runs.make();
  runs.write();
  return runs.status;
}

} // namespace convopt
