[[maybe_unused]] static inline bool HELPER_overlap(const void *$a,
                                                   size_t $aBytes,
                                                   const void *$b,
                                                   size_t $bBytes) {
  return (size_t)$a < (size_t)$b + $bBytes && (size_t)$b < (size_t)$a + $aBytes;
}

