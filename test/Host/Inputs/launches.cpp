// Standard input with each `f<<<grid, block>>>(x)` as a call of cuda_on_cpu.h.

#include "convopt/Frontend/Frontend.h"
#include <iostream>
#include <iterator>

int main() {
  const std::string cuda(std::istreambuf_iterator<char>(std::cin), {});
  std::cout << convopt::rewriteLaunchesForHost(cuda);
}
