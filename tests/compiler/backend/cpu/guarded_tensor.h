// Arrays in memory between pages that may not be touched, as compiled functions take them.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/tensor/tensor.h"
#include "native/abi.h"

namespace vantage::test {

// A copy of an array that ends (or begins) where a page ends (begins) which faults when touched, as nearly as its
// alignment allows; what lies between is checked by intact().
class GuardedTensor {
 public:
  enum class Side : uint8_t { kEnd, kBegin };
  GuardedTensor(const Tensor& array, int alignment, Side side);

  const DLTensor* tensor() const { return &tensor_; }
  DLTensor* tensor() { return &tensor_; }
  // The array as it is now.
  Tensor array() const;
  // Whether the bytes around it, and the gaps between its rows, are as they were.
  bool intact() const;

 private:
  struct Unmap {
    size_t bytes;
    void operator()(std::byte* pages) const;
  };

  DType dtype_;
  std::vector<int64_t> shape_, strides_;
  std::unique_ptr<std::byte, Unmap> pages_;
  std::span<std::byte> slack_, data_;  // all that may be touched; the array in it
  std::vector<bool> element_;          // of each byte of data_, whether it belongs to an element
  DLTensor tensor_{};
};

}  // namespace vantage::test
