// safetensors: eight bytes that say how long a JSON text is, this text, and the elements of all tensors, one behind the
// other. The text is an object: of each tensor its type, its shape, and where behind the text it begins and ends.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/json_object.h"
#include "base/open_file.h"
#include "base/tensor/tensor_archive.h"
#include "base/tensor/type.h"

namespace vantage {

namespace {

static_assert(std::endian::native == std::endian::little, "elements are read as they lie in memory");

constexpr uint64_t kMostHeader = uint64_t{100} << 20;
constexpr std::string_view kMetadata = "__metadata__";

// What the format calls the types of tensors. Bfloat16 is read as the float32 that it is the
// half of, which all operators and devices have.
struct FileType {
  std::string_view name;
  uint64_t bytes;
  DType dtype;  // of the tensor that is read
};
constexpr FileType kFileTypes[] = {
    {"BOOL", 1, kBool},   {"I8", 1, kInt8},      {"I16", 2, kInt16},   {"I32", 4, kInt32},
    {"I64", 8, kInt64},   {"U8", 1, kUInt8},     {"U16", 2, kUInt16},  {"U32", 4, kUInt32},
    {"F16", 2, kFloat16}, {"BF16", 2, kFloat32}, {"F32", 4, kFloat32}, {"F64", 8, kFloat64},
};

struct Entry {
  std::string type;
  const FileType* known = nullptr;  // null: a type that tensors do not have
  Tensor::Shape shape;
  uint64_t begin = 0, end = 0;  // in the file
};

using Entries = std::map<std::string, Entry, std::less<>>;

class File {
 public:
  explicit File(const std::filesystem::path& path) : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    struct stat status {};
    if (file_.get() < 0 || ::fstat(file_.get(), &status) != 0) {
      fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) fail("{}: is no plain file", path.string());
    size_ = static_cast<uint64_t>(status.st_size);
  }

  uint64_t size() const { return size_; }
  // REQUIRES: inside of the file as it was.
  void read(uint64_t at, std::span<std::byte> to) const {
    while (!to.empty()) {
      const ssize_t got = ::pread(file_.get(), to.data(), to.size(), static_cast<off_t>(at));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("{}: cannot be read: {}", path_.string(), std::strerror(errno));
      if (got == 0) fail("{}: became shorter while it was read", path_.string());
      at += static_cast<uint64_t>(got);
      to = to.subspan(static_cast<size_t>(got));
    }
  }

 private:
  std::filesystem::path path_;
  OpenFile file_;
  uint64_t size_ = 0;
};

Entry read_entry(const JsonObject& object, uint64_t data, uint64_t size) {
  Entry entry;
  entry.type = object.string("dtype");
  const auto known = std::ranges::find(kFileTypes, entry.type, &FileType::name);
  if (known != std::end(kFileTypes)) entry.known = known;
  const auto naturals = [&](const char* key) {
    std::vector<uint64_t> numbers;
    for (const Json& number : object.array(key)) {
      if (!number.is_number_unsigned() || number.get<uint64_t>() > uint64_t{INT64_MAX}) {
        object.refuse(key, "whole numbers from 0 on");
      }
      numbers.push_back(number.get<uint64_t>());
    }
    return numbers;
  };
  uint64_t bytes = entry.known == nullptr ? 0 : entry.known->bytes;
  bool too_many = false;
  for (const uint64_t extent : naturals("shape")) {
    too_many |= __builtin_mul_overflow(bytes, extent, &bytes);
    entry.shape.push_back(static_cast<int64_t>(extent));
  }
  const std::vector<uint64_t> places = naturals("data_offsets");
  if (places.size() != 2 || places[0] > places[1] || places[1] > size - data) {
    object.refuse("data_offsets", fmt::format("two places in its {} bytes of data, the end behind", size - data));
  }
  if (entry.known != nullptr && (too_many || bytes != places[1] - places[0])) {
    object.refuse("data_offsets", fmt::format("{} bytes, which its type and its shape take",
                                              too_many ? "more than any file's" : std::to_string(bytes)));
  }
  entry.begin = data + places[0], entry.end = data + places[1];
  return entry;
}

Entries read_header(const File& file, const std::string& source) {
  uint64_t length = 0;
  if (file.size() < sizeof length) fail("{}: is no safetensors file: it has {} bytes", source, file.size());
  file.read(0, std::as_writable_bytes(std::span(&length, 1)));
  if (length > file.size() - sizeof length || length > kMostHeader) {
    fail("{}: is no safetensors file, or cut off: its header would have {} bytes", source, length);
  }
  std::string text(static_cast<size_t>(length), '\0');
  file.read(sizeof length, std::as_writable_bytes(std::span(text)));
  const Json json = parse_json(text, source);
  const JsonObject header(json, source);
  Entries entries;
  for (const std::string& name : header.keys()) {
    if (name == kMetadata) continue;
    entries.emplace(name, read_entry(header.object(name), sizeof length + length, file.size()));
  }
  // Elements that two tensors shared, or that none had, would be somebody's mistake or hiding place.
  std::vector<std::pair<uint64_t, uint64_t>> places;
  for (const auto& [name, entry] : entries) places.emplace_back(entry.begin, entry.end);
  std::ranges::sort(places);
  uint64_t at = sizeof length + length;
  for (const auto& [begin, end] : places) {
    if (begin != at) fail("{}: its tensors {} at byte {}", source, begin < at ? "overlap" : "leave a gap", at);
    at = end;
  }
  if (at != file.size()) fail("{}: has {} bytes behind its last tensor", source, file.size() - at);
  return entries;
}

class Safetensors final : public TensorArchive {
 public:
  explicit Safetensors(const std::filesystem::path& path)
      : source_(path.string()), file_(path), entries_(read_header(file_, source_)) {}

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, entry] : entries_) names.push_back(name);
    return names;
  }
  bool has(std::string_view name) const override { return entries_.find(name) != entries_.end(); }

  Tensor read(std::string_view name) const override {
    const auto found = entries_.find(name);
    if (found == entries_.end()) fail("{}: has no tensor {}", source_, name);
    const Entry& entry = found->second;
    if (entry.known == nullptr) {
      fail("{}: {} is of {}, which tensors here are not; convert it to F16 or F32", source_, name, entry.type);
    }
    Tensor tensor(entry.known->dtype, entry.shape);
    const size_t bytes = static_cast<size_t>(entry.end - entry.begin);
    if (bytes == tensor.bytes().size()) {
      file_.read(entry.begin, tensor.bytes());
      return tensor;
    }
    // The upper half of a float32 each. They are read into the second half of the memory, and widened from its begin.
    file_.read(entry.begin, tensor.bytes().last(bytes));
    const std::span<float> values = tensor.values<float>();
    for (size_t e = 0; e < values.size(); ++e) {
      uint16_t half = 0;
      std::memcpy(&half, tensor.bytes().data() + bytes + e * sizeof half, sizeof half);
      values[e] = static_cast<float>(from_bfloat16(half));
    }
    return tensor;
  }

 private:
  std::string source_;
  File file_;
  Entries entries_;
};

}  // namespace

std::unique_ptr<TensorArchive> open_safetensors(const std::filesystem::path& path) {
  return std::make_unique<Safetensors>(path);
}

}  // namespace vantage
