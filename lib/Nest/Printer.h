//===- Printer.h - Parts of .nest text --------------------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_LIB_NEST_PRINTER_H
#define CONVOPT_LIB_NEST_PRINTER_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// `y - 1 >= 0 and H - y >= 0`.
std::string conjunctionText(const Nest &nest, llvm::ArrayRef<Constraint> all);

/// `sum += in[n][x + j] * w[n][j]`.
std::string assignmentText(const Nest &nest, const Statement &s);

} // namespace convopt

#endif // CONVOPT_LIB_NEST_PRINTER_H
