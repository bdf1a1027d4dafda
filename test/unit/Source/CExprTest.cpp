//===- CExprTest.cpp - Expressions of C source text -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Source/CExpr.h"
#include "convopt/Source/CTypes.h"
#include "convopt/Source/Lexemes.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace llvm;

/// `(* $0 (+ a 1))`: kinds are written out where tokens do not tell them.
static std::string tree(const CExpr &e) {
  static const std::map<CExpr::Kind, std::string> kinds = {
      {CExpr::Call, "call "},
      {CExpr::Cast, "to "},
      {CExpr::Member, "."},
      {CExpr::Verbatim, "verbatim"}};
  auto kind = kinds.find(e.kind);
  const bool isLeaf = e.parts.empty() && kind == kinds.end();
  std::string text = isLeaf ? "" : "(";
  text += (kind == kinds.end() ? "" : kind->second) + e.token.str();
  for (const CExpr &part : e.parts)
    text += " " + tree(part);
  return text + (isLeaf ? "" : ")");
}
static std::string tree(StringRef text) { return tree(parseCExpr(text)); }

TEST(CExpr, OperatorsBindAsInC) {
  EXPECT_EQ(tree("$0 + $1 * $2"), "(+ $0 (* $1 $2))");
  EXPECT_EQ(tree("$0 - $1 - $2"), "(- (- $0 $1) $2)");
  EXPECT_EQ(tree("$0 - ($1 - $2)"), "(- $0 (- $1 $2))");
  EXPECT_EQ(tree("a << 1 + b < c & d == e ^ f | g && h || i"),
            "(|| (&& (| (^ (& (< (<< a (+ 1 b)) c) (== d e)) f) g) h) i)");
  EXPECT_EQ(tree("a ? b : c ? d : e"), "(? a b (? c d e))");
  EXPECT_EQ(tree("x<y?-x:+y"), "(? (< x y) (- x) (+ y))");
}

TEST(CExpr, SignsAndExponents) {
  EXPECT_EQ(tree("a - -b"), "(- a (- b))");
  EXPECT_EQ(tree("-a*b"), "(* (- a) b)");
  EXPECT_EQ(tree("$0 - 1e-5f-2"), "(- (- $0 1e-5f) 2)");
  EXPECT_EQ(tree("!a&&~b"), "(&& (! a) (~ b))");
  EXPECT_EQ(tree("a&&&b"), "(&& a (& b))");
}

TEST(CExpr, CastsInAllSpellings) {
  EXPECT_EQ(tree("(float)$0 * $1"), "(* (to float $0) $1)");
  EXPECT_EQ(tree("float($0) * $1"), "(* (to float $0) $1)");
  EXPECT_EQ(tree("static_cast<unsigned int>($0 + 1)"),
            "(to unsigned int (+ $0 1))");
  EXPECT_EQ(tree("(std::uint8_t)-x"), "(to std::uint8_t (- x))");
  EXPECT_EQ(tree("(typename T::value)(x)"), "(to typename T::value x)");
  // Of an unknown name only what could be nothing else.
  EXPECT_EQ(tree("(T)$0"), "(to T $0)");
  EXPECT_EQ(tree("(half) - x"), "(- half x)");
  EXPECT_EQ(tree("(half)(x)"), "(to half x)");
  EXPECT_EQ(tree("T($0)"), "(call T $0)");
  auto isT = [](StringRef name) { return name == "T"; };
  EXPECT_EQ(tree(parseCExpr("(T)-x + T($0)", isT)),
            "(+ (to T (- x)) (to T $0))");
}

TEST(CExpr, CallsNamesAndPlaces) {
  EXPECT_EQ(tree("std::fmax($0, f (2))"), "(call std::fmax $0 (call f 2))");
  EXPECT_EQ(tree("f<3, int>(x) > n::m"), "(> (call f<3, int> x) n::m)");
  EXPECT_EQ(tree("std::numeric_limits<float>::max()"),
            "(call std::numeric_limits<float>::max)");
  EXPECT_EQ(tree("i < n && j > (m)"), "(&& (< i n) (> j m))");
  EXPECT_EQ(tree("sizeof(unsigned int)"), "(call sizeof unsigned int)");
  EXPECT_EQ(tree("a[i + 1].b->c(d)"), "(call c (.b ([ a (+ i 1))) d)");
  EXPECT_EQ(parseCExpr("ns::f<3>(x)").callee(), "f");
}

