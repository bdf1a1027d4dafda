#!/usr/bin/env bash
# Times the host function of a layer, with all copies between host and device:
# a batch at a time in streams, or all of it before and after the launches.
# In two halves, as a machine with a GPU need not have LLVM:
#   host.sh emit DIR    writes the files (needs convopt: CONVOPT=...)
#   host.sh run DIR     builds them with nvcc and runs them
set -euo pipefail
mode=$1 dir=$2
root=$(cd "$(dirname "$0")/../.." && pwd)

emit() {
  local convopt=${CONVOPT:-$root/build/bin/convopt} name
  local streams=$root/examples/schedules/course_streams.sched
  mkdir -p "$dir"
  cp "$0" "$dir"
  cp "$streams" "$dir/streams.sched"
  sed 's/stream:3/launch/' "$streams" >"$dir/launches.sched"
  for name in streams launches; do
    "$convopt" "$root/examples/course_forward.cpp" \
      -schedule="$dir/$name.sched" -o "$dir/$name.cu"
  done
  cat >"$dir/main.cu" <<'END'
#include EMITTED
#include <algorithm>
#include <chrono>
#include <vector>

// Milliseconds of a call, the median of seven after one that warms up.
static void measure(int B, int M, int C, int H, int K, bool locked) {
  const size_t outputs = (size_t)B * M * (H - K + 1) * (H - K + 1);
  const size_t inputs = (size_t)B * C * H * H;
  std::vector<float> x(inputs, 1), k(M * C * K * K, 1), y(outputs);
  if (locked) {
    cudaHostRegister(x.data(), inputs * sizeof(float), cudaHostRegisterDefault);
    cudaHostRegister(y.data(), outputs * sizeof(float), cudaHostRegisterDefault);
  }
  std::vector<double> times;
  for (int run = 0; run < 8; ++run) {
    const auto start = std::chrono::steady_clock::now();
    conv_forward_tiled(y.data(), x.data(), k.data(), B, M, C, H, H, K);
    const std::chrono::duration<double, std::milli> time =
        std::chrono::steady_clock::now() - start;
    if (run)
      times.push_back(time.count());
  }
  std::sort(times.begin(), times.end());
  const bool right = y[0] == C * K * K && y[outputs - 1] == C * K * K;
  std::printf("%-14s B=%d M=%d C=%d H=W=%d K=%d, %s arrays: %.1f ms (%.1f to "
              "%.1f)%s\n",
              EMITTED, B, M, C, H, K, locked ? "locked" : "ordinary",
              times[times.size() / 2], times.front(), times.back(),
              right ? "" : " WRONG");
  if (locked) {
    cudaHostUnregister(x.data());
    cudaHostUnregister(y.data());
  }
}

int main() {
  for (bool locked : {false, true}) {
    measure(10000, 4, 1, 86, 7, locked);
    measure(10000, 16, 4, 40, 7, locked);
  }
}
END
}

run() {
  local name
  for name in launches streams; do
    nvcc -O3 -std=c++17 -arch=native -DEMITTED="\"$name.cu\"" "$dir/main.cu" \
      -o "$dir/$name"
    "$dir/$name"
  done
}

"$mode"
