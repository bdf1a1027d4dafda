// Says why the original runs: once, and not where CONVOPT_QUIET is set.
[[maybe_unused]] static void HELPER_fallback(cudaError_t $error) {
  static const bool $said =
      !std::getenv("CONVOPT_QUIET") &&
      std::fprintf(stderr, "HELPER: %s; running the original\n",
                   cudaGetErrorString($error)) > 0;
  (void)$said;
}

