//===- HostCode.h - Launcher, replacement and dispatch ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_HOSTCODE_H
#define CONVOPT_LIB_LOWER_HOSTCODE_H

#include "HostStatements.h"
#include "Mapping.h"
#include "Names.h"
#include "TensorCopies.h"
#include "convopt/Lower/Signature.h"
#include "llvm/ADT/ArrayRef.h"

namespace convopt::lower {

/// What the parts of one emitted function share.
struct Context {
  const Nest &nest;
  const Nest &source; // as it was before all steps
  const Mapping &mapping;
  const Gpu &gpu;
  const LowerOptions &options;

  /// The kernel's first template parameter, the type of its offsets; empty
  /// where constant extents show that int will do.
  std::string offsetType;
  /// The next, whether copies from arrays move vectors or boxes; empty where
  /// none would.
  std::string aligned;
  /// What the loops of the host are called, in kernel and launcher, by id.
  std::map<unsigned, Expr> hostLoops = {};
  /// What the kernel and launcher call the tensor maps, by what uses them.
  TensorMaps tensorMaps = {};
  /// The arguments of the source's function, in its order.
  std::vector<Expr> arguments = {};
  /// Sizes that every function sees: of the template, or of the source's file.
  std::vector<program::VariableRef> seen = {};
  /// The launchers of versions, which come before this one.
  std::vector<std::string> versions = {};
  /// Of one of several kernels that a launcher launches, what names have
  /// besides.
  std::string part = {};
  /// The host's, of several: there is something to compute for some of them
  /// where others touch nothing.
  bool isOfSequence = false;

  /// What is shown of \p array; no boxes where that is nothing.
  const ArrayBoxes &boxes(unsigned array) const {
    static const ArrayBoxes none;
    return array < options.boxes.size() ? options.boxes[array] : none;
  }
  /// The argument that \p array comes by.
  const Expr &pointerOf(unsigned array) const;
  bool isVersion() const { return !options.version.empty(); }
  /// "conv_tiled" + \p end, of a version "conv_tiled_K7" + \p end
  std::string name(const char *end = "") const {
    return helper(isVersion() ? "_" : "") + options.version + part + end;
  }
  /// "conv_tiled" + \p end, for what versions share
  std::string helper(const std::string &end) const {
    return nest.function.name + options.suffix + end;
  }
  /// The function of that name, which \p from has.
  program::CalledFunction
  helper(program::Helper from, const std::string &end,
         program::Callee callee = program::Callee::Named) const {
    return {callee, helper(end), from};
  }
  /// "<ElTp, radius>", or nothing.
  std::string templateArguments() const;
  /// A packing kernel's, with \p offset for its offset type.
  std::string kernelArguments(const std::string &offset) const;
  /// "<Offset, Aligned, ElTp, radius>", or nothing: of the kernel's instance,
  /// in the kernel.
  std::string argumentsInKernel() const;
  /// "template <class ElTp, int radius>\n", or nothing.
  std::string templateHead() const;
  /// A kernel's, with its offset type and, unless empty, the parameter
  /// \p aligned.
  std::string kernelTemplateHead(const std::string &aligned = "") const;
};

/// Which of the kernel's instances runs.
struct Instance {
  bool isSmall;   // offsets fit an int
  bool isAligned; // copies move vectors or boxes; only where offsets fit
};
/// Its template arguments: `<int, true, ` and then \p own, those of the
/// function; nothing where there are none.
std::string instanceArguments(const Nest &nest, Instance instance,
                              llvm::ArrayRef<std::string> own);

/// A function of \p parameters that sees \p c's sizes.
FunctionDefinition
define(const Context &c, std::string head,
       std::vector<FunctionDefinition::Parameter> parameters);

/// What the launch of a kernel has besides arguments.
struct LaunchConfiguration {
  Expr grid, block, shared, stream;
};

/// Gives \p f, of C++, the parameters of the naive function, and its body the
/// arguments that are parts of them, variables of the file or sizes of the
/// kernel's \p launch, each read once; what a call of the naive function
/// passes.
std::vector<Expr> takeNaive(const Context &c, FunctionDefinition &f,
                            const LaunchConfiguration &launch = {});

/// `const float *inputs, ..., int N`: what a launcher takes, and all
/// functions that C and C++ both declare.
std::vector<FunctionDefinition::Parameter> deviceParameters(const Context &c);

/// What the launcher passes on: sizes as int.
std::vector<Expr> passedArguments(const Context &c, const Names &names);

/// Whether every value of the parameter's type is one of int.
bool fitsInt(const Param &p);

/// \p pointer, of the type of \p a, to the elements of \p array: converted,
/// unless they are what it points at, as arrays of rows are under any name.
Expr toElements(const Argument &a, const Array &array, const Expr &pointer);

/// An array argument and the number of its elements.
struct ArrayArgument {
  const Argument *argument;
  const Array *array;
  Expr pointer, elements;

