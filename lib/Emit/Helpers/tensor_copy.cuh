#ifndef CONVOPT_TENSOR_RANKD
#define CONVOPT_TENSOR_RANKD
// Copies the box of a tensor map that begins at an element, with zeros for what
// lies outside of the array (PTX ISA, "cp.async.bulk.tensor").
__device__ inline void convopt_tensor_copy(void *to, unsigned bytes,
                                           uint64_t *barrier,
                                           const CUtensorMap *map,
                                           PARAMETERS) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  const unsigned b = (unsigned)__cvta_generic_to_shared(barrier);
  const unsigned d = (unsigned)__cvta_generic_to_shared(to);
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;"
               ::"r"(b), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.tensor.RANKd.shared::cluster.global"
               ".mbarrier::complete_tx::bytes [%0], [%1, {NUMBERS}], [%2];"
               ::"r"(d), "l"(map), "r"(b), OPERANDS
               : "memory");
#endif
}
#endif

