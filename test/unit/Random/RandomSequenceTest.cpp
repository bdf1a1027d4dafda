//===- RandomSequenceTest.cpp - What runs in turn computes the same -------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random loops side by side, in loops that share them or not, as the kernels
/// that kernelSequence and the default make of them, launched in turn as the
/// emitted launcher does. CONVOPT_RANDOM_CASES and CONVOPT_RANDOM_SEED as in
/// RandomEmissionTest.cpp.
///
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "Random.h"
#include "convopt/Nest/Text.h"
#include "convopt/Schedule/Fission.h"
#include "convopt/Schedule/PlannedKernel.h"
#include "interpreter/Values.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::test;
using namespace llvm;

namespace {

/// Loops over the arrays A, B and D, which they write, and C. Most items write
/// the element of their own loops and read some near it.
class RandomSequence {
public:
  explicit RandomSequence(Random &random) : random(random) {}

  std::string text() {
    const unsigned shared = random.pick(3);
    for (unsigned k = 0; k != shared; ++k)
      open(/*isTime=*/k == 0 && random.chance(50));
    items(2 + random.pick(3));
    while (!loops.empty())
      close();
    std::string head = "nest f from \"f.c\"\nargument N \"int @\" param\n";
    for (char a : {'A', 'B', 'D'})
      head += std::string("argument ") + a + " \"float *@\" array\n";
    head += "argument C \"const float *@\" array\nparam N: int\n";
    for (char a : {'A', 'B', 'D'})
      head += std::string("array ") + a + ": float[N + 8][N + 8] inout\n";
    head += "array C: float[N + 8][N + 8] input\n";
    for (const std::string &local : locals)
      head += "array " + local + ": float" +
              (local.front() == 'r' ? "[16]" : "") + " local\n";
    return head + "\n" + body;
  }

private:
  Random &random;
  std::string body;
  std::vector<std::string> loops, locals;
  std::vector<bool> isTime; // by loop: nothing is over it
  unsigned made = 0, statements = 0;

