#include "cli/npy.h"

#include <charconv>
#include <vector>

#include "hw/spec/codec.h"
#include "hw/spec/error.h"
#include "hw/spec/file.h"

namespace vantage::cli {

using compiler::Matrix;

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr Bytes kLimit{uint64_t{4} << 30};

size_t item_size(NpyType type) {
  return type == NpyType::kInt8 ? 1 : 4;
}
std::string_view type_name(NpyType type) {
  return type == NpyType::kInt8 ? "int8" : "int32";
}
// What NumPy writes on a little-endian machine; one byte has no order.
std::string_view descr(NpyType type) {
  return type == NpyType::kInt8 ? "|i1" : "<i4";
}

// The text after 'key': in the header's Python dictionary, up to the end of its value.
std::string_view header_value(std::string_view header, std::string_view key, std::string_view source) {
  const size_t at = header.find(fmt::format("'{}':", key));
  if (at == std::string_view::npos) fail("{}: its .npy header has no '{}'", source, key);
  std::string_view value = header.substr(at + key.size() + 3);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  const char closing = value.starts_with('(') ? ')' : ',';
  return value.substr(0, std::min(value.find(closing), value.size()));
}

std::vector<uint64_t> parse_shape(std::string_view text, std::string_view source) {
  if (!text.starts_with('(')) fail("{}: its .npy header has no shape", source);
  std::vector<uint64_t> shape;
  for (size_t i = 1; i < text.size();) {
    if (text[i] == ' ' || text[i] == ',') {
      ++i;
      continue;
    }
    uint64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data() + i, text.data() + text.size(), extent);
    if (error != std::errc()) fail("{}: its .npy header has the malformed shape {})", source, text);
    shape.push_back(extent);
    i = static_cast<size_t>(end - text.data());
  }
  return shape;
}

}  // namespace

Matrix parse_npy(std::string_view bytes, NpyType type, std::string_view source) {
  if (!bytes.starts_with(kMagic) || bytes.size() < 10) fail("{}: not a .npy file", source);
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(bytes[i])); };
  const size_t version = byte(6);
  if (version != 1 && version != 2) fail("{}: .npy version {} is not known here, expected 1 or 2", source, version);
  size_t header_at = 10;
  size_t header_size = byte(8) | byte(9) << 8;
  if (version == 2) {
    if (bytes.size() < 12) fail("{}: truncated inside its .npy header", source);
    header_at = 12;
    header_size |= byte(10) << 16 | byte(11) << 24;
  }
  if (bytes.size() - header_at < header_size) fail("{}: truncated inside its .npy header", source);
  const std::string_view header = bytes.substr(header_at, header_size);
  const std::string_view data = bytes.substr(header_at + header_size);

  const std::string_view found = header_value(header, "descr", source);
  if (found != fmt::format("'{}'", descr(type)) && found != fmt::format("'<{}'", descr(type).substr(1))) {
    fail("{}: its elements are {}, expected {} ('{}'); convert it with array.astype('{}')", source, found,
         type_name(type), descr(type), type_name(type));
  }
  if (header_value(header, "fortran_order", source) != "False") {
    fail("{}: it is in Fortran order; convert it with numpy.ascontiguousarray", source);
  }
  const auto shape = parse_shape(header_value(header, "shape", source), source);
  if (shape.empty() || shape.size() > 2) fail("{}: it has {} dimensions, expected 1 or 2", source, shape.size());
  const uint64_t rows = shape.size() == 2 ? shape[0] : 1;
  const uint64_t cols = shape.back();
  const bool fits = cols == 0 || rows <= kLimit.count() / cols;
  if (!fits || rows * cols * item_size(type) != data.size()) {
    fail("{}: its shape {} x {} of {} does not match its {} bytes of data", source, rows, cols, type_name(type),
         data.size());
  }
  Matrix matrix(rows, cols);
  for (size_t i = 0; i < matrix.values.size(); ++i) {
    if (type == NpyType::kInt8) {
      matrix.values[i] = static_cast<int8_t>(data[i]);
    } else {
      matrix.values[i] = static_cast<int32_t>(isa::load_u32(as_bytes(data).subspan(4 * i).first<4>()));
    }
  }
  return matrix;
}

Matrix read_npy(const std::filesystem::path& path, NpyType type) {
  return parse_npy(read_file(path, kLimit), type, path.string());
}

void write_npy(const std::filesystem::path& path, const Matrix& matrix, NpyType type) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}, {}), }}", descr(type),
                                   matrix.rows, matrix.cols);
  // NumPy wants the data to start at a multiple of 64 bytes and the header to end in a newline.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file(kMagic);
  file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  file += header;
  for (int32_t value : matrix.values) {
    for (size_t i = 0; i < item_size(type); ++i) file += static_cast<char>(static_cast<uint32_t>(value) >> (8 * i));
  }
  write_file(path, file);
}

}  // namespace vantage::cli
