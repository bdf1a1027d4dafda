//===- Files.cpp - Whole files or none ------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/Files.h"
#include "convopt/Support/Interrupt.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace convopt {

Expected<std::string> readText(StringRef path, StringRef rule,
                               StringRef remedy) {
  auto text = MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!text)
    return refuse(rule.str(),
                  "cannot read '" + path.str() +
                      "': " + text.getError().message(),
                  {}, remedy.str());
  return (*text)->getBuffer().str();
}

static Error cannotWrite(StringRef path, std::error_code ec) {
  return refuse("output", "cannot write '" + path.str() + "': " + ec.message(),
                {}, "choose another file with -o");
}

Error checkOutputPath(StringRef path, StringRef input) {
  if (path == "-")
    return Error::success();
  if (sys::fs::is_directory(path))
    return refuse("output", "the output '" + path.str() + "' is a directory",
                  {}, "name a file with -o");
  bool same = false;
  if (input != "-" && !sys::fs::equivalent(path, input, same) && same)
    return refuse("output",
                  "the output '" + path.str() + "' is the input '" +
                      input.str() + "' itself",
                  {}, "choose another file with -o; inputs are never changed");
  return Error::success();
}

static Error writeTo(int fd, std::optional<sys::fs::perms> mode, StringRef path,
                     StringRef text) {
  raw_fd_ostream os(fd, /*shouldClose=*/true);
  if (mode)
    if (std::error_code ec = sys::fs::setPermissions(fd, *mode))
      return cannotWrite(path, ec);
  os << text;
  os.close();
  if (std::error_code ec = os.error()) {
    os.clear_error();
    return cannotWrite(path, ec);
  }
  return Error::success();
}

/// Makes a new file of a name like \p target. Not sys::fs::createUniqueFile,
/// which replaces every percent sign in the path.
static std::error_code createBeside(StringRef target, int &fd,
                                    SmallVectorImpl<char> &path) {
  std::error_code ec;
  for (int tries = 0; tries < 128; ++tries) {
    path.clear();
    (target + "." + utohexstr(sys::Process::GetRandomNumber()) + ".tmp")
        .toVector(path);
    ec = sys::fs::openFileForWrite(path, fd, sys::fs::CD_CreateNew);
    if (ec != std::errc::file_exists)
      return ec;
  }
  return ec;
}

Error writeOutput(StringRef path, StringRef text) {
  sys::fs::file_status status;
  bool exists =
      path != "-" && !sys::fs::status(path, status) && sys::fs::exists(status);
  if (path == "-" || (exists && !sys::fs::is_regular_file(status))) {
    // A device or a pipe is written in place.
    std::error_code ec;
    raw_fd_ostream os(path, ec, sys::fs::OF_None);
    if (ec)
      return cannotWrite(path, ec);
    os << text;
    os.flush();
    if ((ec = os.error())) {
      os.clear_error();
      return cannotWrite(path, ec);
    }
    return Error::success();
  }
  SmallString<128> target(path), temporary;
  if (exists) { // through links, and only where the file may be written
    if (std::error_code ec = sys::fs::access(path, sys::fs::AccessMode::Write))
      return cannotWrite(path, ec);
    if (std::error_code ec = sys::fs::real_path(path, target))
      return cannotWrite(path, ec);
  }
  CleanupScope scope;
  int fd = -1;
  if (std::error_code ec = createBeside(target, fd, temporary))
    return cannotWrite(path, ec);
  // The new file takes the mode of the one that it replaces.
  std::optional<sys::fs::perms> mode;
  if (exists)
    mode = status.permissions();
  if (Error e = writeTo(fd, mode, path, text)) {
    sys::fs::remove(temporary);
    return e;
  }
  if (wasInterrupted()) {
    sys::fs::remove(temporary);
    return refuse("output",
                  "interrupted before '" + path.str() + "' was written");
  }
  if (std::error_code ec = sys::fs::rename(temporary, target)) {
    sys::fs::remove(temporary);
    return cannotWrite(path, ec);
  }
  return Error::success();
}

} // namespace convopt
