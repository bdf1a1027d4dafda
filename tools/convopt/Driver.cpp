//===- Driver.cpp - From the command line to a file -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "AddedNames.h"
#include "PlannedKernel.h"
#include "Summary.h"
#include "convopt/Dependence/Footprints.h"
#include "convopt/Emit/Assemble.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Emit/Kernel.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Nest/Text.h"
#include "convopt/Nest/Touched.h"
#include "convopt/Support/OutputFile.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

namespace {

/// One run of the tool, in the order of its methods.
class Driver {
public:
  explicit Driver(const Options &options) : options(options) {}
  Error run();

private:
  Error checkOptions();
  void printChoice() const;
  Error emitBeforeScheduling(bool &done);
  Error transform();
  EmitOptions emitOptions() const;
  Expected<AddedText> emitCode() const;
  Expected<std::string> emitFile();
  Expected<VerifyOptions> verifyOptions();
  Error verify(const std::string &emitted);
  Error verifyFile();
  std::string schedules() const;
  std::vector<Replacement> redirectCalls() const;
  bool isDeclared(size_t at, StringRef what) const;
  std::string prototype() const;
  /// `conv_tiled_K7`, of the general one `conv_tiled`.
  std::string kernelName(const PlannedKernel &k) const {
    return source.nest.function.name + options.suffix +
           (k.name.empty() ? "" : "_" + k.name);
  }
  Expected<std::vector<LaunchedKernel>> launchedKernels() const;
  Nest launchedNest() const;
  Expected<std::vector<Shape>>
  shapesToVerify(ArrayRef<LaunchedKernel> launched) const;
  void summarise() const;
  Error write(StringRef text) { return writeOutput(options.output, text); }

  const Options &options;
  Gpu gpu;
  SourceNest source;
  std::vector<PlannedKernel> kernels; // the general one first
  std::vector<unsigned> loose;        // looseFootprints

  const PlannedKernel &general() const { return kernels.front(); }
  ArrayRef<PlannedKernel> versions() const {
    return ArrayRef(kernels).drop_front();
  }
};

} // namespace

static bool isIdentifierPart(StringRef text) {
  return !text.empty() &&
         all_of(text, [](char c) { return isAlnum(c) || c == '_'; });
}

Error Driver::checkOptions() {
  Expected<Gpu> found = findGpu(options.shared.arch);
  if (!found)
    return found.takeError();
  gpu = *found;
  if (!isIdentifierPart(options.suffix))
    return refuse("usage",
                  "-suffix=" + options.suffix + " does not make an identifier",
                  {}, "use letters, digits and '_'");
  if (const auto &file = options.shared.request.scheduleFile)
    if (Error e = checkOutputPath(options.output, *file))
      return e;
  return checkOutputPath(options.output, options.input);
}

Error Driver::emitBeforeScheduling(bool &done) {
  std::string text;
  raw_string_ostream os(text);
  done = true;
  if (options.emission == Emission::Nest)
    print(general().pipeline->nest(), os);
  else if (options.emission == Emission::Dependences)
    general().pipeline->dependences().print(os);
  else
    done = false;
  return done ? write(os.str()) : Error::success();
}

Error Driver::transform() {
  Error refused = Error::success();
  for (PlannedKernel &k : kernels)
    if (!refused)
      refused = k.transform(gpu);
  if (!refused)
    addUsualKernels(options, source.nest, gpu, kernels);
  for (const PlannedKernel &k : kernels)
    print(k.remarks, options.shared.remarks, options.input, errs());
  print(launchRemarks(source.nest), options.shared.remarks, options.input,
        errs());
  loose = looseFootprints(source.nest, options.shared.legality.maxOperations);
  print(footprintRemarks(source.nest, loose), options.shared.remarks,
        options.input, errs());
  return refused;
}

/// `conv<float, 3>` becomes `conv_tiled_dispatch<float, 3>`.
static std::string dispatchName(StringRef callee, const std::string &suffix) {
  size_t end = callee.find('<');
  return (callee.take_front(end).rtrim() + suffix + "_dispatch" +
          (end == StringRef::npos ? "" : callee.drop_front(end)))
      .str();
}

