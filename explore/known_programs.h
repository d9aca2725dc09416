// What programs came to before, for designs that differ in their scratchpads alone: where the same mapping is found
// again, and there is room for it, its program is the same but for where it finds things (ops::ScratchpadNeeds).
//
// Thread safety: none.
#pragma once

#include <list>

#include "compiler/ops/conv2d/vta_known.h"
#include "explore/evaluate.h"

namespace vantage::explore {

class KnownPrograms {
 public:
  ops::KnownLayers layers;  // what their searches have found out

  // Null where it must be run. Good until the next add().
  const Evaluation* find(const ops::VtaConv2d& task, const Design& design, const ops::VtaConv2dMapping& mapping) const;
  size_t size() const { return known_.size(); }
  void add(const ops::VtaConv2d& task, const Design& design, const ops::VtaConv2dMapping& mapping,
           const Evaluation& came);

 private:
  struct Known {
    ops::VtaConv2d task;
    Design design;  // on which it was run
    ops::VtaConv2dMapping mapping;
    Evaluation came;
  };
  std::list<Known> known_;  // the last one first
};

}  // namespace vantage::explore
