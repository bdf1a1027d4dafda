//===- Benchmarks.cpp - Results files and the page made of them -----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Report.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace convopt::bench {

using Format = std::string (*)(const Report &);

static Format formatOf(StringRef path) {
  static const StringMap<Format> formats{{".json", toJson},
                                         {".csv", toCsv},
                                         {".md", toMarkdown},
                                         {".html", toHtml}};
  return formats.lookup(sys::path::extension(path));
}

Error checkReportPath(StringRef path) {
  if (formatOf(path))
    return Error::success();
  return refuse("usage", "'" + path.str() + "' does not say what to write", {},
                "end it in .json, .csv, .md or .html");
}

Error writeReport(const Report &report, StringRef path) {
  RETURN_IF_ERROR(checkReportPath(path));
  return writeOutput(path, formatOf(path)(report));
}

static Error addFile(StringRef path, Section &section) {
  ASSIGN_OR_RETURN(std::string text, readText(path, "results"));
  if (sys::path::extension(path) == ".md") {
    section.findings = StringRef(text).trim().str();
    return Error::success();
  }
  ASSIGN_OR_RETURN(Report report, readReport(text, path));
  section.report = std::move(report);
  return Error::success();
}

Expected<std::vector<Section>> readSections(StringRef folder) {
  std::map<std::string, Section, std::greater<>> byName;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error)) {
    const StringRef path = it->path(), kind = sys::path::extension(path);
    if (kind != ".json" && kind != ".md")
      continue;
    Section &section = byName[sys::path::stem(path).str()];
    section.name = sys::path::stem(path).str();
    RETURN_IF_ERROR(addFile(path, section));
  }
  if (error)
    return refuse("results",
                  "cannot read '" + folder.str() + "': " + error.message());
  if (byName.empty())
    return refuse("results", "'" + folder.str() + "' holds no results", {},
                  "give a folder of results: NAME.json, NAME.md");
  std::vector<Section> sections;
  for (auto &[name, section] : byName)
    sections.push_back(std::move(section));
  return sections;
}

std::string renderBenchmarks(ArrayRef<Section> sections) {
  std::string text =
      "# Benchmarks\n\n<!-- Written by convopt-bench -render=docs/results; "
      "what is to be said of a file stands in the .md beside it. -->\n";
  for (const Section &section : sections) {
    auto [first, rest] = StringRef(section.findings).split('\n');
    const bool titled = first.consume_front("# ");
    text += "\n## " + (titled ? first.str() : section.name) + "\n\n";
    const StringRef findings =
        titled ? rest.ltrim('\n') : StringRef(section.findings);
    if (!findings.empty())
      text += findings.str() + "\n";
    if (!section.report)
      continue;
    text += (findings.empty() ? "" : "\n") + toMarkdown(*section.report) +
            "\nRaw results: [results/" + section.name + ".json](results/" +
            section.name + ".json)\n";
  }
  return text;
}

} // namespace convopt::bench
