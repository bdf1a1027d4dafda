//===- Redirect.cpp - Calls that go to the tiled function ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

/// \p call formatted to stand at byte \p begin of \p text.
static std::string formatCall(const std::string &call, StringRef text,
                              size_t begin) {
  StringRef before = text.take_front(begin);
  size_t line = before.rfind('\n') + 1; // npos + 1 is 0
  StringRef margin =
      before.substr(line).take_while([](char c) { return isSpace(c); });
  unsigned taken = std::min<size_t>(40, begin - line);
  std::string lines = formatCode(call + ";", 80 - taken);
  StringRef whole = lines;
  whole = whole.rtrim();
  whole.consume_back(";");
  std::string result;
  for (StringRef l : split(whole, '\n'))
    result += (result.empty() ? "" : "\n" + margin.str()) + l.str();
  return result;
}

std::string prototype(const PlannedFile &file) {
  const SourceNest &source = file.source;
  const Prototype &p = source.prototype;
  std::string name = source.nest.function.name + file.options.suffix;
  std::string parameters = p.parameters;
  if (source.nest.function.isKernel) {
    name += "_dispatch";
    // Without names, which the source may have macros of.
    parameters =
        "dim3, dim3, size_t, cudaStream_t" +
        (StringRef(parameters).trim().empty() ? "" : ", " + parameters);
  }
  return "\n" +
         formatCode(p.templates + " void " + name + "(" + parameters + ");");
}

/// Whether what stands at byte \p at, which \p what names, sees the tiled
/// function; a warning says that it does not.
static bool isDeclared(const PlannedFile &file, size_t at, StringRef what) {
  const SourceNest &source = file.source;
  if (at >= source.prototype.at)
    return true;
  StringRef before = StringRef(source.text).take_front(at);
  errs() << file.options.input << ':' << before.count('\n') + 1 << ':'
         << before.size() - (before.rfind('\n') + 1) + 1
         << ": warning: " << what << " of '" << source.nest.function.name
         << "' before it is defined is not redirected\n";
  return false;
}

std::vector<Replacement> redirectCalls(const PlannedFile &file) {
  const SourceNest &source = file.source;
  const std::string &suffix = file.options.suffix;
  std::vector<Replacement> edits;
  bool needsPrototype = false;
  for (const CallSite &c : source.calls)
    if (isDeclared(file, c.end, "a call")) {
      edits.push_back({c.begin, c.end, c.name + suffix});
      needsPrototype |= c.end < source.functionEnd;
    }
  for (const LaunchSite &l : source.launches) {
    if (!isDeclared(file, l.begin, "a launch"))
      continue;
    needsPrototype |= l.begin < source.functionEnd;
    std::string call = l.callee + suffix + "_dispatch" + l.afterName + "(" +
                       l.grid + ", " + l.block + ", " + l.shared + ", " +
                       l.stream;
    if (!StringRef(l.arguments).trim().empty())
      call += ", " + l.arguments;
    edits.push_back(
        {l.begin, l.end, formatCall(call + ")", source.text, l.begin)});
  }
  if (needsPrototype)
    edits.insert(edits.begin(),
                 {source.prototype.at, source.prototype.at, prototype(file)});
  if (const auto &call = source.call)
    edits.push_back(
        {call->begin, call->end,
         formatCall(source.nest.function.name + suffix + call->arguments,
                    source.text, call->begin)});
  return edits;
}

} // namespace convopt
