//===- Job.cpp - What one process measures, as JSON -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Bench/Job.h"
#include "convopt/Bench/Report.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

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

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Value toJSON(const std::array<int64_t, 3> &a) {
  return json::Array{a[0], a[1], a[2]};
}

static json::Value toJSON(const ArraySpec &a) {
  return json::Object{{"name", a.name},
                      {"type", a.type},
                      {"elements", a.elements},
                      {"role", int(a.role)}};
}

static json::Value toJSON(const ArgumentSpec &a) {
  return json::Object{
      {"kind", int(a.kind)}, {"index", a.index}, {"bits", a.bits}};
}

static json::Value toJSON(const KernelSpec &k) {
  json::Array arguments;
  for (const ArgumentSpec &a : k.arguments)
    arguments.push_back(toJSON(a));
  const KernelSource &s = k.source;
  return json::Object{{"label", s.label},
                      {"code", s.code},
                      {"entry", s.entry},
                      {"launcher", s.launcher},
                      {"folder", s.folder},
                      {"compiler", int(s.compiler)},
                      {"block", toJSON(s.block)},
                      {"shared", s.dynamicSharedBytes},
                      {"grid", toJSON(k.grid)},
                      {"arguments", std::move(arguments)},
                      {"note", k.note},
                      {"packs", k.packs},
                      {"capturable", s.isCapturable},
                      {"file", s.isFile}};
}

static json::Value toJSON(const Fingerprint &f) {
  return json::Array{f.integers, f.random};
}

static json::Value toJSON(const LayerShape &l) {
  return json::Array{l.N,       l.C,         l.H,         l.W,     l.K,
                     l.R,       l.S,         l.padH,      l.padW,  l.strideH,
                     l.strideW, l.dilationH, l.dilationW, l.groups};
}

static std::string print(json::Object object) {
  std::string text;
  raw_string_ostream os(text);
  os << json::Value(std::move(object));
  return os.str();
}

std::string toJson(const Job &job) {
  json::Array arrays, variants;
  for (const ArraySpec &a : job.arrays)
    arrays.push_back(toJSON(a));
  for (const KernelSpec &k : job.variants)
    variants.push_back(toJSON(k));
  json::Object object{{"kind", int(job.kind)},
                      {"label", job.label},
                      {"arrays", std::move(arrays)},
                      {"variants", std::move(variants)},
                      {"exact", job.tolerance.exact},
                      {"depth", job.tolerance.depth},
                      {"cold", job.cold},
                      {"warm", job.warm},
                      {"seconds", job.seconds},
                      {"flops", job.facts.flops},
                      {"bytes", job.facts.compulsoryBytes},
                      {"ffma", job.ffmaCeiling},
                      {"copy", job.copyBandwidth},
                      {"layer", toJSON(job.layer)},
                      {"cudnn", job.cudnn},
                      {"graph", job.withGraph},
                      {"simulate", job.simulate},
                      {"arch", job.arch}};
  if (job.reference)
    object["reference"] = toJSON(*job.reference);
  if (job.facts.threadsPerBlock)
    object["threads"] = *job.facts.threadsPerBlock;
  if (job.facts.sharedBytes)
    object["shared"] = *job.facts.sharedBytes;
  if (job.naive)
    object["naive"] = toJSON(*job.naive);
  return print(std::move(object));
}

