#include "bench/networks.h"

#include "workload/resnet18.h"

namespace vantage::bench {

namespace {

Conv2dShape conv(int64_t in, int64_t size, int64_t out, int64_t kernel, int64_t stride = 1) {
  return {1, in, size, size, out, kernel, kernel, stride, kernel / 2};
}

std::vector<Conv2dShape> vgg16() {
  return {conv(3, 224, 64, 3),    conv(64, 224, 64, 3),  conv(64, 112, 128, 3),
          conv(128, 112, 128, 3), conv(128, 56, 256, 3), conv(256, 56, 256, 3),
          conv(256, 28, 512, 3),  conv(512, 28, 512, 3), conv(512, 14, 512, 3)};
}

std::vector<Conv2dShape> resnet18() {
  std::vector<Conv2dShape> layers = {conv(3, 224, 64, 7, 2)};
  for (const auto& layer : workload::resnet18_layers()) layers.push_back(layer.shape);
  return layers;
}

// Four stages of bottlenecks: 1x1 down, 3x3, 1x1 up. The first of a stage halves the image, but for the first stage's,
// and has a 1x1 beside it.
std::vector<Conv2dShape> resnet50() {
  std::vector<Conv2dShape> layers = {conv(3, 224, 64, 7, 2)};
  int64_t before = 64, size = 56;
  for (int64_t width = 64; width <= 512; width *= 2) {
    const int64_t stride = width == 64 ? 1 : 2, in_size = size * stride;
    layers.push_back(conv(before, in_size, width, 1));
    layers.push_back(conv(width, in_size, width, 3, stride));
    if (stride != 1) {
      layers.push_back(conv(before, in_size, 4 * width, 1, stride));
      layers.push_back(conv(width, size, width, 3));
    }
    layers.push_back(conv(width, size, 4 * width, 1));
    layers.push_back(conv(4 * width, size, width, 1));
    before = 4 * width;
    size /= 2;
  }
  return layers;
}

std::vector<Conv2dShape> mobilenet_pointwise() {
  return {conv(32, 112, 64, 1),  conv(64, 56, 128, 1),  conv(128, 56, 128, 1),
          conv(128, 28, 256, 1), conv(256, 28, 256, 1), conv(256, 14, 512, 1),
          conv(512, 14, 512, 1), conv(512, 7, 1024, 1), conv(1024, 7, 1024, 1)};
}

}  // namespace

const std::vector<Network>& networks() {
  static const std::vector<Network> kNetworks = {{"VGG-16", vgg16()},
                                                 {"ResNet-18", resnet18()},
                                                 {"ResNet-50", resnet50()},
                                                 {"MobileNet, 1x1", mobilenet_pointwise()}};
  return kNetworks;
}

}  // namespace vantage::bench
