//===- ReportText.cpp - CSV and Markdown ----------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::bench {

//===----------------------------------------------------------------------===//
// CSV
//===----------------------------------------------------------------------===//

static std::string quoted(StringRef text) {
  if (text.find_first_of(",\"\r\n") == StringRef::npos)
    return text.str();
  std::string result = "\"";
  for (char c : text)
    result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

/// Every digit: a spreadsheet rounds by itself.
static std::string number(std::optional<double> value) {
  std::string text;
  if (value)
    raw_string_ostream(text) << format("%.9g", *value);
  return text;
}

static void addTiming(std::vector<std::string> &cells, const Row &row,
                      const std::optional<Timing> &t) {
  const bool shown = t && row.status == Row::Status::Measured;
  cells.push_back(shown ? number(t->median) : "");
  cells.push_back(shown ? number(t->spread) : "");
  cells.push_back(shown ? std::to_string(t->samples) : "");
  cells.push_back(shown ? count(t->smClock) : "");
  cells.push_back(shown ? t->throttling.value_or("") : "");
}

static std::string stopOf(const Row &row, const std::optional<Timing> &t) {
  if (!t || row.status != Row::Status::Measured)
    return "";
  return t->stop == Timing::Stop::Stable ? "stable" : "time-limit";
}

std::string toCsv(const Report &report) {
  std::string text =
      "kernel,shape,sizes,status,reason,cold_ms,cold_spread,cold_samples,"
      "cold_sm_mhz,cold_throttling,warm_ms,warm_spread,warm_samples,"
      "warm_sm_mhz,warm_throttling,tflops,gb_per_s,of_ffma,of_copy,"
      "of_roofline,over_naive,over_cudnn,packing,flops,compulsory_bytes,"
      "intensity,threads,registers,spill_bytes,shared_bytes,occupancy,verdict,"
      "note,device,date,arch,driver,cudnn,ffma_tflops,copy_gb_per_s,"
      "least_ms,cold_stopped_by,warm_stopped_by,predicted_ms\n";
  auto scaled = [](std::optional<double> v, double by) {
    return v ? number(*v / by) : "";
  };
  auto positive = [](double v) { return v > 0 ? number(v) : ""; };
  const Environment &e = report.environment;
  for (const Row &row : report.rows) {
    const Figures f = figuresOf(row, report);
    std::vector<std::string> cells{row.kernel, row.shape, row.sizes,
                                   str(row.status).str(), row.reason};
    addTiming(cells, row, row.cold);
    addTiming(cells, row, row.warm);
    cells.insert(cells.end(), {scaled(f.flopsPerSecond, 1e12),
                               scaled(f.bytesPerSecond, 1e9),
                               number(f.ofCeiling),
                               number(f.ofCopy),
                               number(f.ofRoofline),
                               number(f.overNaive),
                               number(f.overCudnn),
                               row.packing.value_or(""),
                               number(row.facts.flops),
                               number(row.facts.compulsoryBytes),
                               number(row.facts.intensity()),
                               count(row.facts.threadsPerBlock),
                               count(row.facts.registers),
                               count(row.facts.spillBytes),
                               count(row.facts.sharedBytes),
                               number(row.facts.occupancy),
                               row.verdict,
                               row.note,
                               report.environment.device,
                               report.environment.date,
                               e.arch,
                               e.driver,
                               e.cudnn,
                               positive(e.ffmaCeiling / 1e12),
                               positive(e.copyBandwidth / 1e9),
                               number(rooflineMilliseconds(row.facts, e)),
                               stopOf(row, row.cold),
                               stopOf(row, row.warm),
                               number(row.facts.predicted)});
    text += join(map_range(cells, quoted), ",") + "\n";
  }
  return text;
}

//===----------------------------------------------------------------------===//
// Markdown
//===----------------------------------------------------------------------===//

/// As text: nothing in it formats, links or ends a cell.
static std::string escaped(StringRef text) {
  std::string result;
  for (char c : text) {
    if (StringRef("\\`*_[]<>|#&").contains(c))
      result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result;
}

static void addTable(std::string &text, const Report &report,
                     const ShapeGroup &group, ArrayRef<Column> columns) {
  text += "|";
  for (const Column &c : columns)
    text += " " + c.title.str() + " |";
  text += "\n|";
  for (const Column &c : columns)
    text += c.text ? "---|" : "---:|";
  text += "\n";
  for (const Row *row : group.rows) {
    text += "|";
    for (const Column &c : columns) {
      const std::string cell = escaped(c.cell(*row, figuresOf(*row, report)));
      text += cell.empty() ? " |" : " " + cell + " |";
    }
    text += "\n";
  }
  text += "\n";
}

std::string toMarkdown(const Report &report) {
  std::string text;
  const std::vector<Column> columns = columnsFor(report);
  for (const ShapeGroup &group : byShape(report)) {
    text += "**" + escaped(group.shape) + "**";
    if (group.sizes != group.shape && !group.sizes.empty())
      text += ": " + escaped(group.sizes);
    if (std::string work = workOf(group, report.environment); !work.empty())
      text += "; " + work;
    text += "\n\n";
    addTable(text, report, group, columns);
  }
  for (const std::string &line : remarksOn(report))
    text += "- " + escaped(line) + "\n";
  if (!remarksOn(report).empty())
    text += "\n";
  text += escaped(join(environmentLines(report), ". ")) + ".\n";
  if (!report.environment.command.empty())
    text += "\n    " + report.environment.command + "\n";
  return text;
}

} // namespace convopt::bench
