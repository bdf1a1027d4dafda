//===- ProductOperands.cpp - A sum as a product of matrices ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProductOperands.h"
#include "BodyCost.h"
#include "convopt/Nest/Intervals.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Structure.h"

using namespace llvm;

namespace convopt {

int64_t tripsOf(const Nest &nest, unsigned loop, int64_t unknown) {
  for (const Loop *l : loops(nest))
    if (l->id == loop)
      return constantTrips(nest, *l).value_or(unknown);
  return unknown;
}

Error refuseProduct(const Twine &why, SourceRange where, StringRef remedy) {
  return refuse("structure",
                ("the sum is no product of matrices: " + why).str(), where,
                remedy.str());
}

Error refuseStep(Error e) {
  return handleErrors(std::move(e), [](std::unique_ptr<Refusal> r) -> Error {
    r->remedy = "-algorithm=direct computes the sum without";
    return Error(std::move(r));
  });
}

namespace {

class ProductFinder : ProductOperands {
public:
  ProductFinder(const Nest &nest, const Roles &roles)
      : nest(nest), roles(roles) {}

  Expected<ProductOperands> run() {
    for (auto stage : {&ProductFinder::findSum, &ProductFinder::findStaged})
      RETURN_IF_ERROR((this->*stage)());
    return std::move(*static_cast<ProductOperands *>(this));
  }

private:
  /// The sum and its loops.
  Error findSum() {
    // In their order: rows of an image before its columns.
    auto hasRole = [&](unsigned l) {
      return l == roles.x || l == roles.y || l == roles.z ||
             is_contained(roles.others, l);
    };
    copy_if(roles.band, std::back_inserter(parallel), hasRole);
    if (!std::equal(parallel.begin(), parallel.end(), roles.band.begin()))
      return refuseProduct("loops around it are not parallel",
                           nest.function.range);
    const Statement *sum = nullptr;
    for (const StatementPath &p : statements(nest)) {
      std::vector<unsigned> inside;
      for (const Loop *l : select<Loop>(p.enclosing))
        if (!is_contained(parallel, l->id))
          inside.push_back(l->id);
      if (!p.statement->isReduction() || inside.empty())
        continue; // such as one that adds a bias
      if (sum)
        return refuseProduct("there are several", p.statement->range);
      sum = p.statement;
      shape.instructions = instructionsOf(*loopsAmong(p.enclosing).back());
      terms = std::move(inside);
      isGuarded = !select<Guard>(p.enclosing).empty();
    }
    if (!sum)
      return refuseProduct("nothing is summed", nest.function.range);
    where = sum->range;
    target = sum->target.array;
    return findFactors(*sum);
  }

  /// Whether outputs that lie next to one another differ in what \p l counts,
  /// and are not known to be few: then \p l is a filter's. Else they are, as
  /// of the gradient of a filter, and \p l may be an image's.
  bool isOfFilter(unsigned l) const {
    return any_of(imageAt, [&](const IndexExpr &e) {
      return e.uses(loopVar(l)) && any_of(outputs, [&](unsigned o) {
               return e.uses(loopVar(o)) && tripsOf(nest, o, 0) == 0;
             });
    });
  }

  Error findStaged() {
    for (staged = terms.size() - 1; staged != 0; --staged) {
      const int64_t count = tripsOf(nest, terms[staged], 0);
      if (count < 1 && isOfFilter(terms[staged]))
        return refuseProduct("loop '" + nest.loopNames[terms[staged]] +
                                 "' has no size that is known",
                             where, "give the filter's size (-assume)");
      if (count < 1 || shape.inner * count > MostTerms)
        break;
      shape.inner *= count;
    }
    shape.length = tripsOf(nest, terms[staged], unknownChannels());
    for (unsigned l : ArrayRef<unsigned>(terms).take_front(staged))
      shape.outer *= tripsOf(nest, l, UnknownChannels);
    if (staged != 0)
      shape.first = tripsOf(nest, terms[0], UnknownChannels);
    return Error::success();
  }

  /// Two arrays, each of which has parallel loops of its own besides the
  /// batches. The filter is the one that has a single loop, the channel, as a
  /// subscript by itself; of two such the one that does not use the outputs'
  /// columns, which lie next to one another.
  Error findFactors(const Statement &sum) {
    const std::vector<const Access *> all = accessesOf(sum);
    const auto reads = ArrayRef(all).drop_front();
    auto loopsOf = [&](const Access &a) {
      std::vector<unsigned> used = parallel;
      erase_if(used, [&](unsigned l) { return !uses(a, l); });
      return used;
    };
    std::vector<std::vector<unsigned>> used;
    for (const Access *a : reads)
      used.push_back(loopsOf(*a));
    if (reads.size() == 2) {
      copy_if(used[0], std::back_inserter(batches),
              [&](unsigned l) { return is_contained(used[1], l); });
      for (std::vector<unsigned> &own : used)
        erase_if(own, [&](unsigned l) { return is_contained(batches, l); });
    }
    const bool isSplit =
        reads.size() == 2 && reads[0]->array != reads[1]->array &&
        batches.size() + used[0].size() + used[1].size() == parallel.size();
    auto mayBeFilter = [&](size_t k) {
      return used[k].size() == 1 && !used[1 - k].empty() &&
             is_contained(reads[k]->subscripts, IndexExpr::loop(used[k][0]));
    };
    auto isFilter = [&](size_t k) {
      return mayBeFilter(k) && (!mayBeFilter(1 - k) || used[k][0] != roles.x);
    };
    if (!isSplit || (!isFilter(0) && !isFilter(1)))
      return refuseProduct("besides the loops that both use, it does not read "
                           "one array by a single parallel loop, and another "
                           "by the others",
                           where);
    const size_t k = isFilter(1) ? 1 : 0;
    filter = reads[k]->array;
    filterAt = reads[k]->subscripts;
    channel = used[k][0];
    image = reads[1 - k]->array;
    imageAt = reads[1 - k]->subscripts;
    outputs = used[1 - k];
    for (unsigned l : batches)
      shape.batches *= tripsOf(nest, l, UnknownImages);
    return Error::success();
  }

  const Nest &nest;
  const Roles &roles;
};

} // namespace

Expected<ProductOperands> findProduct(const Nest &nest, const Roles &roles) {
  return ProductFinder(nest, roles).run();
}

} // namespace convopt
