// What lies at an address of the device, after what the stream does before.
template <typename $Value>
[[maybe_unused]] static $Value HELPER_fetch(const $Value *$address,
                                            cudaStream_t $stream) {
  $Value $value{};
  if (cudaMemcpyAsync(&$value, $address, sizeof $value, cudaMemcpyDefault,
                      $stream) == cudaSuccess)
    (void)cudaStreamSynchronize($stream);
  return $value;
}
