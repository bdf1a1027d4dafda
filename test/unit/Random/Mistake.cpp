//===- Mistake.cpp - A pass that is wrong ---------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mistake.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace convopt::test {
namespace {

/// A nest in which one thing is changed: the one at which `where` has counted
/// down to nothing.
struct Plant {
  Nest nest;
  int64_t where, how;
  int64_t places = 0; // that there are

  bool isHere() { return places++ == where; }
  /// One more or one less.
  IndexExpr off(const IndexExpr &e) const { return e + (how % 2 ? 1 : -1); }

  template <typename T>
  void nodes(function_ref<std::optional<Body>(const T &)> change) {
    nest.body = rewrite(nest.body, [&](const NodeRef &n) {
      const auto *node = dyn_cast<T>(n.get());
      return node && places <= where ? change(*node) : std::nullopt;
    });
  }
  /// Changes the \p T that is here, in place.
  template <typename T> void edit(function_ref<bool(T &)> change) {
    nodes<T>([&](const T &n) -> std::optional<Body> {
      auto copy = std::make_shared<T>(n);
      return change(*copy) ? std::optional<Body>({copy}) : std::nullopt;
    });
  }
  /// Puts the \p T that is here \p times times.
  template <typename T> void repeat(unsigned times) {
    nodes<T>([&](const T &n) -> std::optional<Body> {
      return isHere() ? std::optional<Body>(Body(times, std::make_shared<T>(n)))
                      : std::nullopt;
    });
  }
  /// Changes bodies, the outermost first.
  void bodies(function_ref<bool(Body &)> change) {
    change(nest.body);
    edit<Loop>([&](Loop &l) { return change(l.body); });
    edit<Guard>([&](Guard &g) { return change(g.body); });
  }
  void buffers(function_ref<bool(Array &)> change) {
    for (Array &a : nest.arrays)
      if (a.buffer)
        change(a);
  }
};

} // namespace

/// A bound is one off.
static void bound(Plant &p) {
  p.edit<Loop>([&](Loop &l) {
    for (auto *bounds : {&l.lower, &l.upper})
      for (Bound &b : *bounds)
        if (p.isHere()) {
          b.expr = p.off(b.expr);
          return true;
        }
    return false;
  });
}

/// A bound is forgotten, such as that of the last strip.
static void noBound(Plant &p) {
  p.edit<Loop>([&](Loop &l) {
    for (auto *bounds : {&l.lower, &l.upper})
      for (size_t k = 0; bounds->size() > 1 && k != bounds->size(); ++k)
        if (p.isHere()) {
          bounds->erase(bounds->begin() + k);
          return true;
        }
    return false;
  });
}

static void noGuard(Plant &p) {
  p.nodes<Guard>([&](const Guard &g) {
    return p.isHere() ? std::optional(g.body) : std::nullopt;
  });
}

static void condition(Plant &p) {
  p.edit<Guard>([&](Guard &g) {
    for (Constraint &c : g.conditions)
      if (p.isHere()) {
        c.expr = p.off(c.expr);
        return true;
      }
    return false;
  });
}

/// A statement takes itself for another of its instances.
static void instance(Plant &p) {
  p.edit<Statement>([&](Statement &s) {
    for (IndexExpr &e : s.instance)
      if (p.isHere()) {
        e = p.how % 3 ? p.off(e) : e + e;
        return true;
      }
    return false;
  });
}

static void lost(Plant &p) { p.repeat<Statement>(0); }
static void twice(Plant &p) { p.repeat<Statement>(2); }
static void noBarrier(Plant &p) { p.repeat<Barrier>(0); }
static void noCopy(Plant &p) { p.repeat<Copy>(0); }

/// What stands side by side changes places.
static void swapped(Plant &p) {
  p.bodies([&](Body &body) {
    for (size_t k = 0; k + 1 < body.size(); ++k)
      if (p.isHere()) {
        std::swap(body[k], body[k + 1]);
        return true;
      }
    return false;
  });
}

/// Two loops change places, without a thought for bounds or dependences.
static void interchanged(Plant &p) {
  p.nodes<Loop>([&](const Loop &l) -> std::optional<Body> {
    const auto *inner =
        l.body.size() == 1 ? dyn_cast<Loop>(l.body[0].get()) : nullptr;
    if (!inner || !p.isHere())
      return std::nullopt;
    auto in = std::make_shared<Loop>(l), out = std::make_shared<Loop>(*inner);
    in->body = inner->body;
    out->body = {in};
    return Body{out};
  });
}

/// What is declared or done in a loop is so before it.
static void outwards(Plant &p) {
  p.bodies([&](Body &body) {
    for (size_t k = 0; k != body.size(); ++k) {
      const auto *l = dyn_cast<Loop>(body[k].get());
      if (!l || l->body.size() < 2 || !p.isHere())
        continue;
      auto loop = std::make_shared<Loop>(*l);
      loop->body.erase(loop->body.begin());
      const NodeRef first = l->body[0];
      body[k] = loop;
      body.insert(body.begin() + k, first);
      return true;
    }
    return false;
  });
}

