//===- Recorder.cpp - What the naive code touches -------------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang has the naive code say what it loads and stores
/// (-fsanitize-coverage=trace-loads,trace-stores).
///
//===----------------------------------------------------------------------===//

#include "Host.h"
#include <sys/mman.h>

namespace host {

constexpr unsigned MostRegions = 16;
/// From one region to the next, with memory between that nothing may touch.
constexpr size_t Pitch = 2 * RegionBytes;
static std::vector<unsigned char> marks[MostRegions];

static char *arena() {
  static char *const begin = [] {
    const size_t bytes = (MostRegions + 1) * Pitch;
    void *p = mmap(nullptr, bytes, PROT_NONE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
      std::abort();
    return static_cast<char *>(p) + RegionBytes;
  }();
  return begin;
}

char *region(unsigned k) {
  char *p = arena() + k * Pitch;
  if (k >= MostRegions || mprotect(p, RegionBytes, PROT_READ | PROT_WRITE))
    std::abort();
  return p;
}

const std::vector<unsigned char> &touched(unsigned k) { return marks[k]; }

void startRecording() {
  arena();
  for (auto &m : marks)
    m.clear();
}

template <size_t Bytes> static void touch(const void *p) {
  static char *const begin = arena();
  const size_t offset = static_cast<const char *>(p) - begin;
  if (offset >= MostRegions * Pitch)
    return;
  std::vector<unsigned char> &m = marks[offset / Pitch];
  const size_t at = offset % Pitch, end = at + Bytes;
  m.resize(std::max(m.size(), end));
  std::fill(m.begin() + at, m.begin() + end, 1);
}

} // namespace host

#define RECORD(bytes)                                                          \
  extern "C" void __sanitizer_cov_load##bytes(const void *p) {                 \
    host::touch<bytes>(p);                                                     \
  }                                                                            \
  extern "C" void __sanitizer_cov_store##bytes(const void *p) {                \
    host::touch<bytes>(p);                                                     \
  }
RECORD(1)
RECORD(2)
RECORD(4)
RECORD(8)
RECORD(16)
