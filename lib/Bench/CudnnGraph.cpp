//===- CudnnGraph.cpp - A layer as a graph of cuDNN's ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CudnnGraph.h"
#include "convopt/Bench/Job.h"
#include "convopt/Support/Refusal.h"

using namespace llvm;

namespace convopt::bench {

/// Numbers of the tensors in the graph.
enum Tensor : int64_t { Input = 1, Filter = 2, Output = 3 };
/// Places in `parts`.
enum Part : size_t { InputPart, FilterPart, OutputPart, ConvolutionPart };

/// Of everything that the driver allocates, and so of what is measured here.
static constexpr int64_t Alignment = 16;

Error CudnnGraph::addTensor(int64_t id, ArrayRef<int64_t> extents) {
  ASSIGN_OR_RETURN(CudnnDescriptor tensor,
                   make(CUDNN_BACKEND_TENSOR_DESCRIPTOR));
  std::vector<int64_t> strides(extents.size(), 1);
  for (size_t d = extents.size() - 1; d != 0; --d)
    strides[d - 1] = strides[d] * extents[d];
  tensor.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE,
             CUDNN_DATA_FLOAT);
  tensor.set(CUDNN_ATTR_TENSOR_DIMENSIONS, extents);
  tensor.set(CUDNN_ATTR_TENSOR_STRIDES, strides);
  tensor.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, {id});
  tensor.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, {Alignment});
  RETURN_IF_ERROR(tensor.finalize("the tensor"));
  parts.push_back(std::move(tensor));
  return Error::success();
}

Error CudnnGraph::addConvolution(const LayerShape &l) {
  ASSIGN_OR_RETURN(CudnnDescriptor c,
                   make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR));
  c.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE,
        CUDNN_DATA_FLOAT);
  c.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE,
        CUDNN_CROSS_CORRELATION);
  c.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, {2});
  c.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {l.dilationH, l.dilationW});
  c.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {l.strideH, l.strideW});
  c.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {l.padH, l.padW});
  c.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {l.padH, l.padW});
  RETURN_IF_ERROR(c.finalize("the convolution"));
  parts.push_back(std::move(c));
  return Error::success();
}

Error CudnnGraph::addOperation() {
  ASSIGN_OR_RETURN(
      CudnnDescriptor operation,
      make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR));
  const std::pair<CudnnAttribute, Part> wanted[] = {
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, ConvolutionPart},
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, InputPart},
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, FilterPart},
      {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, OutputPart}};
  for (auto [attribute, part] : wanted)
    operation.set(attribute, parts[part]);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                CUDNN_TYPE_FLOAT, 1.0f);
  operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT,
                0.0f);
  RETURN_IF_ERROR(operation.finalize("the operation"));
  ASSIGN_OR_RETURN(CudnnDescriptor made,
                   make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR));
  made.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
  made.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
  RETURN_IF_ERROR(made.finalize("the graph"));
  parts.push_back(std::move(operation));
  graph = std::move(made);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Engines
//===----------------------------------------------------------------------===//

/// "k2=1 k5=3": the choices of \p configuration; empty for the default ones.
static Expected<std::string> choicesOf(const CudnnDescriptor &configuration) {
  ASSIGN_OR_RETURN(auto choices, configuration.getDescriptors(
                                     CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                     CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
  std::string text;
  for (const CudnnDescriptor &choice : choices) {
    ASSIGN_OR_RETURN(auto type,
                     choice.get<int>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                     CUDNN_TYPE_KNOB_TYPE, 1));
    ASSIGN_OR_RETURN(auto value,
                     choice.get<int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE,
                                         CUDNN_TYPE_INT64, 1));
    if (type.empty() || value.empty())
      continue;
    text += " k" + std::to_string(type.front()) + "=" +
            std::to_string(value.front());
  }
  return text;
}

/// What numerical notes say of an engine; none where it is not plain FP32.
static std::optional<Way> wayOf(ArrayRef<int> notes) {
  for (int reduced : {CUDNN_NUMERICAL_NOTE_TENSOR_CORE,
                      CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS,
                      CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION})
    if (is_contained(notes, reduced))
      return std::nullopt;
  if (is_contained(notes, CUDNN_NUMERICAL_NOTE_FFT))
    return Way{"FFT", false};
  for (int winograd :
       {CUDNN_NUMERICAL_NOTE_WINOGRAD, CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4,
        CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6,
        CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13})
    if (is_contained(notes, winograd))
      return Way{"Winograd", false};
  return Way{"direct", true};
}

/// CUDNN_NUMERICAL_NOTE_TYPE_COUNT.
static constexpr int64_t MostNotes = 10;

