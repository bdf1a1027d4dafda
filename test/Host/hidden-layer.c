// RUN: %host %s %t
// CALL: network(5)
// CALL: network(33)
// CALL: network(1)
// The hidden layer, a local array of each input, is a matrix: two products.

void network(int inputs, const float *x, const float *w1, const float *w2,
             float *y) {
  for (int b = 0; b < inputs; b++) {
    float hidden[64];
    for (int j = 0; j < 64; j++) {
      hidden[j] = 0;
      for (int i = 0; i < 48; i++)
        hidden[j] += x[b * 48 + i] * w1[i * 64 + j];
      if (hidden[j] < 0)
        hidden[j] = 0;
    }
    for (int k = 0; k < 10; k++) {
      float sum = 0;
      for (int j = 0; j < 64; j++)
        sum += hidden[j] * w2[j * 10 + k];
      y[b * 10 + k] = sum;
    }
  }
}
