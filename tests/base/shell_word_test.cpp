#include "base/shell_word.h"

#include "base/file.h"
#include "base/process.h"
#include "tests/catch.h"
#include "tests/support/effort.h"
#include "tests/support/generator.h"
#include "tests/support/temporary.h"

namespace vantage::test::base_shell_word_test {

using namespace vantage;
using namespace vantage::test;

TEST_CASE("what means nothing to a shell stays as it is", "[unit]") {
  for (const char* text : {"pynq", "configs/accelerators/8x8.json", "rpc://board:9091", "a=1,b=2"}) {
    CHECK(shell_word(text) == text);
  }
  CHECK(shell_word("") == "''");
  CHECK(shell_word("my boards/z1.json") == "'my boards/z1.json'");
  CHECK(shell_word("it's") == R"('it'\''s')");
}

TEST_CASE("a shell takes every word for the text that it was made of", "[property]") {
  constexpr std::string_view kLetters = "aZ0 '\"\\$`!*?[]{}()<>|&;~#=-%\n\t\xc3\xa9";
  std::mt19937_64 random = test::generator(1);
  const TemporaryFolder folder;
  std::string script, expected;
  for (int i = 0; i < rounds(500); ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += kLetters[random() % kLetters.size()];
    script += "printf '%s\\001' " + shell_word(text) + "\n";
    expected += text + '\1';
  }
  run_process({"/bin/sh", folder.file("script", script).string()}, folder.path(), folder.path() / "out", "dash");
  CHECK(read_file(folder.path() / "out", Bytes(1 << 20)) == expected);
}

}  // namespace vantage::test::base_shell_word_test
