//===- IfConvert.cpp - Read zeros where a guard fails ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for j in 0 .. F {                  for j in 0 .. F {
//     if x + j - pad >= 0 {              S1: sum += guarded(x + j - pad >= 0,
//       S1: sum += in[x + j - pad]               in[x + j - pad], 0.0f) * w[j]
//                  * w[j]              }
//     }
//   }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/IfConvert.h"
#include "convopt/Nest/Factors.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

namespace {

class IfConversion {
public:
  IfConversion(const Nest &nest, unsigned array, bool isExact)
      : nest(nest), array(array), zero(zeroOf(nest.arrays[array].elementType)),
        isExact(isExact) {}

  Expected<Nest> run() {
    Nest result = nest;
    result.body = convert(nest.body, {});
    for (unsigned id : unguarded)
      readWhole(result, id);
    if (converted)
      return result;
    const std::string &name = nest.arrays[array].name;
    if (const Statement *s = firstGuarded())
      return refuse("structure",
                    "the guard around S" + std::to_string(s->id) +
                        " holds more than sums of products with '" + name + "'",
                    s->range, "leave the guard where it is");
    return refuse("structure", "'" + name + "' is not read under a guard",
                  nest.arrays[array].range,
                  "name the array that a guard keeps the reads inside of");
  }

private:
  /// The factors of \p s that read the array.
  std::vector<unsigned> factors(const Statement &s) const {
    std::vector<unsigned> result = factorsOf(nest, s);
    erase_if(result, [&](unsigned k) {
      const Operand &o = s.operands[k];
      return o.kind != Operand::Read || o.access.array != array ||
             (!o.guard.empty() &&
              (o.otherwise != zero || o.isPredicate != isPredicated(s)));
    });
    return result;
  }

  /// Whether conditions become a predicate of \p s. Then no read of it has one
  /// of its own that is none: where that fails, the statement does run.
  bool isPredicated(const Statement &s) const {
    return isExact && zeroOf(nest.arrays[s.target.array].elementType) != "0";
  }

  /// Whether \p body consists of nothing but sums of such products.
  bool isConvertible(const Body &body) const {
    return all_of(body, [&](const NodeRef &n) {
      if (const Body *inner = bodyOf(*n))
        return isConvertible(*inner);
      const auto *s = dyn_cast<Statement>(n.get());
      return s && isOriginal(*s) &&
             (s->op == Statement::Op::Add || s->op == Statement::Op::Sub) &&
             !factors(*s).empty();
    });
  }

  /// \p body, where \p conditions are those of the guards that are gone.
  Body convert(const Body &body, const std::vector<Constraint> &conditions) {
    Body result;
    for (const NodeRef &n : body) {
      if (const auto *l = dyn_cast<Loop>(n.get())) {
        result.push_back(withBody(*l, convert(l->body, conditions)));
      } else if (const auto *g = dyn_cast<Guard>(n.get())) {
        append_range(result, convertGuard(*g, conditions));
      } else if (const auto *s = dyn_cast<Statement>(n.get());
                 s && !conditions.empty()) {
        result.push_back(guarded(*s, conditions));
      } else {
        result.push_back(n);
      }
    }
    return result;
  }

  Body convertGuard(const Guard &g, std::vector<Constraint> conditions) {
    if (isConvertible(g.body)) {
      converted = true;
      append_range(conditions, g.conditions);
      return convert(g.body, conditions);
    }
    return {withBody(g, convert(g.body, conditions))};
  }

  NodeRef guarded(const Statement &s,
                  const std::vector<Constraint> &conditions) {
    for (const Operand &o : readsOf(s))
      unguarded.insert(o.access.array);
    auto result = std::make_shared<Statement>(s);
    for (unsigned k : factors(s)) {
      append_range(result->operands[k].guard, conditions);
      result->operands[k].otherwise = zero;
      result->operands[k].isPredicate = isPredicated(s);
    }
    return result;
  }

  /// A statement under a guard that reads the array.
  const Statement *firstGuarded() const {
    for (const StatementPath &p : statements(nest))
      if (!select<Guard>(p.enclosing).empty() && reads(*p.statement, array))
        return p.statement;
    return nullptr;
  }

  const Nest &nest;
  unsigned array;
  std::string zero;
  bool isExact;
  bool converted = false;
  std::set<unsigned> unguarded; // arrays that are read where they were not
};

} // namespace

Expected<Nest> ifConvert(const Nest &nest, unsigned array, bool isExact) {
  return IfConversion(nest, array, isExact).run();
}

bool asksExact(const StepWords &words) {
  return words.size() == 2 && words[1] == "exact";
}

static Expected<PassCall> bindIfConvert(StepWords &words) {
  const bool isExact = asksExact(words);
  if (words.size() != 1 && !isExact)
    return words.refuseArguments();
  return PassCall([name = words[0], isExact](const Nest &nest,
                                             PrimitiveDone) -> Expected<Nest> {
    Expected<unsigned> array = findArrayByName(nest, name);
    return array ? ifConvert(nest, *array, isExact) : array.takeError();
  });
}

const Pass ifConvertPass{"if-convert", "ARRAY[,exact]",
                         "Read zeros of this array where a guard fails",
                         bindIfConvert, Pass::Effect::Values};

} // namespace convopt
