#include "base/tensor/tensor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/tensor/element.h"
#include "base/tensor/type.h"

namespace vantage {

namespace {

// Calls copy(T{}) with an integer as large as an element.
template <typename Copy>
void with_element_of(DType dtype, const Copy& copy) {
  switch (dtype.bytes()) {
    case 1: return copy(uint8_t{});
    case 2: return copy(uint16_t{});
    case 4: return copy(uint32_t{});
    default: return copy(uint64_t{});
  }
}

// Elements with these sizes and strides (in elements), one after another.
void gather(DType dtype, const std::byte* from, std::span<const int64_t> shape, std::span<const int64_t> strides,
            std::byte* to) {
  with_element_of(dtype, [&]<typename T>(T) {
    const size_t rank = shape.size();
    const int64_t inner = rank == 0 ? 1 : shape[rank - 1], step = rank == 0 ? 0 : strides[rank - 1];
    const int64_t outer =
        std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>()) / std::max<int64_t>(inner, 1);
    for (int64_t row = 0; inner > 0 && row < outer; ++row) {
      int64_t at = 0, rest = row;
      for (size_t d = rank; d-- > 1;) {
        at += rest % shape[d - 1] * strides[d - 1];
        rest /= shape[d - 1];
      }
      const std::byte* in = from + at * static_cast<int64_t>(sizeof(T));
      if (step == 1) {
        std::memcpy(to, in, static_cast<size_t>(inner) * sizeof(T));
        to += static_cast<size_t>(inner) * sizeof(T);
        continue;
      }
      for (int64_t i = 0; i < inner; ++i, to += sizeof(T), in += step * static_cast<int64_t>(sizeof(T))) {
        std::memcpy(to, in, sizeof(T));
      }
    }
  });
}

}  // namespace

uint64_t dense_bytes(DType dtype, std::span<const int64_t> shape) {
  auto bytes = static_cast<int64_t>(dtype.bytes());
  for (const int64_t size : shape) {
    if (size < 0 || __builtin_mul_overflow(bytes, size, &bytes)) {
      fail("a tensor of the shape [{}] is larger than any memory", fmt::join(shape, ", "));
    }
  }
  return static_cast<uint64_t>(bytes);
}

Tensor::Tensor(Borrowed, DType dtype, Shape shape, Shape strides)
    : dtype_(dtype), shape_(std::move(shape)), strides_(std::move(strides)) {
  VANTAGE_CHECK(!dtype.is_void() && (strides_.empty() || strides_.size() == shape_.size()));
  for (const int64_t extent : shape_) VANTAGE_CHECK(extent >= 0);
  const bool given = !strides_.empty();
  dense_bytes(dtype_, shape_);
  if (!given) strides_.resize(shape_.size());
  int64_t last = 0;
  for (size_t d = shape_.size(); d-- > 0;) {
    if (!given) strides_[d] = size_;
    VANTAGE_CHECK(strides_[d] >= 0);
    // The stride of a single element does not matter.
    dense_ = dense_ && (strides_[d] == size_ || shape_[d] <= 1);
    int64_t reach = 0;
    const bool too_far = __builtin_mul_overflow(std::max<int64_t>(shape_[d] - 1, 0), strides_[d], &reach) ||
                         __builtin_add_overflow(last, reach, &last);
    if (too_far || last >= INT64_MAX / 8) {
      fail("a tensor of the shape [{}] and strides [{}] is larger than any memory", fmt::join(shape_, ", "),
           fmt::join(strides_, ", "));
    }
    size_ *= shape_[d];
  }
  if (size_ > 0) byte_count_ = static_cast<size_t>(last + 1) * static_cast<size_t>(dtype.bytes());
}

Tensor::Tensor(DType dtype, Shape shape, Shape strides)
    : Tensor(Borrowed(), dtype, std::move(shape), std::move(strides)) {
  own_.reset(
      static_cast<std::byte*>(::operator new (std::max<size_t>(byte_count_, 1), std::align_val_t{kTensorAlignment})));
  data_ = own_.get();
  std::memset(data_, 0, byte_count_);
}

Tensor Tensor::borrow(DType dtype, Shape shape, std::span<std::byte> memory, Shape strides) {
  Tensor result(Borrowed(), dtype, std::move(shape), std::move(strides));
  VANTAGE_CHECK(memory.size() >= result.byte_count_);
  result.data_ = memory.data();
  return result;
}

Tensor Tensor::borrow(const DLTensor& tensor) {
  if (tensor.device.device_type != kDLCPU) {
    fail("a tensor is in the memory of DLPack's device {}, expected the host's",
         static_cast<int>(tensor.device.device_type));
  }
  const auto list = [&](const int64_t* values) {
    return values == nullptr ? Shape() : Shape(values, values + tensor.ndim);
  };
  Shape strides = list(tensor.strides);
  if (std::any_of(strides.begin(), strides.end(), [](int64_t stride) { return stride < 0; })) {
    fail("a tensor has the strides [{}], expected none below 0", fmt::join(strides, ", "));
  }
  Tensor result(Borrowed(), dtype_of(tensor.dtype), list(tensor.shape), std::move(strides));
  VANTAGE_CHECK(tensor.data != nullptr || result.size_ == 0);
  result.data_ = static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
  return result;
}

Tensor::Tensor(const Tensor& other) : Tensor(Borrowed(), other.dtype_, other.shape_, other.strides_) {
  own_.reset(
      static_cast<std::byte*>(::operator new (std::max<size_t>(byte_count_, 1), std::align_val_t{kTensorAlignment})));
  data_ = own_.get();
  if (byte_count_ > 0) std::memcpy(data_, other.data_, byte_count_);
}

