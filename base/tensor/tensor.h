// The host's tensors, with DLPack's meaning: what files hold, functions are called with, devices are filled from, and
// results are compared as.
//
//   Tensor a(kInt8, {64, 300});                       // zero
//   for (int8_t& value : a.values<int8_t>()) ...      // elements of a dense tensor, row by row
//   const Tensor b = Tensor::borrow(kFloat32, {8, 4}, memory, {1, 8});  // someone else's memory, by columns
//
// Shapes and strides count elements, offsets and sizes in memory bytes. A tensor is row-major without gaps ("dense")
// unless strides say otherwise; memory that it owns begins at a multiple of kTensorAlignment. Signed integers are
// sign-extended to the bytes that their type takes (int4 fills one), bool is a byte of 0 or 1, float16 is IEEE
// binary16, bfloat16 the upper half of a float32.
//
// Elements are numbered in row-major order of their indices, whatever the strides. An index outside the shape and a
// value of the wrong kind are mistakes of the program, not of its user, and throw InternalError.
//
// Thread safety: as a std::vector's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/tensor/dtype.h"

namespace vantage {

// In bytes: a cache line, and the longest vector, so that no vector of a dense row lies in two lines.
inline constexpr size_t kTensorAlignment = 64;

class Tensor {
 public:
  using Shape = std::vector<int64_t>;

  // int32 of shape [0].
  Tensor() : Tensor(kInt32, {0}) {}
  // All zero. Strides are not negative; none given: dense. Throws Error for more bytes than any memory has.
  Tensor(DType dtype, Shape shape, Shape strides = {});
  // In memory that outlives the result and everything it is moved to. REQUIRES: `memory` reaches from the first element
  // to the last.
  static Tensor borrow(DType dtype, Shape shape, std::span<std::byte> memory, Shape strides = {});
  // The same of a tensor in the host's memory, which must not be null where there are elements. Throws Error for
  // another device, negative strides and types that DType lacks.
  static Tensor borrow(const DLTensor& tensor);

  // A copy owns its memory and has the same strides. What was moved from may be assigned to, or end.
  Tensor(const Tensor& other);
  Tensor& operator=(const Tensor& other);
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(Tensor&&) noexcept = default;
  ~Tensor() = default;

  DType dtype() const { return dtype_; }
  const Shape& shape() const { return shape_; }
  const Shape& strides() const { return strides_; }
  size_t rank() const { return shape_.size(); }
  int64_t extent(size_t dimension) const { return shape_.at(dimension); }
  int64_t size() const { return size_; }  // elements
  bool is_dense() const { return dense_; }
  bool owns_memory() const { return own_ != nullptr; }

  // From the first element to the last, gaps of the strides included: element [i, j] is at (i * strides[0] +
  // j * strides[1]) * dtype.bytes().
  std::span<std::byte> bytes() { return {data_, byte_count_}; }
  std::span<const std::byte> bytes() const { return {data_, byte_count_}; }

  // The elements of a dense tensor as what they are in memory: int8_t to int64_t by the bytes an integer takes, uint8_t
  // to uint32_t, uint8_t for bool, uint16_t for float16 and bfloat16, float, double. Another T, or gaps: InternalError.
  template <typename T>
  std::span<T> values() {
    require_values(is_stored_as<T>());
    return {reinterpret_cast<T*>(data_), static_cast<size_t>(size_)};
  }
  template <typename T>
  std::span<const T> values() const {
    require_values(is_stored_as<T>());
    return {reinterpret_cast<const T*>(data_), static_cast<size_t>(size_)};
  }

  // This tensor for DLPack: its pointers hold until this tensor is assigned to or ends.
  DLTensor dl() const;

  // The number of the element with this index.
  int64_t element(std::initializer_list<int64_t> index) const;
  // The index of the element with this number.
  Shape index_of(int64_t element) const;
  Scalar get(int64_t element) const;
  void set(int64_t element, Scalar value);

  // As a number of either kind: converted as Cast would.
  double number(int64_t element) const;
  int64_t integer(int64_t element) const;
  void set_number(int64_t element, double value);
  void set_integer(int64_t element, int64_t value);
  double at(std::initializer_list<int64_t> index) const { return number(element(index)); }

  // Dense copies. The same elements in another shape of as many; of a tensor that is given up, without copying.
  Tensor reshaped(Shape shape) const&;
  Tensor reshaped(Shape shape) &&;
  // Axis d of the result is axis order[d] of this.
  Tensor permuted(std::span<const size_t> order) const;
  Tensor permuted(std::initializer_list<size_t> order) const {
    return permuted(std::span(order.begin(), order.size()));
  }
  // Indices begin to begin + count - 1 of the first axis.
  Tensor rows(int64_t begin, int64_t count) const;
  // Every element as another type: converted as Cast would.
  Tensor converted(DType dtype) const;

  // Whether types, shapes and the bytes of all elements are equal: NaN equals itself, 0 and -0 differ.
  bool operator==(const Tensor& other) const;

 private:
  struct Free {
    void operator()(std::byte* memory) const { ::operator delete (memory, std::align_val_t{kTensorAlignment}); }
  };
  struct Borrowed {};
  Tensor(Borrowed, DType dtype, Shape shape, Shape strides);

  template <typename T>
  bool is_stored_as() const {
    if (dtype_.is_float()) {
      if constexpr (std::is_same_v<T, uint16_t>) return dtype_.is_narrow_float();
      return std::is_floating_point_v<T> && sizeof(T) * 8 == static_cast<size_t>(dtype_.bits());
    }
    if (dtype_.is_bool()) return std::is_same_v<T, uint8_t>;
    return std::is_integral_v<T> && std::is_signed_v<T> == dtype_.is_signed() &&
           sizeof(T) == static_cast<size_t>(dtype_.bytes());
  }
  void require_values(bool stored_so) const;
  size_t offset(int64_t element) const;

  DType dtype_;
  Shape shape_, strides_;
  int64_t size_ = 1;
  bool dense_ = true;
  std::unique_ptr<std::byte, Free> own_;
  std::byte* data_ = nullptr;
  size_t byte_count_ = 0;
};

// "float32[4, 8]".
std::string describe(const Tensor& tensor);

// The bytes that so many elements take without gaps. Throws Error for a negative size, and for more bytes than any
// memory has.
uint64_t dense_bytes(DType dtype, std::span<const int64_t> shape);

// Calls visit(values) with the span of int8_t, int16_t, int32_t or int64_t that a dense tensor of integers is: for
// loops over elements that should not ask for their type each time.
template <typename Visit>
decltype(auto) visit_integers(const Tensor& tensor, const Visit& visit) {
  switch (tensor.dtype().bytes()) {
    case 1: return visit(tensor.values<int8_t>());
    case 2: return visit(tensor.values<int16_t>());
    case 4: return visit(tensor.values<int32_t>());
    default: return visit(tensor.values<int64_t>());
  }
}

}  // namespace vantage