/// \p call formatted to stand at byte \p begin of \p text.
static std::string formatCall(const std::string &call, StringRef text,
                              size_t begin) {
  StringRef before = text.take_front(begin);
  size_t line = before.rfind('\n') + 1; // npos + 1 is 0
  StringRef margin =
      before.substr(line).take_while([](char c) { return isSpace(c); });
  unsigned taken = std::min<size_t>(40, begin - line);
  std::string lines = formatCode(call + ";", 80 - taken);
  StringRef whole = lines;
  whole = whole.rtrim();
  whole.consume_back(";");
  std::string result;
  for (StringRef l : split(whole, '\n'))
    result += (result.empty() ? "" : "\n" + margin.str()) + l.str();
  return result;
}

/// The declaration of what calls, or launches, of the naive function become.
std::string Driver::prototype() const {
  const Prototype &p = source.prototype;
  std::string name = source.nest.function.name + options.suffix;
  std::string parameters = p.parameters;
  if (source.nest.function.isKernel) {
    name += "_dispatch";
    parameters =
        "dim3 grid, dim3 block, size_t shared, cudaStream_t stream" +
        (StringRef(parameters).trim().empty() ? "" : ", " + parameters);
  }
  return "\n" +
         formatCode(p.templates + " void " + name + "(" + parameters + ");");
}

bool Driver::isDeclared(size_t at, StringRef what) const {
  if (at >= source.prototype.at)
    return true;
  StringRef before = StringRef(source.text).take_front(at);
  errs() << options.input << ':' << before.count('\n') + 1 << ':'
         << before.size() - (before.rfind('\n') + 1) + 1
         << ": warning: " << what << " of '" << source.nest.function.name
         << "' before it is defined is not redirected\n";
  return false;
}

std::vector<Replacement> Driver::redirectCalls() const {
  std::vector<Replacement> edits;
  bool needsPrototype = false;
  for (size_t end : source.calls)
    if (isDeclared(end, "a call")) {
      edits.push_back({end, end, options.suffix});
      needsPrototype |= end < source.functionEnd;
    }
  for (const LaunchSite &l : source.launches) {
    if (!isDeclared(l.begin, "a launch"))
      continue;
    needsPrototype |= l.begin < source.functionEnd;
    std::string call = dispatchName(l.callee, options.suffix) + "(" + l.grid +
                       ", " + l.block + ", " + l.shared + ", " + l.stream;
    if (!StringRef(l.arguments).trim().empty())
      call += ", " + l.arguments;
    edits.push_back(
        {l.begin, l.end, formatCall(call + ")", source.text, l.begin)});
  }
  if (needsPrototype)
    edits.insert(edits.begin(),
                 {source.prototype.at, source.prototype.at, prototype()});
  if (const auto &call = source.call)
    edits.push_back({call->begin, call->end,
                     formatCall(source.nest.function.name + options.suffix +
                                    call->arguments,
                                source.text, call->begin)});
  return edits;
}

EmitOptions Driver::emitOptions() const {
  EmitOptions result;
  result.suffix = options.suffix;
  result.isC = source.isC;
  result.isLocal = source.isLocal;
  result.isExternC = source.isExternC;
  result.reserved = source.macros;
  result.fullTiles = general().fullTiles();
  result.facts = general().facts;
  result.loose = loose;
  return result;
}

Expected<AddedText> Driver::emitCode() const {
  std::vector<KernelVersion> special;
  for (const PlannedKernel &k : versions()) {
    Expected<CheckedNest> nest = k.pipeline->checked();
    if (!nest)
      return nest.takeError();
    special.push_back({k.name, std::move(*nest), k.facts, k.fullTiles()});
  }
  Expected<CheckedNest> nest = general().pipeline->checked();
  if (!nest)
    return nest.takeError();
  EmitOptions emit = emitOptions();
  if (!source.nest.function.isKernel) // has no host function
    emit.boxes =
        boxesOf(nest->source(), loose, options.shared.legality.maxOperations);
  return emitCuda(*nest, gpu, emit, special);
}

static std::vector<std::string> printSteps(const PlannedKernel &k) {
  std::vector<std::string> lines;
  for (const Step &step : k.pipeline->steps())
    lines.push_back(step.str());
  return lines;
}

