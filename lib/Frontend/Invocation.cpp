//===- Invocation.cpp - Running Clang on one file -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Invocation.h"
#include "convopt/Support/Refusal.h"
#include "clang/Basic/Version.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace convopt {

std::string clangVersion() { return CLANG_VERSION_STRING; }

// Where the stub headers pretend to be.
static constexpr const char *stubFolder = "/convopt-cuda-stubs";
// The last place that headers are looked for in.
static constexpr const char *lastFolder = "/convopt-stubs";
static constexpr const char *lastCudaFolder = "/convopt-cuda-last-stubs";

static bool hasHeaders(StringRef resourceDir) {
  SmallString<128> header(resourceDir);
  sys::path::append(header, "include", "stddef.h");
  return !resourceDir.empty() && sys::fs::exists(header);
}

/// What `clang-22 -print-resource-dir` says, or nothing.
static std::string askClang() {
  ErrorOr<std::string> clang = sys::findProgramByName(CONVOPT_CLANG);
  SmallString<128> output;
  if (!clang || sys::fs::createTemporaryFile("convopt", "txt", output))
    return "";
  FileRemover remove(output);
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(output),
                                          StringRef()};
  StringRef arguments[] = {*clang, "-print-resource-dir"};
  if (sys::ExecuteAndWait(*clang, arguments, std::nullopt, redirects, 10))
    return "";
  auto text = MemoryBuffer::getFile(output);
  return text ? (*text)->getBuffer().trim().str() : "";
}

/// Clang looks for its headers next to the executable, which is ours.
static Expected<std::string> findResourceDir(StringRef argv0) {
  static int anchor;
  std::string executable =
      sys::fs::getMainExecutable(argv0.str().c_str(), &anchor);
  SmallString<128> installed(
      sys::path::parent_path(sys::path::parent_path(executable)));
  sys::path::append(installed, "lib", "clang", Twine(LLVM_VERSION_MAJOR));
  for (StringRef place :
       {StringRef(installed), StringRef(CONVOPT_CLANG_RESOURCE_DIR)})
    if (hasHeaders(place))
      return place.str();
  std::string asked = askClang();
  if (hasHeaders(asked))
    return asked;
  return refuse("input",
                "Clang's own headers are neither in " + installed.str().str() +
                    " nor in " CONVOPT_CLANG_RESOURCE_DIR
                    " nor where '" CONVOPT_CLANG " -print-resource-dir' says",
                {},
                "install libclang-common-" +
                    std::to_string(LLVM_VERSION_MAJOR) +
                    "-dev, or give -resource-dir=DIR "
                    "after --");
}

static std::string quoted(StringRef path) { return "'" + path.str() + "'"; }

static Expected<std::string> readText(StringRef path) {
  sys::fs::file_status status;
  if (std::error_code e = sys::fs::status(path, status))
    return refuse("input", "cannot read " + quoted(path) + ": " + e.message());
  if (sys::fs::is_directory(status))
    return refuse("input", quoted(path) + " is a directory, not a source file");
  auto buffer = MemoryBuffer::getFile(path);
  if (!buffer)
    return refuse("input", "cannot read " + quoted(path) + ": " +
                               buffer.getError().message());
  std::string text = (*buffer)->getBuffer().str();
  if (StringRef(text).contains('\0'))
    return refuse("input", quoted(path) + " is not text");
  // A byte order mark may only stand first, where our own head goes.
  StringRef content = text;
  content.consume_front("\xef\xbb\xbf");
  return content.str();
}

static std::optional<Language> languageOf(StringRef path) {
  StringRef extension = sys::path::extension(path);
  if (extension == ".c")
    return Language::C;
  for (StringRef e : {".cc", ".cpp", ".cxx", ".C", ".h", ".hpp", ".hh"})
    if (extension == e)
      return Language::Cxx;
  if (extension == ".cu" || extension == ".cuh")
    return Language::Cuda;
  return std::nullopt;
}

static std::vector<std::string> commandLine(Language language,
                                            const FrontendOptions &options) {
  std::vector<std::string> args;
  switch (language) {
  case Language::C:
    args = {"-xc", "-std=gnu17"};
    break;
  case Language::Cxx:
    args = {"-xc++", "-std=c++17"};
    break;
  case Language::Cuda:
    args = {"-xcuda",     "--cuda-host-only",
            "-std=c++17", "-nocudainc",
            "-nocudalib", "-Wno-unknown-cuda-version",
            "-isystem",   stubFolder,
            "-include",   std::string(stubFolder) + "/convopt_cuda.h",
            "-idirafter", lastCudaFolder};
    break;
  }
  args.push_back("-idirafter");
  args.push_back(lastFolder);
  // The SARIF printer crashes without a compiler instance.
  args.push_back("-Wno-unused-command-line-argument");
  args.push_back("-ferror-limit=0"); // those of broken bodies are no reason
  for (const std::string &a : options.arguments)
    if (!StringRef(a).starts_with("-fdiagnostics-format"))
      args.push_back(a);
  return args;
}

