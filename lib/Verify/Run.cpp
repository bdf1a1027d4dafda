//===- Run.cpp - Compile and run a verification driver --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace convopt {
namespace verify {

static Error fail(ExitStatus status, const Twine &message,
                  const Twine &remedy = "") {
  return make_error<Refusal>(status, "verify", message.str(), SourceRange(),
                             remedy.str());
}

/// The first lines of what a child printed.
static std::string excerpt(StringRef text) {
  SmallVector<StringRef> lines;
  text.rtrim().split(lines, '\n');
  const size_t shown = std::min<size_t>(lines.size(), 40);
  std::string result = join(ArrayRef(lines).take_front(shown), "\n");
  if (shown != lines.size())
    result +=
        "\n... and " + std::to_string(lines.size() - shown) + " lines more";
  return result;
}

//===----------------------------------------------------------------------===//
// The user's options
//===----------------------------------------------------------------------===//

namespace {
/// Which language a compiler call is for: the driver is C++17, whatever the
/// input was.
enum class Language { C, Cxx };
} // namespace

static bool isStandardFor(StringRef value, Language language) {
  const bool cxx = value.contains("++");
  if (language == Language::C)
    return !cxx;
  return cxx && !any_of(std::initializer_list<StringRef>{"98", "03", "0x", "11",
                                                         "1y", "14"},
                        [&](StringRef old) { return value.ends_with(old); });
}

/// Those of \p arguments that say where headers are, what is defined and which
/// standard is meant; others could change what is computed.
static std::vector<std::string> forCompiler(ArrayRef<std::string> arguments,
                                            Language language) {
  static const StringRef apart[] = {"-I",       "-D",      "-U",
                                    "-isystem", "-iquote", "-include"};
  std::vector<std::string> kept;
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef a = arguments[i];
    if (is_contained(apart, a)) {
      if (i + 1 != arguments.size()) {
        kept.push_back(a.str());
        kept.push_back(arguments[++i]);
      }
    } else if (a.starts_with("-I") || a.starts_with("-D") ||
               a.starts_with("-U") || a.starts_with("-isystem") ||
               a.starts_with("-iquote")) {
      kept.push_back(a.str());
    } else if (StringRef value = a;
               value.consume_front("-std=") && isStandardFor(value, language)) {
      kept.push_back(a.str());
    }
  }
  return kept;
}

//===----------------------------------------------------------------------===//
// On the CPU
//===----------------------------------------------------------------------===//

static Error writeSources(const VerifyRun &run, const PrivateDirectory &dir,
                          bool onCpu) {
  auto cuda = [&](const std::string &text) {
    return onCpu && run.rewriteLaunches ? run.rewriteLaunches(text) : text;
  };
  RETURN_IF_ERROR(dir.write("emitted.cu", cuda(run.emitted)));
  RETURN_IF_ERROR(dir.write("driver.cu", cuda(run.driver)));
  if (run.naive.empty())
    return Error::success();
  return run.naiveIsC ? dir.write("naive.c", run.naive)
                      : dir.write("naive.cu", cuda(run.naive));
}

/// How \p file is compiled to the object of the naive code.
static std::vector<std::string> naiveObject(const PrivateDirectory &dir,
                                            StringRef file) {
  return {"-Dmain=convopt_user_main", "-c", dir.file(file), "-o",
          dir.file("naive.o")};
}

/// A message about the installation and not about the code.
static std::optional<std::string> missingPiece(StringRef err) {
  if (err.contains("boost/context") || err.contains("-lboost_context"))
    return "Boost.Context (libboost-context-dev)";
  if (err.contains("libclang_rt") || err.contains("-lasan") ||
      err.contains("-lubsan") || err.contains("sanitizer/"))
    return "the compiler's sanitizer libraries";
  return std::nullopt;
}

namespace {
/// One way to build the driver, in steps that each start a compiler.
struct Build {
  std::vector<std::pair<std::string, std::vector<std::string>>> steps;
};
} // namespace

/// Of what runs on the CPU.
static std::vector<std::string> cpuOptions(const VerifyRun &run,
                                           const HostCompiler &compiler) {
  // What runs for less time than it takes to optimise is not optimised.
  constexpr double few = 1e6;
  std::vector<std::string> options = {
      run.statements < few ? "-O0" : "-O1", "-g1", "-w", "-ffp-contract=off",
      "-fsanitize=address,undefined",
      // Every compiler that CUDA knows, and
      // C++20, shifts negative values as others.
      "-fno-sanitize=shift-base",
      // What naive code makes of values that its types do not hold.
      "-fno-sanitize=float-cast-overflow,enum",
      // What AddressSanitizer sees, too, or does not happen here: a third of
      // what a compiler takes.
      "-fno-sanitize=null,object-size,pointer-overflow,vptr",
      "-fno-sanitize-address-use-after-scope", "-fno-sanitize-recover=all",
      "-fno-omit-frame-pointer"};
  // Loops stay rolled: unrolled and instrumented they take clang minutes.
  if (StringRef(compiler.name).starts_with("clang"))
    append_range(options, std::vector<std::string>{
                              "-mllvm", "-pragma-unroll-threshold=1",
                              "-fsanitize-address-use-after-return=never"});
  return options;
}

