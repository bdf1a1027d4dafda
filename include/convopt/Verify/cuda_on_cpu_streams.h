//===- cuda_on_cpu_streams.h - Streams and events on the CPU ----*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Part of cuda_on_cpu.h. In other streams than the default one, kernels, and
/// copies between the device and page-locked memory, wait in a queue until a
/// later step of the stream, an event or a synchronisation asks for them, so
/// that what does not wait for them does not see their results. Streams from
/// cudaStreamCreate and the default stream wait for each other, those that are
/// non-blocking do not.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_STREAMS_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_STREAMS_H

struct CUstream_st {
  bool isBlocking = true;
  std::deque<std::function<void()>> queue;
  size_t begun = 0; // steps that were ever queued

  void add(std::function<void()> step) {
    ++begun;
    queue.push_back(std::move(step));
  }
  void run(size_t last) { // up to step number `last`
    while (!queue.empty() && begun - queue.size() < last) {
      const std::function<void()> step = std::move(queue.front());
      queue.pop_front();
      step();
    }
  }
};
using cudaStream_t = CUstream_st *;

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  cudaStream_t stream = nullptr;
  size_t after = 0; // steps of the stream
};
using cudaEvent_t = CUevent_st *;

namespace cuda_on_cpu {

struct Streams {
  std::set<cudaStream_t> all; // but for the default stream
  std::map<const char *, size_t> pinned;

  /// Runs what a step in \p s comes after.
  void finish(cudaStream_t s) {
    for (cudaStream_t other : all)
      if (other == s || (!s && other->isBlocking))
        other->run(other->begun);
  }
  void finishAll() {
    for (cudaStream_t s : all)
      s->run(s->begun);
  }
  void finish(const CUevent_st &e) {
    if (all.count(e.stream))
      e.stream->run(e.after);
  }
  bool isIdle() const {
    for (cudaStream_t s : all)
      if (!s->queue.empty())
        return false;
    return true;
  }
  bool isPinned(const void *p, size_t bytes) const {
    auto it = pinned.upper_bound(static_cast<const char *>(p));
    if (it == pinned.begin())
      return false;
    --it;
    return static_cast<const char *>(p) + bytes <= it->first + it->second;
  }
};
inline Streams streams;

} // namespace cuda_on_cpu

constexpr unsigned cudaStreamDefault = 0, cudaStreamNonBlocking = 1;
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags) {
  *s = new CUstream_st;
  (*s)->isBlocking = !(flags & cudaStreamNonBlocking);
  cuda_on_cpu::streams.all.insert(*s);
  return cudaSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t *s) {
  return cudaStreamCreateWithFlags(s, cudaStreamDefault);
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags,
                                                int) {
  return cudaStreamCreateWithFlags(s, flags);
}
inline cudaError_t cudaStreamDestroy(cudaStream_t s) {
  cuda_on_cpu::streams.finish(s);
  if (!cuda_on_cpu::streams.all.erase(s))
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  delete s;
  return cudaSuccess;
}
inline cudaError_t cudaStreamSynchronize(cudaStream_t s) {
  cuda_on_cpu::streams.finish(s);
  return cuda_on_cpu::lastError;
}
inline cudaError_t cudaStreamQuery(cudaStream_t s) {
  return cudaStreamSynchronize(s);
}
inline cudaError_t cudaDeviceSynchronize() {
  cuda_on_cpu::streams.finishAll();
  return cuda_on_cpu::lastError;
}

constexpr unsigned cudaEventDefault = 0, cudaEventBlockingSync = 1,
                   cudaEventDisableTiming = 2;
inline cudaError_t cudaEventCreate(cudaEvent_t *e) {
  *e = new CUevent_st;
  return cudaSuccess;
}
inline cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) {
  return cudaEventCreate(e);
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) {
  delete e;
  return cudaSuccess;
}
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s = {}) {
  if (!e)
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  e->time = std::chrono::steady_clock::now();
  e->stream = s;
  e->after = s ? s->begun : 0;
  return cudaSuccess;
}
inline cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t e,
                                       unsigned = 0) {
  if (!e)
    return cuda_on_cpu::fail(cudaErrorInvalidResourceHandle);
  cuda_on_cpu::streams.finish(*e);
  return cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t e) {
  return cudaStreamWaitEvent(nullptr, e);
}
inline cudaError_t cudaEventQuery(cudaEvent_t e) {
  return cudaEventSynchronize(e);
}
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from,
                                        cudaEvent_t to) {
  *ms = std::chrono::duration<float, std::milli>(to->time - from->time).count();
  return cudaSuccess;
}

//===----------------------------------------------------------------------===//
// Page-locked memory
//===----------------------------------------------------------------------===//

constexpr unsigned cudaHostRegisterDefault = 0;
inline cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned) {
  auto &pinned = cuda_on_cpu::streams.pinned;
  const char *begin = static_cast<const char *>(p);
  auto next = pinned.upper_bound(begin);
  const bool meetsNext = next != pinned.end() && next->first < begin + bytes;
  const bool meetsLast =
      next != pinned.begin() &&
      std::prev(next)->first + std::prev(next)->second > begin;
  if (!p || !bytes || meetsNext || meetsLast)
    return cuda_on_cpu::fail(p && bytes ? cudaErrorHostMemoryAlreadyRegistered
                                        : cudaErrorInvalidValue);
  pinned[begin] = bytes;
  return cudaSuccess;
}
inline cudaError_t cudaHostUnregister(void *p) {
  if (!cuda_on_cpu::streams.isIdle())
    cuda_on_cpu::fault("memory is unlocked while copies may still use it");
  return cuda_on_cpu::fail(
      cuda_on_cpu::streams.pinned.erase(static_cast<const char *>(p))
          ? cudaSuccess
          : cudaErrorHostMemoryNotRegistered);
}
template <class T>
cudaError_t cudaMallocHost(T **p, size_t bytes, unsigned = 0) {
  *p = static_cast<T *>(std::malloc(bytes));
  if (!*p)
    return cuda_on_cpu::fail(cudaErrorMemoryAllocation);
  cuda_on_cpu::streams.pinned[reinterpret_cast<const char *>(*p)] = bytes;
  return cudaSuccess;
}
constexpr unsigned cudaHostAllocDefault = 0, cudaHostAllocPortable = 1,
                   cudaHostAllocMapped = 2;
template <class T>
cudaError_t cudaHostAlloc(T **p, size_t bytes, unsigned flags) {
  return cudaMallocHost(p, bytes, flags);
}
inline cudaError_t cudaFreeHost(void *p) {
  cuda_on_cpu::streams.finishAll();
  cuda_on_cpu::streams.pinned.erase(static_cast<const char *>(p));
  std::free(p);
  return cudaSuccess;
}

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_STREAMS_H
