// Threads that go through a row of a copy together, so that few idle.
[[maybe_unused]] __host__ __device__ static constexpr int
HELPER_across(int $columns, int $threads) {
  const int $turns = (4 * $columns + $threads - 1) / $threads;
  return ($columns + $turns - 1) / $turns;
}

