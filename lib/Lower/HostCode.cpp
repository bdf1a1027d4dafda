//===- HostCode.cpp - What the host functions share -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCode.h"
#include "HostBuffers.h"
#include "Values.h"
#include "Vectors.h"
#include "convopt/Nest/DeviceParts.h"
#include "convopt/Nest/Touched.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Source/Comment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace convopt::lower {

/// `<a, b>`, or nothing without any.
static std::string inBrackets(ArrayRef<std::string> arguments) {
  return arguments.empty() ? "" : "<" + llvm::join(arguments, ", ") + ">";
}

std::string Context::templateArguments() const {
  return inBrackets(nest.function.templateArgs);
}

const Expr &Context::pointerOf(unsigned array) const {
  const auto &all = nest.function.arguments;
  return arguments[find_if(all,
                           [&](const Argument &a) {
                             return a.role == Argument::ArrayArg &&
                                    a.index == array;
                           }) -
                   all.begin()];
}

std::string instanceArguments(const Nest &nest, Instance instance,
                              ArrayRef<std::string> own) {
  std::vector<std::string> all;
  if (hasOffsetType(nest))
    all.push_back(instance.isSmall ? "int" : "long long");
  if (!alignedArrays(nest).empty())
    all.push_back(instance.isAligned ? "true" : "false");
  llvm::append_range(all, own);
  return inBrackets(all);
}

std::string Context::kernelArguments(const std::string &offset) const {
  if (offsetType.empty())
    return templateArguments();
  std::vector<std::string> args{offset};
  llvm::append_range(args, nest.function.templateArgs);
  return inBrackets(args);
}

std::string Context::argumentsInKernel() const {
  std::vector<std::string> all;
  for (const std::string &own : {offsetType, aligned})
    if (!own.empty())
      all.push_back(own);
  llvm::append_range(all, nest.function.templateArgs);
  return inBrackets(all);
}

std::string Context::templateHead() const {
  const std::string head = nest.function.templateHead();
  return head.empty() ? "" : head + "\n";
}

std::string Context::kernelTemplateHead(const std::string &aligned) const {
  std::vector<std::string> own;
  if (!offsetType.empty())
    own.push_back("typename " + offsetType);
  if (!aligned.empty())
    own.push_back("bool " + aligned);
  if (own.empty())
    return templateHead();
  if (!nest.function.templateParameters.empty())
    own.push_back(nest.function.templateParameters);
  return "template " + inBrackets(own) + "\n";
}

/// Whether every value of the parameter's type is one of int.
bool fitsInt(const Param &p) {
  StringRef type = StringRef(p.type).trim();
  type.consume_front("const ");
  const IntegerType i = integerType(type);
  return isBoolean(type) || (i.bits && i.bits <= 32 && i.isComputedSigned());
}

FunctionDefinition
define(const Context &c, std::string head,
       std::vector<FunctionDefinition::Parameter> parameters) {
  for (const program::VariableRef &v : c.seen)
    parameters.push_back({v, ""});
  return {std::move(head), std::move(parameters), {}};
}

/// What host code reads \p a from, which is no parameter.
static Expr taken(const Context &c, const Argument &a, const Type &type,
                  const LaunchConfiguration &launch) {
  if (a.launch)
    return known(a.launch->str(launch.grid.variable()->name,
                               launch.block.variable()->name),
                 type);
  const Expr source = known(a.text(), type);
  if (isOnDevice(c.nest.function, a)) {
    if (a.isGlobalArray())
      return Expr::cast(type, source);
    Expr value = call(c.helper(Helper::Fetch, "_fetch"),
                      {known(addressOnDevice(a)), launch.stream}, type);
    return a.isPresence
               ? Expr::binary(program::Op::NotEqual, value, known("nullptr"))
               : value;
  }
  if (!a.elements)
    return source;
  if (!c.nest.function.isKernel)
    return a.isGlobalArray() ? Expr::cast(type, source) : source;
  const std::string element = StringRef(type.name).rtrim("* ").str();
  Expr address = call(c.helper(Helper::Symbol, "_symbol<" + element + ">"),
                      {source}, type);
  return a.isGlobalArray() ? address
                           : call(c.helper(Helper::Fetch, "_fetch"),
                                  {address, launch.stream}, type);
}

