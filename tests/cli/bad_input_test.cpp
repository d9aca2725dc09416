// What users get wrong: each says so in one line on stderr, exits with 2 and leaves no file behind.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/file.h"
#include "base/gzip.h"
#include "base/json.h"
#include "tests/catch.h"
#include "tests/support/cli.h"
#include "tests/support/npy_bytes.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_bad_input_test {

using namespace vantage;
using test::check_refused;
using test::run_cli;
using test::TemporaryFolder;

namespace {

std::string npy(const TemporaryFolder& folder, const std::string& name, const std::string& descr,
                const std::string& shape, const std::string& data) {
  return folder.file(name, test::npy_bytes(descr, shape, data)).string();
}

}  // namespace

TEST_CASE("mistyped commands and options", "[unit]") {
  check_refused({"run", "gem"}, "unknown command 'gem'; did you mean 'gemm'?");
  check_refused({"run", "gemm", "--m", "0"}, "--m");
  check_refused({"run", "gemm", "--m", "-1"}, "--m");
  check_refused({"run", "gemm", "--m", "99999999999999999999"}, "--m");
  check_refused({"run", "gemm", "--shift", "32"}, "--shift: '32' is not a whole number from 0 to 31");
  check_refused({"run", "gemm", "--seed", "-1"}, "--seed: '-1' is not a whole number");
  check_refused({"run", "mlp", "--images", "99999999999999999999"}, "--images: '99999999999999999999' is not");
  check_refused({"replay", "x", "--max-steps", "-1"}, "--max-steps: '-1' is not a whole number");
  check_refused({"run", "gemm", "--record", ""}, "--record: the value is empty");
  check_refused({"run", "gemm", "--config", "a\nb\x1b[2J"}, "a\\x0ab\\x1b[2J: no such file");
  check_refused({"run", "gemm", "--target", "rlt:"}, "target 'rlt:' is no device URI; did you mean 'rtl:'?");
}

TEST_CASE("servers that are not, or are not to be", "[unit]") {
  check_refused({"run", "gemm", "--target", "rpc://nowhere"}, "target 'rpc://nowhere' is no address");
  check_refused({"run", "gemm", "--target", "rpc://127.0.0.1:1"}, "no server answers");
  check_refused({"targets", "rpc://127.0.0.1:1"}, "no server answers");
  check_refused({"targets", "rpc://127.0.0.1:1/fsim"}, "is a device, expected a server; leave out /fsim");
  check_refused({"serve", "--device", "cpu:"},
                "--device cpu:: clients bring code for it; allow that with --allow-code, or leave it out");
  check_refused({"serve", "--device", "cpu:", "--allow-code"}, "so they need a token; give one with --token-file");
  check_refused({"serve", "--device", "elsewhere:"},
                "--device elsewhere:: no server offers that; known: fsim:, systemc:, rtl:, published:, pynq:, cpu:");
  check_refused({"serve", "--listen", "0.0.0.0:0"}, "callers need a token; give one with --token-file");
  check_refused({"serve", "--token-file", "/nonexistent/token"}, "/nonexistent/token");
  check_refused({"serve", "--listen", "127.0.0.1:0", "--tls-cert", "server.crt"}, "belong together");
  check_refused({"serve", "--max-sessions", "0"}, "--max-sessions");
  check_refused({"serve", "--contents", "/dev/null"}, "--contents /dev/null: is no folder; name one, or leave it out");
}

TEST_CASE("configurations that do not exist or are malformed", "[unit]") {
  const TemporaryFolder folder;
  check_refused({"run", "gemm", "--config", "pynk"},
                "pynk: no such file, and no configuration of that name; did you "
                "mean 'pynq'?");
  check_refused({"run", "gemm", "--config", folder.file("a.json", "{").string()}, "a.json:1:2: not valid JSON");
  check_refused({"run", "gemm", "--config", folder.file("b.json", "[]").string()}, "b.json: expected an object");
  check_refused({"config", "show", folder.path().string()}, "is a directory");
}

