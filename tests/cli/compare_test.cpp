// vantage compare, as a user runs it.
#include <sstream>

#include "base/json.h"
#include "cli/measurement_text.h"
#include "driver/baselines/library.h"
#include "driver/cuda/cuda_device.h"
#include "tests/catch.h"
#include "tests/sim/rtl/rtl_test.h"
#include "tests/support/cli.h"
#include "tests/support/temporary.h"

namespace vantage::test::cli_compare_test {

using namespace vantage;
using test::run_cli;

namespace {

const std::vector<std::string> kQuick = {"--repeat", "1", "--min-ms", "0", "--threads", "1"};

test::CliResult compare(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "compare");
  arguments.insert(arguments.end(), kQuick.begin(), kQuick.end());
  return run_cli(arguments);
}

}  // namespace

TEST_CASE("compare runs one workload on all kinds of device", "[unit]") {
  const auto result = compare({"conv", "--in-channels", "32", "--out-channels", "48", "--height", "12", "--width", "10",
                               "--pad", "1", "--targets", "fsim:,systemc:,cpu:,openblas:,onednn:", "--json"});
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.err == "");
  const Json rows = parse_json(result.out, "stdout");
  REQUIRE(rows.size() == 5);
  const char* targets[] = {"fsim:", "systemc:", "cpu:", "openblas:", "onednn:"};
  for (size_t i = 0; i < 5; ++i) {
    INFO(rows[i]);
    CHECK(rows[i]["target"] == targets[i]);
    CHECK(rows[i]["ok"] == true);
    CHECK(rows[i]["workload"] == "conv 1x32x12x10 to 48, 3x3, stride 1, pad 1");
    CHECK(rows[i]["bytes"] > 0);
    const bool has_bytes = i < 3 || driver::Library::open(targets[i], 1)->has(kInt8);
    CHECK(rows[i]["dtype"] == (has_bytes ? "int8" : "float32"));
    CHECK(rows[i].contains("cycles") == (i == 1));
    CHECK(rows[i].contains("seconds") == (i != 0));
    CHECK(rows[i].contains("roofline_share") == (i != 0));
    if (i == 0) continue;
    const double operations = 2.0 * 48 * 32 * 9 * 12 * 10;
    CHECK(rows[i]["useful_gops"].get<double>() == Approx(operations / rows[i]["seconds"].get<double>() * 1e-9));
    CHECK(rows[i]["intensity"].get<double>() == Approx(operations / rows[i]["bytes"].get<double>()));
  }
  CHECK(rows[1]["seconds"].get<double>() == Approx(rows[1]["cycles"].get<double>() / 1e8));
  CHECK(rows[1]["config"] == "1x16_i8w8a32_15_15_18_17");
  CHECK(rows[1]["clock_mhz"] == 100);
  CHECK(rows[1]["memory"] == "m64");
  // Those with zeros around the image are left out, where that is worth an instruction.
  CHECK(rows[1]["useful_operations"] == 2 * 48 * 32 * 9 * 12 * 10);
  CHECK(rows[1]["executed_operations"] >= 2 * 48 * 32 * (3 * 12 - 2) * (3 * 10 - 2));
  CHECK(rows[1]["executed_operations"] < rows[1]["useful_operations"]);
  CHECK_FALSE(rows[2].contains("executed_gops"));
}

TEST_CASE("compare also gives the time at the clock that static timing allows", "[slow]") {
  const test::TemporaryFolder folder;
  const std::string config = folder.file("tiny.json", test::smallest_config().to_json().dump()).string();
  const std::vector<std::string> arguments = {"gemm",
                                              "--m",
                                              "16",
                                              "--k",
                                              "16",
                                              "--n",
                                              "16",
                                              "--config",
                                              config,
                                              "--targets",
                                              "fsim:,systemc:,cpu:",
                                              "--memory",
                                              "pynq-ddr3",
                                              "--timing"};
  auto as_json = arguments;
  as_json.emplace_back("--json");
  const auto result = compare(as_json);
  INFO(result.err);
  REQUIRE(result.status == 0);
  const Json rows = parse_json(result.out, "stdout");
  REQUIRE(rows.size() == 4);
  CHECK(rows[2]["target"] == "systemc:");
  CHECK(rows[1]["clock_mhz"] == 100);
  const int mhz = rows[2]["clock_mhz"].get<int>();
  CHECK(mhz > 100);
  // The memory answers as soon as before in nanoseconds, and so later in cycles
  CHECK(rows[2]["cycles"] > rows[1]["cycles"]);
  CHECK(rows[2]["seconds"].get<double>() == Approx(rows[2]["cycles"].get<double>() / (1e6 * mhz)));
  CHECK(rows[2]["seconds"] < rows[1]["seconds"]);
  CHECK_THAT(compare(arguments).out, ContainsSubstring("systemc: at " + std::to_string(mhz) + " MHz\n"));
}

