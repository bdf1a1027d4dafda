//===- SimulatedLibrary.cpp - A library that follows a script -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Its ways are kernels of the simulated device, called "cuDNN NAME", which
/// takes their times and faults from the same script.
///
//===----------------------------------------------------------------------===//

#include "ConvolutionLibrary.h"
#include "convopt/Support/Files.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace convopt::bench {

namespace {

struct ScriptedWay {
  Way way;
  int64_t workspace = 0;
  std::string refused;  // what prepare says
  bool isGraph = false; // of the graph interface
};

struct LibraryScript {
  std::vector<ScriptedWay> ways;
  std::string trouble;
};

bool fromJSON(const json::Value &v, ScriptedWay &s, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && o.map("name", s.way.name) &&
         o.mapOptional("direct", s.way.isDirect) &&
         o.mapOptional("workspace", s.workspace) &&
         o.mapOptional("refused", s.refused) &&
         o.mapOptional("graph", s.isGraph);
}

bool fromJSON(const json::Value &v, LibraryScript &s, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && o.map("ways", s.ways) && o.mapOptional("trouble", s.trouble);
}

/// The part of the script that is for the library.
struct Whole {
  std::optional<LibraryScript> cudnn;
};
bool fromJSON(const json::Value &v, Whole &s, json::Path path) {
  json::ObjectMapper o(v, path);
  return o && o.map("cudnn", s.cudnn);
}

class SimulatedLibrary : public ConvolutionLibrary {
public:
  SimulatedLibrary(LibraryScript given, Device &device)
      : script(std::move(given)), device(device) {
    for (const ScriptedWay &s : script.ways)
      all.push_back(s.way);
  }

  std::string version() const override { return "9.0.0"; }
  ArrayRef<Way> ways() const override { return all; }
  std::string trouble() const override { return script.trouble; }

  Expected<size_t> prepare(size_t way) override {
    const ScriptedWay &s = script.ways[way];
    if (!s.refused.empty())
      return refuse("cudnn", s.refused);
    KernelSource source;
    source.label = "cuDNN " + s.way.name;
    ASSIGN_OR_RETURN(LoadedKernel kernel, device.load(source));
    kernels[way] = kernel;
    return size_t(s.workspace);
  }

  Error run(size_t way, const LayerBuffers &b) override {
    Launch launch;
    launch.arguments = {b.input, b.filter, b.output};
    return device.launch(kernels[way], launch);
  }

private:
  LibraryScript script;
  Device &device;
  std::vector<Way> all;
  std::map<size_t, LoadedKernel> kernels;
};

} // namespace

Expected<std::unique_ptr<ConvolutionLibrary>>
openSimulatedLibrary(StringRef path, Device &device, bool withGraph) {
  ASSIGN_OR_RETURN(std::string text, readText(path));
  Expected<Whole> script = json::parse<Whole>(text);
  if (!script)
    return refuse("input", toString(script.takeError()));
  if (!script->cudnn)
    return make_error<Refusal>(ExitStatus::Missing, "cudnn",
                               "the script has no library");
  erase_if(script->cudnn->ways,
           [&](const ScriptedWay &s) { return s.isGraph && !withGraph; });
  return std::make_unique<SimulatedLibrary>(std::move(*script->cudnn), device);
}

} // namespace convopt::bench
