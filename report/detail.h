// Every instruction of a run for a page: when it was dispatched, issued, worked on and retired, whose token it waited
// for, and its assembly, in columns of small numbers (docs/report.md).
//
// Thread safety: values, and functions without state.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_fwd.h"
#include "report/packed.h"

namespace vantage::report {

// A text without its numbers: each is a "#" in `form`. Digits that follow a letter, as in "acc8", belong to a name.
// REQUIRES: the text has no "#", and numbers of at most 18 digits.
struct SplitText {
  std::string form;
  std::vector<int64_t> numbers;
};
SplitText split_numbers(std::string_view text);

class Detail {
 public:
  struct Insn {
    // Cycles since the first run began.
    int64_t dispatched, issued, began, ended, retired;
    size_t engine;            // sim::Engine; as many as there are: none
    int64_t waited_for = -1;  // the number of the instruction whose token came last; -1: none
    std::string_view assembly;
  };
  // Instructions in the order of their programs, one run behind the other.
  void add(const Insn& insn);
  uint64_t count() const { return count_; }

  // The columns.
  enum class Extent {
    kAll,
    kNoTexts,   // of each its text's first word alone: texts are most of it where they do not repeat
    kWorkOnly,  // also without when it was dispatched and retired, and what it waited for
  };
  Json json(Extent extent) const;

 private:
  enum Which { kKind, kForm, kEngine, kDispatched, kIssued, kBegan, kEnded, kRetired, kWaitedFor, kColumns };
  // Texts of one form: what stands for each "#", as the difference from the one before.
  struct Form {
    size_t number;
    size_t kind;     // its first word
    size_t of_kind;  // its number among those of its kind
    std::vector<Column> columns;
    std::vector<int64_t> last;
  };
  void add_to(Which column, int64_t value) { columns_[column].add(value); }

  uint64_t count_ = 0;
  std::array<Column, kColumns> columns_;
  std::map<std::string, Form, std::less<>> forms_;
  struct Kind {
    size_t number;
    size_t engine;  // of the first
    size_t forms = 0;
  };
  std::map<std::string, Kind, std::less<>> kinds_;
  int64_t dispatched_ = 0;           // of the one before
  std::array<int64_t, 3> issued_{};  // of the one before, by stage
};

}  // namespace vantage::report
