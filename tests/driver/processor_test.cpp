// Processors as devices: buffers, launches, libraries, time.
#include "driver/device/processor.h"
#include "driver/baselines/library.h"
#include "driver/device/time_evaluator.h"
#include "tests/catch.h"

using namespace vantage;
using namespace vantage::driver;

namespace {

constexpr DLDataType kSingle{kDLFloat, 32, 1};

void write(ResidentTensor& tensor, const std::vector<float>& values) {
  tensor.buffer().write(std::as_bytes(std::span(values)));
}

std::vector<float> read(ResidentTensor& tensor) {
  std::vector<float> values(tensor.buffer().size().count() / sizeof(float));
  tensor.buffer().read(std::as_writable_bytes(std::span(values)));
  return values;
}

}  // namespace

TEST_CASE("a processor's buffers are host memory, aligned, zero and checked", "[unit]") {
  const auto cpu = Processor::open("cpu:", 2);
  CHECK(cpu->uri() == "cpu:");
  CHECK(cpu->threads() == 2);
  CHECK(cpu->memory_size() > Bytes(uint64_t{1} << 28));
  ResidentTensor tensor(*cpu, kSingle, {3, 5});
  CHECK(reinterpret_cast<uint64_t>(tensor.tensor()->data) % 64 == 0);
  CHECK(tensor.buffer().size() == Bytes(60));
  CHECK(read(tensor) == std::vector<float>(15));
  std::vector<std::byte> bytes(16);
  const Bytes inside(tensor.buffer().address().count() + 44), past(tensor.buffer().address().count() + 45);
  cpu->write(inside, bytes);
  CHECK_THAT(ERROR_OF(cpu->write(past, bytes)), ContainsSubstring("are not all in one buffer of cpu:"));
  CHECK_THAT(ERROR_OF(cpu->read(Bytes(64), bytes)), ContainsSubstring("are not all in one buffer of cpu:"));
  CHECK(ERROR_OF(Processor::open("gpu:")) == "target 'gpu:' is no processor; the compiler's own is 'cpu:'");
}

TEST_CASE("libraries multiply matrices in every layout", "[unit]") {
  for (const char* uri : {"openblas:", "onednn:"}) {
    const auto library = Library::open(uri, 1);
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        INFO(uri << ta << tb);
        ResidentTensor a(*library, kSingle, {6}), b(*library, kSingle, {6}), c(*library, kSingle, {4});
        // [[1 2 3] [4 5 6]] . [[1 2] [3 4] [5 6]]
        write(a, ta ? std::vector<float>{1, 4, 2, 5, 3, 6} : std::vector<float>{1, 2, 3, 4, 5, 6});
        write(b, tb ? std::vector<float>{1, 3, 5, 2, 4, 6} : std::vector<float>{1, 2, 3, 4, 5, 6});
        library->matmul({.m = 2, .n = 2, .k = 3, .transpose_a = ta, .transpose_b = tb})(
            {a.tensor(), b.tensor(), c.tensor()});
        CHECK(read(c) == std::vector<float>{22, 28, 49, 64});
      }
    }
    CHECK_THAT(ERROR_OF(library->matmul({.dtype = {kDLFloat, 64, 1}})), ContainsSubstring("not of float64"));
  }
  CHECK_THAT(ERROR_OF(Library::open("onednm:")), ContainsSubstring("did you mean 'onednn:'?"));
}

TEST_CASE("time_evaluator runs as often as it is told", "[unit]") {
  int runs = 0;
  const Timing timing = time_evaluator([&] { ++runs; }, {.number = 3, .repeat = 4, .min_ms = 0});
  CHECK(runs == 1 + 3 * 4);
  CHECK(timing.samples.size() == 4);
  CHECK(timing.number == 3);
  // A sample that is to take long enough takes more runs.
  CHECK(time_evaluator([&] { ++runs; }, {.number = 1, .repeat = 1, .min_ms = 1}).number > 100);
  const Timing known{{4, 1, 3, 2}, 1};
  CHECK(known.min() == 1);
  CHECK(known.mean() == 2.5);
  CHECK(known.median() == 2.5);
  CHECK(known.deviation() == Approx(1.2909944));
  CHECK(Timing{{5, 1, 2}, 1}.median() == 2);
  CHECK_THAT(ERROR_OF(time_evaluator([] {}, {.number = 0, .repeat = 1, .min_ms = 0})),
             ContainsSubstring("number is 0"));
  CHECK_THAT(ERROR_OF(time_evaluator([] {}, {.number = 1, .repeat = 0, .min_ms = 0})),
             ContainsSubstring("repeat is 0"));
}
