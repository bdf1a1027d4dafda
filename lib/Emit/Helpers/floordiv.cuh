[[maybe_unused]] __host__ __device__ static constexpr long long
HELPER_floordiv(long long $a, long long $b) {
  return $a / $b - ($a % $b != 0 && ($a < 0) != ($b < 0));
}
// A division of 32 bits takes a fraction of the instructions.
[[maybe_unused]] __host__ __device__ static constexpr long long
HELPER_floordiv(int $a, int $b) {
  return $a / $b - ($a % $b != 0 && ($a < 0) != ($b < 0));
}
template <typename $A, typename $B>
[[maybe_unused]] __host__ __device__ static constexpr long long
HELPER_floordiv($A $a, $B $b) {
  return HELPER_floordiv((long long)$a, (long long)$b);
}

