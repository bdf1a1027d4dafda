//===- omp_on_cpu.h - OpenMP's functions with one thread --------*- C++ -*-===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Takes the place of <omp.h>, in C and C++, where a source is read and where
/// it is verified: pragmas of OpenMP run nothing there.
///
//===----------------------------------------------------------------------===//

#ifndef CONVOPT_VERIFY_OMP_ON_CPU_H
#define CONVOPT_VERIFY_OMP_ON_CPU_H

#include <time.h>

typedef int omp_lock_t;
typedef enum {
  omp_sched_static = 1,
  omp_sched_dynamic = 2,
  omp_sched_guided = 3,
  omp_sched_auto = 4
} omp_sched_t;

static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_num_threads(int n) { (void)n; }
static inline void omp_set_dynamic(int on) { (void)on; }
static inline void omp_set_nested(int on) { (void)on; }
static inline void omp_set_schedule(omp_sched_t kind, int chunk) {
  (void)kind;
  (void)chunk;
}
static inline double omp_get_wtime(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}
static inline double omp_get_wtick(void) { return 1.0 / CLOCKS_PER_SEC; }
static inline void omp_init_lock(omp_lock_t *l) { *l = 0; }
static inline void omp_destroy_lock(omp_lock_t *l) { *l = 0; }
static inline void omp_set_lock(omp_lock_t *l) { *l = 1; }
static inline void omp_unset_lock(omp_lock_t *l) { *l = 0; }

#endif // CONVOPT_VERIFY_OMP_ON_CPU_H
