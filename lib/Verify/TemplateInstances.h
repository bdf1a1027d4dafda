//===- TemplateInstances.h - Shapes of templates ----------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_VERIFY_TEMPLATEINSTANCES_H
#define CONVOPT_LIB_VERIFY_TEMPLATEINSTANCES_H

#include "convopt/Verify/Verify.h"

namespace convopt::verify {

/// The sizes that \p instance gives, as equations over parameters of the
/// template; none where it has types alone.
std::vector<Assumption> sizesOf(const Nest &nest,
                                const TemplateInstance &instance);

/// Whether \p instance gives sizes, and \p shape has them.
bool hasSizesOf(const Nest &nest, const TemplateInstance &instance,
                const Shape &shape);

/// What \p instance has for the arguments that are no sizes, as shapes have
/// them.
std::map<std::string, std::string> typesOf(const Nest &nest,
                                           const TemplateInstance &instance);

/// Gives \p shapes the types of \p instances in turn, or ones that the nest can
/// compute with where there are none. Where an instance has a shape's sizes,
/// the shape has types that such a one has. Types that no shape is left for
/// have a copy of the first.
void giveTypes(const Nest &nest, llvm::ArrayRef<TemplateInstance> instances,
               std::vector<Shape> &shapes);

} // namespace convopt::verify

#endif // CONVOPT_LIB_VERIFY_TEMPLATEINSTANCES_H
