//===- Legality.cpp - Does a nest still compute the same thing?
//----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/Legality.md has the rules and their conditions.
//
//===----------------------------------------------------------------------===//

#include "convopt/Legality/Legality.h"
#include "CurrentNest.h"

using namespace llvm;

namespace convopt {

static Error checkRules(CurrentNest &current) {
  if (Error e = joinWithOriginal(current))
    return e;
  if (Error e = checkInstances(current))
    return e;
  locateDependences(current);
  if (Error e = checkOrder(current))
    return e;
  if (Error e = checkMapping(current))
    return e;
  return checkStorage(current);
}

Error checkLegality(const DependenceAnalysis &dependences, const Nest &nest,
                    LegalityOptions options) {
  const DependenceAnalysis::Impl &original = dependences.impl();
  original.params.use(nest);
  Error e = guarded(original.context, ExitStatus::Illegal, [&]() -> Error {
    CurrentNest current{original, nest, options, scan(nest), {}, {}};
    return checkRules(current);
  });
  original.params.use(original.nest);
  return e;
}

} // namespace convopt
