//===- HostBuffers.h - Buffers that the launcher fills ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_LOWER_HOSTBUFFERS_H
#define CONVOPT_LIB_LOWER_HOSTBUFFERS_H

#include "HostCode.h"
#include "convopt/Nest/Rows.h"

namespace convopt::lower {

/// The copies of \p m to \p memory, in the launcher's order.
std::vector<const Copy *> copiesTo(const Nest &nest, const Mapping &m,
                                   Buffer::Memory memory);

/// \p nest with a derived size for each extent, in storage, of the launcher's
/// buffers that is no constant and no parameter, so that kernels and launcher
/// compute it once, under a name.
Nest withSizesOfBuffers(const Nest &nest, llvm::ArrayRef<std::string> reserved);

/// The derived size that is defined as \p e, or \p e; a constant is itself.
IndexExpr named(const Nest &nest, const IndexExpr &e);

/// The loops of the host around what \p level holds.
std::vector<const Loop *> loopsAround(const Mapping &m, size_t level);
/// `H, n_b`: the sizes and \p loops of the host, which one of them takes.
std::vector<Expr> sizeArguments(const Context &c,
                                llvm::ArrayRef<const Loop *> loops,
                                const Names &names);

/// The array of the file that holds the constant buffer \p a.
std::string constantName(const Context &c, const Array &a);
/// Those arrays, in \p available bytes. One whose size is not constant has
/// what the others leave.
std::vector<ConstantArray> constantArrays(const Context &c, int64_t available);
/// Refuses (rule "limit") constant buffers that take more than \p available,
/// which is less than \p gpu has where other kernels have some, too.
llvm::Error checkConstants(const Nest &nest, const Gpu &gpu, int64_t available);
/// Whether \p copy is of rows of the array as they lie, one after the other, so
/// that they need no packing.
bool isDirect(const Nest &nest, const Copy &copy);
/// Refuses (rule "structure") a kernel that reads what it writes and whose
/// launcher takes memory between launches: where that fails, the naive kernel
/// would do once more what is done.
llvm::Error checkRestart(const Nest &nest, const Mapping &m);
/// A buffer that the launcher fills, and its variables.
struct HostBuffer {
  const Copy *copy;
  const Array *array;
  Expr memory, elements; // a pointer; how many
};
std::vector<HostBuffer> hostBuffers(const Context &c, Names &names);
/// The step of the launcher that fills \p buffer, in constant memory, from
/// \p of or from what was packed.
void fillConstant(const Context &c, const HostBuffer &buffer,
                  const ArrayArgument &of, Names &names, const Expr &error,
                  const Expr &stream, Block &b);
/// The argument that \p buffer is of.
const ArrayArgument &sourceOf(const Context &c, const HostBuffer &buffer,
                              llvm::ArrayRef<ArrayArgument> arrays);
void defineElements(const Context &c, llvm::ArrayRef<HostBuffer> buffers,
                    const Names &names, Block &b);

} // namespace convopt::lower

#endif // CONVOPT_LIB_LOWER_HOSTBUFFERS_H
