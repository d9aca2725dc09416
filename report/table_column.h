// A column of a table for a page: numbers or texts of many rows, in few bytes (docs/report.md).
//
// Thread safety: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/json_fwd.h"

namespace vantage::report {

class TableColumn {
 public:
  // A row more: nothing, a number or a text. REQUIRES: no column has both numbers and texts; numbers are finite.
  void add(const Json& value);
  void add_nothing(size_t rows = 1) { numbers_.insert(numbers_.end(), rows, kNothing); }

  size_t rows() const { return numbers_.size(); }
  bool is_text() const { return !texts_.empty(); }
  // Whether two rows differ, or one has nothing where another has something.
  bool varies() const;
  // The value that all rows have. REQUIRES: it has rows, and does not vary
  Json value() const;
  double number(size_t row) const { return numbers_[row]; }  // NaN: nothing; of texts their place in `values`

  // {"values": [...], "codes": packed} where few differ: a code is a place among the values. Texts are {"texts": packed
  // JSON of their list, "codes": packed}.
  // {"integers": packed, "missing": packed}: the latter are the rows that have nothing, each counted from the one
  // before. {"floats": packed}: single precision, first all of their lowest bytes, then the next; NaN is nothing.
  Json json() const;

 private:
  static const double kNothing;

  Json dictionary() const;  // null where there are too many values
  Json integers() const;
  Json floats() const;

  std::vector<double> numbers_;
  std::map<std::string, uint32_t, std::less<>> texts_;  // by their text, which place they have
  bool is_integer_ = true;
};

}  // namespace vantage::report
