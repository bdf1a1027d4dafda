//===- Streams.cpp - Helpers of launches in several streams ---------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "convopt/Transforms/MapLoop.h"

using namespace llvm;

namespace convopt::emit {

/// Streams are made once, as making them takes longer than many a kernel.
static std::string printFork(const std::string &name, Names names) {
  std::string stream = names.fresh("stream"), lanes = names.fresh("lanes");
  std::string count = names.fresh("count"), event = names.fresh("event");
  std::string streams = names.fresh("streams"), events = names.fresh("events");
  std::string device = names.fresh("device"), error = names.fresh("error");
  std::string own = names.fresh("lane"), k = names.fresh("k");
  std::string most = std::to_string(MaxStreams);
  std::string goesOn = "  if (" + error + " == cudaSuccess";
  return "[[maybe_unused]] static std::mutex " + name +
         "_streams_busy;\n"
         "// More streams, which wait for what is in the caller's.\n"
         "[[maybe_unused]] static cudaError_t " +
         name + "_fork(cudaStream_t " + stream + ", cudaStream_t *" + lanes +
         ", int " + count + ", cudaEvent_t *" + event +
         ") {\n  static cudaStream_t " + streams + "[64][" + most +
         "];\n  static cudaEvent_t " + events + "[64];\n  int " + device +
         " = 0;\n  cudaError_t " + error + " = cudaGetDevice(&" + device +
         ");\n" + goesOn + " && " + device + " >= 64)\n    " + error +
         " = cudaErrorInvalidDevice;\n" + goesOn + " && " + events + "[" +
         device + "] == nullptr)\n    " + error +
         " = cudaEventCreateWithFlags(&" + events + "[" + device +
         "], cudaEventDisableTiming);\n" + goesOn + ")\n    " + error +
         " = cudaEventRecord(*" + event + " = " + events + "[" + device +
         "], " + stream + ");\n  " + lanes + "[0] = " + stream +
         ";\n  for (int " + k + " = 1; " + k + " < " + count + " && " + error +
         " == cudaSuccess; ++" + k + ") {\n    cudaStream_t &" + own + " = " +
         streams + "[" + device + "][" + k + "];\n    if (" + own +
         " == nullptr)\n      " + error + " = cudaStreamCreateWithFlags(&" +
         own + ", cudaStreamNonBlocking);\n  " + goesOn + ")\n      " + error +
         " = cudaStreamWaitEvent(" + own + ", *" + event + ", 0);\n  " +
         goesOn + ")\n      " + lanes + "[" + k + "] = " + own +
         ";\n  }\n  return " + error + ";\n}\n\n";
}

static std::string printJoin(const std::string &name, Names names) {
  std::string stream = names.fresh("stream"), lanes = names.fresh("lanes");
  std::string count = names.fresh("count"), event = names.fresh("event");
  std::string error = names.fresh("error"), joined = names.fresh("joined");
  std::string k = names.fresh("k");
  return "// The caller's stream waits for the others, whatever went wrong.\n"
         "[[maybe_unused]] static cudaError_t " +
         name + "_join(cudaStream_t " + stream + ", const cudaStream_t *" +
         lanes + ", int " + count + ", cudaEvent_t " + event +
         ", cudaError_t " + error + ") {\n  for (int " + k + " = 1; " + k +
         " < " + count + " && " + lanes + "[" + k + "] != nullptr; ++" + k +
         ") {\n    cudaError_t " + joined + " = cudaEventRecord(" + event +
         ", " + lanes + "[" + k + "]);\n    if (" + joined +
         " == cudaSuccess)\n      " + joined + " = cudaStreamWaitEvent(" +
         stream + ", " + event + ", 0);\n    " + error + " = " + error +
         " == cudaSuccess ? " + joined + " : " + error + ";\n  }\n  return " +
         error + ";\n}\n\n";
}

std::string printStreamsHelper(const std::string &name, Names names) {
  return printFork(name, names) + printJoin(name, names);
}

std::string printCopyHelper(const std::string &name, Names names) {
  std::string to = names.fresh("to"), from = names.fresh("from");
  std::string first = names.fresh("first"), end = names.fresh("end");
  std::string row = names.fresh("row"), bytes = names.fresh("bytes");
  std::string kind = names.fresh("kind"), stream = names.fresh("stream");
  std::string done = names.fresh("done"), begin = names.fresh("begin");
  std::string stop = names.fresh("stop");
  return "// Rows [first, end) of an array, as far as it has them; those "
         "before "
         "'done' were\n// copied before.\n[[maybe_unused]] static "
         "cudaError_t " +
         name + "_copy(void *" + to + ", const void *" + from + ", long long " +
         first + ", long long " + end + ", size_t " + row + ", size_t " +
         bytes + ", cudaMemcpyKind " + kind + ", cudaStream_t " + stream +
         ", long long " + done + " = 0) {\n  " + first + " = " + first + " < " +
         done + " ? " + done + " : " + first + ";\n  size_t " + begin + " = " +
         first + " < 0 ? 0 : " + first + " * " + row + ", " + stop + " = " +
         end + " < 0 ? 0 : " + end + " * " + row + ";\n  " + stop + " = " +
         stop + " > " + bytes + " ? " + bytes + " : " + stop + ";\n  return " +
         begin + " >= " + stop + " ? cudaSuccess : cudaMemcpyAsync((char *)" +
         to + " + " + begin + ", (const char *)" + from + " + " + begin + ", " +
         stop + " - " + begin + ", " + kind + ", " + stream + ");\n}\n\n";
}

std::string printPinHelper(const std::string &name, Names names) {
  std::string array = names.fresh("array"), bytes = names.fresh("bytes");
  return "// Copies of page-locked memory run beside kernels. Where it cannot "
         "be "
         "locked,\n// they take turns.\n[[maybe_unused]] static bool " +
         name + "_pin(const void *" + array + ", size_t " + bytes +
         ") {\n  if (cudaHostRegister((void *)" + array + ", " + bytes +
         ", cudaHostRegisterDefault) == cudaSuccess)\n    return true;\n"
         "  (void)cudaGetLastError();\n  return false;\n}\n\n";
}

} // namespace convopt::emit
