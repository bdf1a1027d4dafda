//===- DriverValues.h - Reference values of a driver ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the reference keeps values: elements, sums, and the nest's local
/// arrays. Its text follows that of DriverRuntime.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// An element as the reference computes it. Of a sum the bound holds in any
/// order: n additions of terms with the sum M of their magnitudes are off by no
/// more than n roundings of M (Higham, 4.2), and by what the terms are.
template <class T> class Cell {
public:
  Cell() = default;
  Cell(const Bounded<T> &v) { set(v); }

  bool isWritten() const { return written; }

  Bounded<T> read() const {
    const bool isExact = additions == 0 || (areWhole && isWhole<T>(magnitude));
    return {value,
            isExact ? error
                    : error + additions * roundingError<T>(magnitude + error)};
  }

  template <class V> void assign(const Bounded<V> &v) {
    set(convert<T>(v));
    written = true;
  }
  template <class V> void add(const Bounded<V> &v) {
    accumulate(std::plus<>(), v);
  }
  template <class V> void sub(const Bounded<V> &v) {
    accumulate(std::minus<>(), v);
  }
  template <class V> void mul(const Bounded<V> &v) {
    assign(arithmetic(std::multiplies<>(), read(), v));
  }
  template <class V> void max(const Bounded<V> &v) {
    assign(apply(
        0, [](auto a, auto b) { return a < b ? b : a; }, read(), v));
  }
  template <class V> void min(const Bounded<V> &v) {
    assign(apply(
        0, [](auto a, auto b) { return b < a ? b : a; }, read(), v));
  }

private:
  Wide<T> value = std::numeric_limits<Wide<T>>::quiet_NaN();
  double error = 0, magnitude = 0;
  int64_t additions = 0; // since it was set
  bool areWhole = true, written = false;

  void set(const Bounded<T> &v) {
    value = v.value;
    error = magnitude = 0;
    additions = 0;
    areWhole = true;
    extend(v);
  }
  template <class V> void extend(const Bounded<V> &term) {
    error += term.error;
    magnitude += std::fabs(double(term.value));
    areWhole &= term.error == 0 && isWhole<T>(double(term.value));
  }
  template <class F, class V> void accumulate(F f, const Bounded<V> &v) {
    if constexpr (std::is_integral<T>::value) {
      assign(arithmetic(f, read(), v));
    } else {
      value = f(value, double(v.value));
      extend(convert<Common<T, V>>(v));
      ++additions;
      written = true;
    }
  }
};

/// A local array of the nest.
template <class T> struct LocalArray {
  std::vector<int64_t> extents;
  std::vector<Cell<T>> cells;
};

/// The row-major offset of \p index; fails outside of the extents, but for the
/// outermost, of which the memory has what the nest touches.
inline size_t offset(const char *name, const std::vector<int64_t> &extents,
                     std::initializer_list<int64_t> index) {
  size_t at = 0, d = 0;
  for (int64_t i : index) {
    if (i < 0 || (d > 0 && i >= extents[d]))
      fail(std::string("the nest leaves dimension ") + std::to_string(d) +
           " of '" + name + "' with subscript " + std::to_string(i));
    at = at * extents[d++] + i;
  }
  return at;
}
inline size_t elements(const std::vector<int64_t> &extents) {
  size_t n = 1;
  for (int64_t e : extents)
    n *= e < 0 ? 0 : e;
  return n;
}

template <class T>
LocalArray<T> makeLocal(const std::vector<int64_t> &extents) {
  return {extents, std::vector<Cell<T>>(elements(extents))};
}
template <class T>
Cell<T> &at(LocalArray<T> &a, std::initializer_list<int64_t> index) {
  const size_t i = offset("a local array", a.extents, index);
  if (i >= a.cells.size())
    fail("the nest leaves a local array");
  return a.cells[i];
}

} // namespace convopt_verify
