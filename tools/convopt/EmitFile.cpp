//===- EmitFile.cpp - The text that is written ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "convopt/Emit/Emit.h"
#include "convopt/Lower/SourceNames.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Support/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

static Expected<std::vector<KernelVersion>>
versionsOf(const PlannedFile &file) {
  std::vector<KernelVersion> special;
  for (const PlannedKernel &k : file.versions()) {
    ASSIGN_OR_RETURN(CheckedNest nest, k.pipeline->checked());
    special.push_back(
        {k.name, std::move(nest), k.facts, k.fullTiles(), k.leastBlocks});
  }
  return special;
}

Expected<std::vector<SequencePart>> partsOf(const PlannedFile &file) {
  std::vector<SequencePart> parts;
  if (!file.sequence)
    return parts;
  for (const auto &[part, p] : zip_equal(file.parts, file.sequence->parts)) {
    ASSIGN_OR_RETURN(CheckedNest nest, part.general().pipeline->checked());
    ASSIGN_OR_RETURN(std::vector<KernelVersion> versions, versionsOf(part));
    parts.push_back(
        {std::move(nest), part.lowerOptions(), std::move(versions), p.around});
  }
  return parts;
}

static Expected<AddedText> emitCode(const PlannedFile &file) {
  const Options &options = file.options;
  ASSIGN_OR_RETURN(CheckedNest nest, file.general().pipeline->checked());
  LowerOptions emit = file.lowerOptions();
  if (!file.source.nest.function.isKernel) // has no host function
    emit.boxes = boxesOf(nest.source(), file.loose,
                         options.shared.legality.maxOperations);
  if (file.sequence) {
    Expected<std::vector<SequencePart>> parts = partsOf(file);
    return parts ? emitSequence(nest, file.gpu, emit, *parts)
                 : parts.takeError();
  }
  Expected<std::vector<KernelVersion>> versions = versionsOf(file);
  return versions ? emitCuda(nest, file.gpu, emit, *versions)
                  : versions.takeError();
}

static std::vector<std::string> textsOf(ArrayRef<Step> steps) {
  std::vector<std::string> lines;
  for (const Step &step : steps)
    lines.push_back(step.str());
  return lines;
}

Expected<std::string> printSchedules(const PlannedFile &file) {
  const Function &f = file.source.nest.function;
  if (file.sequence)
    return refuse("usage",
                  "the loops of '" + f.name +
                      "' are taken apart into kernels that run in turn, which "
                      "one schedule cannot say",
                  f.range,
                  "the emitted file begins with the steps of each; "
                  "-function=NAME:LINE takes loops by themselves, and -tile= "
                  "asks for one kernel of all");
  std::string text;
  for (const PlannedKernel &k : file.versions()) {
    std::string facts = printFacts(k);
    text += "# " + file.kernelName(k) +
            (facts.empty() ? "" : ", where " + facts) + ":\n";
    for (const std::string &step : textsOf(k.pipeline->steps()))
      text += "#   " + step + "\n";
  }
  if (!file.versions().empty())
    text += "# other sizes:\n";
  return text + str(file.general().pipeline->steps());
}

/// With what the steps mean for the bits of the results.
static std::vector<std::string> annotatedSteps(const PlannedKernel &k) {
  std::vector<std::string> lines = textsOf(k.pipeline->steps());
  if (std::string shares = sharesOfSum(k.pipeline->nest()); !shares.empty())
    lines.push_back("# " + shares);
  return lines;
}

Provenance provenanceOf(const PlannedFile &file) {
  Provenance p;
  p.version = version();
  p.source = sys::path::filename(file.options.input).str();
  p.command = file.options.shaping;
  const std::vector<const PlannedKernel *> kernels = file.launchedKernels();
  p.keepsBits = any_of(kernels, std::mem_fn(&PlannedKernel::hasSums)) &&
                file.keepsOrder() &&
                all_of(kernels, std::mem_fn(&PlannedKernel::keepsBits));
  if (file.sequence) { // by which it was taken apart
    std::vector<std::string> lines;
    for (const std::string &local : file.sequence->expanded)
      lines.push_back("# " + local + " in memory");
    for (const std::string &local : file.sequence->again)
      lines.push_back("# " + local + " computed again");
    append_range(lines, textsOf(file.sequence->steps));
    p.versions.push_back(
        {file.kernelName(file.general()), "", std::move(lines)});
  }
  for (const PlannedFile *one : file.launched()) {
    for (const PlannedKernel &k : one->versions())
      p.versions.push_back(
          {one->kernelName(k), printFacts(k), annotatedSteps(k)});
    if (one != &file)
      p.versions.push_back({one->kernelName(one->general()), "",
                            annotatedSteps(one->general())});
  }
  if (!file.sequence)
    p.schedule = annotatedSteps(file.general());
  for (const CommandLineMacro &m : file.source.commandLineMacros)
    p.macros.push_back({m.name, m.value, m.isDefined});
  return p;
}

/// Refuses a function that no other file can call.
static Error checkBeside(const SourceNest &source) {
  const SourceRange &here = source.nest.function.range;
  if (source.call)
    return refuse("link",
                  "the loops are a method, or a part of a function, whose text "
                  "would have to change",
                  here,
                  "give them a function of their own, or use -link=instead");
  const DeclarationsOnly &b = source.beside;
  if (!b.refused.empty())
    return refuse("link", b.refused, b.where, b.remedy);
  return source.isC && source.isLocal
             ? refuse("link",
                      "'" + source.nest.function.name +
                          "' takes what C++ does not see as C does",
                      here,
                      "pass numbers and arrays by a prototype, or use "
                      "-link=instead")
             : Error::success();
}

