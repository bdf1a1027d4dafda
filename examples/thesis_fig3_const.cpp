// Rasmussen and Utne (2025), figure 3, with every size fixed when it is
// compiled. Build for another layer with -DIN_CHANNELS=... and so on.

#ifndef IN_CHANNELS
#define IN_CHANNELS 22
#endif
#ifndef OUT_CHANNELS
#define OUT_CHANNELS 22
#endif
#ifndef HEIGHT
#define HEIGHT 150
#endif
#ifndef WIDTH
#define WIDTH 150
#endif
#ifndef FILTER_WIDTH
#define FILTER_WIDTH 3
#endif

constexpr int OUT_HEIGHT = HEIGHT - FILTER_WIDTH + 1;
constexpr int OUT_WIDTH = WIDTH - FILTER_WIDTH + 1;

void conv(
    const float inputs[IN_CHANNELS][HEIGHT][WIDTH],
    const float filters[IN_CHANNELS][OUT_CHANNELS][FILTER_WIDTH][FILTER_WIDTH],
    float outputs[OUT_CHANNELS][OUT_HEIGHT][OUT_WIDTH]) {
  for (int z = 0; z < OUT_CHANNELS; ++z) {
    for (int y = 0; y < OUT_HEIGHT; ++y) {
      for (int x = 0; x < OUT_WIDTH; ++x) {
        float tmp = 0.0f;
        for (int n = 0; n < IN_CHANNELS; ++n)
          for (int i = 0; i < FILTER_WIDTH; ++i)
            for (int j = 0; j < FILTER_WIDTH; ++j)
              tmp += inputs[n][y + i][x + j] * filters[n][z][i][j];
        outputs[z][y][x] = tmp;
      }
    }
  }
}
