// storage_align and double_buffer: notes on how lowering lays out what a block writes.
#include "base/error.h"
#include "compiler/schedule/dependence.h"
#include "compiler/schedule/primitives.h"

namespace vantage::schedule {

namespace {

constexpr int64_t kMostPlaces = 64;  // of what is double-buffered

Buffer own_buffer(const PrimFunc& function, const std::string& name, std::string_view primitive) {
  const Path path = path_to_block(function, name);
  const Buffer buffer = single_output(block_at(path), primitive);
  if (function.is_param(buffer)) {
    fail("{}: {} belongs to the caller, who decides how it lies in memory", primitive, buffer->name);
  }
  return buffer;
}

}  // namespace

void storage_align(PrimFunc& function, const std::string& name, int64_t axis, int64_t factor, int64_t offset) {
  const Buffer buffer = own_buffer(function, name, "storage_align");
  const auto rank = static_cast<int64_t>(buffer->rank());
  if (axis < -rank || axis >= rank) {
    fail("storage_align: {} has {} dimensions, there is no {}", buffer->name, rank, axis);
  }
  if (factor < 1 || offset < 0) {
    fail("storage_align: {} is to be aligned to {} and {} more, expected a factor of at least 1 and no negative offset",
         buffer->name, factor, offset);
  }
  const int64_t dimension = axis < 0 ? axis + rank : axis;
  annotate_block(function, name, "storage_align_axis", dimension);
  annotate_block(function, name, "storage_align_factor", factor);
  annotate_block(function, name, "storage_align_offset", offset);
}

void double_buffer(PrimFunc& function, const std::string& name, int64_t places) {
  const Buffer buffer = own_buffer(function, name, "double_buffer");
  const Path path = path_to_block(function, name);
  if (writers(function, path, buffer).size() != 1) {
    fail("double_buffer: other blocks than {} write {} as well", name, buffer->name);
  }
  if (block_at(path).annotations.count("rolling_buffer") > 0) {
    fail("double_buffer: {} keeps what the iteration before has made (rolling_buffer), which is in one place only",
         buffer->name);
  }
  if (places < 2 || places > kMostPlaces) {
    fail("double_buffer: {} is to have {} places, expected 2 to {}", buffer->name, places, kMostPlaces);
  }
  annotate_block(function, name, "double_buffer", places);
}

}  // namespace vantage::schedule
