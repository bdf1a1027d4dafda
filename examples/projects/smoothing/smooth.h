#ifndef SMOOTH_H
#define SMOOTH_H

/* The mean of each pixel and its neighbours, by weights[2 * radius + 1] along
   rows and columns, of an image of height + 2 * radius rows of
   width + 2 * radius pixels. */
void smooth(const float *image, const float *weights, float *result, int height,
            int width, int radius);

#endif
