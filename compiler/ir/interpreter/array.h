// Tensors on the host: what functions are called with, and how their results are compared.
//
// Thread safety: as a std::vector's.
#pragma once

#include <initializer_list>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "compiler/ir/dtype.h"

namespace vantage::ir {

// Elements are counted in row-major order of their indices, whatever the strides. An index outside the shape and a
// value of the wrong kind are mistakes of the program, not of its user, and throw InternalError.
class Array {
 public:
  // All zero. `strides` count elements and are not negative; none given: row-major without gaps.
  Array(DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides = {});

  DType dtype() const { return dtype_; }
  const std::vector<int64_t>& shape() const { return shape_; }
  const std::vector<int64_t>& strides() const { return strides_; }
  int64_t size() const { return size_; }  // elements
  // From the first element to the last, gaps of the strides included: element [i, j] is at (i * strides[0] +
  // j * strides[1]) * dtype.bytes(). Integers are sign-extended to their bytes (int4 fills one), float16 is IEEE
  // binary16.
  std::span<std::byte> bytes() { return bytes_; }
  std::span<const std::byte> bytes() const { return bytes_; }

  // The number of the element with this index.
  int64_t element(std::initializer_list<int64_t> index) const;
  Scalar get(int64_t element) const;
  void set(int64_t element, Scalar value);

  // As a number of either kind: converted as Cast would.
  double number(int64_t element) const;
  int64_t integer(int64_t element) const;
  void set_number(int64_t element, double value);
  void set_integer(int64_t element, int64_t value);
  double at(std::initializer_list<int64_t> index) const { return number(element(index)); }

  // Any integers of the type; floats from -1 to 1. The same on every platform.
  void fill(std::mt19937_64& random);
  // Whole numbers from `min` to `max`: small ones add up without rounding, in whatever order.
  void fill(std::mt19937_64& random, int64_t min, int64_t max);

 private:
  size_t offset(int64_t element) const;

  DType dtype_;
  std::vector<int64_t> shape_, strides_;
  int64_t size_ = 1;
  bool dense_ = true;
  std::vector<std::byte> bytes_;
};

// "float32[4, 8]".
std::string describe(const Array& array);

// Numbers agree when |expected - got| <= absolute + relative * |expected|.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
};

// The first difference in one line, nothing when there is none. Strides do not matter; NaN equals NaN and 0 equals -0.
std::optional<std::string> difference(const Array& expected, const Array& got, Tolerance tolerance = {});

}  // namespace vantage::ir
