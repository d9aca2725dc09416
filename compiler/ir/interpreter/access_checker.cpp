#include "compiler/ir/interpreter/access_checker.h"

#include <fmt/ranges.h>

#include "base/error.h"

namespace vantage::ir::interpreter {

void AccessChecker::begin(Level level, bool races, Namer name) {
  at(level) = {++phases_, 0, races, std::move(name)};
  races_ = races_ || races;
}

void AccessChecker::end(Level level) {
  at(level) = {};
  races_ = at(Level::kThreads).races || at(Level::kBlocks).races;
}

AccessChecker::Conflict AccessChecker::touch(Touches& touches, const State& state, bool write) {
  const auto [phase, id] = std::pair(state.phase, state.id);
  if (touches.write_phase == phase && touches.writer != id) return {true, touches.writer, true};
  if (write) {
    if (touches.read_phase == phase && touches.reader != id) return {true, touches.reader, false};
    touches.write_phase = phase;
    touches.writer = id;
  } else if (touches.read_phase != phase) {
    touches.read_phase = phase;
    touches.reader = id;
  }
  return {};
}

std::string AccessChecker::who() const {
  std::string text;
  for (Level level : {Level::kThreads, Level::kBlocks}) {
    if (begun(level)) text += (text.empty() ? " in " : " of ") + at(level).name(at(level).id);
  }
  return text;
}

void AccessChecker::race(const Memory& memory, const std::vector<int64_t>& index, Level level, Conflict conflict,
                         bool write) const {
  const auto verb = [](bool wrote) { return wrote ? "written" : "read"; };
  const State& state = at(level);
  fail("{} is {} by {} and {} by {} at the same time; {}", element_text(memory, index), verb(conflict.other_wrote),
       state.name(conflict.other), verb(write), state.name(state.id),
       level == Level::kThreads ? "put a storage_sync between them or give each thread its own elements"
                                : "give each its own elements");
}

void AccessChecker::not_written(const Memory& memory, const std::vector<int64_t>& index) const {
  const bool shared = begun(Level::kThreads) && memory.sharing() != Sharing::kPrivate;
  fail("{} is read before it is written{}{}", element_text(memory, index), who(),
       shared ? "; if another thread writes it, a storage_sync is missing" : "");
}

std::string element_text(const Memory& memory, const std::vector<int64_t>& index) {
  return fmt::format("{}[{}]", memory.buffer().name, fmt::join(index, ", "));
}

}  // namespace vantage::ir::interpreter