TEST_CASE("operands of the wrong type or shape", "[unit]") {
  const TemporaryFolder folder;
  const auto a = npy(folder, "a.npy", "|i1", "(2, 3)", "abcdef");
  const auto b = npy(folder, "b.npy", "|i1", "(2, 2)", "abcd");
  const auto f = npy(folder, "f.npy", "<f4", "(1, 1)", "abcd");
  const auto empty = npy(folder, "e.npy", "|i1", "(0, 3)", "");
  const auto out = (folder.path() / "out.npy").string();
  check_refused({"run", "gemm", "--lhs", f, "--out", out}, "f.npy: its elements are '<f4', expected int8");
  check_refused({"run", "gemm", "--lhs", a, "--rhs", b, "--out", out},
                "the columns of the first must be the rows of the second");
  check_refused({"run", "gemm", "--lhs", a, "--m", "2", "--out", out}, "--m is taken from the file");
  check_refused({"run", "gemm", "--lhs", empty, "--out", out}, "has nothing to multiply");
  check_refused({"run", "gemm", "--lhs", folder.file("t.npy", "\x93NUM").string(), "--out", out}, "not a .npy file");
  check_refused({"run", "gemm", "--bias-file", a, "--out", out}, "expected int32");
  check_refused({"run", "gemm", "--lhs", "/nonexistent.npy", "--out", out}, "/nonexistent.npy: cannot be read");
  check_refused({"run", "gemm", "--lhs", a, "--config", "int4", "--out", out},
                "a.npy: the value 97 at row 0, column 0 does not fit the configuration's 4 bits (-8 to 7)");
  CHECK_FALSE(std::filesystem::exists(out));
}

TEST_CASE("sizes that do not fit", "[unit]") {
  check_refused({"run", "gemm", "--block-n", "1024", "--block-k", "1024"},
                "W_wgt needs 4096 elements of vta.wgt, where 1024 are left; vta.wgt holds 1024 in all: compute it in "
                "smaller pieces");
  check_refused({"run", "gemm", "--m", "1048576", "--k", "1048576"}, "use smaller sizes");
  check_refused({"run", "mlp", "--config", "int4"}, "this network needs inputs and weights of 8 bits");
  check_refused({"run", "mlp", "--images", "10001"}, "--images is 10001, there are 10000");
}

TEST_CASE("outputs that cannot be written are refused before anything runs", "[unit]") {
  const TemporaryFolder folder;
  check_refused({"run", "gemm", "--out", "/nonexistent/c.npy"}, "the folder /nonexistent does not exist");
  check_refused({"run", "gemm", "--out", folder.path().string()}, "is a directory");
  check_refused({"run", "gemm", "--record", folder.path().string()}, "exists already");
  const auto same = (folder.path() / "same").string();
  check_refused({"run", "gemm", "--out", same, "--record", same}, "--out and --record both name");
  check_refused({"run", "gemm", "--record", "/nonexistent/b"}, "the folder /nonexistent does not exist");
  check_refused({"run", "mlp", "--images", "1", "--record", "/nonexistent/b"},
                "the folder /nonexistent does not exist");
  CHECK(folder.empty());
}

TEST_CASE("truncated and foreign program files, assembly and bundles", "[unit]") {
  const TemporaryFolder folder;
  check_refused({"disasm", folder.file("p", "VTAPROG1\1\0").string()}, "truncated");
  check_refused({"disasm", folder
                               .file("q",
                                     "\x7f"
                                     "ELF")
                               .string()},
                "q:1: ");
  check_refused({"asm", folder.file("r.s", "finish").string(), "-o", (folder.path() / "r").string()},
                "r.s:1: 'finish' before .config");
  CHECK_FALSE(std::filesystem::exists(folder.path() / "r"));
  check_refused({"disasm", folder.file("s.s", std::string("VTA\0R", 5)).string()}, "s.s: is no assembly, but bytes");
  check_refused({"verify", folder.file("l.s", std::string(1 << 16, 'x')).string()}, "xx' before .config");
  check_refused({"run", folder.file("empty.tar", "").string()}, "empty.tar");
  check_refused({"replay", "/nonexistent"}, "/nonexistent: not a bundle");
  check_refused({"replay", folder.path().string()}, "bundle.json: cannot be read");

  // A bundle whose data is cut short.
  const auto bundle = folder.path() / "cut";
  std::filesystem::copy(test::source_dir() / "tests/data/bundles/gemm_16x64x32", bundle);
  const auto data = read_file(bundle / "mem_in.bin.gz", Bytes(1 << 20));
  write_file(bundle / "mem_in.bin.gz", data.substr(0, data.size() / 2));
  check_refused({"replay", bundle.string()}, "mem_in.bin.gz: damaged gzip file: it ends too early");
}

