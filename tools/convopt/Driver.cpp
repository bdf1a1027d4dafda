//===- Driver.cpp - From the command line to a file -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "AddedNames.h"
#include "convopt/Emit/Assemble.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Frontend/Frontend.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Pipeline.h"
#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/Resources.h"
#include "convopt/Support/OutputFile.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
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
  Error emitBeforeScheduling(bool &done);
  Error transform();
  Expected<std::string> emitFile();
  Expected<std::string> verifyDriver();
  Error verify(const std::string &emitted);
  bool keepsOrder() const;
  std::vector<Replacement> redirectLaunches() const;
  Error write(StringRef text) { return writeOutput(options.output, text); }

  const Options &options;
  Gpu gpu;
  SourceNest source;
  std::optional<Pipeline> pipeline;
  Remarks remarks;
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
    print(source.nest, os);
  else if (options.emission == Emission::Dependences)
    pipeline->dependences().print(os);
  else
    done = false;
  return done ? write(os.str()) : Error::success();
}

Error Driver::transform() {
  Expected<std::vector<Step>> steps =
      planSteps(pipeline->nest(), pipeline->dependences(),
                options.shared.request, gpu, remarks);
  if (!steps)
    return steps.takeError();
  for (const Step &step : *steps)
    if (Error e = pipeline->apply(step))
      return e;
  // Tiles were checked when they were chosen; a schedule says anything.
  return checkResources(*pipeline, gpu);
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

std::vector<Replacement> Driver::redirectLaunches() const {
  std::vector<Replacement> edits;
  for (const LaunchSite &l : source.launches) {
    if (l.begin < source.functionEnd) {
      StringRef before = StringRef(source.text).take_front(l.begin);
      errs() << options.input << ':' << before.count('\n') + 1 << ':'
             << before.size() - (before.rfind('\n') + 1) + 1
             << ": warning: a launch of '" << source.nest.function.name
             << "' before its definition is not redirected\n";
      continue;
    }
    std::string call = dispatchName(l.callee, options.suffix) + "(" + l.grid +
                       ", " + l.block + ", " + l.shared + ", " + l.stream;
    if (!StringRef(l.arguments).trim().empty())
      call += ", " + l.arguments;
    edits.push_back(
        {l.begin, l.end, formatCall(call + ")", source.text, l.begin)});
  }
  return edits;
}

Expected<std::string> Driver::emitFile() {
  EmitOptions emitOptions{options.suffix, source.isC, source.macros,
                          options.shared.request.boundary != Boundary::Guards};
  Expected<std::string> code = emitCuda(pipeline->nest(), gpu, emitOptions);
  if (!code)
    return code.takeError();
  if (Error e = checkAddedNames(source, *code, options.suffix))
    return std::move(e);
  Provenance provenance{version(),
                        sys::path::filename(options.input).str(),
                        options.shaping,
                        {},
                        {}};
  for (const Step &step : pipeline->steps())
    provenance.schedule.push_back(step.str());
  for (const CommandLineMacro &m : source.commandLineMacros)
    provenance.macros.push_back({m.name, m.value});
  return assembleFile(provenance, source.text, redirectLaunches(),
                      source.functionEnd, formatCode(*code), source.isC);
}

/// Whether the additions of every sum run in the source's order: what the
/// check without a licence to reorder them says.
bool Driver::keepsOrder() const {
  if (!options.shared.legality.associativeMath)
    return true;
  Error e = checkLegality(pipeline->dependences(), pipeline->nest(), {});
  bool kept = !e;
  consumeError(std::move(e));
  return kept;
}

Expected<std::string> Driver::verifyDriver() {
  VerifyOptions verifyOptions;
  verifyOptions.suffix = options.suffix;
  verifyOptions.orderKept = keepsOrder();
  verifyOptions.signedZeros = none_of(pipeline->steps(), [](const Step &step) {
    return step.kind == Step::Kind::IfConvert;
  });
  verifyOptions.isC = source.isC;
  for (const std::string &text : options.shapes) {
    Expected<Shape> shape = parseShape(text, source.nest);
    if (!shape)
      return shape.takeError();
    verifyOptions.shapes.push_back(*shape);
  }
  if (verifyOptions.shapes.empty())
    verifyOptions.shapes = defaultShapes(source.nest);
  return emitVerifyDriver(source.nest, "emitted.cu", verifyOptions);
}

Error Driver::verify(const std::string &emitted) {
  Expected<std::string> driver = verifyDriver();
  if (!driver)
    return driver.takeError();
  VerifyRun run;
  run.emitted = emitted;
  run.driver = *driver;
  if (source.isC)
    run.naiveC = source.text;
  run.arguments = options.clangArguments;
  StringRef directory = sys::path::parent_path(options.input);
  run.sourceDirectory = directory.empty() ? "." : directory.str();
  run.arch = options.shared.arch;
  run.where = *options.verify;
  run.rewriteLaunches = rewriteLaunchesForHost;
  return runVerification(run, errs());
}

Error Driver::run() {
  if (Error e = checkOptions())
    return e;
  Expected<SourceNest> read = readSource(
      options.input, {options.function, options.clangArguments, options.argv0});
  if (!read)
    return read.takeError();
  source = std::move(*read);
  Expected<Pipeline> created = Pipeline::create(
      source.nest, options.shared.legality, options.shared.hook(errs()));
  if (!created)
    return created.takeError();
  pipeline = std::move(*created);
  bool done = false;
  Error first = emitBeforeScheduling(done);
  if (first || done)
    return first;
  Error transformed = transform();
  append_range(remarks, pipeline->remarks());
  print(remarks, options.shared.remarks, options.input, errs());
  if (transformed)
    return transformed;
  if (options.emission == Emission::Schedule)
    return write(str(pipeline->steps()));
  if (options.emission == Emission::VerifyDriver) {
    Expected<std::string> driver = verifyDriver();
    return driver ? write(*driver) : driver.takeError();
  }
  Expected<std::string> emitted = emitFile();
  if (!emitted)
    return emitted.takeError();
  if (options.verify)
    if (Error e = verify(*emitted))
      return e;
  return write(*emitted);
}

Error runDriver(const Options &options) { return Driver(options).run(); }

} // namespace convopt
