//===- Tensor.cpp - Boxes of a TMA tensor copy ----------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The limits are those of cuTensorMapEncodeTiled (CUDA Driver API, "Tensor Map
// Object Management"). A box may begin before the array and end behind it.
// Along a row it begins at a multiple of 16 bytes: at others an H200 finds an
// illegal instruction, of which the PTX ISA says nothing.
//
//===----------------------------------------------------------------------===//

#include "convopt/Nest/Tensor.h"
#include "convopt/Nest/Arithmetic.h"
#include "convopt/Nest/Rows.h"
#include "convopt/Nest/Text.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt {

bool isZeroText(const Nest &nest, StringRef text) {
  const CExpr e = treeOf(nest, text);
  const CExpr &number = e.kind == CExpr::Cast ? e.parts[0] : e;
  const StringRef digits = number.token.rtrim("fFlLuU");
  return number.kind == CExpr::Literal &&
         digits.find_first_not_of("0.") == StringRef::npos;
}

namespace {

class TensorBoxes {
public:
  TensorBoxes(const Nest &nest, const Copy &c)
      : nest(nest), copy(c), buffer(nest.arrays[c.buffer]),
        of(nest.arrays[buffer.buffer->of]), unit(buffer.buffer->layout.vector) {
  }

  Expected<TensorBox> run() const;

private:
  Error refuseTensor(const Twine &why, std::string remedy) const {
    return refuseIllegal(
        "Storage",
        ("a TMA tensor copy cannot fill '" + buffer.name + "': " + why).str(),
        copy.range, std::move(remedy));
  }
  Error checkSource() const;
  Error addExtents(TensorBox &box) const;
  Error addRows(TensorBox &box) const;

  const Nest &nest;
  const Copy &copy;
  const Array &buffer, &of;
  const int64_t unit; // elements of 16 bytes
};

} // namespace

static const char *const ByThreads = "have threads copy it, without tensor";

Error TensorBoxes::checkSource() const {
  if (copy.from) {
    const Array &from = nest.arrays[*copy.from];
    return refuseTensor("it is filled from '" + from.name + "'",
                        from.buffer->memory == Buffer::Global
                            ? "what the launcher has packed comes with bulk"
                            : ByThreads);
  }
  const std::string &fill = buffer.buffer->fill;
  if (!fill.empty() && !isZeroText(nest, fill))
    return refuseTensor("it holds " + fill + " outside of '" + of.name +
                            "', where TMA has zeros",
                        ByThreads);
  size_t rank = of.extents.size();
  if (rank == 0 || rank > 5)
    return refuseTensor("'" + of.name + "' has " + Twine(rank) +
                            " dimensions, and TMA knows 1 to 5",
                        ByThreads);
  return Error::success();
}

Error TensorBoxes::addExtents(TensorBox &box) const {
  for (size_t d = 0; d != buffer.extents.size(); ++d) {
    const IndexExpr &extent = buffer.extents[d];
    auto constant = nest.constantOf(extent);
    std::string which = " in dimension " + std::to_string(d);
    if (!constant)
      return refuseTensor("its box has " + str(nest, extent) + " elements" +
                              which + ", and TMA's size is constant",
                          "give the sizes (-assume)");
    if (*constant < 1 || *constant > LargestTensorExtent)
      return refuseTensor("its box has " + Twine(*constant) + " elements" +
                              which + ", and TMA's at most " +
                              Twine(LargestTensorExtent),
                          "choose smaller tiles, or stage it with bulk");
    box.extents.push_back(*constant);
  }
  if (box.extents.back() % unit != 0)
    return refuseTensor("rows of " + Twine(box.extents.back()) +
                            " elements are no multiple of 16 bytes",
                        "make its box wider");
  return Error::success();
}

Error TensorBoxes::addRows(TensorBox &box) const {
  const IndexExpr &row = of.extents.back(), &base = copy.base.back();
  IndexExpr odd = remainder(nest, row, unit);
  if (of.extents.size() != 1 && !odd.isZero()) {
    if (odd.isConstant())
      return refuseTensor("rows of '" + of.name + "' have " + str(nest, row) +
                              " elements, no multiple of 16 bytes",
                          "have the launcher pack it (stage=" + of.name +
                              ",launch,global,pitch:" + std::to_string(unit) +
                              ") and stage it with bulk");
    box.multiples.push_back(odd);
  }
  odd = remainder(nest, inOnlyIterations(nest, base), unit);
  if (odd.isZero())
    return Error::success();
  if (odd.isConstant() || odd.usesLoops())
    return refuseTensor("it would begin at element " + str(nest, base) +
                            " of a row, no multiple of 16 bytes",
                        "choose tiles whose width is a multiple of " +
                            std::to_string(unit));
  box.multiples.push_back(odd);
  return Error::success();
}

Expected<TensorBox> TensorBoxes::run() const {
  TensorBox box;
  RETURN_IF_ERROR(checkSource());
  RETURN_IF_ERROR(addExtents(box));
  RETURN_IF_ERROR(addRows(box));
  return box;
}

Expected<TensorBox> tensorBoxOf(const Nest &nest, const Copy &c) {
  return TensorBoxes(nest, c).run();
}

} // namespace convopt
