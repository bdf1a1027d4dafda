// What the last launch that was refused needs.
[[maybe_unused]] static thread_local const char *HELPER_needs = nullptr;

[[maybe_unused]] static cudaError_t HELPER_refuse(cudaError_t $error,
                                                  const char *$needs) {
  HELPER_needs = $needs;
  return $error;
}

// What other launches needed is not what this one does.
[[maybe_unused]] static void HELPER_begin() { HELPER_needs = nullptr; }

// Says why the original runs: once, and not where CONVOPT_QUIET is set.
[[maybe_unused]] static void HELPER_fallback(cudaError_t $error) {
  const char *$needs = HELPER_needs;
  static const bool $said =
      !std::getenv("CONVOPT_QUIET") &&
      std::fprintf(stderr, "HELPER: %s%s%s%s; running the original\n",
                   cudaGetErrorString($error), $needs ? " (needs " : "",
                   $needs ? $needs : "", $needs ? ")" : "") > 0;
  (void)$said;
}

