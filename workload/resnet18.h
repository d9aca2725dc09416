// The convolutions of ResNet-18 that accelerators of this kind are compared by, under the names that the field gives
// them.
//
// Thread safety: functions without state.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/shape/conv2d.h"

namespace vantage::workload {

struct NamedLayer {
  std::string name;
  Conv2dShape shape;
  int repeats;  // in the network
};

// C2 to C11.
const std::vector<NamedLayer>& resnet18_layers();
// Throws Error that lists the names there are.
const NamedLayer& resnet18_layer(std::string_view name);

}  // namespace vantage::workload
