//===- DriverArrays.h - Argument arrays of a driver -------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The data that a verification driver runs on, and the comparison of what was
/// computed. Its text follows that of DriverValues.h in each driver.
///
//===----------------------------------------------------------------------===//

namespace convopt_verify {

/// A pointer that any pointer parameter takes.
template <class T> struct AnyPointer {
  T *p;
  template <class U> operator U *() const { return reinterpret_cast<U *>(p); }
  // A reference to an array.
  template <class U, std::enable_if_t<std::is_array<U>::value, int> = 0>
  operator U &() const {
    return *reinterpret_cast<U *>(p);
  }
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

/// \p count objects that host code sets and kernels read, to the end.
template <class T> T *managed(size_t count) {
  T *p = nullptr;
  require(cudaMallocManaged(&p, count * sizeof(T)), "cudaMallocManaged");
  std::memset(static_cast<void *>(p), 0, count * sizeof(T));
  return p;
}

/// Gives the container \p c as many elements as it can have up to \p size.
template <class T> void resize(std::vector<T> &c, size_t size) {
  c.resize(size);
}
template <class C> void resize(C &, size_t) {}
/// Has \p c hold the \p bytes that \p from leads to.
template <class C, class T> void hold(C &c, T *from, size_t bytes) {
  std::memcpy(c.data(), from, bytes);
}
#if __cpp_lib_span // which leads to elements of others
template <class T> void resize(std::span<T> &c, size_t size) {
  c = std::span<T>(c.data(), size);
}
template <class E, class T> void hold(std::span<E> &c, T *from, size_t) {
  c = std::span<E>(reinterpret_cast<E *>(from), c.size()); // or structures
}
#endif

/// An argument array: its initial data, the copy that a run works on, the
/// reference and the naive result. Its memory is what the nest touches, as was
/// recorded, from the first such element, or structure, to the last; on the
/// device, from the base to the limit of its guard.
template <class T> class Array {
public:
  Array(const char *name, Role role, std::vector<int64_t> extents)
      : name(name), role(role), extents(std::move(extents)) {
    state.epsilon = std::max(state.epsilon, roundingOf<T>.epsilon);
    if (!std::is_integral<T>::value || role == Role::Output)
      return;
    integerPlace = ++state.integerArrays;
    state.widest = std::max(state.widest, std::numeric_limits<T>::digits);
  }
  Array(const Array &) = delete;
  ~Array() { release(); }

  /// After the recording, or without one as large as the extents.
  void allocate() {
    reach = touched.size();
    if (!state.reference)
      writes.assign(elements(extents), role != Role::Input);
    writes.resize(std::max(writes.size(), least));
    writes.resize((writes.size() + numbersEach - 1) / numbersEach *
                  numbersEach);
    count = writes.size();
    touched.resize(count, !state.reference);
    initial.reset(new T[count]);
    begin = std::find(touched.begin(), touched.end(), true) - touched.begin();
    begin = begin / numbersEach * numbersEach;
    memory.reset(new T[shift() + count + apart()]);
    work = memory.get() + shift();
    forbid(work + count, apart() * sizeof(T));
    naive.reset(new T[count]);
  }

  /// Before it is allocated: what it has room for.
  void atLeast(size_t elements) { least = elements; }
  /// Before it is allocated: memory has whole structures of \p numbers, and all
  /// of those that the extents say, as the naive code may copy one of which the
  /// nest reads nothing.
  void holdStructures(size_t numbers) {
    numbersEach = numbers;
    atLeast(elements(extents));
  }
  /// The naive code has structures there, which begin at multiples of \p bytes.
  void alignTo(size_t bytes) { alignment = bytes; }

  size_t bytes() const { return count * sizeof(T); }
  /// To the end of what the nest touches; 0 where that is not known.
  size_t touchedBytes() const { return reach * sizeof(T); }
  /// Null where it is not \p there.
  AnyPointer<T> host(bool there = true) {
    isLent = there;
    forbid(memory.get(), front());
    return {!there ? nullptr : place ? place : work};
  }
  /// Has host functions take it from \p at, if that is not null.
  void moveTo(T *at) {
    if ((place = at))
      std::copy_n(initial.get(), count, at);
  }
  /// The bytes before the first element that the nest touches.
  size_t firstByte() const {
    return (std::find(touched.begin(), touched.end(), true) - touched.begin()) *
           sizeof(T);
  }
  /// Whether it may share memory with an array of \p U, for the source.
  template <class U> bool mayOverlap() const {
    return alignment == sizeof(T) &&
           (std::is_same<T, U>::value || sizeof(T) == 1 || sizeof(U) == 1);
  }
  const T *hostData() const { return work; }
  T *data() { return work; }
  T *initialData() { return initial.get(); }
  AnyPointer<T> device(bool there = true) {
    return {there ? devicePointer : nullptr};
  }

  void fill() {
    for (size_t i = 0; i < count; ++i)
      if (role == Role::Output && writes[i])
        poison(initial[i]);
      else
        initial[i] = draw();
    // Of a filter that begins or ends outside of an image, no such element may
    // be multiplied with the zeros that stand for what is outside.
    if (hasRareValues() && state.draws % 2 && role == Role::Input && count != 0)
      initial[nextRandom() % 2 ? 0 : count - 1] = special(0);
    if (role == Role::Input || !state.reference)
      return;
    cells.assign(count, Cell<T>());
    for (size_t i = 0; i < count; ++i)
      cells[i] = known(initial[i]);
  }

  Bounded<T> read(std::initializer_list<int64_t> index) {
    const size_t i = find(index);
    if (state.recording)
      return known(static_cast<T>(1.0f));
    return role == Role::Input ? known(initial[i]) : cells[i].read();
  }
  Cell<T> &at(std::initializer_list<int64_t> index) {
    const size_t i = find(index);
    if (!state.recording)
      return cells[i];
    writes[i] = true;
    return scratch = known(static_cast<T>(1.0f));
  }

  /// The nest would touch this, and a guard does not let it.
  void keep(std::initializer_list<int64_t> index) {
    constexpr int64_t most = 1 << 28; // there are no arrays beyond
    kept.resize(extents.size());
    size_t d = 0;
    for (int64_t i : index) {
      std::vector<bool> &all = kept[d++];
      if (i < 0 || i > most)
        continue;
      if (i >= static_cast<int64_t>(all.size()))
        all.resize(std::max<size_t>(i + 1, 2 * all.size()));
      all[i] = true;
    }
  }

  /// Makes the container \p c hold what a run works on.
  template <class C> void fit(C &c) const {
    resize(c, (bytes() + sizeof(*c.data()) - 1) / sizeof(*c.data()));
  }
  template <class C> void copyTo(C &c) const {
    if (bytesWith(c)) // what is empty has no address
      hold(c, work, bytesWith(c));
  }
  template <class C> void copyFrom(C &c) {
    if (bytesWith(c) && static_cast<const void *>(c.data()) != work)
      std::memcpy(work, c.data(), bytesWith(c));
  }
  template <class C> size_t bytesWith(const C &c) const {
    return std::min(bytes(), c.size() * sizeof(*c.data()));
  }

  void reset() {
    permit(memory.get(), front());
    std::copy_n(initial.get(), count, work);
    isLent = isChanged = false;
  }
  /// What the nest does not touch is somebody else's, who changes it while a
  /// host function has the array.
  void changeOthers() {
    if (!isLent || isChanged)
      return;
    isChanged = true;
    for (size_t i = begin; i < count; ++i)
      if (!touched[i])
        work[i] = other(work[i]);
  }

  void upload() {
    release();
    // Of what is not touched there is one byte, as there is no less.
    const size_t more = spare() * sizeof(T);
    const size_t total =
        before() + std::max<size_t>(bytes() + more, 1) + guardBytes;
    const size_t rest = apart() * sizeof(T);
    void *p = nullptr;
    require(cudaMalloc(&p, total + rest), "cudaMalloc");
    if (before() || more)
      require(cudaMemset(p, 0xFF, total), "cudaMemset");
    block = static_cast<char *>(p);
    forbid(block + total, rest);
    devicePointer = reinterpret_cast<T *>(block + before());
    require(cudaMemcpy(devicePointer, initial.get(), bytes(),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }
  void download() {
    require(cudaMemcpy(work, devicePointer, bytes(), cudaMemcpyDeviceToHost),
            "cudaMemcpy");
    for (auto [g, size] : {std::pair(block, before()),
                           std::pair(block + before() + bytes(), guardBytes)}) {
      std::vector<unsigned char> guard(size);
      if (size)
        require(cudaMemcpy(guard.data(), g, size, cudaMemcpyDeviceToHost),
                "cudaMemcpy");
      for (unsigned char b : guard)
        if (b != 0xFF)
          fail(std::string("wrote outside of '") + name + "'");
    }
    release();
  }

  /// Whether what a run wrote is NaN alone.
  bool isNan() const {
    for (size_t i = 0; i < count; ++i)
      if (writes[i] && work[i] == work[i])
        return false;
    return countWrites() != 0;
  }

  /// The naive result, which has to agree with the reference too.
  void keepNaive(bool compareBits) {
    permit(memory.get(), front());
    std::copy_n(work, count, naive.get());
    check(compareBits);
    // A NaN is what an infinity makes of zeros.
    if (role == Role::Input || hasRareValues())
      return;
    size_t open = 0;
    for (size_t i = 0; i < count; ++i)
      open += state.reference && writes[i] && !isBounded(i);
    unbounded = std::max(unbounded, open);
    for (Variety &v : outputs) {
      if (v.name != name)
        continue;
      v.compared |= compareBits || open == 0 || open < countWrites();
      for (size_t i = 0; i < count && !v.varies; ++i)
        if (writes[i] && !first)
          first.reset(new T(naive[i]));
        else if (writes[i])
          v.varies = !sameBits(naive[i], *first);
      v.isNan = first && *first != *first;
    }
  }

  /// What fewer blocks of the naive kernel leave, and that others leave that.
  void keepPart() { std::copy_n(work, count, naive.get()); }
  void checkPart() {
    for (size_t i = 0; i < count; ++i)
      if (!sameBits(work[i], naive[i]))
        fail(printElement(i) + " = " + printValue(work[i]) + ", naive " +
             printValue(naive[i]));
  }

  /// ", 98% of 'out'": how much the nest writes; of an input, how many elements
  /// a kernel may read that the nest does not.
  std::string written() const {
    if (role == Role::Input)
      return spare() == 0 ? ""
                          : ", on the device " + std::to_string(spare()) +
                                " more elements of '" + name + "'";
    return ", wrote " + printShare(countWrites(), count) + " of '" + name +
           "'" +
           (unbounded == 0 ? ""
                           : ", " + printShare(unbounded, countWrites()) +
                                 " of that without a bound on its error");
  }

  /// Compares the working copy with the reference and the naive result.
  void check(bool compareBits) {
    permit(memory.get(), front());
    size_t wrong = 0, first = 0;
    std::string why;
    for (size_t i = 0; i < count; ++i) {
      std::string expected = mismatch(i, compareBits);
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
           printElement(first) + " = " + printValue(stored(first)) + ", " +
           why);
  }

private:
  const char *name;
  Role role;
  std::vector<int64_t> extents;
  size_t count = 0, least = 0, reach = 0, begin = 0, numbersEach = 1;
  std::unique_ptr<T[]> initial, memory, naive;
  T *work = nullptr; // in memory
  std::unique_ptr<T> first;
  std::vector<bool> touched, writes;   // by element, to the last touched
  std::vector<int64_t> most;           // by dimension, that is touched
  std::vector<std::vector<bool>> kept; // by dimension, that a guard keeps out
  T *place = nullptr;                  // in place of `work`
  bool isLent = false, isChanged = false; // to a host function, and by others
  std::vector<Cell<T>> cells;
  Cell<T> scratch;
  char *block = nullptr;
  T *devicePointer = nullptr;
  size_t alignment = sizeof(T);
  int integerPlace = 0; // among those with initial integers, from 1
  size_t unbounded = 0; // written elements of whose error no bound is known

  bool isBounded(size_t i) const { return cells[i].read().error < unknown; }
  size_t countWrites() const {
    return std::count(writes.begin(), writes.end(), true);
  }

  size_t find(std::initializer_list<int64_t> index) {
    const size_t i = offset(name, extents, index);
    if (i >= writes.size()) {
      if (!state.recording)
        fail(std::string("the nest touches more of '") + name +
             "' than was recorded");
      writes.resize(i + 1);
      touched.resize(i + 1);
    }
    if (state.recording) {
      touched[i] = true;
      most.resize(extents.size(), -1);
      std::transform(index.begin(), index.end(), most.begin(), most.begin(),
                     [](int64_t i, int64_t m) { return std::max(i, m); });
    }
    return i;
  }

  /// Where a stride ends before the limit of a guard, the source says that what
  /// lies between is there, too: that many elements after the last touched.
  size_t spare() const {
    size_t spare = 0, pitch = 1;
    for (size_t d = std::min(kept.size(), most.size()); d-- > 0;
         pitch *= extents[d]) {
      const auto first =
          kept[d].begin() + std::min<size_t>(most[d] + 1, kept[d].size());
      const auto next = std::find(first, kept[d].end(), true);
      if (next != kept[d].end())
        spare += (next - first) * pitch;
    }
    return spare;
  }

  /// Bytes before the first element. Random data begins where no vector may, or
  /// in every other shape where vectors of 8 bytes may, and none of 16.
  size_t before() const {
    if (state.data != Data::Random)
      return guardBytes;
    return guardBytes +
           (state.shapes % 2 ? alignment : std::max<size_t>(alignment, 8));
  }

  /// Launchers take arrays to have their extents and refuse those that overlap.
  /// So no other one is where this one would go on.
  size_t apart() const {
    constexpr size_t most = size_t(1) << 24;
    const size_t all = elements(extents);
    return all > count ? std::min(all - count, most) : 0;
  }

  /// Elements of memory before the array: AddressSanitizer keeps no part of 8
  /// bytes to itself but the end, so these begin with the first that is
  /// touched.
  size_t shift() const {
    const size_t odd = begin * sizeof(T) % 8;
    return odd && alignment == sizeof(T) ? (8 - odd) / sizeof(T) : 0;
  }
  /// The bytes before that element, which a host function is not to read; a
  /// variable of the file is there from its first.
  size_t front() const {
    return (shift() + (least != 0 ? 0 : begin)) * sizeof(T);
  }

  void release() {
    if (block)
      (void)cudaFree(block);
    block = nullptr;
  }

  /// NaN; for integers, whose every value could be a result, another value in
  /// each run.
  static void poison(T &element) {
    const bool other =
        std::is_integral<T>::value && state.data != Data::Integers;
    if constexpr (std::is_same<T, bool>::value) // which has no other values
      element = other;
    else
      std::memset(static_cast<void *>(&element), other ? 0x5A : 0xFF,
                  sizeof(T));
  }

  static T other(T element) {
    if constexpr (std::is_same<T, bool>::value)
      return !element;
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &element, sizeof(T));
    for (unsigned char &b : bytes)
      b = ~b;
    std::memcpy(static_cast<void *>(&element), bytes, sizeof(T));
    return element;
  }

  /// Whether there may be infinities and NaNs.
  static bool hasRareValues() {
    return !std::is_integral<T>::value && state.data == Data::Special;
  }

  /// Integers of which all sums are exact, or anything in [-1, 1]. A sum in a
  /// 16-bit type stays exact for longer on smaller ones. Integers are larger
  /// once, and seldom negative, so that sums show when a type is too narrow. So
  /// are others in every third shape, to come to both sides of what caps them,
  /// where bits are compared: what passes all numbers then does in the naive
  /// code, too.
  T draw() const {
    const uint64_t r = nextRandom();
    const bool isInteger = std::is_integral<T>::value;
    if (hasRareValues() && state.draws % 2 && r % 16 == 0)
      return special((r >> 4) % 32);
    const double any = (r >> 11) * 0x1p-52 - 1;
    const double unit = state.isPositive ? std::fabs(any) : any;
    if (hasRareValues() &&
        state.draws % 2 == 0) // far below what a maximum begins with
      return static_cast<T>(1000 * (unit - 2));
    if (!isInteger && state.data != Data::Integers)
      return static_cast<T>(state.bits && state.shapes % 3 == 0 ? 4 * unit
                                                                : unit);
    if (isInteger && state.data == Data::Special)
      return wide(r);
    if (isInteger && state.isSmall)
      return static_cast<T>(1 + static_cast<int>(r >> 40) % 7);
    const int small = state.epsilon > 0x1p-12 ? 1 : 2;
    const bool isLarge = isInteger && state.data != Data::Integers;
    const int least = state.isPositive             ? 1
                      : std::is_unsigned<T>::value ? 0
                      : isLarge                    ? -20
                                                   : -small;
    const int count = isLarge ? 101 : 2 * small + 1;
    return static_cast<T>(static_cast<int>(r >> 40) % count + least);
  }

  /// How many bits large integers have besides a sign. As what a product leaves
  /// a meaning for can be less than its factors' types hold, each array has
  /// them alone in a shape, too.
  int bitsOfLarge() const {
    constexpr int few = 3;
    const bool isLarge = state.turn() == 0 || state.turn() == integerPlace;
    return std::min(isLarge ? state.bitsDrawn : few,
                    std::numeric_limits<T>::digits);
  }

  /// A large integer, a negative one in every other round of shapes. Those at
  /// the ends are no exceptions: they tell types, and make sums long.
  T wide(uint64_t r) const {
    const uint64_t most = ~uint64_t(0) >> (64 - bitsOfLarge());
    const uint64_t size = r % 4 == 0 ? most : nextRandom() & most;
    const bool isNegative =
        std::is_signed<T>::value &&
        ((state.shapes - 1) / state.round() % 2 == 0 || r / 4 % 2);
    return static_cast<T>(isNegative ? ~size : size);
  }

  static T special(uint64_t k) {
    static constexpr double rare[] = {INFINITY, -INFINITY, NAN};
    static constexpr double usual[] = {0.0, -0.0, 1e-30, -1e-30};
    return static_cast<T>(k < 3 ? rare[k] : usual[k % 4]);
  }

  /// Element \p i of the working copy, of bool its byte: what nobody wrote is
  /// neither true nor false.
  auto stored(size_t i) const {
    if constexpr (std::is_same<T, bool>::value)
      return reinterpret_cast<const unsigned char *>(work)[i];
    else
      return work[i];
  }

  /// Why element \p i of the working copy is wrong; empty where it is right.
  std::string mismatch(size_t i, bool compareBits) {
    if constexpr (std::is_same<T, bool>::value)
      if (stored(i) > 1)
        return "no bool";
    const T got = work[i];
    if (isChanged && i >= begin && !touched[i])
      return sameBits(got, other(initial[i]))
                 ? ""
                 : "somebody else's, which it is not to write";
    if (role == Role::Input)
      return sameBits(got, initial[i])
                 ? ""
                 : "an input, was " + printValue(initial[i]);
    const bool mayDifferInSign = !state.signedZeros && got == naive[i];
    if (compareBits && !sameBits(got, naive[i]) && !mayDifferInSign)
      return "naive " + printValue(naive[i]);
    if (!state.reference)
      return "";
    const bool isSpecial = state.data == Data::Special; // no reference is run
    if (isSpecial && writes[i])
      return "";
    if (isSpecial || !cells[i].isWritten())
      return sameBits(got, initial[i])
                 ? ""
                 : "must not be written, was " + printValue(initial[i]);
    const Bounded<T> c = cells[i].read();
    if (c.error != 0 && state.data == Data::Integers)
      state.exact = false;
    const Wide<T> value = widen(got);
    if (!isBounded(i) || value == c.value ||
        (value != value && c.value != c.value))
      return "";
    const std::string reference = "reference " + printValue(c.value);
    if (c.error == 0)
      return reference;
    const double error = distance(double(value), double(c.value));
    state.worst = std::max(state.worst, error / c.error);
    // The bits of the naive code are right wherever they are asked for.
    return error <= c.error || (compareBits && sameBits(got, naive[i]))
               ? ""
               : reference + ", the bound on the error is " +
                     printValue(c.error);
  }

  std::string printElement(size_t i) const {
    std::string text;
    for (size_t d = extents.size(); d-- > 1; i /= extents[d])
      text = "[" + std::to_string(i % extents[d]) + "]" + text;
    return name + ("[" + std::to_string(i) + "]") + text;
  }
};

template <class T>
Cell<T> &at(Array<T> &a, std::initializer_list<int64_t> index) {
  return a.at(index);
}

/// Has integers drawn that need all bits of \p T, a scalar's type.
template <class T> void takeScalar() {
  if constexpr (std::is_integral<T>::value)
    state.widest = std::max(state.widest, std::numeric_limits<T>::digits);
}

/// A value for scalar number \p k that the function passes through: another
/// one with each draw of data, negative ones among them unless \p positive. It
/// needs all bits of its type, but for the first draw, of which sums are exact.
template <class T> T scalar(int k, bool positive) {
  static constexpr float integers[] = {2, -3, 1, -1, 3};
  static constexpr float fractions[] = {-0.75f, 1.5f, -2.25f};
  const int draw = state.draws + k;
  const bool whole = std::is_integral<T>::value || state.data == Data::Integers;
  const float value = whole ? integers[draw % 5] : fractions[draw % 3];
  const bool isPositive =
      positive || state.isPositive || std::is_unsigned<T>::value;
  if constexpr (std::is_same<T, bool>::value) {
    return draw % 2;
  } else if constexpr (std::is_integral<T>::value) {
    if (positive || state.data != Data::Special)
      return static_cast<T>(isPositive ? std::fabs(value) : value);
    const int bits = std::min(state.bitsDrawn, std::numeric_limits<T>::digits);
    const uint64_t size = nextRandom() | uint64_t(1) << 63; // with the top bit
    return static_cast<T>((draw % 2 && !isPositive ? ~uint64_t(0) : 0) ^
                          size >> (64 - bits));
  } else if constexpr (std::is_floating_point<T>::value) {
    const T v = isPositive ? std::fabs(value) : value;
    return whole ? v : v * T(1.00012345678901234567L);
  } else if constexpr (std::is_constructible<T, float>::value) {
    return static_cast<T>(isPositive ? std::fabs(value) : value);
  } else {
    return T{};
  }
}

} // namespace convopt_verify