/// What \p run leaves to precompile with.
static std::optional<Precompiled> precompiled(const VerifyRun &run,
                                              const PrivateDirectory &dir,
                                              const HostCompiler &compiler) {
  std::vector<std::string> options = cpuOptions(run, compiler);
  options.push_back("-std=c++17");
  for (const std::string &option : forCompiler(run.arguments, Language::Cxx))
    if (StringRef o = option; o.starts_with("-std=") || o.starts_with("-D") ||
                              o.starts_with("-U") || o == "-include")
      options.push_back(option);
  return Precompiled::with(compiler, options, dir, run.secondsToCompile);
}

static Build cpuBuild(const VerifyRun &run, const PrivateDirectory &dir,
                      const HostCompiler &compiler,
                      ArrayRef<std::string> counting,
                      const std::optional<Precompiled> &begin) {
  auto with = [&](Language language) {
    std::vector<std::string> args = cpuOptions(run, compiler);
    args.push_back("-I" + dir.file("include"));
    if (language == Language::Cxx)
      args.push_back("-std=c++17");
    append_range(args, forCompiler(run.arguments, language));
    if (!run.sourceDirectory.empty())
      args.push_back("-I" + run.sourceDirectory);
    return args;
  };
  Build build;
  std::vector<std::string> link = with(Language::Cxx);
  append_range(link, counting);
  if (begin)
    append_range(link, begin->arguments());
  append_range(link, std::vector<std::string>{
                         "-x", "c++", dir.file("driver.cu"), "-x", "none"});
  if (!run.naive.empty()) {
    std::vector<std::string> compile =
        with(run.naiveIsC ? Language::C : Language::Cxx);
    if (!run.naiveIsC)
      append_range(compile, std::vector<std::string>{
                                "-include", "cuda_runtime.h", "-x", "c++"});
    append_range(compile,
                 naiveObject(dir, run.naiveIsC ? "naive.c" : "naive.cu"));
    build.steps.push_back({run.naiveIsC ? compiler.cc : compiler.cxx, compile});
    link.push_back(dir.file("naive.o"));
  }
  if (begin)
    link.push_back(begin->object());
  if (!compiler.linker.empty())
    link.push_back("--ld-path=" + compiler.linker);
  // The rest of the file may call what other files of the program define.
  append_range(link, std::vector<std::string>{
                         "-no-pie", "-Wl,--unresolved-symbols=ignore-all", "-o",
                         dir.file("driver"), "-lboost_context"});
  build.steps.push_back({compiler.cxx, link});
  return build;
}

/// Runs the steps; the failed one's result, or none.
static Expected<std::optional<ChildResult>>
runBuild(const Build &build, const PrivateDirectory &dir, unsigned seconds) {
  for (const auto &[program, args] : build.steps) {
    ASSIGN_OR_RETURN(auto result, runChild(program, args, dir, seconds));
    if (result.status != 0)
      return std::optional<ChildResult>(std::move(result));
  }
  return std::nullopt;
}

/// The first error that a compiler printed, with the code that it shows.
static std::string firstError(StringRef err) {
  SmallVector<StringRef> lines;
  err.rtrim().split(lines, '\n');
  auto first = find_if(lines, [](StringRef l) { return l.contains("error"); });
  if (first == lines.end())
    return excerpt(err);
  auto last = std::find_if(first + 1, lines.end(), [](StringRef l) {
    return l.contains("error") || l.contains("warning:") || l.contains("note:");
  });
  return excerpt(join(ArrayRef(first, last), "\n"));
}

/// The source was parsed and the rest of the driver is ours, so is the fault,
/// unless somebody has edited what is verified.
static Error compileError(const VerifyRun &run, const ChildResult &result,
                          StringRef compiler) {
  if (result.problem == TimedOut)
    return fail(ExitStatus::Missing,
                "nothing was verified: " + compiler +
                    " takes too long to compile the driver",
                "verify less at once: -tile=, -reg=, fewer versions");
  // As a limit to the size of files has it do.
  SmallVector<StringRef> lines;
  StringRef(result.err).split(lines, '\n');
  const auto crash = find_if(lines, [](StringRef l) {
    return l.contains("failed due to signal") ||
           l.contains("internal compiler error");
  });
  if (crash != lines.end())
    return fail(ExitStatus::Missing,
                "nothing was verified: " + compiler +
                    " ended while it compiled the driver:\n" + *crash,
                "see limits to the sizes of files and memory (ulimit -a)");
  std::string text =
      result.err.empty() ? result.problem : firstError(result.err);
  const bool isOurs = run.edited.empty();
  return fail(
      isOurs ? ExitStatus::Bug : ExitStatus::BadInput,
      "nothing was verified: " + compiler + " does not compile " +
          (isOurs ? "the driver" : "'" + run.edited + "'") + ":\n" + text,
      isOurs ? "this is a bug in convopt"
             : "-verify-file takes an edited output of the same command");
}

