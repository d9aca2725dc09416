#include "tests/support/golden.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/file.h"
#include "tests/support/temporary.h"

namespace vantage::test {

bool updates_goldens() {
  const char* update = std::getenv("VANTAGE_UPDATE_GOLDEN");
  return update != nullptr && std::string_view(update) == "1";
}

std::string compare_golden(std::string_view name, std::string_view text) {
  const auto path = source_dir() / "tests" / "data" / "golden" / name;
  if (updates_goldens()) {
    write_file(path, text);
    return {};
  }
  std::istringstream expected(read_file(path, Bytes(1 << 24)));
  std::istringstream got{std::string(text)};
  std::string want_line;
  std::string got_line;
  for (int line = 1;; ++line) {
    const bool has_want = static_cast<bool>(std::getline(expected, want_line));
    const bool has_got = static_cast<bool>(std::getline(got, got_line));
    if (!has_want && !has_got) return {};
    if (has_want != has_got || want_line != got_line) {
      return fmt::format("{}:{}: expected '{}', got '{}' (VANTAGE_UPDATE_GOLDEN=1 writes it anew)", path.string(), line,
                         has_want ? want_line : "end of file", has_got ? got_line : "end of text");
    }
  }
}

}  // namespace vantage::test
