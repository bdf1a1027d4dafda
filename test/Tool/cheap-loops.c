// RUN: %convopt %s -o %t.cu 2>&1 | FileCheck %s
// Where the loops that are taken are not the deepest of their function, the
// remark says so, and a note what to do about those.
// CHECK: cheap-loops.c:[[#@LINE+11]]:3: remark: these loops of 'normalize' are taken, and become a call of their own tiled function; -function=NAME:LINE would take others; not the loops that are nested deeper, of line [[#@LINE+7]], which may take most of the time
// CHECK: cheap-loops.c:[[#@LINE+9]]:10: note: not these loops of 'normalize': 'most' is set by these loops and read after them: let threads share the sum (-fassociative-math), or write it to memory
void report(float);
void normalize(float *x, const float *w, int h, int wd) {
  float most = 0;
  if (h < 1)
    report(0);
  for (int i = 0; i < h; i++)
    for (int j = 0; j < wd; j++)
      most = x[i * wd + j] * w[j] > most ? x[i * wd + j] * w[j] : most;
  report(most);
  for (int i = 0; i < h * wd; i++)
    x[i] /= most;
}
