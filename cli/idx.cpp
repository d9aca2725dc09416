#include "cli/idx.h"

#include "base/error.h"
#include "base/gzip.h"

namespace vantage::cli {

ops::Matrix parse_idx(std::string_view bytes, std::string_view source) {
  const auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])); };
  constexpr uint64_t kUnsignedByte = 8;
  if (bytes.size() < 4 || byte(0) != 0 || byte(1) != 0) fail("{}: not an IDX file", source);
  if (byte(2) != kUnsignedByte) fail("{}: its elements have type {}, expected unsigned bytes (8)", source, byte(2));
  const size_t dimensions = byte(3);
  if (dimensions == 0 || bytes.size() < 4 + 4 * dimensions) fail("{}: truncated inside its header", source);
  uint64_t items = 0;
  uint64_t item_size = 1;
  for (size_t d = 0; d < dimensions; ++d) {
    const size_t at = 4 + 4 * d;  // big-endian
    const uint64_t extent = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
    if (d == 0) {
      items = extent;
    } else {
      item_size *= extent;
    }
    if (item_size > bytes.size()) fail("{}: truncated: its header promises more than there is", source);
  }
  const std::string_view data = bytes.substr(4 + 4 * dimensions);
  if (items * item_size != data.size()) {
    fail("{}: its header promises {} items of {} bytes, there are {} bytes", source, items, item_size, data.size());
  }
  ops::Matrix matrix(items, item_size);
  for (size_t i = 0; i < data.size(); ++i) matrix.values[i] = static_cast<unsigned char>(data[i]);
  return matrix;
}

ops::Matrix read_idx(const std::filesystem::path& path) {
  constexpr Bytes kLimit{256 << 20};
  return parse_idx(read_gzip_file(path, kLimit), path.string());
}

}  // namespace vantage::cli
