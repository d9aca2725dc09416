// The convolutions of networks that people bring, each shape once: VGG-16, ResNet-18 and -50 (stride on the 3x3), and
// the 1x1 ones of MobileNet v1.
#pragma once

#include <string>
#include <vector>

#include "base/shape/conv2d.h"

namespace vantage::bench {

struct Network {
  std::string name;
  std::vector<Conv2dShape> layers;
};
const std::vector<Network>& networks();

}  // namespace vantage::bench
