// RUN: %host %s %t -fassociative-math
// CALL: centre(5, 130)
// CALL: centre(2, 1)
// CALL: centre(3, 700)
// Sums that the function around the loops starts and reads go there and back
// through memory; integers have the same sum in any order.

void centre(int times, int n, const int *x, int *y, int *sums) {
  if (n < 1)
    return;
  int sum = times * sums[0];
  for (int i = 0; i < n; i++)
    sum += x[i];
  const int mean = sum / n;
  int square = 0;
  for (int i = 0; i < n; i++)
    square += (x[i] - mean) * (x[i] - mean);
  for (int i = 0; i < n; i++)
    y[i] = x[i] - mean;
  sums[0] = sum;
  sums[1] += square;
}
