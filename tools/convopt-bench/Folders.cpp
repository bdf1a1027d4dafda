//===- Folders.cpp - Folders of schedules ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace convopt {

using namespace bench;

/// The source that the schedule in \p path says it is for: the base name of
/// "# examples/conv.cpp -OPTION...: what it does"; empty where it says nothing.
static std::string sourceOf(const std::string &path) {
  auto text = MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return "";
  StringRef line = (*text)->getBuffer().split('\n').first;
  if (!line.consume_front("#"))
    return "";
  auto [head, rest] = line.trim().split(':');
  auto [name, options] = head.split(' ');
  if (rest.empty() || !(options.empty() || options.starts_with("-")) ||
      !sys::path::has_extension(name))
    return "";
  return sys::path::filename(name).str();
}

static Error addFolder(const std::string &folder, StringRef sourceName,
                       std::vector<CandidateRequest> &all) {
  std::set<std::string> files;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (sys::path::extension(it->path()) == ".sched")
      files.insert(it->path());
  if (error)
    return refuse("usage", "cannot read the folder '" + folder +
                               "': " + error.message());
  const size_t before = all.size();
  for (const std::string &file : files) {
    const std::string source = sourceOf(file);
    if (!source.empty() && source != sourceName)
      continue;
    CandidateRequest &request = all.emplace_back();
    request.schedule.scheduleFile = file;
  }
  if (all.size() != before)
    return Error::success();
  return refuse(
      "usage",
      "no schedule in '" + folder + "' is for '" + sourceName.str() + "'", {},
      "a schedule says in its first line what it is for, as in "
      "'# examples/conv.cpp: tiles in shared memory'");
}

/// The last \p parts parts of \p path.
static std::string tailOf(StringRef path, unsigned parts) {
  SmallVector<StringRef> all(sys::path::begin(path), sys::path::end(path));
  return join(ArrayRef(all).take_back(parts), "/");
}

/// Whether the label of \p request is made here.
static const std::string *pathOf(const CandidateRequest &request) {
  if (!request.file.empty())
    return &request.file;
  const ScheduleRequest &s = request.schedule;
  return s.scheduleFile && !s.tile && !s.registers ? &*s.scheduleFile : nullptr;
}

static void addLabels(std::vector<CandidateRequest> &all) {
  for (CandidateRequest &request : all) {
    const std::string *path = pathOf(request);
    if (!path)
      continue;
    unsigned parts = 1;
    auto isShared = [&](const CandidateRequest &other) {
      const std::string *theirs = pathOf(other);
      return theirs && *theirs != *path &&
             tailOf(*theirs, parts) == tailOf(*path, parts);
    };
    while (parts < 32 && any_of(all, isShared))
      ++parts;
    request.label = tailOf(*path, parts);
  }
}

Expected<std::vector<CandidateRequest>>
expandFolders(ArrayRef<CandidateRequest> requests, StringRef sourceName) {
  std::vector<CandidateRequest> all;
  for (const CandidateRequest &request : requests) {
    const auto &file = request.schedule.scheduleFile;
    if (!file || !sys::fs::is_directory(*file)) {
      all.push_back(request);
    } else if (Error e = addFolder(*file, sourceName, all)) {
      return std::move(e);
    }
  }
  addLabels(all);
  std::set<std::string> seen;
  for (const CandidateRequest &request : all)
    if (!seen.insert(request.label).second)
      return refuse("usage", "'" + request.label + "' is given twice");
  return all;
}

} // namespace convopt
