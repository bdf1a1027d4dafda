//===- Kernels.cpp - Kernels that compute a nest together -----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where blocks share a sum, a kernel makes its parts and another one adds these
// up. With D the iterations of a statement in the original nest, i those that a
// place runs, c the elements that it touches, and `outer` the loops around the
// declaration of the sum:
//
//   statements of the original     run as by Instances, over all kernels; what
//                                  only sets a local may run in each
//   sum_parts[...] = sum           c is injective, and within the array
//   sum += sum_parts[...]          c is injective, and i to c the same relation
//                                  as that of the writes, whose inverse is a
//                                  function
//   y += sum, the loop being       (outer, i) is injective, and i is stored by
//   atomic                         a kernel before
//   sum = 0, a first value         changes no sum
//
// What hands over a part comes after all terms of it: in the same iteration of
// the loops around both, it has each element of the sum that has terms.
//
//===----------------------------------------------------------------------===//

#include "CurrentNest.h"
#include "convopt/Legality/CheckedNest.h"
#include "convopt/Nest/SplitSum.h"
#include "convopt/Support/Refusal.h"
#include <isl/map.h>

using namespace llvm;

namespace convopt {

namespace {

/// A statement that hands over parts of a sum.
struct Handed {
  Running at;
  size_t kernel;
  unsigned sum; // the local
};

class KernelsCheck {
public:
  KernelsCheck(const CheckedNest &whole, ArrayRef<Nest> nests);
  Error run();

private:
  Error join(size_t kernel);
  std::optional<Statement::Op> operationInto(unsigned array) const;
  bool beginsAnew(const Statement &s, const Statement &was) const;
  Error sort(size_t kernel, Running r);
  Error checkOriginal() const;
  Expected<isl::map> checkPart(const Handed &h, const Access &part,
                               StringRef does) const;
  Error checkParts(unsigned array) const;
  Error checkUpdates() const;
  Error checkTerms(const Handed &part) const;

