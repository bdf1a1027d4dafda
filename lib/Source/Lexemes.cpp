//===- Lexemes.cpp - The words of C source text ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Source/Lexemes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

static bool isWordStart(char c) { return isAlpha(c) || c == '_'; }
static bool isWordRest(char c) { return isAlnum(c) || c == '_'; }

unsigned Lexeme::hole() const {
  unsigned n = 0;
  return text.drop_front().getAsInteger(10, n) ? ~0u : n;
}

static size_t numberLength(StringRef text) {
  size_t n = 1;
  while (n < text.size()) {
    bool sign = (text[n] == '+' || text[n] == '-') &&
                StringRef("eEpP").contains(text[n - 1]);
    bool separator =
        text[n] == '\'' && n + 1 < text.size() && isWordRest(text[n + 1]);
    if (!sign && !separator && !isWordRest(text[n]) && text[n] != '.')
      break;
    ++n;
  }
  return n;
}

static Lexeme literal(StringRef text) {
  for (size_t n = 1; n < text.size(); ++n) {
    if (text[n] == '\\')
      ++n;
    else if (text[n] == text[0])
      return {Lexeme::Literal, text.take_front(n + 1)};
  }
  return {Lexeme::Unfinished, text};
}

Lexeme firstLexeme(StringRef text) {
  char c = text[0], next = text.size() > 1 ? text[1] : '\0';
  if (isWordStart(c))
    return {Lexeme::Word, text.take_while(isWordRest)};
  if (isDigit(c) || (c == '.' && isDigit(next)))
    return {Lexeme::Number, text.take_front(numberLength(text))};
  if (c == '"' || c == '\'')
    return literal(text);
  if (c == '$' && next == '$')
    return {Lexeme::Dollar, text.take_front(2)};
  if (c == '$' && isDigit(next)) {
    size_t digits = text.drop_front().take_while(isDigit).size();
    return {Lexeme::Hole, text.take_front(1 + digits)};
  }
  return {Lexeme::Other, text.take_front(1)};
}

bool endsInMemberAccess(StringRef before) {
  before = before.rtrim();
  return before.ends_with("->") ||
         (before.ends_with(".") && !before.ends_with(".."));
}

std::vector<Lexeme> lexemes(StringRef text) {
  std::vector<Lexeme> result;
  for (size_t at = 0; at < text.size();) {
    Lexeme l = firstLexeme(text.drop_front(at));
    l.isMember =
        l.kind == Lexeme::Word && endsInMemberAccess(text.take_front(at));
    result.push_back(l);
    at += l.text.size();
  }
  return result;
}

std::string fillHoles(StringRef text,
                      function_ref<std::string(unsigned)> operand,
                      StringRef dollar) {
  std::string result;
  while (!text.empty()) {
    result += text.take_until([](char c) { return c == '$'; });
    text = text.drop_until([](char c) { return c == '$'; });
    if (!text.consume_front("$"))
      break;
    unsigned k = 0;
    if (text.consume_front("$"))
      result += dollar;
    else if (!text.consumeInteger(10, k))
      result += operand(k);
  }
  return result;
}

bool isIdentifier(StringRef s) {
  return !s.empty() && isWordStart(s[0]) && all_of(s, isWordRest);
}

bool isKeyword(StringRef word) {
  static constexpr StringRef words[] = {
      "alignas", "alignof",   "and",      "asm",      "auto",     "bool",
      "break",   "case",      "catch",    "char",     "class",    "concept",
      "const",   "constexpr", "continue", "decltype", "default",  "delete",
      "do",      "double",    "else",     "enum",     "explicit", "export",
      "extern",  "false",     "float",    "for",      "friend",   "goto",
      "if",      "inline",    "int",      "long",     "mutable",  "namespace",
      "new",     "noexcept",  "not",      "nullptr",  "operator", "or",
      "private", "protected", "public",   "register", "requires", "restrict",
      "return",  "short",     "signed",   "sizeof",   "static",   "struct",
      "switch",  "template",  "this",     "throw",    "true",     "try",
      "typedef", "typeid",    "typename", "union",    "unsigned", "using",
      "virtual", "void",      "volatile", "wchar_t",  "while",    "xor"};
  return is_contained(words, word);
}

