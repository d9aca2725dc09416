#include "cli/npy.h"

#include <charconv>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "hw/isa/codec.h"

namespace vantage::cli {

using ops::Matrix;

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr Bytes kLimit{uint64_t{1} << 30};

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

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<uint64_t> shape;
};

// The header is a Python dictionary of three entries: {'descr': '|i1', 'fortran_order': False, 'shape': (2, 3), }.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Header run() {
    Header header;
    int seen = 0;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        header.descr = string();
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
      } else if (key == "shape") {
        header.shape = tuple();
      } else {
        malformed();
      }
      ++seen;
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (seen != 3 || !text_.empty()) malformed();
    return header;
  }

 private:
  [[noreturn]] void malformed() const { fail("{}: its .npy header is malformed", source_); }
  void skip_blanks() { text_.remove_prefix(std::min(text_.find_first_not_of(" \n\t"), text_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) malformed();
  }
  std::string string() {
    skip_blanks();
    const char quote = text_.empty() ? '\0' : text_.front();
    const size_t end = text_.find(quote, 1);
    if ((quote != '\'' && quote != '"') || end == std::string_view::npos) malformed();
    const std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    malformed();
  }
  std::vector<uint64_t> tuple() {
    std::vector<uint64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      uint64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc()) malformed();
      text_.remove_prefix(static_cast<size_t>(end - text_.data()));
      values.push_back(value);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return values;
  }

  std::string_view text_;
  std::string_view source_;
};

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
  const Header header = HeaderParser(bytes.substr(header_at, header_size), source).run();
  const std::string_view data = bytes.substr(header_at + header_size);

  // One byte has no order, so NumPy's '|' may also read '<'.
  if (header.descr != descr(type) && header.descr != fmt::format("<{}", descr(type).substr(1))) {
    fail("{}: its elements are '{}', expected {} ('{}'); convert it with array.astype('{}')", source, header.descr,
         type_name(type), descr(type), type_name(type));
  }
  if (header.fortran_order) fail("{}: it is in Fortran order; convert it with numpy.ascontiguousarray", source);
  const auto& shape = header.shape;
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