/// A loop is run by whom it should not be.
static void kind(Plant &p) {
  p.edit<Loop>([&](Loop &l) {
    const auto other = LoopKind(p.how % 10);
    if (l.kind == other || other == LoopKind::Vector || !p.isHere())
      return false;
    l.kind = other;
    return true;
  });
}

/// A box begins one off.
static void base(Plant &p) {
  p.edit<Copy>([&](Copy &c) {
    for (IndexExpr &e : c.base)
      if (p.isHere()) {
        e = p.off(e);
        return true;
      }
    return false;
  });
}

/// A box is one off in size.
static void box(Plant &p) {
  p.buffers([&](Array &a) {
    for (IndexExpr &e : a.extents)
      if (p.isHere()) {
        e = p.off(e);
        return true;
      }
    return false;
  });
}

/// A buffer holds other elements of its array.
static void strides(Plant &p) {
  p.buffers([&](Array &a) {
    a.buffer->strides.resize(a.extents.size(), 1);
    for (int64_t &stride : a.buffer->strides)
      if (p.isHere()) {
        stride = stride == 1 ? 2 : 1;
        return true;
      }
    return false;
  });
}

/// Another number in the layout of a buffer.
static void layout(Plant &p) {
  p.buffers([&](Array &a) {
    BufferLayout &l = a.buffer->layout;
    for (auto &[name, number, usual] : BufferLayout::numbersOf(l))
      if (p.isHere()) {
        *number = int64_t(1) << p.how % 3;
        return true;
      }
    if (!p.isHere())
      return false;
    l.copyKind = BufferLayout::CopyKind(p.how % 3);
    return true;
  });
}

/// Other elements beyond the array's ends.
static void fill(Plant &p) {
  p.buffers([&](Array &a) {
    if (!p.isHere())
      return false;
    a.buffer->fill = a.buffer->fill.empty() ? "0.0f" : "1.0f";
    return true;
  });
}

/// A read or write in the array instead of its buffer.
static void unstaged(Plant &p) {
  p.edit<Statement>([&](Statement &s) {
    if (s.target.buffer && p.isHere()) {
      s.target.buffer.reset();
      return true;
    }
    for (Operand &o : s.operands)
      if (o.access.buffer && p.isHere()) {
        o.access.buffer.reset();
        return true;
      }
    return false;
  });
}

/// All iterations share an element of an expanded array.
static void shared(Plant &p) {
  p.edit<Statement>([&](Statement &s) {
    auto change = [&](Access &a) {
      for (unsigned d = 0; d != p.nest.arrays[a.array].expandedDims; ++d)
        if (p.isHere()) {
          a.subscripts[d] = p.how % 2 ? IndexExpr(0) : p.off(a.subscripts[d]);
          return true;
        }
      return false;
    };
    return change(s.target) ||
           any_of(s.operands, [&](Operand &o) { return change(o.access); });
  });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct Kind {
  const char *name;
  void (*plant)(Plant &);
};
} // namespace

static constexpr Kind kinds[] = {
    {"bound", bound},       {"no-bound", noBound},
    {"no-guard", noGuard},  {"condition", condition},
    {"instance", instance}, {"lost", lost},
    {"twice", twice},       {"no-barrier", noBarrier},
    {"no-copy", noCopy},    {"swapped", swapped},
    {"outwards", outwards}, {"interchanged", interchanged},
    {"kind", kind},         {"base", base},
    {"box", box},           {"layout", layout},
    {"strides", strides},   {"fill", fill},
    {"unstaged", unstaged}, {"shared", shared},
};

static Expected<Nest> make(const Kind &kind, const Nest &nest, int64_t where,
                           int64_t how) {
  Plant all{nest, INT64_MAX, how};
  kind.plant(all);
  if (all.places == 0)
    return refuse("structure", "there is no place for this mistake");
  Plant one{nest, where % all.places, how};
  kind.plant(one);
  return std::move(one.nest);
}

static Expected<PassCall> bindMistake(StepWords &words) {
  const auto *known = find_if(
      kinds, [&](const Kind &k) { return words.size() && words[0] == k.name; });
  if (known == std::end(kinds) || words.size() != 3)
    return words.refuseArguments();
  Expected<int64_t> where = words.number(1);
  Expected<int64_t> how = words.number(2);
  if (!where || !how)
    return joinErrors(where.takeError(), how.takeError());
  return PassCall(
      [=, where = *where, how = *how](const Nest &nest, PrimitiveDone) {
        return make(*known, nest, where, how);
      });
}

const Pass mistakePass{"mistake", "KIND,WHERE,HOW", "Make a mistake",
                       bindMistake};

Step randomMistake(Random &random) {
  return {mistakePass,
          {kinds[random.pick(std::size(kinds))].name,
           std::to_string(random.pick(64)), std::to_string(random.pick(30))}};
}

Expected<Step> parseAnyStep(StringRef text) {
  if (!text.consume_front("mistake="))
    return parseStep(text);
  SmallVector<StringRef> words;
  text.split(words, ',');
  Step step(mistakePass, {words.begin(), words.end()});
  if (Expected<PassCall> call = mistakePass.bind(step.words); !call)
    return call.takeError();
  return step;
}

} // namespace convopt::test