  void line(const std::string &text) {
    body += std::string(2 * loops.size(), ' ') + text + "\n";
  }
  void statement(const std::string &text) {
    line("S" + std::to_string(statements++) + ": " + text);
  }
  void open(bool time, bool isWhole = false) {
    const std::string name = (time ? "t" : "i") + std::to_string(made++);
    if (isWhole) { // all that others use of a row
      line("for " + name + " in 0 .. 8 {");
      loops.push_back(name);
      isTime.push_back(false);
      return;
    }
    const bool isTriangle = !time && !loops.empty() && random.chance(8);
    line("for " + name + " in " +
         (isTriangle ? loops.back() : std::to_string(random.pick(2))) + " .. " +
         (time || random.chance(20) ? std::to_string(random.between(2, 4))
                                    : "N") +
         " {");
    loops.push_back(name);
    isTime.push_back(time);
  }
  void close() {
    loops.pop_back();
    isTime.pop_back();
    line("}");
  }
  /// A subscript near the loop that is \p back before the innermost one.
  std::string near(unsigned back, bool isOwn) {
    std::string at = std::to_string(isOwn ? 2 : 2 + int(random.pick(3)) - 1);
    if (back < loops.size())
      at = loops[loops.size() - 1 - back] + " + " + at;
    return at;
  }
  std::string element(const std::string &array, bool isOwn) {
    const bool swaps = !isOwn && random.chance(10);
    return array + "[" + near(swaps ? 0 : 1, isOwn) + "][" +
           near(swaps ? 1 : 0, isOwn) + "]";
  }
  std::string value() {
    static const std::vector<std::string> arrays{"A", "B", "C", "D"};
    std::string text =
        "3 * " + element(random.oneOf(arrays), random.chance(60));
    if (random.chance(50))
      text += " + 5 * " + element(random.oneOf(arrays), random.chance(40));
    return text + " + 11";
  }
  std::string target() {
    static const std::vector<std::string> arrays{"A", "B", "D"};
    return element(random.oneOf(arrays), random.chance(90));
  }
  void items(unsigned count) {
    if (random.chance(25))
      localBetween();
    for (unsigned k = 0; k != count; ++k) {
      const bool isGuarded = !loops.empty() && random.chance(10);
      if (isGuarded)
        body += std::string(2 * loops.size(), ' ') + "if " + loops.back() +
                " - " + std::to_string(random.between(1, 2)) + " >= 0 {\n";
      if (random.chance(8))
        statement(target() + (random.chance(50) ? " = " : " += ") + value());
      else
        item();
      if (isGuarded)
        line("}");
    }
  }
  /// Sets a local, a scalar or a row, in one loop and reads it in others.
  void localBetween() {
    const bool isRow = random.chance(25);
    const std::string s = (isRow ? "r" : "s") + std::to_string(locals.size());
    auto element = [&] { return isRow ? s + "[" + near(0, true) + "]" : s; };
    locals.push_back(s);
    line("local " + s);
    if (!isRow)
      statement(s + " = 2");
    if (random.chance(30))
      item();
    open(false, /*isWhole=*/isRow);
    statement(element() + (isRow ? " = 3 * " : " += 3 * ") +
              (isRow ? "C[2][2]" : this->element("C", true)));
    close();
    if (!isRow && random.chance(30))
      statement(s + " = 5 * " + s + " + 1");
    for (unsigned readers = 1 + random.pick(2); readers-- != 0;) {
      const unsigned depth = isRow ? 1 : random.between(1, 2);
      for (unsigned k = 0; k != depth; ++k)
        open(false);
      statement(target() + " = 3 * " + element() + " + " + value());
      for (unsigned k = 0; k != depth; ++k)
        close();
    }
  }
  /// Two sums in one loop, one of the row's own in a local and one that rows
  /// share, of a value that both read or not; with an element beside them.
  void sumsOfRow() {
    const std::string number = std::to_string(locals.size());
    const std::string s = "s" + number, v = "v" + number;
    static const std::vector<std::string> arrays{"A", "B", "D"};
    open(false);
    locals.push_back(s);
    line("local " + s);
    statement(s + " = 0");
    open(false);
    const bool isNamed = random.chance(50);
    if (isNamed) {
      locals.push_back(v);
      line("local " + v);
      statement(v + " = " + value());
    }
    const std::string term = isNamed ? v : element("C", true);
    std::vector<std::string> all{s + " += 3 * " + term,
                                 random.oneOf(arrays) + "[2][" + near(1, true) +
                                     " + " + loops.back() + "] += 5 * " + term};
    if (random.chance(40))
      all.push_back(target() + " = " + value());
    while (!all.empty()) {
      const unsigned k = random.pick(all.size());
      statement(all[k]);
      all.erase(all.begin() + k);
    }
    close();
    statement(target() + " = " + s);
    close();
  }
  void item() {
    if (loops.size() < 3 && random.chance(10))
      return sumsOfRow();
    const unsigned depth = random.between(1, 2);
    for (unsigned k = 0; k != depth; ++k)
      open(false);
    if (loops.size() < 3 && random.chance(12)) {
      items(2);
    } else if (random.chance(30)) {
      const std::string s = "s" + std::to_string(locals.size());
      locals.push_back(s);
      line("local " + s);
      const std::string stored = target();
      statement(s + " = 0");
      open(false);
      statement(s + " += 3 * " + element("C", random.chance(50)) + " + 1");
      close();
      statement(stored + " = " + s);
    } else {
      statement(target() + (random.chance(70) ? " = " : " += ") + value());
      if (random.chance(15))
        statement(target() + " = " + value());
    }
    for (unsigned k = 0; k != depth; ++k)
      close();
  }
};

/// Whether a step of \p sequence has parts of a body change places.
bool movesParts(const KernelSequence &sequence) {
  return any_of(sequence.steps, [](const Step &step) {
    std::vector<unsigned> copies;
    for (const std::string &word : drop_begin(step.words))
      copies.push_back(std::stoul(word));
    return !is_sorted(copies);
  });
}

/// A part, planned and lowered.
struct Lowered {
  const KernelSequence::Part *part;
  std::vector<LoweredKernel> kernels;
};

using Arrays = std::map<std::string, std::vector<uint64_t>>;

/// Launches the kernels of a sequence as its launcher does.
class Sequence {
public:
  Sequence(const Nest &source, const Nest &whole, ArrayRef<Lowered> all,
           const Case &c, int64_t n)
      : c(c), n(n), iterations(whole.loopNames.size()) {
    for (const Array &a : all.front().part->nest.arrays) {
      if (a.isLocal())
        continue;
      size_t count = 1; // of what was a local, which has no values yet
      for (int64_t extent : extentsOf(a, {n}))
        count *= std::max<int64_t>(extent, 0);
      arrays[a.name].assign(count, 0xbadbadbadbad);
    }
    for (auto [id, a] : enumerate(source.arrays)) {
      if (a.isLocal())
        continue;
      const std::vector<int64_t> extents = extentsOf(a, {n});
      std::vector<uint64_t> &elements = arrays[a.name];
      elements.clear();
      for (int64_t y = 0; y != extents[0]; ++y)
        for (int64_t x = 0; x != extents[1]; ++x)
          elements.push_back(program::initialValue(1, id, {y, x}));
    }
    run(all, 0);
  }

