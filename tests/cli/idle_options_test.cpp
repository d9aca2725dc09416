// Options that would do nothing where they are given, and what would destroy what another writes: refused before
// anything is written.
#include "base/file.h"
#include "tests/catch.h"
#include "tests/support/cli.h"

#include "tests/support/temporary.h"

namespace vantage::test::cli_idle_options_test {

using namespace vantage;
using test::check_refused;

TEST_CASE("compare refuses what none of its targets has", "[unit]") {
  check_refused({"compare", "gemm", "--targets", "cpu:", "--memory", "m1"},
                "--memory is for simulated accelerators, and --targets cpu: has none; leave it out");
  check_refused({"compare", "gemm", "--targets", "cpu:,openblas:", "--timing"}, "--timing is for simulated");
  check_refused({"compare", "conv", "--targets", "published:", "--memory", "m1"}, "--memory is for simulated");
  check_refused({"compare", "gemm", "--targets", "cpu:", "--config", "8x8"}, "--config is for accelerators");
  check_refused({"compare", "matmul", "--targets", "cpu:", "--energy", "45nm"}, "--energy is for accelerators");
  for (const char* option : {"--blocks", "--block-m=16", "--virtual-threads=2", "--search=quick"}) {
    check_refused({"compare", "gemm", "--targets", "cpu:", option}, "is for accelerators, and --targets cpu: has none");
  }
  for (const char* option : {"--tile-h=2", "--virtual-threads=2", "--search=thorough", "--mapping=x.json"}) {
    check_refused({"compare", "conv", "--targets", "cpu:", option}, "is for accelerators, and --targets cpu: has none");
  }
  check_refused({"compare", "gemm", "--targets", "cpu:", "--bias"}, "--bias is for accelerators");
  check_refused({"compare", "conv", "--targets", "cpu:", "--dtype", "float32", "--shift", "3"},
                "--shift is for integers, and --dtype is float32; leave it out");
  check_refused({"compare", "gemm", "--targets", "cpu", "--memory", "m1"}, "target 'cpu' is no device; did you mean");
  check_refused({"compare", "gemm", "--targets", "fsim:", "--threads", "2"}, "--threads is for processors");
  check_refused({"compare", "gemm", "--targets", "fsim:", "--repeat", "2"}, "--repeat is for processors and GPUs");
  check_refused({"compare", "gemm", "--targets", "fsim:", "--min-ms", "2"}, "--min-ms is for processors and GPUs");
  check_refused({"compare", "gemm", "--targets", "fsim:,cpu:,fsim:"}, "--targets has fsim: twice; leave one out");
  check_refused({"compare", "designs", "8x8", "8x8"}, "has 8x8 twice; leave one out");
  check_refused({"compare", "designs", "8x8", "--memory", "m1,m1"}, "--memory has m1 twice; leave one out");
}

TEST_CASE("a server refuses to allow what nobody could do", "[unit]") {
  check_refused({"serve", "--allow-code"}, "--allow-code: code is for --device cpu:");
  check_refused({"serve", "--device", "cpu:", "--allow-unconfined"}, "--allow-unconfined: no code is taken");
  check_refused({"serve", "--device", "fsim:", "--allow-flash"}, "--allow-flash: no board is offered");
  check_refused({"serve", "--device", "pynq:", "--allow-unverified"}, "--allow-unverified: nothing may be flashed");
  check_refused({"serve", "--device", "fsim:,systemc:,fsim:"}, "--device has fsim twice");
  check_refused({"serve", "--device", "fsim"}, "--device fsim: no server offers that; did you mean 'fsim:'?");
}

TEST_CASE("blocks are not searched for, and no larger than what they are of", "[unit]") {
  check_refused({"run", "gemm", "--blocks", "--search", "quick"}, "--search quick: blocks are not searched for");
  check_refused({"compare", "gemm", "--virtual-threads", "2", "--search", "quick"}, "blocks are not searched for");
  check_refused({"lower", "gemm", "--block-m", "2"}, "--block-m is 2, but --m is 1; give at most 1");
  check_refused({"run", "gemm", "--k", "30", "--block-k", "48"}, "--block-k is 48, but --k is 30; give at most 32");
  check_refused({"run", "elementwise", "--size", "100", "--tile", "8"},
                "--tile is 8, but the layer has 7 accumulators; give at most 7");
  check_refused({"run", "lenet", "--config", "int4", "--weights-bits", "8"}, "--weights-bits is 8, but weights of the");
}

TEST_CASE("what is of a server, of random operands or of chosen scales is refused where there is none", "[unit]") {
  check_refused({"run", "gemm", "--target", "fsim:", "--device-log"}, "--device-log: target 'fsim:' is no server's");
  const test::TemporaryFolder folder;
  const std::string a = (folder.path() / "a.npy").string(), archive = (folder.path() / "f.tar").string();
  REQUIRE(
      test::run_cli({"run", "gemm", "--m", "16", "--k", "16", "--n", "16", "--target", "fsim:", "--out", a}).status ==
      0);
  check_refused({"run", "gemm", "--lhs", a, "--rhs", a, "--seed", "2"}, "--seed is for random operands");
  check_refused({"run", "lenet", "--target", "fsim:", "--seed", "2"}, "--seed is for random weights and inputs");
  const std::string quantized = (test::source_dir() / "tests/data/quantized/cnn_qdq_uint8_by_output.onnx").string();
  check_refused({"run", quantized, "--scales", "multiply-shift"}, "--scales is for networks of floats, and");
  REQUIRE(test::run_cli({"compile", "lenet", "--keep-floats", "100", "-o", archive}).status == 0);
  for (const std::string option : {"--target=fsim:", "--memory=m1", "--trace=t.json", "--vcd=v.vcd"}) {
    check_refused({"run", archive, "--random", "1", option},
                  option.substr(0, option.find('=')) + " is for accelerators, and nothing of " + archive);
  }
}

TEST_CASE("nothing is written where something else is refused", "[unit]") {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "a").string();
  check_refused({"run", "gemm", "--out", file, "--save-mapping", file}, "--out and --save-mapping both name " + file);
  check_refused({"run", "conv", "--html", file + ".html", "--save-mapping", file + ".html"}, "both name");
  const std::vector<std::string> saves = {"run", "gemm", "--m", "16", "--save-mapping", file};
  const auto with = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all = saves;
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  check_refused(with({"--vcd", (folder.path() / "none/a.vcd").string()}), "cannot be written");
  check_refused(with({"--target", "fsim:", "--vcd", file + ".vcd"}), "writes no VCD");
  const std::string database = (folder.path() / "d.sqlite").string();
  for (const std::string engine : {"rpc://", "rpc://a/systemc", "rpc://a:0", "local", "elsewhere"}) {
    const std::string engines = "rpc://a:1," + engine, message = "--engine '" + engine + "' is no";
    check_refused({"sweep", "shapes-of-256-macs", "--db", database, "--engine", engines}, message);
    check_refused({"explore", "shapes-of-256-macs", "--db", database, "--engine", engines}, message);
    check_refused({"compare", "designs", "8x8", "--db", database, "--engine", engines}, message);
  }
  check_refused({"sweep", "shapes-of-256-macs", "--db", database, "--engine", "rpc://a:1,"}, "--engine '' is none");
  check_refused({"sweep", "shapes-of-256-macs", "--db", database, "--engine", "rpc://a:1,rpc://a:1/systemc"},
                "--engine has rpc://a:1/systemc twice");
  check_refused({"sweep", "shapes-of-256-macs", "--db", database, "--workloads", "lenet,lenet"}, "has lenet twice");
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("a list of tensors takes no options of a run, and inputs may be random", "[unit]") {
  const std::string bundle = (test::source_dir() / "tests/data/bundles/gemm_16x64x32").string();
  check_refused({"run", bundle, "--list", "--target", "fsim:"}, "--target is for a run, and --list runs nothing");
  check_refused({"run", bundle, "--list", "--out", "out0=c.npy"}, "--out is for a run");
  check_refused({"run", bundle, "--random", "1"}, "--random: all inputs have values; leave it out");
  const test::TemporaryFolder folder;
  const auto disassembled = test::run_cli({"disasm", bundle});
  const std::string program = folder.file("a.s", disassembled.out).string();
  check_refused({"run", program, "--target", "fsim:"}, "or --random SEED");
  const auto out = [&](const char* seed, const char* name) {
    const std::string file = (folder.path() / name).string();
    CHECK(test::run_cli({"run", program, "--target", "fsim:", "--random", seed, "--out", "out0=" + file}).status == 0);
    return read_file(file, Bytes(1 << 20));
  };
  const std::string first = out("1", "a.npy");
  CHECK(first == out("1", "b.npy"));
  CHECK(first != out("2", "c.npy"));
}

}  // namespace vantage::test::cli_idle_options_test
