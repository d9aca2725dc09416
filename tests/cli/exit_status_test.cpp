// What README says of exit statuses, over the commands: 0 success, 1 a check that failed, 2 a mistake in what was
// asked.
#include <sys/wait.h>

#include <cstdlib>

#include "base/file.h"
#include "base/gzip.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_exit_status_test {

using namespace vantage;

TEST_CASE("exit statuses are 0 for success, 1 for a check that failed, 2 for a mistake", "[golden]") {
  const test::TemporaryFolder folder;
  const std::string bundle = (test::source_dir() / "tests/data/bundles/gemm_16x64x32").string();
  const auto other = folder.path() / "other";
  std::filesystem::copy(bundle, other);
  std::string expected = read_gzip_file(other / "mem_out.bin.gz", Bytes(1 << 20));
  expected[0] ^= 1;
  write_file(other / "mem_out.bin.gz", gzip(expected));
  const std::string keys = R"({"TARGET": "sim", "HW_VER": "0.0.2", "LOG_INP_WIDTH": 3, "LOG_WGT_WIDTH": 3,)"
                           R"( "LOG_ACC_WIDTH": 5, "LOG_BATCH": 0, "LOG_BLOCK": 4, "LOG_UOP_BUFF_SIZE": 15,)"
                           R"( "LOG_INP_BUFF_SIZE": 15, "LOG_WGT_BUFF_SIZE": 18, "LOG_ACC_BUFF_SIZE": 17})";
  const std::string deadlock = folder.file("deadlock.s", ".config " + keys + "\nfinish pop=prev\n").string();
  const std::string malformed = folder.file("malformed.s", "finish\n").string();
  const std::string bad = folder.file("bad.json", "{}").string();
  struct Row {
    int status;
    std::vector<std::string> words;
  };
  const std::vector<Row> table = {
      {0, {"config", "check", "pynq"}},
      {1, {"config", "check", bad}},
      {2, {"config", "check", "pynk"}},
      {2, {"config", "check", bad, "/nonexistent"}},
      {2, {"config", "show", bad}},
      {2, {"config", "check"}},
      {0, {"config", "diff", "default", "default"}},
      {1, {"config", "diff", "default", "pynq"}},
      {2, {"config", "diff", "default", "pynk"}},
      {0, {"verify", bundle}},
      {1, {"verify", deadlock}},
      {2, {"verify", malformed}},
      {2, {"verify", "/nonexistent"}},
      {0, {"replay", bundle}},
      {1, {"replay", other.string()}},
      {2, {"replay", "/nonexistent"}},
      {2, {"run", "program", deadlock}},
      {2, {"asm", malformed}},
      {2, {"disasm", "/nonexistent"}},
      {0, {"bitstream", "check", "--json"}},
      {1, {"bitstream", "check", "vta-pynq-0.0.2-1x16"}},
      {2, {"bitstream", "check", "nosuch"}},
      {2, {"man", folder.path().string()}},
      {0, {"--version"}},
      {0, {"verify", "--help"}},
      {2, {"verify", "--halp"}},
  };
  ::setenv("VANTAGE_CACHE_DIR", (folder.path() / "cache").c_str(), 1);
  for (const Row& row : table) {
    const auto result = test::run_cli(row.words);
    INFO(row.words.front() << " " << row.words.back() << ": " << result.err);
    CHECK(result.status == row.status);
    if (row.status == 2) CHECK(result.err.starts_with("error: "));
    if (row.status == 0) CHECK(result.err == "");
  }
  ::unsetenv("VANTAGE_CACHE_DIR");
}

TEST_CASE("a server goes on when nobody reads its log any more", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string addresses = (folder.path() / "addresses").string(), cache = (folder.path() / "cache").string();
  // Who reads the log ends at once; then the server has something to say of each of two sessions.
  const std::string script = fmt::format(
      "export VANTAGE_CACHE_DIR='{2}'; '{0}' serve --device fsim: --listen 127.0.0.1:0 >'{1}' 2> >(true) & server=$!;"
      "for i in {{1..300}}; do [[ -s '{1}' ]] && break; sleep 0.1; done; uri=$(cat '{1}');"
      "for i in 1 2; do '{0}' run gemm --m 16 --k 16 --n 16 --target \"$uri\" >/dev/null || exit 3; done;"
      "kill -0 $server || exit 4; kill $server; wait $server",
      test::cli_path(), addresses, cache);
  const std::string file = folder.file("script", script).string();
  CHECK(WEXITSTATUS(std::system(("bash '" + file + "'").c_str())) == 0);
}

}  // namespace vantage::test::cli_exit_status_test
