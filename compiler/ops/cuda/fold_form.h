// What a reduction reads most of, and how its axes move along that.
//
// Thread safety: functions without state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/schedule/schedule.h"

namespace vantage::ops {

// A reduction reads at least one tensor from end to end: the weights of a matrix-vector product, the values of a sum.
// Threads should read neighbours of that, and each element once, whatever it goes into.
struct FoldForm {
  enum class Walks : uint8_t {
    kFolded,   // from one of its elements to the next by the last axis that is folded: threads should share a result
    kResults,  // by an axis of the results: threads should make results that lie side by side
    kElsewhere,
  };
  Walks walks = Walks::kElsewhere;
  // Axes of the results, by their dimension in these. `rows` has all but those of the others.
  std::vector<size_t> rows;
  std::optional<size_t> column;  // where it walks along results
  std::vector<size_t> reusing;   // that it does not move with: what is read goes into each of these
  // Products of extents.
  int64_t row_count = 1, columns = 1, reuses = 1;
  int64_t element_bytes = 0;  // of what is read
  // Of a fold over one axis, the names of what is read along that by its last dimension, and the bytes of the widest of
  // their elements.
  std::vector<std::string> along;
  int64_t along_bytes = 0;
};

// Nothing: it is no reduction, makes several results at once, or its axes are not constant, or are not those of its
// loops and of its results' dimensions, one by one.
std::optional<FoldForm> fold_form(const schedule::Schedule& s, const std::string& block);

}  // namespace vantage::ops
