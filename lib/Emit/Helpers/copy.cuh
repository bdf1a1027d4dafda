// Rows [first, end) of an array, as far as it has them; those before 'done'
// were copied before.
[[maybe_unused]] static cudaError_t
HELPER_copy(void *$to, const void *$from, long long $first, long long $end,
            size_t $row, size_t $bytes, cudaMemcpyKind $kind,
            cudaStream_t $stream, long long $done = 0) {
  $first = $first < $done ? $done : $first;
  size_t $begin = $first < 0 ? 0 : $first * $row,
         $stop = $end < 0 ? 0 : $end * $row;
  $stop = $stop > $bytes ? $bytes : $stop;
  return $begin >= $stop
             ? cudaSuccess
             : cudaMemcpyAsync((char *)$to + $begin,
                               (const char *)$from + $begin, $stop - $begin,
                               $kind, $stream);
}

