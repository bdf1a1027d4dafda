//===- DriverValues.h - Reference values of a driver ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the reference computes with: values in double, bounds on the errors of
/// less precision, and the nest's local arrays. Its text follows that of
/// DriverRuntime.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// The reference computes floating-point data in double and integers, which
/// wrap, as they are.
template <class T>
using Wide = std::conditional_t<std::is_integral<T>::value, T, double>;

/// A value of the user's type, such as `__half`, as the reference has it.
template <class T> Wide<T> widen(T v) {
  if constexpr (std::is_arithmetic<T>::value)
    return v;
  else
    return static_cast<double>(static_cast<float>(v));
}

/// In double, as the magnitude of the least integer is none of its type.
template <class W> double absolute(W v) {
  return std::fabs(static_cast<double>(widen(v)));
}

/// As T has it; what has lost precision there is zero, as that divides nothing
/// well.
template <class T> T narrowed(Wide<T> v) {
  if constexpr (std::is_floating_point<T>::value)
    return std::fabs(v) < std::numeric_limits<T>::min() ? T(0)
                                                        : static_cast<T>(v);
  else if constexpr (std::is_integral<T>::value)
    return v;
  else
    return static_cast<T>(static_cast<float>(v));
}

/// Whether \p narrow, in the types of the source, is no number where \p wide,
/// in double, is one.
template <class W, class N> bool isLost(W wide, N narrow) {
  if constexpr (std::is_integral<N>::value)
    return false;
  else
    return std::isfinite(static_cast<double>(widen(wide))) &&
           !std::isfinite(static_cast<double>(widen(narrow)));
}

/// A reference value, what it would be with every term positive, and how many
/// additions stand between it and the inputs: the error of the same sum in
/// less precision is at most about `depth * epsilon * magnitude`. Differences
/// of unsigned integers wrap to values that their terms do not bound. What is
/// lost, as some value that it is made of is too large for its type, the naive
/// code computes from infinities: nothing is known of integers made of it.
template <class T> struct Cell {
  Wide<T> value = std::numeric_limits<Wide<T>>::quiet_NaN();
  double magnitude = std::numeric_limits<double>::quiet_NaN();
  int64_t depth = 0;
  bool written = false, lost = false;

  /// In the type of the value, for text that asks for it.
  Wide<T> typedMagnitude() const {
    constexpr Wide<T> most = std::numeric_limits<Wide<T>>::max();
    if constexpr (std::is_integral<T>::value)
      return magnitude < static_cast<double>(most)
                 ? static_cast<Wide<T>>(magnitude)
                 : most;
    else
      return magnitude;
  }

  T narrow() const { return narrowed<T>(value); }

  template <class V, class M> void assign(V v, M m, int64_t d, bool l = false) {
    value = static_cast<Wide<T>>(v);
    lost = l || isLost(value, narrow());
    magnitude = std::max(static_cast<double>(m), absolute(value));
    depth = d;
    written = true;
  }
  template <class V, class M> void add(V v, M m, int64_t d, bool l = false) {
    assign(value + v, magnitude + bound(v, m), std::max(depth, d) + 1,
           lost || l);
  }
  template <class V, class M> void sub(V v, M m, int64_t d, bool l = false) {
    assign(value - v, magnitude + bound(v, m), std::max(depth, d) + 1,
           lost || l);
  }
  template <class V, class M> void mul(V v, M m, int64_t d, bool l = false) {
    assign(value * v, magnitude * bound(v, m), std::max(depth, d) + 1,
           lost || l);
  }
  template <class V, class M> void max(V v, M m, int64_t d, bool l = false) {
    const bool any = lost || l;
    if (value < v)
      assign(v, m, std::max(depth, d));
    lost = any;
  }
  template <class V, class M> void min(V v, M m, int64_t d, bool l = false) {
    const bool any = lost || l;
    if (v < value)
      assign(v, m, std::max(depth, d));
    lost = any;
  }

private:
  template <class V, class M> static double bound(V v, M m) {
    return std::max(static_cast<double>(m), absolute(static_cast<Wide<T>>(v)));
  }
};

/// Of a scalar, in its own type.
template <class W> auto typedMagnitude(W v) {
  if constexpr (std::is_arithmetic<W>::value)
    return v < W(0) ? W(-v) : v;
  else
    return v;
}

template <class T> Cell<T> known(T v) {
  Cell<T> c;
  c.value = widen(v);
  c.magnitude = absolute(c.value);
  return c;
}

/// Of T, by trial: numeric_limits knows no 16-bit floating-point types. Each
/// has its powers of two in common with float.
template <class T> Rounding roundingOf() {
  if constexpr (std::is_floating_point<T>::value) {
    return {double(std::numeric_limits<T>::epsilon()),
            double(std::numeric_limits<T>::denorm_min())};
  } else if constexpr (std::is_integral<T>::value ||
                       !std::is_constructible<T, float>::value) {
    return {};
  } else {
    Rounding r{1, 1};
    auto holds = [](double v) {
      return widen(static_cast<T>(static_cast<float>(v))) == v;
    };
    while (holds(1 + r.epsilon / 2))
      r.epsilon /= 2;
    while (holds(r.smallest / 2))
      r.smallest /= 2;
    return r;
  }
}

/// The coarsest of the types that take part in the sum.
template <class... Ts> Rounding coarsest() {
  Rounding most;
  for (Rounding r : {roundingOf<std::decay_t<Ts>>()...}) {
    most.epsilon = std::max(most.epsilon, r.epsilon);
    most.smallest = std::max(most.smallest, r.smallest);
  }
  return most;
}

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
