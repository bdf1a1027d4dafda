//===- Cursor.cpp - A place in .nest text ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cursor.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace convopt {

bool Cursor::fail(const Twine &message) {
  if (failed())
    return false;
  failure = message.str();
  failurePlace = place();
  return false;
}

SourceRange Cursor::place() {
  if (at < counted.first)
    counted = {0, 1};
  counted.second += all.slice(counted.first, at).count('\n');
  counted.first = at;
  const unsigned line = counted.second;
  const unsigned column = at - (all.take_front(at).rfind('\n') + 1) + 1;
  return {line, column, line, column, /*isOfText=*/true};
}

SourceRange Cursor::line() {
  SourceRange range = place();
  const StringRef before = all.substr(at + 1 - range.column, range.column - 1);
  range.column = 1 + before.size() - before.ltrim().size();
  return range;
}

Error Cursor::takeError() const {
  return refuse("syntax", failure, failurePlace);
}

StringRef Cursor::restOfLine() const {
  return all.slice(at, all.find('\n', at));
}

void Cursor::skipBlanks() {
  while (at < all.size() && StringRef(" \t\r").contains(all[at]))
    ++at;
}

void Cursor::skipLines() {
  while (atLineEnd() && !atEnd()) {
    at += restOfLine().size();
    if (!atEnd())
      ++at;
  }
}

bool Cursor::atLineEnd() {
  skipBlanks();
  StringRef rest = restOfLine();
  return rest.empty() || rest[0] == '#' || rest.starts_with("//");
}

StringRef Cursor::peekWord() {
  skipBlanks();
  StringRef rest = restOfLine();
  if (rest.empty())
    return "";
  Lexeme l = firstLexeme(rest);
  return l.kind == Lexeme::Word ? l.text : "";
}

bool Cursor::peek(StringRef punctuation) {
  skipBlanks();
  return restOfLine().starts_with(punctuation);
}

bool Cursor::eat(StringRef punctuation) {
  if (!peek(punctuation))
    return false;
  at += punctuation.size();
  return true;
}

bool Cursor::eatWord(StringRef word) {
  if (peekWord() != word)
    return false;
  at += word.size();
  return true;
}

bool Cursor::expect(StringRef punctuation) {
  return eat(punctuation) || fail("expected '" + punctuation + "'");
}

bool Cursor::expectWord(StringRef word) {
  return eatWord(word) || fail("expected '" + word + "'");
}

std::optional<std::string> Cursor::name(StringRef what) {
  StringRef word = peekWord();
  if (word.empty()) {
    fail("expected " + what);
    return std::nullopt;
  }
  at += word.size();
  return word.str();
}

std::optional<int64_t> Cursor::integer(StringRef what) {
  skipBlanks();
  StringRef digits = restOfLine().take_while(isDigit);
  int64_t value;
  if (digits.empty())
    fail("expected " + what);
  else if (digits.getAsInteger(10, value))
    fail("the number does not fit 64 bits");
  else {
    at += digits.size();
    return value;
  }
  return std::nullopt;
}

std::optional<unsigned> Cursor::number(StringRef what) {
  size_t start = (skipBlanks(), at);
  std::optional<int64_t> value = integer(what);
  if (value && *value <= INT32_MAX)
    return unsigned(*value);
  at = start;
  fail("the number is too large");
  return std::nullopt;
}

std::optional<std::string> Cursor::string(StringRef what) {
  skipBlanks();
  StringRef rest = restOfLine();
  if (!rest.starts_with("\"")) {
    fail("expected " + what + " in double quotes");
    return std::nullopt;
  }
  std::string value;
  for (size_t n = 1; n < rest.size(); ++n) {
    if (rest[n] == '"') {
      at += n + 1;
      return value;
    }
    if (rest[n] == '\\' && ++n == rest.size())
      break;
    bool escaped = rest[n - 1] == '\\';
    value += escaped && rest[n] == 'n'   ? '\n'
             : escaped && rest[n] == 'r' ? '\r'
                                         : rest[n];
  }
  fail("the string has no end");
  return std::nullopt;
}

std::optional<std::string> Cursor::nameOrString(StringRef what) {
  return peek("\"") ? string(what) : name(what);
}

std::optional<SourceRange> Cursor::location() {
  SourceRange r;
  auto part = [&](unsigned &field, StringRef separator) {
    if (!separator.empty() && !expect(separator))
      return false;
    std::optional<unsigned> n = number("a line or column");
    field = n.value_or(0);
    return n.has_value();
  };
  if (part(r.line, "@") && part(r.column, ":") && part(r.endLine, "-") &&
      part(r.endColumn, ":"))
    return r;
  return std::nullopt;
}

std::optional<SourceRange> Cursor::endLine() {
  std::optional<SourceRange> r = peek("@") ? location() : line();
  if (r && !atLineEnd()) {
    fail("expected the end of the line");
    return std::nullopt;
  }
  return r;
}

} // namespace convopt
