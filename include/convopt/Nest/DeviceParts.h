//===- DeviceParts.h - Sizes that lie in device memory ----------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `d->height` and `shape[2]` of a kernel's pointers are arguments of the nest
/// like other parts of parameters, but lie in memory of the device, which host
/// code has to copy.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_NEST_DEVICEPARTS_H
#define CONVOPT_NEST_DEVICEPARTS_H

#include "convopt/Nest/Nest.h"

namespace convopt {

/// Whether \p p, a parameter with parts of \p f, points at memory of the
/// device.
bool isOnDevice(const Function &f, const Parameter &p);
/// Whether Argument::source of \p a, an argument of \p f, names such memory.
bool isOnDevice(const Function &f, const Argument &a);
/// The C text of where that is: "&d->height", and of whether `d->bias` leads to
/// an array "&d->bias".
std::string addressOnDevice(const Argument &a);

} // namespace convopt

#endif // CONVOPT_NEST_DEVICEPARTS_H
