// What a TMA tensor copy has to know of an array and the boxes that are
// copied: extents in elements, the slowest dimension first. False where it
// cannot be told, as by drivers before CUDA 12.
template <typename T>
static bool HELPER_encode(CUtensorMap *map, const T *array,
                   std::initializer_list<long long> extents,
                   std::initializer_list<unsigned> box) {
  static const auto encode = [] {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    (void)cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry,
                                           12000, cudaEnableDefault, &found);
#else
    (void)cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry,
                                  cudaEnableDefault, &found);
#endif
    if (entry == nullptr)
      (void)cudaGetLastError(); // threads copy
    return (decltype(&cuTensorMapEncodeTiled))entry;
  }();
  // The fastest dimension first; bytes alone tell TMA enough of a type.
  const CUtensorMapDataType type =
      sizeof(T) == 8   ? CU_TENSOR_MAP_DATA_TYPE_UINT64
      : sizeof(T) == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
      : sizeof(T) == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                       : CU_TENSOR_MAP_DATA_TYPE_UINT8;
  const unsigned rank = (unsigned)extents.size();
  cuuint64_t sizes[5], strides[5], bytes = sizeof(T);
  cuuint32_t boxes[5], steps[5];
  for (unsigned k = 0; k != rank; ++k) {
    const long long extent = extents.begin()[rank - 1 - k];
    if (extent < 1 || extent > 1LL << 32 || bytes >= 1ULL << 40)
      return false;
    sizes[k] = (cuuint64_t)extent;
    strides[k] = bytes; // of all but the fastest they are given
    bytes = bytes <= (1ULL << 40) / sizes[k] ? bytes * sizes[k] : 1ULL << 40;
    boxes[k] = box.begin()[rank - 1 - k];
    steps[k] = 1;
  }
  return encode != nullptr &&
         encode(map, type, rank, (void *)array, sizes, strides + 1, boxes,
                steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

