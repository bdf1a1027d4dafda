//===- Toolchain.cpp - Compilers, GPUs and child processes ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/Toolchain.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <thread>

extern char **environ;

using namespace llvm;

namespace convopt::verify {

/// With AddressSanitizer's runtime BFD's linker takes as long as the compiler.
static std::string fastLinker() {
  for (const char *name : {"ld.lld", "ld.gold"})
    if (auto path = sys::findProgramByName(name))
      return *path;
  return "";
}

std::vector<HostCompiler> hostCompilers() {
  static const std::pair<const char *, const char *> names[] = {
      {"clang++-22", "clang-22"},
      {"clang++-19", "clang-19"},
      {"clang++", "clang"},
      {"g++", "gcc"}};
  std::vector<HostCompiler> found;
  for (auto [cxxName, ccName] : names) {
    auto cxx = sys::findProgramByName(cxxName);
    auto cc = sys::findProgramByName(ccName);
    if (cxx && cc)
      found.push_back(
          {cxxName, *cxx, *cc,
           StringRef(cxxName).starts_with("clang") ? fastLinker() : ""});
  }
  return found;
}

std::optional<std::string> findNvcc() {
  if (auto nvcc = sys::findProgramByName("nvcc"))
    return *nvcc;
  if (auto nvcc = sys::findProgramByName("nvcc", {"/usr/local/cuda/bin"}))
    return *nvcc;
  return std::nullopt;
}

bool hasGpu() {
  auto library = sys::DynamicLibrary::getPermanentLibrary("libcuda.so.1");
  if (!library.isValid())
    return false;
  auto init =
      reinterpret_cast<int (*)(unsigned)>(library.getAddressOfSymbol("cuInit"));
  auto count = reinterpret_cast<int (*)(int *)>(
      library.getAddressOfSymbol("cuDeviceGetCount"));
  int devices = 0;
  return init && count && init(0) == 0 && count(&devices) == 0 && devices > 0;
}

static bool isPlain(StringRef text) {
  return all_of(text, [](char c) {
    return isAlnum(c) || StringRef("_./+=,:@%-").contains(c);
  });
}

Error checkForNvcc(StringRef what, StringRef text) {
  if (isPlain(text))
    return Error::success();
  return refuse(
      "nvcc",
      (what + " '" + text + "' has characters that nvcc would hand to a shell")
          .str(),
      {}, "use plain names, or -verify=cpu");
}

//===----------------------------------------------------------------------===//
// The private directory
//===----------------------------------------------------------------------===//

Expected<PrivateDirectory> PrivateDirectory::create() {
  SmallString<128> parent, path;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, parent);
  if (!isPlain(parent))
    parent = "/tmp";
  sys::path::append(parent, "convopt-verify");
  if (std::error_code e = sys::fs::createUniqueDirectory(parent, path))
    return refuse("verify", ("no temporary directory '" + parent +
                             "-...' can be made: " + e.message())
                                .str());
  return PrivateDirectory(std::string(path));
}

PrivateDirectory::~PrivateDirectory() {
  if (!path_.empty())
    sys::fs::remove_directories(path_);
}

Error writeFile(const std::string &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error) {
    os << text;
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return refuse("verify",
                  "'" + path + "' cannot be written: " + error.message());
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Child processes
//===----------------------------------------------------------------------===//

static std::string slurp(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/true,
                                      /*IsVolatile=*/true);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static std::vector<std::string> environment(const PrivateDirectory &directory) {
  std::vector<std::string> result;
  for (char **e = environ; *e; ++e) {
    StringRef name = StringRef(*e).split('=').first;
    if (!is_contained({"ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS",
                       "TMPDIR", "CCACHE_PREFIX"},
                      name))
      result.push_back(*e);
  }
  result.push_back("TMPDIR=" + directory.path());
  // Memory that stays allocated at the end is none of ours to report.
  result.push_back("ASAN_OPTIONS=detect_leaks=0");
  return result;
}

namespace {
/// Hands on the lines of a file that grows.
class Lines {
public:
  Lines(const std::string &path, EachLine eachLine)
      : path(path), eachLine(eachLine) {}

  void read() {
    if (!eachLine)
      return;
    const std::string text = slurp(path);
    for (size_t end; (end = text.find('\n', at)) != std::string::npos;
         at = end + 1)
      eachLine(StringRef(text).slice(at, end));
  }

private:
  const std::string &path;
  EachLine eachLine;
  size_t at = 0;
};
} // namespace

/// Waits for at most \p seconds and then ends the process. Not the time limit
/// of sys::Wait, whose alarm does not reach a wait in another thread than the
/// first: tools run in one of their own (runTool).
static sys::ProcessInfo waitFor(const sys::ProcessInfo &child, unsigned seconds,
                                Lines &lines, std::string &problem) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  auto pause = std::chrono::milliseconds(1);
  while (true) {
    sys::ProcessInfo ended = sys::Wait(child, /*SecondsToWait=*/0, &problem);
    if (ended.Pid != 0)
      return ended;
    if (wasInterrupted() || Clock::now() >= end)
      break;
    lines.read();
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::milliseconds(20));
  }
  // With what it has started, such as a driver's compiler.
  if (kill(-child.Pid, SIGKILL) != 0)
    kill(child.Pid, SIGKILL);
  sys::ProcessInfo ended = sys::Wait(child, std::nullopt, &problem);
  ended.ReturnCode = -2;
  problem = wasInterrupted() ? Interrupted : TimedOut;
  return ended;
}

Expected<ChildResult> runChild(StringRef program,
                               ArrayRef<std::string> arguments,
                               const PrivateDirectory &directory,
                               unsigned seconds, EachLine eachLine) {
  SmallVector<StringRef> args{program};
  args.append(arguments.begin(), arguments.end());
  std::vector<std::string> variables = environment(directory);
  SmallVector<StringRef> env(variables.begin(), variables.end());
  const std::string out = directory.file("stdout.txt");
  const std::string err = directory.file("stderr.txt");
  const std::optional<StringRef> redirects[] = {StringRef(""), StringRef(out),
                                                StringRef(err)};
  ChildResult result;
  bool failed = false;
  Lines lines(out, eachLine);
  sys::ProcessInfo child = sys::ExecuteNoWait(
      program, args, ArrayRef(env), redirects, /*MemoryLimit=*/0,
      &result.problem, &failed, /*AffinityMask=*/nullptr,
      /*DetachProcess=*/true);
  if (!failed)
    result.status = waitFor(child, seconds, lines, result.problem).ReturnCode;
  lines.read();
  result.out = slurp(out);
  result.err = slurp(err);
  if (failed)
    return refuse("verify",
                  (program + " did not start: " + result.problem).str());
  return result;
}

} // namespace convopt::verify
