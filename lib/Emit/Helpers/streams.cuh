[[maybe_unused]] static std::mutex HELPER_streams_busy;
// More streams, which wait for what is in the caller's. They are made once, as
// making them takes longer than many a kernel.
[[maybe_unused]] static cudaError_t
HELPER_fork(cudaStream_t $stream, cudaStream_t *$lanes, int $count,
            cudaEvent_t *$event) {
  static cudaStream_t $streams[64][MAX_STREAMS];
  static cudaEvent_t $events[64];
  int $device = 0;
  cudaError_t $error = cudaGetDevice(&$device);
  if ($error == cudaSuccess && $device >= 64)
    $error = cudaErrorInvalidDevice;
  if ($error == cudaSuccess && $events[$device] == nullptr)
    $error =
        cudaEventCreateWithFlags(&$events[$device], cudaEventDisableTiming);
  if ($error == cudaSuccess)
    $error = cudaEventRecord(*$event = $events[$device], $stream);
  $lanes[0] = $stream;
  for (int $k = 1; $k < $count && $error == cudaSuccess; ++$k) {
    cudaStream_t &$lane = $streams[$device][$k];
    if ($lane == nullptr)
      $error = cudaStreamCreateWithFlags(&$lane, cudaStreamNonBlocking);
    if ($error == cudaSuccess)
      $error = cudaStreamWaitEvent($lane, *$event, 0);
    if ($error == cudaSuccess)
      $lanes[$k] = $lane;
  }
  return $error;
}

// The caller's stream waits for the others, whatever went wrong.
[[maybe_unused]] static cudaError_t
HELPER_join(cudaStream_t $stream, const cudaStream_t *$lanes, int $count,
            cudaEvent_t $event, cudaError_t $error) {
  for (int $k = 1; $k < $count && $lanes[$k] != nullptr; ++$k) {
    cudaError_t $joined = cudaEventRecord($event, $lanes[$k]);
    if ($joined == cudaSuccess)
      $joined = cudaStreamWaitEvent($stream, $event, 0);
    $error = $error == cudaSuccess ? $joined : $error;
  }
  return $error;
}

