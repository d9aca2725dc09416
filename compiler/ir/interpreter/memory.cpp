#include "compiler/ir/interpreter/memory.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/error.h"

namespace vantage::ir::interpreter {

namespace {

template <typename T>
T* zeros(int64_t count) {
  // Large blocks take memory only where they are touched.
  void* block = std::calloc(static_cast<size_t>(std::max<int64_t>(count, 1)), sizeof(T));
  if (block == nullptr) throw std::bad_alloc();
  return static_cast<T*>(block);
}

}  // namespace

int64_t element_count(const BufferNode& buffer, const std::vector<Memory::Dimension>& dimensions) {
  constexpr int64_t kMostBytes = int64_t{64} << 30;
  int64_t count = 1;
  bool fits = true;
  for (const auto& [extent, stride] : dimensions) {
    if (extent == 0) return 0;
    int64_t step = 0;
    fits = fits && !__builtin_mul_overflow(extent - 1, stride, &step) && !__builtin_add_overflow(count, step, &count);
  }
  if (!fits || count > kMostBytes / buffer.dtype.bytes()) {
    fail("{} is larger than the 64 GiB that the interpreter gives a buffer; run a smaller case", buffer.name);
  }
  return count;
}

void Memory::attach(const BufferNode& buffer, std::vector<Dimension> dimensions, std::span<std::byte> bytes) {
  buffer_ = &buffer;
  element_bytes_ = buffer.dtype.bytes();
  dimensions_ = std::move(dimensions);
  count_ = element_count(buffer, dimensions_);
  VANTAGE_CHECK(static_cast<int64_t>(bytes.size()) >= count_ * element_bytes_);
  bytes_ = bytes.data();
}

void Memory::allocate(const BufferNode& buffer, std::vector<Dimension> dimensions, Sharing sharing) {
  buffer_ = &buffer;
  element_bytes_ = buffer.dtype.bytes();
  dimensions_ = std::move(dimensions);
  sharing_ = sharing;
  count_ = element_count(buffer, dimensions_);
  for (auto& touches : touches_) touches.reset();
  if (count_ > capacity_ || own_ == nullptr) {
    own_.reset(zeros<std::byte>(count_ * element_bytes_));
    written_.reset(zeros<uint8_t>(count_));
    capacity_ = count_;
  } else {
    std::memset(written_.get(), 0, static_cast<size_t>(count_));
  }
  bytes_ = own_.get();
}

Touches& Memory::touches(size_t level, int64_t at) {
  Block<Touches>& all = touches_[level];
  if (all == nullptr) all.reset(zeros<Touches>(count_));
  return all.get()[at];
}

}  // namespace vantage::ir::interpreter
