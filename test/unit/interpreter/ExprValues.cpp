//===- ExprValues.cpp - Expressions that run ------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExprValues.h"

using namespace llvm;

namespace convopt::program {

void Place::eval(Machine &m, Lanes lanes, int64_t count, int64_t bytes) {
  const Storage &s = *storage;
  if (subscripts.size() > s.extents.size())
    return m.fault(lanes[0],
                   "has too many subscripts for '" + s.variable->name + "'");
  for (Lane t : lanes)
    indices[t] = 0;
  for (size_t d = 0; d != subscripts.size(); ++d) {
    const Word *at = subscripts[d]->eval(lanes);
    const int64_t extent = s.extents[d], stride = s.strides[d];
    const bool isEnd = d == 0 && beyond; // which is tested with it
    for (Lane t : lanes) {
      if (!isEnd && uint64_t(at[t]) >= uint64_t(extent))
        return m.fault(t, "has subscript " + Twine(at[t]) + " in dimension " +
                              Twine(d) + " of '" + s.variable->name +
                              "', which has " + Twine(extent));
      indices[t] += at[t] * stride;
    }
  }
  if (beyond) {
    const Word *offset = beyond->eval(lanes);
    for (Lane t : lanes)
      if (__builtin_add_overflow(indices[t], offset[t], &indices[t]))
        return m.fault(t, "has an offset that overflows");
  }
  if (beyond || count != 1 || subscripts.empty())
    for (Lane t : lanes)
      if (indices[t] < 0 || indices[t] > s.size - count)
        return m.fault(t, "touches elements " + Twine(indices[t]) + " to " +
                              Twine(indices[t] + count - 1) + " of '" +
                              s.variable->name + "', which has " +
                              Twine(s.size));
  if (bytes == s.elementBytes)
    return;
  for (Lane t : lanes)
    if (s.alignment % bytes != 0 ||
        (s.place + indices[t] * s.elementBytes) % bytes != 0)
      return m.fault(t, "touches " + Twine(bytes) + " bytes at " +
                            s.nameOf(indices[t]) +
                            ", which is not aligned to that");
}

/// One that has words of its own, which \p compute writes.
template <class F>
static ValueRef stored(Machine &m, Type::Kind type, unsigned width, F compute) {
  auto eval = [compute = std::move(compute),
               values = std::vector<Word>(m.threads * width)](
                  Lanes lanes) mutable -> const Word * {
    compute(lanes, values.data());
    return values.data();
  };
  return std::make_unique<Value>(Value{std::move(eval), type, width});
}

ValueRef inRange(Machine &m, ValueRef v, bool isInt, Type::Kind type) {
  auto eval = [&m, v = std::move(v), isInt](Lanes lanes) {
    const Word *from = v->eval(lanes);
    for (Lane t : lanes) {
      const Word w = from[t];
      if (isInt ? w == int32_t(w) : w == uint32_t(w))
        continue;
      m.fault(t, Twine("has ") + Twine(w) + " where " +
                     (isInt ? "an int" : "an unsigned") + " is needed");
      break;
    }
    return from;
  };
  return std::make_unique<Value>(Value{std::move(eval), type});
}

ValueRef isTrue(Machine &m, ValueRef v) {
  auto compute = [v = std::move(v)](Lanes lanes, Word *values) {
    const Word *from = v->eval(lanes);
    for (Lane t : lanes)
      values[t] = from[t] != 0;
  };
  return stored(m, Type::Bool, 1, std::move(compute));
}

ValueRef useSlot(Machine &m, Slot &slot, const Variable &variable) {
  const Type::Kind type = variable.type.kind;
  auto eval = [&m, &slot, &variable, type](Lanes lanes) -> const Word * {
    if (!slot.mayBeUndefined)
      return slot.values.data();
    for (Lane t : lanes)
      if (uint64_t(slot.values[t]) == Uninitialised) {
        m.takeUndefined(t, slot, variable);
        if (type < Type::Element)
          m.fault(t, "uses " + m.originText(t));
      }
    return slot.values.data();
  };
  return std::make_unique<Value>(Value{std::move(eval), type});
}

ValueRef loadFrom(Machine &m, Place place, unsigned width, Type::Kind type) {
  auto compute = [&m, place = std::move(place), width,
                  type](Lanes lanes, Word *values) mutable {
    Storage &s = *place.storage;
    place.eval(m, lanes, width, width * s.elementBytes);
    if (m.hasFailed)
      return;
    for (Lane t : lanes)
      for (unsigned k = 0; k != width; ++k) {
        const uint64_t w = m.read(s, place.indices[t] + k, t);
        if (w == Uninitialised) {
          m.takeUndefined(t, s, place.indices[t] + k);
          if (type < Type::Element)
            m.fault(t, "uses " + m.originText(t));
        }
        values[t * width + k] = Word(w);
      }
  };
  return stored(m, type, width, std::move(compute));
}

ValueRef unaryOf(Machine &m, Op op, ValueRef v, Type::Kind type) {
  auto compute = [&m, op, v = std::move(v), type](Lanes lanes, Word *values) {
    const Word *from = v->eval(lanes);
    for (Lane t : lanes)
      if (op == Op::Not)
        values[t] = !from[t];
      else if (__builtin_sub_overflow(0, from[t], &values[t]) ||
               (type == Type::Int && values[t] != int32_t(values[t])))
        m.fault(t, Twine("negates ") + Twine(from[t]));
  };
  return stored(m, type, 1, std::move(compute));
}

static bool isOverflow(Type::Kind type, Word w) {
  return type == Type::Int && w != int32_t(w);
}

static void compute(Machine &m, Op op, Type::Kind operands, Lanes lanes,
                    const Word *x, const Word *y, Word *values) {
  auto each = [&](auto f) {
    for (Lane t : lanes)
      values[t] = f(x[t], y[t]);
  };
  /// \p f returns whether the 64 bits overflow.
  auto exact = [&](const char *operation, auto f) {
    for (Lane t : lanes)
      if (f(x[t], y[t], &values[t]) || isOverflow(operands, values[t])) {
        m.fault(t, Twine("computes ") + Twine(x[t]) + operation + Twine(y[t]) +
                       ", which overflows");
        break;
      }
  };
  auto quotient = [&](const char *operation, auto f) {
    for (Lane t : lanes) {
      if (y[t] == 0 || (y[t] == -1 && isOverflow(operands, -x[t]))) {
        m.fault(t, Twine("computes ") + Twine(x[t]) + operation + Twine(y[t]));
        break;
      }
      values[t] = f(x[t], y[t]);
    }
  };
  auto shift = [&](auto f) {
    const Word bits = operands == Type::Wide ? 64 : 32;
    for (Lane t : lanes) {
      if (y[t] < 0 || y[t] >= bits || isOverflow(operands, f(x[t], y[t]))) {
        m.fault(t, Twine("shifts ") + Twine(x[t]) + " by " + Twine(y[t]));
        break;
      }
      values[t] = f(x[t], y[t]);
    }
  };
  switch (op) {
  case Op::Add:
    exact(" + ", [](Word a, Word b, Word *r) {
      return __builtin_add_overflow(a, b, r);
    });
    break;
  case Op::Sub:
    exact(" - ", [](Word a, Word b, Word *r) {
      return __builtin_sub_overflow(a, b, r);
    });
    break;
  case Op::Mul:
    exact(" * ", [](Word a, Word b, Word *r) {
      return __builtin_mul_overflow(a, b, r);
    });
    break;
  case Op::Div:
    quotient(" / ", [](Word a, Word b) { return a / b; });
    break;
  case Op::Rem:
    quotient(" % ", [](Word a, Word b) { return a % b; });
    break;
  case Op::ShiftLeft:
    shift([](Word a, Word b) { return Word(uint64_t(a) << (b & 63)); });
    break;
  case Op::ShiftRight:
    shift([](Word a, Word b) { return a >> (b & 63); });
    break;
  case Op::Less:
    each([](Word a, Word b) { return a < b; });
    break;
  case Op::LessEqual:
    each([](Word a, Word b) { return a <= b; });
    break;
  case Op::Greater:
    each([](Word a, Word b) { return a > b; });
    break;
  case Op::GreaterEqual:
    each([](Word a, Word b) { return a >= b; });
    break;
  case Op::Equal:
    each([](Word a, Word b) { return a == b; });
    break;
  case Op::NotEqual:
    each([](Word a, Word b) { return a != b; });
    break;
  case Op::BitAnd:
    each([](Word a, Word b) { return a & b; });
    break;
  case Op::BitXor:
    each([](Word a, Word b) { return a ^ b; });
    break;
  default:
    llvm_unreachable("no operator on integers");
  }
}

ValueRef binaryOf(Machine &m, Op op, Type::Kind operands, ValueRef a,
                  ValueRef b, Type::Kind type) {
  return stored(m, type, 1,
                [&m, op, operands, a = std::move(a),
                 b = std::move(b)](Lanes lanes, Word *values) {
                  const Word *x = a->eval(lanes);
                  compute(m, op, operands, lanes, x, b->eval(lanes), values);
                });
}

ValueRef logicOf(Machine &m, bool isOr, ValueRef a, ValueRef b) {
  auto compute = [isOr, a = std::move(a), b = std::move(b),
                  open = std::vector<Lane>()](Lanes lanes,
                                              Word *values) mutable {
    const Word *first = a->eval(lanes);
    open.clear();
    for (Lane t : lanes) {
      values[t] = first[t];
      if (bool(first[t]) != isOr)
        open.push_back(t);
    }
    if (open.empty())
      return;
    const Word *second = b->eval(open);
    for (Lane t : open)
      values[t] = second[t];
  };
  return stored(m, Type::Bool, 1, std::move(compute));
}

ValueRef choiceOf(Machine &m, ValueRef condition, ValueRef yes, ValueRef no) {
  const Type::Kind type = yes->type;
  const unsigned width = yes->width;
  auto compute = [condition = std::move(condition), yes = std::move(yes),
                  no = std::move(no), yesLanes = std::vector<Lane>(),
                  noLanes = std::vector<Lane>(),
                  width](Lanes lanes, Word *values) mutable {
    const Word *is = condition->eval(lanes);
    yesLanes.clear();
    noLanes.clear();
    for (Lane t : lanes)
      (is[t] ? yesLanes : noLanes).push_back(t);
    auto take = [&](Value &from, Lanes some) {
      if (some.empty())
        return;
      const Word *all = from.eval(some);
      for (Lane t : some)
        for (unsigned k = 0; k != width; ++k)
          values[t * width + k] = all[t * width + k];
    };
    take(*yes, yesLanes);
    take(*no, noLanes);
  };
  return stored(m, type, width, std::move(compute));
}

/// Of this project's helper functions, as the printed ones compute them.
static Word call(Callee callee, Word a, Word b) {
  switch (callee) {
  case Callee::Min:
    return std::min(a, b);
  case Callee::Max:
    return std::max(a, b);
  case Callee::FloorDiv:
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
  default: {
    Word turns = (4 * a + b - 1) / b;
    return turns == 0 ? 0 : (a + turns - 1) / turns;
  }
  }
}

ValueRef callOf(Machine &m, Callee callee, ValueRef a, ValueRef b,
                Type::Kind type) {
  auto compute = [&m, callee, a = std::move(a),
                  b = std::move(b)](Lanes lanes, Word *values) {
    const Word *x = a->eval(lanes), *y = b->eval(lanes);
    const bool divides = callee == Callee::FloorDiv || callee == Callee::Across;
    for (Lane t : lanes) {
      bool isBad = divides && (y[t] == 0 || x[t] == INT64_MIN);
      // Overflows of an int in `across`, and its division by no turns.
      isBad |= callee == Callee::Across &&
               (x[t] < 1 || y[t] < 1 || isOverflow(Type::Int, 4 * x[t] + y[t]));
      if (isBad) {
        m.fault(t, "calls " + nameOf({callee, ""}) + "(" + Twine(x[t]) + ", " +
                       Twine(y[t]) + ")");
        break;
      }
      values[t] = call(callee, x[t], y[t]);
    }
  };
  return stored(m, type, 1, std::move(compute));
}

ValueRef voteOf(Machine &m, ValueRef vote) {
  auto compute = [&m, vote = std::move(vote)](Lanes lanes, Word *values) {
    const Word *votes = vote->eval(lanes);
    m.synchronise(lanes);
    const bool any = any_of(lanes, [&](Lane t) { return votes[t] != 0; });
    for (Lane t : lanes)
      values[t] = any;
  };
  return stored(m, Type::Bool, 1, std::move(compute));
}

ValueRef exchanged(Machine &m, ValueRef v, unsigned distance) {
  const Type::Kind type = v->type;
  auto compute = [&m, v = std::move(v), distance](Lanes lanes, Word *values) {
    const Word *from = v->eval(lanes);
    if (!m.hasFailed)
      m.meetInWarps(lanes);
    if (m.hasFailed)
      return;
    for (Lane t : lanes)
      values[t] = from[t ^ distance];
    m.exchangeOrigins(lanes, distance);
  };
  return stored(m, type, 1, std::move(compute));
}

ValueRef filledWith(Machine &m, ValueRef element, unsigned width) {
  auto compute = [element = std::move(element), width](Lanes lanes,
                                                       Word *values) {
    const Word *from = element->eval(lanes);
    for (Lane t : lanes)
      for (unsigned k = 0; k != width; ++k)
        values[t * width + k] = from[t];
  };
  return stored(m, Type::Element, width, std::move(compute));
}

ValueRef extentOf(Machine &m, Place place) {
  auto compute = [place = std::move(place)](Lanes lanes, Word *values) {
    const Storage &s = *place.storage;
    // Of a box, without the room behind it.
    int64_t elements = 1;
    for (size_t d = place.subscripts.size(); d != s.extents.size(); ++d)
      elements *= s.extents[d];
    for (Lane t : lanes)
      values[t] = elements * s.elementBytes;
  };
  return stored(m, Type::Wide, 1, std::move(compute));
}

ValueRef formulaOf(Machine &m, TextValue text, std::vector<ValueRef> operands,
                   Type::Kind type) {
  auto compute = [text = std::move(text),
                  operands = std::move(operands)](Lanes lanes, Word *values) {
    SmallVector<const Word *, 8> from;
    for (const ValueRef &o : operands)
      from.push_back(o->eval(lanes));
    for (Lane t : lanes) {
      bool isUndefined = false;
      for (const Word *operand : from)
        isUndefined |= uint64_t(operand[t]) == Uninitialised;
      values[t] = Word(isUndefined ? Uninitialised : text([&](unsigned k) {
        return uint64_t(from[k][t]);
      }));
    }
  };
  return stored(m, type, 1, std::move(compute));
}

} // namespace convopt::program
