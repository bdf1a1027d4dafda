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
/// the types of the source may be from it, which operators carry on. A part of
/// each verification driver, before DriverRuntime.h.
///
/// Assumed is that each operation is rounded once in its type, contracted with
/// another or not; that a function of the library is off by no more than
/// `functionRoundings`; that a function is monotonic within the error of each
/// argument; and that errors are small, so that their products matter for
/// quotients and products alone. Unit roundoffs are counted twice, which leaves
/// room for what the reference rounds itself.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>

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

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// Of a floating-point type: the distance from 1 to the next number, the
/// smallest positive number and the largest one. Nothing else rounds.
struct Rounding {
  double epsilon = 0, smallest = 0, largest = unknown;
};

/// Of a type that numeric_limits does not know, by trial. Each has its powers
/// of two in common with float.
template <class T> Rounding triedRounding() {
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

template <class T> const Rounding &roundingOf() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point<T>::value) {
    static const Rounding r{std::max(double(Limits::epsilon()),
                                     std::numeric_limits<double>::epsilon()),
                            double(Limits::denorm_min()),
                            double(Limits::max())};
    return r;
  } else if constexpr (std::is_integral<T>::value ||
                       !std::is_constructible<T, float>::value) {
    static const Rounding r;
    return r;
  } else {
    static const Rounding r = triedRounding<T>();
    return r;
  }
}

/// That of the coarsest type.
template <class... Ts> double coarsestEpsilon() {
  return std::max({0.0, roundingOf<std::decay_t<Ts>>().epsilon...});
}

/// The most by which \p v is off once it is rounded to \p T.
template <class T> double roundingError(double v) {
  const Rounding &r = roundingOf<T>();
  if (!std::isfinite(v))
    return 0;
  return std::fabs(v) > r.largest ? unknown
                                  : r.epsilon * std::fabs(v) + r.smallest;
}

/// Whether \p v is a whole number up to which \p T has all.
template <class T> bool isWhole(double v) {
  return std::fabs(v) * roundingOf<T>().epsilon < 1 && v == std::trunc(v);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// What the reference has where the source has a value of type T, which is
/// within `error` of it. Nothing is known where that is no finite number.
template <class T> struct Bounded {
  using Type = T;
  Wide<T> value;
  double error = 0;
};

template <class T> Bounded<T> known(T v) { return {widen(v)}; }

inline double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b)))
    return 0;
  const double d = std::fabs(a - b);
  return std::isnan(d) ? unknown : d;
}

/// \p error times \p factor, which may be infinite.
inline double scaled(double error, double factor) {
  return error == 0 ? 0 : error * std::fabs(factor);
}

/// The type in which C++ computes with an A and a B; of a type that it does not
/// have, such as `__half`, and one of floating point the latter.
template <class A, class B,
          bool = std::is_arithmetic<A>::value &&std::is_arithmetic<B>::value>
struct CommonType {
  static constexpr bool isOfB =
      std::is_floating_point<B>::value || std::is_arithmetic<A>::value;
  using Type = std::conditional_t<std::is_floating_point<A>::value || !isOfB, A,
                                  B>;
};
template <class A, class B> struct CommonType<A, B, true> {
  using Type = decltype(A() + B());
};
template <class A, class B> using Common = typename CommonType<A, B>::Type;

/// Whether an integer of type \p T may be \p v and what is within \p error of it.
template <class T> bool holds(double v, double error) {
  using Limits = std::numeric_limits<T>;
  return v - error >= double(Limits::min()) &&
         v + error <= double(Limits::max());
}

/// \p value, which operands within \p error of theirs give, as \p R has it.
/// Whole numbers that are given by exact ones are exact in any order; integers
/// that may have wrapped may be anything.
template <class R> Bounded<R> rounded(Wide<R> value, double error) {
  const double v = static_cast<double>(value);
  if constexpr (std::is_integral<R>::value)
    return {value, error == 0 || holds<R>(v, error) ? error : unknown};
  else if (error == 0 && isWhole<R>(v))
    return {value, 0};
  else
    return {value, error + roundingError<R>(v)};
}

template <class A, class B>
bool isCertain(const Bounded<A> &a, const Bounded<B> &b) {
  const double error = a.error + b.error;
  return error == 0 || std::fabs(static_cast<double>(a.value) -
                                 static_cast<double>(b.value)) > error;
}

/// \p a and \p by, as far as its type reaches.
template <class A> Wide<A> shifted(const Bounded<A> &a, double by) {
  const double v = static_cast<double>(a.value) + by;
  if constexpr (std::is_integral<A>::value) {
    using Limits = std::numeric_limits<A>;
    if (!(v > double(Limits::min())))
      return Limits::min();
    if (!(v < double(Limits::max())))
      return Limits::max();
  }
  return static_cast<Wide<A>>(v);
}