  Arrays arrays;
  std::string fault;
  unsigned launches = 0;

private:
  const Case &c;
  const int64_t n;
  std::vector<int64_t> iterations; // by loop

  int64_t value(const Bound &b) const {
    return divideCeilSigned(*b.expr.evaluate([&](Var v) {
      return v.kind == Var::Param ? n : iterations[v.id];
    }),
                            b.divisor);
  }
  void run(ArrayRef<Lowered> all, size_t depth) {
    while (!all.empty() && fault.empty()) {
      const auto &around = all.front().part->around.loops;
      if (around.size() == depth) {
        launch(all.front());
        all = all.drop_front();
        continue;
      }
      const Loop &l = *around[depth];
      const auto inside = all.take_while([&](const Lowered &one) {
        return one.part->around.loops.size() > depth &&
               one.part->around.loops[depth] == &l;
      });
      int64_t first = INT64_MIN, end = INT64_MAX;
      for (const Bound &b : l.lower)
        first = std::max(first, value(b));
      for (const Bound &b : l.upper)
        end = std::min(end, value(b));
      for (int64_t at = first; at < end && fault.empty(); ++at) {
        iterations[l.id] = at;
        run(inside, depth + 1);
      }
      all = all.drop_front(inside.size());
    }
  }
  void launch(const Lowered &one) {
    for (const LoweredKernel &kernel : one.kernels) {
      std::vector<int64_t> values{n};
      values.resize(kernel.nest.params.size());
      for (const auto &[loop, size] : one.part->around.sizes)
        values[size] = iterations[loop];
      for (auto [id, p] : enumerate(kernel.nest.params))
        if (p.definition)
          values[id] =
              *p.definition->evaluate([&](Var v) { return values[v.id]; });
      Launches launched(kernel.nest, kernel.program, kernel.packing, c, values);
      for (auto [id, a] : enumerate(kernel.nest.arrays))
        if (!a.isLocal())
          launched.setArray(id, arrays.at(a.name));
      if (Error e = launched.run(/*backwards=*/false)) {
        fault = toString(std::move(e));
        return;
      }
      for (const auto &[name, array] : launched.arrays())
        if (auto own = arrays.find(name);
            own != arrays.end() && own->second.size() == array.elements.size())
          own->second = array.elements; // one that it touches
      launches += launched.launches;
    }
  }
};

unsigned environmentOf(const char *name, unsigned otherwise) {
  unsigned value;
  const char *text = getenv(name);
  return text && !StringRef(text).getAsInteger(10, value) ? value : otherwise;
}

struct Counts {
  unsigned cases = 0, asOne = 0, refused = 0, same = 0, parts = 0, inLoops = 0,
           expanded = 0, moved = 0, again = 0;
};

/// The parts of \p sequence by the default; none where it refuses one.
std::vector<Lowered> lowerParts(const KernelSequence &sequence, const Case &c) {
  std::vector<Lowered> all;
  for (const KernelSequence::Part &part : sequence.parts) {
    PlannedKernel kernel;
    if (errorToBool(kernel.plan({part.nest, *findGpu(c.arch), legalityOf(c)})))
      return {};
    auto kernels = lowered(*kernel.pipeline, c);
    if (!kernels) {
      consumeError(kernels.takeError());
      return {};
    }
    all.push_back({&part, std::move(*kernels)});
  }
  return all;
}

void tryCase(unsigned seed, Random &random, Counts &counts) {
  Case c;
  c.nest = RandomSequence(random).text();
  c.isAlgebraic = random.chance(20);
  Expected<Nest> nest = parseNest(c.nest);
  ASSERT_TRUE(bool(nest)) << toString(nest.takeError()) << "\n" << c.nest;
  ++counts.cases;
  const std::optional<KernelSequence> sequence =
      kernelSequence(*nest, legalityOf(c));
  if (!sequence) {
    ++counts.asOne;
    return;
  }
  const std::vector<Lowered> parts = lowerParts(*sequence, c);
  if (parts.empty()) {
    ++counts.refused;
    return;
  }
  const Original original(*nest, c.isAlgebraic);
  for (int64_t n : {5, 3, 7}) {
    const Original::Result &leaves = original.leaves({n});
    ASSERT_EQ(leaves.fault, "") << c.nest;
    const Sequence ran(*nest, sequence->whole, parts, c, n);
    ASSERT_EQ(ran.fault, "") << "seed " << seed << ", N=" << n << "\n"
                             << c.nest;
    for (const auto &[name, elements] : leaves.arrays)
      ASSERT_TRUE(elements == ran.arrays.at(name))
          << "seed " << seed << ", N=" << n << ": '" << name
          << "' differs after\n"
          << c.nest;
  }
  ++counts.same;
  counts.parts += sequence->parts.size();
  counts.expanded += !sequence->expanded.empty();
  counts.moved += movesParts(*sequence);
  counts.again += !sequence->again.empty();
  counts.inLoops += any_of(
      sequence->parts, [](const auto &p) { return !p.around.loops.empty(); });
}

} // namespace