std::vector<Expr> takeNaive(const Context &c, FunctionDefinition &f,
                            const LaunchConfiguration &launch) {
  const Function &naive = c.nest.function;
  std::vector<Expr> all;
  for (const Parameter &p : naive.signature()) {
    auto a = find_if(naive.arguments, [&](const Argument &a) {
      return !a.isPart() && a.name == p.name;
    });
    all.push_back(a == naive.arguments.end()
                      ? variable(handle(p.type), p.name)
                      : c.arguments[a - naive.arguments.begin()]);
    f.parameters.push_back({all.back().variable(), declare(p.type, p.name)});
  }
  for (const auto &[a, v] : zip_equal(naive.arguments, c.arguments))
    if (a.isPart())
      define(f.body, v, taken(c, a, v.type(), launch));
  return all;
}

std::vector<FunctionDefinition::Parameter> deviceParameters(const Context &c) {
  std::vector<FunctionDefinition::Parameter> all;
  for (const auto &[text, v] : zip_equal(hostParameters(c.nest), c.arguments))
    all.push_back({v.variable(), text});
  return all;
}

std::vector<Expr> passedArguments(const Context &c, const Names &names) {
  std::vector<Expr> all;
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, c.arguments))
    all.push_back(a.role == Argument::ParamArg ? names(paramVar(a.index)) : v);
  return all;
}

Expr factsFail(const Context &c, const Names &names) {
  std::vector<Constraint> all;
  for (const Assumption &a : c.options.facts)
    all.push_back(a.fact);
  return names.condition(all, /*negated=*/true);
}

Expr ArrayArgument::bytes() const {
  return bytesOf(elements, array->elementType);
}

std::vector<ArrayArgument> buffers(const Context &c, Names &names) {
  std::vector<ArrayArgument> result;
  for (const auto &[a, v] : zip_equal(c.nest.function.arguments, c.arguments))
    if (a.role == Argument::ArrayArg)
      result.push_back(
          {&a, &c.nest.arrays[a.index], v,
           variable(wide("size_t"), names.fresh(a.name + "_elements"), true)});
  return result;
}

/// The words of \p type but for qualifiers, and its stars.
static std::string unqualified(StringRef type) {
  std::string spaced;
  for (char c : type)
    spaced += c == '*' ? " * " : std::string(1, c == '@' ? ' ' : c);
  SmallVector<StringRef> words;
  StringRef(spaced).split(words, ' ', -1, /*KeepEmpty=*/false);
  erase_if(words, [](StringRef w) {
    return w == "const" || w.trim('_') == "restrict";
  });
  return join(words, " ");
}

Expr toElements(const Argument &a, const Array &array, const Expr &pointer) {
  return unqualified(a.type) == unqualified(array.elementType + "*")
             ? pointer
             : Expr::cast(lower::pointer(array.elementType), pointer);
}

/// \p text as a string of C.
static Expr quoted(StringRef text) {
  std::string literal;
  raw_string_ostream(literal).write_escaped(text);
  return known("\"" + literal + "\"");
}

Expr refusal(const Context &c, const char *error, const std::string &needs) {
  return call(c.helper(Helper::Fallback, "_refuse"),
              {known(error), quoted(needs)});
}

void beginRefusals(const Context &c, Block &b) {
  add<program::CallStmt>(
      b, call(c.helper(Helper::Fallback, "_begin"), {}, handle("void")));
}

void take(const Context &c, const Expr &error, const Expr &memory,
          const Expr &elements, const std::string &type, const Expr &stream,
          const std::string &what, Block &b) {
  define(b, memory, known("nullptr"));
  step(b, error,
       call(c.helper(Helper::Take, "_take"),
            {Expr::unary(program::Op::AddressOf, memory),
             bytesOf(elements, type), stream, quoted(what)}),
       Expr::binary(program::Op::NotEqual, elements, 0));
}

