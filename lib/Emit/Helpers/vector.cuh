template <typename $T, int $N>
struct __align__(sizeof($T) * $N) HELPER_vector {
  $T element[$N];
};

