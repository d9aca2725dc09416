#include "base/tensor/idx.h"

#include <algorithm>

#include "base/error.h"
#include "base/gzip.h"

namespace vantage {

namespace {

struct IdxHeader {
  Tensor::Shape shape;
  uint64_t items = 0, item_size = 1;
  size_t bytes = 0;  // of the header
};

// `most`: bytes that an item may have.
IdxHeader parse_idx_header(std::string_view bytes, std::string_view source, uint64_t most) {
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])); };
  constexpr uint64_t kUnsignedByte = 8;
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0) fail("{}: not an IDX file", source);
  if (byte(2) != kUnsignedByte) fail("{}: its elements have type {}, expected unsigned bytes (8)", source, byte(2));
  const size_t dimensions = byte(3);
  IdxHeader header;
  header.bytes = 4 + 4 * dimensions;
  if (dimensions == 0 || bytes.size() < header.bytes) fail("{}: truncated inside its header", source);
  for (size_t d = 0; d < dimensions; ++d) {
    const size_t at = 4 + 4 * d;  // big-endian
    const uint64_t extent = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
    if (d == 0) {
      header.items = extent;
    } else {
      header.item_size *= extent;
    }
    if (header.item_size > most) fail("{}: truncated: its header promises more than there is", source);
    header.shape.push_back(static_cast<int64_t>(extent));
  }
  return header;
}

}  // namespace

Tensor parse_idx(std::string_view bytes, std::string_view source) {
  const IdxHeader header = parse_idx_header(bytes, source, bytes.size());
  const std::string_view data = bytes.substr(header.bytes);
  if (header.items * header.item_size != data.size()) {
    fail("{}: its header promises {} items of {} bytes, there are {} bytes", source, header.items, header.item_size,
         data.size());
  }
  Tensor tensor(kInt16, header.shape);
  std::transform(data.begin(), data.end(), tensor.values<int16_t>().begin(),
                 [](char c) { return static_cast<unsigned char>(c); });
  return tensor;
}

Tensor read_idx(const std::filesystem::path& path) {
  constexpr Bytes kLimit{256 << 20}, kLongestHeader{4 + 4 * 255};
  // What is no IDX file is not unpacked any further.
  parse_idx_header(read_gzip_prefix(path, kLongestHeader), path.string(), kLimit.count());
  return parse_idx(read_gzip_file(path, kLimit), path.string());
}

}  // namespace vantage
