template <typename $T, int $N>
__device__ inline HELPER_vector<$T, $N> HELPER_vector_of($T $value) {
  HELPER_vector<$T, $N> $all;
  for ($T &$one : $all.element)
    $one = $value;
  return $all;
}

