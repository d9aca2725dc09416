#include "base/json.h"
#include "driver/open/open.h"
#include "hw/program/assembly.h"
#include "tests/catch.h"

namespace vantage::test::driver_device_device_test {

using namespace vantage;

namespace {

const isa::Config kConfig = isa::Config::vta_default();

// Copies one ACC element, cut to bytes, from "in" to "out".
Program copy_program(const std::string& extra = "") {
  return assemble(".config " + kConfig.to_json().dump() +
                      "\n.tensor in acc 1 input\n.tensor out out 1 output\n"
                      "load.acc sram=0 dram=in+0 y=1 x=1 stride=1 push=next\n"
                      "store.out sram=0 dram=out+0 y=1 x=1 stride=1 pop=prev push=prev\n" +
                      extra + "finish pop=next\n",
                  "copy");
}

}  // namespace

TEST_CASE("a device is opened by URI, an unknown one suggests what there is", "[unit]") {
  CHECK(driver::open_accelerator("fsim:", kConfig)->uri() == "fsim:");
  CHECK(ERROR_OF(driver::open_accelerator("fsin:", kConfig)) ==
        "target 'fsin:' is no device URI; did you mean 'fsim:'?");
  CHECK(ERROR_OF(driver::open_accelerator("fsim", kConfig)) == "target 'fsim' is no device URI; did you mean 'fsim:'?");
  CHECK(ERROR_OF(driver::open_accelerator("fsim:x", kConfig)) == "target 'fsim:x': nothing may follow 'fsim:'");
  CHECK_THAT(ERROR_OF(driver::open_accelerator("", kConfig)), ContainsSubstring("known: fsim:"));
}

TEST_CASE("a program is placed, linked and run as often as one likes", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto in = device->allocate(Bytes(64));
  auto out = device->allocate(Bytes(16));
  const auto loaded = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  for (int value : {5, -6}) {
    std::vector<std::byte> bytes(64, static_cast<std::byte>(value));
    in.write(bytes);
    const auto result = loaded->run();
    REQUIRE(result.ok());
    CHECK(result.warnings.empty());
    std::vector<std::byte> got(16);
    out.read(got);
    CHECK(got == std::vector<std::byte>(16, static_cast<std::byte>(value)));
  }
}

TEST_CASE("buffers are bound to tensors by name or in the program's order", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto in = device->allocate(Bytes(64)), out = device->allocate(Bytes(16));
  const std::vector<const driver::Buffer*> tensors = {&in, &out};
  const auto regions = device->load(copy_program(), tensors)->regions();
  REQUIRE(regions.size() == 4);
  CHECK(regions[0].name == "in");
  CHECK(regions[0].address == in.address());
  CHECK(regions[1].address == out.address());
  CHECK(regions[1].is_output);
  const auto by_name = device->load(copy_program(), {{"out", &out}, {"in", &in}})->regions();
  CHECK(by_name[0].address == in.address());
  CHECK(by_name[1].address == out.address());
  CHECK_THROWS_AS(device->load(copy_program(), std::vector<const driver::Buffer*>{&in}), InternalError);
}

TEST_CASE("what is loaded can be timed, unless a run of it fails", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto in = device->allocate(Bytes(64)), out = device->allocate(Bytes(16));
  const auto program = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  driver::Loaded& loaded = *program;
  const driver::Timing timing = loaded.time({.number = 2, .repeat = 3, .min_ms = 0});
  CHECK(timing.samples.size() == 3);
  CHECK(timing.number == 2);
  std::stop_source source;
  source.request_stop();
  driver::RunOptions options;
  options.stop = source.get_token();
  CHECK_THAT(ERROR_OF(loaded.time({}, options)), ContainsSubstring("a run that was to be timed ended with stopped"));
}

TEST_CASE("buffers refuse what does not fit them", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto buffer = device->allocate(Bytes(4));
  std::vector<std::byte> five(5);
  CHECK(ERROR_OF(buffer.write(five)) == "5 bytes do not fit a buffer of 4");
  CHECK(ERROR_OF(buffer.read(five)) == "a buffer of 4 bytes cannot give 5");
  const auto full = device->memory_size();
  CHECK_THAT(ERROR_OF(device->allocate(full)), ContainsSubstring("memory is full"));
}

TEST_CASE("memory of a released buffer is used again", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  const auto address = device->allocate(Bytes(100)).address();
  auto a = device->allocate(Bytes(100));
  CHECK(a.address() == address);
  auto b = std::move(a);
  CHECK(b.address() == address);
  CHECK(device->allocate(Bytes(100)).address() != address);
}

TEST_CASE("loading refuses wrong configurations, buffers and illegal programs", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto in = device->allocate(Bytes(64));
  auto out = device->allocate(Bytes(16));
  auto small = device->allocate(Bytes(8));
  CHECK(ERROR_OF(device->load(copy_program(), {{"in", &in}})) == "no buffer was given for the tensor out");
  CHECK(ERROR_OF(device->load(copy_program(), {{"in", &in}, {"out", &small}})) ==
        "the tensor out has 16 bytes, its buffer 8");
  CHECK_THAT(ERROR_OF(device->load(copy_program(), {{"in", &in}, {"out", &out}, {"oot", &out}})),
             ContainsSubstring("no tensor 'oot'; did you mean 'out'?"));
  CHECK_THAT(ERROR_OF(device->load(copy_program("load.acc sram=2048 dram=0 y=1 x=1 stride=1\n"),
                                   {{"in", &in}, {"out", &out}})),
             ContainsSubstring("the program is refused: instruction 2: load.acc"));
  Program other = copy_program();
  Json json = kConfig.to_json();
  json["LOG_WGT_BUFF_SIZE"] = 17;
  other.config = isa::Config::from_json(json, "test");
  CHECK_THAT(ERROR_OF(device->load(other, {{"in", &in}, {"out", &out}})),
             ContainsSubstring("made for configuration 1x16_i8w8a32_15_15_17_17"));
}

TEST_CASE("reset makes a device as just opened", "[unit]") {
  const auto device = driver::open_accelerator("fsim:", kConfig);
  auto buffer = device->allocate(Bytes(1));
  const std::vector<std::byte> seven = {std::byte{7}};
  buffer.write(seven);
  device->reset();
  std::vector<std::byte> got(1);
  buffer.read(got);
  CHECK(got[0] == std::byte{0});
}

}  // namespace vantage::test::driver_device_device_test
