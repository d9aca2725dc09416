#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace vantage {

namespace fs = std::filesystem;

std::string read_gzip_prefix(const fs::path& path, Bytes size) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("{}: is a directory, expected a file", path.string());
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rbe"), gzclose);
  if (!file) fail("{}: cannot be read: {}", path.string(), std::strerror(errno));
  std::string contents;
  while (contents.size() < size.count()) {
    constexpr size_t kChunk = 1 << 16;
    const size_t old_size = contents.size();
    const size_t wanted = std::min<size_t>(kChunk, size.count() - old_size);
    contents.resize(old_size + wanted);
    const int got = gzread(file.get(), contents.data() + old_size, static_cast<unsigned>(wanted));
    int code = Z_OK;
    const char* text = gzerror(file.get(), &code);
    if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
      fail("{}: damaged gzip file: {}", path.string(), code == Z_BUF_ERROR ? "it ends too early" : text);
    }
    contents.resize(old_size + static_cast<size_t>(got));
    if (got == 0) break;
  }
  return contents;
}

std::string read_gzip_file(const fs::path& path, Bytes limit) {
  std::string contents = read_gzip_prefix(path, limit + Bytes(1));
  if (contents.size() > limit.count()) {
    fail("{}: unpacks to more than the {} bytes that such a file may have", path.string(), limit.count());
  }
  return contents;
}

std::string gzip(std::string_view contents) {
  VANTAGE_CHECK(contents.size() <= UINT32_MAX);  // zlib's avail_in is 32 bits wide
  z_stream stream{};
  constexpr int kGzipWindow = 15 + 16;  // zlib: 16 more than the window bits asks for a gzip header
  VANTAGE_CHECK(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_stream*)> ended(&stream, deflateEnd);
  std::string packed(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int code = deflate(&stream, Z_FINISH);
  VANTAGE_CHECK(code == Z_STREAM_END);
  packed.resize(stream.total_out);
  return packed;
}

}  // namespace vantage
