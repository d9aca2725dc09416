#include "hw/program/in_place.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "hw/isa/tokens.h"

namespace vantage {

using namespace isa;

namespace {

// How many instructions of each stage are done.
using Clock = std::array<uint32_t, kAllStages.size()>;

size_t index_of(const Insn& insn) {
  return static_cast<size_t>(stage(insn));
}

// What is known to be done when each instruction begins: what is before it in its stage, and what was done before the
// instructions ended whose tokens it pops. The n-th token that a queue gives is the n-th that it gets.
class Clocks {
 public:
  explicit Clocks(const std::vector<Insn>& insns) : insns_(insns), begins_(insns.size()) {
    for (size_t i = 0; i < insns.size(); ++i) stages_[index_of(insns[i])].push_back(i);
    for (bool moved = true; moved;) {
      moved = false;
      for (const Stage stage : kAllStages) {
        while (step(stage)) moved = true;
      }
    }
  }

  const Clock& at_begin(size_t insn) const { return begins_[insn]; }

 private:
  bool step(Stage stage) {
    const std::vector<size_t>& order = stages_[static_cast<size_t>(stage)];
    Clock& now = done_[static_cast<size_t>(stage)];
    const uint32_t next = now[static_cast<size_t>(stage)];
    if (next == order.size()) return false;
    const Deps& flags = deps(insns_[order[next]]);
    const auto wants = [](bool flag, std::optional<TokenQueue> queue) { return flag ? queue : std::nullopt; };
    const std::array pops = {wants(flags.pop_prev, pop_prev_queue(stage)),
                             wants(flags.pop_next, pop_next_queue(stage))};
    for (const auto& queue : pops) {
      if (queue && tokens_[static_cast<size_t>(*queue)].empty()) return false;
    }
    for (const auto& queue : pops) {
      if (!queue) continue;
      std::deque<Clock>& waiting = tokens_[static_cast<size_t>(*queue)];
      for (size_t s = 0; s < now.size(); ++s) now[s] = std::max(now[s], waiting.front()[s]);
      waiting.pop_front();
    }
    begins_[order[next]] = now;
    now[static_cast<size_t>(stage)] = next + 1;
    for (const auto& queue :
         {wants(flags.push_prev, push_prev_queue(stage)), wants(flags.push_next, push_next_queue(stage))}) {
      if (queue) tokens_[static_cast<size_t>(*queue)].push_back(now);
    }
    return true;
  }

  const std::vector<Insn>& insns_;
  std::vector<Clock> begins_;
  std::array<std::vector<size_t>, kAllStages.size()> stages_;
  std::array<Clock, kAllStages.size()> done_{};  // as each stage knows it
  std::array<std::deque<Clock>, kAllTokenQueues.size()> tokens_;
};

// Calls each(element) for what a transfer moves, until that says false.
template <typename Each>
bool for_elements(const Transfer& t, const Each& each) {
  for (uint64_t y = 0; y < t.y_size; ++y) {
    const uint64_t row = t.dram_base + y * t.x_stride;
    for (uint64_t x = row; x < row + t.x_size; ++x) {
      if (!each(x)) return false;
    }
  }
  return true;
}

// Tensors' elements as a program's transfers touch them.
class Tensors {
 public:
  explicit Tensors(const Program& program)
      : program_(program), clocks_(program.insns), symbols_(program.insns.size(), Relocation::kMicroOps) {
    for (const Relocation& relocation : program.relocations) symbols_[relocation.insn] = relocation.symbol;
  }

  bool may_share(uint32_t written, uint32_t read) const {
    const ProgramTensor &to = program_.tensors[written], &from = program_.tensors[read];
    const Bytes size = program_.config.element_size(from.memory);
    if (to.role != TensorRole::kOutput || from.role != TensorRole::kInput ||
        program_.config.element_size(to.memory) != size) {
      return false;
    }
    LastReads reads;
    for (std::vector<uint32_t>& elements : reads) elements.resize(from.elements);
    return find_last_reads(read, size, reads) && all_stores(written, size, [&](const Clock& done, uint64_t element) {
             if (element >= from.elements) return true;
             for (size_t stage = 0; stage < done.size(); ++stage) {
               if (reads[stage][element] > done[stage]) return false;
             }
             return true;
           });
  }

 private:
  // By stage and element: how many of the stage's instructions have to be done until the element was read for the last
  // time.
  using LastReads = std::array<std::vector<uint32_t>, kAllStages.size()>;

  // False where the tensor is not read in elements of this size.
  bool find_last_reads(uint32_t tensor, Bytes size, LastReads& reads) const {
    Clock count{};
    for (size_t i = 0; i < program_.insns.size(); ++i) {
      const size_t stage = index_of(program_.insns[i]);
      ++count[stage];
      const auto* load = std::get_if<Load>(&program_.insns[i]);
      if (load == nullptr || symbols_[i] != tensor) continue;
      if (program_.config.element_size(load->transfer.memory) != size) return false;
      const bool inside = for_elements(load->transfer, [&](uint64_t element) {
        if (element >= reads[stage].size()) return false;
        reads[stage][element] = count[stage];
        return true;
      });
      if (!inside) return false;
    }
    return true;
  }

  // Whether something is true of every element that is stored, and of what is done by then.
  template <typename Is>
  bool all_stores(uint32_t tensor, Bytes size, const Is& is) const {
    for (size_t i = 0; i < program_.insns.size(); ++i) {
      const auto* store = std::get_if<Store>(&program_.insns[i]);
      if (store == nullptr || symbols_[i] != tensor) continue;
      const Clock& done = clocks_.at_begin(i);
      if (program_.config.element_size(store->transfer.memory) != size ||
          !for_elements(store->transfer, [&](uint64_t element) { return is(done, element); })) {
        return false;
      }
    }
    return true;
  }

  const Program& program_;
  Clocks clocks_;
  std::vector<uint32_t> symbols_;  // by instruction
};

}  // namespace

std::vector<TensorsInPlace> tensors_in_place(const Program& program) {
  const Tensors tensors(program);
  std::vector<TensorsInPlace> pairs;
  const auto count = static_cast<uint32_t>(program.tensors.size());
  for (uint32_t written = 0; written < count; ++written) {
    for (uint32_t read = 0; read < count; ++read) {
      if (tensors.may_share(written, read)) pairs.push_back({written, read});
    }
  }
  return pairs;
}

}  // namespace vantage