TEST(CExpr, WhatIsNotUnderstoodKeepsItsParts) {
  EXPECT_EQ(tree("$0 + float{$1, 2} - p.q"), "(verbatim $0 float $1 2 - p)");
  EXPECT_EQ(tree("a-- - b->c -= -1"), "(verbatim a - b - 1)");
  for (StringRef text :
       {"a++ + b", "a - --b", "a = b", "a += b", "(a", "a b", "", "f(a,)",
        "[]{}", "a ?: b", "static_cast<int>(a, b)", "$$ + 1"})
    EXPECT_EQ(parseCExpr(text).kind, CExpr::Verbatim) << text.str();
  const std::string deep(100000, '(');
  EXPECT_EQ(parseCExpr(deep).kind, CExpr::Verbatim);
  std::string sum = "0";
  for (int k = 0; k != 1000; ++k)
    sum += " - $" + std::to_string(k);
  EXPECT_EQ(parseCExpr(sum).kind, CExpr::Binary);
  std::string members = "a";
  for (int k = 0; k != 50000; ++k)
    members += ".b";
  EXPECT_EQ(parseCExpr(members).kind, CExpr::Verbatim);
}

TEST(CExpr, WhatIsKeptMayBeAnExpression) {
  for (StringRef text :
       {"$$x1 + 1", "x * $$y", "L'a' + $0", "(decltype(a * b))($0) / 2",
        "(std::conditional_t<sizeof(T) == 8, double, float>)($0)",
        "(typename T::value_type)($0) <= (T const)(- -1)",
        "f() * g<T *>(a)[1]"})
    EXPECT_TRUE(mayBeExpression(text)) << text.str();
  for (StringRef text : {"",
                         "a +",
                         "* * ) a (",
                         "0; } while(1) {",
                         "({ return; 0; })",
                         "a = 3",
                         "a <<= 3",
                         "a += 1",
                         "a++",
                         "--a",
                         "a b",
                         "$0 $1",
                         "3 a",
                         "f(a,)",
                         "[]{}",
                         "(a",
                         "a)",
                         "(a]",
                         "return a",
                         "a ? , b",
                         "a \"b\"",
                         "()"})
    EXPECT_FALSE(mayBeExpression(text)) << text.str();
}

TEST(CExpr, TokensAreReplacedInPlace) {
  auto bracketed = [](const CExpr &e) { return "<" + e.token.str() + ">"; };
  EXPECT_EQ(parseCExpr("(a - f( b )) *  (T)$0").replaced(bracketed),
            "(<a> <-> <f>( <b> )) <*>  (<T>)<$0>");
  EXPECT_EQ(parseCExpr("{a} - 2").replaced(bracketed), "{<a>} <-> <2>");
}

TEST(CTypes, OfLiterals) {
  const std::pair<StringRef, StringRef> all[] = {{"1", "int"},
                                                 {"3u", "unsigned"},
                                                 {"3L", "long"},
                                                 {"3ull", "unsigned long"},
                                                 {"0xffffffff", "unsigned"},
                                                 {"4294967295", "long"},
                                                 {"1e-5f", "float"},
                                                 {"0x1F", "int"},
                                                 {"0x1p3f", "float"},
                                                 {"2.", "double"},
                                                 {".5L", "long double"},
                                                 {"'a'", "char"},
                                                 {"true", "bool"}};
  for (auto [literal, type] : all)
    EXPECT_EQ(typeOfLiteral(literal), type) << literal.str();
}

TEST(CTypes, CommonTypes) {
  EXPECT_EQ(commonType("unsigned char", "short"), "int");
  EXPECT_EQ(commonType("int", "unsigned"), "unsigned");
  EXPECT_EQ(commonType("unsigned", "long"), "long");
  EXPECT_EQ(commonType("long", "float"), "float");
  EXPECT_EQ(commonType("double", "float"), "double");
  EXPECT_EQ(commonType("T", "int"), "T");
  EXPECT_EQ(commonType("T", "float"), "float");
  EXPECT_EQ(commonType("", "int"), "int");
}
