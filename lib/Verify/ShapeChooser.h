//===- ShapeChooser.h - Sizes from wanted trip counts -----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each shape starts from wanted trip counts of the loops by what they do in a
/// convolution. Sizes are found by search: a loop's trip count is evaluated
/// for 1, 2, ... of the one parameter that is still open, so strides, paddings
/// and quotients need no rules of their own.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_SHAPECHOOSER_H
#define CONVOPT_LIB_VERIFY_SHAPECHOOSER_H

#include "FlatExpr.h"
#include "convopt/Verify/Verify.h"

namespace convopt::verify {

/// Some of these, one drawn for each use.
struct Wanted {
  std::vector<int64_t> column, row; // the output's innermost dimension; others
  std::vector<int64_t> filter;      // reduction loops that slide a window
  std::vector<int64_t> inChannels;  // other reduction loops
  std::vector<int64_t> outChannels; // parallel loops without a window
  std::vector<int64_t> step;        // strides and dilations
  std::vector<int64_t> padding;     // what else a trip count is made of
  std::vector<int64_t> rest;        // what no loop decides
  std::map<unsigned, int64_t> aims = {}; // of single loops, whatever they are
};

/// The parameters of \p e that are not in a divisor.
std::set<unsigned> dividends(const IndexExpr &e);

class ShapeChooser {
public:
  explicit ShapeChooser(const Nest &nest);

  /// None where no assumption allows what was drawn.
  std::optional<Shape> choose(const Wanted &wanted);

  /// \p from with \p trips of \p loop, or past it by the least, and with what
  /// facts then ask of other sizes; none where they allow nothing.
  std::optional<Shape> withTrips(const Shape &from, unsigned loop,
                                 int64_t trips);
  /// The same for what \p count, over sizes, comes to.
  std::optional<Shape> withCount(const Shape &from, const IndexExpr &count,
                                 int64_t value);
  /// The same with another value of \p param.
  std::optional<Shape> withSize(const Shape &from, unsigned param,
                                int64_t value);

  /// The sizes of the last shape.
  const Values &values() const { return sizes; }
  /// Parameters that multiply or divide loops, such as strides.
  const std::set<unsigned> &stepParams() const { return steps; }
  /// The loops that \p param multiplies, by id.
  std::set<unsigned> loopsTimes(unsigned param) const {
    auto it = stepped.find(param);
    return it == stepped.end() ? std::set<unsigned>() : it->second;
  }
  /// Parameters that are values, and no sizes.
  const std::set<unsigned> &dataParams() const { return data; }
  /// Parameters that guards subtract from subscripts.
  const std::set<unsigned> &paddingParams() const { return paddings; }
  /// One of \p from.
  template <typename T> T draw(const std::vector<T> &from) {
    return from[random() % from.size()];
  }
  int64_t draw(std::initializer_list<int64_t> from) {
    return draw(std::vector<int64_t>(from));
  }

private:
  enum class LoopUse { Column, Row, Filter, InChannel, OutChannel };
  struct Fact {
    FlatExpr expr;
    bool isZero;
    std::set<unsigned> params;

    bool mayHold(const Values &sizes) const {
      const std::optional<int64_t> value = expr.evaluate(sizes);
      return !value || (isZero ? *value == 0 : *value >= 0);
    }
  };

  const Nest &nest;
  std::map<unsigned, LoopUse> uses; // by loop id
  std::vector<const Loop *> order;  // reductions first, then parallel loops
  std::set<unsigned> steps;         // parameters that multiply or divide loops
  std::map<unsigned, std::set<unsigned>> stepped; // the loops of those
  std::set<unsigned> divisors;      // those of them that divide
  std::set<unsigned> dimensions;    // parameters that are an extent themselves
  std::set<unsigned> limits;        // those that only keep indices from above
  std::set<unsigned> paddings;      // those that keep them from below
  std::set<unsigned> data;          // those that are values, and no sizes
  std::set<unsigned> shifts;        // those in values that divide or shift
  /// Which are divided by which in facts, or at least as large.
  std::set<std::pair<unsigned, unsigned>> bases;
  /// What is only asked for its value, as kinds of activations are: what it is
  /// compared with and what lies beside.
  std::map<unsigned, std::vector<int64_t>> choices;
  std::vector<Fact> facts;
  Values sizes;
  /// What no char holds; no short, where nothing multiplies it as an integer.
  int64_t largeData;
  Shape shape;
  uint64_t drawn = 0;

  uint64_t random();

  void classifyLoops();
  void classifySteps();
  void classifyLimits();
  void classifyData();
  void classifyBases();
  void orderDivisors();
  bool isOpen(unsigned param) const {
    return !nest.params[param].definition && !sizes.at(param);
  }
  bool isPitch(unsigned param) const {
    return llvm::any_of(bases,
                        [&](const auto &of) { return of.first == param; });
  }
  std::vector<unsigned> openParams(const IndexExpr &e) const;
  IndexExpr tripCount(const Loop &l) const;
  void set(unsigned param, int64_t value);
  unsigned solvedFor(const IndexExpr &count,
                     const std::vector<unsigned> &open) const;
  bool settle(unsigned param, int64_t least);
  void search(const IndexExpr &count, unsigned param, int64_t target);
  void reach(const IndexExpr &count, int64_t target, const Wanted &wanted);
  int64_t target(const Loop &l, const Wanted &wanted, int64_t &rows,
                 int64_t &channels);
  void settleRest(const Wanted &wanted);
  void startFrom(const Shape &from);
  void openDependents(unsigned changed);
  std::optional<Shape> repaired(const Shape &from, unsigned changed);
  void settleEquations();
  bool mayBe(unsigned param, int64_t value);
};

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_SHAPECHOOSER_H
