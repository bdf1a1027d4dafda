//===- Precompiled.cpp - What drivers begin with, compiled ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LockFileManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;

namespace convopt::verify {

/// What most drivers make of the runtime's templates.
static constexpr StringLiteral instances =
    "namespace convopt_verify {\n"
    "template struct Array<float>;\n"
    "template Cell<float> &at(Array<float> &, "
    "std::initializer_list<int64_t>);\n"
    "}\n";

/// Of \p compiler as it is installed, its \p options and the texts.
static std::string keyOf(const HostCompiler &compiler,
                         ArrayRef<std::string> options) {
  SHA1 hash;
  auto add = [&](StringRef part) {
    hash.update(part);
    hash.update(StringRef("\0", 1));
  };
  sys::fs::file_status status;
  if (!sys::fs::status(compiler.cxx, status)) {
    add(std::to_string(status.getSize()));
    add(std::to_string(sys::toTimeT(status.getLastModificationTime())));
  }
  add(compiler.cxx);
  for (const std::string &option : options)
    add(option);
  for (const auto &[name, text] : hostHeaders())
    add(text);
  add(driverRuntimeText());
  add(instances);
  return toHex(hash.final(), /*LowerCase=*/true);
}

/// Removes folders of \p cache that have not been made or used for a month.
static void removeUnused(StringRef cache) {
  constexpr auto month = std::chrono::hours(24 * 30);
  const sys::TimePoint<> now = std::chrono::system_clock::now();
  std::error_code error;
  std::vector<std::string> unused;
  for (sys::fs::directory_iterator i(cache, error), end; !error && i != end;
       i.increment(error)) {
    sys::fs::file_status status;
    const std::string object = i->path() + "/runtime.o";
    if (!sys::fs::status(object, status) &&
        now - status.getLastAccessedTime() > month)
      unused.push_back(i->path());
  }
  for (const std::string &folder : unused)
    sys::fs::remove_directories(folder);
}

Error Precompiled::compile(const HostCompiler &compiler,
                           ArrayRef<std::string> options,
                           const PrivateDirectory &directory,
                           unsigned seconds) const {
  if (std::error_code e = sys::fs::create_directories(folder))
    return errorCodeToError(e);
  RETURN_IF_ERROR(writeHostHeaders(folder));
  RETURN_IF_ERROR(writeFile(
      file("runtime.h"),
      ("#include <cuda_runtime.h>\n" + driverRuntimeText() + instances).str()));
  // The object comes last, and at once: it says that all is there.
  const std::string header = file("runtime.pch"), part = file("runtime.part");
  for (std::vector<std::string> step :
       {std::vector<std::string>{"-fpch-codegen", "-fpch-instantiate-templates",
                                 "-x", "c++-header", file("runtime.h"), "-o",
                                 header},
        {"-c", header, "-o", part}}) {
    step.insert(step.begin(), "-I" + file("include"));
    step.insert(step.begin(), options.begin(), options.end());
    ASSIGN_OR_RETURN(auto result,
                     runChild(compiler.cxx, step, directory, seconds));
    if (result.status != 0)
      return createStringError(result.err);
  }
  return errorCodeToError(sys::fs::rename(part, object()));
}

std::optional<Precompiled> Precompiled::with(const HostCompiler &compiler,
                                             ArrayRef<std::string> options,
                                             const PrivateDirectory &directory,
                                             unsigned seconds) {
  SmallString<128> cache;
  auto defines = [](StringRef option) {
    return option.starts_with("-D") || option.starts_with("-U") ||
           option.starts_with("-include");
  };
  if (!StringRef(compiler.name).starts_with("clang") ||
      any_of(options, defines) || !sys::path::cache_directory(cache))
    return std::nullopt;
  sys::path::append(cache, "convopt");
  Precompiled result((cache + "/" + keyOf(compiler, options)).str());
  auto isThere = [&] { return sys::fs::exists(result.object()); };
  if (isThere())
    return result;
  if (sys::fs::create_directories(cache))
    return std::nullopt;
  LockFileManager lock(result.folder);
  ASSIGN_OR_RETURN(const bool owned, expectedToOptional(lock.tryLock()));
  if (!owned)
    lock.waitForUnlockFor(std::chrono::seconds(seconds));
  else if (!isThere()) {
    removeUnused(cache);
    if (errorToBool(result.compile(compiler, options, directory, seconds)))
      result.discard();
  }
  return isThere() ? std::optional(result) : std::nullopt;
}

std::vector<std::string> Precompiled::arguments() const {
  return {"-I" + file("include"), "-include-pch", file("runtime.pch")};
}

void Precompiled::discard() const { sys::fs::remove_directories(folder); }

} // namespace convopt::verify
