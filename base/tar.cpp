#include "base/tar.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>

#include <cstring>

#include "base/error.h"

namespace vantage {

namespace {

struct FreeEntry {
  void operator()(archive_entry* entry) const { archive_entry_free(entry); }
};
struct FreeReader {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

std::string reason(archive* stream) {
  const char* const text = archive_error_string(stream);
  return text == nullptr ? "it is no tar archive" : text;
}

[[noreturn]] void cannot_write(const std::filesystem::path& target, archive* stream) {
  // Of what the system refuses libarchive's own text says only that it was refused.
  const int error = archive_errno(stream);
  fail("{}: cannot be written: {}", target.string(), error > 0 ? std::strerror(error) : reason(stream));
}

}  // namespace

void TarWriter::Free::operator()(archive* stream) const {
  archive_write_free(stream);
}

TarWriter::TarWriter(const std::filesystem::path& target)
    : target_(target), file_(target), stream_(archive_write_new()) {
  VANTAGE_CHECK(stream_ != nullptr);
  archive_write_set_format_pax_restricted(stream_.get());
  if (archive_write_open_filename(stream_.get(), file_.path().c_str()) != ARCHIVE_OK) {
    cannot_write(target_, stream_.get());
  }
}

void TarWriter::add(const std::string& name, const std::vector<std::string_view>& pieces) {
  size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
  VANTAGE_CHECK(entry != nullptr);
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(size));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), 0644);
  bool written = archive_write_header(stream_.get(), entry.get()) == ARCHIVE_OK;
  for (const std::string_view piece : pieces) {
    if (piece.empty()) continue;
    written = written &&
              archive_write_data(stream_.get(), piece.data(), piece.size()) == static_cast<la_ssize_t>(piece.size());
  }
  if (!written) cannot_write(target_, stream_.get());
}

void TarWriter::commit() {
  if (archive_write_close(stream_.get()) != ARCHIVE_OK) cannot_write(target_, stream_.get());
  struct stat made {};
  if (::stat(file_.path().c_str(), &made) == 0) ::chmod(file_.path().c_str(), made.st_mode & 0755);
  file_.commit();
}

bool is_tar(std::string_view bytes) {
  // Where POSIX has the magic of a header block.
  return bytes.size() >= 512 && bytes.substr(257, 5) == "ustar";
}

std::map<std::string, std::string, std::less<>> read_tar(std::string_view bytes, std::string_view source, Bytes limit) {
  if (!is_tar(bytes)) fail("{}: is no tar archive", source);
  const std::unique_ptr<archive, FreeReader> reader(archive_read_new());
  VANTAGE_CHECK(reader != nullptr);
  archive_read_support_format_tar(reader.get());
  const auto require = [&](int status) {
    if (status < ARCHIVE_WARN) fail("{}: {}", source, reason(reader.get()));
  };
  require(archive_read_open_memory(reader.get(), bytes.data(), bytes.size()));
  std::map<std::string, std::string, std::less<>> files;
  uint64_t total = 0;
  archive_entry* entry = nullptr;
  for (;;) {
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return files;
    require(status);
    const char* const name = archive_entry_pathname(entry);
    if (name == nullptr || archive_entry_filetype(entry) != AE_IFREG || archive_entry_hardlink(entry) != nullptr) {
      fail("{}: has '{}', which is no plain file", source, name == nullptr ? "" : name);
    }
    const la_int64_t size = archive_entry_size(entry);
    // A header may name any size; what is read is bounded by the bytes there are.
    if (size < 0 || static_cast<uint64_t>(size) > bytes.size()) fail("{}: {} is cut off", source, name);
    total += static_cast<uint64_t>(size);
    if (total > limit.count()) fail("{}: has more than {} bytes", source, limit.count());
    std::string contents(static_cast<size_t>(size), '\0');
    const la_ssize_t read = archive_read_data(reader.get(), contents.data(), contents.size());
    if (read != size) fail("{}: {} is cut off", source, name);
    if (!files.emplace(name, std::move(contents)).second) fail("{}: has {} twice", source, name);
  }
}

}  // namespace vantage
