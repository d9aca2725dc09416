#include "compiler/backend/vta/virtual_threads.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/error.h"
#include "compiler/backend/vta/element_map.h"

namespace vantage::vta {

namespace {

const char* name_of(Access::Space space) {
  if (space == Access::Space::kInp) return "INP";
  return space == Access::Space::kWgt ? "WGT" : "ACC";
}

template <typename Visit>
void each_scratchpad_access(const ThreadTurns& thread, const Visit& visit) {
  for (const Turn& turn : thread) {
    for (const Operation& operation : turn) {
      for (const Access& access : operation.accesses) {
        if (access.space != Access::Space::kTensor) visit(access);
      }
    }
  }
}

// Interleaved, threads do what they do one after another only if none writes what another one uses.
class ApartCheck {
 public:
  void add(const ThreadTurns& thread) {
    each_scratchpad_access(thread, [&](const Access& a) { check(a, a.is_write ? used_[at(a)] : written_[at(a)]); });
    each_scratchpad_access(thread, [&](const Access& a) {
      used_[at(a)].assign(a.begin, a.end, true);
      if (a.is_write) written_[at(a)].assign(a.begin, a.end, true);
    });
  }

 private:
  using Elements = ElementMap<bool>;

  static size_t at(const Access& access) { return static_cast<size_t>(access.space); }

  static void check(const Access& access, const Elements& of_others) {
    const auto is_set = [](bool value) { return value; };
    if (!of_others.any(access.begin, access.end, is_set)) return;
    uint64_t element = access.begin;
    while (!of_others.any(element, element + 1, is_set)) ++element;
    fail(
        "virtual threads share element {} of the {} scratchpad, and one of them writes it; compute what they share "
        "outside of them",
        element, name_of(access.space));
  }

  std::array<Elements, 3> used_, written_;  // by the threads so far
};

// How much of a space an operation touches.
uint64_t elements(const Operation& operation, Access::Space space) {
  uint64_t all = 0;
  for (const Access& a : operation.accesses) all += a.space == space ? a.end - a.begin : 0;
  return all;
}

}  // namespace

void check_apart(const std::vector<ThreadTurns>& threads) {
  ApartCheck check;
  for (const ThreadTurns& thread : threads) check.add(thread);
}

std::vector<Operation> beginnings(std::vector<ThreadTurns>& threads, uint64_t beat) {
  std::vector<Operation> loads;
  std::vector<Turn> computed(threads.size());
  uint64_t steps = 0, first_beats = 0;
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    Turn rest;
    bool begins = true;
    for (Operation& operation : threads[thread].front()) {
      const bool is_load = load_of(operation) != nullptr;
      const bool loads_operands = is_operand_load(operation);
      const bool computes = is_vector(operation);
      begins = begins && (is_load || computes);
      if (begins && computes) steps += elements(operation, Access::Space::kAcc);
      if (begins && loads_operands && thread == 0) first_beats += elements(operation, Access::Space::kTensor) / beat;
      Turn& to = !begins || loads_operands ? rest : is_load ? loads : computed[thread];
      to.push_back(std::move(operation));
    }
    threads[thread].front() = std::move(rest);
  }
  for (size_t thread = 0; thread < threads.size(); ++thread) {
    Turn& own = computed[thread];
    Turn& front = threads[thread].front();
    if (thread == 0 || steps <= first_beats) {
      std::move(own.begin(), own.end(), std::back_inserter(loads));
    } else {
      front.insert(front.begin(), std::make_move_iterator(own.begin()), std::make_move_iterator(own.end()));
    }
  }
  return loads;
}

std::vector<Operation> interleaved(std::vector<ThreadTurns> threads, uint64_t beat) {
  size_t rounds = 0;
  for (const ThreadTurns& thread : threads) rounds = std::max(rounds, thread.size());
  std::vector<Operation> result = beginnings(threads, beat);
  const auto only_loads = [](const Turn* turn) {
    return std::all_of(turn->begin(), turn->end(), [](const Operation& o) { return load_of(o) != nullptr; });
  };
  for (size_t round = 0; round < rounds; ++round) {
    std::vector<Turn*> turns;
    for (auto& thread : threads) {
      if (round < thread.size()) turns.push_back(&thread[round]);
    }
    std::stable_partition(turns.begin(), turns.end(), only_loads);
    for (Turn* turn : turns) std::move(turn->begin(), turn->end(), std::back_inserter(result));
  }
  return result;
}

}  // namespace vantage::vta
