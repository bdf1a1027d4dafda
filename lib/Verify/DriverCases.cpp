//===- DriverCases.cpp - The shapes that a driver runs --------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "ShapeCheck.h"
#include "convopt/Nest/Arithmetic.h"

using namespace llvm;

namespace convopt {
namespace verify {

std::string quote(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text);
  os << '"';
  return os.str();
}

/// Launches with sizes alone: nothing may be touched where facts do not hold.
void DriverPrinter::printRefusal() {
  printScope("namespace ", " {");
  if (!f.templateParameters.empty())
    os << f.templateHead() << "\n";
  os << "[[maybe_unused]] static void convopt_refusal(const char "
        "*convopt_shape, "
        "bool convopt_room"
     << sizeParameters() << ") {\n";
  printScalars();
  // What a type cannot hold would be another size.
  for (const auto &[id, p] : enumerate(nest.params))
    if (!p.definition && !p.isTemplate) {
      const std::string size = driverName(nest, paramVar(id));
      os << "  if (static_cast<int64_t>(static_cast<std::decay_t<" << p.type
         << ">>(" << size << ")) != " << size << ")\n    return;\n";
    }
  os << "  convopt_verify::requireRefused(convopt_shape, convopt_room, [&] { "
        "return "
     << launch("nowhere") << "; });\n}\n\n";
  printScope("", "}");
}

/// `<float, 3>`, or nothing.
std::string DriverPrinter::spelling(const Shape &s) const {
  const TemplateInstance spelled = convopt::templateArguments(nest, s);
  return spelled.empty() ? "" : "<" + join(spelled, ", ") + ">";
}

/// `ns::`, or nothing. What has no name is found without one.
std::string DriverPrinter::scopePrefix() const {
  std::string prefix = "::";
  for (const std::string &name : options.scope)
    prefix += name.empty() ? "" : name + "::";
  return prefix;
}

std::string DriverPrinter::sizeArguments(const Shape &s) const {
  std::string text;
  for (const Param &p : nest.params)
    if (!p.definition && !p.isTemplate)
      text += ", INT64_C(" + std::to_string(s.sizes.at(p.name)) + ")";
  return text;
}

std::string DriverPrinter::sizeParameters() const {
  std::string text;
  for (const auto &[id, p] : enumerate(nest.params))
    if (!p.definition && !p.isTemplate)
      text += ", [[maybe_unused]] int64_t " + driverName(nest, paramVar(id));
  return text;
}

void DriverPrinter::printCaseCall(const Shape &s) {
  os << "  " << scopePrefix() << "convopt_case" << spelling(s) << "("
     << quote(printShape(nest, s)) << ", "
     << format("%.6e", countStatements(nest, s)) << sizeArguments(s) << ");\n";
}

/// Whether host functions copy what the kernel takes, as nothing that they ask
/// for is missing.
bool DriverPrinter::holdsAssumptions(const Shape &s) const {
  const auto values = paramValues(nest, s);
  return all_of(nest.assumptions,
                [&](const Assumption &a) { return holds(a.fact, values); });
}

/// The smallest shape that computes something, of those with which the kernel
/// runs if there are any, runs once more, last, as what falls back says so
/// once.
void DriverPrinter::printFallbackCase() {
  if (f.isKernel)
    return;
  const Shape *least = nullptr;
  auto rank = [&](const Shape &s) {
    return std::pair(!holdsAssumptions(s), countStatements(nest, s));
  };
  for (const Shape &s : options.shapes)
    if (countStatements(nest, s) > 0 && (!least || rank(s) < rank(*least)))
      least = &s;
  if (!least)
    return;
  os << "  if (!convopt_verify::onGpu) {\n"
     << "  convopt_verify::state.isFallback = true;\n";
  printCaseCall(*least);
  os << "  }\n";
}

/// Whether nothing but one constant is stored to \p array of \p nest: contents
/// before tell whether it was.
static bool isFilled(const Nest &nest, const Array &array) {
  std::set<StringRef> values;
  for (const StatementPath &p : statements(nest)) {
    const Statement &s = *p.statement;
    if (&nest.arrays[s.target.array] != &array)
      continue;
    const bool mayVary = rhsOf(nest, s).any([&](const CExpr &e) {
      return any_of(nest.function.arguments,
                    [&](const Argument &a) { return a.name == e.token; });
    });
    if (s.op != Statement::Op::Assign || !s.operands.empty() || mayVary)
      return false;
    values.insert(s.text);
  }
  return values.size() == 1;
}

void DriverPrinter::printMain() {
  os << "int main(int argc, char **argv) {\n"
     << "  convopt_verify::start(argc, argv);\n";
  if (!options.versions.empty()) {
    os << "  convopt_verify::state.kernels = {";
    for (const VerifyOptions::Version &version : options.versions)
      os << quote(version.name) << ", ";
    os << quote(f.name + options.suffix) << "};\n"
       << "  convopt_verify::state.toRun = {";
    for (const std::string &kernel : options.kernelsToRun)
      os << quote(kernel) << ", ";
    os << "};\n";
  }
  os << "  convopt_verify::coverage = {";
  for (const std::string &name : coverageNames(nest))
    os << "{" << quote(name) << "}, ";
  os << "};\n  convopt_verify::outputs = {";
  for (const Array *a : arrays)
    if (a->role != Array::Input && !isFilled(nest, *a))
      os << "{" << quote(a->name) << "}, ";
  os << "};\n";
  bool isCopied = true;
  for (const Shape &s : options.shapes) {
    const bool isNext = holdsAssumptions(s);
    if (isNext != isCopied)
      os << "  convopt_verify::state.isCopied = " << (isNext ? "true" : "false")
         << ";\n";
    isCopied = isNext;
    printCaseCall(s);
  }
  printFallbackCase();
  for (bool hasRoom : {true, false})
    for (const Shape &s : hasRoom ? options.refused : options.withoutRoom)
      os << "  " << scopePrefix() << "convopt_refusal" << spelling(s) << "("
         << quote(printShape(nest, s)) << (hasRoom ? ", true" : ", false")
         << sizeArguments(s) << ");\n";
  os << "  return convopt_verify::finish();\n}\n";
}

} // namespace verify
} // namespace convopt
