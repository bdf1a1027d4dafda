// Rows whose extents a structure has, as generated code declares them: their
// type is that of the parameter of the loops' own function.
// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// CHECK: 'smooth{{_}}nest' has a kernel
// TEXT: static void smooth{{_}}nest(
// TEXT: float (*restrict a)[in->size[1]]
struct field {
  void *data;
  int *size;
};

int smooth(struct field *in, struct field *out, int n, int m) {
  float(*restrict a)[in->size[1]] = (float(*)[in->size[1]])in->data;
  float(*restrict b)[out->size[1]] = (float(*)[out->size[1]])out->data;
  for (int y = 0; y < n; y++)
    for (int x = 0; x < m; x++)
      b[y][x] = (a[y][x] + a[y][x + 1]) * 0.5f;
  return 0;
}
