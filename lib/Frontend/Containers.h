//===- Containers.h - std::vector, std::span and std::array -----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_FRONTEND_CONTAINERS_H
#define CONVOPT_LIB_FRONTEND_CONTAINERS_H

#include "clang/AST/ExprCXX.h"

namespace convopt {

/// A type whose elements lie one after the other in memory.
struct ContainerType {
  clang::QualType element;       // const where the container is
  std::optional<uint64_t> count; // where the type says how many there are
  bool isView = false;           // the elements are somebody else's
  /// Of a view of vectors in vectors (NestedVectors.h), how many there are in
  /// each, from the outermost level on; else empty.
  std::vector<const clang::FieldDecl *> counts = {};
};

/// What \p type is, where it is a `std::vector`, `std::span` or `std::array`.
std::optional<ContainerType> containerType(clang::QualType type);

/// `x[by]` or `x.at(by)` of a container.
struct ContainerElement {
  const clang::Expr *container, *by;
  bool isChecked; // it throws where there is no such element
};

std::optional<ContainerElement> containerElement(const clang::Expr *e);

/// The bounds of `std::views::iota(lo, hi)` or `std::ranges::iota_view(lo,
/// hi)`; none where \p e is another range.
llvm::ArrayRef<const clang::Expr *> boundsOfIota(const clang::Expr *e);

/// Whether \p e is the number of elements of a container.
bool isContainerSize(const clang::Expr *e);

} // namespace convopt

#endif // CONVOPT_LIB_FRONTEND_CONTAINERS_H
