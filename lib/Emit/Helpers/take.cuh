// A pool of its own for the memory of launches: the default one gives memory
// back to the system at each synchronisation, and taking it anew takes longer
// than many a kernel.
[[maybe_unused]] static cudaError_t HELPER_pool(cudaMemPool_t *$pool) {
  static std::mutex $busy;
  static cudaMemPool_t $pools[64];
  const std::lock_guard<std::mutex> $lock($busy);
  int $device = 0;
  cudaError_t $error = cudaGetDevice(&$device);
  if ($error == cudaSuccess && $device >= 64)
    $error = cudaErrorInvalidDevice;
  if ($error == cudaSuccess && $pools[$device] == nullptr) {
    cudaMemPoolProps $properties = {};
    $properties.allocType = cudaMemAllocationTypePinned;
    $properties.location.type = cudaMemLocationTypeDevice;
    $properties.location.id = $device;
    uint64_t $kept = UINT64_MAX;
    // Streams that are captured forbid it elsewhere.
    cudaStreamCaptureMode $mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&$mode);
    $error = cudaMemPoolCreate($pool, &$properties);
    if ($error == cudaSuccess)
      $error = cudaMemPoolSetAttribute(*$pool, cudaMemPoolAttrReleaseThreshold,
                                       &$kept);
    cudaThreadExchangeStreamCaptureMode(&$mode);
    if ($error == cudaSuccess)
      $pools[$device] = *$pool;
  }
  if ($error == cudaSuccess)
    *$pool = $pools[$device];
  return $error;
}

// The error of memory that there is not is returned, and not to be found later.
template <class T>
[[maybe_unused]] static cudaError_t HELPER_take(T **$memory, size_t $bytes,
                                                cudaStream_t $stream,
                                                const char *$what) {
  static thread_local char $needs[128];
  cudaMemPool_t $pool = nullptr;
  cudaError_t $error = HELPER_pool(&$pool);
  if ($error == cudaSuccess)
    $error =
        cudaMallocFromPoolAsync((void **)$memory, $bytes, $pool, $stream);
  if ($error == cudaSuccess)
    return $error;
  (void)cudaGetLastError();
  std::snprintf($needs, sizeof($needs), "%zu bytes for %s", $bytes, $what);
  return HELPER_refuse($error, $needs);
}

