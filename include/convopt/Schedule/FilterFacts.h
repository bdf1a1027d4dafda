//===- FilterFacts.h - What a filter's width says of sizes ------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_FILTERFACTS_H
#define CONVOPT_SCHEDULE_FILTERFACTS_H

#include "convopt/Nest/Nest.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace convopt {

/// The widths of filters for which a default has kernels of its own, if the
/// width is known at run time only.
inline constexpr std::array<unsigned, 3> UsualWidths{3, 5, 7};

/// The facts (convopt/Nest/Facts.h) by which the loops of \p nest, as written,
/// that pass a filter over an input have \p width iterations each: `R=3`,
/// `S=3`. Refuses (rule "structure") a nest without such loops of run-time
/// length, and one where such a loop has another constant length or one that
/// depends on other loops.
llvm::Expected<std::vector<std::string>> filterFacts(const Nest &nest,
                                                     int64_t width);

/// Whether the compiler of the emitted code knows how long the loops of \p nest
/// are that pass a filter over an input, but convopt does not: template
/// parameters bound them.
bool isFilterOfTemplate(const Nest &nest);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_FILTERFACTS_H
