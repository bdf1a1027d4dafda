//===- Request.cpp - From options to steps --------------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "convopt/Schedule/Request.h"
#include "convopt/Schedule/DefaultTile.h"
#include "convopt/Schedule/Roles.h"
#include "convopt/Schedule/Shorthand.h"
#include "convopt/Support/Refusal.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace convopt {

Expected<std::vector<Step>> readSchedule(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> text =
      MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!text)
    return refuse("input",
                  "cannot read '" + path.str() +
                      "': " + text.getError().message(),
                  {}, "-schedule names a file with a step on each line");
  return parseSchedule((*text)->getBuffer(), path);
}

Expected<std::vector<Step>> planSteps(const Nest &nest,
                                      const DependenceAnalysis &dependences,
                                      const ScheduleRequest &request,
                                      const Gpu &gpu, Remarks &remarks) {
  if (request.scheduleFile) {
    if (request.tile || request.registers)
      return refuse("usage", "-schedule excludes -tile and -reg", {},
                    "put the steps that -emit=schedule prints for them into "
                    "the file");
    if (request.boundary == Boundary::Fill)
      return refuse("usage", "-schedule excludes -boundary=fill", {},
                    "put if-convert=ARRAY into the file");
    return readSchedule(*request.scheduleFile);
  }
  Expected<Roles> roles = findRoles(nest, dependences);
  if (!roles)
    return roles.takeError();
  append_range(remarks, roleRemarks(nest, dependences, *roles));
  TileSpec spec;
  if (!request.tile)
    spec = defaultTile(nest, *roles, gpu);
  else if (Error e = parseTile(*request.tile, nest, dependences, *roles, spec))
    return std::move(e);
  if (request.registers) {
    for (auto &[loop, tile] : spec)
      tile.outputs = 1;
    if (Error e =
            parseRegisters(*request.registers, nest, dependences, *roles, spec))
      return std::move(e);
  }
  return expandShorthand(nest, *roles, spec, gpu, remarks,
                         request.boundary == Boundary::Fill);
}

} // namespace convopt
