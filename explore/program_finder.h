// Which program a design runs a task with.
//
// With quick and thorough searches that is the one that was found for the design itself. With shared and brief ones,
// programs of designs with more room in their scratchpads serve those with less, as long as they fit
// (ops::ScratchpadNeeds): first the program for all the room that there can be is asked for; where it needs more of
// some scratchpads than the design has, that for a design with the next smaller ones; and so on. Designs that differ in
// scratchpads share most searches then, and more room never makes a design slower in all but what the search misses.
// The answer depends on the design alone, not on what was asked before.
//
// Thread safety: one thread at a time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "explore/database.h"
#include "explore/effort.h"

namespace vantage::explore {

class ProgramFinder {
 public:
  ProgramFinder(Database& database, Method method)
      : database_(database), method_(std::move(method)), shares_(find_effort(method_.effort).is_shared) {}

  // What was found: a program that was run, or the reason why there is none.
  struct Found {
    int64_t program;
    std::optional<Evaluation> result;  // as Database::Known has it
    std::string error;
    bool died = false;  // there may be one: it is not known
  };
  // What must be evaluated first.
  struct Wanted {
    int64_t core;
    Design design;
  };
  std::variant<Found, Wanted> ask(const Design& design, int64_t task);

  // What died now is not wanted again.
  void note_dead(int64_t core, int64_t task) { dead_.insert({core, task}); }

 private:
  using Class = std::array<int, 12>;

  // The first whose program is asked for.
  const Design& top_of(const Design& design);
  int64_t core_of_design(const Design& design);

  Database& database_;
  const Method method_;
  const bool shares_;
  std::vector<MemoryTiming> memories_;
  std::map<Class, int64_t> cores_;
  std::set<std::pair<int64_t, int64_t>> dead_;
  std::optional<std::pair<Design, Design>> last_;  // a design, and its top: all tasks of one are asked for together
};

}  // namespace vantage::explore
