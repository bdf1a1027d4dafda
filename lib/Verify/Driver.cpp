//===- Driver.cpp - The verification driver -------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A driver is the runtime (DriverRuntime.h), the emitted file, one function
/// `convopt_case` for the nest, and a `main` that calls it for each shape:
///
///   convopt_case(shape text, operations, sizes...):
///     for integer data, then random data:
///       fill; reference; naive; tiled through each of its entry points;
///       compare after each; versions by themselves, where they take it
///
/// and `convopt_refusal`, which launches with sizes that are to be refused.
///
//===----------------------------------------------------------------------===//

#include "Driver.h"
#include "Reference.h"
#include "Run.h"
#include "ShapeCheck.h"
#include "convopt/Emit/Assemble.h"
#include "convopt/Lower/Signature.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/OptionalArrays.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/RhsText.h"

using namespace llvm;

namespace convopt {
namespace verify {

Error DriverPrinter::check() const {
  for (const Array *a : arrays)
    if (!isArgument(*a) && !(f.isKernel && a->role == Array::Input))
      return refuse("verify",
                    "'" + a->name + "' is no argument of '" + f.name +
                        "', so its results cannot be compared",
                    a->range, "pass the array as an argument");
  for (const Parameter &p : f.parameters)
    if (p.object.empty() && none_of(f.arguments, [&](const Argument &a) {
          return !a.isPart() && a.name == p.name;
        }))
      return refuse("verify",
                    "no '" + p.name + "' can be made to call '" + f.name +
                        "' with: its parts cannot be set from outside",
                    f.range,
                    "make what the nest reads of it public, and sizes fields "
                    "of it, not what these point at");
  if (options.shapes.empty())
    return make_error<Refusal>(ExitStatus::Missing, "verify",
                               "no sizes are known to run '" + f.name +
                                   "' with",
                               f.range, "give them with -shape=");
  for (const Shape &s : options.shapes)
    RETURN_IF_ERROR(checkShape(nest, s, /*mayBeEmpty=*/true));
  return Error::success();
}

/// The value of \p a, an array from `where()` ("device"); "nowhere" is what
/// launches have that are to be refused.
std::string DriverPrinter::valueOf(const Argument &a, StringRef where) const {
  if (a.role == Argument::ScalarArg)
    return a.name;
  if (a.role == Argument::ParamArg) {
    const std::string name = driverName(nest, paramVar(a.index));
    // As overloads for other integers may be there.
    return a.type == "int @" ? "int(" + name + ")"
                             : "static_cast<std::decay_t<" +
                                   StringRef(declare(a.type, "")).trim().str() +
                                   ">>(" + name + ")";
  }
  const Array &array = nest.arrays[a.index];
  std::optional<unsigned> isThere = presenceOf(f, a);
  const std::string there =
      isThere ? driverName(nest, paramVar(*isThere)) : "true";
  return where == "nowhere"
             ? "convopt_verify::nowhere<" + array.elementType + ">(" +
                   std::to_string(a.index) + ", " + there + ")"
             : arrayName(array) + "." + where.str() + "(" + there + ")";
}

/// The launcher's arguments but for the stream, arrays from `where()`.
std::string DriverPrinter::arguments(StringRef where) const {
  std::vector<std::string> parts;
  for (const Argument &a : f.arguments)
    parts.push_back(valueOf(a, where));
  return join(parts, ", ");
}

/// What the driver calls.
std::string DriverPrinter::naiveName() const {
  return f.name + (options.isLocal ? options.suffix + "_original" : "") +
         templateArguments();
}

/// Opens or closes the namespaces of the function, so that all names that it
/// uses mean in the driver what they mean in the source.
void DriverPrinter::printScope(StringRef before, StringRef after) {
  for (const std::string &name : options.scope)
    os << before << (before.empty() ? "" : name) << after;
  os << (options.scope.empty() ? "" : "\n");
}

std::string DriverPrinter::preamble(StringRef emittedFile) const {
  std::string text;
  raw_string_ostream os(text);
  os << "// Verification of '" << f.name << options.suffix
     << "', written by convopt. It runs the naive and the\n"
        "// tiled code on the same data and exits 0, or 3 after a mismatch.\n";
  if (!f.isKernel)
    os << "// nvcc options: --fmad=false\n"
          "// (the naive function runs on the host, which does not contract "
          "a * b + c)\n";
  os << "#include <cuda_runtime.h>\n\n"
     << driverRuntimeText() << "\n#define main convopt_user_main\n#include "
     << '"' << emittedFile << "\"\n#undef main\n\n";
  return text;
}

void DriverPrinter::printSizes() {
  for (const auto &[id, p] : enumerate(nest.params)) {
    std::string name = driverName(nest, paramVar(id));
    if (p.definition)
      os << "  [[maybe_unused]] const int64_t " << name << " = "
         << exprText(nest, *p.definition) << ";\n";
    else if (p.isTemplate)
      os << "  [[maybe_unused]] const int64_t " << name << " = " << p.name
         << ";\n";
  }
}

void DriverPrinter::printScalars() {
  for (const auto &[k, a] : enumerate(f.arguments))
    if (a.role == Argument::ScalarArg) {
      std::string type = "convopt_scalar_" + std::to_string(k);
      os << "  typedef " << declare(a.type, type) << ";\n"
         << "  [[maybe_unused]] std::decay_t<" << type << "> " << a.name
         << "{};\n"
         << "  convopt_verify::takeScalar<decltype(" << a.name << ")>();\n";
    }
}

/// Other values with each draw of data. What a text shifts by is not negative,
/// nor is anything else in it.
void DriverPrinter::printScalarValues() {
  for (const auto &[k, a] : enumerate(f.arguments)) {
    if (a.role != Argument::ScalarArg)
      continue;
    const bool positive = any_of(statements(nest), [&](const StatementPath &p) {
      const CExpr rhs = rhsOf(nest, *p.statement);
      return hasShift(rhs) && rhs.any([&](const CExpr &e) {
        return e.kind == CExpr::Name && e.token == a.name;
      });
    });
    os << "    " << a.name << " = convopt_verify::scalar<decltype(" << a.name
       << ")>(" << k << ", " << (positive ? "true" : "false") << ");\n";
  }
}

/// Draws what a pass runs on.
void DriverPrinter::printData() {
  os << "    const auto convopt_data = [&] {\n";
  printScalarValues();
  printEach("@.fill()");
  printConstants();
  os << "    };\n    convopt_data();\n";
}

/// Whether some element is an integer or becomes one, as C++ that a condition
/// begins with, where it takes the template's types to tell; "!" where there
/// are some, and "" where there are none.
std::string DriverPrinter::hasIntegers() const {
  if (!isFloating(nest))
    return "!";
  std::vector<std::string> types = f.typeParams;
  for (const Argument &a : f.arguments)
    if (a.role == Argument::ScalarArg)
      types.push_back("decltype(" + a.name + ")");
  return types.empty()
             ? ""
             : "convopt_verify::anyIntegral<" + join(types, ", ") + ">() && !";
}

void DriverPrinter::printArrays() {
  static const char *const roles[] = {"Input", "Output", "InOut"};
  for (const Array *a : arrays) {
    std::vector<std::string> extents;
    for (const IndexExpr &e : a->extents)
      extents.push_back(exprText(nest, e));
    if (extents.empty())
      extents.push_back("1");
    os << "  convopt_verify::Array<" << a->elementType << "> " << arrayName(*a)
       << "(" << quote(a->name) << ", convopt_verify::Role::" << roles[a->role]
       << ",\n      {" << join(extents, ", ") << "});\n";
  }
  for (const Argument &a : f.arguments)
    if (const std::string records = recordsOf(a.source); !records.empty())
      os << "  " << arrayName(nest.arrays[a.index]) << ".alignTo(alignof("
         << "std::decay_t<decltype(*" << records << ")>));\n";
  for (const Argument &a : f.arguments)
    if (a.numbersEach != 1)
      os << "  " << arrayName(nest.arrays[a.index]) << ".holdStructures("
         << a.numbersEach << ");\n";
  // What is declared is there.
  for (const Argument &a : f.arguments)
    if (a.isGlobalArray())
      os << "  " << arrayName(nest.arrays[a.index]) << ".atLeast(" << a.elements
         << ");\n";
}

/// `code` for every array, `@` standing for it.
void DriverPrinter::printEach(StringRef code) {
  for (const Array *a : arrays)
    os << "    " << declare(code, arrayName(*a)) << ";\n";
}

void DriverPrinter::printUpload() {
  for (const Array *a : arrays)
    if (isArgument(*a))
      os << "    " << arrayName(*a) << ".upload();\n";
    else
      os << "    convopt_verify::require(cudaMemcpyToSymbol(" << a->name << ", "
         << arrayName(*a) << ".hostData(), " << arrayName(*a)
         << ".bytes()), \"cudaMemcpyToSymbol\");\n";
}

/// Grid and block of the smallest launch that covers the output, then it.
void DriverPrinter::printNaiveGrid() {
  std::vector<std::string> grid;
  for (unsigned d = 0; d != 3; ++d) {
    if (f.gridText[d].empty()) {
      grid.push_back("convopt_verify::ceilDiv(" +
                     exprText(nest, f.grid[d].expr) + ", " +
                     std::to_string(f.grid[d].divisor) + ")");
      if (f.grid[d].expr.isZero())
        grid.back() = "1";
      continue;
    }
    // Source text: over the sizes under their own names.
    std::string text = "[&]() -> int64_t {";
    for (const auto &[id, p] : enumerate(nest.params))
      if (!p.isTemplate)
        text += " [[maybe_unused]] const " + p.type + " " + p.name + " = " +
                driverName(nest, paramVar(id)) + ";";
    grid.push_back(text + " return " + f.gridText[d] + "; }()");
  }
  os << "    dim3 convopt_grid = convopt_verify::gridOf("
     << join(grid, ",\n        ") << ");\n"
     << "    const dim3 convopt_block(" << exprText(nest, f.block[0]) << ", "
     << exprText(nest, f.block[1]) << ", " << exprText(nest, f.block[2])
     << ");\n";
}

void DriverPrinter::printNaiveLaunch() {
  std::string callee = f.name + templateArguments();
  std::string all = naiveArguments("device");
  os << "    " << setObjects("device") << "\n";
  os << "#ifdef __CUDACC__\n"
     << "    " << callee << "<<<convopt_grid, convopt_block>>>(" << all
     << ");\n"
     << "#else\n"
     << "    ::cuda_on_cpu::launch(convopt_grid, convopt_block, 0, 0, [&] { "
     << callee << "(" << all << "); });\n"
     << "#endif\n";
}

void DriverPrinter::printNaive() {
  printEach("@.reset()");
  if (f.isKernel) {
    printUpload();
    os << "    if (convopt_verify::hasBlocks(convopt_grid)) {\n";
    printNaiveLaunch();
    os << "    convopt_verify::requireRan();\n    }\n";
    printDownload();
    os << "    " << getResults() << "\n";
  } else {
    os << "    " << setObjects("host") << setExterns() << naiveName() << "("
       << naiveArguments("host") << "); " << getResults() << "\n";
  }
}

void DriverPrinter::printDownload() {
  for (const Array *a : arrays)
    if (isArgument(*a))
      os << "    " << arrayName(*a) << ".download();\n";
}

/// Runs a version by itself and compares, where it takes the shape.
void DriverPrinter::printVersion(const VerifyOptions::Version &version) {
  os << "\n    convopt_verify::state.variant = "
     << quote(version.name + "_launch") << ";\n";
  printEach("@.reset()");
  printUpload();
  os << "    convopt_taken = false;\n    convopt_error = " << version.name
     << "_launch" << templateArguments() << "(" << arguments("device")
     << (f.arguments.empty() ? "" : ", ") << "nullptr, convopt_taken"
     << (version.hasLeastBlocks ? ", 0" : "") << ");\n"
     << "    if (convopt_taken) {\n"
     << "    convopt_verify::require(convopt_error, \"launch\");\n"
     << "    convopt_verify::requireRan();\n";
  printDownload();
  printEach("@.check(convopt_bits)");
  const bool isGeneral = version.name == options.generalName;
  os << "    convopt_verify::take("
     << quote(isGeneral ? f.name + options.suffix : version.name) << ", "
     << (version.hasLeastBlocks || isGeneral ? "false" : "true")
     << ");\n    }\n";
}

/// Runs one entry point of the tiled code on fresh data and compares.
void DriverPrinter::printVariant(StringRef name, bool device, StringRef call) {
  os << "\n    convopt_verify::state.variant = " << quote(name) << ";\n";
  printEach("@.reset()");
  os << "    convopt_verify::takeKernels();\n";
  if (device) {
    printUpload();
    os << "    " << call << "\n    convopt_verify::requireRan();\n";
    printDownload();
    if (name.ends_with("_dispatch"))
      os << "    " << getResults() << "\n";
  } else {
    os << "    const size_t convopt_live = convopt_verify::liveAllocations();\n"
       << "    convopt_verify::meanwhile([&] {\n";
    printEach("@.changeOthers()");
    os << "    });\n    " << call << "\n    convopt_verify::meanwhile({});\n"
       << "    convopt_verify::requireRan();\n"
       << "    if (convopt_verify::liveAllocations() != convopt_live)\n"
       << "      convopt_verify::fail(\"left device memory allocated\");\n";
  }
  printEach("@.check(convopt_bits)");
  if (name.ends_with("_launch"))
    os << "    convopt_verify::state.kernelsOfLauncher = "
          "convopt_verify::takeKernels();\n";
  else
    os << "    convopt_verify::requireKernel();\n";
}

/// What the function does where the naive code has to run, in place of all
/// else: with arrays that overlap, and where the device has no memory.
void DriverPrinter::printFallback() {
  os << "    if (convopt_verify::state.isFallback) {\n"
     << "    const auto convopt_tiled = [&] {\n";
  printEach("@.reset()");
  os << "    " << replacement() << "\n    };\n";
  if (options.refusesOverlap)
    printOverlapOfHost();
  os << "    convopt_verify::state.variant = "
     << quote(f.name + options.suffix + " without memory of the device")
     << ";\n"
     << "    convopt_verify::setFull(true);\n    convopt_tiled();\n"
     << "    convopt_verify::setFull(false);\n"
     << "    convopt_verify::require(cudaGetLastError(), \"after the naive "
        "code\");\n";
  printEach("@.check(convopt_bits)");
  os << "    return;\n    }\n";
}

/// Each pair of arrays of which the nest writes one. The source says that there
/// is no such call of what it declares restrict, and memory of containers and
/// of the file is its own.
void DriverPrinter::printOverlapOfHost() {
  os << "    convopt_verify::state.variant = "
     << quote(f.name + options.suffix + " with arrays that overlap") << ";\n";
  std::vector<const Array *> movable;
  for (const Argument &a : f.arguments)
    if (a.role == Argument::ArrayArg && !a.isGlobalArray() &&
        a.container.empty() && !StringRef(a.type).contains("restrict"))
      movable.push_back(&nest.arrays[a.index]);
  for (const Array *out : movable)
    for (const Array *in : movable)
      if (out != in && out->role != Array::Input &&
          (in->role == Array::Input || out < in))
        os << "    convopt_verify::requireNaive(" << arrayName(*out) << ", "
           << arrayName(*in) << ", convopt_naive, convopt_tiled);\n";
}

/// A call of the launcher with arrays from `where()`.
std::string DriverPrinter::launch(StringRef where) const {
  return f.name + options.suffix + "_launch" + templateArguments() + "(" +
         arguments(where) + (f.arguments.empty() ? "" : ", ") + "nullptr)";
}

/// Arrays of which one begins with the last byte of another are refused.
void DriverPrinter::printOverlap() {
  os << "    if (convopt_pass == 0)\n      convopt_verify::requireDistinct({";
  for (const auto &[k, a] : enumerate(nest.arrays))
    if (isArgument(a))
      os << "{" << k << ", " << (a.role == Array::Input ? "true" : "false")
         << ", " << arrayName(a) << ".touchedBytes()}, ";
  os << "},\n          [&] { return " << launch("nowhere") << "; });\n";
}

std::string DriverPrinter::dispatch() const {
  return setObjects("device") + f.name + options.suffix + "_dispatch" +
         templateArguments() + "(convopt_grid, convopt_block, 0, nullptr" +
         (f.arguments.empty() ? "" : ", ") + naiveArguments("device") + ");";
}

/// Of a launch that leaves out blocks, the dispatch makes what the naive kernel
/// does.
void DriverPrinter::printFewerBlocks() {
  os << "    if (convopt_pass == 0 && convopt_bits && "
        "convopt_verify::dropBlock(convopt_grid)) {\n"
     << "    convopt_verify::state.variant = \"naive of fewer blocks\";\n"
     << "    convopt_naive();\n";
  printEach("@.keepPart()");
  os << "    convopt_verify::state.variant = \"dispatch of fewer blocks\";\n";
  printEach("@.reset()");
  printUpload();
  os << "    " << dispatch() << "\n    convopt_verify::requireRan();\n";
  printDownload();
  os << "    " << getResults() << "\n";
  printEach("@.checkPart()");
  os << "    }\n";
}

void DriverPrinter::printCase() {
  printExterns();
  for (const Argument &a : f.arguments)
    if (a.isGlobalArray() && a.isConst && options.isC)
      os << "extern \"C\" const void *" << f.name << options.suffix
         << "_original_" << a.source << "(void);\n";
  printScope("namespace ", " {");
  os << options.generalLauncher << "\n";
  if (!f.templateParameters.empty())
    os << f.templateHead() << "\n";
  os << "static void convopt_case(const char *convopt_shape, double "
        "convopt_work"
     << sizeParameters() << ") {\n";
  auto hasAny = [&](bool (*is)(const CExpr &)) {
    return any_of(statements(nest), [&](const StatementPath &p) {
      return is(rhsOf(nest, *p.statement));
    });
  };
  if (!options.signedZeros)
    os << "  convopt_verify::state.signedZeros = false;\n";
  // The host's and the device's library functions differ in the last bit.
  os << "  const bool convopt_bits = "
     << (!options.orderKept                       ? "false"
         : f.isKernel || !hasAny(hasCallOrChoice) ? "true"
                                                  : "!convopt_verify::onGpu")
     << ";\n  if (!convopt_verify::startShape(convopt_shape, convopt_work, "
     << (f.isKernel ? "true" : "false") << ", convopt_bits))\n    return;\n";
  printSizes();
  printScalars();
  printObjects();
  printArrays();
  os << "  const auto convopt_reference = [&] {\n"
     << referenceBody(nest, 4) << "  };\n";
  const std::string run = std::string("convopt_verify::runReference(") +
                          "convopt_reference, " +
                          (hasAny(isPartial) ? "true)" : "false)");
  os << "  convopt_verify::state.recording = true;\n"
     << "  if (!" << run << ") {\n"
     << "    convopt_verify::drawsSmall();\n    return;\n  }\n"
     << "  convopt_verify::state.recording = false;\n";
  printEach("@.allocate()");
  os << "  for (int convopt_pass = 0; convopt_pass < "
     << (options.orderKept && options.signedZeros ? 3 : 2)
     << "; ++convopt_pass) {\n"
     << "    convopt_verify::startData(convopt_pass);\n";
  printData();
  if (f.isKernel)
    printNaiveGrid();
  os << "    convopt_verify::state.variant = " << quote(f.name) << ";\n"
     << "    const auto convopt_naive = [&] {\n";
  printNaive();
  os << "    };\n";
  if (const std::string integers = hasIntegers(); !integers.empty())
    os << "    if (convopt_pass == 2 && " << integers
       << "convopt_verify::fitData(convopt_data, convopt_naive))\n      "
          "break;\n";
  // Of special values doubles say nothing.
  os << "    if (convopt_pass < 2 && !" << run << ") {\n"
     << "      if (!convopt_verify::drawsSmall())\n        return;\n"
     << "      --convopt_pass;\n      continue;\n    }\n\n"
     << "    convopt_verify::state.variant = " << quote(f.name) << ";\n"
     << "    convopt_verify::state.isNaive = true;\n    convopt_naive();\n"
     << "    convopt_verify::state.isNaive = false;\n"
     << "    if (convopt_pass < 2 && convopt_verify::drawsPositive(false";
  for (const Array *a : arrays)
    if (a->role != Array::Input)
      os << " || " << arrayName(*a) << ".isNan()";
  os << ")) {\n      --convopt_pass;\n      continue;\n    }\n";
  printEach("@.keepNaive(convopt_bits)");
  if (!f.isKernel)
    printFallback();
  if (!options.versions.empty())
    os << "    bool convopt_taken = false;\n    cudaError_t convopt_error;\n";
  for (const VerifyOptions::Version &version : options.versions)
    printVersion(version);
  const std::string tiled = f.name + options.suffix;
  if (!options.generalLauncher.empty())
    printVersion({options.generalName, /*hasLeastBlocks=*/false});
  printVariant(tiled + "_launch", true,
               "convopt_verify::require(" + launch("device") +
                   ", \"launch\");");
  if (options.refusesOverlap)
    printOverlap();
  if (f.isKernel) {
    os << "    if (convopt_verify::hasBlocks(convopt_grid)) {\n";
    printVariant(tiled + "_dispatch", true, dispatch());
    os << "    }\n";
    printFewerBlocks();
  } else {
    printVariant(tiled, false, replacement());
  }
  os << "  }\n  convopt_verify::finishShape(std::string()";
  for (const Array *a : arrays)
    if (a->role != Array::Input)
      os << " + " << arrayName(*a) << ".written()";
  os << ");\n}\n\n";
  printScope("", "}");
}

void DriverPrinter::print() {
  printCase();
  if (!options.refused.empty() || !options.withoutRoom.empty())
    printRefusal();
  printMain();
}

} // namespace verify

Expected<std::string> emitVerifyDriver(const Nest &original,
                                       StringRef emittedFile,
                                       const VerifyOptions &options) {
  std::string text;
  raw_string_ostream os(text);
  verify::DriverPrinter printer(original, options, os);
  RETURN_IF_ERROR(printer.check());
  printer.print();
  std::string whole = printer.preamble(emittedFile);
  for (const std::string &m : macrosIn(text, options.macros, original))
    whole += "#undef " + m + "\n";
  return whole + text;
}

} // namespace convopt
