//===- BoundedText.cpp - A right-hand side with bounds on its errors ------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/MathFunctions.h"
#include "convopt/Source/Lexemes.h"
#include "convopt/Verify/RhsText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::verify {

namespace {

/// Prints a tree with the operators and functions of DriverBounds.h.
class BoundedPrinter {
public:
  explicit BoundedPrinter(ArrayRef<std::string> scalars) : scalars(scalars) {}

  std::string print(const CExpr &e) const {
    switch (e.kind) {
    case CExpr::Literal:
    case CExpr::Name:
      return "convopt_verify::known(" + e.token.str() + ")";
    case CExpr::Operand:
      return "cvo_" + std::to_string(e.hole());
    case CExpr::Unary:
      return e.isUnary({"*", "&"})
                 ? opaque("exactly(", e)
                 : e.token.str() + "(" + print(e.parts[0]) + ")";
    case CExpr::Binary:
      return binary(e);
    case CExpr::Choice:
      return choice(e.parts[0], print(e.parts[1]), print(e.parts[2]));
    case CExpr::Call:
      return call(e);
    case CExpr::Cast:
      return convert(e.token, e.parts[0]);
    case CExpr::Subscript:
    case CExpr::Member:
      return opaque("exactly(", e);
    case CExpr::Verbatim:
      return opaque("call(" + std::to_string(roundingsOf("")) + ", ", e);
    }
    llvm_unreachable("every kind is above");
  }

private:
  ArrayRef<std::string> scalars;

  std::string convert(StringRef type, const CExpr &e) const {
    return "convopt_verify::convert<" + type.str() + ">(" + print(e) + ")";
  }

  /// A side is computed where it is needed.
  std::string choice(const CExpr &condition, const std::string &yes,
                     const std::string &no) const {
    return "convopt_verify::choose(" + print(condition) + ", [&] { return " +
           yes + "; }, [&] { return " + no + "; })";
  }

  std::string binary(const CExpr &e) const {
    if (e.isBinary({"&&"}))
      return choice(e.parts[0], convert("bool", e.parts[1]),
                    "convopt_verify::known(false)");
    if (e.isBinary({"||"}))
      return choice(e.parts[0], "convopt_verify::known(true)",
                    convert("bool", e.parts[1]));
    return "(" + print(e.parts[0]) + " " + e.token.str() + " " +
           print(e.parts[1]) + ")";
  }

  static std::string lambda(ArrayRef<std::string> parameters,
                            const std::string &text) {
    std::vector<std::string> typed;
    for (const std::string &p : parameters)
      typed.push_back("auto " + p);
    return "[&](" + join(typed, ", ") + ") { return " + text + "; }";
  }

  /// Text that C++ computes as it stands, of its operands.
  static std::string opaque(const std::string &how, const CExpr &e) {
    std::set<unsigned> holes;
    e.walk([&](const CExpr &part) {
      if (part.kind == CExpr::Operand)
        holes.insert(part.hole());
    });
    auto name = [](unsigned k) { return "cvx_" + std::to_string(k); };
    std::vector<std::string> parameters;
    std::string arguments;
    for (unsigned k : holes) {
      parameters.push_back(name(k));
      arguments += ", cvo_" + std::to_string(k);
    }
    return "convopt_verify::" + how +
           lambda(parameters, fillHoles(wideText(e), name, "$$")) + arguments +
           ")";
  }

  /// Whether the call whose argument \p e is takes it with its error: other
  /// arguments may be no numbers.
  bool isPassed(const CExpr &e) const {
    return e.any([&](const CExpr &part) {
      return part.kind == CExpr::Operand ||
             (part.kind == CExpr::Literal && !part.token.starts_with("\"")) ||
             (part.kind == CExpr::Name && is_contained(scalars, part.token));
    });
  }

  std::string call(const CExpr &e) const {
    std::vector<std::string> parameters;
    std::string text, arguments;
    const char *at = e.source.begin();
    auto replace = [&](StringRef part, const std::string &with) {
      text += StringRef(at, part.begin() - at).str() + with;
      at = part.end();
    };
    auto replaceCallee = [&] {
      replace(e.token, wideText({CExpr::Call, e.token, e.token}));
    };
    for (const CExpr &part : e.parts) {
      const bool isObject = part.source.begin() < e.token.begin();
      if (!isObject && at <= e.token.begin())
        replaceCallee();
      if (isObject || !isPassed(part)) {
        replace(part.source, wideText(part));
        continue;
      }
      parameters.push_back("cvx_" + std::to_string(parameters.size()));
      replace(part.source, parameters.back());
      arguments += ", " + print(part);
    }
    if (at <= e.token.begin())
      replaceCallee();
    replace(e.source.take_back(0), "");
    const StringRef callee = e.callee();
    const bool isOfFloats = callee.ends_with("f") && ofDoubles(callee) != callee;
    const unsigned roundings = e.parts.empty() ? 0 : roundingsOf(callee);
    return std::string("convopt_verify::call") + (isOfFloats ? "<float>" : "") +
           "(" + std::to_string(roundings) + ", " + lambda(parameters, text) +
           arguments + ")";
  }
};

} // namespace

std::string boundedText(const CExpr &e, ArrayRef<std::string> scalars) {
  return BoundedPrinter(scalars).print(e);
}

} // namespace convopt::verify
