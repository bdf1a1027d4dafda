// Copies 4, 8 or 16 bytes or as many zeros while the thread goes on. Which of
// both is an operand of cp.async; __pipeline_memcpy_async takes one instruction
// for each.
template <size_t $Bytes>
[[maybe_unused]] __device__ static inline void
HELPER_copy_or_zeros(void *$to, const void *$from, bool $copies) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const unsigned $shared = (unsigned)__cvta_generic_to_shared($to);
  const size_t $global = __cvta_generic_to_global($from);
  const unsigned $count = $copies ? $Bytes : 0;
  if constexpr ($Bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"($shared),
                 "l"($global), "r"($count)
                 : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"($shared),
                 "l"($global), "n"($Bytes), "r"($count)
                 : "memory");
#else
  __pipeline_memcpy_async($to, $from, $Bytes, $copies ? 0 : $Bytes);
#endif
}