/// The steps of the general kernel, after those of others as comments.
std::string Driver::schedules() const {
  std::string text;
  for (const PlannedKernel &k : versions()) {
    std::string facts = printFacts(k);
    text += "# " + kernelName(k) + (facts.empty() ? "" : ", where " + facts) +
            ":\n";
    for (const std::string &step : printSteps(k))
      text += "#   " + step + "\n";
  }
  if (!versions().empty())
    text += "# other sizes:\n";
  return text + str(general().pipeline->steps());
}

Expected<std::string> Driver::emitFile() {
  Expected<AddedText> code = emitCode();
  if (!code)
    return code.takeError();
  if (Error e = checkAddedNames(source, code->text, options.suffix))
    return std::move(e);
  Provenance provenance;
  provenance.version = version();
  provenance.source = sys::path::filename(options.input).str();
  provenance.command = options.shaping;
  provenance.schedule = printSteps(general());
  for (const PlannedKernel &k : versions())
    provenance.versions.push_back(
        {kernelName(k), printFacts(k), printSteps(k)});
  for (const CommandLineMacro &m : source.commandLineMacros)
    provenance.macros.push_back({m.name, m.value, m.isDefined});
  AddedCode added;
  added.includes = code->includes;
  added.text = formatCode(code->text);
  added.at = source.functionEnd;
  added.isC = source.isC;
  added.isInExternC = source.isInExternC;
  if (source.isLocal)
    added.ofC = formatCode(exportOriginal(source.nest, emitOptions()));
  std::vector<Replacement> edits = redirectCalls();
  if (source.isC && !edits.empty() && !source.nest.function.hasParts())
    added.ofC += prototype();
  return assembleFile(provenance, source.text, edits, added);
}

/// In the order in which the launcher tries them.
Expected<std::vector<LaunchedKernel>> Driver::launchedKernels() const {
  std::vector<LaunchedKernel> launched;
  auto add = [&](const PlannedKernel &k) -> Error {
    Expected<CheckedNest> nest = k.pipeline->checked();
    if (!nest)
      return nest.takeError();
    EmitOptions emit = emitOptions();
    emit.fullTiles = k.fullTiles();
    Expected<program::Kernel> program = lowerKernel(*nest, gpu, emit);
    if (!program)
      return program.takeError();
    launched.push_back(
        {kernelName(k), &k.pipeline->nest(), k.facts, std::move(*program)});
    return Error::success();
  };
  for (const PlannedKernel &k : versions())
    if (Error e = add(k))
      return std::move(e);
  if (Error e = add(general()))
    return std::move(e);
  return launched;
}

/// The source's nest with what the launcher checks: where the general kernel
/// copies nothing of an array, less of it may be there.
Nest Driver::launchedNest() const {
  Nest nest = source.nest;
  for (unsigned id = 0; id != nest.arrays.size(); ++id)
    if (none_of(general().pipeline->nest().assumptions,
                [&](const Assumption &a) { return a.spanned == id; }))
      readWhole(nest, id);
  return nest;
}

Expected<std::vector<Shape>>
Driver::shapesToVerify(ArrayRef<LaunchedKernel> launched) const {
  const Nest nest = withAssumptions(launchedNest(), general().facts);
  std::vector<Shape> shapes;
  for (const std::string &text : options.shapes) {
    Expected<Shape> shape = parseShape(text, nest);
    if (!shape)
      return shape.takeError();
    shapes.push_back(*shape);
  }
  if (!shapes.empty())
    return shapes;
  return defaultShapes(nest, launched, gpu, source.instances);
}

Expected<VerifyOptions> Driver::verifyOptions() {
  VerifyOptions result;
  result.suffix = options.suffix;
  result.orderKept =
      !options.shared.legality.associativeMath ||
      all_of(kernels, [](const PlannedKernel &k) { return k.keepsOrder(); });
  result.signedZeros = all_of(
      kernels, [](const PlannedKernel &k) { return k.keepsSignsOfZeros(); });
  result.isC = source.isC;
  result.isLocal = source.isLocal;
  result.scope = source.scope;
  for (const PlannedKernel &k : versions())
    result.versions.push_back(kernelName(k));
  Expected<std::vector<LaunchedKernel>> launched = launchedKernels();
  if (!launched)
    return launched.takeError();
  Expected<std::vector<Shape>> shapes = shapesToVerify(*launched);
  if (!shapes)
    return shapes.takeError();
  result.shapes = *shapes;
  result.refusesOverlap = true;
  result.refused = refusedShapes(launchedNest(), *launched, gpu, *shapes);
  if (options.shapes.empty())
    result.kernelsToRun = kernelsToRun(*launched);
  return result;
}

