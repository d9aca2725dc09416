#include "compiler/backend/cuda/box_copy.h"

#include <algorithm>

#include "base/error.h"
#include "compiler/ir/printer.h"
#include "compiler/ir/thread_axes.h"

namespace vantage::cuda {

using namespace ir;

namespace {

// As cuTensorMapEncodeTiled has it.
constexpr int64_t kMapStrideBytes = 16;

int64_t column_elements_of(const Buffer& buffer) {
  return kColumnBytes / buffer->dtype.bytes();
}

int64_t size_of(const Buffer& buffer, size_t d) {
  const int64_t* size = as_int(buffer->shape[d]);
  if (size == nullptr) {
    fail("{} of scope {} has {} elements in a dimension, which must be a number when the kernel is compiled",
         buffer->name, kSwizzledScope, to_text(buffer->shape[d]));
  }
  return *size;
}

// Of whole columns and groups of rows.
void require_swizzled(const Buffer& buffer) {
  const size_t rank = buffer->rank();
  if (rank < 2 || !buffer->strides.empty()) {
    fail("{} of scope {} has rows without gaps, in two dimensions or more; leave storage_align away", buffer->name,
         kSwizzledScope);
  }
  const int64_t rows = size_of(buffer, rank - 2), columns = size_of(buffer, rank - 1);
  if (rows % kColumnRows == 0 && columns % column_elements_of(buffer) == 0) return;
  fail("{} of scope {} has {} rows of {} elements; rows are a multiple of {}, and what lies in one of {} bytes",
       buffer->name, kSwizzledScope, rows, columns, kColumnRows, kColumnBytes);
}

// Of those that are known; others are looked at when the kernel is called.
void require_rows(const Buffer& from) {
  const std::vector<Expr> strides = from->all_strides();
  for (size_t d = 0; d + 1 < strides.size(); ++d) {
    if (const int64_t* stride = as_int(strides[d])) require_map_stride(from->name, *stride * from->dtype.bytes());
  }
}

}  // namespace

void require_map_stride(const std::string& tensor, int64_t bytes) {
  if (bytes >= 0 && bytes % kMapStrideBytes == 0) return;
  fail("boxes of {} cannot be copied, whose rows begin {} bytes apart, expected a multiple of {} from 0 on", tensor,
       bytes, kMapStrideBytes);
}

size_t BoxCopy::columns_dimension() const {
  return from->buffer->rank() - 1;
}
int64_t BoxCopy::column_elements() const {
  return column_elements_of(to->buffer);
}
int64_t BoxCopy::columns() const {
  return extents[columns_dimension()] / column_elements();
}
std::vector<int64_t> BoxCopy::column() const {
  std::vector<int64_t> own = extents;
  own[columns_dimension()] = column_elements();
  return own;
}
int64_t BoxCopy::column_size() const {
  int64_t size = 1;
  for (const int64_t extent : column()) size *= extent;
  return size;
}

BoxCopy box_copy(const Call& call) {
  BoxCopy copy{call.arguments[0].as<View>(), call.arguments[1].as<View>(), {}, {}, {}, {}};
  const size_t rank = copy.from->buffer->rank();
  for (size_t d = 0; d < rank; ++d) {
    copy.first.push_back(call.arguments[2 + 2 * d]);
    copy.extents.push_back(*as_int(call.arguments[3 + 2 * d]));
  }
  copy.pipeline = call.arguments[2 + 2 * rank];
  copy.place = call.arguments[3 + 2 * rank];
  const Buffer& to = copy.to->buffer;
  require_swizzled(to);
  require_rows(copy.from->buffer);
  const std::vector<Range>& box = copy.to->box;
  const int64_t columns = *as_int(box.back().extent), rows = *as_int(box[box.size() - 2].extent);
  const auto sides = std::ranges::count_if(copy.extents, [](int64_t extent) { return extent > 1; });
  if (sides > 2 || columns != copy.extents.back() || columns % copy.column_elements() != 0 ||
      rows != size_of(to, to->rank() - 2) || columns != size_of(to, to->rank() - 1)) {
    fail(
        "{} is filled by a box that is not all of its last two dimensions, with rows that lie side by side in {}; let "
        "it have those of the tensor",
        to->name, copy.from->buffer->name);
  }
  if (rows > kMostBoxSide) {
    fail("{} is filled by a box of {} rows, and a box has at most {}; split the loop", to->name, rows, kMostBoxSide);
  }
  return copy;
}

Expr swizzled_offset(const View& view, int64_t step, Analyzer& analyzer) {
  const Buffer& buffer = view.buffer;
  require_swizzled(buffer);
  const size_t rank = buffer->rank();
  const int64_t rows = size_of(buffer, rank - 2), columns = size_of(buffer, rank - 1);
  const int64_t of_column = column_elements_of(buffer);
  const auto number = [](int64_t value) { return make_int(kIndex, value); };
  Expr before = number(0);  // boxes of the last two dimensions
  for (size_t d = 0; d + 2 < rank; ++d) before = before * number(size_of(buffer, d)) + cast(kIndex, view.box[d].min);
  const Expr row = cast(kIndex, view.box[rank - 2].min), column = cast(kIndex, view.box[rank - 1].min);
  const auto require = [&](const Expr& value, int64_t of) {
    if (is_int(analyzer.simplify(floor_mod(value, number(of))), 0)) return;
    fail("{} is read from {} on, which is not known to be a multiple of {}, as the hardware has it", buffer->name,
         to_text(value), of);
  };
  require(row, kColumnRows);
  require(column, step);
  const Expr block = before * number(columns / of_column) + floor_div(column, number(of_column));
  return analyzer.simplify((block * number(rows) + row) * number(of_column) + floor_mod(column, number(of_column)));
}

int64_t column_distance(const Buffer& buffer) {
  return size_of(buffer, buffer->rank() - 2) * kColumnBytes;
}

}  // namespace vantage::cuda
