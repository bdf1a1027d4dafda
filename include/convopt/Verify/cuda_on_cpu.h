//===- cuda_on_cpu.h - Run CUDA kernels as host code ------------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Enough of CUDA for kernels, their launchers and the host code around them
/// to be compiled by `g++ -std=c++17 -x c++` or clang++ and run under the
/// sanitizers. It needs Boost.Context and is included in place of
/// cuda_runtime.h; `f<<<g, b, m, s>>>(x)` has to be written as
/// `::cuda_on_cpu::launch(g, b, m, s, [&] { f(x); })`, or with launchLater and
/// `[=]`, which in a stream other than the default one runs as late as it may.
///
/// Blocks run one after another on the calling thread. The threads of a block
/// run one after another up to the next `__syncthreads()`, each on a fiber of
/// its own once it waits; a barrier that some threads of the block miss, or
/// that they reach at different places, ends the program with a message.
/// Memory from cudaMalloc is filled with NaN and is a heap block of exactly the
/// asked size, which AddressSanitizer guards; without it, guard bytes around
/// the block are checked by cudaFree and at exit.
///
/// `extern __shared__ T s[];` is written CUDA_ON_CPU_DYNAMIC_SHARED(T, s): a
/// heap block of exactly the size of the launch, filled with NaN for each block
/// of the grid. Other shared memory keeps its contents from one block to the
/// next.
///
/// Asynchronous copies arrive no sooner than when they are waited for; those
/// of TMA of sm_90 are in cuda_on_cpu_bulk.h.
///
/// Not modelled: warp functions but for `__shfl_xor_sync` where all threads of
/// the block meet, kernels that overlap, textures. What is known of streams:
/// cuda_on_cpu_streams.h.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_H

#include <boost/context/fiber.hpp>
#include <boost/context/protected_fixedsize_stack.hpp>
#include <chrono>
#include <climits>
#include <cmath>
// As from nvcc, functions of <math.h> have overloads at file scope.
#include <math.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define CUDA_ON_CPU_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CUDA_ON_CPU_ASAN 1
#endif
#endif
#ifdef CUDA_ON_CPU_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

#define __global__
#define __device__
#define __noinline__
#define __host__
#define __constant__
#define __grid_constant__
#define __managed__
#define CUDART_VERSION 12000
#define __shared__ static
#define CUDA_ON_CPU_DYNAMIC_SHARED(T, name)                                    \
  T *const name = reinterpret_cast<T *>(::cuda_on_cpu::scheduler.shared)
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#define CUDA_ON_CPU_GIVES(T, name, parameters, ...)                            \
  inline T name parameters { return __VA_ARGS__; }
#define CUDA_ON_CPU_DEVICE CUDA_ON_CPU_GIVES

//===----------------------------------------------------------------------===//
// Vector types and built-in variables
//===----------------------------------------------------------------------===//

#include "cuda_on_cpu_types.h"

inline uint3 threadIdx{}, blockIdx{};
inline dim3 blockDim, gridDim;
constexpr int warpSize = 32;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

inline const char *cudaGetErrorName(cudaError_t e) {
  switch (e) {
#define CUDA_ON_CPU_CASE(name, value, text)                                    \
  case name:                                                                   \
    return #name;
    CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
  }
  return "unrecognized error code";
}
inline const char *cudaGetErrorString(cudaError_t e) {
  switch (e) {
#define CUDA_ON_CPU_CASE(name, value, text)                                    \
  case name:                                                                   \
    return text;
    CUDA_ON_CPU_ERRORS(CUDA_ON_CPU_CASE)
#undef CUDA_ON_CPU_CASE
  }
  return "unrecognized error code";
}
#undef CUDA_ON_CPU_ERRORS

namespace cuda_on_cpu {

inline cudaError_t lastError = cudaSuccess;

inline cudaError_t fail(cudaError_t e) {
  if (e != cudaSuccess)
    lastError = e;
  return e;
}

/// Ends the program: what a device would do next is undefined.
[[noreturn]] inline void fault(const char *message) {
  std::fflush(stdout);
  std::fprintf(stderr, "cuda_on_cpu: error: %s\n", message);
  std::_Exit(1);
}

} // namespace cuda_on_cpu

#include "cuda_on_cpu_streams.h"

