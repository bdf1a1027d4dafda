//===- Job.cpp - What one process measures, as JSON -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Job.h"
#include "JsonFields.h"
#include "LayerFields.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

std::string messageOf(Error e) {
  std::string text;
  auto add = [&](const std::string &part) {
    text += (text.empty() || part.empty() ? "" : "; ") + part;
  };
  handleAllErrors(
      std::move(e),
      [&](const Refusal &r) {
        add(r.message);
        add(r.remedy);
      },
      [&](const ErrorInfoBase &other) { add(other.message()); });
  return text;
}

template <class V> static void fields(V &v, ArraySpec &a) {
  v("name", a.name);
  v("type", a.type);
  v("elements", a.elements);
  v("role", a.role);
}

template <class V> static void fields(V &v, ArgumentSpec &a) {
  v("kind", a.kind);
  v("index", a.index);
  v("bits", a.bits);
}

template <class V> static void fields(V &v, KernelSpec &k) {
  KernelSource &s = k.source;
  v("label", s.label);
  v("code", s.code);
  v("entry", s.entry);
  v("launcher", s.launcher);
  v("folder", s.folder);
  v("compiler", s.compiler);
  v("block", s.block);
  v("shared", s.dynamicSharedBytes);
  v("grid", k.grid);
  v("arguments", k.arguments);
  v("note", k.note);
  v("packs", k.packs);
  v("capturable", s.isCapturable);
  v("file", s.isFile);
}

template <class V> static void fields(V &v, Fingerprint &f) {
  v("integers", f.integers);
  v("random", f.random);
}

template <class V> static void fields(V &v, LayerShape &l) {
  for (const LayerField &f : layerFields())
    v(f.name, l.*f.value);
}

template <class V> static void fields(V &v, Job &job) {
  v("kind", job.kind);
  v("label", job.label);
  v("arrays", job.arrays);
  v("variants", job.variants);
  v("reference", job.reference);
  v("exact", job.tolerance.exact);
  v("depth", job.tolerance.depth);
  v("naive", job.naive);
  v("cold", job.cold);
  v("warm", job.warm);
  v("seconds", job.seconds);
  v("flops", job.facts.flops);
  v("bytes", job.facts.compulsoryBytes);
  v("threads", job.facts.threadsPerBlock);
  v("shared", job.facts.sharedBytes);
  v("ffma", job.ffmaCeiling);
  v("copy", job.copyBandwidth);
  v("layer", job.layer);
  v("cudnn", job.cudnn);
  v("graph", job.withGraph);
  v("simulate", job.simulate);
  v("arch", job.arch);
}

/// But for the row and the environment, which are a report.
template <class V> static void fields(V &v, Outcome &o) {
  v("variant", o.variant);
  v("missing", o.missing);
  v("fingerprint", o.fingerprint);
}

static std::string print(json::Object object) {
  std::string text;
  raw_string_ostream os(text);
  os << json::Value(std::move(object));
  return os.str();
}

std::string toJson(const Job &job) {
  Job copy = job;
  FieldWriter writer;
  fields(writer, copy);
  return print(std::move(writer.object));
}

Expected<Job> readJob(StringRef text) {
  ASSIGN_OR_RETURN(json::Value value, json::parse(text));
  json::Path::Root root("job");
  Job job;
  return readValue(value, job, root) ? Expected<Job>(std::move(job))
                                     : root.getError();
}

std::string toJson(const Outcome &outcome) {
  Outcome copy = outcome;
  Report report;
  report.environment = outcome.environment;
  report.rows.push_back(outcome.row);
  FieldWriter writer;
  fields(writer, copy);
  writer.object["report"] = toJson(report);
  return print(std::move(writer.object));
}

Expected<Outcome> readOutcome(StringRef text) {
  ASSIGN_OR_RETURN(json::Value value, json::parse(text));
  json::Path::Root root("outcome");
  Outcome outcome;
  if (!readValue(value, outcome, root))
    return root.getError();
  const auto inner = value.getAsObject()->getString("report").value_or("");
  ASSIGN_OR_RETURN(Report report, readReport(inner, "outcome"));
  if (report.rows.size() != 1)
    return refuse("results", "an outcome has one row");
  outcome.row = report.rows.front();
  outcome.environment = report.environment;
  return outcome;
}

} // namespace convopt::bench
