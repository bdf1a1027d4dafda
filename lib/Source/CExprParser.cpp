//===- CExprParser.cpp - Reads expressions of C source text ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Source/CExpr.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Source/Lexemes.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace convopt {

namespace {

using Parsed = std::optional<CExpr>;

/// By recursive descent, operators by their precedence in C.
class Parser {
public:
  Parser(StringRef text, function_ref<bool(StringRef)> isNamedType)
      : rest(text.ltrim()), isNamedType(isNamedType) {}

  Parsed run() {
    Parsed e = choice();
    return rest.empty() ? e : std::nullopt;
  }

private:
  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  /// The next lexeme, empty at the end.
  Lexeme next() const {
    return rest.empty() ? Lexeme{Lexeme::Other, rest} : firstLexeme(rest);
  }
  StringRef drop(size_t length) {
    const StringRef token = rest.take_front(length);
    rest = rest.drop_front(length).ltrim();
    return token;
  }
  StringRef drop(const Lexeme &l) { return drop(l.text.size()); }
  bool take(StringRef token) {
    const bool found = rest.starts_with(token);
    drop(found ? token.size() : 0);
    return found;
  }
  /// What has been read since \p begin.
  StringRef since(const char *begin) const {
    return StringRef(begin, rest.begin() - begin).rtrim();
  }
  CExpr node(CExpr::Kind kind, const char *begin, StringRef token) const {
    return {kind, since(begin), token};
  }

  //===--------------------------------------------------------------------===//
  // Names and types
  //===--------------------------------------------------------------------===//

  /// Reads `<int, 3>`, where that follows a name and a call or a scope follows
  /// it; else reads nothing.
  void templateArguments(bool isType) {
    const StringRef saved = rest;
    int depth = 0;
    do {
      const Lexeme l = next();
      depth += l.text == "<";
      depth -= l.text == ">";
      if (l.text.empty() ||
          !(is_contained({Lexeme::Word, Lexeme::Number}, l.kind) ||
            StringRef("<>,:").contains(l.text)))
        break;
      drop(l);
    } while (depth);
    if (depth || !(isType || rest.starts_with("(") || rest.starts_with("::")))
      rest = saved;
  }

  /// `x`, `::std::numeric_limits<float>::max`; empty where no name comes.
  StringRef name(bool isType) {
    const char *begin = rest.begin();
    take("::");
    do {
      if (next().kind != Lexeme::Word)
        return StringRef();
      drop(next());
      if (rest.starts_with("<") && !rest.starts_with("<<") &&
          !rest.starts_with("<="))
        templateArguments(isType);
    } while (take("::"));
    return since(begin);
  }

  /// `unsigned int`, `typename T::value_type`; empty where none comes.
  StringRef type() {
    const char *begin = rest.begin();
    while (next().kind == Lexeme::Word || rest.starts_with("::"))
      if (name(/*isType=*/true).empty())
        return StringRef();
    return since(begin);
  }

  /// Whether \p spelling is a type; `half` is one where the nest has it, and a
  /// name that the source may give a variable elsewhere.
  bool isType(StringRef spelling) const {
    spelling.consume_front("const ");
    return isInteger(spelling) || isBoolean(spelling) || spelling == "void" ||
           (isFloating(spelling) && spelling != "half") ||
           (isNamedType && isNamedType(spelling));
  }

  //===--------------------------------------------------------------------===//
  // Expressions
  //===--------------------------------------------------------------------===//

  Parsed choice() {
    const char *begin = rest.begin();
    Parsed condition = binary(1);
    if (!condition || !rest.starts_with("?"))
      return condition;
    const StringRef token = drop(1);
    Parsed yes = choice();
    if (!yes || !take(":"))
      return std::nullopt;
    return with(begin, CExpr::Choice, token, std::move(condition),
                std::move(yes), choice());
  }

  /// A node of all parts that are asked for; nothing where one is missing.
  template <typename... T>
  Parsed with(const char *begin, CExpr::Kind kind, StringRef token,
              T... parts) const {
    CExpr e = node(kind, begin, token);
    if (!(parts && ...))
      return std::nullopt;
    (e.parts.push_back(std::move(*parts)), ...);
    return e;
  }

