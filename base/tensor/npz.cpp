// .npz: a ZIP archive with a file NAME.npy for each array.
#include <archive.h>
#include <archive_entry.h>

#include <map>
#include <memory>

#include "base/error.h"
#include "base/tensor/npy.h"
#include "base/tensor/tensor_archive.h"

namespace vantage {

namespace {

constexpr std::string_view kEnd = ".npy";
// Of one array, unpacked: that of a .npy file, and its header.
constexpr uint64_t kMostBytes = (uint64_t{1} << 30) + (1 << 20);

struct FreeZip {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

class Npz final : public TensorArchive {
 public:
  explicit Npz(const std::filesystem::path& path) : source_(path.string()) {
    const std::unique_ptr<archive, FreeZip> reader(archive_read_new());
    VANTAGE_CHECK(reader != nullptr);
    archive_read_support_format_zip(reader.get());
    const auto require = [&](int status) {
      const char* const text = archive_error_string(reader.get());
      if (status < ARCHIVE_WARN) fail("{}: {}", source_, text == nullptr ? "it is no .npz file" : text);
    };
    constexpr size_t kBlock = 1 << 16;
    require(archive_read_open_filename(reader.get(), path.c_str(), kBlock));
    archive_entry* entry = nullptr;
    for (;;) {
      const int status = archive_read_next_header(reader.get(), &entry);
      if (status == ARCHIVE_EOF) return;
      require(status);
      const char* const name = archive_entry_pathname(entry);
      const std::string_view file = name == nullptr ? "" : name;
      if (!file.ends_with(kEnd)) fail("{}: has '{}', which is no array", source_, file);
      const std::string array(file.substr(0, file.size() - kEnd.size()));
      Tensor tensor = parse_npy(unpacked(reader.get(), array), source_ + ": " + array);
      if (!tensors_.emplace(array, std::move(tensor)).second) fail("{}: has {} twice", source_, array);
    }
  }

  std::vector<std::string> names() const override {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : tensors_) names.push_back(name);
    return names;
  }
  bool has(std::string_view name) const override { return tensors_.find(name) != tensors_.end(); }
  Tensor read(std::string_view name) const override {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) fail("{}: has no tensor {}", source_, name);
    return found->second;
  }

 private:
  // The bytes of the entry that comes, in memory that grows with what comes.
  std::string unpacked(archive* reader, const std::string& array) const {
    std::string bytes;
    constexpr size_t kPiece = 1 << 20;
    for (;;) {
      const size_t old_size = bytes.size();
      bytes.resize(old_size + kPiece);
      const la_ssize_t got = archive_read_data(reader, bytes.data() + old_size, kPiece);
      if (got < 0) fail("{}: {} cannot be unpacked: {}", source_, array, archive_error_string(reader));
      bytes.resize(old_size + static_cast<size_t>(got));
      if (got == 0) return bytes;
      if (bytes.size() > kMostBytes) fail("{}: {} has more than {} bytes", source_, array, kMostBytes);
    }
  }

  std::string source_;
  std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace

std::unique_ptr<TensorArchive> open_npz(const std::filesystem::path& path) {
  return std::make_unique<Npz>(path);
}

bool is_tensor_archive(const std::filesystem::path& path) {
  return path.extension() == ".npz" || path.extension() == ".safetensors";
}

std::unique_ptr<TensorArchive> open_tensor_archive(const std::filesystem::path& path) {
  if (path.extension() == ".npz") return open_npz(path);
  if (path.extension() == ".safetensors") return open_safetensors(path);
  fail("{}: is neither .npz nor .safetensors", path.string());
}

}  // namespace vantage
