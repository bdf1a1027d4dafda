//===- RecordLaunch.cpp - What a launcher would start ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A stream that captures makes a graph of what is started on it, and a
/// kernel's node has the block and the shared bytes that the launcher chose.
///
//===----------------------------------------------------------------------===//

#include "CudaLibraries.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

namespace {

// As in cuda.h.
using CUgraph = struct CUgraph_st *;
using CUgraphNode = struct CUgraphNode_st *;
using CUkernel = struct CUkern_st *;
enum CUstreamCaptureMode : int { CU_STREAM_CAPTURE_MODE_RELAXED = 2 };
enum CUgraphNodeType : int { CU_GRAPH_NODE_TYPE_KERNEL = 0 };
struct CUDA_KERNEL_NODE_PARAMS_v2 {
  CUfunction func;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  void **kernelParams, **extra;
  CUkernel kern; // where func is null
  CUcontext ctx;
};

class Recorder {
public:
  Recorder(const CudaDriver &cuda, StringRef name) : cuda(cuda), name(name) {}
  ~Recorder() {
    if (graph)
      cuGraphDestroy(graph);
    if (stream)
      cuStreamDestroy_v2(stream);
  }

  Error open();
  Error record(function_ref<Error(CUstream)> launch);
  Expected<RecordedLaunch> find();

private:
  Error look(CUgraphNode node);

  const CudaDriver &cuda;
  StringRef name;
#define ENTRY(name, parameters) CUresult(*name) parameters = nullptr;
#include "CudaGraph.def"
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  RecordedLaunch best;
  bool isNamed = false; // best has the name
  uint64_t threads = 0; // that best starts
};

} // namespace

Error Recorder::open() {
  auto library = openLibrary({"libcuda.so.1"}, {});
  if (!library)
    return refuse("device", "the CUDA driver was not found");
#define ENTRY(name, parameters)                                                \
  if (!findSymbol(*library, #name, name))                                      \
    return refuse("device", "the CUDA driver has no " #name);
#include "CudaGraph.def"
  return cuda.check(cuStreamCreate(&stream, 0), "cuStreamCreate");
}

Error Recorder::record(function_ref<Error(CUstream)> launch) {
  RETURN_IF_ERROR(cuda.check(
      cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_RELAXED),
      "cuStreamBeginCapture"));
  Error launched = launch(stream);
  // The capture ends whatever the launcher said.
  Error ended =
      cuda.check(cuStreamEndCapture(stream, &graph), "cuStreamEndCapture");
  return joinErrors(std::move(launched), std::move(ended));
}

/// Keeps \p node where it is a kernel that fits better than those before.
Error Recorder::look(CUgraphNode node) {
  CUgraphNodeType type;
  RETURN_IF_ERROR(
      cuda.check(cuGraphNodeGetType(node, &type), "cuGraphNodeGetType"));
  if (type != CU_GRAPH_NODE_TYPE_KERNEL)
    return Error::success();
  CUDA_KERNEL_NODE_PARAMS_v2 p{};
  RETURN_IF_ERROR(cuda.check(cuGraphKernelNodeGetParams_v2(node, &p),
                             "cuGraphKernelNodeGetParams"));
  if (!p.func)
    RETURN_IF_ERROR(cuda.check(cuKernelGetFunction(&p.func, p.kern),
                               "cuKernelGetFunction"));
  const char *called = nullptr;
  const bool hasName = cuFuncGetName(&called, p.func) == 0 && called &&
                       StringRef(called).contains(name);
  const uint64_t started = uint64_t(p.gridDimX) * p.gridDimY * p.gridDimZ *
                           p.blockDimX * p.blockDimY * p.blockDimZ;
  if (best.function &&
      std::pair(isNamed, threads) >= std::pair(hasName, started))
    return Error::success();
  isNamed = hasName;
  threads = started;
  best = {p.func, {p.blockDimX, p.blockDimY, p.blockDimZ}, p.sharedMemBytes};
  return Error::success();
}

Expected<RecordedLaunch> Recorder::find() {
  size_t count = 0;
  RETURN_IF_ERROR(
      cuda.check(cuGraphGetNodes(graph, nullptr, &count), "cuGraphGetNodes"));
  std::vector<CUgraphNode> nodes(count);
  RETURN_IF_ERROR(cuda.check(cuGraphGetNodes(graph, nodes.data(), &count),
                             "cuGraphGetNodes"));
  for (CUgraphNode node : nodes)
    RETURN_IF_ERROR(look(node));
  if (!best.function)
    return refuse("device", "the launcher starts no kernel");
  return best;
}

Expected<RecordedLaunch> recordLaunch(const CudaDriver &cuda, StringRef name,
                                      function_ref<Error(CUstream)> launch) {
  Recorder recorder(cuda, name);
  RETURN_IF_ERROR(recorder.open());
  RETURN_IF_ERROR(recorder.record(launch));
  return recorder.find();
}

} // namespace convopt::bench