TEST(RandomEmission, WhatRunsInTurnComputesTheSame) {
  const unsigned cases = environmentOf("CONVOPT_RANDOM_CASES", 300),
                 seed = environmentOf("CONVOPT_RANDOM_SEED", 1);
  Counts counts;
  for (unsigned k = 0; counts.cases < cases; ++k) { // a seed is four
    Random random(seed + k);
    for (unsigned n = 0; n != 4; ++n) {
      tryCase(seed + k, random, counts);
      if (HasFatalFailure())
        return;
    }
  }
  outs() << "| what | count |\n|---|---:|\n| cases | " << counts.cases
         << " |\n| one kernel, or none | " << counts.asOne
         << " |\n| refused by the default | " << counts.refused
         << " |\n| the same | " << counts.same << " |\n| kernels | "
         << counts.parts << " |\n| in loops | " << counts.inLoops
         << " |\n| with locals in memory | " << counts.expanded
         << " |\n| with parts that change places | " << counts.moved
         << " |\n| with values computed again | " << counts.again << " |\n";
  EXPECT_GT(counts.same, cases / 6);
  EXPECT_GT(counts.inLoops, cases / 40);
  EXPECT_GT(counts.expanded, cases / 100);
  EXPECT_GT(counts.moved, cases / 100);
}
