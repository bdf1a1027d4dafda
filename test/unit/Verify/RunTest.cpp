//===- RunTest.cpp - Verdicts on hand-written kernels ---------------------===//
//
// Part of convopt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tiled code here is written by hand, right or with one planted error, so
/// that these tests depend on nothing but Verify. Each compiles and runs a
/// driver on the CPU, which takes seconds.
///
//===----------------------------------------------------------------------===//

#include "Nests.h"
#include "convopt/Support/Refusal.h"
#include "convopt/Verify/Verify.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace convopt;
using namespace convopt::test;

namespace {

/// The places where errors are planted.
struct Code {
  std::string guard = "o < O && y < OH && x < OW";
  std::string filters = "F";
  std::string after; // at the end of the kernel
  std::string store = "sum";
  std::string free = "cudaFree(c);";
  std::string hostLaunch =
      "conv_tiled_launch(a, b, c, N, O, H, W, F, nullptr);";
  std::string noMemory = "(void)cudaGetLastError();"; // before the naive code
};

struct Verdict {
  ExitStatus status;
  std::string text;
  bool has(llvm::StringRef part) const {
    return llvm::StringRef(text).contains(part);
  }
};

std::string conv(const Code &c) {
  return R"(
#include <cuda_runtime.h>
void conv(const float *inputs, const float *filters, float *outputs, int N,
          int O, int H, int W, int F) {
  const int OH = H - F + 1, OW = W - F + 1;
  for (int o = 0; o < O; ++o)
    for (int y = 0; y < OH; ++y)
      for (int x = 0; x < OW; ++x) {
        float sum = 0.0f;
        for (int n = 0; n < N; ++n)
          for (int i = 0; i < F; ++i)
            for (int j = 0; j < F; ++j)
              sum += inputs[(n * H + y + i) * W + x + j] *
                     filters[((n * O + o) * F + i) * F + j];
        outputs[(o * OH + y) * OW + x] = sum;
      }
}
__global__ void kernel(const float *inputs, const float *filters,
                       float *outputs, int N, int O, int H, int W, int F) {
  const int OH = H - F + 1, OW = W - F + 1;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int o = blockIdx.z;
  if ()" +
         c.guard + R"() {
    float sum = 0.0f;
    for (int n = 0; n < N; ++n)
      for (int i = 0; i < )" +
         c.filters + R"(; ++i)
        for (int j = 0; j < F; ++j)
          sum += inputs[(n * H + y + i) * W + x + j] *
                 filters[((n * O + o) * F + i) * F + j];
    outputs[(o * OH + y) * OW + x] = )" +
         c.store + R"(;
  })" + c.after +
         R"(
}
cudaError_t conv_tiled_launch(const float *a, const float *b, float *c, int N,
                              int O, int H, int W, int F, cudaStream_t s) {
  const dim3 grid((W - F + 16) / 16, (H - F + 4) / 4, O), block(16, 4);
  cuda_on_cpu::launch(grid, block, 0, s,
                      [&] { kernel(a, b, c, N, O, H, W, F); });
  return cudaGetLastError();
}
void conv_tiled(const float *inputs, const float *filters, float *outputs,
                int N, int O, int H, int W, int F) {
  const size_t as = 4 * N * H * W, bs = 4 * N * O * F * F,
               cs = 4 * O * (H - F + 1) * (W - F + 1);
  float *a, *b, *c;
  if (cudaMalloc(&a, as) || cudaMalloc(&b, bs) || cudaMalloc(&c, cs)) {
)" + c.noMemory +
         R"(
    return conv(inputs, filters, outputs, N, O, H, W, F);
  }
  cudaMemcpy(a, inputs, as, cudaMemcpyHostToDevice);
  cudaMemcpy(b, filters, bs, cudaMemcpyHostToDevice);
)" + c.hostLaunch +
         R"(
  cudaMemcpy(outputs, c, cs, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  )" + c.free +
         R"(
}
int main() { return 7; }
)";
}

Verdict verify(const Nest &nest, const std::string &emitted,
               double budget = 2e9, const std::string &naive = "",
               unsigned seconds = 900) {
  VerifyOptions options;
  options.shapes = defaultShapes(nest, {}, llvm::cantFail(findGpu("sm_90")));
  options.isC = !naive.empty();
  auto driver = emitVerifyDriver(nest, "emitted.cu", options);
  VerifyRun run;
  run.emitted = emitted;
  run.naive = naive;
  run.naiveIsC = options.isC;
  run.where = Where::Cpu;
  run.budget = budget;
  run.shapes = options.shapes.size();
  run.secondsToRun = seconds;
  Verdict verdict{ExitStatus::Bug, ""};
  llvm::raw_string_ostream os(verdict.text);
  if (!driver) {
    verdict.status = report(driver.takeError(), os, "");
    return verdict;
  }
  run.driver = *driver;
  verdict.status = report(runVerification(run, os), os, "");
  return verdict;
}

} // namespace

