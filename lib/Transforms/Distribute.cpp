//===- Distribute.cpp - Split a loop over its body -----------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   for y_r in 0 .. 8 {          local sum // now sum[8]
//     local sum                  for y_r in 0 .. 8 {
//     S0: sum = 0                  S0: sum[y_r] = 0
//     for n in 0 .. N {          }
//       S1: sum += ...           for y_r_2 in 0 .. 8 {
//     }                            for n in 0 .. N {
//   }                                S1: sum[y_r_2] += ...
//                                  }
//                                }
//
//===----------------------------------------------------------------------===//

#include "convopt/Transforms/Distribute.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

namespace {

class Distribution {
public:
  Distribution(const Nest &nest, const Loop &loop, ArrayRef<unsigned> copies)
      : nest(nest), loop(loop), copies(copies), result(nest) {}

  Expected<Nest> run() {
    RETURN_IF_ERROR(splitBody());
    RETURN_IF_ERROR(placeLocals());
    makeCopies();
    return replaceLoop(result, loop.id, replacement);
  }

private:
  struct Part {
    Body body;
    Body locals = {}; // those whose values nothing else uses
  };

  Error splitBody() {
    Body all;
    for (const NodeRef &n : loop.body)
      (isa<Local>(n.get()) ? locals : all).push_back(n);
    const std::string body =
        "the body of loop '" + nest.loopNames[loop.id] + "' has " +
        (all.size() == 1 ? "a single part"
                         : std::to_string(all.size()) + " parts");
    if (all.size() < 2)
      return refuse("structure", body + ", there is nothing to distribute",
                    loop.range, "distribute a loop that holds several parts");
    if (copies.empty()) {
      for (const NodeRef &n : all)
        parts.push_back({{n}});
      return Error::success();
    }
    auto refuseCopies = [&](const Twine &why) {
      return refuse("usage", (body + why).str(), loop.range,
                    "say for each to which copy of the loop it goes: the first "
                    "(1), the second (2) and so on");
    };
    if (copies.size() != all.size())
      return refuseCopies(", and not " + Twine(copies.size()));
    const unsigned count = std::max(2u, *max_element(copies));
    for (unsigned copy = 1; copy <= count; ++copy)
      if (!is_contained(copies, copy))
        return refuseCopies(", of which none goes to copy " + Twine(copy));
    parts.resize(count);
    for (auto [n, copy] : zip_equal(all, copies))
      parts[copy - 1].body.push_back(n);
    return Error::success();
  }

  /// A local goes into the parts that use it, if there is one or each sets it
  /// anew, or is expanded.
  Error placeLocals() {
    for (const NodeRef &n : locals) {
      unsigned array = cast<Local>(n.get())->array;
      std::vector<Part *> users;
      for (Part &p : parts)
        if (touches(p.body, array))
          users.push_back(&p);
      if (users.size() <= 1 || all_of(users, [&](const Part *p) {
            return setsFirst(p->body, array);
          })) {
        for (Part *p : users)
          p->locals.push_back(n);
        continue;
      }
      RETURN_IF_ERROR(expand(*cast<Local>(n.get())));
      replacement.push_back(n);
    }
    return Error::success();
  }

  Error expand(const Local &local) {
    const std::string &name = nest.arrays[local.array].name;
    if (count_if(collect<Local>(nest.body), [&](const Local *other) {
          return other->array == local.array;
        }) != 1)
      return refuse("structure",
                    "local '" + name +
                        "' is declared more than once and "
                        "cannot be expanded",
                    local.range, "give each declaration an array of its own");
    std::optional<int64_t> trips = constantTrips(nest, loop);
    if (!trips)
      return refuse("structure",
                    "expanding '" + name +
                        "' needs a constant extent for "
                        "loop '" +
                        nest.loopNames[loop.id] + "'",
                    loop.range,
                    "strip-mine '" + nest.loopNames[loop.id] +
                        "' first and distribute the inner loop");
    Array &a = result.arrays[local.array];
    a.extents.insert(a.extents.begin(), IndexExpr(*trips));
    ++a.expandedDims;
    expanded.push_back(local.array);
    return Error::success();
  }

  void makeCopies() {
    bool isFirst = true;
    for (const Part &p : parts) {
      if (isa<Barrier>(p.body.front().get()) && p.body.size() == 1) {
        replacement.push_back(p.body.front());
        continue;
      }
      auto copy = std::make_shared<Loop>(loop);
      Body body = p.locals;
      append_range(body, p.body);
      if (!isFirst) {
        copy->id = result.addLoopName(nest.loopNames[loop.id]);
        body = substituteLoops(nest, body, [&](Var v) {
          return v == loopVar(loop.id)
                     ? std::optional<IndexExpr>(IndexExpr::loop(copy->id))
                     : std::nullopt;
        });
      }
      isFirst = false;
      copy->body = index(body, copy->id);
      replacement.push_back(std::move(copy));
    }
  }

  /// Adds the leading subscript to every access to an expanded array.
  Body index(const Body &body, unsigned id) const {
    if (expanded.empty())
      return body;
    IndexExpr subscript =
        IndexExpr::loop(id) - IndexExpr(*constantLower(nest, loop));
    return rewriteEach<Statement>(
        body, [&](const Statement *s) -> std::optional<Body> {
          return Body{mapAccesses(*s, [&](Access &a) {
            if (is_contained(expanded, a.array))
              a.subscripts.insert(a.subscripts.begin(), subscript);
          })};
        });
  }

  const Nest &nest;
  const Loop &loop;
  const ArrayRef<unsigned> copies; // of each part; none: one for each
  Nest result;
  Body locals, replacement;
  std::vector<Part> parts;
  std::vector<unsigned> expanded; // arrays
};

} // namespace

Expected<Nest> distribute(const Nest &nest, unsigned loop,
                          ArrayRef<unsigned> copies) {
  ASSIGN_OR_RETURN(LoopPath path, findLoop(nest, loop));
  const Loop &l = *path.loop;
  if (l.kind != LoopKind::Serial)
    return refuse("structure",
                  "loop '" + nest.loopNames[loop] +
                      "' is already mapped or unrolled",
                  l.range, "distribute it before that");
  for (const Copy *copy : select<Copy>(l.body))
    return refuse("structure",
                  "buffer '" + nest.arrays[copy->buffer].name +
                      "' is filled in loop '" + nest.loopNames[loop] + "'",
                  l.range, "distribute it before staging");
  return Distribution(nest, l, copies).run();
}

static Expected<PassCall> bindCopies(StepWords &words) {
  if (words.size() == 0)
    return words.refuseArguments();
  std::vector<unsigned> copies;
  for (size_t k = 1; k != words.size(); ++k) {
    ASSIGN_OR_RETURN(int64_t copy, words.number(k));
    if (copy < 1 || copy > INT32_MAX)
      return words.refuseArguments();
    copies.push_back(copy);
  }
  return PassCall([name = words[0], copies](const Nest &nest,
                                            PrimitiveDone) -> Expected<Nest> {
    Expected<unsigned> loop = findLoopByName(nest, name);
    return loop ? distribute(nest, *loop, copies) : loop.takeError();
  });
}

const Pass distributePass{"distribute", "LOOP[,COPY...]",
                          "Split a loop over the parts of its body",
                          bindCopies};

} // namespace convopt
