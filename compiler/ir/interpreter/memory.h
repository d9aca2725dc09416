// A buffer while a function runs: its sizes have values, its elements bytes.
#pragma once

#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "base/tensor/element.h"
#include "compiler/ir/buffer.h"

namespace vantage::ir::interpreter {

// Who else may touch the elements: nobody beside one thread; the threads of one block; all threads, and the iterations
// of parallel loops.
enum class Sharing : uint8_t { kPrivate, kBlock, kAll };

// Who touched one element, among several that mean to run at once but run one after another. A phase counts up
// whenever all of them have waited for each other: only what happened in one phase is unordered.
struct Touches {
  uint32_t write_phase = 0, writer = 0;
  // The first reader of its phase: if that is not the one who writes, it is another; if it is, others come later.
  uint32_t read_phase = 0, reader = 0;
};

class Memory {
 public:
  struct Dimension {
    int64_t extent, stride;
    bool operator==(const Dimension&) const = default;
  };

  // From here on the elements are these bytes, and count as written.
  void attach(const BufferNode& buffer, std::vector<Dimension> dimensions, std::span<std::byte> bytes);
  // From here on the elements are fresh, none of them written. Throws Error when they are too many.
  void allocate(const BufferNode& buffer, std::vector<Dimension> dimensions, Sharing sharing);

  const BufferNode& buffer() const { return *buffer_; }
  const std::vector<Dimension>& dimensions() const { return dimensions_; }
  Sharing sharing() const { return sharing_; }

  bool written(int64_t at) const { return written_ == nullptr || written_.get()[at] != 0; }
  Scalar read(int64_t at) const { return read_element(buffer_->dtype, bytes_ + at * element_bytes_); }
  void write(int64_t at, Scalar value) {
    if (written_ != nullptr) written_.get()[at] = 1;
    write_element(buffer_->dtype, bytes_ + at * element_bytes_, value);
  }

  // One per element, at first all zero.
  Touches& touches(size_t level, int64_t at);

 private:
  struct Free {
    void operator()(void* p) const { std::free(p); }
  };
  template <typename T>
  using Block = std::unique_ptr<T, Free>;

  const BufferNode* buffer_ = nullptr;
  std::vector<Dimension> dimensions_;
  std::byte* bytes_ = nullptr;
  int64_t element_bytes_ = 1;
  int64_t count_ = 0;  // elements, gaps included
  Sharing sharing_ = Sharing::kAll;
  int64_t capacity_ = 0;  // elements that the two blocks have room for
  Block<std::byte> own_;
  Block<uint8_t> written_;  // per element; null: all are
  Block<Touches> touches_[2];
};

// The number of elements from the first to the last, gaps included; throws Error when they take more than 64 GiB.
int64_t element_count(const BufferNode& buffer, const std::vector<Memory::Dimension>& dimensions);

}  // namespace vantage::ir::interpreter
