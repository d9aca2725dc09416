// Processors as devices: buffers, launches, libraries, time.
#include "driver/device/processor.h"
#include "driver/baselines/library.h"
#include "driver/device/time_evaluator.h"
#include "tests/catch.h"

namespace vantage::test::driver_processor_test {

using namespace vantage;
using namespace vantage::driver;

namespace {

Tensor tensor_of(const std::vector<float>& values) {
  Tensor tensor(kFloat32, {static_cast<int64_t>(values.size())});
  std::copy(values.begin(), values.end(), tensor.values<float>().begin());
  return tensor;
}

}  // namespace

TEST_CASE("a processor's buffers are host memory, aligned, zero and checked", "[unit]") {
  const auto cpu = Processor::open("cpu:", 2);
  CHECK(cpu->uri() == "cpu:");
  CHECK(cpu->threads() == 2);
  CHECK(cpu->memory_size() > Bytes(uint64_t{1} << 28));
  ResidentTensor tensor(*cpu, kFloat32, {3, 5});
  CHECK(reinterpret_cast<uint64_t>(tensor.tensor()->data) % 64 == 0);
  CHECK(tensor.size() == Bytes(60));
  CHECK(tensor.read() == Tensor(kFloat32, {3, 5}));
  std::vector<std::byte> bytes(16);
  const Bytes inside(tensor.buffer().address().count() + 44), past(tensor.buffer().address().count() + 45);
  cpu->write(inside, bytes);
  CHECK_THAT(ERROR_OF(cpu->write(past, bytes)), ContainsSubstring("are not all in one buffer of cpu:"));
  CHECK_THAT(ERROR_OF(cpu->read(Bytes(64), bytes)), ContainsSubstring("are not all in one buffer of cpu:"));
  CHECK(ERROR_OF(Processor::open("gpu:")) == "target 'gpu:' is no processor; the compiler's own is 'cpu:'");
}

TEST_CASE("tensors of the host become a processor's and come back", "[unit]") {
  const auto cpu = Processor::open("cpu:", 1);
  Tensor columns(kInt16, {2, 3}, {1, 2});
  for (int64_t e = 0; e < columns.size(); ++e) columns.set_integer(e, e);
  ResidentTensor tensor(*cpu, columns);
  CHECK(tensor.tensor()->dtype.bits == 16);
  CHECK(tensor.read() == columns);
  CHECK(tensor.read().is_dense());
  tensor.write(Tensor(kInt16, {2, 3}));
  CHECK(tensor.read().integer(5) == 0);
  CHECK_THROWS_AS(tensor.write(columns), InternalError);
  CHECK_THROWS_AS(tensor.write(Tensor(kInt16, {3, 2})), InternalError);
  CHECK_THAT(ERROR_OF(ResidentTensor(*cpu, kInt8, {int64_t{1} << 62, 4})), ContainsSubstring("larger than any memory"));
}

TEST_CASE("libraries multiply matrices in every layout", "[unit]") {
  for (const char* uri : {"openblas:", "onednn:"}) {
    const auto library = Library::open(uri, 1);
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        INFO(uri << ta << tb);
        // [[1 2 3] [4 5 6]] . [[1 2] [3 4] [5 6]]
        const ResidentTensor a(
            *library, tensor_of(ta ? std::vector<float>{1, 4, 2, 5, 3, 6} : std::vector<float>{1, 2, 3, 4, 5, 6}));
        const ResidentTensor b(
            *library, tensor_of(tb ? std::vector<float>{1, 3, 5, 2, 4, 6} : std::vector<float>{1, 2, 3, 4, 5, 6}));
        const ResidentTensor c(*library, kFloat32, {4});
        library->matmul({.m = 2, .n = 2, .k = 3, .transpose_a = ta, .transpose_b = tb})(
            {a.tensor(), b.tensor(), c.tensor()});
        CHECK(c.read() == tensor_of({22, 28, 49, 64}));
      }
    }
    CHECK_THAT(ERROR_OF(library->matmul({.dtype = kFloat64})), ContainsSubstring("not of float64"));
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

}  // namespace vantage::test::driver_processor_test
