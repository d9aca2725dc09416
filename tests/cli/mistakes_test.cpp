// What people mistype, and what they are told: a table of command lines with their messages. A word with a blank is the
// text of a file, where \n stands for a line feed.
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/one_line.h"
#include "cli/mistakes.h"
#include "tests/catch.h"
#include "tests/cli/command_line.h"
#include "tests/support/golden.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_mistakes_test {

using namespace vantage;

namespace {

std::string message_of(const std::vector<std::string>& words) {
  test::CommandLine line;
  try {
    line.parse(words);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 && line.app().remaining(true).empty() ? "" : cli::explain(line.app(), e);
  } catch (const Error& e) {
    return one_line(e.what());
  }
  return "";
}

}  // namespace

TEST_CASE("mistyped commands, options, values and keys are answered with what they should be", "[golden]") {
  const test::TemporaryFolder folder;
  // The launcher's own commands, as it names them.
  ::setenv("VANTAGE_LAUNCHER", "test\tx\nbench\tx\nfuzz\tx\ncross\tx\tarmhf arm64\ntutorial\tx", 1);
  std::istringstream table(read_file(test::source_dir() / "tests/data/golden/mistakes.txt", Bytes(1 << 20)));
  std::string told;
  size_t count = 0;
  for (std::string line; std::getline(table, line);) {
    if (!line.starts_with("$ ")) continue;
    std::vector<std::string> words = test::words_of(line.substr(2));
    for (std::string& word : words) {
      if (word.find(' ') == std::string::npos) continue;
      const size_t line_feed = word.find("\\n");
      if (line_feed != std::string::npos) word.replace(line_feed, 2, "\n");
      word = folder.file("file", word).string();
    }
    std::string message = message_of(words);
    INFO(line);
    CHECK(message != "");
    const std::string prefix = folder.path().string() + "/";
    while (message.find(prefix) != std::string::npos) message.erase(message.find(prefix), prefix.size());
    told += fmt::format("{}\nerror: {}\n", line, message);
    ++count;
  }
  ::unsetenv("VANTAGE_LAUNCHER");
  CHECK(count >= 40);
  const std::string difference = test::compare_golden("mistakes.txt", told);
  if (!difference.empty()) FAIL(difference);
}

}  // namespace vantage::test::cli_mistakes_test
