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

const Word *RangeValue::eval(Lanes lanes) {
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
}

const Word *TruthValue::eval(Lanes lanes) {
  const Word *from = v->eval(lanes);
  for (Lane t : lanes)
    values[t] = from[t] != 0;
  return values.data();
}

const Word *SlotValue::eval(Lanes lanes) {
  if (!slot.mayBeUndefined)
    return slot.values.data();
  for (Lane t : lanes)
    if (uint64_t(slot.values[t]) == Uninitialised) {
      m.takeUndefined(t, slot, variable);
      if (type < Type::Element)
        m.fault(t, "uses " + m.originText(t));
    }
  return slot.values.data();
}

const Word *LoadValue::eval(Lanes lanes) {
  Storage &s = *place.storage;
  place.eval(m, lanes, width, width * s.elementBytes);
  if (m.hasFailed)
    return values.data();
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
  return values.data();
}

const Word *UnaryValue::eval(Lanes lanes) {
  const Word *from = v->eval(lanes);
  for (Lane t : lanes)
    if (op == Op::Not)
      values[t] = !from[t];
    else if (__builtin_sub_overflow(0, from[t], &values[t]) ||
             (type == Type::Int && values[t] != int32_t(values[t])))
      m.fault(t, Twine("negates ") + Twine(from[t]));
  return values.data();
}

static bool isOverflow(Type::Kind type, Word w) {
  return type == Type::Int && w != int32_t(w);
}

const Word *BinaryValue::eval(Lanes lanes) {
  const Word *x = a->eval(lanes), *y = b->eval(lanes);
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
  return values.data();
}

const Word *LogicValue::eval(Lanes lanes) {
  const Word *first = a->eval(lanes);
  open.clear();
  for (Lane t : lanes) {
    values[t] = first[t];
    if (bool(first[t]) != isOr)
      open.push_back(t);
  }
  if (open.empty())
    return values.data();
  const Word *second = b->eval(open);
  for (Lane t : open)
    values[t] = second[t];
  return values.data();
}

const Word *SelectValue::eval(Lanes lanes) {
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
  return values.data();
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

const Word *FunctionValue::eval(Lanes lanes) {
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
  return values.data();
}

const Word *VoteValue::eval(Lanes lanes) {
  const Word *votes = vote->eval(lanes);
  m.synchronise(lanes);
  const bool any = any_of(lanes, [&](Lane t) { return votes[t] != 0; });
  for (Lane t : lanes)
    values[t] = any;
  return values.data();
}

const Word *ExchangeValue::eval(Lanes lanes) {
  const Word *from = v->eval(lanes);
  if (!m.hasFailed)
    m.meetInWarps(lanes);
  if (m.hasFailed)
    return values.data();
  for (Lane t : lanes)
    values[t] = from[t ^ distance];
  m.exchangeOrigins(lanes, distance);
  return values.data();
}

const Word *FillValue::eval(Lanes lanes) {
  const Word *from = element->eval(lanes);
  for (Lane t : lanes)
    for (unsigned k = 0; k != width; ++k)
      values[t * width + k] = from[t];
  return values.data();
}

const Word *ExtentValue::eval(Lanes lanes) {
  const Storage &s = *place.storage;
  // Of a box, without the room behind it.
  int64_t elements = 1;
  for (size_t d = place.subscripts.size(); d != s.extents.size(); ++d)
    elements *= s.extents[d];
  for (Lane t : lanes)
    values[t] = elements * s.elementBytes;
  return values.data();
}

const Word *FormulaValue::eval(Lanes lanes) {
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
  return values.data();
}

} // namespace convopt::program
