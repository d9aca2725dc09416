#include "tests/compiler/backend/cpu/guarded_tensor.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/math.h"
#include "base/tensor/dtype.h"

namespace vantage::test {

namespace {

constexpr std::byte kCanary{0xa5};

}  // namespace

void GuardedTensor::Unmap::operator()(std::byte* pages) const {
  munmap(pages, bytes);
}

GuardedTensor::GuardedTensor(const Tensor& array, int alignment, Side side)
    : dtype_(array.dtype()), shape_(array.shape()), strides_(array.strides()), pages_(nullptr, Unmap{0}) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = array.bytes().size();
  const size_t inside = round_up(std::max<size_t>(bytes, 1), page);
  const size_t all = inside + 2 * page;
  void* mapped = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  VANTAGE_CHECK(mapped != MAP_FAILED);
  pages_ = {static_cast<std::byte*>(mapped), Unmap{all}};
  VANTAGE_CHECK(mprotect(pages_.get(), page, PROT_NONE) == 0);
  VANTAGE_CHECK(mprotect(pages_.get() + page + inside, page, PROT_NONE) == 0);
  slack_ = {pages_.get() + page, inside};
  std::fill(slack_.begin(), slack_.end(), kCanary);
  const size_t first =
      side == Side::kBegin ? 0 : (inside - bytes) / static_cast<size_t>(alignment) * static_cast<size_t>(alignment);
  data_ = slack_.subspan(first, bytes);
  element_.assign(bytes, false);
  const auto size = static_cast<size_t>(dtype_.bytes());
  for (int64_t e = 0; e < array.size(); ++e) {
    int64_t rest = e, at = 0;
    for (size_t d = shape_.size(); d-- > 0; rest /= shape_[d]) at += rest % shape_[d] * strides_[d];
    const size_t offset = static_cast<size_t>(at) * size;
    std::fill_n(element_.begin() + static_cast<std::ptrdiff_t>(offset), size, true);
    std::memcpy(data_.data() + offset, array.bytes().data() + offset, size);
  }
  tensor_ = {
      data_.data(), {kDLCPU, 0}, static_cast<int>(shape_.size()), dl_dtype(dtype_), shape_.data(), strides_.data(), 0};
}

Tensor GuardedTensor::array() const {
  Tensor result(dtype_, shape_, strides_);
  std::copy(data_.begin(), data_.end(), result.bytes().begin());
  return result;
}

bool GuardedTensor::intact() const {
  const auto first = static_cast<size_t>(data_.data() - slack_.data());
  for (size_t i = 0; i < slack_.size(); ++i) {
    const bool is_element = i >= first && i < first + data_.size() && element_[i - first];
    if (!is_element && slack_[i] != kCanary) return false;
  }
  return true;
}

}  // namespace vantage::test
