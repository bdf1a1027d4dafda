//===- DriverObjects.cpp - Objects and variables of the file --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The naive function takes parts of its arguments and variables of the file,
/// which a driver sets before each call.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Reference.h"
#include "convopt/Lower/Signature.h"
#include "convopt/Nest/DeviceParts.h"

using namespace llvm;

namespace convopt {
namespace verify {

/// Copies \p bytes between the variable of the file that \p a is and `at`.
std::string DriverPrinter::copyVariable(const Argument &a, StringRef at,
                                        StringRef bytes, bool isBack) const {
  const bool isSymbol = f.isKernel && !isOnDevice(f, a);
  const std::string call =
      isSymbol ? isBack ? "cudaMemcpyFromSymbol(" : "cudaMemcpyToSymbol("
               : "std::memcpy(";
  const std::string variable =
      isSymbol || a.isGlobalArray() ? a.source : "&" + a.source;
  const std::string whole =
      call +
      (isBack ? at.str() + ", " + variable : variable + ", " + at.str()) +
      ", " + bytes.str() + ")";
  return isSymbol
             ? "convopt_verify::require(" + whole + ", \"" + a.name + "\"); "
             : whole + "; ";
}

/// Gives the container of \p a its elements, as many as the nest touches where
/// it does not ask how many there are.
std::string DriverPrinter::fillContainer(const Argument &a) const {
  const bool isArray = a.role == Argument::ArrayArg;
  if (!isArray)
    return "convopt_verify::resize(" + a.container + ", " +
           driverName(nest, paramVar(a.index)) + "); ";
  const std::string array = arrayName(nest.arrays[a.index]);
  const bool hasSize = any_of(f.arguments, [&](const Argument &o) {
    return o.role == Argument::ParamArg && o.container == a.container;
  });
  return (hasSize ? "" : array + ".fit(" + a.container + "); ") + array +
         ".copyTo(" + a.container + "); ";
}

std::string recordsOf(StringRef source) {
  return source.starts_with("(") ? source.split(')').second.str() : "";
}

/// A statement that has \p source lead to, or be, \p value. A pointer to
/// structures, of which \p source is the numbers, is converted back.
static std::string setSource(StringRef source, const std::string &value) {
  const std::string pointer = recordsOf(source);
  return pointer.empty() ? source.str() + " = " + value + "; "
                         : pointer + " = (std::decay_t<decltype(" + pointer +
                               ")>)(" + value + "); ";
}

/// Statements that set the objects whose parts are arguments, and variables.
/// Containers have their sizes before they are filled.
std::string DriverPrinter::setObjects(StringRef where) const {
  std::string sizes, text;
  if (options.isLocal)
    return text;
  for (const Argument &a : f.arguments) {
    if (!a.isPart() || a.isPresence || a.launch || a.isConst)
      continue;
    if (!a.container.empty()) {
      (a.role == Argument::ArrayArg ? text : sizes) += fillContainer(a);
    } else if (a.isGlobalArray()) {
      const std::string array = arrayName(nest.arrays[a.index]);
      text += copyVariable(a, array + ".hostData()", array + ".bytes()", false);
    } else if (a.elements && f.isKernel) {
      text += "{ const std::decay_t<decltype(" + a.source +
              ")> convopt_value = " + valueOf(a, where) + "; " +
              copyVariable(a, "&convopt_value", "sizeof convopt_value", false) +
              "} ";
    } else {
      text += setSource(a.source, valueOf(a, where));
    }
  }
  return sizes + text;
}

/// Statements that set what the file of C declares and the driver defines.
std::string DriverPrinter::setExterns() const {
  std::string text;
  for (const Argument &a : f.arguments)
    if (a.isExtern && options.isC) {
      const std::string array =
          a.isGlobalArray() ? arrayName(nest.arrays[a.index]) : "";
      text += array.empty()
                  ? "::" + a.source + " = " + valueOf(a, "host") + "; "
                  : "std::memcpy(::" + a.source + ", " + array +
                        ".hostData(), " + array + ".bytes()); ";
    }
  return text;
}

/// Definitions of the variables that another file of the program defines.
void DriverPrinter::printExterns() {
  for (const Argument &a : f.arguments) {
    if (!a.isExtern)
      continue;
    const std::string name = StringRef(a.source).ltrim(':').str();
    if (options.isC) {
      const std::string whole = a.isGlobalArray()
                                    ? nest.arrays[a.index].elementType + " @[" +
                                          std::to_string(a.elements) + "]"
                                    : a.type;
      os << "extern \"C\" { " << declare(whole, name) << "; }\n";
      continue;
    }
    // The global scope is not named.
    os << "decltype(" << a.source << ") ("
       << (name.find("::") == std::string::npos ? name : a.source) << ")";
    // Nothing but this gives it a value.
    if (a.isConst) {
      os << " = {";
      for (int64_t k = 0; k != a.elements; ++k)
        os << (k ? ", " : "") << 1 + k % 5;
      os << "}";
    }
    os << ";\n";
  }
}

/// Statements that read what a call wrote to arrays of the file and to
/// containers.
std::string DriverPrinter::getResults() const {
  std::string text;
  for (const Argument &a : f.arguments) {
    if (a.role != Argument::ArrayArg || options.isLocal ||
        nest.arrays[a.index].role == Array::Input)
      continue;
    const std::string array = arrayName(nest.arrays[a.index]);
    if (a.isGlobalArray())
      text += copyVariable(a, array + ".data()", array + ".bytes()", true);
    else if (!a.container.empty())
      text += array + ".copyFrom(" + a.container + "); ";
  }
  return text;
}

/// Arrays that nothing can be written to hold what they are defined with.
void DriverPrinter::printConstants() {
  for (const Argument &a : f.arguments)
    if (a.isGlobalArray() && a.isConst) {
      const std::string array = arrayName(nest.arrays[a.index]);
      const std::string values =
          options.isC ? "std::memcpy(" + array + ".initialData(), " + f.name +
                            options.suffix + "_original_" + a.source + "(), " +
                            array + ".bytes())"
                      : copyVariable(a, array + ".initialData()",
                                     array + ".bytes()", true);
      os << "    " << values << ";\n";
    }
}

/// \p a as a parameter of type \p type. Where overloads take other pointers, it
/// is converted before.
std::string DriverPrinter::naiveArgument(const Argument &a, StringRef type,
                                         StringRef where) const {
  const std::string value = valueOf(a, where);
  if (!options.isOverloaded || a.role != Argument::ArrayArg ||
      type.contains('&'))
    return value;
  return "static_cast<std::decay_t<" + declare(type, "") + ">>(" + value + ")";
}

/// The arguments of the function as it is written.
std::string DriverPrinter::naiveArguments(StringRef where) const {
  std::vector<std::string> parts;
  if (!f.hasParts() || options.isLocal) {
    for (const Argument &a : f.arguments)
      parts.push_back(naiveArgument(a, a.type, where));
    return join(parts, ", ");
  }
  for (const Parameter &p : f.parameters) {
    parts.push_back(p.name);
    for (const Argument &a : f.arguments)
      if (!a.isPart() && a.name == p.name)
        parts.back() = naiveArgument(a, p.type, where);
  }
  return join(parts, ", ");
}

void DriverPrinter::printObjects() {
  if (options.isLocal)
    return;
  for (const Parameter &p : f.parameters) {
    if (p.object.empty())
      continue;
    const std::string count = std::to_string(p.elements);
    const bool isValue = p.object.back() == ')';
    if (isOnDevice(f, p)) {
      os << "  static auto *" << p.name << " = convopt_verify::managed<"
         << (isValue ? "decltype(" + p.object + ")" : p.object) << ">(" << count
         << ");\n";
      continue;
    }
    if (isValue) {
      os << "  std::vector convopt_" << p.name << "("
         << std::max(p.elements, 1u) << ", " << p.object << ");\n  auto "
         << (p.elements ? "*" + p.name + " = convopt_" + p.name + ".data()"
                        : "&" + p.name + " = convopt_" + p.name + ".front()")
         << ";\n";
      continue;
    }
    const bool isPointed =
        StringRef(p.type).find_first_of("*[") != StringRef::npos;
    os << "  " << declare(p.object, p.name)
       << (!p.elements ? "{}"
           : isPointed ? "[" + count + "]{}"
                       : "(" + count + ")") // a container
       << ";\n";
  }
}

/// The call of the function that replaces the naive one.
std::string DriverPrinter::replacement() const {
  const std::string name = hostName(f, options.isC, options.suffix);
  if (!options.isC || !f.hasParts())
    return setObjects("host") + name + templateArguments() + "(" +
           naiveArguments("host") + "); " + getResults();
  std::string objects;
  for (size_t k = 0; k != f.objectsToTest().size(); ++k)
    objects += ", nullptr, 0";
  return setExterns() + "if (!" + name + "(" + arguments("host") + objects +
         ")) " + naiveName() + "(" + arguments("host") + ");";
}

} // namespace verify
} // namespace convopt
