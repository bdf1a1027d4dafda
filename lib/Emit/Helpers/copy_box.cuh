// The part [first, end) of a dimension.
struct HELPER_range {
  long long first, end, extent;
};

// Copies an array from the first element of a box to its last.
[[maybe_unused]] static cudaError_t
HELPER_copy_box(void *$to, const void *$from,
                std::initializer_list<HELPER_range> $box, size_t $bytes,
                cudaMemcpyKind $kind) {
  size_t $first = 0, $last = 0;
  for (const HELPER_range &$r : $box) {
    if ($r.first >= $r.end)
      return cudaSuccess;
    $first = $first * $r.extent + $r.first;
    $last = $last * $r.extent + $r.end - 1;
  }
  return cudaMemcpy((char *)$to + $first * $bytes,
                    (const char *)$from + $first * $bytes,
                    ($last - $first + 1) * $bytes, $kind);
}