TEST(RunVerification, PassesRightCode) {
  Verdict v = verify(figure3(), conv({}));
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
  EXPECT_TRUE(v.has("integer-exact, float64 reference (max error "));
  EXPECT_TRUE(v.has("of bound), bit-identical to naive")) << v.text;
  EXPECT_TRUE(v.has("verified: 6 shapes on the CPU")) << v.text;
}

TEST(RunVerification, FindsAMissingRowOfTheFilter) {
  Code code;
  code.filters = "F - (F > 1)";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("elements of 'outputs' are wrong, the first is "
                    "outputs[0][0]["))
      << v.text;
}

TEST(RunVerification, FindsAnErrorInTheLastBit) {
  Code code;
  code.store = "sum + 1e-7f * (x == 20)";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
}

TEST(RunVerification, FindsAnElementThatIsNotWritten) {
  Code code;
  code.guard = "o < O && y < OH && x < OW && x != 36";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("[36] = ")) << v.text;
}

TEST(RunVerification, FindsAnAccessOutOfBounds) {
  Code code;
  code.guard = "o < O && y < OH";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("AddressSanitizer: heap-buffer-overflow")) << v.text;
}

TEST(RunVerification, FindsAnInputThatIsWritten) {
  Code code;
  code.after = "\n  if (x == 0) const_cast<float *>(filters)[0] = 9;";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("'filters' are wrong")) << v.text;
}

TEST(RunVerification, FindsABarrierThatThreadsMiss) {
  Code code;
  code.after = "\n  if (x < 8) __syncthreads();";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("threads reached the barrier at")) << v.text;
}

TEST(RunVerification, FindsMemoryThatIsNotFreed) {
  Code code;
  code.free = "";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("left device memory allocated")) << v.text;
}

TEST(RunVerification, WhatIsTooLargeIsNotPassed) {
  Verdict v = verify(figure3(), conv({}), /*budget=*/10000);
  EXPECT_EQ(v.status, ExitStatus::Missing) << v.text;
  EXPECT_TRUE(v.has("not run: N=")) << v.text;
  EXPECT_TRUE(v.has("not every shape was run"));
}

TEST(RunVerification, TellsShapesFromWhatIsRunAfterThem) {
  Code code;
  code.noMemory = "for (volatile int waits = 1; waits;) ;";
  Verdict v = verify(figure3(), conv(code), /*budget=*/2e9, /*naive=*/"",
                     /*seconds=*/8);
  EXPECT_EQ(v.status, ExitStatus::Missing) << v.text;
  EXPECT_TRUE(v.has("the run did not end within 8 s: all 6 shapes were run"))
      << v.text;
}

TEST(RunVerification, WhatDoesNotCompileIsABug) {
  Verdict v =
      verify(figure3(), "#warning first\n#error second\n#error third\n");
  EXPECT_EQ(v.status, ExitStatus::Bug);
  EXPECT_TRUE(v.has("nothing was verified")) << v.text;
  EXPECT_TRUE(v.has("second")) << v.text;
  EXPECT_FALSE(v.has("third")) << v.text;
}

TEST(RunVerification, FindsTheNaiveCodeInPlaceOfTheKernel) {
  Code code;
  code.free = "cudaFree(c); conv(inputs, filters, outputs, N, O, H, W, F);";
  code.hostLaunch = "";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("the naive code ran in place of the kernel")) << v.text;
}

TEST(RunVerification, FindsAnErrorThatIsLeftAfterTheNaiveCode) {
  Code code;
  code.noMemory = "";
  Verdict v = verify(figure3(), conv(code));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("after the naive code: cudaErrorMemoryAllocation"))
      << v.text;
}