TEST_CASE("output that cannot be written", "[unit]") {
  for (const std::string command : {"run gemm", "--help", "config show pynq", "disasm gemm.s"}) {
    const std::string line = "cd '" + (test::source_dir() / "tests/fuzz/corpus/assembly").string() + "' && '" +
                             test::cli_path() + "' " + command + " > /dev/full 2> /dev/null";
    const int status = std::system(line.c_str());
    INFO(command);
    CHECK(WEXITSTATUS(status) == 2);
  }
  // Why is said, unless nobody can hear it.
  const TemporaryFolder folder;
  const auto error = folder.path() / "error";
  const auto status_of = [](const std::string& arguments) {
    return WEXITSTATUS(std::system(("'" + test::cli_path() + "' " + arguments).c_str()));
  };
  CHECK(status_of("config show pynq > /dev/full 2> '" + error.string() + "'") == 2);
  CHECK_THAT(read_file(error, Bytes(1000)),
             ContainsSubstring("error: the output cannot be written: No space left on device; "));
  CHECK(status_of("config show pynk > /dev/null 2> /dev/full") == 2);
}

TEST_CASE("a trace that finds no room is an error, and nothing stays under its name", "[unit]") {
  for (const std::string option : {"--trace t.json", "--vcd t.vcd"}) {
    const TemporaryFolder folder;
    // A limit on the size of files is as a disk that fills
    const std::string line = "cd '" + folder.path().string() + "' && trap '' XFSZ && ulimit -f 1 && exec '" +
                             test::cli_path() + "' run gemm --m 32 --k 64 --n 64 " + option + " > /dev/null 2> error";
    INFO(option);
    CHECK(WEXITSTATUS(std::system(line.c_str())) == 2);
    CHECK_THAT(read_file(folder.path() / "error", Bytes(1000)), ContainsSubstring("cannot be written"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
  }
}

TEST_CASE("a bundle whose program is illegal names the instruction", "[unit]") {
  const TemporaryFolder folder;
  const auto bundle = folder.path() / "b";
  std::filesystem::copy(test::source_dir() / "tests/data/bundles/gemm_16x64x32", bundle);
  std::string json = read_file(bundle / "bundle.json", Bytes(1 << 20));
  const size_t count = json.find("\"count\": ");
  REQUIRE(count != std::string::npos);
  json.replace(count, json.find('\n', count) - count, "\"count\": 3");
  write_file(bundle / "bundle.json", json);
  check_refused({"replay", bundle.string()}, "refused: the program has no FINISH among its first 3 instructions");
  const auto json_result = run_cli({"replay", bundle.string(), "--json"});
  CHECK(json_result.status == 2);
  CHECK(parse_json(json_result.out, "stdout")["ok"] == false);
}

TEST_CASE("a replay that differs exits with 1 and says where", "[unit]") {
  const TemporaryFolder folder;
  const auto bundle = folder.path() / "b";
  std::filesystem::copy(test::source_dir() / "tests/data/bundles/gemm_16x64x32", bundle);
  std::string expected = read_gzip_file(bundle / "mem_out.bin.gz", Bytes(1 << 20));
  expected[5] ^= 1;
  write_file(bundle / "mem_out.bin.gz", gzip(expected));
  const auto result = run_cli({"replay", bundle.string()});
  CHECK(result.status == 1);
  CHECK_THAT(result.err, ContainsSubstring("first mismatch at address 0x") && ContainsSubstring("element 0 byte 5"));
}

}  // namespace vantage::test::cli_bad_input_test