/// Gives what the driver counts, if the compiler can.
static Expected<std::optional<BranchCounts>>
buildOnCpu(const VerifyRun &run, const PrivateDirectory &dir, raw_ostream &os) {
  RETURN_IF_ERROR(writeHostHeaders(dir.path()));
  Progress progress(os, 0);
  progress.say("compiling the driver");
  std::string missing = "a C++ compiler (clang or g++)";
  for (const HostCompiler &compiler : hostCompilers()) {
    std::optional<BranchCounts> counts;
    if (!run.kernels.empty())
      counts = BranchCounts::with(compiler);
    std::vector<std::string> counting;
    if (counts) {
      ASSIGN_OR_RETURN(auto arguments, counts->arguments(dir, "emitted.cu"));
      counting = arguments;
    }
    const std::optional<Precompiled> begin = precompiled(run, dir, compiler);
    auto failed = runBuild(cpuBuild(run, dir, compiler, counting, begin), dir,
                           run.secondsToCompile);
    if (begin && failed && *failed && (*failed)->problem != TimedOut) {
      failed = runBuild(cpuBuild(run, dir, compiler, counting, std::nullopt),
                        dir, run.secondsToCompile);
      if (failed && !*failed)
        begin->discard();
    }
    if (!failed)
      return failed.takeError();
    if (!*failed) {
      progress.add("verifying on the CPU: " + compiler.name +
                   ", one fiber a thread, AddressSanitizer and UBSan");
      return counts;
    }
    auto piece = missingPiece((*failed)->err);
    if (!piece)
      return compileError(run, **failed, compiler.name);
    missing = *piece;
  }
  return fail(ExitStatus::Missing,
              "nothing was verified: " + missing + " is missing");
}

//===----------------------------------------------------------------------===//
// On the GPU
//===----------------------------------------------------------------------===//

/// What the driver asks nvcc for in its `// nvcc options:` line.
static SmallVector<StringRef> driverOptions(StringRef driver) {
  SmallVector<StringRef> options;
  const StringRef key = "\n// nvcc options:";
  const size_t at = driver.find(key);
  if (at != StringRef::npos)
    driver.substr(at + key.size())
        .split('\n')
        .first.split(options, ' ', -1, false);
  return options;
}

