#ifndef CONVOPT_BULK
#define CONVOPT_BULK
// Copies to shared memory by TMA, which sm_90 and later have (PTX
// ISA, "cp.async.bulk"). One thread starts them; a phase of their mbarrier ends
// when that thread has arrived and all bytes have.
__host__ __device__ constexpr bool convopt_has_bulk() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  return true;
#else
  return false;
#endif
}
__device__ inline void convopt_bulk_init(uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
// Addresses and bytes are multiples of 16.
__device__ inline void convopt_bulk_copy(void *to, const void *from,
                                         unsigned bytes, uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  const unsigned d = (unsigned)__cvta_generic_to_shared(to);
  const size_t s = __cvta_generic_to_global(from);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               ::"r"(b), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(d), "l"(s), "r"(bytes), "r"(b) : "memory");
#endif
}
__device__ inline void convopt_bulk_arrive(uint64_t *barrier) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
#endif
}
// Phases are even and odd in turn.
__device__ inline void convopt_bulk_wait(uint64_t *barrier, unsigned phase) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  unsigned ended = 0;
  while (!ended)
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(ended) : "r"(b), "r"(phase) : "memory");
#endif
}
#endif

