// How near the integers of a network are to its floats, value by value.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/prepared_network.h"

namespace vantage::workload {

// A value that the network has as integers.
struct QuantizedLayer {
  std::string name;                          // of the node that makes it
  double scale = 0;                          // float = scale * (integer - zero); the largest
  std::optional<graph::Stated> stated = {};  // where the network says it itself
  bool by_channel = false;                   // whether channels have their own
  double clipped = 0;                        // share of the calibration's values that its integers cannot say
  double weight_scale = 0;                   // of a product; 0: there are no weights
  double weight_snr_db = 0;                  // of these
  double snr_db = 0;          // of the value, against the floats on the same input: what all layers before it lost, too
  int64_t worst_channel = 0;  // that with the least (compiler/graph/quantize/statistics.h)
  double worst_channel_snr_db = 0;
};

// Runs both networks on the processor, with all of these values kept.
std::vector<QuantizedLayer> quantization_report(const PreparedNetwork& prepared, const graph::Inputs& inputs);

// How well a product's weights are said by a scale for each output, in 8 bits and in 4, and in 4 bits by a scale for
// each 32 of their depth.
struct WeightAccuracy {
  std::string product;
  double int8_db = 0, int4_db = 0, int4_groups_db = 0;
};
inline constexpr int64_t kWeightGroup = 32;

// Of all convolutions and dense layers whose weights are known.
std::vector<WeightAccuracy> weight_accuracies(const graph::Graph& floats);

}  // namespace vantage::workload
