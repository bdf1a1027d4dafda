//===- CheckedNest.h - A nest that legality accepted ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LEGALITY_CHECKEDNEST_H
#define CONVOPT_LEGALITY_CHECKEDNEST_H

#include "convopt/Legality/Legality.h"

namespace convopt {

/// A nest that computes what its original computes, by all rules of Legality.
/// Only a Pipeline makes one (`Pipeline::checked`), and code comes from nothing
/// else: what was not checked cannot be emitted.
class CheckedNest {
public:
  const Nest &nest() const { return checked; }
  /// The nest as the source has it, of which \ref nest was made.
  const Nest &source() const { return written; }
  /// Of the nest that statements are compared with.
  const DependenceAnalysis &dependences() const { return analysis; }
  const LegalityOptions &legality() const { return options; }

private:
  friend class Pipeline;
  friend llvm::Expected<std::vector<CheckedNest>>
  checkKernels(const CheckedNest &whole, std::vector<Nest> kernels);
  CheckedNest(Nest nest, Nest source, DependenceAnalysis analysis,
              LegalityOptions options)
      : checked(std::move(nest)), written(std::move(source)),
        analysis(std::move(analysis)), options(std::move(options)) {}

  Nest checked, written;
  DependenceAnalysis analysis;
  LegalityOptions options;
};

/// The nests \p kernels, launched one after the other, as such: they are to
/// compute what \p whole does, where threads or blocks share a sum
/// (Nest/SplitSum.h). What is no statement of the original is a part of such a
/// sum: written to an array that \p whole does not have, read from one by a
/// later kernel, or added to what an earlier one stored. A violation of the
/// rule "Kernels" (docs/Legality.md) is convopt's own mistake and no Refusal.
llvm::Expected<std::vector<CheckedNest>>
checkKernels(const CheckedNest &whole, std::vector<Nest> kernels);

} // namespace convopt

#endif // CONVOPT_LEGALITY_CHECKEDNEST_H
