#include "base/tensor/npy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace vantage {

namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little, "elements are read and written as they lie in memory");

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr uint64_t kMaxHeader = 1 << 20;
constexpr uint64_t kMaxData = uint64_t{1} << 30;
constexpr size_t kChunk = 1 << 20;

constexpr DType kTypes[] = {kBool,   kInt8,   kInt16,   kInt32,   kInt64,  kUInt8,
                            kUInt16, kUInt32, kFloat16, kFloat32, kFloat64};

// What NumPy writes on a little-endian machine; one byte has no order.
std::string descr_of(DType dtype) {
  const char kind = dtype.is_bool() ? 'b' : dtype.is_float() ? 'f' : dtype.is_unsigned() ? 'u' : 'i';
  return fmt::format("{}{}{}", dtype.bytes() == 1 ? '|' : '<', kind, dtype.bytes());
}

// Bytes that come one after another.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `to`, or as much as there still is. Returns how many bytes.
  virtual size_t read(std::span<std::byte> to) = 0;
  // How many there still are, where that is known before.
  virtual std::optional<uint64_t> left() const = 0;

  // Up to `most` bytes, in memory that grows with what comes.
  std::string read_up_to(uint64_t most) {
    std::string bytes;
    while (bytes.size() < most) {
      const size_t old_size = bytes.size();
      bytes.resize(old_size + static_cast<size_t>(std::min<uint64_t>(kChunk, most - old_size)));
      const size_t wanted = bytes.size() - old_size;
      const size_t got = read(std::as_writable_bytes(std::span(bytes).subspan(old_size)));
      bytes.resize(old_size + got);
      if (got < wanted) break;
    }
    return bytes;
  }
};

class MemoryStream final : public ByteStream {
 public:
  explicit MemoryStream(std::string_view bytes) : bytes_(bytes) {}
  size_t read(std::span<std::byte> to) override {
    const size_t count = std::min(to.size(), bytes_.size());
    if (count > 0) std::memcpy(to.data(), bytes_.data(), count);
    bytes_.remove_prefix(count);
    return count;
  }
  std::optional<uint64_t> left() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

class FileStream final : public ByteStream {
 public:
  explicit FileStream(const fs::path& path) : path_(path), file_(nullptr, std::fclose) {
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) fail("{}: is a directory, expected a file", path.string());
    file_.reset(std::fopen(path.c_str(), "rbe"));
    if (!file_) refuse();
    if (fs::is_regular_file(path, ignored)) size_ = fs::file_size(path, ignored);
  }
  size_t read(std::span<std::byte> to) override {
    const size_t got = std::fread(to.data(), 1, to.size(), file_.get());
    if (got < to.size() && std::ferror(file_.get()) != 0) refuse();
    done_ += got;
    return got;
  }
  std::optional<uint64_t> left() const override {
    if (!size_) return std::nullopt;
    return *size_ - std::min(*size_, done_);
  }

 private:
  [[noreturn]] void refuse() const { fail("{}: cannot be read: {}", path_.string(), std::strerror(errno)); }

  fs::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::optional<uint64_t> size_;
  uint64_t done_ = 0;
};

struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<int64_t> shape;
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
  std::vector<int64_t> tuple() {
    std::vector<int64_t> values;
    expect('(');
    while (!accept(')')) {
      skip_blanks();
      int64_t value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc() || value < 0) malformed();
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

Header read_header(ByteStream& stream, std::string_view source) {
  const std::string start = stream.read_up_to(10);
  if (!start.starts_with(kMagic) || start.size() < 10) fail("{}: not a .npy file", source);
  const auto byte = [](char c) { return static_cast<uint64_t>(static_cast<unsigned char>(c)); };
  const uint64_t version = byte(start[6]);
  if (version != 1 && version != 2) fail("{}: .npy version {} is not known here, expected 1 or 2", source, version);
  uint64_t size = byte(start[8]) | byte(start[9]) << 8;
  if (version == 2) {
    const std::string rest = stream.read_up_to(2);
    if (rest.size() < 2) fail("{}: truncated inside its .npy header", source);
    size |= byte(rest[0]) << 16 | byte(rest[1]) << 24;
  }
  if (size > kMaxHeader && stream.left().value_or(size) >= size) {
    fail("{}: its .npy header has {} bytes, expected {} at most", source, size, kMaxHeader);
  }
  const std::string text = stream.read_up_to(std::min(size, kMaxHeader));
  if (text.size() < size) fail("{}: truncated inside its .npy header", source);
  return HeaderParser(text, source).run();
}

DType element_type(const Header& header, std::string_view source, std::optional<DType> expected) {
  std::string known;
  for (const DType dtype : kTypes) {
    const std::string descr = descr_of(dtype);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", name(dtype));
    // One byte has no order, so NumPy's '|' may also read '<'.
    if (header.descr != descr && header.descr != "<" + descr.substr(1)) continue;
    if (!expected || dtype == *expected) return dtype;
  }
  if (expected) {
    fail("{}: its elements are '{}', expected {} ('{}'); convert it with array.astype('{}')", source, header.descr,
         name(*expected), descr_of(*expected), name(*expected));
  }
  fail("{}: its elements are '{}', expected one of {}, little-endian; convert it with array.astype", source,
       header.descr, known);
}

Tensor read_tensor(ByteStream& stream, std::string_view source, std::optional<DType> expected) {
  const Header header = read_header(stream, source);
  const DType dtype = element_type(header, source, expected);
  if (header.fortran_order) fail("{}: it is in Fortran order; convert it with numpy.ascontiguousarray", source);
  const auto refuse_size = [&](const std::string& bytes) {
    fail("{}: its shape {} of {} does not match its {} bytes of data", source, fmt::join(header.shape, " x "),
         name(dtype), bytes);
  };
  auto promised = static_cast<uint64_t>(dtype.bytes());
  bool too_many = false;
  for (const int64_t extent : header.shape) {
    too_many |= __builtin_mul_overflow(promised, static_cast<uint64_t>(extent), &promised);
  }
  const auto left = stream.left();
  if (left && (too_many || *left != promised)) refuse_size(fmt::format("{}", *left));
  if (too_many || promised > kMaxData) {
    fail("{}: its shape {} of {} takes more than the {} bytes that a .npy file may have; split it", source,
         fmt::join(header.shape, " x "), name(dtype), kMaxData);
  }
  if (left) {
    Tensor tensor(dtype, header.shape);
    const size_t got = stream.read(tensor.bytes());
    if (got != promised) refuse_size(fmt::format("{}", got));
    return tensor;
  }
  // How much comes shows when it has come.
  const std::string data = stream.read_up_to(promised + 1);
  if (data.size() > promised) refuse_size(fmt::format("more than {}", promised));
  if (data.size() < promised) refuse_size(fmt::format("{}", data.size()));
  Tensor tensor(dtype, header.shape);
  if (!data.empty()) std::memcpy(tensor.bytes().data(), data.data(), data.size());
  return tensor;
}

}  // namespace

Tensor read_npy(const fs::path& path, std::optional<DType> expected) {
  FileStream stream(path);
  return read_tensor(stream, path.string(), expected);
}

Tensor parse_npy(std::string_view bytes, std::string_view source, std::optional<DType> expected) {
  MemoryStream stream(bytes);
  return read_tensor(stream, source, expected);
}

void write_npy(const fs::path& path, const Tensor& tensor) {
  if (!tensor.is_dense()) return write_npy(path, tensor.reshaped(tensor.shape()));
  const DType dtype = tensor.dtype();
  if (std::find(std::begin(kTypes), std::end(kTypes), dtype) == std::end(kTypes)) {
    fail("{}: NumPy has no {}; convert the tensor to {}", path.string(), name(dtype),
         name(dtype.is_float() ? kFloat32 : DType::integer(8 * dtype.bytes())));
  }
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr_of(dtype),
                                   fmt::join(tensor.shape(), ", "), tensor.rank() == 1 ? "," : "");
  // NumPy wants the data to start at a multiple of 64 bytes and the header to end in a newline.
  while ((10 + header.size() + 1) % 64 != 0) header += ' ';
  header += '\n';
  std::string file(kMagic);
  file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  file += header;
  file += as_text(tensor.bytes());
  write_file(path, file);
}

}  // namespace vantage
