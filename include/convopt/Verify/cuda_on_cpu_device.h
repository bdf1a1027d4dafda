//===- cuda_on_cpu_device.h - Device functions on the CPU -------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions that kernels call, other than barriers and copies. A file has
/// kernels besides the one that is verified, and they have to compile: what
/// threads tell each other is an error where it runs. Text that cuda_on_cpu.h
/// includes.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_CUDA_ON_CPU_DEVICE_H
#define CONVOPT_VERIFY_CUDA_ON_CPU_DEVICE_H

template <class T> T __ldg(const T *p) { return *p; }

namespace cuda_on_cpu {
/// As CUDA's overloads of min and max: none for int and long long.
template <class A, class B>
using Common = std::enable_if_t<
    std::is_floating_point<A>::value == std::is_floating_point<B>::value &&
        (std::is_floating_point<A>::value ||
         sizeof(+std::declval<A>()) == sizeof(+std::declval<B>())),
    std::common_type_t<A, B>>;
} // namespace cuda_on_cpu
template <class A, class B> constexpr cuda_on_cpu::Common<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <class A, class B> constexpr cuda_on_cpu::Common<A, B> max(A a, B b) {
  return a < b ? b : a;
}
inline float rsqrtf(float a) { return 1 / std::sqrt(a); }
inline double rsqrt(double a) { return 1 / std::sqrt(a); }

#include "cuda_on_cpu_intrinsics.h"

inline void __threadfence() {}
inline void __threadfence_block() {}
inline long long clock64() { return 0; }

namespace cuda_on_cpu {
/// Threads run one after the other between barriers.
template <class T, class Next> T exchange(T *p, Next next) {
  const T old = *p;
  *p = static_cast<T>(next(old));
  return old;
}
} // namespace cuda_on_cpu

#define CUDA_ON_CPU_CALL(name, parameters)                                     \
  inline cudaError_t name parameters {                                         \
    return cuda_on_cpu::fail(cudaErrorNotSupported);                           \
  }
#define CUDA_ON_CPU_THREADS(T, name, parameters)                               \
  inline T name parameters {                                                   \
    cuda_on_cpu::faultInThread(#name " does not run on the CPU");              \
  }
#define CUDA_ON_CPU_ATOMIC_AS(name, value)                                     \
  template <class T, class U> T name(T *p, U v) {                              \
    return cuda_on_cpu::exchange(p, [b = T(v)](T a) { return value; });        \
  }
#define CUDA_ON_CPU_ATOMIC(name, value)                                        \
  CUDA_ON_CPU_ATOMIC_AS(name, value)                                           \
  CUDA_ON_CPU_ATOMIC_AS(name##_block, value)                                   \
  CUDA_ON_CPU_ATOMIC_AS(name##_system, value)
#include "cuda_on_cpu_beside.h"
template <class T, class U, class V> T atomicCAS(T *p, U expected, V v) {
  return cuda_on_cpu::exchange(
      p, [&](T old) { return old == T(expected) ? T(v) : old; });
}

[[noreturn]] inline void __trap() {
  cuda_on_cpu::faultInThread("a kernel called __trap()");
}
/// Among all lanes of full warps; all threads of the block have to come there.
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance, int width = 32,
                  const char *file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  static T values[1024]; // of the block that runs
  if (mask != 0xffffffffu || width != 32 || distance < 0 || distance > 31 ||
      cuda_on_cpu::scheduler.count % 32)
    cuda_on_cpu::faultInThread("a shuffle among others than all lanes of full "
                               "warps does not run on the CPU");
  cuda_on_cpu::barrier(file, line); // all have read what was there before
  const unsigned thread = cuda_on_cpu::scheduler.current->thread;
  values[thread] = value;
  cuda_on_cpu::barrier(file, line);
  return values[thread ^ unsigned(distance)];
}

#endif // CONVOPT_VERIFY_CUDA_ON_CPU_DEVICE_H
