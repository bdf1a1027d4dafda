//===- DriverArrays.h - Argument arrays of a driver -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The data that a verification driver runs on, and the comparison of what was
/// computed. Its text follows that of DriverRuntime.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// A pointer that any pointer parameter takes.
template <class T> struct AnyPointer {
  T *p;
  template <class U> operator U *() const { return reinterpret_cast<U *>(p); }
};

template <class T> std::string printValue(T v) {
  char text[64];
  if constexpr (std::is_integral<T>::value)
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(v));
  else
    std::snprintf(text, sizeof text, "%.9g", double(widen(v)));
  return text;
}

template <class T> bool sameBits(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

/// An argument array: its initial data, the copy that a run works on, the
/// reference and the naive result.
template <class T> class Array {
public:
  /// \p footprint, if positive, is how many elements from the base the nest
  /// may touch, and the memory holds no more.
  Array(const char *name, Role role, std::vector<int64_t> extents,
        int64_t footprint = 0)
      : name(name), role(role), extents(std::move(extents)),
        count(footprint > 0 ? footprint : elements(this->extents)),
        initial(new T[count]), work(new T[count]), naive(new T[count]) {}
  Array(const Array &) = delete;
  ~Array() { release(); }

  size_t bytes() const { return count * sizeof(T); }
  AnyPointer<T> host() { return {work.get()}; }
  const T *hostData() const { return work.get(); }
  AnyPointer<T> device() { return {devicePointer}; }

  void fill() {
    if (role == Role::Output)
      poison();
    else
      for (size_t i = 0; i < count; ++i)
        initial[i] = draw();
    if (role == Role::Input || !state.reference)
      return;
    cells.assign(count, Cell<T>());
    for (size_t i = 0; i < count; ++i)
      cells[i] = known(initial[i]);
  }

  Cell<T> read(std::initializer_list<int64_t> index) const {
    const size_t i = find(index);
    return role == Role::Input ? known(initial[i]) : cells[i];
  }
  Cell<T> &at(std::initializer_list<int64_t> index) {
    return cells[find(index)];
  }

  void reset() { std::copy_n(initial.get(), count, work.get()); }

  void upload() {
    release();
    const size_t total = bytes() + 2 * guardBytes;
    void *p = nullptr;
    require(cudaMalloc(&p, total), "cudaMalloc");
    if (guardBytes)
      require(cudaMemset(p, 0xFF, total), "cudaMemset");
    block = static_cast<char *>(p);
    devicePointer = reinterpret_cast<T *>(block + guardBytes);
    require(cudaMemcpy(devicePointer, initial.get(), bytes(),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  void download() {
    require(
        cudaMemcpy(work.get(), devicePointer, bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    std::vector<unsigned char> guard(guardBytes);
    for (const char *g : {block, block + guardBytes + bytes()}) {
      if (guardBytes)
        require(cudaMemcpy(guard.data(), g, guardBytes, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
      for (unsigned char b : guard)
        if (b != 0xFF)
          fail(std::string("wrote outside of '") + name + "'");
    }
    release();
  }

  /// The naive result, which has to agree with the reference too.
  void keepNaive(bool exactText) {
    check(exactText, /*compareBits=*/false);
    std::copy_n(work.get(), count, naive.get());
  }

  /// Compares the working copy with the reference and the naive result.
  void check(bool exactText, bool compareBits) {
    size_t wrong = 0, first = 0;
    std::string why;
    for (size_t i = 0; i < count; ++i) {
      std::string expected = mismatch(i, exactText, compareBits);
      if (expected.empty())
        continue;
      if (!wrong++) {
        first = i;
        why = expected;
      }
    }
    if (wrong)
      fail(std::to_string(wrong) + " of " + std::to_string(count) +
           " elements of '" + name + "' are wrong, the first is " +
           printElement(first) + " = " + printValue(work[first]) + ", " + why);
  }

private:
  const char *name;
  Role role;
  std::vector<int64_t> extents;
  size_t count;
  std::unique_ptr<T[]> initial, work, naive;
  std::vector<Cell<T>> cells;
  char *block = nullptr;
  T *devicePointer = nullptr;

  size_t find(std::initializer_list<int64_t> index) const {
    const size_t i = offset(name, extents, index);
    if (i >= count)
      fail(std::string("the nest touches more of '") + name +
           "' than its footprint of " + std::to_string(count));
    return i;
  }

  void release() {
    if (block)
      (void)cudaFree(block);
    block = nullptr;
  }

  /// NaN; for integers, whose every value could be a result, another value in
  /// each run.
  void poison() {
    const bool other = std::is_integral<T>::value && state.data == Data::Random;
    std::memset(static_cast<void *>(initial.get()), other ? 0x5A : 0xFF,
                bytes());
  }

  /// Integers of which all sums are exact, or anything in [-1, 1]. A sum in a
  /// 16-bit type stays exact for longer on smaller ones.
  static T draw() {
    const uint64_t r = nextRandom();
    const int most = state.rounding.epsilon > 0x1p-12 ? 1 : 2;
    if (std::is_integral<T>::value || state.data == Data::Integers)
      return static_cast<T>(static_cast<int>(r >> 40) % (2 * most + 1) -
                            (std::is_unsigned<T>::value ? 0 : most));
    return static_cast<T>((r >> 11) * 0x1p-52 - 1);
  }

  /// Why element \p i of the working copy is wrong; empty where it is right.
  std::string mismatch(size_t i, bool exactText, bool compareBits) {
    const T got = work[i];
    if (role == Role::Input)
      return sameBits(got, initial[i])
                 ? ""
                 : "an input, was " + printValue(initial[i]);
    const bool mayDifferInSign = !state.signedZeros && got == naive[i];
    if (compareBits && !sameBits(got, naive[i]) && !mayDifferInSign)
      return "naive " + printValue(naive[i]);
    if (!state.reference)
      return "";
    const Cell<T> &c = cells[i];
    if (!c.written)
      return sameBits(got, initial[i]) ? "" : "must not be written";
    if constexpr (std::is_integral<T>::value) {
      return got == c.value ? "" : "reference " + printValue(c.value);
    } else {
      const bool exact = exactText && state.data == Data::Integers &&
                         c.magnitude * state.rounding.epsilon < 1;
      const double value = widen(got);
      if (std::isnan(c.value) || std::isinf(c.value) || exact)
        return value == c.value || (std::isnan(c.value) && std::isnan(value))
                   ? ""
                   : "reference " + printValue(c.value);
      if (state.data == Data::Integers)
        state.exact = false;
      const double bound =
          (c.depth + 4) *
          (state.rounding.epsilon * c.magnitude + state.rounding.smallest);
      const double error = std::fabs(value - c.value);
      state.worst = std::max(state.worst, error / bound);
      return error <= bound
                 ? ""
                 : "reference " + printValue(c.value) +
                       ", the bound on the error is " + printValue(bound);
    }
  }

  std::string printElement(size_t i) const {
    std::string text;
    for (size_t d = extents.size(); d-- > 0; i /= extents[d])
      text = "[" + std::to_string(i % extents[d]) + "]" + text;
    return name + text;
  }
};

template <class T>
Cell<T> &at(Array<T> &a, std::initializer_list<int64_t> index) {
  return a.at(index);
}

/// A value for a scalar that the function passes through.
template <class T> T scalar() {
  if constexpr (std::is_constructible<T, float>::value)
    return static_cast<T>(2.0f);
  else
    return T{};
}

} // namespace convopt_verify
