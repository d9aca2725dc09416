// A good mapping as far as is seen at once, for tests of what comes out: what a search would find beyond it computes
// the same, and takes as long as all else.
#pragma once

#include "base/error.h"
#include "compiler/ops/conv2d/vta_candidates.h"
#include "compiler/ops/vta_task.h"
#include "workload/mapping_search.h"

namespace vantage::test {

// Throws Error where none fits the scratchpads.
inline ops::SearchResult first_mapping(const Conv2dShape& shape, const ops::Epilogue& epilogue,
                                       const isa::Config& config) {
  auto tilings = ops::rated_tilings(shape, epilogue, config, {}, {}, true);
  const auto candidates = ops::vta_conv2d_candidates(shape, epilogue, config, {}, tilings, 1);
  if (candidates.empty()) fail("no mapping fits the scratchpads");
  return workload::weigh_mapping({.shape = shape, .epilogue = epilogue, .config = config}, candidates[0].tiling);
}

// The same for a whole network.
inline ops::FindMapping first_mappings(const isa::Config& config) {
  return [config](const Conv2dShape& shape, const ops::Epilogue& epilogue) {
    return first_mapping(shape, epilogue, config);
  };
}

}  // namespace vantage::test