  Expr bytes() const;
};
/// Those of the function, with variables for the numbers.
std::vector<ArrayArgument> buffers(const Context &c, Names &names);

/// `conv_tiled_refuse(error, "needs")`: the error, and what is said of it.
Expr refusal(const Context &c, const char *error, const std::string &needs);
/// `conv_tiled_begin();`, before what may refuse: a launcher that is called by
/// itself refuses, too, and nothing says so.
void beginRefusals(const Context &c, Block &b);
/// `T *memory = nullptr; error = conv_tiled_take(&memory, elements * sizeof(T),
/// stream, "what");`, of \p elements that are not none. A refusal says \p what
/// the memory is for.
void take(const Context &c, const Expr &error, const Expr &memory,
          const Expr &elements, const std::string &type, const Expr &stream,
          const std::string &what, Block &b);
/// `if (condition) return conv_tiled_refuse(error, "needs");`, of a version the
/// error alone; nothing without a condition.
void refuseWhere(const Context &c, Block &b, Expr condition, const char *error,
                 const std::string &needs);
/// `if (condition) return cudaSuccess; // nothing to compute`
void endWhereEmpty(Block &b, Expr condition);

/// `conv_tiled_elements({N, H, W})`, 0 where an extent is not positive.
Expr elementCount(const Context &c, std::vector<Expr> extents);
/// The definitions of those variables.
void defineElements(const Context &c, llvm::ArrayRef<ArrayArgument> buffers,
                    const Names &names, Block &b);

/// Whether a part of several reads or writes \p a; else nobody says that it has
/// as many elements as it should.
bool isTouched(const Context &c, const ArrayArgument &a);

/// `overlap(a, ...) || overlap(b, ...)`, or nothing. Distinct pointers are
/// taken to mean distinct arrays, so what is written must be apart from the
/// rest.
Expr overlaps(const Context &c, llvm::ArrayRef<ArrayArgument> buffers);

/// Memory that holds parts of parameters, which must be apart from what is
/// written.
struct ObjectMemory {
  std::string object; // as Argument::memory
  Expr pointer, bytes;
};
/// The objects that need a test. To host code of C, which does not see them,
/// they are given as pointers: \p names has what these are called.
std::vector<ObjectMemory> objectMemory(const Context &c, Names &names);
/// `overlap(y, ...)` of outputs and these, or nothing.
Expr overlaps(const Context &c, llvm::ArrayRef<ArrayArgument> buffers,
              llvm::ArrayRef<ObjectMemory> objects);

/// `K != 7 || C < 4`: that one of the facts does not hold; or nothing.
Expr factsFail(const Context &c, const Names &names);

/// `conv_tiled_launch`, after what it calls where that is a function apart.
std::vector<FunctionDefinition> lowerLauncher(const Context &c, Names names);
/// `conv_tiled`, on host pointers, with the naive signature.
FunctionDefinition lowerReplacement(const Context &c, Names names);
/// `conv_tiled_dispatch`, what launches of the naive kernel become.
FunctionDefinition lowerDispatch(const Context &c, Names names);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_HOSTCODE_H
