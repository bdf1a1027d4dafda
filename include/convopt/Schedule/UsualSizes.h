//===- UsualSizes.h - Filters and strides of most layers --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_SCHEDULE_USUALSIZES_H
#define CONVOPT_SCHEDULE_USUALSIZES_H

#include "convopt/Nest/Nest.h"
#include "convopt/Schedule/Remarks.h"
#include "convopt/Support/Refusal.h"

namespace convopt {

/// The widths of filters for which a default has kernels of its own, if the
/// width is known at run time only.
inline constexpr std::array<unsigned, 3> UsualWidths{3, 5, 7};
/// By how many elements outputs move, and the places of a filter.
struct FilterStep {
  int64_t stride, dilation;
};
/// Those for which it has kernels; filters that are dilated rarely move by 2.
inline constexpr std::array<FilterStep, 3> UsualSteps{{{1, 1}, {2, 1}, {1, 2}}};

/// The facts (convopt/Nest/Facts.h) by which the loops of \p nest, as written,
/// that pass a filter over an input have \p width iterations each: `R=3`,
/// `S=3`; fewer where these are taken from a size, which has the width then:
/// `win=3` for `win - 1`. If \p isLeast, no fewer: `R>=3`. Refuses (rule
/// "structure") a nest without such loops of run-time length, and one where
/// such a loop has another constant length or one that depends on other loops.
llvm::Expected<std::vector<std::string>>
filterFacts(const Nest &nest, int64_t width, bool isLeast = false);

/// The facts by which outputs of the arrays that \p isAsked, and filters, move
/// by \p step: `stride=2`, `dilation=1`, for each parameter that multiplies a
/// loop in a subscript that has no more than one loop of the outputs; of a step
/// of one more than a parameter, `dilation=0`. Of several it is not known which
/// is a stride and which the length of an image.
std::vector<std::string> stepFacts(const Nest &nest,
                                   llvm::function_ref<bool(unsigned)> isAsked,
                                   FilterStep step);

/// Whether the compiler of the emitted code knows how long the loops of \p nest
/// are that pass a filter over an input, but convopt does not: template
/// parameters bound them.
bool isFilterOfTemplate(const Nest &nest);

/// Whether all loops of the outputs of \p nest have constant lengths.
bool areOutputsKnown(const Nest &nest);

/// A kernel that the default has beside the general one.
struct UsualKernel {
  std::string what; // "filters of 3 with strides of 1"
  std::vector<std::string> facts;
  bool isPipelined = false; // as by -staging=pipelined; else as by default
  std::string name = {};    // of the kernel; empty: by the facts

  /// Says that there is none.
  Remark leftOut(const Refusal &why) const;
};

/// Those for \p nest, as it is after its facts; \p stages says whether the
/// general kernel stages anything, \p isProduct whether it does so by any
/// stride, as is best of long sums: then for filters of known strides only.
/// What is read at a stride that is known at run time only cannot be staged, so
/// there are kernels for strides of 1 and 2, if it serves other outputs than
/// those of the windows around it. If the width of the filter is known at run
/// time only, there are three at most, as each takes the compiler of the
/// emitted code seconds: for filters of 3, 5 and 7, or of 3 with either stride.
/// Another stages windows of all widths that a block has room for, where the
/// general kernel stages nothing, or parts of them; narrow ones only if outputs
/// of several windows read the same. Of a template's filter they stage as much
/// as that, too. \p missed says which widths the filter cannot have.
std::vector<UsualKernel> usualKernels(const Nest &nest, bool stages,
                                      bool isProduct, Remarks &missed);

} // namespace convopt

#endif // CONVOPT_SCHEDULE_USUALSIZES_H
