//===- Bulk.cpp - What a TMA bulk copy can fill ---------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of the box is a range of the array's memory. TMA copies what of
// it lies before the array's end and writes nothing else: what threads without
// an output read there is what was there before.
//
//===----------------------------------------------------------------------===//

#include "Bulk.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

namespace {

class BulkCheck {
public:
  BulkCheck(const CurrentNest &current, const CopySite &f)
      : nest(current.nest), copy(*f.copy), buffer(nest.arrays[copy.buffer]),
        of(nest.arrays[buffer.buffer->of]),
        space(current.original.context.get(), current.original.params,
              loopIds(f.place.loops)),
        domain(domainOf(space, f.place)
                   .set.intersect_params(*current.original.assumptions)) {}

  Error run() const;

private:
  Error refuseBulk(const Twine &why, std::string remedy) const {
    return refuseIllegal(
        "Storage",
        ("a TMA bulk copy cannot fill '" + buffer.name + "': " + why).str(),
        copy.range, std::move(remedy));
  }
  /// Whether \p e is at least 0 wherever the copy runs.
  bool isAlways(const IndexExpr &e) const {
    std::optional<isl::set> holds = space.where({Constraint::NonNegative, e});
    return holds && domain.is_subset(*holds);
  }
  std::string byThreads() const {
    return "have threads copy it, with vector:" +
           std::to_string(buffer.buffer->layout.vector);
  }

  const Nest &nest;
  const Copy &copy;
  const Array &buffer, &of;
  LoopSpace space;
  isl::set domain;
};

} // namespace

Error BulkCheck::run() const {
  if (copy.from) { // legality has the box inside of that buffer
    const Array &from = nest.arrays[*copy.from];
    if (from.buffer->memory != Buffer::Global)
      return refuseBulk("it is filled from '" + from.name + "'", byThreads());
    return runsBetween(nest, copy).takeError();
  }
  if (!buffer.buffer->fill.empty())
    return refuseBulk("it holds " + buffer.buffer->fill + " outside of '" +
                          of.name + "', and TMA brings what is there",
                      byThreads());
  ASSIGN_OR_RETURN(CopyRows rows, rowsOf(nest, copy));
  for (unsigned d = 0; d != copy.base.size(); ++d) {
    const bool begins = isAlways(copy.base[d]);
    if (d == rows.first && !begins)
      return refuseBulk("its rows may begin before those of '" + of.name +
                            "', at " + str(nest, copy.base[d]),
                        byThreads());
    const bool ends =
        isAlways(of.extents[d] - copy.base[d] - buffer.extents[d]);
    if ((!begins || !ends) && !isFloating(of.elementType))
      return refuseBulk("it may reach past the ends of '" + of.name +
                            "' in dimension " + Twine(d) +
                            ", where no value of " + of.elementType + " is",
                        byThreads());
  }
  return Error::success();
}

Error checkBulk(const CurrentNest &current, const CopySite &f) {
  return BulkCheck(current, f).run();
}

} // namespace convopt
