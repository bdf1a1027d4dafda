//===- RhsText.cpp - A right-hand side as the reference needs it ----------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Verify/RhsText.h"
#include "convopt/Nest/MathFunctions.h"
#include "convopt/Source/CTypes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt::verify {

/// What \p e calls, as \p name instead.
static std::string renamed(const CExpr &e, StringRef name) {
  std::string text = e.token.str();
  return text.replace(e.callee().begin() - e.token.begin(), e.callee().size(),
                      name);
}

/// What a host calls in place of \p function: of intrinsics of the device, what
/// the driver has.
static std::string onHost(StringRef function) {
  const bool isOfDevice = function.starts_with("__") &&
                          !function.starts_with("__builtin") &&
                          ofDoubles(function) == function;
  return (isOfDevice ? "convopt_verify::intrinsics::" : "") + function.str();
}

static std::string wideToken(const CExpr &e) {
  if (e.kind == CExpr::Literal && typeOfLiteral(e.token) == "float")
    return "double(" + e.token.str() + ")";
  // Whose operators are ambiguous with a double.
  if (is_contained({"__half", "__nv_bfloat16"}, e.token))
    return "double";
  return e.kind == CExpr::Call ? renamed(e, onHost(ofDoubles(e.callee())))
                               : e.token.str();
}

std::string wideText(const CExpr &e) { return e.replaced(wideToken); }

namespace {

/// Prints a tree of DriverBounds.h's functions, which carry errors on.
struct BoundedPrinter {
  ArrayRef<std::string> scalars;

  std::string print(const CExpr &e) const {
    if (e.kind == CExpr::Literal || e.kind == CExpr::Name)
      return known(e.token);
    if (e.kind == CExpr::Operand)
      return e.token.str();
    if (e.kind == CExpr::Cast)
      return convert(e.token, e.parts[0]);
    if (e.kind == CExpr::Choice)
      return choice(e, print(e.parts[1]), print(e.parts[2]));
    if (e.isBinary({"&&"}))
      return choice(e, convert("bool", e.parts[1]), known("false"));
    if (e.isBinary({"||"}))
      return choice(e, known("true"), convert("bool", e.parts[1]));
    if (e.isUnary({"!"}))
      return choice(e, known("false"), known("true"));
    return function(e);
  }

private:
  static std::string known(StringRef text) {
    return "convopt_verify::known(" + text.str() + ")";
  }

  std::string convert(StringRef type, const CExpr &e) const {
    return "convopt_verify::convert<" + type.str() + ">(" + print(e) + ")";
  }

  /// A side is computed where it is needed.
  std::string choice(const CExpr &e, const std::string &yes,
                     const std::string &no) const {
    return "convopt_verify::choose(" + print(e.parts[0]) + ", [&] { return " +
           yes + "; }, [&] { return " + no + "; })";
  }

  static std::string carrier(const CExpr &e) {
    if (e.isBinary({"+", "-", "*"}))
      return "arithmetic(";
    if (e.isBinary({"/"}))
      return "quotient(";
    if (e.isBinary({"<", ">", "<=", ">=", "==", "!="}))
      return "compare(";
    if (e.isUnary({"+", "-", "~"}))
      return "apply(0, ";
    // Of these the device is as far off where they are near zero.
    const bool isAbsolute = is_contained(
        {"__cosf", "__log10f", "__log2f", "__logf", "__sinf"}, e.callee());
    if (e.kind == CExpr::Call && isMathFunction(e.callee()) && !isAbsolute) {
      const std::string ofDouble = ofDoubles(e.callee()).str();
      return (e.callee() == ofDouble + "f" ? "apply<float>(" : "apply(") +
             std::to_string(roundingsOf(ofDouble)) + ", ";
    }
    return e.kind == CExpr::Call || e.kind == CExpr::Verbatim ? "call("
                                                              : "exactly(";
  }

  /// Parts of calls, subscripts and the like may be no numbers.
  bool isNumber(const CExpr &part, const CExpr &whole) const {
    return whole.kind == CExpr::Binary || whole.isUnary({"+", "-", "~"}) ||
           part.any([&](const CExpr &e) {
             return e.kind == CExpr::Operand ||
                    (e.kind == CExpr::Name && is_contained(scalars, e.token));
           });
  }

