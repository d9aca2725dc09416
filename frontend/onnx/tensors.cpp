#include "frontend/onnx/tensors.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "frontend/onnx/narrow.h"

namespace vantage::onnx_models {

namespace fs = std::filesystem;
using ::onnx::TensorProto;

namespace {

// Bytes as they lie in the file, of elements in little-endian order.
void read_raw(std::string_view bytes, int data_type, Tensor& tensor) {
  const size_t each = data_type == TensorProto::BFLOAT16 ? 2 : static_cast<size_t>(tensor.dtype().bytes());
  const auto count = static_cast<size_t>(tensor.size());
  if (bytes.size() != count * each) {
    fail("has {} bytes, but {} takes {}", bytes.size(), describe(tensor), count * each);
  }
  if (data_type == TensorProto::BFLOAT16) {
    const std::span<float> values = tensor.values<float>();
    for (size_t i = 0; i < count; ++i) {
      uint16_t bits = 0;
      std::memcpy(&bits, bytes.data() + i * 2, 2);
      values[i] = static_cast<float>(from_bfloat16(bits));
    }
    return;
  }
  if (count > 0) std::memcpy(tensor.bytes().data(), bytes.data(), bytes.size());
  // Other bytes than 0 and 1 are no bools.
  if (tensor.dtype().is_bool()) {
    for (uint8_t& value : tensor.values<uint8_t>()) value = value != 0 ? 1 : 0;
  }
}

template <typename List, typename Set>
void read_list(const List& list, Tensor& tensor, const Set& set) {
  if (list.size() != tensor.size()) {
    fail("has {} elements, but its shape, {}, is of {}", list.size(), describe(tensor), tensor.size());
  }
  for (int i = 0; i < list.size(); ++i) set(int64_t{i}, list.Get(i));
}

void read_elements(const TensorProto& message, Tensor& tensor) {
  switch (message.data_type()) {
    case TensorProto::FLOAT:
      return read_list(message.float_data(), tensor, [&](int64_t i, float value) { tensor.set_number(i, value); });
    case TensorProto::DOUBLE:
      return read_list(message.double_data(), tensor, [&](int64_t i, double value) { tensor.set_number(i, value); });
    case TensorProto::INT64:
      return read_list(message.int64_data(), tensor, [&](int64_t i, int64_t value) { tensor.set_integer(i, value); });
    case TensorProto::UINT32:
      return read_list(message.uint64_data(), tensor,
                       [&](int64_t i, uint64_t value) { tensor.set_integer(i, static_cast<int64_t>(value)); });
    case TensorProto::FLOAT16:
      return read_list(message.int32_data(), tensor, [&](int64_t i, int32_t value) {
        tensor.set_number(i, from_half(static_cast<uint16_t>(value)));
      });
    case TensorProto::BFLOAT16:
      return read_list(message.int32_data(), tensor, [&](int64_t i, int32_t value) {
        tensor.set_number(i, from_bfloat16(static_cast<uint16_t>(value)));
      });
    default:
      return read_list(message.int32_data(), tensor, [&](int64_t i, int32_t value) { tensor.set_integer(i, value); });
  }
}

uint64_t number_of(const std::string& key, const std::string& text) {
  uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end) fail("its external data has the {} '{}', expected a number", key, text);
  return value;
}

// A part of a file beside the model.
std::string read_external(const TensorProto& message, const fs::path& folder, uint64_t expected) {
  std::string location;
  uint64_t offset = 0, length = expected;
  for (const auto& entry : message.external_data()) {
    if (entry.key() == "location") location = entry.value();
    if (entry.key() == "offset") offset = number_of("offset", entry.value());
    if (entry.key() == "length") length = number_of("length", entry.value());
  }
  if (location.empty()) fail("its data lies in a file beside the model, whose name is missing");
  const fs::path relative = fs::path(location).lexically_normal();
  if (relative.is_absolute() || relative.empty() || *relative.begin() == "..") {
    fail("its data lies in '{}', expected a file below the model's folder", location);
  }
  const fs::path path = folder / relative;
  if (length != expected) fail("its data in {} is {} bytes, expected {}", path.string(), length, expected);
  std::error_code failed;
  const uint64_t size = fs::file_size(path, failed);
  if (failed) fail("its data lies in {}, which cannot be read: {}", path.string(), failed.message());
  if (offset > size || length > size - offset) {
    fail("its data is bytes {} to {} of {}, which has {}; is the file whole?", offset, offset + length, path.string(),
         size);
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes(length, '\0');
  stream.seekg(static_cast<std::streamoff>(offset));
  stream.read(bytes.data(), static_cast<std::streamsize>(length));
  if (!stream) fail("its data in {} cannot be read", path.string());
  return bytes;
}

}  // namespace

std::string name_of_type(int64_t data_type) {
  if (data_type >= 0 && data_type <= TensorProto::BFLOAT16) {
    return TensorProto::DataType_Name(static_cast<TensorProto::DataType>(data_type));
  }
  // Those that came after this version of ONNX's messages.
  const NarrowType* narrow = find_narrow(data_type);
  return narrow != nullptr ? std::string(narrow->name) : fmt::format("number {}", data_type);
}

DType dtype_of(int64_t data_type) {
  switch (data_type) {
    case TensorProto::FLOAT: return kFloat32;
    case TensorProto::UINT8: return kUInt8;
    case TensorProto::INT8: return kInt8;
    case TensorProto::UINT16: return kUInt16;
    case TensorProto::INT16: return kInt16;
    case TensorProto::INT32: return kInt32;
    case TensorProto::INT64: return kInt64;
    case TensorProto::BOOL: return kBool;
    case TensorProto::FLOAT16: return kFloat16;
    case TensorProto::DOUBLE: return kFloat64;
    case TensorProto::UINT32: return kUInt32;
    // Wider, and so without loss.
    case TensorProto::BFLOAT16: return kFloat32;
    default:
      fail(
          "is of ONNX's type {}; those that there are: floats of 16, 32 and 64 bits, signed integers of 8 to 64, "
          "unsigned ones of 8 to 32, and bool",
          name_of_type(data_type));
  }
}

Tensor tensor_of(const TensorProto& message, const fs::path& folder) {
  try {
    if (message.has_segment()) fail("is a segment of a tensor, and not a whole one");
    const NarrowType* narrow = find_narrow(message.data_type());
    const DType dtype = narrow != nullptr ? narrow->dtype : dtype_of(message.data_type());
    Tensor::Shape shape;
    for (const int64_t size : message.dims()) {
      if (size < 0) fail("has the size {} in its shape", size);
      shape.push_back(size);
    }
    const bool is_external = message.data_location() == TensorProto::EXTERNAL;
    const uint64_t each = message.data_type() == TensorProto::BFLOAT16 ? 2 : static_cast<uint64_t>(dtype.bytes());
    const uint64_t count = dense_bytes(dtype, shape) / static_cast<uint64_t>(dtype.bytes());
    const uint64_t bytes = narrow != nullptr ? narrow_bytes(*narrow, count) : count * each;
    // Before there is memory for them, that there are as many bytes.
    const std::string external = is_external ? read_external(message, folder, bytes) : std::string();
    const std::string_view raw = is_external ? std::string_view(external) : std::string_view(message.raw_data());
    const bool is_raw = is_external || message.has_raw_data();
    const auto given =
        static_cast<uint64_t>(message.float_data_size()) + static_cast<uint64_t>(message.int32_data_size()) +
        static_cast<uint64_t>(message.int64_data_size()) + static_cast<uint64_t>(message.double_data_size()) +
        static_cast<uint64_t>(message.uint64_data_size());
    if (is_raw ? raw.size() != bytes : given != (narrow != nullptr ? bytes : count)) {
      fail("has {} {}, but its shape is of {} elements", is_raw ? raw.size() : given, is_raw ? "bytes" : "elements",
           count);
    }
    Tensor tensor(dtype, std::move(shape));
    if (narrow != nullptr) {
      // Listed, they are the same bytes as numbers.
      std::string listed;
      for (int i = 0; !is_raw && i < message.int32_data_size(); ++i) {
        listed.push_back(static_cast<char>(message.int32_data(i)));
      }
      if (!is_raw && listed.size() != bytes)
        fail("has {} bytes as integers of 32 bits, expected {}", listed.size(), bytes);
      read_narrow(*narrow, is_raw ? raw : std::string_view(listed), tensor);
    } else if (is_raw) {
      read_raw(raw, message.data_type(), tensor);
    } else {
      read_elements(message, tensor);
    }
    return tensor;
  } catch (const Error& error) {
    fail("the tensor {} {}", message.name().empty() ? "without a name" : message.name(), error.what());
  }
}

}  // namespace vantage::onnx_models
