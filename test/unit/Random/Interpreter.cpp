//===- Interpreter.cpp - Runs nests ---------------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "convopt/Nest/Borders.h"
#include "convopt/Nest/SplitSum.h"
#include "interpreter/Values.h"

using namespace llvm;
using convopt::program::TextValue;

namespace convopt::test {
namespace {

class Interpreter {
public:
  Interpreter(const Nest &nest, const RunOptions &options)
      : nest(nest), options(options), loops(nest.loopNames.size()),
        iterators(nest.loopNames.size()) {}

  void body(const Body &nodes) {
    for (const NodeRef &n : nodes)
      node(*n);
  }

  Memory written; // of arrays that are not local

private:
  const Nest &nest;
  const RunOptions &options;
  std::vector<int64_t> loops;     // values of the current loops
  std::vector<int64_t> iterators; // of the statement's original ones
  Memory locals, buffers;
  uint64_t rubbish = 0;
  std::map<std::string, TextValue> texts;

  int64_t value(const IndexExpr &e, ArrayRef<int64_t> of) const {
    return *e.evaluate([&](Var v) {
      return v.kind == Var::Param ? options.params[v.id] : of[v.id];
    });
  }
  int64_t value(const IndexExpr &e) const { return value(e, loops); }
  int64_t bound(const Bound &b) const {
    int64_t e = value(b.expr);
    return e >= 0 ? (e + b.divisor - 1) / b.divisor : e / b.divisor;
  }
  bool holds(ArrayRef<Constraint> all, ArrayRef<int64_t> of) const {
    for (const Constraint &c : all) {
      int64_t e = value(c.expr, of);
      if (c.kind == Constraint::Zero ? e != 0 : e < 0)
        return false;
    }
    return true;
  }

  /// What nobody may read: another value each time.
  uint64_t uninitialised(unsigned array) {
    note("has no value", array);
    return program::scramble(~options.data + rubbish++);
  }

  void note(const char *what, unsigned array) const {
    if (options.fault && options.fault->empty())
      *options.fault =
          "an element of '" + nest.arrays[array].name + "' " + what;
  }

  Element element(const Access &a) const {
    Element e{a.array, {}};
    const Array &array = nest.arrays[a.array];
    for (size_t d = 0; d != a.subscripts.size(); ++d) {
      const int64_t at =
          value(a.subscripts[d], d < array.expandedDims ? loops : iterators);
      e.second.push_back(at);
      if (options.fault && (at < 0 || at >= value(array.extents[d])))
        note("is out of bounds", a.array);
    }
    return e;
  }

  uint64_t look(const Memory &memory, const Element &e) {
    auto it = memory.find(e);
    return it == memory.end() ? uninitialised(e.first) : it->second;
  }
  uint64_t load(const Element &e, std::optional<unsigned> buffer) {
    if (buffer)
      return look(buffers, {*buffer, e.second});
    if (nest.arrays[e.first].isLocal())
      return look(locals, e);
    auto it = written.find(e);
    if (it != written.end())
      return it->second;
    if (nest.arrays[e.first].role == Array::Output)
      note("has no value", e.first);
    return program::initialValue(options.data, e.first, e.second);
  }

  void node(const Node &n) {
    if (const auto *l = dyn_cast<Loop>(&n))
      loop(*l);
    else if (const auto *g = dyn_cast<Guard>(&n))
      holds(g->conditions, loops) ? body(g->body) : void();
    else if (const auto *l = dyn_cast<Local>(&n))
      forget(l->array);
    else if (const auto *s = dyn_cast<Statement>(&n))
      statement(*s);
    else if (const auto *c = dyn_cast<Copy>(&n))
      copy(*c);
  }

  void forget(unsigned array) {
    for (Memory *memory : {&locals, &buffers}) {
      auto first = memory->lower_bound({array, {}});
      auto last = memory->lower_bound({array + 1, {}});
      memory->erase(first, last);
    }
  }

  void loop(const Loop &l) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    for (const Bound &b : l.lower)
      low = std::max(low, bound(b));
    for (const Bound &b : l.upper)
      high = std::min(high, bound(b));
    // Each thread has locals of its own, which nothing around it has written;
    // so has one of each launch. Of a sum that threads or blocks share there is
    // one: what they add up together.
    const std::vector<unsigned> shared =
        isParallel(l.kind) ? splittableSums(nest, l) : std::vector<unsigned>();
    const bool isOwn = isParallel(l.kind) || isHost(l.kind);
    const bool isUnordered = isParallel(l.kind) || l.kind == LoopKind::Stream;
    Memory around;
    if (isOwn) {
      around = std::exchange(locals, {});
      move(shared, around, locals);
    }
    for (int64_t k = 0; k < high - low; ++k) {
      loops[l.id] = isUnordered && options.backwards ? high - 1 - k : low + k;
      if (isOwn) {
        Memory sums;
        move(shared, locals, sums);
        locals = std::move(sums);
      }
      body(l.body);
    }
    if (isOwn) {
      move(shared, locals, around);
      locals = std::move(around);
    }
  }

