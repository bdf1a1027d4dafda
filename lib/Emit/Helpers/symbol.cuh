// Where a variable of the device is; null, and an error, where it is nowhere.
template <typename $Element, typename $Variable>
[[maybe_unused]] static $Element *HELPER_symbol($Variable &$variable) {
  void *$address = nullptr;
  (void)cudaGetSymbolAddress(&$address, $variable);
  return ($Element *)$address;
}

