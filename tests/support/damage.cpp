#include "tests/support/damage.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <functional>
#include <vector>

#include "base/error.h"
#include "base/file.h"

namespace vantage::test {

namespace fs = std::filesystem;

std::string damage(const fs::path& file, std::mt19937_64& random) {
  constexpr Bytes kLimit{uint64_t{1} << 30};
  constexpr uid_t kNobody = 65534;
  const std::string good = read_file(file, kLimit);
  VANTAGE_CHECK(good.size() > 4);
  const auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
  const auto write = [&](const std::string& bytes) { write_file(file, bytes); };
  struct Way {
    std::string name;
    std::function<void()> apply;
  };
  std::vector<Way> ways = {
      // A line's end may be missing without harm.
      {"cut off", [&] { write(good.substr(0, below(good.size() - 1))); }},
      {"lengthened", [&] { write(good + std::string(1 + below(100), 'x')); }},
      {"one bit flipped",
       [&] {
         std::string bytes = good;
         bytes[below(bytes.size())] ^= static_cast<char>(1 << below(8));
         write(bytes);
       }},
      {"zeroed in part",
       [&] {
         std::string bytes = good;
         const size_t from = below(bytes.size() - 1), count = 1 + below(64);
         bytes.replace(from, count, std::string(std::min(count, bytes.size() - from), '\0'));
         if (bytes == good) bytes[from] = 'z';
         write(bytes);
       }},
      {"empty", [&] { write(""); }},
      {"text", [&] { write("This is not what it was.\n"); }},
      {"gone", [&] { fs::remove(file); }},
      {"a link to the same",
       [&] {
         const fs::path moved = fs::path(file) += ".moved";
         fs::rename(file, moved);
         fs::create_symlink(moved, file);
       }},
      {"a pipe",
       [&] {
         fs::remove(file);
         VANTAGE_CHECK(::mkfifo(file.c_str(), 0600) == 0);
       }},
      {"a folder",
       [&] {
         fs::remove(file);
         fs::create_directory(file);
       }},
      {"writable by the group", [&] { fs::permissions(file, fs::perms::group_write, fs::perm_options::add); }},
      {"writable by all", [&] { fs::permissions(file, fs::perms::others_write, fs::perm_options::add); }}};
  if (::geteuid() == 0) {
    ways.push_back({"another user's", [&] { VANTAGE_CHECK(::chown(file.c_str(), kNobody, kNobody) == 0); }});
  }
  const Way& way = ways[below(ways.size())];
  way.apply();
  return fmt::format("{}: {}", file.filename().string(), way.name);
}

std::string with_checksum(std::string file) {
  constexpr size_t kChecksum = 12, kBody = 16;
  const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(file.data() + kBody), file.size() - kBody);
  for (size_t i = 0; i < 4; ++i) file[kChecksum + i] = static_cast<char>(sum >> (8 * i));
  return file;
}

}  // namespace vantage::test