Error Driver::verify(const std::string &emitted) {
  Expected<VerifyOptions> asked = verifyOptions();
  if (!asked)
    return asked.takeError();
  const Nest nest = launchedNest();
  auto driver = emitVerifyDriver(nest, "emitted.cu", *asked);
  if (!driver)
    return driver.takeError();
  VerifyRun run;
  for (const Shape &s : asked->shapes)
    run.statements += countStatements(nest, s);
  run.statements /= countInstances(nest, asked->shapes);
  run.shapes = asked->shapes.size();
  run.secondsToRun = options.verifyTimeout;
  run.emitted = emitted;
  run.edited = options.verifiedFile;
  run.driver = *driver;
  if (source.isC)
    run.naiveC = emitted;
  if (options.shapes.empty()) // sizes that are asked for show what they show
    for (const PlannedKernel &k : kernels)
      run.kernels.push_back(kernelName(k) + "_kernel");
  run.arguments = options.clangArguments;
  StringRef directory = sys::path::parent_path(options.input);
  run.sourceDirectory = directory.empty() ? "." : directory.str();
  run.arch = options.shared.arch;
  run.where = *options.verify;
  run.rewriteLaunches = rewriteLaunchesForHost;
  return runVerification(run, errs());
}

/// The same of an output that somebody has edited, which compilers are to name.
Error Driver::verifyFile() {
  auto text = MemoryBuffer::getFile(options.verifiedFile);
  if (!text)
    return refuse("usage", "'" + options.verifiedFile + "' cannot be read: " +
                               text.getError().message());
  std::string emitted = "#line 1 \"";
  raw_string_ostream(emitted).write_escaped(options.verifiedFile)
      << "\"\n"
      << (*text)->getBuffer();
  return verify(emitted);
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
void Driver::printChoice() const {
  for (const auto &[where, text] : source.choice)
    errs() << options.input << ':' << where.line << ':' << where.column << ": "
           << (&text == &source.choice.front().second ? "remark: " : "note: ")
           << text << '\n';
}

void Driver::summarise() const {
  const Function &f = source.nest.function;
  errs() << options.input << ':' << f.range.line << ": '" << f.name << "' has "
         << (versions().empty() ? "a kernel"
                                : std::to_string(kernels.size()) + " kernels");
  if (options.output != "-")
    errs() << " in " << options.output;
  errs() << ":\n";
  for (const PlannedKernel &k : versions())
    printSummary(k, kernelName(k), false, errs());
  printSummary(general(), kernelName(general()), true, errs());
}

Error Driver::run() {
  if (Error e = checkOptions())
    return e;
  Expected<SourceNest> read =
      readSource(options.input, {options.function, options.clangArguments,
                                 options.argv0, options.explain});
  if (!read)
    return read.takeError();
  source = std::move(*read);
  if (!options.quiet)
    printChoice();
  Expected<std::vector<PlannedKernel>> requested =
      requestedKernels(options, source.nest);
  if (!requested)
    return requested.takeError();
  kernels = std::move(*requested);
  for (PlannedKernel &k : kernels)
    if (Error e = k.create(source.nest, options.shared, errs()))
      return e;
  dropDead(source.nest, general().pipeline->nest());
  bool done = false;
  Error first = emitBeforeScheduling(done);
  if (first || done)
    return first;
  if (Error e = transform())
    return e;
  if (options.emission == Emission::Schedule)
    return write(schedules());
  if (options.emission == Emission::VerifyDriver) {
    Expected<VerifyOptions> asked = verifyOptions();
    if (!asked)
      return asked.takeError();
    auto driver = emitVerifyDriver(launchedNest(), "emitted.cu", *asked);
    return driver ? write(*driver) : driver.takeError();
  }
  Expected<std::string> emitted = emitFile();
  if (!emitted)
    return emitted.takeError();
  if (options.verify)
    if (Error e =
            options.verifiedFile.empty() ? verify(*emitted) : verifyFile())
      return e;
  if (Error e = write(*emitted))
    return e;
  if (!options.quiet)
    summarise();
  return Error::success();
}

Error runDriver(const Options &options) { return Driver(options).run(); }

} // namespace convopt