void refuseWhere(const Context &c, Block &b, Expr condition, const char *error,
                 const std::string &needs) {
  if (!condition)
    return;
  // A version is passed over, and its refusal is nobody's.
  Block &refused = where(b, std::move(condition), /*isBraced=*/false,
                         c.isVersion() ? forComment(needs) : "");
  add<program::Return>(refused,
                       c.isVersion() ? known(error) : refusal(c, error, needs));
}

void endWhereEmpty(Block &b, Expr condition) {
  if (condition)
    add<program::Return>(where(b, std::move(condition), /*isBraced=*/false,
                               "nothing to compute"),
                         known("cudaSuccess"));
}

Expr elementCount(const Context &c, std::vector<Expr> extents) {
  return call(c.helper(Helper::Elements, "_elements"),
              {Expr::list(std::move(extents))}, wide("size_t"));
}

void defineElements(const Context &c, ArrayRef<ArrayArgument> buffers,
                    const Names &names, Block &b) {
  auto count = [&](ArrayRef<IndexExpr> extents) {
    std::vector<Expr> all;
    for (const IndexExpr &e : extents)
      all.push_back(names.wideValue(e));
    return elementCount(c, std::move(all));
  };
  for (const ArrayArgument &a : buffers) {
    std::vector<Expr> bounds;
    for (const IndexExpr &e : a.array->footprint)
      bounds.push_back(count(e));
    if (bounds.empty())
      bounds.push_back(count(a.array->extents));
    Expr elements = bounds.size() == 1
                        ? bounds[0]
                        : call(algorithm("std::min"), {Expr::list(bounds)},
                               wide("size_t"));
    if (c.isOfSequence)
      if (const Expr touched =
              names.condition(touchedWhere(c.source, a.argument->index)))
        elements = Expr::select(touched, elements, known("0", wide("size_t")));
    define(b, a.elements, elements);
  }
}

static Expr overlap(const Context &c, const ArrayArgument &a, const Expr &with,
                    const Expr &bytes) {
  return call(c.helper(Helper::Overlap, "_overlap"),
              {a.pointer, a.bytes(), with, bytes}, Type::boolean());
}

bool isTouched(const Context &c, const ArrayArgument &a) {
  return c.options.part.empty() || touches(c.source.body, a.argument->index);
}

Expr overlaps(const Context &c, ArrayRef<ArrayArgument> buffers) {
  Expr any;
  for (size_t i = 0; i != buffers.size(); ++i)
    for (const ArrayArgument &b : buffers.drop_front(i + 1)) {
      const ArrayArgument &a = buffers[i];
      if (a.array->role != Array::Input || b.array->role != Array::Input)
        any = either(any, overlap(c, a, b.pointer, b.bytes()));
    }
  return any;
}

std::vector<ObjectMemory> objectMemory(const Context &c, Names &names) {
  std::vector<ObjectMemory> all;
  for (const std::string &o : c.nest.function.objectsToTest())
    if (c.options.isC)
      all.push_back(
          {o, variable(handle("const void *"), names.fresh("object")),
           variable(wide("unsigned long long"), names.fresh("object_bytes"))});
    else
      all.push_back({o, known("&(" + o + ")"),
                     known("sizeof(" + o + ")", wide("size_t"))});
  return all;
}

Expr overlaps(const Context &c, ArrayRef<ArrayArgument> buffers,
              ArrayRef<ObjectMemory> objects) {
  Expr any;
  for (const ObjectMemory &o : objects)
    for (const ArrayArgument &a : buffers)
      if (a.array->role != Array::Input)
        any = either(any, overlap(c, a, o.pointer, o.bytes));
  return any;
}

} // namespace convopt::lower

namespace convopt {

bool isRefusal(const program::Expr &e) {
  return e.kind() == program::Expr::Call &&
         e.function().helper == program::Helper::Fallback &&
         e.type() == lower::errorType();
}

} // namespace convopt