std::string toJson(const Outcome &outcome) {
  Report report;
  report.environment = outcome.environment;
  report.rows.push_back(outcome.row);
  json::Object object{{"report", toJson(report)},
                      {"variant", outcome.variant},
                      {"missing", outcome.missing}};
  if (outcome.fingerprint)
    object["fingerprint"] = toJSON(*outcome.fingerprint);
  return print(std::move(object));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static bool mapArray(json::ObjectMapper &o, StringLiteral name,
                     std::array<int64_t, 3> &a) {
  std::vector<int64_t> all;
  if (!o.map(name, all) || all.size() != 3)
    return false;
  std::copy(all.begin(), all.end(), a.begin());
  return true;
}

template <class E>
static bool mapEnum(json::ObjectMapper &o, StringLiteral name, E &value) {
  int number = 0;
  if (!o.map(name, number))
    return false;
  value = static_cast<E>(number);
  return true;
}

static bool fromJSON(const json::Value &v, ArraySpec &a, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && o.map("name", a.name) && o.map("type", a.type) &&
         o.map("elements", a.elements) && mapEnum(o, "role", a.role);
}

static bool fromJSON(const json::Value &v, ArgumentSpec &a, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && mapEnum(o, "kind", a.kind) && o.map("index", a.index) &&
         o.map("bits", a.bits);
}

static bool fromJSON(const json::Value &v, KernelSpec &k, json::Path path) {
  json::ObjectMapper o(v, path);
  KernelSource &s = k.source;
  return o && o.map("label", s.label) && o.map("code", s.code) &&
         o.map("entry", s.entry) && o.map("launcher", s.launcher) &&
         o.map("folder", s.folder) && mapEnum(o, "compiler", s.compiler) &&
         mapArray(o, "block", s.block) &&
         o.map("shared", s.dynamicSharedBytes) && mapArray(o, "grid", k.grid) &&
         o.map("arguments", k.arguments) && o.map("note", k.note) &&
         o.map("packs", k.packs) && o.map("capturable", s.isCapturable) &&
         o.map("file", s.isFile);
}

static bool fromJSON(const json::Value &v, Fingerprint &f, json::Path path) {
  std::vector<uint64_t> all;
  if (!json::fromJSON(v, all, path) || all.size() != 2)
    return false;
  f = {all[0], all[1]};
  return true;
}

static bool fromJSON(const json::Value &v, LayerShape &l, json::Path path) {
  std::vector<int64_t> all;
  if (!json::fromJSON(v, all, path))
    return false;
  int64_t *const to[] = {&l.N,         &l.C,       &l.H,       &l.W,
                         &l.K,         &l.R,       &l.S,       &l.padH,
                         &l.padW,      &l.strideH, &l.strideW, &l.dilationH,
                         &l.dilationW, &l.groups};
  if (all.size() != std::size(to))
    return false;
  for (size_t k = 0; k != all.size(); ++k)
    *to[k] = all[k];
  return true;
}

static bool fromJSON(const json::Value &v, Job &job, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && mapEnum(o, "kind", job.kind) && o.map("label", job.label) &&
         o.map("arrays", job.arrays) && o.map("variants", job.variants) &&
         o.map("exact", job.tolerance.exact) &&
         o.map("depth", job.tolerance.depth) && o.map("cold", job.cold) &&
         o.map("warm", job.warm) && o.map("seconds", job.seconds) &&
         o.map("flops", job.facts.flops) &&
         o.map("bytes", job.facts.compulsoryBytes) &&
         o.map("threads", job.facts.threadsPerBlock) &&
         o.map("shared", job.facts.sharedBytes) &&
         o.map("ffma", job.ffmaCeiling) && o.map("copy", job.copyBandwidth) &&
         o.map("layer", job.layer) && o.map("cudnn", job.cudnn) &&
         o.map("graph", job.withGraph) && o.map("simulate", job.simulate) &&
         o.map("arch", job.arch) && o.map("reference", job.reference) &&
         o.map("naive", job.naive);
}

Expected<Job> readJob(StringRef text) { return json::parse<Job>(text); }

Expected<Outcome> readOutcome(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return value.takeError();
  json::Path::Root root("outcome");
  json::ObjectMapper o(*value, root);
  std::string inner;
  Outcome outcome;
  if (!o || !o.map("report", inner) || !o.map("missing", outcome.missing) ||
      !o.map("variant", outcome.variant) ||
      !o.map("fingerprint", outcome.fingerprint))
    return root.getError();
  Expected<Report> report = readReport(inner, "outcome");
  if (!report)
    return report.takeError();
  if (report->rows.size() != 1)
    return refuse("results", "an outcome has one row");
  outcome.row = report->rows.front();
  outcome.environment = report->environment;
  return outcome;
}

} // namespace convopt::bench