TEST(RunVerification, FindsAHostFunctionThatCopiesMoreThanIsTouched) {
  // A stride of 2 leaves the last column of an even width alone.
  Nest nest = templateKernel();
  nest.function.isKernel = false;
  nest.function.templateParameters.clear();
  nest.function.templateArgs.clear();
  nest.function.typeParams.clear();
  for (Array &a : nest.arrays)
    if (a.elementType == "T")
      a.elementType = "float";
  nest.params[0].definition = IndexExpr(0);
  nest.params[0].isTemplate = false;
  auto code = [](const std::string &elements) {
    return R"(
#include <cuda_runtime.h>
void blur(float *in, float *out, int n) {
  for (int x = 0; x < n; ++x)
    out[x] = in[x];
}
__global__ void kernel(float *in, float *out, int n) { blur(in, out, n); }
cudaError_t blur_tiled_launch(float *in, float *out, int n, cudaStream_t s) {
  cuda_on_cpu::launch(1, 1, 0, s, [&] { kernel(in, out, n); });
  return cudaGetLastError();
}
void blur_tiled(float *in, float *out, int n) {
  const size_t bytes = 4 * ()" +
           elements + R"();
  float *a, *b;
  if (cudaMalloc(&a, bytes) || cudaMalloc(&b, bytes)) {
    (void)cudaGetLastError();
    return blur(in, out, n);
  }
  cudaMemcpy(a, in, bytes, cudaMemcpyHostToDevice);
  blur_tiled_launch(a, b, n, nullptr);
  cudaMemcpy(out, b, 4 * n, cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
}
)";
  };
  Verdict v = verify(nest, code("n"));
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
  v = verify(nest, code("n + 1"));
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed);
  EXPECT_TRUE(v.has("AddressSanitizer: heap-buffer-overflow")) << v.text;
}

TEST(RunVerification, RunsTemplateKernels) {
  Verdict v = verify(templateKernel(), R"(
#include <cuda_runtime.h>
template <class T, int radius>
__global__ void blur(T *in, T *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  T sum = 0;
  for (int i = 0; i < 2 * radius + 1; ++i)
    sum += in[x + i];
  out[x] = sum;
}
template <class T, int radius>
__global__ void __launch_bounds__(8) blur_tiled_kernel(T *in, T *out, int n) {
  __shared__ T tile[8 + 2 * radius];
  const int x0 = blockIdx.x * 8;
  for (int k = threadIdx.x; k < 8 + 2 * radius; k += 8)
    if (x0 + k < n + 2 * radius)
      tile[k] = __ldg(in + x0 + k);
  __syncthreads();
  T sum = 0;
#pragma unroll
  for (int i = 0; i < 2 * radius + 1; ++i)
    sum += tile[threadIdx.x + i];
  if (x0 + threadIdx.x < n)
    out[x0 + threadIdx.x] = sum;
}
template <class T, int radius>
cudaError_t blur_tiled_launch(T *in, T *out, int n, cudaStream_t stream) {
  cuda_on_cpu::launch((n + 7) / 8, 8, 0, stream,
                      [&] { blur_tiled_kernel<T, radius>(in, out, n); });
  return cudaGetLastError();
}
template <class T, int radius>
void blur_tiled_dispatch(dim3 grid, dim3 block, size_t, cudaStream_t s, T *in,
                         T *out, int n) {
  if (grid.x * block.x >= unsigned(n))
    blur_tiled_launch<T, radius>(in, out, n, s);
  else
    cuda_on_cpu::launch(grid, block, 0, s,
                        [&] { blur<T, radius>(in, out, n); });
}
)");
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
  EXPECT_TRUE(v.has("radius=")) << v.text;
}

/// A launch and a replacement for figure3 that run the naive function itself.
static const char *const hostOnly = R"(
cudaError_t conv_tiled_launch(float *a, float *b, float *c, int N, int O, int H,
                              int W, int F, cudaStream_t) {
  naive(a, b, c, N, O, H, W, F);
  return cudaSuccess;
}
extern "C" void conv_tiled(const float *a, const float *b, float *c, int N,
                           int O, int H, int W, int F) {
  naive(a, b, c, N, O, H, W, F);
}
)";

TEST(RunVerification, LinksCApart) {
  const std::string body = R"({
  for (int o = 0; o < O; o++)
    for (int y = 0; y <= H - F; y++)
      for (int x = 0; x <= W - F; x++) {
        float sum = 0.0f;
        for (int n = 0; n < N; n++)
          for (int i = 0; i < F; i++)
            for (int j = 0; j < F; j++)
              sum += inputs[(n * H + y + i) * W + x + j] *
                     filters[((n * O + o) * F + i) * F + j];
        outputs[(o * (H - F + 1) + y) * (W - F + 1) + x] = sum;
      }
})";
  const std::string parameters =
      "(const float *inputs, const float *filters, float *outputs, int N, "
      "int O, int H, int W, int F)";
  Verdict v = verify(
      figure3(),
      "extern \"C\" void conv" + parameters + ";\nstatic void naive" +
          parameters + body + hostOnly,
      2e9,
      "int new = 1; // no C++\nvoid conv(const float *restrict inputs, const "
      "float *restrict filters, float *restrict outputs, int N, int O, int H, "
      "int W, int F)" +
          body + "\nint main(void) { return 1; }\n");
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
}

