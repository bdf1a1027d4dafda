// The value of a variable of the device, after what the stream does before.
template <typename $Variable>
[[maybe_unused]] static $Variable HELPER_read(const $Variable &$variable,
                                              cudaStream_t $stream) {
  $Variable $value{};
  if (cudaMemcpyFromSymbolAsync(&$value, $variable, sizeof $value, 0,
                                cudaMemcpyDeviceToHost,
                                $stream) == cudaSuccess)
    (void)cudaStreamSynchronize($stream);
  return $value;
}