static Error buildOnGpu(const VerifyRun &run, const PrivateDirectory &dir,
                        StringRef nvcc, raw_ostream &os) {
  std::vector<std::string> user = forCompiler(run.arguments, Language::Cxx);
  for (const std::string &a : user)
    RETURN_IF_ERROR(checkForNvcc("the argument", a));
  SmallString<128> here;
  sys::fs::current_path(here);
  RETURN_IF_ERROR(checkForNvcc("the current directory", here));
  RETURN_IF_ERROR(checkForNvcc("the directory", run.sourceDirectory));
  RETURN_IF_ERROR(checkForNvcc("the architecture", run.arch));
  Build build;
  std::vector<std::string> args = {"-arch=" +
                                       (run.arch.empty() ? "native" : run.arch),
                                   "-O3",
                                   "-w",
                                   "-Xcompiler",
                                   "-ffp-contract=off",
                                   "-std=c++17"};
  for (StringRef option : driverOptions(run.driver))
    args.push_back(option.str());
  append_range(args, user);
  if (!run.sourceDirectory.empty())
    args.push_back("-I" + run.sourceDirectory);
  if (!run.naive.empty() && !run.naiveIsC) {
    std::vector<std::string> compile = args;
    append_range(compile, naiveObject(dir, "naive.cu"));
    build.steps.push_back({nvcc.str(), compile});
    args.push_back(dir.file("naive.o"));
  }
  args.push_back(dir.file("driver.cu"));
  if (run.naiveIsC) {
    auto cc = sys::findProgramByName("gcc");
    if (!cc)
      return fail(ExitStatus::Missing, "nothing was verified: gcc is missing");
    std::vector<std::string> c = {"-O2", "-w", "-ffp-contract=off"};
    append_range(c, forCompiler(run.arguments, Language::C));
    if (!run.sourceDirectory.empty())
      c.push_back("-I" + run.sourceDirectory);
    append_range(c, naiveObject(dir, "naive.c"));
    build.steps.push_back({*cc, c});
    args.push_back(dir.file("naive.o"));
  }
  append_range(args,
               std::vector<std::string>{"-Xcompiler", "-no-pie", "-Xlinker",
                                        "--unresolved-symbols=ignore-all", "-o",
                                        dir.file("driver")});
  build.steps.push_back({nvcc.str(), args});
  Progress progress(os, 0);
  progress.say("compiling the driver");
  ASSIGN_OR_RETURN(auto failed, runBuild(build, dir, run.secondsToCompile));
  if (failed)
    return compileError(run, *failed, "nvcc");
  progress.add("verifying on the GPU: nvcc " + args[0]);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

static Error runDriver(const VerifyRun &run, const PrivateDirectory &dir,
                       raw_ostream &os) {
  Progress progress(os, run.shapes);
  auto result = runChild(
      dir.file("driver"),
      {"--budget=" + std::to_string(static_cast<uint64_t>(run.budget))}, dir,
      run.secondsToRun, [&](StringRef line) { progress.add(line); });
  if (!result)
    return result.takeError();
  if (result->problem == TimedOut) {
    const bool isAll = progress.ended() >= run.shapes;
    const std::string shapes = std::to_string(run.shapes),
                      within =
                          " within " + std::to_string(run.secondsToRun) + " s";
    return fail(ExitStatus::Missing,
                isAll ? "the run did not end" + within + ": all " + shapes +
                            " shapes were run, but not all of what the "
                            "launcher refuses or leaves to the naive code"
                      : "not every shape was run: " + Twine(progress.ended()) +
                            " of " + shapes + within,
                "give more time with -verify-timeout=, or smaller sizes with "
                "-shape=");
  }
  switch (result->status) {
  case 0:
    // Code of the user can end the process, which is no verdict.
    if (StringRef(result->out).contains("\nverified: "))
      return Error::success();
    return fail(ExitStatus::VerificationFailed,
                "the run ended without a verdict");
  case static_cast<int>(ExitStatus::VerificationFailed):
    return fail(
        ExitStatus::VerificationFailed,
        "verification failed: " +
            excerpt(StringRef(result->out).substr(result->out.rfind("FAIL "))));
  case static_cast<int>(ExitStatus::Missing):
    if (StringRef(result->out).contains("\nnot verified: "))
      return fail(ExitStatus::Missing, "not everything was verified",
                  "give sizes that exercise it with -shape=");
    return fail(ExitStatus::Missing, "not every shape was run",
                StringRef(result->out).contains("not run: constant sizes")
                    ? "define smaller sizes in the source"
                    : "give smaller sizes with -shape=");
  default:
    break;
  }
  std::string how = result->problem.empty()
                        ? "with status " + std::to_string(result->status)
                        : "by itself (" + result->problem + ")";
  return fail(ExitStatus::VerificationFailed,
              "verification failed: the run ended " + how + ":\n" +
                  excerpt(result->err));
}

} // namespace verify

static Error verifyWhere(const VerifyRun &run, raw_ostream &os) {
  using namespace verify;
  std::optional<std::string> nvcc;
  std::string why;
  if (run.where != Where::Cpu) {
    nvcc = findNvcc();
    if (!nvcc)
      why = "nvcc was not found";
    else if (!hasGpu())
      why = "no GPU was found";
  }
  if (run.where == Where::Gpu && !why.empty())
    return fail(ExitStatus::Missing, "nothing was verified: " + why,
                "-verify=cpu runs the same kernels on the CPU");
  const bool onGpu = run.where != Where::Cpu && why.empty();
  if (!why.empty())
    os << "not run on a GPU: " << why << '\n';
  ASSIGN_OR_RETURN(auto dir, PrivateDirectory::create());
  RETURN_IF_ERROR(writeSources(run, dir, !onGpu));
  if (onGpu) {
    RETURN_IF_ERROR(buildOnGpu(run, dir, *nvcc, os));
    return runDriver(run, dir, os);
  }
  ASSIGN_OR_RETURN(auto counts, buildOnCpu(run, dir, os));
  Error verdict = runDriver(run, dir, os);
  // Of a run that fails it matters what is wrong alone.
  if (counts && !verdict)
    counts->report(dir, "driver", run.emitted, run.edited.empty() ? 1 : 0,
                   run.kernels, os);
  return verdict;
}

Error runVerification(const VerifyRun &run, raw_ostream &os) {
  Error e = verifyWhere(run, os);
  if (!wasInterrupted())
    return e;
  consumeError(std::move(e));
  return verify::fail(ExitStatus::Missing, "interrupted");
}

} // namespace convopt
