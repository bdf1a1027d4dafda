[[maybe_unused]] __host__ __device__ static constexpr long long
HELPER_floordiv(long long $a, long long $b) {
  return $a / $b - ($a % $b != 0 && ($a < 0) != ($b < 0));
}