  struct Operator {
    StringLiteral spelling;
    unsigned precedence;
  };
  /// The operator between operands that comes next; null where none does.
  const Operator *nextOperator() const {
    // Of two that begin alike the longer one first.
    static constexpr Operator all[] = {
        {"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7},
        {"<<", 8}, {">>", 8}, {"|", 3},  {"^", 4},  {"&", 5},  {"<", 7},
        {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};
    if (rest.starts_with("++") || rest.starts_with("--"))
      return nullptr;
    const Operator *found = find_if(
        all, [&](const Operator &op) { return rest.starts_with(op.spelling); });
    const bool isFound = found != std::end(all);
    // Anything else with an equals sign assigns.
    const bool isComparison =
        isFound && (found->precedence == 6 || found->precedence == 7);
    return isFound &&
                   (isComparison ||
                    !rest.drop_front(found->spelling.size()).starts_with("="))
               ? found
               : nullptr;
  }

  Parsed binary(unsigned least) {
    const char *begin = rest.begin();
    Parsed left = unary();
    for (const Operator *op;
         left && (op = nextOperator()) && op->precedence >= least;) {
      const StringRef token = drop(op->spelling.size());
      Parsed right = binary(op->precedence + 1);
      left =
          with(begin, CExpr::Binary, token, std::move(left), std::move(right));
    }
    return left;
  }

  Parsed unary() {
    const SaveAndRestore deeper(depth, depth + 1);
    if (++operands > Most || depth > Deepest || rest.starts_with("++") ||
        rest.starts_with("--"))
      return std::nullopt;
    const char *begin = rest.begin();
    if (!rest.empty() && StringRef("+-!~*&").contains(rest[0])) {
      const StringRef token = drop(1);
      return with(begin, CExpr::Unary, token, unary());
    }
    if (StringRef to = castType(); !to.empty())
      return with(begin, CExpr::Cast, to, unary());
    return postfix();
  }

  /// Reads `(T)` before what it converts. Of a name that may be a variable it
  /// is no conversion before a sign.
  StringRef castType() {
    const StringRef saved = rest;
    const StringRef to = take("(") ? type() : StringRef();
    auto comesOperand = [&] {
      return is_contained(
                 {Lexeme::Word, Lexeme::Number, Lexeme::Literal, Lexeme::Hole},
                 next().kind) ||
             is_contained({"(", "!", "~"}, next().text);
    };
    if (!to.empty() && take(")") && (isType(to) || comesOperand()))
      return to;
    rest = saved;
    return StringRef();
  }

  Parsed postfix() {
    const char *begin = rest.begin();
    Parsed e = primary();
    while (e && ++operands <= Most) {
      if (rest.starts_with("[")) {
        const StringRef token = drop(1);
        Parsed index = choice();
        if (!take("]"))
          return std::nullopt;
        e = with(begin, CExpr::Subscript, token, std::move(e),
                 std::move(index));
      } else if (take("->") || (!rest.starts_with("..") && take("."))) {
        if (next().kind != Lexeme::Word)
          return std::nullopt;
        const StringRef member = drop(next());
        e = with(begin, CExpr::Member, member, std::move(e));
      } else if (e->kind == CExpr::Member && rest.starts_with("(")) {
        CExpr call = node(CExpr::Call, begin, e->token);
        call.parts = std::move(e->parts);
        e = arguments(begin, std::move(call));
      } else {
        break;
      }
    }
    return e;
  }

  /// Reads `(a, b)`, as parts of \p call.
  Parsed arguments(const char *begin, CExpr call) {
    take("(");
    for (bool isFirst = true; !take(")"); isFirst = false) {
      if (!isFirst && !take(","))
        return std::nullopt;
      Parsed argument = choice();
      if (!argument)
        return std::nullopt;
      call.parts.push_back(std::move(*argument));
    }
    call.source = since(begin);
    return call;
  }

  Parsed primary() {
    const char *begin = rest.begin();
    const Lexeme l = next();
    if (take("(")) {
      Parsed e = choice();
      return take(")") ? e : std::nullopt;
    }
    const bool isTruth = l.text == "true" || l.text == "false";
    if (l.kind == Lexeme::Number || l.kind == Lexeme::Literal || isTruth) {
      const StringRef token = drop(l);
      return node(CExpr::Literal, begin, token);
    }
    if (l.kind == Lexeme::Hole) {
      const StringRef token = drop(l);
      return node(CExpr::Operand, begin, token);
    }
    if (l.text == "static_cast")
      return staticCast();
    StringRef called = name(/*isType=*/false);
    if (isType(called) && next().kind == Lexeme::Word) { // `unsigned int`
      type();
      called = since(begin);
    }
    if (called.empty() || !rest.starts_with("("))
      return called.empty() ? Parsed() : node(CExpr::Name, begin, called);
    Parsed call = arguments(begin, node(CExpr::Call, begin, called));
    if (call && call->parts.size() == 1 && isType(called))
      call->kind = CExpr::Cast;
    return call;
  }

  Parsed staticCast() {
    const char *begin = rest.begin();
    drop(next());
    const StringRef to = take("<") ? type() : StringRef();
    if (to.empty() || !take(">") || !rest.starts_with("("))
      return std::nullopt;
    Parsed cast = arguments(begin, node(CExpr::Cast, begin, to));
    return cast && cast->parts.size() == 1 ? cast : std::nullopt;
  }

  StringRef rest; // begins with a lexeme
  function_ref<bool(StringRef)> isNamedType;
  unsigned operands = 0, depth = 0;
  static constexpr unsigned Most = 4000, Deepest = 500; // for the stack
};

} // namespace

static CExpr verbatim(StringRef text) {
  CExpr all{CExpr::Verbatim, text, StringRef()};
  auto isSign = [&](StringRef c) { // rather than a part of `--`, `-=` or `->`
    return c == "-" &&
           !text.take_front(c.begin() - text.begin()).ends_with(c) &&
           !StringRef("-=>").contains(
               text.drop_front(c.end() - text.begin()).take_front(1));
  };
  for (const Lexeme &l : lexemes(text))
    if (l.kind == Lexeme::Hole)
      all.parts.push_back({CExpr::Operand, l.text, l.text});
    else if (l.kind == Lexeme::Number || l.kind == Lexeme::Literal)
      all.parts.push_back({CExpr::Literal, l.text, l.text});
    else if (l.kind == Lexeme::Word && !l.isMember)
      all.parts.push_back({CExpr::Name, l.text, l.text});
    else if (isSign(l.text))
      all.parts.push_back({CExpr::Unary, l.text, l.text});
  return all;
}

CExpr parseCExpr(StringRef text, function_ref<bool(StringRef)> isType) {
  Parsed e = Parser(text, isType).run();
  return e ? std::move(*e) : verbatim(text);
}

} // namespace convopt
