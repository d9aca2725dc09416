#include "compiler/network/place_tensors.h"

#include <algorithm>
#include <utility>

#include "compiler/graph/memory_plan.h"
#include "compiler/ir/in_place.h"
#include "hw/program/in_place.h"

namespace vantage::network {

namespace {

// Numbers of operands: what is written, and what is read where that may lie.
using OperandPairs = std::vector<std::pair<size_t, size_t>>;

OperandPairs pairs_of(const ir::PrimFunc& function) {
  const std::vector<ir::Buffer> buffers = function.buffers();
  const auto number = [&](const ir::Buffer& buffer) {
    return static_cast<size_t>(std::find(buffers.begin(), buffers.end(), buffer) - buffers.begin());
  };
  OperandPairs pairs;
  for (const ir::InPlace& pair : ir::noted_in_place(function)) {
    pairs.emplace_back(number(pair.written), number(pair.read));
  }
  return pairs;
}

OperandPairs pairs_of(const Program& program) {
  OperandPairs pairs;
  for (const TensorsInPlace& pair : tensors_in_place(program)) pairs.emplace_back(pair.written, pair.read);
  return pairs;
}

class Placer {
 public:
  Placer(Network& network, const std::map<size_t, size_t>& view_of) : network_(network), view_of_(view_of) {}

  void place(Place place, const std::vector<OperandPairs>& pairs, std::vector<uint64_t>& slots) {
    lifetimes_.clear();
    lifetime_of_.assign(network_.tensors.size(), SIZE_MAX);
    for (const size_t input : network_.inputs) use(place, input, 0);
    for (size_t i = 0; i < network_.steps.size(); ++i) {
      for (const size_t operand : network_.steps[i].operands) use(place, operand, i);
    }
    for (const size_t tensor : network_.outputs) use(place, tensor, network_.steps.size());
    for (const size_t tensor : network_.inputs) use(place, tensor, network_.steps.size());
    const auto kind = place == Place::kHost ? NetworkStep::Kind::kFunction : NetworkStep::Kind::kProgram;
    for (const NetworkStep& step : network_.steps) {
      if (step.kind == kind) write_in_place(step, pairs.at(step.code));
    }
    const graph::MemoryPlan plan = graph::plan_memory(lifetimes_);
    slots = plan.slot_bytes;
    for (size_t i = 0; i < network_.tensors.size(); ++i) {
      const size_t lifetime = lifetime_of_[whole(i)];
      if (lifetime != SIZE_MAX) network_.tensors[i].slot = plan.slots[lifetime];
    }
  }

 private:
  // The tensor whose bytes it is.
  size_t whole(size_t tensor) const {
    for (auto view = view_of_.find(tensor); view != view_of_.end(); view = view_of_.find(tensor)) tensor = view->second;
    return tensor;
  }

  void use(Place place, size_t tensor, size_t step) {
    tensor = whole(tensor);
    const NetworkTensor& used = network_.tensors[tensor];
    if (used.constant || used.place != place) return;
    if (lifetime_of_[tensor] == SIZE_MAX) {
      lifetime_of_[tensor] = lifetimes_.size();
      lifetimes_.push_back({used.bytes, step, step});
    }
    lifetimes_[lifetime_of_[tensor]].last = step;
  }

  // The plan takes only those of which this step is the last that reads them.
  void write_in_place(const NetworkStep& step, const OperandPairs& pairs) {
    for (const auto& [written, read] : pairs) {
      const size_t from = whole(step.operands[read]);
      const size_t to = lifetime_of_[whole(step.operands[written])];
      // What a step is given twice it may read as something else, too.
      const auto times = std::count_if(step.operands.begin(), step.operands.end(),
                                       [&](size_t operand) { return whole(operand) == from; });
      if (to != SIZE_MAX && lifetime_of_[from] != SIZE_MAX && times == 1 &&
          lifetimes_[lifetime_of_[from]].last == lifetimes_[to].first) {
        lifetimes_[to].in_place_of = lifetime_of_[from];
      }
    }
  }

  Network& network_;
  const std::map<size_t, size_t>& view_of_;
  std::vector<graph::Lifetime> lifetimes_;
  std::vector<size_t> lifetime_of_;  // by tensor; SIZE_MAX for what has none here
};

}  // namespace

void place_tensors(Network& network, const std::vector<ir::PrimFunc>& functions,
                   const std::map<size_t, size_t>& view_of) {
  std::vector<OperandPairs> of_functions, of_programs;
  for (const ir::PrimFunc& function : functions) of_functions.push_back(pairs_of(function));
  for (const Program& program : network.programs) of_programs.push_back(pairs_of(program));
  Placer placer(network, view_of);
  placer.place(Place::kHost, of_functions, network.host_slots);
  placer.place(Place::kAccelerator, of_programs, network.accelerator_slots);
}

}  // namespace vantage::network