std::string whyUnprintable(StringRef text) {
  if (text.trim().empty())
    return "is empty";
  if (text.trim() != text)
    return "has space at an end";
  if (any_of(text, [](char c) { return uint8_t(c) < 32 && c != '\t'; }))
    return "is not a single line";
  StringRef before;
  for (const Lexeme &l : lexemes(text)) {
    if (l.kind == Lexeme::Unfinished)
      return "has an unfinished literal";
    if (before == "/" && (l.text == "/" || l.text == "*"))
      return "has a comment";
    if (l.kind == Lexeme::Other && StringRef("@#`$").contains(l.text))
      return "has the character '" + l.text.str() + "'";
    before = l.text;
  }
  return "";
}

std::string whyHolesAreWrong(StringRef text, size_t operands) {
  std::vector<Lexeme> parts = lexemes(text);
  size_t holes = 0;
  for (size_t i = 0; i != parts.size(); ++i) {
    if (parts[i].kind != Lexeme::Hole)
      continue;
    if (parts[i].hole() != holes++)
      return "does not number its operands in their order";
    auto touches = [&](const Lexeme &l) {
      return l.kind == Lexeme::Word || l.kind == Lexeme::Number;
    };
    bool before = i > 0 && touches(parts[i - 1]);
    bool after = i + 1 < parts.size() &&
                 (touches(parts[i + 1]) || parts[i + 1].text == "[");
    if (before || after)
      return "has an operand that touches a word or '['";
  }
  if (holes == operands)
    return "";
  return "has " + std::to_string(operands) + " operands and " +
         std::to_string(holes) + " places for them";
}

/// Keywords that stand in expressions and in the types that these name.
static bool isKeywordOfValues(StringRef word) {
  static constexpr StringRef words[] = {
      "alignof",  "and",      "bool",  "char",     "const",   "decltype",
      "double",   "false",    "float", "int",      "long",    "not",
      "nullptr",  "or",       "short", "signed",   "sizeof",  "true",
      "typename", "unsigned", "void",  "volatile", "wchar_t", "xor"};
  return is_contained(words, word);
}

/// Whether the `=` at \p at assigns, as that of `+=` and `<<=` does.
static bool assigns(StringRef text, size_t at) {
  const StringRef before = text.take_front(at);
  const bool isEqual = before.ends_with("=") || text.substr(at + 1, 1) == "=";
  const bool isLess = before.ends_with("<") || before.ends_with(">");
  const bool isShift = before.ends_with("<<") || before.ends_with(">>");
  return !isEqual && !before.ends_with("!") && (!isLess || isShift);
}

bool mayBeExpression(StringRef text) {
  enum { Operator, Name, Value, Closed } after = Operator;
  std::string open;    // brackets, `f` of calls
  StringRef last = ""; // lexeme, or blank
  StringRef word = ""; // the last one
  for (const Lexeme &l : lexemes(text)) {
    const char c = l.text[0];
    const StringRef before = std::exchange(last, l.text);
    if (l.kind == Lexeme::Word || l.kind == Lexeme::Dollar) {
      const StringRef first = std::exchange(word, l.text);
      const bool isOneName = // `unsigned int`, `const T`
          isKeyword(first) || isKeyword(word) || before == "$$";
      if (after == Value || (after == Name && !isOneName) ||
          (isKeyword(word) && !isKeywordOfValues(word)))
        return false;
      after = Name;
    } else if (l.kind != Lexeme::Other) {
      const bool isPrefixed = l.kind == Lexeme::Literal && isIdentifier(before);
      if (after == Value || (after == Name && !isPrefixed) ||
          l.kind == Lexeme::Unfinished)
        return false;
      after = Value;
    } else if (c == '(' || c == '[' || c == '{') {
      if (c == '{' && after != Name && before != ">") // `T{x}`
        return false;
      open += c == '(' && after != Operator ? 'f' : c;
      after = Operator;
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || (open.back() == '[') != (c == ']') ||
          (open.back() == '{') != (c == '}'))
        return false;
      const bool isCall = (open.back() == 'f' && before == "(") ||
                          (open.back() == '{' && before == "{");
      // `>` may end a type.
      if (after == Operator && !isCall && before != ">")
        return false;
      open.pop_back();
      after = c == ')' ? Closed : Value;
    } else if (!isSpace(c)) {
      const bool isTwice = before == l.text;
      if (StringRef(";\\").contains(c) ||
          (StringRef("+-").contains(c) && isTwice) ||
          (StringRef("/%^?,").contains(c) && after == Operator) ||
          (c == '=' && assigns(text, l.text.begin() - text.begin())))
        return false;
      after = Operator;
    }
  }
  return open.empty() && after != Operator;
}

} // namespace convopt
