//===- ShorthandRefusal.cpp - Refusals of steps nobody wrote --------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShorthandRefusal.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Transforms/Stage.h"

using namespace llvm;

namespace convopt {

Error refuseStaging(Error refused, ArrayRef<Step> steps, StringRef value) {
  return handleErrors(
      std::move(refused), [&](std::unique_ptr<Refusal> r) -> Error {
        const auto *step = find_if(steps, [&](const Step &s) {
          return s.is(stagePass) && any_of(r->notes, [&](const auto &note) {
                   return note.second == "in step '" + s.str() + "'";
                 });
        });
        if (step != steps.end()) {
          r->message = ("-staging=" + value + " cannot stage '" +
                        step->words[0] + "': " + r->message)
                           .str();
          r->remedy = "leave out -staging=, for what can be staged here";
        }
        return Error(std::move(r));
      });
}

} // namespace convopt
