//===- BranchCounts.cpp - Which ways branches went in a run ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace convopt::verify {

std::optional<BranchCounts> BranchCounts::with(const HostCompiler &compiler) {
  SmallString<128> path;
  if (!StringRef(compiler.name).starts_with("clang") ||
      sys::fs::real_path(compiler.cxx, path))
    return std::nullopt;
  const StringRef folder = sys::path::parent_path(path);
  auto profdata = sys::findProgramByName("llvm-profdata", {folder});
  auto cov = sys::findProgramByName("llvm-cov", {folder});
  if (!profdata || !cov)
    return std::nullopt;
  BranchCounts counts;
  counts.profdata = *profdata;
  counts.cov = *cov;
  return counts;
}

Expected<std::vector<std::string>>
BranchCounts::arguments(const PrivateDirectory &directory,
                        StringRef file) const {
  RETURN_IF_ERROR(directory.write(
      "counted.list",
      "[clang]\ndefault:skip\nsource:" + directory.file(file) + "=allow\n"));
  return std::vector<std::string>{
      "-fprofile-instr-generate=" + directory.file("counts.profraw"),
      "-fcoverage-mapping", "-fprofile-list=" + directory.file("counted.list")};
}

namespace {
/// A condition's place in a text, from its first character to after its last.
struct Place {
  int64_t line, column, lastLine, lastColumn;
  auto key() const { return std::tie(line, column, lastLine, lastColumn); }
  bool operator<(const Place &other) const { return key() < other.key(); }
};
struct Ways {
  int64_t held = 0, failed = 0;
};
using Counts = std::map<Place, Ways>; // of one kernel, whatever its instances
} // namespace

/// The counts in `branches` of functions of which \p kernels are parts of the
/// names, as a function within one is; one map for each of them.
static std::vector<Counts> readCounts(const json::Value &exported,
                                      ArrayRef<std::string> kernels) {
  std::vector<Counts> counts(kernels.size());
  const json::Object *root = exported.getAsObject();
  const json::Array *data = root ? root->getArray("data") : nullptr;
  const json::Object *first =
      data && !data->empty() ? data->front().getAsObject() : nullptr;
  const json::Array *functions = first ? first->getArray("functions") : nullptr;
  if (!functions)
    return counts;
  for (const json::Value &f : *functions) {
    const json::Object *function = f.getAsObject();
    const auto name = function ? function->getString("name") : std::nullopt;
    const auto *branches = function ? function->getArray("branches") : nullptr;
    if (!name || !branches)
      continue;
    auto kernel = find_if(
        kernels, [&](const std::string &k) { return name->contains(k); });
    if (kernel == kernels.end())
      continue;
    for (const json::Value &b : *branches) {
      const json::Array *branch = b.getAsArray();
      if (!branch || branch->size() < 6)
        continue;
      auto at = [&](size_t k) {
        return (*branch)[k].getAsInteger().value_or(0);
      };
      Ways &ways =
          counts[kernel - kernels.begin()][{at(0), at(1), at(2), at(3)}];
      ways.held += at(4);
      ways.failed += at(5);
    }
  }
  return counts;
}

/// The text of \p place in \p lines, on one line.
static std::string textAt(ArrayRef<StringRef> lines, const Place &place) {
  std::string text;
  for (int64_t l = place.line; l <= place.lastLine; ++l) {
    StringRef line = l >= 1 && size_t(l) <= lines.size() ? lines[l - 1] : "";
    if (l == place.lastLine)
      line = line.take_front(place.lastColumn - 1);
    if (l == place.line)
      line = line.drop_front(place.column - 1);
    text += (text.empty() ? "" : " ") + line.trim().str();
  }
  return text;
}

/// What a kernel, or an instance of a template, knows is no way of its threads.
static bool isKnown(StringRef condition) {
  return none_of(condition, isAlpha) || condition.contains("Aligned") ||
         condition.contains("sizeof(");
}

void BranchCounts::report(const PrivateDirectory &directory, StringRef driver,
                          StringRef text, int64_t firstLine,
                          ArrayRef<std::string> kernels,
                          raw_ostream &os) const {
  constexpr unsigned seconds = 60, mostNamed = 8;
  auto run = [&](StringRef tool, std::vector<std::string> arguments) {
    std::optional<ChildResult> result =
        expectedToOptional(runChild(tool, arguments, directory, seconds));
    return result && result->status == 0 ? std::optional(std::move(result->out))
                                         : std::nullopt;
  };
  const std::string merged = directory.file("counts.profdata");
  std::optional<std::string> out =
      run(profdata,
          {"merge", "-sparse", directory.file("counts.profraw"), "-o", merged});
  if (out)
    out = run(cov, {"export", "-format=text", "-instr-profile=" + merged,
                    directory.file(driver)});
  const std::optional<json::Value> exported =
      expectedToOptional(json::parse(out.value_or("")));
  if (!exported) {
    os << "which ways branches of the kernels went is not known\n";
    return;
  }
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (const auto &[kernel, counts] :
       zip(kernels, readCounts(*exported, kernels))) {
    std::vector<std::string> unseen;
    for (const auto &[place, ways] : counts) {
      const std::string condition = textAt(lines, place);
      // One is never asked where another around it never holds.
      if (!ways.held == !ways.failed || isKnown(condition))
        continue;
      unseen.push_back("line " + std::to_string(place.line + firstLine - 1) +
                       ": '" + condition + "' " +
                       (ways.held ? "fails" : "holds"));
    }
    if (unseen.empty())
      continue;
    os << "no shape shows, of " << kernel << ":\n";
    for (const std::string &way : ArrayRef(unseen).take_front(mostNamed))
      os << "  " << way << '\n';
    if (unseen.size() > mostNamed)
      os << "  and " << unseen.size() - mostNamed << " more\n";
  }
}

} // namespace convopt::verify
