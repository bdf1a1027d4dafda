// Copies while the thread goes on, where devices have copies of so many bytes.
template <size_t $Bytes>
[[maybe_unused]] __device__ static inline void
HELPER_copy_async(void *$to, const void *$from) {
  if constexpr ($Bytes == 4 || $Bytes == 8 || $Bytes == 16)
    __pipeline_memcpy_async($to, $from, $Bytes);
  else
    for (size_t $k = 0; $k != $Bytes; ++$k)
      ((char *)$to)[$k] = ((const char *)$from)[$k];
}