/// As a conversion to \p Type has it.
template <class Type, class From, class To = std::decay_t<Type>>
Bounded<To> convert(const Bounded<From> &a) {
  const double v = static_cast<double>(a.value);
  if constexpr (std::is_same<To, From>::value) {
    return a;
  } else if constexpr (std::is_same<To, bool>::value) {
    return {a.value != 0, isCertain(a, Bounded<int>{0}) ? 0.0 : 1.0};
  } else if constexpr (std::is_integral<To>::value &&
                       std::is_integral<From>::value) {
    return rounded<To>(static_cast<To>(a.value), a.error);
  } else if constexpr (std::is_integral<To>::value) {
    const double whole = std::trunc(v);
    const double error = std::max(distance(whole, std::trunc(v - a.error)),
                                  distance(whole, std::trunc(v + a.error)));
    return {static_cast<To>(a.value), holds<To>(whole, error) ? error : unknown};
  } else if constexpr (std::is_integral<From>::value) {
    const bool isHeld = isWhole<To>(std::fabs(v) + a.error);
    return {v, a.error + (isHeld ? 0 : roundingError<To>(v))};
  } else {
    const Rounding &to = roundingOf<To>(), &from = roundingOf<From>();
    const bool isHeld =
        to.epsilon <= from.epsilon && to.largest >= from.largest;
    return isHeld ? Bounded<To>{v, a.error} : rounded<To>(v, a.error);
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

template <class A, class B, class R = Common<A, B>>
Bounded<R> operator+(const Bounded<A> &left, const Bounded<B> &right) {
  const Bounded<R> a = convert<R>(left), b = convert<R>(right);
  return rounded<R>(a.value + b.value, a.error + b.error);
}

template <class A, class B, class R = Common<A, B>>
Bounded<R> operator-(const Bounded<A> &left, const Bounded<B> &right) {
  const Bounded<R> a = convert<R>(left), b = convert<R>(right);
  return rounded<R>(a.value - b.value, a.error + b.error);
}

template <class A, class B, class R = Common<A, B>>
Bounded<R> operator*(const Bounded<A> &left, const Bounded<B> &right) {
  const Bounded<R> a = convert<R>(left), b = convert<R>(right);
  const double v = static_cast<double>(a.value);
  return rounded<R>(a.value * b.value,
                    scaled(b.error, v) +
                        scaled(a.error, std::fabs(double(b.value)) + b.error));
}

/// What \p f, an operator of integers, gives. Of \p left it is monotonic, or
/// all of three values are tried; nothing is known where \p right, which may
/// divide or count bits, is not exact, unless \p isTotal.
template <class F, class A, class B>
auto ofIntegers(F f, bool isMonotonic, bool isTotal, const Bounded<A> &left,
                const Bounded<B> &right) {
  using R = decltype(f(left.value, right.value));
  Bounded<R> result{f(left.value, right.value)};
  if ((left.error > 1 && !isMonotonic) ||
      right.error > (isTotal ? 1 : 0)) {
    result.error = unknown;
    return result;
  }
  for (double a : {-left.error, 0.0, left.error})
    for (double b : {-right.error, 0.0, right.error})
      result.error = std::max(
          result.error, distance(double(result.value),
                                 double(f(shifted(left, a), shifted(right, b)))));
  return result;
}

/// Nothing is known of a quotient whose divisor may be 0.
template <class A, class B, class R = Common<A, B>>
Bounded<R> operator/(const Bounded<A> &left, const Bounded<B> &right) {
  const Bounded<R> a = convert<R>(left), b = convert<R>(right);
  if constexpr (std::is_integral<R>::value) {
    return ofIntegers([](R x, R y) { return x / y; }, true, false, a, b);
  } else {
    const double value = a.value / b.value;
    const double error =
        a.error + b.error == 0 ? 0
        : std::fabs(b.value) > b.error
            ? (a.error + scaled(b.error, value)) /
                  (std::fabs(b.value) - b.error)
            : unknown;
    return rounded<R>(value, error);
  }
}

#define CONVOPT_OF_INTEGERS(op, isMonotonic, isTotal)                          \
  template <class A, class B>                                                  \
  auto operator op(const Bounded<A> &a, const Bounded<B> &b) {                 \
    return ofIntegers([](A x, B y) { return x op y; }, isMonotonic, isTotal,   \
                      a, b);                                                   \
  }
CONVOPT_OF_INTEGERS(%, false, false)
CONVOPT_OF_INTEGERS(<<, true, false)
CONVOPT_OF_INTEGERS(>>, true, false)
CONVOPT_OF_INTEGERS(&, false, true)
CONVOPT_OF_INTEGERS(|, false, true)
CONVOPT_OF_INTEGERS(^, false, true)
#undef CONVOPT_OF_INTEGERS

/// Which of the two it is.
#define CONVOPT_COMPARISON(op)                                                 \
  template <class A, class B>                                                  \
  Bounded<bool> operator op(const Bounded<A> &a, const Bounded<B> &b) {        \
    return {a.value op b.value, isCertain(a, b) ? 0.0 : 1.0};                  \
  }
CONVOPT_COMPARISON(<)
CONVOPT_COMPARISON(>)
CONVOPT_COMPARISON(<=)
CONVOPT_COMPARISON(>=)
CONVOPT_COMPARISON(==)
CONVOPT_COMPARISON(!=)
#undef CONVOPT_COMPARISON

template <class A, class R = Common<A, A>>
Bounded<R> operator+(const Bounded<A> &a) {
  return convert<R>(a);
}
template <class A, class R = Common<A, A>>
Bounded<R> operator-(const Bounded<A> &a) {
  const Bounded<R> b = convert<R>(a);
  return {-b.value, b.error};
}
template <class A> auto operator~(const Bounded<A> &a) {
  return Bounded<decltype(~a.value)>{~a.value, a.error};
}
template <class A> Bounded<bool> operator!(const Bounded<A> &a) {
  const Bounded<bool> b = convert<bool>(a);
  return {!b.value, b.error};
}

/// `condition ? yes() : no()`, either of which it may be where the condition is
/// not certain.
template <class C, class Yes, class No>
auto choose(const Bounded<C> &condition, Yes yes, No no) {
  using R =
      Common<typename decltype(yes())::Type, typename decltype(no())::Type>;
  const Bounded<bool> is = convert<bool>(condition);
  Bounded<R> chosen = is.value ? convert<R>(yes()) : convert<R>(no());
  if (is.error == 0)
    return chosen;
  const Bounded<R> other = is.value ? convert<R>(no()) : convert<R>(yes());
  chosen.error = std::max(
      chosen.error,
      distance(double(chosen.value), double(other.value)) + other.error);
  return chosen;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What a function of the source gives that in double gives a \p W: in type \p R,
/// if that is known, or in that of its arguments.
template <class W, class R, class... A> struct TypeOfCall {
  using Type = std::conditional_t<std::is_same<W, double>::value, R, W>;
};
template <class... A> struct TypeOfCall<double, void, A...> {
  using Type = double;
};
template <class A> struct TypeOfCall<double, void, A> {
  using Type = std::conditional_t<std::is_integral<A>::value, double, A>;
};
template <class A, class B, class... C>
struct TypeOfCall<double, void, A, B, C...>
    : TypeOfCall<double, void, Common<A, B>, C...> {};

/// \p a as a function of \p R takes it, which computes in \p W.
template <class R, class W, class A> Bounded<A> passed(const Bounded<A> &a) {
  if constexpr (std::is_integral<A>::value || std::is_integral<R>::value) {
    return a;
  } else {
    const double error = convert<R>(a).error;
    const bool isNarrow = error != 0 && !std::is_same<W, double>::value;
    return {a.value, error + (isNarrow ? roundingError<W>(a.value) : 0)};
  }
}

/// How far \p f may be from \p value as argument \p K is not exact.
template <size_t K, class F, class... A, size_t... I>
double deviation(F f, double value, const std::tuple<Bounded<A>...> &all,
                 std::index_sequence<I...>) {
  const double error = std::get<K>(all).error;
  if (error == 0 || !std::isfinite(error))
    return error;
  double most = 0;
  for (double by : {-error, error})
    most = std::max(most,
                    distance(value, static_cast<double>(widen(f(
                                        shifted(std::get<I>(all),
                                              I == K ? by : 0)...)))));
  return most;
}

template <class F, class... A, size_t... I>
double deviations(F f, double value, const std::tuple<Bounded<A>...> &all,
                  std::index_sequence<I...> indices) {
  return (0.0 + ... + deviation<I>(f, value, all, indices));
}

/// The call of \p f, which is off by \p roundings roundings to its type: none of
/// what gives an argument or a whole number, one if that is the closest number.
template <class R = void, class F, class... A>
auto call(int roundings, F f, const Bounded<A> &...arguments) {
  using W = std::decay_t<decltype(f(arguments.value...))>;
  using T = typename TypeOfCall<W, R, A...>::Type;
  const std::tuple<Bounded<A>...> all{passed<T, W>(arguments)...};
  const Wide<T> value = widen(f(arguments.value...));
  const double error = deviations(f, double(value), all,
                                  std::index_sequence_for<A...>());
  if (std::is_integral<T>::value || (roundings == 1 && error == 0))
    return rounded<T>(value, error);
  return Bounded<T>{value, error + (roundings == 0 ? 0 : roundings *
                                         roundingError<T>(double(value)))};
}

/// What \p f reads or computes, of which nothing is known if an operand is not
/// exact.
template <class F, class... A> auto exactly(F f, const Bounded<A> &...a) {
  auto result = known(f(a.value...));
  if ((... || (a.error != 0)))
    result.error = unknown;
  return result;
}

} // namespace convopt_verify
