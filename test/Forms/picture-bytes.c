// A picture of bytes, its sum shifted and clamped by statements.
// RUN: %convopt %s -emit=nest | FileCheck %s
// RUN: %convopt %s -staging=shared -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: %convopt %s -tile=32,2 -reg=2 -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: S1: acc += src[r + kr - half][c + kc - half] * kern[kr][kc]
// CHECK: S3: acc = (acc < 0 ? (int)(0) : acc)
#include <stdint.h>
void conv2d_u8(const uint8_t *src, uint8_t *dst, int rows, int cols, const int8_t *kern, int ksize, int shift) {
    int half = ksize / 2;
    for (int r = 0; r < rows; ++r) {
        for (int c = 0; c < cols; ++c) {
            int acc = 0;
            for (int kr = 0; kr < ksize; ++kr) {
                int rr = r + kr - half;
                if (rr < 0 || rr >= rows) continue;
                for (int kc = 0; kc < ksize; ++kc) {
                    int cc = c + kc - half;
                    if (cc < 0 || cc >= cols) continue;
                    acc += src[rr * cols + cc] * kern[kr * ksize + kc];
                }
            }
            acc >>= shift;
            if (acc < 0) acc = 0;
            if (acc > 255) acc = 255;
            dst[r * cols + c] = (uint8_t)acc;
        }
    }
}
