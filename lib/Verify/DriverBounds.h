//===- DriverBounds.h - Values with bounds on their errors ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A running error analysis (Higham, Accuracy and Stability of Numerical
/// Algorithms, 3.3): each value in double has a bound on how far the same in
/// the types of the source may be from it, which operators and functions carry
/// on. A part of each verification driver, before DriverRuntime.h.
///
/// What a function makes of its arguments' errors is taken from its values at
/// the ends of their intervals: it is to be monotonic in each, as the operators
/// are, or flat. An operator is rounded once in its type, contracted with
/// another or not; unit roundoffs are counted twice, which leaves room for what
/// the reference rounds itself.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace convopt_verify {

constexpr double unknown = std::numeric_limits<double>::infinity();

/// The reference computes floating-point data in double and integers, which
/// wrap, as they are.
template <class T>
using Wide = std::conditional_t<std::is_integral<T>::value, T, double>;

/// A value of the user's type, such as `__half`, as the reference has it.
template <class T> Wide<T> widen(T v) {
  if constexpr (std::is_arithmetic<T>::value)
    return static_cast<Wide<T>>(v);
  else
    return static_cast<double>(static_cast<float>(v));
}

/// Of a floating-point type: the distance from 1 to the next number, the
/// smallest positive number and the largest one. Nothing else rounds.
struct Rounding {
  double epsilon = 0, smallest = 0, largest = unknown;
};

/// By trial where numeric_limits does not know the type: each has its powers of
/// two in common with float.
template <class T> constexpr Rounding findRounding() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point<T>::value) {
    return {std::max(double(Limits::epsilon()), 0x1p-52),
            double(Limits::denorm_min()), double(Limits::max())};
  } else if constexpr (std::is_integral<T>::value ||
                       !std::is_constructible<T, float>::value) {
    return {};
  } else {
    Rounding r{1, 1, 1};
    auto holds = [](double v) {
      return widen(static_cast<T>(static_cast<float>(v))) == v;
    };
    while (holds(1 + r.epsilon / 2))
      r.epsilon /= 2;
    while (holds(r.smallest / 2))
      r.smallest /= 2;
    while (holds(r.largest * 2))
      r.largest *= 2;
    r.largest *= 2 - r.epsilon;
    return r;
  }
}
template <class T> inline const Rounding roundingOf = findRounding<T>();

/// The most by which \p v is off once it is rounded to \p T.
template <class T> double roundingError(double v) {
  const Rounding &r = roundingOf<T>;
  if (!std::isfinite(v))
    return 0;
  return std::fabs(v) > r.largest ? unknown
                                  : r.epsilon * std::fabs(v) + r.smallest;
}

/// Whether \p v is a whole number up to which \p T has all.
template <class T> bool isWhole(double v) {
  return std::fabs(v) * roundingOf<T>.epsilon < 1 && v == std::trunc(v);
}

/// What the reference has where the source has a value of type T, which is
/// within `error` of it. Nothing is known where that is no finite number.
template <class T> struct Bounded {
  using Type = T;
  Wide<T> value;
  double error = 0;
};

template <class T> auto known(T v) {
  if constexpr (std::is_enum<T>::value && std::is_convertible<T, int>::value)
    return known(+v); // as operators take it
  else
    return Bounded<T>{widen(v)};
}

/// What \p value, within \p error, is once it is rounded to \p T that many
/// times. A whole number that exact operands give in one operation is exact.
template <class T>
Bounded<T> rounded(Wide<T> value, double error, int roundings = 1) {
  if constexpr (!std::is_integral<T>::value)
    if (roundings > 1 || (roundings == 1 && (error != 0 || !isWhole<T>(value))))
      error += roundings * roundingError<T>(std::fabs(value) + error);
  return {value, error};
}

inline double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  const double d = std::fabs(a - b);
  return std::isnan(d) ? unknown : d;
}

/// \p v + \p by, as far as its type reaches.
template <class W> W shifted(W v, double by) {
  using Limits = std::numeric_limits<W>;
  const double sum = double(v) + by;
  return by == 0                           ? v
         : sum <= double(Limits::lowest()) ? Limits::lowest()
         : sum >= double(Limits::max())    ? Limits::max()
                                           : static_cast<W>(sum);
}

/// How far \p f is from \p value at the ends of the intervals around \p a.
template <class F> double furthest(F f, double value) {
  return distance(value, double(widen(f())));
}
template <class F, class A, class... More>
double furthest(F f, double value, const Bounded<A> &a,
                const Bounded<More> &...more) {
  auto from = [&](double by) {
    const auto end = shifted(a.value, by);
    return furthest([&](auto... others) { return f(end, others...); }, value,
                    more...);
  };
  return a.error == 0 ? from(0) : std::max(from(-a.error), from(a.error));
}
template <class F, class... A>
double deviation(F f, double value, const Bounded<A> &...a) {
  if ((... && (a.error == 0)))
    return 0;
  return (... && (a.error < unknown)) ? furthest(f, value, a...) : unknown;
}

template <class A, class B,
          bool = std::is_arithmetic<A>::value &&std::is_arithmetic<B>::value>
