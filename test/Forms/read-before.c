// An element that a statement before has read is there, whatever a condition
// within an expression says.
// RUN: %convopt %s -emit=nest 2>/dev/null | FileCheck %s
// RUN: %convopt %s -verify=cpu -o %t.cu 2>&1 | FileCheck --check-prefix=VERIFIED %s
// RUN: sed 's/if (u.x.) c--;//' %s > %t.c
// RUN: %refuses 1 %t.c | FileCheck --check-prefix=MAYBE %s
// MAYBE: error: 'u' is read only under a condition within an expression [data-branch]
// VERIFIED: verified: {{[0-9]+}} shape
// CHECK: next[x{{.*}}] = c == 3 || (c == 2 && u[x
void life(const unsigned char *u, unsigned char *next, int n) {
  for (int x = 1; x < n - 1; x++) {
    int c = u[x - 1] + u[x + 1];
    if (u[x]) c--;
    next[x] = c == 3 || (c == 2 && u[x]);
  }
}
