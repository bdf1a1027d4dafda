//===- Replacement.cpp - The naive signature on host pointers -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCopies.h"
#include "LaunchParts.h"
#include "Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::lower {

using program::Assignment;
using program::CallStmt;

static bool takesParts(const Context &c) {
  return c.options.isC && c.nest.function.hasParts();
}

static Expr callOriginal(const Context &c, std::vector<Expr> arguments) {
  return call(originalName(c.nest, c.options) + c.templateArguments(),
              std::move(arguments), handle("void"));
}

/// Runs the original where what would size the arrays divides by zero, before
/// any of it is computed. A function of C that is given the parts of objects
/// leaves that to the one that has these, and returns whether all is done.
static void lowerDivisors(const Context &c, const Names &names,
                          const std::vector<Expr> &arguments, Block &b) {
  const Expr fails = divisorsFail(c.nest, names);
  if (!fails)
    return;
  Block &original = where(b, fails, /*isBraced=*/!takesParts(c),
                          "what others are divided by");
  if (!takesParts(c))
    add<CallStmt>(original, callOriginal(c, arguments));
  add<program::Return>(original, takesParts(c) ? Expr(0) : Expr());
}

/// Says what went wrong and runs the original.
static void lowerFailure(const Context &c, const Expr &error,
                         std::vector<Expr> arguments, Block &b) {
  Block &fails = where(b, isNot(error, "cudaSuccess"));
  add<CallStmt>(fails, call(c.helper(Helper::Fallback, "_fallback"), {error},
                            handle("void")));
  clearLastError(fails);
  if (takesParts(c))
    add<program::Return>(b, succeeded(error));
  else
    add<CallStmt>(fails, callOriginal(c, std::move(arguments)));
}

namespace {
/// The steps with which arrays come to the device and back.
class HostSteps {
public:
  HostSteps(const Context &c, Names &names)
      : c(c), names(names), arrays(buffers(c, names)),
        error(variable(errorType(), names.fresh("error"))),
        slices(overlappedSlices(c, names)), objects(objectMemory(c, names)),
        copies(c, names, arrays, slices, error) {}
  /// \p naive is what the original is called with.
  void lower(std::vector<Expr> naive, Block &b);
  const std::vector<ObjectMemory> &objectsToTest() const { return objects; }

private:
  void lowerChecks(Block &b);
  void lowerLaunch(Block &b);

  const Context &c;
  Names &names;
  std::vector<ArrayArgument> arrays;
  Expr error;
  std::vector<HostSlice> slices;
  std::vector<ObjectMemory> objects;
  HostCopies copies;
};
} // namespace

void HostSteps::lowerChecks(Block &b) {
  auto fail = [&](const Expr &condition, const std::string &needs) {
    if (condition)
      add<Assignment>(where(b, condition, /*isBraced=*/false), error,
                      refusal(c, "cudaErrorInvalidValue", needs));
  };
  // The sizes of arrays rest on the facts and on the assumptions.
  fail(factsFail(c, names), "the sizes that the kernel was made for");
  for (FactAbout about : {FactAbout::Domain, FactAbout::Other})
    for (const auto &[broken, why] :
         brokenAssumptions(c, names, about, copies.spanned()))
      fail(broken, why);
  // Copies would hide an overlap of the host's arrays, so it is tested first.
  fail(overlaps(c, arrays), "distinct arrays");
  fail(overlaps(c, arrays, objects), "sizes apart from what is written");
}

/// The launcher; with slices, the function behind it copies them.
void HostSteps::lowerLaunch(Block &b) {
  std::vector<Expr> arguments = c.arguments;
  size_t next = 0;
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, arguments))
    if (a.role == Argument::ArrayArg)
      v = copies.device(next++);
  arguments.push_back(known("nullptr"));
  std::vector<Expr> pinned;
  for (const HostSlice &s : slices) {
    const ArrayArgument &a = *find_if(
        arrays, [&](const ArrayArgument &a) { return a.array == s.array; });
    arguments.push_back(Expr::cast(s.host.type(), a.pointer));
    Expr pin = call(c.helper(Helper::Pin, "_pin"), {a.pointer, a.bytes()},
                    Type::boolean());
    pinned.push_back(define(b,
                            variable(Type::boolean(),
                                     names.fresh("pinned_" + s.argument->name),
                                     /*isConst=*/true),
                            both(succeeded(error), pin)));
  }
  step(b, error,
       call(c.name(slices.empty() ? "_launch" : "_run") + c.templateArguments(),
            std::move(arguments)));
  if (slices.empty())
    return;
  finish(b, error,
         variable(errorType(), names.fresh("finished"), /*isConst=*/true),
         call("cudaStreamSynchronize", {known("nullptr")}));
  for (const auto &[s, pin] : zip_equal(slices, pinned))
    add<CallStmt>(
        where(b, pin, /*isBraced=*/false),
        call("cudaHostUnregister",
             {Expr::cast(handle("void *"), c.pointerOf(s.argument->index))}));
}

void HostSteps::lower(std::vector<Expr> naive, Block &b) {
  defineElements(c, arrays, names, b);
  copies.define(b);
  beginRefusals(c, b);
  lower::define(b, error, known("cudaSuccess"));
  lowerChecks(b);
  copies.toDevice(b);
  lowerLaunch(b);
  copies.back(b);
  lowerFailure(c, error, std::move(naive), b);
}

FunctionDefinition lowerReplacement(const Context &c, Names names) {
  // CUDA sees nothing of a C source.
  const std::string declared =
      c.options.isC
          ? "extern \"C\" void " + originalName(c.nest, c.options) + "(" +
                llvm::join(hostParameters(c.nest), ", ") + ");\n"
          : "";
  FunctionDefinition f =
      define(c,
             declared + c.templateHead() + c.options.linkage() +
                 (takesParts(c) ? "int " : "void ") +
                 hostName(c.nest.function, c.options.isC, c.options.suffix),
             {});
  std::vector<Expr> naive = c.arguments;
  if (c.options.isC)
    append_range(f.parameters, deviceParameters(c));
  else
    naive = takeNaive(c, f);
  lowerDivisors(c, names, naive, f.body);
  defineSizes(c.nest, names, f.body);
  HostSteps steps(c, names);
  for (const ObjectMemory &o : steps.objectsToTest())
    if (c.options.isC) {
      f.parameters.push_back(parameter(o.pointer));
      f.parameters.push_back(parameter(o.bytes));
    }
  steps.lower(std::move(naive), f.body);
  f.body = dropUnused(f.body);
  return f;
}

} // namespace convopt::lower
