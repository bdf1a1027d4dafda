// Groups that have a loop, with quotients in bounds and subscripts.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=16,2,2 -reg=2,2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shapes

// CHECK: S1: s +=
void gconv(const float *x, const float *w, float *y, int Cin, int Cout, int groups, int H, int W, int K) {
  int oh = H - K + 1, ow = W - K + 1;
  for (int g = 0; g < groups; g++)
    for (int oc = 0; oc < Cout / groups; oc++)
      for (int i = 0; i < oh; i++)
        for (int j = 0; j < ow; j++) {
          float s = 0;
          for (int ic = 0; ic < Cin / groups; ic++)
            for (int a = 0; a < K; a++)
              for (int b = 0; b < K; b++)
                s += x[((g * (Cin / groups) + ic) * H + i + a) * W + j + b] *
                     w[(((g * (Cout / groups) + oc) * (Cin / groups) + ic) * K + a) * K + b];
          y[((g * (Cout / groups) + oc) * oh + i) * ow + j] = s;
        }
}
