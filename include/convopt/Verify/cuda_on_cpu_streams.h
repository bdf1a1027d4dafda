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

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  cudaStream_t stream = nullptr;
  size_t after = 0; // steps of the stream
};

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

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_STREAMS_H
