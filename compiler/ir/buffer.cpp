#include "compiler/ir/buffer.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "compiler/ir/printer.h"

namespace vantage::ir {

bool is_identifier(std::string_view name) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  const auto inside = [&](char c) { return letter(c) || c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return !name.empty() && letter(name.front()) && name.back() != '.' && std::all_of(name.begin(), name.end(), inside);
}

std::vector<Expr> BufferNode::all_strides() const {
  if (!strides.empty()) return strides;
  std::vector<Expr> result(rank());
  Expr stride = 1;
  for (size_t d = rank(); d-- > 0;) {
    result[d] = stride;
    stride = stride * shape[d];
  }
  return result;
}

Expr BufferNode::span() const {
  // Indices may have 32 bits where this has more.
  const auto wide = [](const Expr& e) { return cast(kInt64, e); };
  Expr last = make_zero(kInt64), step = make_int(kInt64, 1);
  for (size_t d = rank(); d-- > 0;) {
    last = last + (wide(shape[d]) - 1) * (strides.empty() ? step : wide(strides[d]));
    step = step * wide(shape[d]);
  }
  return last + 1;
}

void check_buffer(const BufferNode& b) {
  if (!is_identifier(b.name))
    fail("'{}' cannot name a buffer; use letters, digits, underscores and inner dots", b.name);
  if (b.dtype.is_void()) fail("the buffer {} has no element type", b.name);
  for (const Expr& size : b.shape) {
    const int64_t* value = as_int(size);
    if (!size.defined() || !size.dtype().is_signed() || (value != nullptr && *value < 1)) {
      const std::string type = size.defined() && value == nullptr ? fmt::format(" of type {}", name(size.dtype())) : "";
      fail("the buffer {} has the size {}{}, expected positive integers", b.name, to_text(size), type);
    }
  }
  if (!b.strides.empty() && b.strides.size() != b.shape.size()) {
    fail("the buffer {} has {} dimensions and {} strides, expected one each or none", b.name, b.shape.size(),
         b.strides.size());
  }
  if (b.alignment < 0 || (b.alignment & (b.alignment - 1)) != 0) {
    fail("the buffer {} is to be aligned to {} bytes, expected a power of two", b.name, b.alignment);
  }
}

Buffer make_buffer(BufferNode node) {
  check_buffer(node);
  return std::make_shared<const BufferNode>(std::move(node));
}

Buffer make_buffer(std::string name, std::vector<Expr> shape, DType dtype, std::string scope, std::vector<Expr> strides,
                   int alignment) {
  BufferNode node;
  node.name = std::move(name);
  node.dtype = dtype;
  node.shape = std::move(shape);
  node.strides = std::move(strides);
  node.scope = std::move(scope);
  node.alignment = alignment;
  return make_buffer(std::move(node));
}

}  // namespace vantage::ir
