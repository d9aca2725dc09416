// What an access to an element must keep to: the element has a value, and no other thread touches it unordered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/ir/interpreter/memory.h"

namespace vantage::ir::interpreter {

// Where things happen at once: in the threads of a block, and, around those, in the blocks of a launch or the
// iterations of a parallel loop.
enum class Level : uint8_t { kThreads, kBlocks };

class AccessChecker {
 public:
  // Gives a thread, block or iteration a name for messages: "thread (threadIdx.x 3)".
  using Namer = std::function<std::string(uint32_t)>;

  // What runs from here to end() runs at once as far as its `id` differs; `races`: look for unordered accesses in it.
  void begin(Level level, bool races, Namer name);
  void end(Level level);
  bool begun(Level level) const { return at(level).phase != 0; }
  // Who accesses from here on.
  void enter(Level level, uint32_t id) { at(level).id = id; }
  // All of them have waited for each other.
  void barrier(Level level) { at(level).phase = ++phases_; }

  // Throw Error when the access is against the rules; `index` gives the element's index.
  template <typename Index>
  void check_read(Memory& memory, int64_t element, const Index& index) {
    if (races_) check_races(memory, element, false, index);
    if (!memory.written(element)) not_written(memory, index());
  }
  template <typename Index>
  void check_write(Memory& memory, int64_t element, const Index& index) {
    if (races_) check_races(memory, element, true, index);
  }
  // " in thread (threadIdx.x 3)", or nothing where nothing runs at once.
  std::string who() const;

 private:
  struct State {
    uint32_t phase = 0;  // 0: not begun
    uint32_t id = 0;
    bool races = false;
    Namer name;
  };
  // Another access of the same element that nothing orders with this one.
  struct Conflict {
    bool found = false;
    uint32_t other = 0;
    bool other_wrote = false;
  };

  State& at(Level level) { return states_[static_cast<size_t>(level)]; }
  const State& at(Level level) const { return states_[static_cast<size_t>(level)]; }
  static Conflict touch(Touches& touches, const State& state, bool write);

  template <typename Index>
  void check_races(Memory& memory, int64_t element, bool write, const Index& index) {
    for (Level level : {Level::kThreads, Level::kBlocks}) {
      const State& state = at(level);
      const Sharing shared = level == Level::kThreads ? Sharing::kBlock : Sharing::kAll;
      if (!state.races || memory.sharing() < shared) continue;
      const Conflict conflict = touch(memory.touches(static_cast<size_t>(level), element), state, write);
      if (conflict.found) race(memory, index(), level, conflict, write);
    }
  }
  [[noreturn]] void race(const Memory& memory, const std::vector<int64_t>& index, Level level, Conflict conflict,
                         bool write) const;
  [[noreturn]] void not_written(const Memory& memory, const std::vector<int64_t>& index) const;

  State states_[2];
  uint32_t phases_ = 0;
  bool races_ = false;  // at any level
};

// "A[1, 2]"
std::string element_text(const Memory& memory, const std::vector<int64_t>& index);

}  // namespace vantage::ir::interpreter