struct CommonOfTwo {
  using Type = decltype(A() + B());
};
template <class A, class B> struct CommonOfTwo<A, B, false> {
  static constexpr bool isB =
      std::is_floating_point<B>::value || std::is_integral<A>::value;
  using Type = std::conditional_t<isB, B, A>;
};
template <class A, class... More> struct CommonOfAll { using Type = A; };
template <class A, class B, class... More>
struct CommonOfAll<A, B, More...>
    : CommonOfAll<typename CommonOfTwo<A, B>::Type, More...> {};
/// The type in which C++ computes with values of all these; of `__half` and the
/// like, which it does not have, and one of floating point the latter.
template <class... A> using Common = typename CommonOfAll<A...>::Type;

/// As a conversion to \p Type has it. Integers that may have wrapped may be
/// anything.
template <class Type, class From, class To = std::decay_t<Type>>
Bounded<To> convert(const Bounded<From> &a) {
  const double v = double(a.value);
  if constexpr (std::is_same<To, From>::value) {
    return a;
  } else if constexpr (std::is_same<To, bool>::value) {
    return {a.value != 0, a.error == 0 || std::fabs(v) > a.error ? 0.0 : 1.0};
  } else if constexpr (std::is_integral<To>::value) {
    if (std::is_integral<From>::value && a.error == 0)
      return {static_cast<To>(a.value)};
    using Limits = std::numeric_limits<To>;
    const double least = std::trunc(v - a.error),
                 most = std::trunc(v + a.error);
    const bool fits =
        least >= double(Limits::min()) && most <= double(Limits::max());
    return {static_cast<To>(a.value),
            fits ? std::max(most - std::trunc(v), std::trunc(v) - least)
                 : unknown};
  } else {
    const bool isWider = !std::is_integral<From>::value &&
                         roundingOf<To>.epsilon <= roundingOf<From>.epsilon;
    return rounded<To>(v, a.error, isWider ? 0 : 1);
  }
}

/// As a function of type \p R takes it: any but one of floats as it is.
template <class R, class A> auto passed(const Bounded<A> &a) {
  if constexpr (std::is_integral<R>::value || std::is_integral<A>::value)
    return a;
  else
    return convert<R>(a);
}

/// The type of what in the reference is a \p W, made of values of types \p A.
template <class W, class... A>
using TypeOf =
    std::conditional_t<!std::is_same<W, double>::value, W,
                       std::conditional_t<std::is_integral<Common<A...>>::value,
                                          double, Common<A...>>>;

/// What \p f gives, a function of type \p R, which is off by \p roundings
/// roundings.
template <class R = int, class F, class... A>
auto apply(int roundings, F f, const Bounded<A> &...a) {
  const auto value = f(a.value...);
  using T = TypeOf<std::decay_t<decltype(value)>, R,
                   typename decltype(passed<R>(a))::Type...>;
  return rounded<T>(widen(value),
                    deviation(f, double(widen(value)), passed<R>(a)...),
                    roundings);
}

/// What \p f gives, a function or text that is not known: it may round numbers
/// as large as its arguments.
template <class F, class... A> auto call(F f, const Bounded<A> &...a) {
  auto result = apply(0, f, a...);
  const double size = std::max(
      {std::fabs(double(result.value)), std::fabs(double(a.value))...});
  result.error += 8 * roundingError<typename decltype(result)::Type>(size);
  return result;
}

/// What \p f gives, of which nothing is known if an argument is not exact.
template <class F, class... A> auto exactly(F f, const Bounded<A> &...a) {
  auto result = apply(0, f, a...);
  if ((... || (a.error != 0)))
    result.error = unknown;
  return result;
}

/// `a + b`, `a - b` or `a * b`: of integers that are not exact in double, where
/// they do not wrap.
template <class F, class A, class B>
auto arithmetic(F f, const Bounded<A> &a, const Bounded<B> &b) {
  using R = Common<A, B>;
  if constexpr (!std::is_integral<R>::value)
    return apply(1, f, convert<R>(a), convert<R>(b));
  else if (a.error == 0 && b.error == 0)
    return apply(0, f, a, b);
  else
    return convert<R>(apply(0, f, Bounded<double>{double(a.value), a.error},
                            Bounded<double>{double(b.value), b.error}));
}

/// Nothing is known of a quotient whose divisor may be 0.
template <class F, class A, class B>
auto quotient(F f, const Bounded<A> &a, const Bounded<B> &b) {
  auto result = arithmetic(f, a, b);
  if (b.error != 0 && b.error >= std::fabs(double(b.value)))
    result.error = unknown;
  return result;
}

template <class F, class A, class B>
Bounded<bool> compare(F f, const Bounded<A> &a, const Bounded<B> &b) {
  const double error = a.error + b.error;
  const bool isCertain =
      error == 0 || distance(double(a.value), double(b.value)) > error;
  return {f(a.value, b.value), isCertain ? 0.0 : 1.0};
}

/// `condition ? yes() : no()`, either of which it may be where the condition is
/// not certain.
template <class C, class Yes, class No>
auto choose(const Bounded<C> &condition, Yes yes, No no) {
  using R =
      Common<typename decltype(yes())::Type, typename decltype(no())::Type>;
  const Bounded<bool> is = convert<bool>(condition);
  Bounded<R> chosen = is.value ? convert<R>(yes()) : convert<R>(no());
  if (is.error != 0) {
    const Bounded<R> other = is.value ? convert<R>(no()) : convert<R>(yes());
    chosen.error = std::max(
        chosen.error,
        distance(double(chosen.value), double(other.value)) + other.error);
  }
  return chosen;
}

} // namespace convopt_verify
