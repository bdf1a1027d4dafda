// Copies of page-locked memory run beside kernels. Where it cannot be locked,
// they take turns.
[[maybe_unused]] static bool HELPER_pin(const void *$array, size_t $bytes) {
  if (cudaHostRegister((void *)$array, $bytes, cudaHostRegisterDefault) ==
      cudaSuccess)
    return true;
  (void)cudaGetLastError();
  return false;
}