Error CudnnGraph::addConfiguration(CudnnDescriptor configuration) {
  ASSIGN_OR_RETURN(auto found, configuration.getDescriptors(
                                   CUDNN_ATTR_ENGINECFG_ENGINE,
                                   CUDNN_BACKEND_ENGINE_DESCRIPTOR, 1));
  if (found.empty())
    return refuse("cudnn", "a configuration without an engine");
  const CudnnDescriptor &engine = found.front();
  ASSIGN_OR_RETURN(
      auto number,
      engine.get<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1));
  ASSIGN_OR_RETURN(auto notes,
                   engine.get<int>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                   CUDNN_TYPE_NUMERICAL_NOTE, MostNotes));
  // If they are not known, the default.
  const std::string choices =
      expectedToOptional(choicesOf(configuration)).value_or("");
  if (number.empty())
    return refuse("cudnn", "an engine without a number");
  engines.insert(number.front());
  std::optional<Way> way = wayOf(notes);
  const std::string name = "engine " + std::to_string(number.front()) + choices;
  if (!way || !seen.insert(name).second)
    return Error::success();
  way->name = name + " (" + way->name + ")";
  names.push_back(std::move(*way));
  configurations.push_back(std::move(configuration));
  plans.emplace_back();
  return Error::success();
}

Error CudnnGraph::askHeuristics(cudnnBackendHeurMode_t mode) {
  ASSIGN_OR_RETURN(CudnnDescriptor heuristics,
                   make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR));
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, *graph);
  heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
  RETURN_IF_ERROR(heuristics.finalize("the heuristics"));
  ASSIGN_OR_RETURN(auto found, heuristics.getDescriptors(
                                   CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                   CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  for (CudnnDescriptor &configuration : found)
    note(addConfiguration(std::move(configuration)));
  return Error::success();
}

Error CudnnGraph::addDefault(int64_t number) {
  ASSIGN_OR_RETURN(CudnnDescriptor engine,
                   make(CUDNN_BACKEND_ENGINE_DESCRIPTOR));
  engine.set(CUDNN_ATTR_ENGINE_OPERATION_GRAPH, *graph);
  engine.set(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, {number});
  RETURN_IF_ERROR(engine.check());
  // Many an engine does not do this layer, which is no trouble.
  if (errorToBool(engine.finalize("the engine")))
    return Error::success();
  ASSIGN_OR_RETURN(CudnnDescriptor configuration,
                   make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  configuration.set(CUDNN_ATTR_ENGINECFG_ENGINE, engine);
  RETURN_IF_ERROR(configuration.finalize("the configuration"));
  parts.push_back(std::move(engine));
  return addConfiguration(std::move(configuration));
}

Error CudnnGraph::askForAll() {
  ASSIGN_OR_RETURN(
      auto count,
      graph->get<int64_t>(CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT,
                          CUDNN_TYPE_INT64, 1));
  for (int64_t k = 0; !count.empty() && k < count.front(); ++k)
    if (!engines.count(k))
      note(addDefault(k));
  return Error::success();
}

void CudnnGraph::note(Error e) {
  if (!e)
    return;
  const std::string text = messageOf(std::move(e));
  if (!StringRef(problems).contains(text))
    problems += (problems.empty() ? "" : ", ") + text;
}

Expected<std::unique_ptr<CudnnGraph>>
CudnnGraph::create(const sys::DynamicLibrary &library, cudnnHandle_t handle,
                   const LayerShape &l) {
  ASSIGN_OR_RETURN(CudnnBackend backend, CudnnBackend::load(library));
  std::unique_ptr<CudnnGraph> result(new CudnnGraph(backend, handle));
  if (Error e = result->addTensor(Input, {l.N, l.C, l.H, l.W}))
    return std::move(e);
  if (Error e = result->addTensor(Filter, {l.K, l.C / l.groups, l.R, l.S}))
    return std::move(e);
  if (Error e = result->addTensor(Output, {l.N, l.K, l.outH(), l.outW()}))
    return std::move(e);
  RETURN_IF_ERROR(result->addConvolution(l));
  RETURN_IF_ERROR(result->addOperation());
  for (auto mode :
       {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B, CUDNN_HEUR_MODE_FALLBACK})
    result->note(result->askHeuristics(mode));
  result->note(result->askForAll());
  return result;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Expected<size_t> CudnnGraph::prepare(size_t way) {
  ASSIGN_OR_RETURN(CudnnDescriptor plan,
                   make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR));
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle);
  plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configurations[way]);
  RETURN_IF_ERROR(plan.finalize("the plan"));
  ASSIGN_OR_RETURN(auto bytes,
                   plan.get<int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                     CUDNN_TYPE_INT64, 1));
  plans[way] = std::move(plan);
  return bytes.empty() ? 0 : size_t(bytes.front());
}

Expected<CudnnDescriptor> CudnnGraph::pack(const LayerBuffers &buffers) const {
  ASSIGN_OR_RETURN(CudnnDescriptor made,
                   make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR));
  auto pointer = [](uint64_t address) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  };
  const void *data[] = {pointer(buffers.input), pointer(buffers.filter),
                        pointer(buffers.output)};
  made.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, {Input, Filter, Output});
  made.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR,
           std::size(data), data);
  made.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR,
           pointer(buffers.workspace));
  RETURN_IF_ERROR(made.finalize("the variant pack"));
  return std::move(made);
}

Error CudnnGraph::run(size_t way, const LayerBuffers &buffers) {
  if (!packed || !(packedFor == buffers)) {
    ASSIGN_OR_RETURN(CudnnDescriptor made, pack(buffers));
    packed = std::move(made);
    packedFor = buffers;
  }
  return backend.check(
      backend.cudnnBackendExecute(handle, plans[way]->raw(), packed->raw()),
      "cudnnBackendExecute");
}

} // namespace convopt::bench