Tensor& Tensor::operator=(const Tensor& other) {
  return *this = Tensor(other);
}

void Tensor::require_values(bool stored_so) const {
  VANTAGE_CHECK(dense_ && stored_so);
}

DLTensor Tensor::dl() const {
  // DLPack's description of a tensor is the same whether it may be written or not.
  return {data_,
          {kDLCPU, 0},
          static_cast<int>(shape_.size()),
          dl_dtype(dtype_),
          const_cast<int64_t*>(shape_.data()),
          const_cast<int64_t*>(strides_.data()),
          0};
}

int64_t Tensor::element(std::initializer_list<int64_t> index) const {
  VANTAGE_CHECK(index.size() == shape_.size());
  int64_t result = 0;
  size_t d = 0;
  for (const int64_t i : index) {
    VANTAGE_CHECK(i >= 0 && i < shape_[d]);
    result = result * shape_[d++] + i;
  }
  return result;
}

Tensor::Shape Tensor::index_of(int64_t element) const {
  Shape index(shape_.size());
  for (size_t d = index.size(); d-- > 0;) {
    index[d] = element % shape_[d];
    element /= shape_[d];
  }
  return index;
}

size_t Tensor::offset(int64_t element) const {
  VANTAGE_CHECK(element >= 0 && element < size_);
  int64_t at = element;
  if (!dense_) {
    at = 0;
    for (size_t d = shape_.size(); d-- > 0; element /= shape_[d]) at += element % shape_[d] * strides_[d];
  }
  return static_cast<size_t>(at) * static_cast<size_t>(dtype_.bytes());
}

Scalar Tensor::get(int64_t element) const {
  return read_element(dtype_, data_ + offset(element));
}

void Tensor::set(int64_t element, Scalar value) {
  write_element(dtype_, data_ + offset(element), convert(dtype_, dtype_, value));
}

double Tensor::number(int64_t element) const {
  return convert(dtype_, kFloat64, get(element)).f;
}
int64_t Tensor::integer(int64_t element) const {
  return convert(dtype_, kInt64, get(element)).i;
}
void Tensor::set_number(int64_t element, double value) {
  set(element, convert(kFloat64, dtype_, {.f = value}));
}
void Tensor::set_integer(int64_t element, int64_t value) {
  set(element, convert(kInt64, dtype_, {.i = value}));
}

Tensor Tensor::reshaped(Shape shape) const& {
  Tensor result(dtype_, std::move(shape));
  VANTAGE_CHECK(result.size_ == size_);
  gather(dtype_, data_, shape_, strides_, result.data_);
  return result;
}

Tensor Tensor::reshaped(Shape shape) && {
  if (!dense_ || !owns_memory()) return std::as_const(*this).reshaped(std::move(shape));
  Tensor result(Borrowed(), dtype_, std::move(shape), {});
  VANTAGE_CHECK(result.size_ == size_);
  result.own_ = std::move(own_);
  result.data_ = data_;
  return result;
}

Tensor Tensor::permuted(std::span<const size_t> order) const {
  VANTAGE_CHECK(order.size() == shape_.size());
  Shape shape, strides;
  for (const size_t axis : order) {
    shape.push_back(shape_.at(axis));
    strides.push_back(strides_.at(axis));
  }
  Tensor result(dtype_, shape);
  VANTAGE_CHECK(result.size_ == size_);
  gather(dtype_, data_, shape, strides, result.data_);
  return result;
}

Tensor Tensor::rows(int64_t begin, int64_t count) const {
  VANTAGE_CHECK(!shape_.empty() && begin >= 0 && count >= 0 && count <= shape_[0] - begin);
  Shape shape = shape_;
  shape[0] = count;
  Tensor result(dtype_, shape);
  gather(dtype_, data_ + begin * strides_[0] * dtype_.bytes(), shape, strides_, result.data_);
  return result;
}

Tensor Tensor::converted(DType dtype) const {
  Tensor result(dtype, shape_);
  const auto narrow = [&]<typename T>(std::span<T> to) {
    visit_integers(*this, [&](const auto& from) {
      std::transform(from.begin(), from.end(), to.begin(),
                     [&](int64_t value) { return static_cast<T>(wrap(dtype, value)); });
    });
  };
  if (dense_ && dtype_.is_signed() && dtype.is_signed()) {
    switch (dtype.bytes()) {
      case 1: narrow(result.values<int8_t>()); break;
      case 2: narrow(result.values<int16_t>()); break;
      case 4: narrow(result.values<int32_t>()); break;
      default: narrow(result.values<int64_t>()); break;
    }
    return result;
  }
  for (int64_t e = 0; e < size_; ++e) result.set(e, convert(dtype_, dtype, get(e)));
  return result;
}

bool Tensor::operator==(const Tensor& other) const {
  if (dtype_ != other.dtype_ || shape_ != other.shape_) return false;
  const auto each = static_cast<size_t>(dtype_.bytes());
  if (dense_ && other.dense_) return byte_count_ == 0 || std::memcmp(data_, other.data_, byte_count_) == 0;
  for (int64_t e = 0; e < size_; ++e) {
    if (std::memcmp(data_ + offset(e), other.data_ + other.offset(e), each) != 0) return false;
  }
  return true;
}

std::string describe(const Tensor& tensor) {
  return describe(type_of(tensor));
}

}  // namespace vantage
