#include "workload/resnet18.h"

#include <fmt/ranges.h>

#include "base/error.h"

namespace vantage::workload {

const std::vector<NamedLayer>& resnet18_layers() {
  const auto square = [](int64_t size, int64_t in, int64_t out, int64_t kernel, int64_t stride, int64_t pad) {
    return Conv2dShape{1, in, size, size, out, kernel, kernel, stride, pad};
  };
  static const std::vector<NamedLayer> kLayers = {
      {"C2", square(56, 64, 64, 3, 1, 1), 4},    {"C3", square(56, 64, 128, 3, 2, 1), 1},
      {"C4", square(56, 64, 128, 1, 2, 0), 1},   {"C5", square(28, 128, 128, 3, 1, 1), 3},
      {"C6", square(28, 128, 256, 3, 2, 1), 1},  {"C7", square(28, 128, 256, 1, 2, 0), 1},
      {"C8", square(14, 256, 256, 3, 1, 1), 3},  {"C9", square(14, 256, 512, 3, 2, 1), 1},
      {"C10", square(14, 256, 512, 1, 2, 0), 1}, {"C11", square(7, 512, 512, 3, 1, 1), 3},
  };
  return kLayers;
}

const NamedLayer& resnet18_layer(std::string_view name) {
  std::vector<std::string> names;
  for (const NamedLayer& layer : resnet18_layers()) {
    if (layer.name == name) return layer;
    names.push_back(layer.name);
  }
  fail("there is no layer '{}'; there are {}", name, fmt::join(names, ", "));
}

}  // namespace vantage::workload