namespace cuda_on_cpu {

/// The same for a fault of the current thread.
[[noreturn]] inline void faultInThread(const char *message) {
  char text[640];
  std::snprintf(text, sizeof text,
                "%s, in block (%u, %u, %u), thread (%u, %u, %u)", message,
                blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
                threadIdx.z);
  fault(text);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

/// A stack that kernel threads run on. One that never waits leaves it to the
/// next thread of the block without a switch.
struct Fiber {
  boost::context::fiber context; // where it stopped
  const void *bottom = nullptr;
  size_t size = 0;
  void *fakeStack = nullptr; // AddressSanitizer's
  unsigned thread = 0;
  bool waiting = false;  // at a barrier
  bool polling = false;  // for bulk copies
  const char *file = ""; // of the barrier
  int line = 0;
};

/// What a thread has begun with __pipeline_memcpy_async. It arrives only when
/// the thread waits for it, so a read that comes too early shows.
struct AsyncCopies {
  struct One {
    void *to;
    const void *from;
    size_t bytes, zeros; // the last of the bytes are zeros
  };
  std::vector<std::vector<One>> groups{{}}; // the last is still open

  void wait(size_t prior) {
    while (groups.size() > prior + 1) {
      for (const One &c : groups.front()) {
        std::memcpy(c.to, c.from, c.bytes - c.zeros);
        std::memset(static_cast<char *>(c.to) + c.bytes - c.zeros, 0, c.zeros);
      }
      groups.erase(groups.begin());
    }
  }
};

/// An mbarrier of a block, and what ends the bulk copies that it counts.
struct BulkBarrier {
  std::vector<std::function<void()>> copies;
  bool arrived = false;
  unsigned phase = 0; // the current one
};

/// Runs the threads of one block at a time.
struct Scheduler {
  std::vector<AsyncCopies> asyncCopies;             // by thread of the block
  std::map<const void *, BulkBarrier> bulkBarriers; // of the block
  size_t waited = 0;                                // for them, in all
  void (*call)(void *) = nullptr;
  void *kernel = nullptr;
  void *shared = nullptr;       // dynamic shared memory
  unsigned next = 0, count = 0; // threads not yet started, all threads
  bool reverse = false;         // last thread and last block first
  Fiber *current = nullptr;
  boost::context::fiber home; // the scheduler's own context, while in a fiber
  const void *homeBottom = nullptr;
  size_t homeSize = 0;
  std::vector<Fiber *> idle, waiting, polling;

  void select(unsigned thread) {
    threadIdx.x = thread % blockDim.x;
    threadIdx.y = thread / blockDim.x % blockDim.y;
    threadIdx.z = thread / blockDim.x / blockDim.y;
  }

  void resume(Fiber *f) {
    current = f;
    f->waiting = f->polling = false;
    select(f->thread);
#ifdef CUDA_ON_CPU_ASAN
    void *fake = nullptr;
    __sanitizer_start_switch_fiber(&fake, f->bottom, f->size);
#endif
    f->context = std::move(f->context).resume();
#ifdef CUDA_ON_CPU_ASAN
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    current = nullptr;
    (f->waiting ? waiting : f->polling ? polling : idle).push_back(f);
  }

  /// Back from the current fiber to whoever resumed it.
  void suspend() {
#ifdef CUDA_ON_CPU_ASAN
    Fiber *f = current;
    __sanitizer_start_switch_fiber(&f->fakeStack, homeBottom, homeSize);
#endif
    home = std::move(home).resume();
#ifdef CUDA_ON_CPU_ASAN
    __sanitizer_finish_switch_fiber(f->fakeStack, &homeBottom, &homeSize);
#endif
  }

  [[noreturn]] void work(Fiber *f) {
#ifdef CUDA_ON_CPU_ASAN
    __sanitizer_finish_switch_fiber(nullptr, &homeBottom, &homeSize);
#endif
    for (;;) {
      while (next < count) {
        f->thread = reverse ? count - 1 - next : next;
        ++next;
        select(f->thread);
        call(kernel);
      }
      suspend();
    }
  }

  Fiber *take() {
    if (!idle.empty()) {
      Fiber *f = idle.back();
      idle.pop_back();
      return f;
    }
    Fiber *f = new Fiber; // kept for the life of the program
    boost::context::protected_fixedsize_stack allocator(256 * 1024);
    boost::context::stack_context stack = allocator.allocate();
    f->size = stack.size;
    f->bottom = static_cast<char *>(stack.sp) - stack.size;
    f->context = boost::context::fiber(
        std::allocator_arg,
        boost::context::preallocated(stack.sp, stack.size, stack), allocator,
        [this, f](boost::context::fiber &&from) -> boost::context::fiber {
          home = std::move(from);
          work(f);
        });
    return f;
  }

  /// Every thread of the block must wait, and at the same place.
  void checkBarrier() {
    for (const Fiber *f : waiting) {
      if (f->line == waiting[0]->line &&
          std::strcmp(f->file, waiting[0]->file) == 0)
        continue;
      char text[512];
      std::snprintf(text, sizeof text,
                    "threads of a block wait at different barriers, %s:%d and "
                    "%s:%d",
                    waiting[0]->file, waiting[0]->line, f->file, f->line);
      select(f->thread);
      faultInThread(text);
    }
    if (waiting.size() == count)
      return;
    char text[512];
    std::snprintf(text, sizeof text,
                  "only %zu of %u threads reached the barrier at %s:%d",
                  waiting.size(), count, waiting[0]->file, waiting[0]->line);
    select(waiting[0]->thread);
    faultInThread(text);
  }

  /// Goes on with those that wait for bulk copies until none is left.
  void poll() {
    while (!polling.empty()) {
      const size_t before = waited;
      std::vector<Fiber *> again;
      again.swap(polling);
      for (Fiber *f : again)
        resume(f);
      if (waited != before || polling.size() != again.size())
        continue;
      select(polling[0]->thread);
      faultInThread("a wait for bulk copies that no thread has started");
    }
  }

  void runBlock() {
    next = 0;
    asyncCopies.assign(count, {});
    bulkBarriers.clear();
    while (next < count)
      resume(take());
    poll();
    while (!waiting.empty()) {
      checkBarrier();
      std::vector<Fiber *> released;
      released.swap(waiting);
      for (Fiber *f : released)
        resume(f);
      poll();
    }
    for (const auto &[barrier, b] : bulkBarriers)
      if (b.arrived || !b.copies.empty())
        fault("a block ended while bulk copies were under way");
  }
};

/// Never destroyed: its fibers cannot be ended, only left.
inline Scheduler &scheduler = *new Scheduler;

inline void barrier(const char *file, int line) {
  Fiber *f = scheduler.current;
  if (!f)
    fault("__syncthreads() outside of a kernel");
  f->waiting = true;
  f->file = file;
  f->line = line;
  scheduler.suspend();
}

inline AsyncCopies &asyncCopies() {
  if (!scheduler.current)
    fault("an asynchronous copy outside of a kernel");
  return scheduler.asyncCopies[scheduler.current->thread];
}

/// What every device since compute capability 5.0 refuses.
inline bool fits(dim3 g, dim3 b, size_t shared) {
  return g.x && g.y && g.z && b.x && b.y && b.z && g.x <= 2147483647u &&
         g.y <= 65535 && g.z <= 65535 && b.x <= 1024 && b.y <= 1024 &&
         b.z <= 64 && b.x * b.y * b.z <= 1024 && shared <= 232448;
}

/// Runs \p body once for each thread of the grid.
/// Which kernels ran, each known by the type of its call.
inline std::set<const void *> kernelsThatRan;
template <class F> inline char kernelTag;

template <class F> void run(dim3 grid, dim3 block, size_t shared, F &body) {
  kernelsThatRan.insert(&kernelTag<F>);
  Scheduler &s = scheduler;
  gridDim = grid;
  blockDim = block;
  s.count = block.x * block.y * block.z;
  s.kernel = &body;
  s.call = [](void *f) { (*static_cast<F *>(f))(); };
  void *region = nullptr;
  if (shared && posix_memalign(&region, 4096, shared))
    fault("no memory for dynamic shared memory");
  s.shared = region;
  const uint64_t blocks = uint64_t(grid.x) * grid.y * grid.z;
  for (uint64_t i = 0; i < blocks; ++i) {
    if (shared)
      std::memset(region, 0xFF, shared);
    const uint64_t b = s.reverse ? blocks - 1 - i : i;
    blockIdx.x = b % grid.x;
    blockIdx.y = b / grid.x % grid.y;
    blockIdx.z = b / grid.x / grid.y;
    s.runBlock();
  }
  s.shared = nullptr;
  std::free(region);
}

/// How many launches each function has made.
inline std::map<std::string, uint64_t> launches;

/// What other threads of the host do meanwhile, at each launch.
inline std::function<void()> meanwhile;

/// An invalid configuration runs nothing and is reported by cudaGetLastError.
inline bool canLaunch(dim3 grid, dim3 block, size_t shared,
                      const char *launcher) {
  if (scheduler.current)
    faultInThread("a kernel launched from a kernel");
  if (fail(fits(grid, block, shared) ? cudaSuccess
                                     : cudaErrorInvalidConfiguration))
    return false;
  ++launches[launcher];
  if (meanwhile)
    meanwhile();
  return true;
}

template <class F>
void launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, F &&body,
            const char *launcher = __builtin_FUNCTION()) {
  if (!canLaunch(grid, block, shared, launcher))
    return;
  streams.finish(stream);
  run(grid, block, shared, body);
}

template <class F>
void launchLater(dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                 F body, const char *launcher = __builtin_FUNCTION()) {
  if (!stream)
    return launch(grid, block, shared, stream, body, launcher);
  if (canLaunch(grid, block, shared, launcher))
    stream->add([=]() mutable { run(grid, block, shared, body); });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What cudaMalloc gave, and the guard bytes around it.
struct Memory {
#ifdef CUDA_ON_CPU_ASAN
  static constexpr size_t guard = 0;
#else
  static constexpr size_t guard = 4096;
#endif
  static constexpr unsigned char guardByte = 0xAB;
  std::map<const char *, size_t> blocks, variables; // address, bytes
  bool isFull = false;                              // there is none left

  ~Memory() {
    for (const auto &[p, bytes] : blocks)
      check(p, bytes);
  }
  void check(const char *p, size_t bytes) const {
    for (size_t i = 0; i < guard; ++i)
      for (const char *g : {p - guard + i, p + bytes + i})
        if (static_cast<unsigned char>(*g) != guardByte)
          fault("a write outside of memory from cudaMalloc");
  }
  char *allocate(size_t bytes) {
    void *raw = nullptr;
    if (isFull || posix_memalign(&raw, 4096, bytes + 2 * guard))
      return nullptr;
    char *p = static_cast<char *>(raw) + guard;
    std::memset(raw, guardByte, bytes + 2 * guard);
    std::memset(p, 0xFF, bytes); // NaN as float and as double
    blocks[p] = bytes;
    return p;
  }
  bool release(const void *pointer) {
    auto it = blocks.find(static_cast<const char *>(pointer));
    if (it == blocks.end())
      return false;
    check(it->first, it->second);
    std::free(const_cast<char *>(it->first) - guard);
    blocks.erase(it);
    return true;
  }
  /// A variable of the device, whose address was asked for.
  void know(const void *variable, size_t bytes) {
    variables[static_cast<const char *>(variable)] = bytes;
  }
  /// Whether all of `[pointer, pointer + bytes)` is one block's or variable's.
  bool holds(const void *pointer, size_t bytes) const {
    const char *p = static_cast<const char *>(pointer);
    for (const auto *all : {&blocks, &variables}) {
      auto it = all->upper_bound(p);
      if (it == all->begin())
        continue;
      --it;
      const size_t offset = p - it->first;
      if (offset <= it->second && bytes <= it->second - offset)
        return true;
    }
    return false;
  }
};
inline Memory memory;

/// Has AddressSanitizer keep programs from a part of a block, until it is
/// freed.
inline void forbid([[maybe_unused]] const void *p,
                   [[maybe_unused]] size_t bytes) {
#ifdef CUDA_ON_CPU_ASAN
  __asan_poison_memory_region(p, bytes);
#endif
}

/// Lets programs use it again.
inline void permit([[maybe_unused]] const void *p,
                   [[maybe_unused]] size_t bytes) {
#ifdef CUDA_ON_CPU_ASAN
  __asan_unpoison_memory_region(p, bytes);
#endif
}

/// Blocks from cudaMalloc that were not freed.
inline size_t liveAllocations() { return memory.blocks.size(); }

/// Runs the last thread and the last block first: what depends on an order
/// that a device does not promise shows as a different result.
inline void setReverse(bool reverse) { scheduler.reverse = reverse; }

} // namespace cuda_on_cpu

#include "cuda_on_cpu_host.h"

//===----------------------------------------------------------------------===//
// Device functions
//===----------------------------------------------------------------------===//

inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes,
                                    size_t zeros = 0) {
  if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes ||
      reinterpret_cast<uintptr_t>(to) % bytes ||
      reinterpret_cast<uintptr_t>(from) % bytes)
    cuda_on_cpu::faultInThread("an asynchronous copy of a size or alignment "
                               "that devices do not have");
  cuda_on_cpu::asyncCopies().groups.back().push_back({to, from, bytes, zeros});
}
inline void __pipeline_commit() {
  cuda_on_cpu::asyncCopies().groups.emplace_back();
}
inline void __pipeline_wait_prior(size_t prior) {
  cuda_on_cpu::asyncCopies().wait(prior);
}

#include "cuda_on_cpu_bulk.h"

inline void __syncthreads(const char *file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  cuda_on_cpu::barrier(file, line);
}

inline int __syncthreads_or(int vote, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  static int any; // of the block that runs
  cuda_on_cpu::barrier(file, line);
  any = 0;
  cuda_on_cpu::barrier(file, line);
  any |= vote != 0;
  cuda_on_cpu::barrier(file, line);
  return any;
}

#include "cuda_on_cpu_device.h"

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_H
