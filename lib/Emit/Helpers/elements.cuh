[[maybe_unused]] static inline size_t
HELPER_elements(std::initializer_list<long long> $extents) {
  size_t $elements = 1;
  for (long long $extent : $extents) {
    if ($extent <= 0)
      return 0;
    $elements =
        $elements > SIZE_MAX / $extent ? SIZE_MAX : $elements * $extent;
  }
  return $elements;
}

