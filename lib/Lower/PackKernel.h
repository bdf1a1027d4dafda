//===- PackKernel.h - Lowers the kernel that fills a buffer -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_PACKKERNEL_H
#define CONVOPT_LIB_LOWER_PACKKERNEL_H

#include "CopyBox.h"
#include "HostBuffers.h"
#include "PackPlan.h"
#include "SharedMemory.h"
#include "Values.h"

namespace convopt::lower {

/// Whether \p copy moves the array's first dimension to the end: then a place
/// along the others is the same number in array and buffer.
bool isTransposed(const Nest &nest, const Copy &copy);
/// The blocks of a kernel that transposes, or has threads for columns.
Expr transpositionBlocks(const Context &c, const Array &buffer,
                         const Names &names);
Expr columnBlocks(const Context &c, const HostBuffer &buffer,
                  const Names &names);

/// Lowers the kernel of one buffer.
class PackKernel {
public:
  PackKernel(const Context &c, const Names &outer, const Copy &copy,
             std::vector<const Loop *> around)
      : c(c), names(outer), copy(copy), buffer(c.nest.arrays[copy.buffer]),
        of(c.nest.arrays[buffer.buffer->of]), around(std::move(around)),
        from(array(of, true)), to(array(buffer, false)) {}
  FunctionDefinition lower();

private:
  static program::VariableRef array(const Array &a, bool isConst) {
    program::Variable v{
        a.name, {Type::Element, a.elementType}, program::Memory::Global};
    v.isPointer = true;
    v.isConst = isConst;
    return std::make_shared<program::Variable>(std::move(v));
  }
  Expr asOffset(const Expr &e) const { return Expr::cast(wide(offset), e); }
  /// Of a product of extents, the first.
  Expr first(const Expr &e) const {
    return c.offsetType.empty() ? e : asOffset(e);
  }
  std::vector<Expr> allocated() const;
  Expr filled(const Expr &test, const Expr &read) const;
  void lowerTransposition(Block &b);

  // A thread a column, and several rows of it.
  std::string wordOf(const PackDigit &d) const {
    return llvm::StringRef(coordinateName(c.nest, buffer, d.dim))
        .drop_back(2)
        .str();
  }
  Var name(llvm::StringRef wish, Expr value, Block &b);
  void addDigit(const PackDigit &d, const IndexExpr &value, Block &b);
  void lowerIterators(unsigned dim, Block &b);
  std::vector<IndexExpr> lowerNumber(llvm::ArrayRef<PackDigit> digits,
                                     Expr number, Block &b);
  Block &openTurns(const PackDigit &d, IndexExpr &value, Block &b);
  std::vector<IndexExpr> element() const;
  Expr value() const;
  std::pair<Expr, Expr> lowerNumbers(Expr &columns, Block &b);
  void lowerColumns(Block &b);

  const Context &c;
  Names names;
  const Copy &copy;
  const Array &buffer, &of;
  std::vector<const Loop *> around; // of the host
  const std::string offset = c.offsetType.empty() ? "int" : c.offsetType;
  const PackPlan plan = packPlan(c.nest, buffer);
  program::VariableRef from, to;
  std::vector<IndexExpr> at;               // the place in the box, by dimension
  std::vector<unsigned> missing;           // digits of it, by dimension
  std::map<unsigned, IndexExpr> iterators; // that the place stands for
};

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_PACKKERNEL_H
