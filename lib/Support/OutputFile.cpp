//===- OutputFile.cpp - Whole files or none -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Support/OutputFile.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt {

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
                  "the output '" + path.str() + "' is the input itself", {},
                  "choose another file with -o; the input is never changed");
  return Error::success();
}

static Error writeTo(int fd, StringRef path, StringRef text) {
  raw_fd_ostream os(fd, /*shouldClose=*/true);
  os << text;
  os.close();
  if (std::error_code ec = os.error()) {
    os.clear_error();
    return cannotWrite(path, ec);
  }
  return Error::success();
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
  int fd = -1;
  SmallString<128> model;
  for (char c : target) // createUniqueFile replaces every percent sign
    model += c == '%' ? '_' : c;
  model += ".%%%%%%%%.tmp";
  if (std::error_code ec = sys::fs::createUniqueFile(
          model, fd, temporary, sys::fs::OF_None,
          sys::fs::perms::all_read | sys::fs::perms::all_write))
    return cannotWrite(path, ec);
  if (Error e = writeTo(fd, path, text)) {
    sys::fs::remove(temporary);
    return e;
  }
  if (std::error_code ec = sys::fs::rename(temporary, target)) {
    sys::fs::remove(temporary);
    return cannotWrite(path, ec);
  }
  return Error::success();
}

} // namespace convopt
