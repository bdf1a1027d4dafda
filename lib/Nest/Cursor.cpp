//===- Cursor.cpp - A place in .nest text ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
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

bool Cursor::name(std::string &to, StringRef what) {
  StringRef word = peekWord();
  to = word.str();
  at += word.size();
  return !word.empty() || fail("expected " + what);
}

bool Cursor::integer(int64_t &to, StringRef what) {
  skipBlanks();
  StringRef digits = restOfLine().take_while(isDigit);
  if (digits.empty())
    return fail("expected " + what);
  if (digits.getAsInteger(10, to))
    return fail("the number does not fit 64 bits");
  at += digits.size();
  return true;
}

bool Cursor::number(unsigned &to, StringRef what) {
  size_t start = (skipBlanks(), at);
  int64_t value = 0;
  if (!integer(value, what))
    return false;
  to = unsigned(value);
  if (value <= INT32_MAX)
    return true;
  at = start;
  return fail("the number is too large");
}

bool Cursor::string(std::string &to, StringRef what) {
  skipBlanks();
  StringRef rest = restOfLine();
  if (!rest.starts_with("\""))
    return fail("expected " + what + " in double quotes");
  to.clear();
  for (size_t n = 1; n < rest.size(); ++n) {
    if (rest[n] == '"') {
      at += n + 1;
      return true;
    }
    if (rest[n] == '\\' && ++n == rest.size())
      break;
    bool escaped = rest[n - 1] == '\\';
    to += escaped && rest[n] == 'n'   ? '\n'
          : escaped && rest[n] == 'r' ? '\r'
                                      : rest[n];
  }
  return fail("the string has no end");
}

bool Cursor::nameOrString(std::string &to, StringRef what) {
  return peek("\"") ? string(to, what) : name(to, what);
}

bool Cursor::location(SourceRange &to) {
  auto part = [&](StringRef separator, unsigned &field) {
    return expect(separator) && number(field, "a line or column");
  };
  return part("@", to.line) && part(":", to.column) && part("-", to.endLine) &&
         part(":", to.endColumn);
}

bool Cursor::endLine(SourceRange &to) {
  if (!peek("@"))
    to = line();
  else if (!location(to))
    return false;
  return atLineEnd() || fail("expected the end of the line");
}

} // namespace convopt
