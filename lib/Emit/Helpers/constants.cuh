// Launches of a device share its constants: each waits until the one before has
// read them.
[[maybe_unused]] static std::mutex HELPER_constants_busy;
[[maybe_unused]] static cudaError_t HELPER_constants_read(cudaEvent_t *$event) {
  static cudaEvent_t $events[64];
  int $device = 0;
  cudaError_t $error = cudaGetDevice(&$device);
  if ($error == cudaSuccess && $device >= 64)
    $error = cudaErrorInvalidDevice;
  if ($error == cudaSuccess && $events[$device] == nullptr)
    $error =
        cudaEventCreateWithFlags(&$events[$device], cudaEventDisableTiming);
  if ($error == cudaSuccess)
    *$event = $events[$device];
  return $error;
}

