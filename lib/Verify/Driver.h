//===- Driver.h - The parts of the verification driver ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_DRIVER_H
#define CONVOPT_LIB_VERIFY_DRIVER_H

#include "Reference.h"
#include "convopt/Verify/Verify.h"
#include "llvm/ADT/StringExtras.h"

namespace convopt {
namespace verify {

/// \p text as a C string.
std::string quote(llvm::StringRef text);

/// The work of emitVerifyDriver(): Driver.cpp has what a case runs,
/// DriverCases.cpp which cases there are.
/// The pointer to structures of which \p source, an Argument::source, is the
/// numbers: `in` of `(const float *)in`. Else empty.
std::string recordsOf(llvm::StringRef source);

class DriverPrinter {
public:
  DriverPrinter(const Nest &nest, const VerifyOptions &options,
                llvm::raw_ostream &os)
      : nest(nest), f(nest.function), options(options), os(os) {
    for (const Array &a : nest.arrays)
      if (!a.isLocal())
        arrays.push_back(&a);
  }

  llvm::Error check() const;
  /// What stands before the rest: the runtime and the emitted file.
  std::string preamble(llvm::StringRef emittedFile) const;
  void print();

private:
  const Nest &nest;
  const Function &f;
  const VerifyOptions &options;
  llvm::raw_ostream &os;
  std::vector<const Array *> arrays; // arguments and __constant__ ones

  bool isArgument(const Array &a) const {
    return llvm::any_of(f.arguments, [&](const Argument &arg) {
      return arg.role == Argument::ArrayArg && &nest.arrays[arg.index] == &a;
    });
  }
  std::string templateArguments() const {
    return f.templateArgs.empty()
               ? ""
               : "<" + llvm::join(f.templateArgs, ", ") + ">";
  }
  std::string valueOf(const Argument &a, llvm::StringRef where) const;
  std::string arguments(llvm::StringRef where) const;
  std::string launch(llvm::StringRef where) const;
  std::string copyVariable(const Argument &a, llvm::StringRef at,
                           llvm::StringRef bytes, bool isBack) const;
  std::string fillContainer(const Argument &a) const;
  std::string setObjects(llvm::StringRef where) const;
  std::string setExterns() const;
  void printExterns();
  std::string getResults() const;
  void printConstants();
  std::string naiveArgument(const Argument &a, llvm::StringRef type,
                            llvm::StringRef where) const;
  std::string naiveArguments(llvm::StringRef where) const;
  void printObjects();
  std::string replacement() const;
  std::string naiveName() const;
  std::string scopePrefix() const;
  void printScope(llvm::StringRef before, llvm::StringRef after);
  std::string spelling(const Shape &s) const;
  std::string sizeArguments(const Shape &s) const;
  std::string sizeParameters() const;
  void printSizes();
  void printScalars();
  void printScalarValues();
  void printData();
  std::string hasIntegers() const;
  void printArrays();
  void printNaive();
  void printNaiveGrid();
  void printNaiveLaunch();
  void printVariant(llvm::StringRef name, bool device, llvm::StringRef call);
  void printVersion(const VerifyOptions::Version &version);
  void printDownload();
  void printRefusal();
  std::string dispatch() const;
  void printFewerBlocks();
  void printOverlap();
  void printEach(llvm::StringRef code);
  void printUpload();
  void printFallback();
  void printOverlapOfHost();
  void printCase();
  void printCaseCall(const Shape &s);
  bool holdsAssumptions(const Shape &s) const;
  void printFallbackCase();
  void printMain();
};

} // namespace verify
} // namespace convopt

#endif // CONVOPT_LIB_VERIFY_DRIVER_H
