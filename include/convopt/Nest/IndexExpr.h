//===- IndexExpr.h - Index arithmetic over loops and sizes ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Subscripts, bounds and extents. An IndexExpr is a polynomial with integer
/// coefficients over loop iterators, size parameters and floor divisions, kept
/// in canonical form so that equality is structural. Most are affine; run-time
/// strides (`stride * oh`) and linearised extents (`H * W`) are the reason that
/// products are allowed.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_INDEXEXPR_H
#define CONVOPT_NEST_INDEXEXPR_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace convopt {

class IndexExpr;

/// A loop iterator or a size parameter. Identity is the number: names only
/// print.
struct Var {
  enum Kind : uint8_t { Loop, Param } kind;
  unsigned id;

  friend bool operator==(Var a, Var b) {
    return a.kind == b.kind && a.id == b.id;
  }
  friend bool operator!=(Var a, Var b) { return !(a == b); }
  friend bool operator<(Var a, Var b) {
    return a.kind != b.kind ? a.kind < b.kind : a.id < b.id;
  }
};

inline Var loopVar(unsigned id) { return {Var::Loop, id}; }
inline Var paramVar(unsigned id) { return {Var::Param, id}; }

/// What a monomial multiplies: a variable, or `floor(num / den)`.
class Atom {
public:
  explicit Atom(Var v) : var(v) {}
  Atom(IndexExpr num, IndexExpr den);

  bool isVar() const { return !quotient; }
  Var asVar() const { return var; }
  const IndexExpr &num() const;
  const IndexExpr &den() const;

  /// A total order: variables before quotients.
  static int compare(const Atom &a, const Atom &b);
  friend bool operator<(const Atom &a, const Atom &b) {
    return compare(a, b) < 0;
  }
  friend bool operator==(const Atom &a, const Atom &b) {
    return compare(a, b) == 0;
  }

private:
  struct Quotient;
  Var var{Var::Loop, 0};
  std::shared_ptr<const Quotient> quotient;
};

/// A sorted product of atoms; the empty product is 1.
using Monomial = std::vector<Atom>;

/// A canonical integer polynomial over loops, parameters and quotients.
///
/// Coefficients are 64-bit. Arithmetic that leaves that range, and a product
/// that is larger than any of a real nest, gives an invalid expression, which
/// is contagious and which well-formedness refuses.
class IndexExpr {
public:
  /// The most atoms in a product.
  static constexpr size_t MaxDegree = 16;

  IndexExpr() = default;
  IndexExpr(int64_t constant);
  static IndexExpr of(Var v);
  static IndexExpr loop(unsigned id) { return of(loopVar(id)); }
  static IndexExpr param(unsigned id) { return of(paramVar(id)); }
  /// `floor(num / den)`, folded where both are constant or den divides every
  /// coefficient. \p den must be positive wherever it is evaluated.
  static IndexExpr floorDiv(const IndexExpr &num, const IndexExpr &den);
  /// `num - den * floor(num / den)`.
  static IndexExpr mod(const IndexExpr &num, const IndexExpr &den);
  static IndexExpr invalid();

  bool isValid() const { return !overflowed; }
  bool isZero() const { return isValid() && terms_.empty(); }
  /// The atoms of the longest product.
  size_t degree() const;
  bool isConstant() const;
  std::optional<int64_t> asConstant() const;
  int64_t constantTerm() const;
  /// The variable, where the expression is exactly one variable.
  std::optional<Var> asVar() const;

  /// The constant coefficient of \p v alone (not of products that hold it).
  int64_t coefficient(Var v) const;
  /// Everything that multiplies \p v, itself free of \p v; none where \p v
  /// also occurs squared or inside a quotient.
  std::optional<IndexExpr> symbolicCoefficient(Var v) const;
  bool uses(Var v) const;
  std::set<Var> vars() const;
  bool usesLoops() const;
  bool hasQuotient() const;
  /// True where no monomial multiplies a loop or a quotient by anything but a
  /// constant, and every divisor is a constant: what isl can hold, once
  /// products of parameters are taken as parameters of their own.
  bool isAffine() const;

  const std::map<Monomial, int64_t> &terms() const { return terms_; }

  /// Replaces every variable for which \p map gives a value, all at once.
  IndexExpr
  substitute(llvm::function_ref<std::optional<IndexExpr>(Var)> map) const;
  IndexExpr substitute(Var v, const IndexExpr &value) const;

  /// The value under \p map, which must give every variable one; none on
  /// overflow or division by a number that is not positive.
  std::optional<int64_t> evaluate(llvm::function_ref<int64_t(Var)> map) const;

  /// C syntax (`2 * y + H * W - 1`), positive terms first, names from \p name.
  /// Quotients print as `(a) / b`, in which C and floor division agree only
  /// for non-negative numerators; `.nest` spells them `floordiv(a, b)`.
  std::string str(llvm::function_ref<std::string(Var)> name,
                  bool floorDivCalls = false) const;

  IndexExpr &operator+=(const IndexExpr &o);
  IndexExpr &operator-=(const IndexExpr &o);
  friend IndexExpr operator+(IndexExpr a, const IndexExpr &b) { return a += b; }
  friend IndexExpr operator-(IndexExpr a, const IndexExpr &b) { return a -= b; }
  friend IndexExpr operator*(const IndexExpr &a, const IndexExpr &b);
  IndexExpr operator-() const { return IndexExpr(0) - *this; }

  static int compare(const IndexExpr &a, const IndexExpr &b);
  friend bool operator==(const IndexExpr &a, const IndexExpr &b) {
    return compare(a, b) == 0;
  }
  friend bool operator!=(const IndexExpr &a, const IndexExpr &b) {
    return compare(a, b) != 0;
  }
  friend bool operator<(const IndexExpr &a, const IndexExpr &b) {
    return compare(a, b) < 0;
  }

private:
  void add(const Monomial &m, int64_t coefficient);

  std::map<Monomial, int64_t> terms_;
  bool overflowed = false;
};

/// `expr >= 0` or `expr == 0`.
struct Constraint {
  enum Kind : uint8_t { NonNegative, Zero } kind = NonNegative;
  IndexExpr expr;

  friend bool operator==(const Constraint &a, const Constraint &b) {
    return a.kind == b.kind && a.expr == b.expr;
  }
};

} // namespace convopt

#endif // CONVOPT_NEST_INDEXEXPR_H