  std::string function(CExpr e) const {
    const std::string carry = "convopt_verify::" + carrier(e);
    std::vector<std::string> parameters, arguments{""};
    for (CExpr &part : e.parts)
      if (isNumber(part, e)) {
        parameters.push_back("auto cvx_" + std::to_string(parameters.size()));
        arguments.push_back(print(part));
        part = {CExpr::Operand, part.source, part.source};
      }
    unsigned next = 0;
    const std::string text = e.replaced([&](const CExpr &part) {
      return part.kind == CExpr::Operand ? "cvx_" + std::to_string(next++)
                                         : wideToken(part);
    });
    return carry + "[&](" + join(parameters, ", ") + ") { return " + text +
           "; }" + join(arguments, ", ") + ")";
  }
};

} // namespace

std::string boundedText(const CExpr &e, ArrayRef<std::string> scalars) {
  return BoundedPrinter{scalars}.print(e);
}

static bool isVerbatim(const CExpr &e) { return e.kind == CExpr::Verbatim; }

/// Holds what takes integers alone: `%`, bits, shifts, a subscript. Such text
/// keeps its `-`, as what it computes is exact.
static bool needsIntegers(const CExpr &e) {
  return e.any([](const CExpr &part) {
    return part.isBinary({"<<", ">>", "%", "^", "&", "|"}) ||
           part.isUnary({"~"}) || part.kind == CExpr::Subscript ||
           (isVerbatim(part) &&
            (part.source.find_first_of("%^&|~[") != StringRef::npos ||
             part.source.contains("<<") || part.source.contains(">>")));
  });
}

std::string magnitudeText(const CExpr &e) {
  const bool keepsSigns = needsIntegers(e);
  return e.replaced([&](const CExpr &part) -> std::string {
    if (!keepsSigns && (part.isBinary({"-"}) || part.isUnary({"-"})))
      return part.kind == CExpr::Unary && !part.parts.empty() ? "" : "+";
    if (part.kind == CExpr::Call && part.callee() == "min")
      return renamed(part, "max");
    if (part.kind == CExpr::Call && ofDoubles(part.callee()) == "fmin")
      return renamed(part, "fmax");
    return wideToken(part);
  });
}

static bool isShift(const CExpr &e) {
  return e.isBinary({"<<", ">>"}) || isVerbatim(e);
}
static bool isDivision(const CExpr &e) { return e.isBinary({"/", "%"}); }

bool hasShift(const CExpr &e) { return e.any(isShift); }

bool isPartial(const CExpr &e) { return hasShift(e) || e.any(isDivision); }

std::set<size_t> partialOperands(const CExpr &e) {
  std::set<size_t> result;
  auto add = [&](const CExpr &part) {
    if (part.kind == CExpr::Operand)
      result.insert(part.hole());
  };
  if (hasShift(e))
    e.walk(add);
  e.walk([&](const CExpr &part) {
    if (isDivision(part))
      part.parts[1].walk(add);
  });
  return result;
}

/// Whether no number that \p e makes of small integers is rounded or wraps.
static bool isExactPart(const CExpr &e) {
  if (e.kind == CExpr::Literal) {
    const StringRef type = typeOfLiteral(e.token);
    // A whole number: nothing but zeros after the point.
    const StringRef digits = e.token.rtrim("fFlL");
    return type == "int" || type == "long" ||
           (convopt::isFloating(type) &&
            digits.find_first_of("eEpP") == StringRef::npos &&
            digits.split('.').second.trim('0').empty());
  }
  if (e.kind == CExpr::Cast)
    return is_contained({"float", "double", "int", "__half", "__nv_bfloat16"},
                        e.token);
  if (e.kind == CExpr::Call)
    return is_contained({"fma", "fmax", "fmin", "max", "min"},
                        ofDoubles(e.callee()));
  return e.kind == CExpr::Operand || e.isUnary({"+", "-"}) ||
         e.isBinary({"+", "-", "*", "<", ">"});
}

bool isExactOnIntegers(const CExpr &e) {
  return !e.any([](const CExpr &part) { return !isExactPart(part); });
}

bool hasCallOrChoice(const CExpr &e) {
  return e.any([](const CExpr &part) {
    return is_contained({CExpr::Call, CExpr::Choice, CExpr::Verbatim},
                        part.kind);
  });
}

} // namespace convopt::verify
