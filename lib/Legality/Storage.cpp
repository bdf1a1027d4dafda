//===- Storage.cpp - Local arrays keep what is read from them -------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The storage of an access to a local array is: the execution of the
// declaration (the current loops around it), the thread, and the expanded
// subscripts. The other subscripts are as they were, and equal wherever there
// is a dependence. For every flow dependence (w, r) through a local array:
//
//   storage(w) = storage(r), and no write x with storage(x) = storage(r) to
//   another original cell runs after w and before r;
//
// and every expanded subscript is within its extent.
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "Witness.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"
#include <isl/map.h>

using namespace llvm;

namespace convopt {

namespace {

/// Where an access finds its array.
struct Storage {
  unsigned declaration;
  /// Current loops that tell storages apart: those around the declaration,
  /// and parallel ones within it, as each thread has arrays of its own.
  std::vector<unsigned> loops;
  isl::map key; // current loops to `loops` and the expanded subscripts
};

class StorageCheck {
public:
  explicit StorageCheck(const CurrentNest &current) : current(current) {}
  Error run();

private:
  Expected<const Storage *> storageOf(const Running &r, const Access &access);
  Error checkExtents(const Running &r, const Access &access) const;
  Error checkFlow(const DependentPairs &flow);
  Error checkOverwritten(const DependentPairs &flow, const Storage &read);
  isl::map clashes(const Running &writer, const Storage &written,
                   const Running &reader, const Storage &read, unsigned array);
  isl::map sameOriginalCell(const Running &a, const Running &b,
                            unsigned array) const;
  const std::string &name(unsigned array) const {
    return current.nest.arrays[array].name;
  }

