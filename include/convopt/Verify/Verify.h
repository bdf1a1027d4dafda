//===- Verify.h - Run the naive and the emitted kernel ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A driver that runs naive and tiled on the same data and compares, and the
/// running of it on a GPU or, with the same kernel text, on the CPU.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_VERIFY_H
#define CONVOPT_VERIFY_VERIFY_H

#include "convopt/Nest/Nest.h"
#include "convopt/Program/Stmt.h"
#include "convopt/Target/Gpu.h"

namespace convopt {

/// A value for each parameter that has no definition, by name; template type
/// parameters are given as text ("float").
struct Shape {
  std::map<std::string, int64_t> sizes;
  std::map<std::string, std::string> types;
};

/// One of the kernels behind a launcher.
struct LaunchedKernel {
  std::string name;
  Nest nest;                     // mapped
  std::vector<Assumption> facts; // that are checked before it runs
  program::Kernel program = {};  // of which the branches are to be seen
  int64_t leastBlocks = 0;       // with fewer, the launcher passes it over
  unsigned part = 0; // of those that run one after the other, which it is for
};

/// The values of all Function::templateArgs, as they are spelled.
using TemplateInstance = std::vector<std::string>;

/// Parses `H=33,W=40,radius=2,T=double`. Types that are not given are those of
/// the first of \p instances, else ones that the nest can compute with. Each
/// array has an element, unless it \p mayBeEmpty.
llvm::Expected<Shape>
parseShape(llvm::StringRef text, const Nest &nest,
           llvm::ArrayRef<TemplateInstance> instances = {},
           bool mayBeEmpty = false);

/// Those at \p shape: the types and sizes that it gives, else types that the
/// nest can compute with, float if it can, and 1.
TemplateInstance templateArguments(const Nest &nest, const Shape &shape);

/// Shapes that exercise \p original and \p kernels together: all statements
/// run, guards hold for some points and fail for others, each size has several
/// values, each kernel is the one that runs, and in each of them loops over
/// blocks and around copies have more than one iteration, with vectors and
/// without. The launcher takes the first of \p kernels that takes the sizes;
/// of those with a least number of blocks, shapes have fewer.
/// Each shape satisfies the nest's assumptions. A nest of constant sizes has
/// one. Of a template shapes have the types of \p instances, and some the
/// sizes.
std::vector<Shape>
defaultShapes(const Nest &original, llvm::ArrayRef<LaunchedKernel> kernels,
              const Gpu &gpu, llvm::ArrayRef<TemplateInstance> instances = {});

/// Next to \p shapes, sizes that no kernel's launcher may take: for each fact
/// that one asks for, if there are such, those for which it fails alone, by the
/// least.
std::vector<Shape> refusedShapes(const Nest &original,
                                 llvm::ArrayRef<LaunchedKernel> kernels,
                                 const Gpu &gpu,
                                 llvm::ArrayRef<Shape> shapes);

/// Whether a block has room for what one of \p kernels stages at \p shape: the
/// launcher refuses it otherwise.
bool haveRoom(llvm::ArrayRef<LaunchedKernel> kernels, const Gpu &gpu,
              const Shape &shape);

/// The names of those that some sizes are for. Versions are run by themselves;
/// nothing is left to the last kernel where another takes all that it could.
std::vector<std::string> kernelsToRun(llvm::ArrayRef<LaunchedKernel> kernels);

/// About how many statements the nest executes; bounds that depend on outer
/// loops are taken at the first iteration of those.
double countStatements(const Nest &nest, const Shape &shape);

/// How many instances of a template \p shapes are for.
size_t countInstances(const Nest &nest, llvm::ArrayRef<Shape> shapes);

struct VerifyOptions {
  std::string suffix = "_tiled";
  bool orderKept = true;   // demand bit equality with the naive kernel
  bool signedZeros = true; // bit equality includes the signs of zeros
  std::vector<Shape> shapes;
  bool isC = false;     // the naive function has C linkage and is linked apart
  bool isLocal = false; // and is called as <name><suffix>_original
  bool isOverloaded = false; // pointers say which function is called
  /// The namespaces around the function, outermost first; "" has no name.
  std::vector<std::string> scope;
  std::vector<std::string> macros; // that the source may define
  std::vector<Shape> refused; // that the launcher must not take
  std::vector<Shape> withoutRoom; // nor these, as a block has no room for them
  bool refusesOverlap = false; // nor arrays of which one is written
  /// Kernels besides the general one, as `conv_tiled_K7`, in their order.
  struct Version {
    std::string name;
    bool hasLeastBlocks; // an argument of its launcher, 0 here
  };
  std::vector<Version> versions;
  /// Of the general kernel beside them, a launcher of its own by this name, and
  /// its text; empty where it has none.
  std::string generalName, generalLauncher;
  /// Those of these and the general one without which nothing is verified.
  std::vector<std::string> kernelsToRun;
};

/// The driver, a CUDA source that includes \p emittedFile (a file name).
/// It prints one line a check and exits 0, or 3 after a mismatch.
llvm::Expected<std::string> emitVerifyDriver(const Nest &original,
                                             llvm::StringRef emittedFile,
                                             const VerifyOptions &options);

enum class Where { Auto, Cpu, Gpu };

struct VerifyRun {
  std::string emitted; // text of the emitted file
  std::string edited;  // the user's file that this is the text of; else empty
  std::string driver;  // text of the driver
  std::string naive;   // text with the naive code, compiled apart; else empty
  bool naiveIsC = false;            // the language of that text
  std::vector<std::string> kernels; // of which branches are counted
  std::vector<std::string> arguments; // -I, -D, -std of the user
  std::string sourceDirectory;        // for the input's own includes
  std::string arch;                   // "sm_90"
  Where where = Where::Auto;
  /// Statements of the reference for one shape; a larger shape is not run.
  double budget = 2e9;
  double statements = 0; // of all shapes, for each instance of a template
  size_t shapes = 0;
  unsigned secondsToCompile = 300, secondsToRun = 900;
  /// rewriteLaunchesForHost; Verify does not see Clang.
  llvm::function_ref<std::string(llvm::StringRef)> rewriteLaunches;
};

/// Compiles and runs. Says on \p os what ran where and the verdict. A mismatch
/// is a Refusal of status VerificationFailed, a compiler or GPU that was
/// asked for and is missing one of status Missing.
llvm::Error runVerification(const VerifyRun &run, llvm::raw_ostream &os);

} // namespace convopt

#endif // CONVOPT_VERIFY_VERIFY_H
