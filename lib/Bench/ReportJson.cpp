//===- ReportJson.cpp - Results files -------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JsonFields.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

/// Of the file's format; another is refused rather than half understood.
static constexpr int64_t Version = 1;

template <class V> static void fields(V &v, StaticFacts &facts) {
  v("flops", facts.flops);
  v("compulsory_bytes", facts.compulsoryBytes);
  v("threads_per_block", facts.threadsPerBlock);
  v("shared_bytes", facts.sharedBytes);
  v("registers", facts.registers);
  v("spill_bytes", facts.spillBytes);
  v("occupancy", facts.occupancy);
  v("predicted_ms", facts.predicted);
}

template <class V> static void fields(V &v, Timing &timing) {
  v("median_ms", timing.median);
  v("spread", timing.spread);
  v("minimum_ms", timing.minimum);
  v("samples", timing.samples);
  v("stopped_by", timing.stop);
  v("sm_clock_mhz", timing.smClock);
  v("throttling", timing.throttling);
}

template <class V> static void fields(V &v, Row &row) {
  v("kernel", row.kernel);
  v("shape", row.shape);
  v("sizes", row.sizes);
  v("status", row.status);
  v("reason", row.reason);
  v("note", row.note);
  v("facts", row.facts);
  v("cold", row.cold);
  v("warm", row.warm);
  v("packing", row.packing);
  v("verdict", row.verdict);
  v("emitted", row.emitted);
}

template <class V> static void fields(V &v, Environment &e) {
  v("device", e.device);
  v("arch", e.arch);
  v("driver", e.driver);
  v("cuda", e.cuda);
  v("cudnn", e.cudnn);
  v("date", e.date);
  v("command", e.command);
  v("ffma_ceiling_flops", e.ffmaCeiling);
  v("copy_bandwidth_bytes", e.copyBandwidth);
  v("nominal_peak_flops", e.nominalPeak);
  v("nominal_bandwidth_bytes", e.nominalBandwidth);
  v("nominal_device", e.nominalDevice);
  v("sm_clock_before_mhz", e.smClockBefore);
  v("sm_clock_after_mhz", e.smClockAfter);
  v("sm_clock_max_mhz", e.smClockMax);
  v("throttling", e.throttling);
  v("unfinished", e.unfinished);
  v("element_type", e.elementType);
}

template <class V> static void fields(V &v, Report &report) {
  v("environment", report.environment);
  v("source_name", report.sourceName);
  v("source", report.source);
  v("rows", report.rows);
}

/// The names of an enumeration, in its order.
static ArrayRef<StringRef> namesOf(Row::Status) {
  static const StringRef names[] = {"measured", "static", "wrong", "above-roof",
                                    "failed"};
  return names;
}
static ArrayRef<StringRef> namesOf(Timing::Stop) {
  static const StringRef names[] = {"stable", "time-limit"};
  return names;
}

static Error refuseResults(StringRef file, Error why) {
  return refuse("results",
                "'" + file.str() +
                    "' is no results file: " + toString(std::move(why)),
                {}, "give a file that convopt-bench -o NAME.json wrote");
}

std::string toJson(const Report &report) {
  Report copy = report;
  FieldWriter writer;
  writer.object["convopt_bench"] = Version;
  fields(writer, copy);
  return formatv("{0:2}\n", json::Value(std::move(writer.object))).str();
}

Expected<Report> readReport(StringRef text, StringRef file) {
  Expected<json::Value> json = json::parse(text);
  if (!json)
    return refuseResults(file, json.takeError());
  const json::Object *object = json->getAsObject();
  if (!object || object->getInteger("convopt_bench") != Version)
    return refuseResults(
        file, createStringError("it does not say \"convopt_bench\": %d",
                                int(Version)));
  Report report;
  json::Path::Root root("results");
  if (!readValue(*json, report, root))
    return refuseResults(file, root.getError());
  return report;
}

} // namespace convopt::bench