  const CurrentNest &current;
  std::map<std::pair<const Running *, const Access *>, Storage> storages;
  std::map<std::pair<const Storage *, const Storage *>, isl::map> clashing;
};

} // namespace

static Error notAffineIn(const std::string &array, SourceRange where) {
  return refuseIllegal("analysis",
                       "an expanded subscript of '" + array +
                           "' is not affine in the loops around it",
                       where);
}

Expected<const Storage *> StorageCheck::storageOf(const Running &r,
                                                  const Access &access) {
  auto known = storages.find({&r, &access});
  if (known != storages.end())
    return &known->second;
  auto scope = r.occurrence->scope.find(access.array);
  if (scope == r.occurrence->scope.end())
    return refuseIllegal("Storage",
                         "S" + std::to_string(r.statement().id) + " uses '" +
                             name(access.array) +
                             "' outside of the scope of its declaration",
                         r.statement().range);
  Storage storage{scope->second, {}, {}};
  unsigned home = current.tree.declarations[scope->second].home.size();
  std::vector<IndexExpr> key;
  for (unsigned i = 0; i < r.place().loops.size(); ++i) {
    const Loop &loop = *r.place().loops[i];
    if (i >= home && ((!isParallel(loop.kind) && !isHost(loop.kind)) ||
                      current.isSplit(access.array, loop)))
      continue;
    storage.loops.push_back(loop.id);
    key.push_back(IndexExpr::loop(loop.id));
  }
  for (unsigned i = 0; i < current.nest.arrays[access.array].expandedDims; ++i)
    key.push_back(access.subscripts[i]);
  std::optional<isl::multi_aff> affine = r.space.map(key);
  if (!affine)
    return notAffineIn(name(access.array), r.statement().range);
  storage.key = isl::manage(isl_map_from_multi_aff(affine->release()));
  return &storages.emplace(std::pair(&r, &access), storage).first->second;
}

Error StorageCheck::checkExtents(const Running &r, const Access &access) const {
  const Array &array = current.nest.arrays[access.array];
  for (unsigned i = 0; i < array.expandedDims; ++i) {
    const IndexExpr &s = access.subscripts[i];
    const std::optional<isl::set> inside = r.space.within(s, array.extents[i]);
    if (!inside)
      return notAffineIn(array.name, r.statement().range);
    if (r.domain.set.is_subset(*inside))
      continue;
    Witness w = sample(current, r.domain.set.subtract(*inside));
    return refuseIllegal(
        "Storage",
        instanceText(current, r, w, 0) + " uses " + str(current.nest, access) +
            " outside of its extent " + str(current.nest, array.extents[i]),
        r.statement().range);
  }
  return Error::success();
}

/// Pairs of iterations whose storage is the same.
static isl::map sameStorage(const Storage &a, const Storage &b) {
  if (a.declaration != b.declaration || a.loops != b.loops) {
    isl::map all = isl::manage(isl_map_from_domain_and_range(
        a.key.domain().release(), b.key.domain().release()));
    return isl::map::empty(all.space());
  }
  return a.key.apply_range(b.key.reverse());
}

/// Those of \p pairs whose first runs before the second.
static isl::map inOrder(isl::map pairs, const Place &a, const Place &b) {
  unsigned common = commonLoops(a, b);
  isl::map ordered = pairs.subtract(pairs);
  for (unsigned level = 0; level < common; ++level) {
    ordered = ordered.unite(orderBefore(pairs, level, level));
    pairs = equate(pairs, level, level);
  }
  return precedes(a, b, common) ? ordered.unite(pairs) : ordered;
}

/// Pairs whose accesses to local array \p array were to one original cell:
/// one execution of the original declaration. Subscripts need no look, as
/// equal storage has them equal.
isl::map StorageCheck::sameOriginalCell(const Running &a, const Running &b,
                                        unsigned array) const {
  auto home = [&](const Running &r) {
    const Occurrence &original = *current.originalOf(r).occurrence;
    unsigned declaration = original.scope.at(array);
    size_t loops = current.original.tree.declarations[declaration].home.size();
    isl::map cell = isl::manage(isl_map_from_multi_aff(r.instance.copy()));
    unsigned extra = isl_map_dim(cell.get(), isl_dim_out) - loops;
    return isl::manage(
        isl_map_project_out(cell.release(), isl_dim_out, loops, extra));
  };
  return home(a).apply_range(home(b).reverse());
}

/// Writes and reads of one storage that were of different original cells.
isl::map StorageCheck::clashes(const Running &writer, const Storage &written,
                               const Running &reader, const Storage &read,
                               unsigned array) {
  auto known = clashing.find({&written, &read});
  if (known != clashing.end())
    return known->second;
  // Without domains first: expansion by the right loops needs no more.
  isl::map clash = sameStorage(written, read)
                       .subtract(sameOriginalCell(writer, reader, array));
  if (!clash.is_empty())
    clash = clash.intersect_domain(writer.domain.set)
                .intersect_range(reader.domain.set);
  clashing.emplace(std::pair(&written, &read), clash);
  return clash;
}

Error StorageCheck::checkOverwritten(const DependentPairs &flow,
                                     const Storage &read) {
  unsigned array = flow.relation->sinkAccess->array;
  for (const Running &writer : current.running) {
    if (writer.statement().target.array != array)
      continue;
    ASSIGN_OR_RETURN(const Storage *written,
                     storageOf(writer, writer.statement().target));
    isl::map clash = clashes(writer, *written, *flow.sink, read, array);
    if (clash.is_empty())
      continue;
    isl::map beforeRead = inOrder(clash, writer.place(), flow.sink->place());
    isl::map between = inOrder(flow.pairs.apply_range(beforeRead.reverse()),
                               flow.source->place(), writer.place());
    if (between.is_empty())
      continue;
    Witness w = sample(current, between);
    std::string kept = instanceText(current, *flow.source, w, 0);
    std::string over =
        instanceText(current, writer, w, flow.source->space.size());
    return refuseIllegal(
        "Storage",
        over + " overwrites what " + kept + " left in '" + name(array) +
            "' for S" + std::to_string(flow.sink->statement().id),
        writer.statement().range,
        "expand '" + name(array) + "' by the loops that share it");
  }
  return Error::success();
}

Error StorageCheck::checkFlow(const DependentPairs &flow) {
  const Relation &relation = *flow.relation;
  unsigned array = relation.sinkAccess->array;
  ASSIGN_OR_RETURN(const Storage *written,
                   storageOf(*flow.source,
                             current.now(*flow.source, relation.sourceAccess)));
  ASSIGN_OR_RETURN(
      const Storage *read,
      storageOf(*flow.sink, current.now(*flow.sink, relation.sinkAccess)));
  isl::map same = sameStorage(*written, *read);
  if (flow.pairs.is_subset(same))
    return checkOverwritten(flow, *read);
  Violation v(current, flow, flow.pairs.subtract(same));
  return refuseDependence(current, v, "Storage",
                          v.sink + " would not find in '" + name(array) +
                              "' what " + v.source + " left there",
                          "expand '" + name(array) +
                              "' by the loops between its uses");
}

Error StorageCheck::run() {
  for (const Running &r : current.running) {
    for (const Access *a : accessesOf(r.statement()))
      RETURN_IF_ERROR(checkExtents(r, *a));
  }
  for (const DependentPairs &d : current.dependences)
    if (d.relation->kind == DependenceKind::Flow &&
        current.nest.arrays[d.relation->sinkAccess->array].isLocal())
      RETURN_IF_ERROR(checkFlow(d));
  return Error::success();
}

Error checkStorage(const CurrentNest &current) {
  return StorageCheck(current).run();
}

} // namespace convopt