/// Has the source's text go on to the tiled code.
static std::vector<Replacement> editInstead(const PlannedFile &file,
                                            AddedCode &added) {
  const SourceNest &source = file.source;
  if (source.isLocal)
    added.ofC = formatCode(exportOriginal(source.nest, file.lowerOptions()));
  std::vector<Replacement> edits = redirectCalls(file);
  if (source.isC && !edits.empty() && !source.nest.function.hasParts())
    added.ofC += prototype(file);
  return edits;
}

/// The code that is added for \p file; \p edits are those of its text.
static Expected<AddedCode> addedCode(const PlannedFile &file, Link link,
                                     std::vector<Replacement> &edits) {
  const SourceNest &source = file.source;
  const bool isBeside = link == Link::Beside;
  if (isBeside)
    RETURN_IF_ERROR(checkBeside(source));
  ASSIGN_OR_RETURN(AddedText code, emitCode(file));
  RETURN_IF_ERROR(checkAddedNames(source, code.text, file.options.suffix));
  AddedCode added;
  added.includes = code.includes;
  added.text = withoutMacros(formatCode(code.text),
                             macrosIn(code.text, source.macros, source.nest));
  added.at = source.functionEnd;
  added.isC = source.isC;
  added.isBeside = isBeside;
  added.isInExternC = source.isInExternC;
  append_range(edits,
               isBeside ? withoutUnused(source.text, source.beside, added.text)
                        : editInstead(file, added));
  return added;
}

/// What all of \p nests are made of.
static Provenance provenanceOf(const PlannedNests &nests) {
  Provenance all = provenanceOf(nests.front());
  if (nests.size() == 1)
    return all;
  all.versions.clear();
  all.schedule.clear();
  all.macros.clear();
  for (const PlannedFile &file : nests) {
    Provenance one = provenanceOf(file);
    append_range(all.versions, one.versions);
    all.keepsBits &= one.keepsBits;
    all.versions.push_back({file.kernelName(file.general()), "", one.schedule});
    for (Provenance::Macro &m : one.macros)
      if (none_of(all.macros, [&](const auto &o) { return o.name == m.name; }))
        all.macros.push_back(std::move(m));
  }
  return all;
}

std::vector<Replacement> withoutBroken(const SourceNest &source,
                                       std::vector<Replacement> edits) {
  for (const TextSpan &b : source.broken) {
    erase_if(edits, [&](const Replacement &r) {
      return b.begin < r.begin && r.end < b.end;
    });
    if (any_of(edits, [&](const Replacement &r) {
          return r.begin <= b.begin && b.end <= r.end;
        }))
      continue; // the function is left out
    const size_t lines =
        StringRef(source.text).slice(b.begin, b.end).count('\n');
    edits.push_back({b.begin + 1, b.end - 1, std::string(lines, '\n')});
  }
  return edits;
}

Expected<EmittedFile> emitFile(const PlannedNests &nests, Link link) {
  std::vector<Replacement> edits;
  std::vector<AddedCode> added;
  for (const PlannedFile &file : nests) {
    ASSIGN_OR_RETURN(AddedCode one, addedCode(file, link, edits));
    added.push_back(std::move(one));
  }
  const SourceNest &source = nests.front().source;
  auto assemble = [&](ArrayRef<Replacement> all) {
    return assembleFile(provenanceOf(nests), source.text, all, added);
  };
  EmittedFile file;
  file.text = assemble(edits);
  file.toVerify = source.broken.empty()
                      ? file.text
                      : assemble(withoutBroken(source, std::move(edits)));
  return file;
}

//===----------------------------------------------------------------------===//
// Names that are added
//===----------------------------------------------------------------------===//

/// The words of \p code, of comments and literals, too.
static StringSet<> namesIn(StringRef code) {
  StringSet<> words;
  auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
  while (!code.empty()) {
    StringRef word = code.take_while(isPart);
    code = code.drop_front(std::max<size_t>(1, word.size()));
    words.insert(word);
  }
  return words;
}

static Error refuseName(const DeclaredName &d, const Twine &why,
                        const Twine &remedy) {
  auto refusal = std::make_unique<Refusal>(ExitStatus::BadInput, "names",
                                           ("'" + d.name + "' " + why).str(),
                                           d.where, remedy.str());
  refusal->file = d.file;
  return Error(std::move(refusal));
}

Error checkAddedNames(const SourceNest &source, StringRef code,
                      StringRef suffix) {
  const std::string stem = source.nest.function.name + suffix.str();
  const StringSet<> words = namesIn(code);
  for (const DeclaredName &d : source.declared) {
    if (!words.contains(d.name))
      continue;
    StringRef rest = d.name;
    if (rest.consume_front(stem) && (rest.empty() || rest.starts_with("_")))
      return refuseName(d,
                        "is declared here, and would be again by what is added",
                        "give the added functions other names with -suffix=");
    if (!source.isC && d.file.empty() && isCudaName(d.name))
      return refuseName(d, "is a name of CUDA that the added code needs",
                        "rename it");
  }
  return Error::success();
}

} // namespace convopt
