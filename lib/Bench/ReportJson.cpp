//===- ReportJson.cpp - Results files -------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A struct's fields are listed once, in a visitor that writing and reading
/// share, so that neither can forget one.
///
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Report.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace convopt::bench {
namespace {

/// Of the file's format; another is refused rather than half understood.
constexpr int64_t Version = 1;

template <class V> void fields(V &v, StaticFacts &facts) {
  v("flops", facts.flops);
  v("compulsory_bytes", facts.compulsoryBytes);
  v("threads_per_block", facts.threadsPerBlock);
  v("shared_bytes", facts.sharedBytes);
  v("registers", facts.registers);
  v("spill_bytes", facts.spillBytes);
  v("occupancy", facts.occupancy);
  v("predicted_ms", facts.predicted);
}

template <class V> void fields(V &v, Timing &timing) {
  v("median_ms", timing.median);
  v("spread", timing.spread);
  v("minimum_ms", timing.minimum);
  v("samples", timing.samples);
  v("stopped_by", timing.stop);
  v("sm_clock_mhz", timing.smClock);
  v("throttling", timing.throttling);
}

template <class V> void fields(V &v, Row &row) {
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

template <class V> void fields(V &v, Environment &e) {
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

template <class V> void fields(V &v, Report &report) {
  v("environment", report.environment);
  v("source_name", report.sourceName);
  v("source", report.source);
  v("rows", report.rows);
}

/// The names of an enumeration, in its order.
ArrayRef<StringRef> namesOf(Row::Status) {
  static const StringRef names[] = {"measured", "static", "wrong", "above-roof",
                                    "failed"};
  return names;
}
ArrayRef<StringRef> namesOf(Timing::Stop) {
  static const StringRef names[] = {"stable", "time-limit"};
  return names;
}

template <class T> json::Value toValue(T &value);
json::Value toValue(std::vector<Row> &rows);

/// Optional fields that are not there are left out.
struct Writer {
  json::Object object;

  template <class T> void operator()(StringRef name, T &value) {
    object[name] = toValue(value);
  }
  template <class T> void operator()(StringRef name, std::optional<T> &value) {
    if (value)
      object[name] = toValue(*value);
  }
};

json::Value toValue(std::vector<Row> &rows) {
  json::Array array;
  for (Row &row : rows)
    array.push_back(toValue(row));
  return array;
}

template <class T> json::Value toValue(T &value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return json::fixUTF8(value);
  } else if constexpr (std::is_enum_v<T>) {
    return namesOf(value)[unsigned(value)];
  } else if constexpr (std::is_arithmetic_v<T>) {
    return value;
  } else {
    Writer writer;
    fields(writer, value);
    return std::move(writer.object);
  }
}

template <class T> bool readValue(const json::Value &, T &, json::Path);
bool readValue(const json::Value &, std::vector<Row> &, json::Path);

/// Stops at the first field that is wrong.
struct Reader {
  const json::Object &object;
  json::Path path;
  bool good = true;

  template <class T> void operator()(StringRef name, T &value) {
    if (!good)
      return;
    const json::Value *field = object.get(name);
    if (!field)
      path.field(name).report("missing value");
    good = field && readValue(*field, value, path.field(name));
  }
  template <class T> void operator()(StringRef name, std::optional<T> &value) {
    const json::Value *field = object.get(name);
    if (good && field)
      good = readValue(*field, value.emplace(), path.field(name));
  }
};

bool readValue(const json::Value &json, std::vector<Row> &rows,
               json::Path path) {
  const json::Array *array = json.getAsArray();
  if (!array) {
    path.report("expected array");
    return false;
  }
  for (auto [i, value] : enumerate(*array))
    if (!readValue(value, rows.emplace_back(), path.index(i)))
      return false;
  return true;
}

template <class T>
bool readName(const json::Value &json, T &value, json::Path path) {
  const ArrayRef<StringRef> names = namesOf(value);
  auto at = llvm::find(names, json.getAsString().value_or(""));
  if (at == names.end()) {
    path.report("expected one of the known words");
    return false;
  }
  value = T(at - names.begin());
  return true;
}

template <class T>
bool readValue(const json::Value &json, T &value, json::Path path) {
  if constexpr (std::is_enum_v<T>) {
    return readName(json, value, path);
  } else if constexpr (std::is_same_v<T, unsigned>) {
    int64_t wide = -1;
    const bool good = fromJSON(json, wide, path) && isUInt<32>(wide);
    if (good)
      value = wide;
    else
      path.report("expected a count");
    return good;
  } else if constexpr (std::is_class_v<T> && !std::is_same_v<T, std::string>) {
    const json::Object *object = json.getAsObject();
    if (!object) {
      path.report("expected object");
      return false;
    }
    Reader reader{*object, path};
    fields(reader, value);
    return reader.good;
  } else {
    return fromJSON(json, value, path);
  }
}

Error refuseResults(StringRef file, Error why) {
  return refuse("results",
                "'" + file.str() +
                    "' is no results file: " + toString(std::move(why)),
                {}, "give a file that convopt-bench -o NAME.json wrote");
}

} // namespace

std::string toJson(const Report &report) {
  Report copy = report;
  Writer writer;
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