TEST_CASE("a table has 80 columns, and a long address has a line of its own", "[unit]") {
  workload::Measurement here{.workload = "w", .target = "fsim:", .dtype = "float32"};
  here.config = "1x16_i8w8a32_15_15_18_17";
  here.clock_mhz = 100;
  here.memory = "m64";
  here.seconds = 12.345678;
  here.cycles = Cycles(123'456'789);
  here.useful_operations = 1'000'000'000'000;
  here.executed_operations = 9'999'999'000'000;
  here.bytes = Bytes(9'876'543'210);
  here.roofline = workload::Roofline{1e11, 1e9};
  workload::Measurement there = here;
  there.target = "rpc://a-farm-of-some-department:9091/systemc";
  std::istringstream lines(cli::table({here, there}));
  std::string text;
  std::vector<std::string> all;
  while (std::getline(lines, text)) {
    INFO(text);
    CHECK(text.size() <= 80);
    all.push_back(text);
  }
  REQUIRE(all.size() == 7);
  CHECK(all[1] == "accelerators: 1x16_i8w8a32_15_15_18_17 at 100 MHz, memory m64");
  CHECK(all[5] == there.target);
  CHECK(all[4].substr(10) == all[6].substr(10));
}

TEST_CASE("cells of CSV with commas and quotes are quoted", "[unit]") {
  workload::Measurement row{.workload = "conv a, b", .target = "fsim:", .dtype = "int8"};
  row.memory = "my \"fast\" one";
  row.bytes = Bytes(1);
  CHECK_THAT(cli::csv({row}), ContainsSubstring("\"conv a, b\",fsim:,,,\"my \"\"fast\"\" one\",int8,"));
}

TEST_CASE("compare multiplies matrices of every type", "[unit]") {
  for (const char* dtype : {"float32", "float16", "int8"}) {
    const auto result = compare({"matmul", "--m", "33", "--k", "70", "--n", "41", "--dtype", dtype, "--csv"});
    INFO(dtype << result.err);
    REQUIRE(result.status == 0);
    std::istringstream lines(result.out);
    std::string line;
    std::getline(lines, line);
    CHECK(line ==
          "workload,target,config,clock_mhz,memory,dtype,cycles,seconds,useful_gops,executed_gops,bytes,intensity,"
          "roofline_share,ok");
    int rows = 0;
    while (std::getline(lines, line)) {
      ++rows;
      CHECK_THAT(line, ContainsSubstring("\"matmul 33x70x41\",") && ContainsSubstring(",true"));
      CHECK(std::count(line.begin(), line.end(), ',') == 13);
    }
    CHECK(rows == 3);
  }
  const auto conv = compare({"conv", "--in-channels", "16", "--out-channels", "16", "--height", "6", "--width", "6",
                             "--targets", "cpu:", "--csv"});
  CHECK_THAT(conv.out, ContainsSubstring("\"conv 1x16x6x6 to 16, 3x3, stride 1, pad 1\",cpu:,,,,int8,"));
  const auto gemm = compare({"gemm", "--m", "4", "--k", "64", "--n", "48", "--bias", "--targets", "systemc:,cpu:"});
  CHECK(gemm.status == 0);
  CHECK_THAT(gemm.out,
             ContainsSubstring("gemm 4x64x48\n") && ContainsSubstring("systemc:") && ContainsSubstring("right"));
}

TEST_CASE("compare says why a GPU is not there, and what helps", "[unit]") {
  if (driver::why_no_cuda().empty()) return;
  for (const char* uri : {"cuda:", "cublas:", "cudnn:", "cublas:1"}) {
    INFO(uri);
    test::check_refused({"compare", "matmul", "--m", "8", "--k", "8", "--n", "8", "--targets", uri},
                        "target '" + std::string(uri) + "' is not on this machine: " + driver::why_no_cuda());
  }
}

TEST_CASE("compare refuses what makes no sense before anything runs", "[unit]") {
  test::check_refused({"compare", "matmul", "--targets", "cpu:,opnblas:"}, "did you mean 'openblas:'?");
  test::check_refused({"compare", "matmul", "--dtype", "float64"},
                      "--dtype: there is no 'float64'; did you mean 'float32' or 'float16'?");
  test::check_refused({"compare", "conv", "--dtype", "float63"},
                      "--dtype: there is no 'float63'; did you mean 'float32' or 'float16'?");
  test::check_refused({"compare", "conv", "--dtype", "float16", "--targets", "cpu:"},
                      "convolutions on processors are of float32 and int8, not of float16; leave it out of --targets");
  test::check_refused({"compare", "conv", "--dtype", "bfloat16", "--targets", "cpu:"}, "not of bfloat16; leave it out");
  test::check_refused({"compare", "matmul", "--targets", "cpu:,cublast:"}, "did you mean 'cublas:'?");
  test::check_refused({"compare", "matmul", "--m", "8", "--k", "8", "--n", "8", "--targets", "cpu:,systemc:"},
                      "accelerators multiply integers, not float32; use --dtype int8");
  test::check_refused({"compare", "matmul", "--json", "--csv"}, "--csv");
  test::check_refused({"compare", "matmul", "--threads", "5000"}, "5000");
  test::check_refused({"run", "gemm", "--target", "cpu:"}, "is a processor, which runs no programs of an accelerator");
}

}  // namespace vantage::test::cli_compare_test