  const Nest &nest; // of the whole
  const DependenceAnalysis::Impl &original;
  std::vector<std::unique_ptr<CurrentNest>> kernels;
  std::vector<Handed> writes, reads, updates;
};

} // namespace

static Error wrong(const Twine &what) {
  return createStringError(
      inconvertibleErrorCode(),
      "a kernel of a shared sum breaks the rule Kernels: " + what);
}
static Error wrong(const Statement &s, const Twine &what) {
  return wrong("S" + Twine(s.id) + " " + what);
}

KernelsCheck::KernelsCheck(const CheckedNest &whole, ArrayRef<Nest> nests)
    : nest(whole.nest()), original(whole.dependences().impl()) {
  for (const Nest &n : nests)
    kernels.push_back(std::make_unique<CurrentNest>(
        CurrentNest{original, n, whole.legality(), scan(n), {}, {}}));
}

/// The element that \p access touches at the iterations of \p r.
static Expected<isl::map> cellsOf(const Running &r, const Nest &nest,
                                  const Access &access) {
  std::vector<IndexExpr> at = access.subscripts;
  for (IndexExpr &e : drop_begin(at, nest.arrays[access.array].expandedDims))
    e = overCurrentLoops(r.statement(), e);
  const std::optional<isl::multi_aff> cells = r.space.map(at);
  if (!cells)
    return wrong(r.statement(), "has a part whose place is not affine");
  return isl::manage(isl_map_from_multi_aff(cells->copy()))
      .intersect_domain(r.domain.set);
}

/// The values of the outermost \p count loops at \p r.
static isl::map outermost(const Running &r, unsigned count) {
  return isl::manage(isl_map_project_out(r.domain.set.identity().release(),
                                         isl_dim_out, count,
                                         r.space.size() - count));
}

/// What \p s reads, where that is all that it does; null elsewhere.
static const Access *copiedBy(const Statement &s) {
  const bool isCopy = s.text == "$0" && s.operands.size() == 1 &&
                      s.operands[0].kind == Operand::Read &&
                      s.operands[0].guard.empty();
  return isCopy ? &s.operands[0].access : nullptr;
}

/// That by which terms are added to \p array, one of the shared sums; none of
/// another array.
std::optional<Statement::Op> KernelsCheck::operationInto(unsigned array) const {
  const Loop *split = splitLoop(nest);
  return split && is_contained(splittableSums(nest, *split), array)
             ? std::optional(operationOf(*split, array))
             : std::nullopt;
}

/// Whether \p s sets what \p was does to what begins a part of a sum.
bool KernelsCheck::beginsAnew(const Statement &s, const Statement &was) const {
  const auto op = operationInto(s.target.array);
  return !s.isReduction() && !was.isReduction() && s.operands.empty() &&
         s.target.array == was.target.array && op &&
         s.text == neutralOf(*op, nest.arrays[s.target.array].elementType);
}

/// Which of the parts \p r, which the original does not have, is.
Error KernelsCheck::sort(size_t kernel, Running r) {
  const Statement &s = r.statement(),
                  &was = *kernels[kernel]->originalOf(r).occurrence->statement;
  const Access *copied = copiedBy(s);
  const size_t known = nest.arrays.size();
  const auto given = copied ? operationInto(copied->array) : std::nullopt;
  if (given && !s.isReduction() && s.target.array >= known)
    writes.push_back({std::move(r), kernel, copied->array});
  else if (given && s.op == *given && s.target == was.target &&
           !nest.arrays[s.target.array].isLocal())
    updates.push_back({std::move(r), kernel, copied->array});
  else if (copied && s.op == operationInto(s.target.array) &&
           copied->array >= known)
    reads.push_back({std::move(r), kernel, s.target.array});
  else if (!beginsAnew(s, was))
    return wrong(s, "is neither of the original nest nor a part of a sum");
  return Error::success();
}

Error KernelsCheck::join(size_t kernel) {
  CurrentNest &current = *kernels[kernel];
  original.params.use(current.nest);
  for (const Occurrence &occurrence : current.tree.occurrences) {
    ASSIGN_OR_RETURN(Running r, runningAt(current, occurrence));
    if (isOriginal(current, r))
      current.running.push_back(std::move(r));
    else
      RETURN_IF_ERROR(sort(kernel, std::move(r)));
  }
  return Error::success();
}

Error KernelsCheck::checkOriginal() const {
  CurrentNest all{original, kernels[0]->nest, kernels[0]->options, {}, {}, {}};
  std::map<unsigned, const CurrentNest *> first;
  std::vector<unsigned> repeated;
  for (const auto &kernel : kernels)
    for (const Running &r : kernel->running) {
      all.running.push_back(r);
      const Statement &s = r.statement();
      if (first.try_emplace(r.original, kernel.get()).first->second ==
          kernel.get())
        continue;
      if (!nest.arrays[s.target.array].isLocal() || s.isReduction())
        return wrong(s, "runs in several kernels");
      repeated.push_back(r.original);
    }
  return checkInstances(all, repeated);
}

/// All terms of the sum come before its \p part.
Error KernelsCheck::checkTerms(const Handed &part) const {
  const CurrentNest &kernel = *kernels[part.kernel];
  const Statement &s = part.at.statement();
  for (const Running &term : kernel.running) {
    if (!term.statement().isReduction() ||
        term.statement().target.array != part.sum)
      continue;
    const unsigned common = commonLoops(term.place(), part.at.place());
    auto elements = [&](const Running &r, const Access &sum) {
      Expected<isl::map> cells = cellsOf(r, kernel.nest, sum);
      if (cells)
        *cells = outermost(r, common).reverse().apply_range(*cells);
      return cells;
    };
    ASSIGN_OR_RETURN(isl::map from, elements(term, term.statement().target));
    ASSIGN_OR_RETURN(isl::map to, elements(part.at, *copiedBy(s)));
    if (term.occurrence->scope.at(part.sum) !=
            part.at.occurrence->scope.at(part.sum) ||
        !precedes(term.place(), part.at.place(), common) || !from.is_subset(to))
      return wrong(s, "leaves out terms of its part");
  }
  return Error::success();
}

/// The elements that \p h \p does something with by \p part: each once, and
/// within the array.
Expected<isl::map> KernelsCheck::checkPart(const Handed &h, const Access &part,
                                           StringRef does) const {
  const Statement &s = h.at.statement();
  const Nest &of = kernels[h.kernel]->nest;
  ASSIGN_OR_RETURN(isl::map cells, cellsOf(h.at, of, part));
  if (!cells.is_injective())
    return wrong(s, does + " a part twice");
  const Array &array = of.arrays[part.array];
  for (auto [at, extent] : zip_equal(part.subscripts, array.extents)) {
    const auto inside = h.at.space.within(overCurrentLoops(s, at), extent);
    if (!inside || !h.at.domain.set.is_subset(*inside))
      return wrong(s, "touches a part outside of '" + array.name + "'");
  }
  return cells;
}

/// Each part is written once, and read once, by a later kernel.
Error KernelsCheck::checkParts(unsigned array) const {
  std::optional<isl::map> written, read; // iterations of the sum to elements
  size_t last = 0;                       // kernel that writes
  auto add = [&](const Handed &h, const Access &part, StringRef does,
                 std::optional<isl::map> &all) -> Error {
    if (part.array != array)
      return Error::success();
    ASSIGN_OR_RETURN(isl::map cells, checkPart(h, part, does));
    const isl::map of = instances(h.at).reverse().apply_range(cells);
    if (all && !all->range().is_disjoint(of.range()))
      return wrong(h.at.statement(), does + " a part twice");
    all = all ? all->unite(of) : of;
    return Error::success();
  };
  for (const Handed &h : writes) {
    RETURN_IF_ERROR(add(h, h.at.statement().target, "writes", written));
    last = std::max(last, h.kernel);
  }
  for (const Handed &h : reads) {
    RETURN_IF_ERROR(add(h, *copiedBy(h.at.statement()), "adds", read));
    if (h.kernel <= last)
      return wrong(h.at.statement(), "reads parts that are written later");
  }
  if (written && read && written->is_equal(*read) && written->is_injective())
    return Error::success();
  return wrong("reads other parts of '" + kernels[0]->nest.arrays[array].name +
               "' than were written");
}

Error KernelsCheck::checkUpdates() const {
  for (const Handed &u : updates) {
    const Statement &s = u.at.statement();
    const Declaration &home =
        kernels[u.kernel]->tree.declarations[u.at.occurrence->scope.at(u.sum)];
    if (!outermost(u.at, home.home.size())
             .range_product(instances(u.at))
             .is_injective())
      return wrong(s, "adds a part twice");
    isl::set missing = instances(u.at).range();
    for (const auto &[k, kernel] : enumerate(kernels))
      for (const Running &store : kernel->running)
        if (store.original == u.at.original) {
          if (k >= u.kernel)
            return wrong(s, "adds to what is stored later");
          missing = missing.subtract(instances(store).range());
        }
    if (!missing.is_empty())
      return wrong(s, "adds to what is not stored");
  }
  return Error::success();
}

Error KernelsCheck::run() {
  for (size_t k = 0; k != kernels.size(); ++k)
    RETURN_IF_ERROR(join(k));
  original.params.use(kernels[0]->nest);
  RETURN_IF_ERROR(checkOriginal());
  for (const auto *handed : {&writes, &updates})
    for (const Handed &h : *handed)
      RETURN_IF_ERROR(checkTerms(h));
  for (size_t k = nest.arrays.size(); k != kernels[0]->nest.arrays.size(); ++k)
    RETURN_IF_ERROR(checkParts(k));
  return checkUpdates();
}

Expected<std::vector<CheckedNest>> checkKernels(const CheckedNest &whole,
                                                std::vector<Nest> kernels) {
  const DependenceAnalysis::Impl &original = whole.dependences().impl();
  if (whole.legality().asks("Kernels")) {
    Error e = guarded(original.context, whole.nest(), ExitStatus::Illegal,
                      [&] { return KernelsCheck(whole, kernels).run(); });
    original.params.use(original.nest);
    if (e)
      return std::move(e);
  }
  std::vector<CheckedNest> all;
  for (Nest &n : kernels)
    all.push_back(CheckedNest(std::move(n), whole.source(), whole.dependences(),
                              whole.legality()));
  return all;
}

} // namespace convopt
