#include "explore/program_finder.h"

#include <algorithm>

#include "base/error.h"

namespace vantage::explore {

namespace {

struct Scratchpad {
  int ops::ScratchpadNeeds::*depth;
  int isa::ConfigKeys::*size;
};
constexpr Scratchpad kScratchpads[] = {{&ops::ScratchpadNeeds::uop, &isa::ConfigKeys::log_uop_buff_size},
                                       {&ops::ScratchpadNeeds::inp, &isa::ConfigKeys::log_inp_buff_size},
                                       {&ops::ScratchpadNeeds::wgt, &isa::ConfigKeys::log_wgt_buff_size},
                                       {&ops::ScratchpadNeeds::acc, &isa::ConfigKeys::log_acc_buff_size}};

// As much room as there can be, and no less than the design has. Micro-ops name elements of three scratchpads, so that
// more of one may leave less of the others: those that are deepest yield. The design itself where it has most already.
Design roomiest(const Design& design) {
  const isa::ConfigKeys own = design.config.keys();
  isa::ConfigKeys keys = with_room(design).config.keys();
  for (const Scratchpad& s : kScratchpads) keys.*s.size = std::max(keys.*s.size, own.*s.size);
  for (;;) {
    try {
      return {isa::Config::from_keys(keys, "a design with room"), design.memory};
    } catch (const Error&) {
      const Scratchpad* deepest = nullptr;
      const auto depth = [&](const Scratchpad& s) {
        return ops::depths_of(design.config).*s.depth + keys.*s.size - own.*s.size;
      };
      for (const Scratchpad& s : kScratchpads) {
        if (keys.*s.size == own.*s.size || s.size == &isa::ConfigKeys::log_uop_buff_size) continue;
        if (deepest == nullptr || depth(s) > depth(*deepest)) deepest = &s;
      }
      if (deepest == nullptr) return design;
      --(keys.*deepest->size);
    }
  }
}

}  // namespace

std::variant<ProgramFinder::Found, ProgramFinder::Wanted> ProgramFinder::ask(const Design& design, int64_t task) {
  const ops::ScratchpadNeeds have = ops::depths_of(design.config);
  Design top = top_of(design);
  for (;;) {
    const int64_t core = core_of_design(top);
    const bool is_design = top.config.keys() == design.config.keys();
    const auto known = database_.known(core, task, method_);
    if (!known || (known->died && !dead_.contains({core, task}))) return Wanted{core, std::move(top)};
    if (known->died) return Found{known->program, std::nullopt, known->error, true};
    isa::ConfigKeys keys = top.config.keys();
    for (const Scratchpad& s : kScratchpads) {
      const int own = design.config.keys().*s.size;
      if (!known->result) {
        keys.*s.size = own;
      } else if (known->result->needs.*s.depth > have.*s.depth) {
        keys.*s.size = own + known->result->needs.*s.depth - have.*s.depth - 1;
      }
    }
    if (is_design || (known->result && keys == top.config.keys())) {
      return Found{known->program, known->result, known->error};
    }
    top.config = isa::Config::from_keys(keys, "a design with some room");
  }
}

const Design& ProgramFinder::top_of(const Design& design) {
  if (!shares_) return design;
  const bool is_same =
      last_ && last_->first.config.keys() == design.config.keys() && last_->first.memory == design.memory;
  if (!is_same) last_.emplace(design, roomiest(design));
  return last_->second;
}

int64_t ProgramFinder::core_of_design(const Design& design) {
  auto memory = std::ranges::find(memories_, design.memory);
  if (memory == memories_.end()) memory = memories_.insert(memories_.end(), design.memory);
  const isa::ConfigKeys& k = design.config.keys();
  const Class what = {k.log_inp_width,     k.log_wgt_width,     k.log_acc_width,
                      k.log_batch,         k.log_block_in,      k.log_block_out,
                      k.log_uop_buff_size, k.log_inp_buff_size, k.log_wgt_buff_size,
                      k.log_acc_buff_size, k.log_bus_width,     static_cast<int>(memory - memories_.begin())};
  const auto known = cores_.find(what);
  if (known != cores_.end()) return known->second;
  return cores_[what] = database_.add_core(design);
}

}  // namespace vantage::explore