TEST(RunVerification, PassesArraysOfSeveralDimensions) {
  Nest nest = figure3();
  // Constant sizes, as the types of the parameters need them.
  const int64_t sizes[] = {2, 3, 7, 9, 3};
  for (unsigned i = 0; i != 5; ++i)
    nest.params[i].definition = IndexExpr(sizes[i]);
  nest.function.arguments = {
      {"const float @[2][7][9]", "inputs", Argument::ArrayArg, 0},
      {"const float @[2][3][3][3]", "filters", Argument::ArrayArg, 1},
      {"float (*@)[5][7]", "outputs", Argument::ArrayArg, 2}};
  Verdict v = verify(nest, R"(
#include <cuda_runtime.h>
void conv(const float inputs[2][7][9], const float filters[2][3][3][3],
          float (*outputs)[5][7]) {
  for (int o = 0; o < 3; ++o)
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x) {
        float sum = 0.0f;
        for (int n = 0; n < 2; ++n)
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              sum += inputs[n][y + i][x + j] * filters[n][o][i][j];
        outputs[o][y][x] = sum;
      }
}
cudaError_t conv_tiled_launch(const float (*a)[7][9],
                              const float (*b)[3][3][3], float (*c)[5][7],
                              cudaStream_t) {
  conv(a, b, c);
  return cudaSuccess;
}
void conv_tiled(const float inputs[2][7][9], const float filters[2][3][3][3],
                float (*outputs)[5][7]) {
  conv(inputs, filters, outputs);
}
)");
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
  EXPECT_TRUE(v.has("constant sizes")) << v.text;
}

/// `out[x] += relu(sum of w[i] * in[x + i - 1]) / 3`, zero padded, in place.
static Nest padded() {
  Nest nest;
  enum { n };
  nest.params = {{"n", "int", false, std::nullopt}};
  nest.arrays = {{"in", "float", Array::Input, {p(n)}, {}, 0, {}},
                 {"w", "float", Array::Input, {IndexExpr(3)}, {}, 0, {}},
                 {"out", "float", Array::InOut, {p(n)}, {}, 0, {}},
                 {"sum", "float", Array::LocalArray, {}, {}, 0, {}}};
  nest.loopNames = {"x", "i"};
  const IndexExpr at = l(0) + l(1) - IndexExpr(1);
  auto add = makeStatement(1, Statement::Op::Add, {3, {}}, "$0 * $1",
                           {{0, {at}}, {1, {l(1)}}}, {0, 1});
  add->operands[0].guard = {
      {Constraint::NonNegative, at},
      {Constraint::NonNegative, p(n) - IndexExpr(1) - at}};
  add->operands[0].otherwise = "0.0f";
  nest.body = {makeLoop(
      0, p(n),
      {std::make_shared<Local>(3),
       makeStatement(0, Statement::Op::Assign, {3, {}}, "0.0f", {}, {0}),
       makeLoop(1, IndexExpr(3), {add}),
       makeStatement(2, Statement::Op::Add, {2, {l(0)}},
                     "fmaxf($0, 0.0f) / 3.0f * gain", {{3, {}}}, {0})})};
  nest.function.name = "conv";
  nest.function.arguments = {{"float *@", "in", Argument::ArrayArg, 0},
                             {"float *@", "w", Argument::ArrayArg, 1},
                             {"float *@", "out", Argument::ArrayArg, 2},
                             {"int @", "n", Argument::ParamArg, 0},
                             {"float @", "gain", Argument::ScalarArg, 0}};
  return nest;
}

TEST(RunVerification, KnowsPaddingEpiloguesAndOutputsInPlace) {
  const std::string code = R"(
#include <cuda_runtime.h>
void conv(float *in, float *w, float *out, int n, float gain) {
  for (int x = 0; x < n; ++x) {
    float sum = 0.0f;
    for (int i = 0; i < 3; ++i)
      sum += (x + i - 1 >= 0 && x + i - 1 < n ? in[x + i - 1] : 0.0f) * w[i];
    out[x] += fmaxf(sum, 0.0f) / 3.0f * gain;
  }
}
cudaError_t conv_tiled_launch(float *in, float *w, float *out, int n,
                              float gain, cudaStream_t) {
  conv(in, w, out, n, gain TILED);
  return cudaSuccess;
}
void conv_tiled(float *in, float *w, float *out, int n, float gain) {
  conv(in, w, out, n, gain);
}
)";
  Verdict v = verify(padded(), "#define TILED\n" + code);
  EXPECT_EQ(v.status, ExitStatus::Done) << v.text;
  EXPECT_TRUE(v.has("n=33: float64 reference")) << "thirds are not exact";
  v = verify(padded(), "#define TILED * 0\n" + code);
  EXPECT_EQ(v.status, ExitStatus::VerificationFailed) << v.text;
}
