#pragma once
#include <vector>

namespace nn {

/// A layer of square filters at stride 1 with zeros around its images, followed
/// by a rectifier.
class ConvLayer {
public:
  ConvLayer(int inputs, int outputs, int size);

  /// Of \p in[inputs][height][width], as long as the result.
  std::vector<float> forward(const std::vector<float> &in, int height,
                             int width) const;

private:
  int inputs, outputs, size;
  std::vector<float> weights, bias;
};

} // namespace nn
