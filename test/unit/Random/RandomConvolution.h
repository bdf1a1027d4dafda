//===- RandomConvolution.h - Nests as sources have them ---------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_TEST_UNIT_RANDOM_RANDOMCONVOLUTION_H
#define CONVOPT_TEST_UNIT_RANDOM_RANDOMCONVOLUTION_H

#include "Random.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <string>
#include <vector>

namespace convopt::test {

/// Convolutions of one to three dimensions, transposed ones, poolings, matrix
/// products and stencils: with strides, dilation, padding, groups, fused loops,
/// layouts and sizes of all kinds.
class RandomConvolution {
public:
  /// \p isOfProducts: products of matrices and convolutions, most of whose
  /// sizes are known, of arrays whose rows may be longer than what is read.
  RandomConvolution(Random &random, bool isOfProducts)
      : random(random), isOfProducts(isOfProducts) {}

  /// The nest as .nest text, once.
  std::string text();

private:
  /// A loop over a part of the output.
  struct Dim {
    std::string loop, extent;
  };
  /// Along which the filter moves.
  struct Window {
    Dim out, filter;
    std::string input; // extent
    unsigned stride, dilation, padding;
    bool isTransposed = false;
    std::string element() const;
    std::string guard() const; // empty: always holds
  };
  using Access = std::vector<std::pair<std::string, std::string>>;

  Random &random;
  const bool isOfProducts;
  std::string type, parameters, defined, arrays, assumptions, templateType,
      templateSize, body;
  std::vector<std::string> arguments;
  bool isConstant = false, sumsInMemory = false;
  unsigned statements = 0, indent = 0;

  void line(const std::string &text);
  void open(const Dim &d) {
    line("for " + d.loop + " in 0 .. " + d.extent + " {");
  }
  void statement(const std::string &text);
  void close(size_t loops);
  std::string size(const std::string &name, unsigned low, unsigned high,
                   bool mayBeTemplate = false);
  void define(std::string &extent, const std::string &name);
  void assume(const std::string &text);
  std::string array(const std::string &name, Access access,
                    const std::string &role, const std::string &last = "",
                    const std::map<std::string, std::string> &borders = {});
  std::map<std::string, std::string>
  bordersOf(const std::vector<Window> &windows);
  std::string longer(const std::string &extent);
  Window transposed(Window w, const std::string &input);
  Dim fuse(llvm::ArrayRef<Dim *> loops, const std::string &name);
  Window window(const std::string &loop, const std::string &filter,
                const std::string &input);
  std::string guardOf(const std::vector<Window> &windows) const;
  void sum(const std::string &target, const std::vector<Dim> &outer,
           std::vector<Dim> inner, const std::string &guard, std::string value,
           bool isMaximum);
  std::string epilogue(const std::vector<Dim> &outer);
  void groups(std::vector<Dim> &outer, std::vector<Dim> &inner, Access &in,
              Access &out, Access &w);
  void convolution();
  void product();
  void stencil();
  void inTime();
  void scatter();
};

} // namespace convopt::test

#endif // CONVOPT_TEST_UNIT_RANDOM_RANDOMCONVOLUTION_H