/// Kept for good: the parsed file goes on pointing into these texts.
static const clang::tooling::FileContentMappings &stubFiles() {
  static const clang::tooling::FileContentMappings files = [] {
    clang::tooling::FileContentMappings made;
    auto add = [&](StringRef name, StringRef text) {
      made.emplace_back((stubFolder + Twine("/") + name).str(), text.str());
    };
    add("convopt_cuda.h", cudaStubText());
    for (StringRef name : cudaHeaderNames())
      add(name, cudaHeaderText(name));
    made.emplace_back((lastFolder + Twine("/omp.h")).str(),
                      ompStubText().str());
    made.emplace_back((lastCudaFolder + Twine("/cuComplex.h")).str(),
                      complexStubText().str());
    return made;
  }();
  return files;
}

static Error refuseToParse(StringRef path) {
  return refuse("input", quoted(path) + " does not parse", {},
                "see Clang's messages above; options such as -I and -D go "
                "after --");
}

/// Parses \p text as \p path; \p consumer takes Clang's diagnostics.
static Expected<ParsedFile> parse(StringRef path, std::string text,
                                  const FrontendOptions &options,
                                  ErrorCollector &consumer) {
  ParsedFile result;
  result.text = std::move(text);
  std::optional<Language> language = languageOf(path);
  if (!language)
    return refuse("input",
                  "the extension of " + quoted(path) +
                      " does not say which language it is in",
                  {}, "name it .c, .cpp or .cu");
  result.language = *language;

  std::vector<std::string> args = commandLine(*language, options);
  if (none_of(options.arguments,
              [](StringRef a) { return a.starts_with("-resource-dir"); })) {
    ASSIGN_OR_RETURN(std::string resources, findResourceDir(options.argv0));
    args.push_back("-resource-dir=" + resources);
  }
  SmallString<128> absolute(path);
  sys::fs::make_absolute(absolute);
  result.unit = clang::tooling::buildASTFromCodeWithArgs(
      result.text, args, absolute, "convopt",
      std::make_shared<clang::PCHContainerOperations>(),
      clang::tooling::getClangStripDependencyFileAdjuster(), stubFiles(),
      &consumer);
  if (!result.unit)
    return refuseToParse(path);
  auto broken = consumer.bodies(result.ast());
  if (!broken)
    return refuseToParse(path);
  result.broken = std::move(*broken);
  if (!result.broken.empty())
    result.errors = consumer.all();
  return result;
}

clang::ASTContext &ParsedFile::ast() const { return unit->getASTContext(); }

clang::Preprocessor &ParsedFile::preprocessor() const {
  return unit->getPreprocessor();
}

StringRef ParsedFile::path() const { return unit->getMainFileName(); }

Error refuseBroken(const ParsedFile &file) {
  errs() << file.errors;
  return refuseToParse(sys::path::filename(file.path()));
}

/// The first standard of C++ after the default by which \p text parses; empty
/// where there is none, or \p options say one.
static StringRef laterStandard(StringRef path, const std::string &text,
                               FrontendOptions options) {
  if (languageOf(path).value_or(Language::C) == Language::C ||
      any_of(options.arguments,
             [](StringRef a) { return a.starts_with("-std="); }))
    return "";
  options.arguments.emplace_back();
  for (StringRef standard : {"-std=c++20", "-std=c++23"}) {
    options.arguments.back() = standard.str();
    ErrorCollector errors;
    auto file = expectedToOptional(parse(path, text, options, errors));
    if (file && file->broken.empty())
      return standard;
  }
  return "";
}

Expected<ParsedFile> parseFile(StringRef path, const FrontendOptions &options) {
  ASSIGN_OR_RETURN(std::string text, readText(path));
  ErrorCollector collector;
  Expected<ParsedFile> file = parse(path, text, options, collector);
  const bool isRefused = !file;
  errs() << (isRefused ? collector.all() : collector.warnings());
  if (collector.getNumErrors() == 0)
    return file;
  const StringRef standard = laterStandard(path, text, options);
  if (standard.empty())
    return file;
  if (isRefused)
    consumeError(file.takeError());
  else
    errs() << file->errors;
  return refuse("input", quoted(path) + " does not parse", {},
                "it does by a later standard: add -- " + standard.str());
}

/// The first of \p now that is none of \p was.
static const BrokenBody *newIn(ArrayRef<BrokenBody> now,
                               ArrayRef<BrokenBody> was) {
  for (const BrokenBody &b : now) {
    while (!was.empty() &&
           (was.front().name != b.name || was.front().message != b.message))
      was = was.drop_front();
    if (was.empty())
      return &b;
    was = was.drop_front();
  }
  return nullptr;
}

Expected<ParsedFile> parseText(const ParsedFile &source, std::string text,
                               const FrontendOptions &options) {
  ErrorCollector errors;
  Expected<ParsedFile> file =
      parse(source.path(), std::move(text), options, errors);
  if (!file && errors.first().empty())
    return file;
  const BrokenBody *b = file ? newIn(file->broken, source.broken) : nullptr;
  if (file && !b)
    return file;
  const std::string message = b ? b->message : errors.first().str();
  if (!file)
    consumeError(file.takeError());
  return refuse("input", message);
}

} // namespace convopt
