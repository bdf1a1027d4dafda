//===- Format.cpp - Figures as text ---------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Format.h"
#include "convopt/Bench/Sample.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace llvm;

namespace convopt::bench {

static std::string fixed(double value, int decimals) {
  std::string text;
  raw_string_ostream(text) << format("%.*f", decimals, value);
  return text;
}

std::string digits(double value, int digits) {
  if (value == 0 || !std::isfinite(value))
    return "0";
  const int before = int(std::floor(std::log10(std::fabs(value)))) + 1;
  return fixed(value, std::clamp(digits - before, 0, 9));
}

std::vector<ShapeGroup> byShape(const Report &report) {
  std::vector<ShapeGroup> groups;
  for (const Row &row : report.rows) {
    auto group = find_if(groups, [&](const ShapeGroup &g) {
      return g.shape == row.shape && g.sizes == row.sizes;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {row.shape, row.sizes, {}, {}});
    if (group->facts.flops == 0)
      group->facts = row.facts;
    group->rows.push_back(&row);
  }
  return groups;
}

std::string titleOf(const ShapeGroup &group) {
  return group.shape == group.sizes || group.sizes.empty()
             ? group.shape
             : group.shape + ": " + group.sizes;
}

/// "301 Gflop".
static std::string scaled(double value, StringRef unit) {
  static const char *const prefixes[] = {"", "k", "M", "G", "T", "P"};
  unsigned p = 0;
  for (; std::fabs(value) >= 1000 && p + 1 < std::size(prefixes); ++p)
    value /= 1000;
  return (digits(value) + " " + prefixes[p] + unit).str();
}

std::string workOf(const ShapeGroup &group, const Environment &environment) {
  const StaticFacts &f = group.facts;
  if (f.flops <= 0)
    return "";
  std::string text = scaled(f.flops, "flop") + ", " +
                     scaled(f.compulsoryBytes, "B") + ", " +
                     digits(f.intensity()) + " flop/B";
  if (std::optional<Roof> roof = roofOf(f, environment))
    text += "; at least " + digits(roof->milliseconds) + " ms (" +
            (roof->isArithmetic ? "arithmetic" : "memory") +
            (roof->isNominal ? ", nominal)" : ")");
  return text;
}

//===----------------------------------------------------------------------===//
// Columns
//===----------------------------------------------------------------------===//

static std::string percent(std::optional<double> share, int decimals = 1) {
  return share ? fixed(100 * *share, decimals) : "";
}

std::string count(std::optional<int64_t> n) {
  return n ? std::to_string(*n) : "";
}

/// A star: time was up before the spread was small. A number: of samples, where
/// there was no time for as many as a stable spread takes.
static std::string spreadOf(const Row &row) {
  const auto &t = row.cold ? row.cold : row.warm;
  if (!t || row.status != Row::Status::Measured)
    return "";
  if (t->stop == Timing::Stop::Stable)
    return fixed(100 * t->spread, 1);
  if (t->samples == 1) // no spread at all
    return "(1)";
  return fixed(100 * t->spread, 1) +
         (t->samples < SampleOptions().stableAfter
              ? " (" + std::to_string(t->samples) + ")"
              : "*");
}

/// A time, with what is to be known of it: "12.34 pt".
static std::string time(const Row &row, const std::optional<Timing> &timing) {
  if (!timing || row.status != Row::Status::Measured)
    return "";
  const std::string marks =
      std::string(row.packing ? "p" : "") + (timing->throttling ? "t" : "");
  return digits(timing->median, 4) + (marks.empty() ? "" : " " + marks);
}

static bool isThrottled(const Row &row) {
  return row.status == Row::Status::Measured &&
         ((row.cold && row.cold->throttling) ||
          (row.warm && row.warm->throttling));
}

/// Why there is no time stands where the time would.
static std::string timeOrStatus(const Row &row,
                                const std::optional<Timing> &timing) {
  return row.status == Row::Status::Measured ? time(row, timing)
                                             : str(row.status).str();
}

/// The time that speeds are of, its spread, and the other mode's.
static std::vector<Column> timeColumns(const Report &report) {
  auto has = [&](std::optional<Timing> Row::*mode) {
    return any_of(report.rows, [&](const Row &row) {
      return row.status == Row::Status::Measured && row.*mode;
    });
  };
  const Column cold{"cold ms", 1, false, [](const Row &r, const Figures &) {
                      return timeOrStatus(r, r.cold);
                    }};
  const Column onlyWarm{"warm ms", 1, false, [](const Row &r, const Figures &) {
                          return timeOrStatus(r, r.warm);
                        }};
  const Column alsoWarm{"warm ms", 9, false, [](const Row &r, const Figures &) {
                          return time(r, r.warm);
                        }};
  const Column none{"time", 1, false, [](const Row &r, const Figures &) {
                      return str(r.status).str();
                    }};
  const Column spread{"+-%", 3, false, [](const Row &r, const Figures &) {
                        return spreadOf(r);
                      }};
  if (has(&Row::cold))
    return {cold, spread, alsoWarm};
  return {has(&Row::warm) ? onlyWarm : none, spread};
}

std::vector<Column> columnsFor(const Report &report) {
  using F = Figures;
  static const Column rest[] = {
      {"model ms", 3, false,
       [](const Row &r, const F &) {
         return r.facts.predicted ? digits(*r.facts.predicted, 4) : "";
       }},
      {"TFLOP/s", 1, false,
       [](const Row &, const F &f) {
         return f.flopsPerSecond ? digits(*f.flopsPerSecond / 1e12) : "";
       }},
      {"GB/s", 8, false,
       [](const Row &, const F &f) {
         return f.bytesPerSecond ? digits(*f.bytesPerSecond / 1e9) : "";
       }},
      {"%FFMA", 6, false,
       [](const Row &, const F &f) { return percent(f.ofCeiling); }},
      {"%copy", 10, false,
       [](const Row &, const F &f) { return percent(f.ofCopy); }},
      {"%roof", 2, false,
       [](const Row &, const F &f) { return percent(f.ofRoofline); }},
      {"x naive", 2, false,
       [](const Row &r, const F &f) {
         return f.overNaive && r.kernel != NaiveKernel ? digits(*f.overNaive)
                                                       : "";
       }},
      {"x cuDNN", 2, false,
       [](const Row &r, const F &f) {
         return f.overCudnn && r.kernel != CudnnKernel ? digits(*f.overCudnn)
                                                       : "";
       }},
      {"threads", 12, false,
       [](const Row &r, const F &) { return count(r.facts.threadsPerBlock); },
       true},
      {"regs", 4, false,
       [](const Row &r, const F &) { return count(r.facts.registers); }, true},
      {"spill", 5, false,
       [](const Row &r, const F &) { return count(r.facts.spillBytes); }, true},
      {"shared", 7, false,
       [](const Row &r, const F &) { return count(r.facts.sharedBytes); },
       true},
      {"occ%", 11, false,
       [](const Row &r, const F &) { return percent(r.facts.occupancy, 0); },
       true},
      {"limited by", 15, true,
       [](const Row &, const F &f) { return f.limiter; }, true},
      {"MHz", 14, false,
       [](const Row &r, const F &) {
         const auto &t = r.cold ? r.cold : r.warm;
         return t && r.status == Row::Status::Measured ? count(t->smClock) : "";
       }},
      {"result", 13, true,
       [](const Row &r, const F &) {
         return r.status == Row::Status::Measured ? r.verdict : "";
       }},
  };
  std::vector<Column> all = timeColumns(report);
  append_range(all, rest);
  erase_if(all, [&](const Column &c) {
    return none_of(report.rows, [&](const Row &row) {
      return !c.cell(row, figuresOf(row, report)).empty();
    });
  });
  all.insert(all.begin(), {"kernel", 0, true,
                           [](const Row &r, const F &) { return r.kernel; }});
  return all;
}

//===----------------------------------------------------------------------===//
// Lines of text
//===----------------------------------------------------------------------===//

/// What is to be said of \p row beside its figures.
static std::vector<std::string> remarksOn(const Row &row) {
  std::vector<std::string> remarks;
  if (row.status != Row::Status::Measured && !row.reason.empty())
    remarks.push_back(str(row.status).str() + ": " + row.reason);
  if (!row.note.empty())
    remarks.push_back(row.note);
  if (isThrottled(row))
    remarks.push_back("throttled while it was timed: " +
                      (row.cold && row.cold->throttling
                           ? *row.cold->throttling
                           : *row.warm->throttling));
  return remarks;
}

std::vector<std::string> remarksOn(const Report &report) {
  // The same of several shapes is said once.
  std::vector<std::pair<std::pair<std::string, std::string>,
                        std::vector<std::string>>>
      shapesOf; // by kernel and remark
  for (const Row &row : report.rows)
    for (std::string &remark : remarksOn(row)) {
      std::pair key(row.kernel, std::move(remark));
      auto at = find_if(shapesOf, [&](auto &s) { return s.first == key; });
      if (at == shapesOf.end())
        at = shapesOf.insert(at, {std::move(key), {}});
      at->second.push_back(row.shape);
    }
  std::vector<std::string> lines;
  for (auto &[key, shapes] : shapesOf)
    lines.push_back(key.first + " (" + join(shapes, ", ") + "): " + key.second);
  if (any_of(report.rows, [](const Row &row) {
        return StringRef(spreadOf(row)).ends_with("*");
      }))
    lines.push_back("*: time was up before the spread was small");
  if (any_of(report.rows, [](const Row &row) {
        return StringRef(spreadOf(row)).ends_with(")");
      }))
    lines.push_back("(n): time was up after n samples");
  auto measured = [](const Row &row) {
    return row.status == Row::Status::Measured;
  };
  if (any_of(report.rows,
             [&](const Row &row) { return measured(row) && row.packing; }))
    lines.push_back("p: packing is included: the launcher's allocation and "
                    "copies are in the time");
  if (any_of(report.rows,
             [](const Row &row) { return row.facts.predicted.has_value(); }))
    lines.push_back("model ms: what the model that chooses tiles expects");
  if (any_of(report.rows, isThrottled))
    lines.push_back("t: the clocks were held down while it was timed");
  if (any_of(report.rows, [&](const Row &row) {
        return measured(row) && ((row.cold && row.cold->smClock) ||
                                 (row.warm && row.warm->smClock));
      }))
    lines.push_back("MHz: lowest clock of the multiprocessors while it was "
                    "timed");
  return lines;
}

static std::string clockLine(const Environment &e) {
  if (!e.smClockMax)
    return "";
  return "SM clock " + std::to_string(e.smClockBefore) + " MHz before" +
         (e.smClockAfter ? " and " + std::to_string(e.smClockAfter) + " after"
                         : "") +
         ", of " + std::to_string(e.smClockMax) +
         (e.throttling.empty() ? "; no throttling"
                               : "; throttled: " + e.throttling);
}

std::vector<std::string> environmentLines(const Report &report) {
  const Environment &e = report.environment;
  std::vector<std::string> lines;
  if (none_of(report.rows, [](const Row &row) {
        return row.status == Row::Status::Measured;
      }))
    lines.push_back(
        "Nothing was timed: what is shown follows from the code alone.");
  if (e.unfinished)
    lines.push_back("The run has not come to its end: " + *e.unfinished +
                    " are complete");
  if (e.elementType)
    lines.push_back("In " + *e.elementType +
                    ", for which no ceiling of arithmetic is measured and "
                    "nothing is compared with cuDNN in plain FP32");
  if (e.nominalDevice)
    lines.push_back("nominal: the figures that NVIDIA gives for the " +
                    *e.nominalDevice + ", " + digits(e.nominalPeak / 1e12) +
                    " TFLOP/s and " + digits(e.nominalBandwidth / 1e12) +
                    " TB/s");
  if (e.device.empty())
    return lines;
  std::string device = e.device;
  for (auto [name, value] : {std::pair(" ", &e.arch),
                             {", driver ", &e.driver},
                             {", CUDA ", &e.cuda},
                             {", cuDNN ", &e.cudnn},
                             {", ", &e.date}})
    if (!value->empty())
      device += name + *value;
  lines.push_back(device);
  if (e.ffmaCeiling > 0)
    lines.push_back("measured in this run: FFMA ceiling " +
                    digits(e.ffmaCeiling / 1e12) + " TFLOP/s, copy " +
                    digits(e.copyBandwidth / 1e12) + " TB/s");
  if (std::string clocks = clockLine(e); !clocks.empty())
    lines.push_back(clocks);
  return lines;
}

} // namespace convopt::bench
