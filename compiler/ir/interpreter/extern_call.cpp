#include "compiler/ir/interpreter/extern_call.h"

#include <algorithm>

#include "base/error.h"
#include "base/tensor/dtype.h"
#include "compiler/ir/interpreter/access_checker.h"
#include "compiler/ir/interpreter/memory.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

namespace {

std::string quote(const View& view) {
  return to_text(BufferRegion{view.buffer, view.box});
}

}  // namespace

ExternView::ExternView(const View& view, std::vector<int64_t> origin, std::vector<int64_t> extents,
                       interpreter::Memory& memory, interpreter::AccessChecker& checker)
    : view_(&view), origin_(std::move(origin)), extents_(std::move(extents)), memory_(&memory), checker_(&checker) {
  // Of no elements, it may lie anywhere.
  if (std::find(extents_.begin(), extents_.end(), 0) != extents_.end()) return;
  for (size_t d = 0; d < origin_.size(); ++d) {
    const int64_t size = memory.dimensions()[d].extent;
    if (origin_[d] >= 0 && extents_[d] >= 0 && origin_[d] <= size && extents_[d] <= size - origin_[d]) continue;
    fail("the view {} begins at {} and has {} elements in dimension {}, but {}'s extent is {}", quote(view), origin_[d],
         extents_[d], d, view.buffer->name, size);
  }
}

const std::string& ExternView::buffer_name() const {
  return view_->buffer->name;
}
DType ExternView::dtype() const {
  return view_->buffer->dtype;
}
const std::string& ExternView::scope() const {
  return view_->buffer->scope;
}

Touch ExternView::touch() const {
  return view_->touch;
}

std::vector<int64_t> ExternView::in_buffer(std::span<const int64_t> index) const {
  std::vector<int64_t> result = origin_;
  for (size_t d = 0; d < result.size(); ++d) result[d] += index[d];
  return result;
}

int64_t ExternView::locate(std::span<const int64_t> index) const {
  if (index.size() != extents_.size()) {
    fail("the view {} has {} dimensions, but is accessed with {} indices", quote(*view_), extents_.size(),
         index.size());
  }
  int64_t at = 0;
  for (size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= extents_[d]) {
      fail("index {} in dimension {} is outside the view {}, which has {} elements there", index[d], d, quote(*view_),
           extents_[d]);
    }
    at += (origin_[d] + index[d]) * memory_->dimensions()[d].stride;
  }
  return at;
}

Scalar ExternView::get(std::span<const int64_t> index) const {
  if (view_->touch == Touch::kWrite) fail("the view {} is read, but was made only for writing", quote(*view_));
  const int64_t at = locate(index);
  checker_->check_read(*memory_, at, [&] { return in_buffer(index); });
  return memory_->read(at);
}

void ExternView::set(std::span<const int64_t> index, Scalar value) const {
  if (view_->touch == Touch::kRead) fail("the view {} is written, but was made only for reading", quote(*view_));
  const int64_t at = locate(index);
  checker_->check_write(*memory_, at, [&] { return in_buffer(index); });
  memory_->write(at, convert(dtype(), dtype(), value));
}

void ExternCall::misused(size_t i, const char* expected) const {
  if (i >= size()) fail("{} is called with {} arguments, but uses argument {}", name_, size(), i);
  fail("argument {} of {} is used as {}, which it is not", i, name_, expected);
}

template <typename T>
const T& ExternCall::argument(size_t i, const char* expected) const {
  const T* result = i < size() ? std::get_if<T>(&arguments_[i]) : nullptr;
  if (result == nullptr) misused(i, expected);
  return *result;
}

int64_t ExternCall::integer(size_t i) const {
  const auto& number = argument<Number>(i, "an integer");
  if (number.dtype.is_float()) misused(i, "an integer");
  return number.value.i;
}

double ExternCall::number(size_t i) const {
  const auto& number = argument<Number>(i, "a float");
  if (!number.dtype.is_float()) misused(i, "a float");
  return number.value.f;
}

const std::string& ExternCall::text(size_t i) const {
  return argument<std::string>(i, "text");
}
const ExternView& ExternCall::view(size_t i) const {
  return argument<ExternView>(i, "a view");
}

}  // namespace vantage::ir
