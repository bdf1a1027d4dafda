//===- EmbeddedText.cpp - Headers that drivers are made of ----------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Run.h"
#include "convopt/Support/Refusal.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace convopt::verify {

// Each is written in terms of those before.
static const char driverRuntime[] = "#ifndef CONVOPT_VERIFY_RUNTIME\n"
                                    "#define CONVOPT_VERIFY_RUNTIME\n"
#include "DriverBounds.inc"

#include "DriverRuntime.inc"
                                    "namespace convopt_verify::intrinsics {\n"
#include "cuda_on_cpu_intrinsics.inc"
                                    "}\n"

#include "DriverGrid.inc"

#include "DriverValues.inc"

#include "DriverArrays.inc"

#include "DriverRefusals.inc"
                                    "#endif // CONVOPT_VERIFY_RUNTIME\n";

StringRef driverRuntimeText() { return driverRuntime; }

ArrayRef<std::pair<StringRef, StringRef>> hostHeaders() {
  static const std::pair<StringRef, StringRef> headers[] = {
#include "hostHeaders.inc"
  };
  return headers;
}

Error writeHostHeaders(StringRef folder) {
  const std::string include = (folder + "/include/").str();
  if (std::error_code e = sys::fs::create_directory(include))
    return refuse("verify", "no directory '" + include + "': " + e.message());
  for (const auto &[name, text] : hostHeaders())
    RETURN_IF_ERROR(writeFile(include + name.str(), text));
  auto write = [&](StringRef part, ArrayRef<const char *> names) {
    Error e = Error::success();
    for (const char *name : names)
      if (!e)
        e = writeFile(include + name, ("#include \"" + part + "\"\n").str());
    return e;
  };
  if (Error e = write("cuda_on_cpu_half.h", {"cuda_fp16.h", "cuda_bf16.h"}))
    return e;
  return write("cuda_on_cpu.h",
               {"builtin_types.h", "cuda.h", "cuda_pipeline_primitives.h",
                "cuda_profiler_api.h", "cuda_runtime.h", "cuda_runtime_api.h",
                "device_functions.h", "device_launch_parameters.h",
                "device_types.h", "driver_types.h", "host_defines.h",
                "math_constants.h", "math_functions.h", "vector_functions.h",
                "vector_types.h", "cooperative_groups.h"});
}

} // namespace convopt::verify
