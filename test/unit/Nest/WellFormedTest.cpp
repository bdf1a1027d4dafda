//===- WellFormedTest.cpp - What is refused as not well-formed ------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fixtures.h"

using namespace convopt;

namespace {

/// A change to the shared convolution and what it is refused with. These are
/// nests that only a pass could make; test/Nest has those that text can say.
struct Broken {
  const char *name;
  void (*damage)(Nest &);
  const char *message;
};

/// A copy of the first node of type T that can be changed in place.
template <class T> T &first(Nest &nest) {
  T *found = nullptr;
  nest.body = rewrite(nest.body, [&](const NodeRef &n) -> std::optional<Body> {
    if (found || !llvm::isa<T>(n.get()))
      return std::nullopt;
    auto copy = std::make_shared<T>(*llvm::cast<T>(n.get()));
    found = copy.get();
    return Body{copy};
  });
  return *found;
}

class WellFormed : public testing::TestWithParam<Broken> {};

TEST_P(WellFormed, Refuses) {
  Nest nest = parsed(convolution);
  ASSERT_FALSE(checkWellFormed(nest));
  GetParam().damage(nest);
  std::string message = messageOf(checkWellFormed(nest));
  EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
  EXPECT_NE(message.find("[well-formed]"), std::string::npos) << message;
}

const Broken broken[] = {
    {"LoopId", [](Nest &n) { first<Loop>(n).id = 99; }, "a loop has no name"},
    {"LoopTwice", [](Nest &n) { n.body.push_back(n.body[0]); },
     "loop 'y_o' is in the nest twice"},
    {"NoBound", [](Nest &n) { first<Loop>(n).upper.clear(); },
     "t:5:3: error: loop 'y_o' lacks a bound"},
    {"Divisor", [](Nest &n) { first<Loop>(n).upper[0].divisor = 0; },
     "a bound of loop 'y_o' divides"},
    {"BoundOverflows",
     [](Nest &n) { first<Loop>(n).upper[0].expr = IndexExpr::invalid(); },
     "a bound of loop 'y_o' overflows"},
    {"BoundVariable",
     [](Nest &n) { first<Loop>(n).lower[0].expr = IndexExpr::param(50); },
     "uses a variable that the nest does not have"},
    {"EmptyGuard", [](Nest &n) { first<Guard>(n).conditions.clear(); },
     "a guard has no condition"},
    {"LocalId", [](Nest &n) { first<Local>(n).array = 77; },
     "a local array is not declared"},
    {"InstanceSize", [](Nest &n) { first<Statement>(n).instance.pop_back(); },
     "S0 has 3 iterators and 2 values"},
    {"Arity",
     [](Nest &n) { first<Statement>(n).target.subscripts.push_back(0); },
     "gives 1 subscripts to 'sum', which has 0"},
    {"TargetId", [](Nest &n) { first<Statement>(n).target.array = 42; },
     "S0 uses an array that is not declared"},
    {"Hole", [](Nest &n) { first<Statement>(n).text = "$1"; },
     "does not number its operands"},
    {"HoleTouches", [](Nest &n) { first<Statement>(n).text = "$0f"; },
     "touches a word"},
    {"HoleMissing",
     [](Nest &n) {
       Statement &s = first<Statement>(n);
       s.operands.emplace_back();
       s.operands[0].kind = Operand::Index;
     },
     "has 1 operands and 0 places"},
    {"TextSpace", [](Nest &n) { first<Statement>(n).text = "1 "; },
     "has space at an end"},
    {"TextLines", [](Nest &n) { first<Statement>(n).text = "1\n+ 2"; },
     "is not a single line"},
    {"TextComment", [](Nest &n) { first<Statement>(n).text = "1 // one"; },
     "has a comment"},
    {"Otherwise",
     [](Nest &n) {
       Statement &s = first<Statement>(n);
       s.text = "$0";
       s.operands.emplace_back();
       s.operands[0].otherwise = "0";
     },
     "a guarded read in S0 is incomplete"},
    {"LoopName", [](Nest &n) { n.loopNames[0] = "a b"; },
     "is not named by an identifier"},
    {"SameName", [](Nest &n) { n.loopNames[0] = "x"; },
     "loop 'x' has a name that is taken"},
    {"Definition",
     [](Nest &n) { n.params[0].definition = IndexExpr::param(1); },
     "uses 'H', which is not declared before it"},
    {"ExpandedDims", [](Nest &n) { n.arrays[2].expandedDims = 1; },
     "array 'sum' cannot have 1 expanded dimensions"},
    {"ExpandedInput", [](Nest &n) { n.arrays[0].expandedDims = 1; },
     "array 'in' cannot have 1 expanded dimensions"},
    {"Footprint", [](Nest &n) { n.arrays[1].footprint = {IndexExpr::loop(0)}; },
     "the footprint of array 'out' uses 'y', which is out of scope"},
    {"Argument", [](Nest &n) { n.function.arguments[0].index = 9; },
     "argument 'in' stands for nothing"},
    {"Block", [](Nest &n) { n.function.block[1] = 0; },
     "a block extent of the launch is not positive"},
    {"ThreadMap", [](Nest &n) { n.function.threadMaps[0].loop = 70; },
     "threads stand for a loop"},
    {"AssumptionArray",
     [](Nest &n) {
       n.assumptions.push_back({{}, "one is left over", {}, n.arrays.size()});
     },
     "an assumption is of an array that is not declared"},
};

INSTANTIATE_TEST_SUITE_P(Damage, WellFormed, testing::ValuesIn(broken),
                         [](const auto &info) {
                           return std::string(info.param.name);
                         });

} // namespace