  /// Moves the elements of \p arrays from one memory to another.
  static void move(ArrayRef<unsigned> arrays, Memory &from, Memory &to) {
    for (unsigned array : arrays)
      for (auto e = from.lower_bound({array, {}});
           e != from.end() && e->first.first == array; e = from.erase(e))
        to[e->first] = e->second;
  }

  uint64_t combine(Statement::Op op, uint64_t a, uint64_t b) const {
    using Update = program::Assignment::Update;
    static constexpr Update updates[] = {Update::None, Update::Add,
                                         Update::Sub,  Update::Mul,
                                         Update::Max,  Update::Min};
    return program::updated(updates[unsigned(op)], a, b, options.associative);
  }

  const TextValue &valueOf(const std::string &text) {
    return texts.try_emplace(text, text, options.associative).first->second;
  }

  uint64_t operand(const Operand &o) {
    if (o.kind == Operand::Index)
      return value(o.index, iterators);
    const bool isAtBorder = o.otherwise == AtBorder;
    if (holds(o.guard, iterators) || (isAtBorder && o.access.buffer))
      return read(o.access);
    if (isAtBorder)
      return load(image(o.access), std::nullopt);
    return valueOf(o.otherwise)([](unsigned) { return 0; });
  }

  /// The element of \p array that stands for coordinates \p at.
  std::vector<int64_t> image(unsigned array, std::vector<int64_t> at) const {
    const Array &a = nest.arrays[array];
    for (auto [d, v] : enumerate(at)) {
      const int64_t last = value(a.extents[d]) - 1;
      if (v >= 0 && v <= last)
        continue;
      switch (borderOf(a, d)) {
      case Border::None:
        break;
      case Border::Clamp:
        v = v < 0 ? 0 : last;
        break;
      case Border::Reflect:
        v = v < 0 ? -v : last - (v - last);
        break;
      case Border::Symmetric:
        v = v < 0 ? -1 - v : last - (v - last - 1);
        break;
      case Border::Wrap:
        v = v < 0 ? v + last + 1 : v - last - 1;
        break;
      }
    }
    return at;
  }
  Element image(const Access &a) const {
    std::vector<int64_t> at;
    for (const IndexExpr &e : a.subscripts)
      at.push_back(value(e, iterators));
    return {a.array, image(a.array, std::move(at))};
  }

  uint64_t read(const Access &a) {
    Element e = element(a);
    if (a.buffer && nest.arrays[*a.buffer].buffer->unfolding) {
      e.second.clear();
      for (const IndexExpr &c : coordinatesOf(a, nest.arrays[*a.buffer]))
        e.second.push_back(value(c, iterators));
    }
    return load(e, a.buffer);
  }

  /// The element at coordinates \p at of the array that \p u unfolds.
  std::vector<int64_t> unfolded(const Unfolding &u, ArrayRef<int64_t> at) {
    std::vector<int64_t> values(nest.loopNames.size());
    for (auto [dim, coordinate] : zip(u.dims, at))
      values[dim] = coordinate;
    for (const auto &[iterator, of] : u.iterators)
      values[iterator] = value(of, values);
    std::vector<int64_t> element;
    for (const IndexExpr &e : u.subscripts)
      element.push_back(value(e, values));
    return element;
  }

  void statement(const Statement &s) {
    for (size_t k = 0; k != s.iterators.size(); ++k)
      iterators[s.iterators[k]] = value(s.instance[k]);
    SmallVector<uint64_t, 8> operands;
    for (const Operand &o : s.operands)
      operands.push_back(operand(o));
    uint64_t result = valueOf(s.text)([&](unsigned k) { return operands[k]; });
    Element target = element(s.target);
    if (s.isReduction())
      result = combine(s.op, load(target, std::nullopt), result);
    (nest.arrays[target.first].isLocal() ? locals : written)[target] = result;
  }

  /// Fills the box, one dimension after the other.
  void copy(const Copy &c) {
    forget(c.buffer);
    std::vector<int64_t> base;
    for (const IndexExpr &e : c.base)
      base.push_back(value(e));
    fill(c, base, {});
  }
  void fill(const Copy &c, ArrayRef<int64_t> base, std::vector<int64_t> at) {
    const Array &buffer = nest.arrays[c.buffer];
    const size_t d = at.size();
    if (d == base.size()) {
      const std::optional<Unfolding> &u = buffer.buffer->unfolding;
      const bool isFirst = u && !c.from;
      std::vector<int64_t> there = isFirst ? unfolded(*u, at) : at;
      if (buffer.buffer->fill == AtBorder && !c.from)
        there = image(buffer.buffer->of, std::move(there));
      buffers[{c.buffer, at}] = load({buffer.buffer->of, there}, c.from);
      return;
    }
    at.push_back(0);
    for (int64_t k = 0; k < value(buffer.extents[d]); ++k) {
      at.back() = base[d] + buffer.buffer->stride(d) * k;
      fill(c, base, at);
    }
  }
};

} // namespace

Memory run(const Nest &nest, const RunOptions &options) {
  Interpreter interpreter(nest, options);
  interpreter.body(nest.body);
  return std::move(interpreter.written);
}

} // namespace convopt::test
