// Streams of cuda_on_cpu.h: kernels, and copies of page-locked
// memory, wait in their queue.
//
// RUN: %cxx -x c++ -std=c++17 -O1 -Wall -Werror -fsanitize=address,undefined -fno-sanitize-recover=all -I %source/include/convopt/Verify %s -o %t -lboost_context
// RUN: %t good | FileCheck --check-prefix=GOOD %s
// GOOD: all good
//
// RUN: not %t unlocked 2>&1 | FileCheck --check-prefix=UNLOCKED %s
// UNLOCKED: cuda_on_cpu: error: memory is unlocked while copies may still use it

#include "cuda_on_cpu.h"
#include <string>

#define EXPECT(condition)                                                      \
  if (!(condition)) {                                                          \
    std::printf("line %d: %s\n", __LINE__, #condition);                        \
    return 1;                                                                  \
  }

template <class F> static void launch(cudaStream_t stream, F &&f) {
  ::cuda_on_cpu::launch(1, 1, 0, stream, f);
}

static cudaError_t copyIn(int *device, int *host, cudaStream_t stream) {
  return cudaMemcpyAsync(device, host, sizeof(int), cudaMemcpyHostToDevice,
                         stream);
}

/// What has to be waited for is not there before.
static int waits() {
  int host[2] = {1, 2}, *device, seen = 0;
  cudaStream_t a, b;
  cudaEvent_t event;
  EXPECT(cudaMalloc(&device, sizeof host) == cudaSuccess);
  EXPECT(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking) == cudaSuccess);
  EXPECT(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking) == cudaSuccess);
  EXPECT(cudaEventCreateWithFlags(&event, cudaEventDisableTiming) ==
         cudaSuccess);
  auto look = [&] { seen = *device; };

  // Memory that can be paged out is read at once.
  EXPECT(copyIn(device, host, a) == cudaSuccess);
  host[0] = 3;
  launch(b, look);
  EXPECT(seen == 1);

  EXPECT(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault) ==
         cudaSuccess);
  EXPECT(copyIn(device, host, a) == cudaSuccess);
  launch(b, look);
  EXPECT(seen == 1); // b does not wait for a
  launch(nullptr, look);
  EXPECT(seen == 1); // neither does the default stream
  launch(a, look);
  EXPECT(seen == 3);

  // An event stands for what was queued before it was recorded.
  host[0] = 4;
  EXPECT(copyIn(device, host, a) == cudaSuccess);
  EXPECT(cudaEventRecord(event, a) == cudaSuccess);
  EXPECT(copyIn(device, host + 1, a) == cudaSuccess);
  EXPECT(cudaStreamWaitEvent(b, event) == cudaSuccess);
  launch(b, look);
  EXPECT(seen == 4);
  EXPECT(cudaStreamSynchronize(b) == cudaSuccess);
  launch(b, look);
  EXPECT(seen == 4);
  EXPECT(cudaStreamSynchronize(a) == cudaSuccess);
  launch(b, look);
  EXPECT(seen == 2);
  EXPECT(cudaStreamWaitEvent(b, nullptr) == cudaErrorInvalidResourceHandle);
  EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);

  // A result comes when it is asked for.
  EXPECT(cudaMemcpyAsync(host, device, sizeof(int), cudaMemcpyDeviceToHost,
                         b) == cudaSuccess);
  EXPECT(host[0] == 4);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  EXPECT(host[0] == 2);

  EXPECT(cudaHostUnregister(host) == cudaSuccess);
  EXPECT(cudaFree(device) == cudaSuccess);
  EXPECT(cudaEventDestroy(event) == cudaSuccess);
  EXPECT(cudaStreamDestroy(a) == cudaSuccess);
  EXPECT(cudaStreamDestroy(b) == cudaSuccess);
  return 0;
}

/// A kernel that was launched with copies of its arguments runs late.
static int late() {
  int *device, host[2] = {0, 0};
  cudaStream_t a;
  EXPECT(cudaMalloc(&device, sizeof host) == cudaSuccess);
  EXPECT(cudaMemset(device, 0, sizeof host) == cudaSuccess);
  EXPECT(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking) == cudaSuccess);
  for (int value = 1; value != 3; ++value)
    ::cuda_on_cpu::launchLater(1, 1, 0, a, [=] {
      *device = 10 * *device + value;
    });
  EXPECT(*device == 0);
  ::cuda_on_cpu::launchLater(1, 1, 0, nullptr, [=] { device[1] = *device; });
  EXPECT(device[1] == 0);
  ::cuda_on_cpu::launchLater(1, 2048, 0, a, [=] { *device = 99; });
  EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration);
  EXPECT(cudaMemcpyAsync(host, device, sizeof host, cudaMemcpyDeviceToHost,
                         a) == cudaSuccess);
  EXPECT(host[0] == 12);
  EXPECT(cudaFree(device) == cudaSuccess);
  EXPECT(cudaStreamDestroy(a) == cudaSuccess);
  return 0;
}

/// Ordinary streams and the default stream wait for each other.
static int blocks() {
  int *host, *device, seen = 0;
  cudaStream_t a;
  EXPECT(cudaMallocHost(&host, sizeof *host) == cudaSuccess);
  EXPECT(cudaMalloc(&device, sizeof *host) == cudaSuccess);
  EXPECT(cudaStreamCreate(&a) == cudaSuccess);
  *host = 5;
  EXPECT(copyIn(device, host, a) == cudaSuccess);
  launch(nullptr, [&] { seen = *device; });
  EXPECT(seen == 5);
  // What is freed has been used.
  EXPECT(copyIn(device, host, a) == cudaSuccess);
  EXPECT(cudaFree(device) == cudaSuccess);
  EXPECT(cudaStreamDestroy(a) == cudaSuccess);
  EXPECT(cudaFreeHost(host) == cudaSuccess);
  return 0;
}

static int registers() {
  char memory[64];
  EXPECT(cudaHostRegister(memory + 16, 16, cudaHostRegisterDefault) ==
         cudaSuccess);
  for (int at : {8, 16, 31})
    EXPECT(cudaHostRegister(memory + at, 16, cudaHostRegisterDefault) ==
           cudaErrorHostMemoryAlreadyRegistered);
  EXPECT(cudaHostRegister(memory, 16, cudaHostRegisterDefault) == cudaSuccess);
  EXPECT(cudaHostRegister(memory, 0, cudaHostRegisterDefault) ==
         cudaErrorInvalidValue);
  EXPECT(cudaHostUnregister(memory) == cudaSuccess);
  EXPECT(cudaHostUnregister(memory) == cudaErrorHostMemoryNotRegistered);
  EXPECT(cudaHostUnregister(memory + 16) == cudaSuccess);
  return 0;
}

static void unlocked() {
  int host = 1, *device;
  cudaStream_t a;
  cudaMalloc(&device, sizeof host);
  cudaStreamCreate(&a);
  cudaHostRegister(&host, sizeof host, cudaHostRegisterDefault);
  copyIn(device, &host, a);
  cudaHostUnregister(&host);
}

int main(int, char **argv) {
  if (argv[1] != std::string("good"))
    unlocked();
  else if (!waits() && !late() && !blocks() && !registers())
    std::puts("all good");
}
