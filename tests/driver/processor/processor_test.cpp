#include "driver/processor/processor.h"

#include "driver/processor/resident_tensor.h"
#include "tests/catch.h"

namespace vantage::test::driver_processor_processor_test {

using namespace vantage;
using namespace vantage::driver;

namespace {

// As a compiler would make it, of tensors with equally many rows: adds x to y, which so counts the calls. It makes one
// check only, and runs only where it is given threads.
int32_t accumulate(const vantage_argument* arguments, int32_t, const vantage_runtime* runtime,
                   vantage_failure* failure) {
  const DLTensor &x = *arguments[0].tensor, &y = *arguments[1].tensor;
  if (x.shape[0] != y.shape[0]) {
    *failure = {VANTAGE_WRONG_SHAPE, 1, 0, x.shape[0], y.shape[0]};
    return failure->code;
  }
  if (runtime == nullptr) return VANTAGE_OUT_OF_MEMORY;
  for (int64_t i = 0; i < 2 * x.shape[0]; ++i) static_cast<float*>(y.data)[i] += static_cast<const float*>(x.data)[i];
  return VANTAGE_OK;
}

// float32[n, 2] each.
native::Function function() {
  const native::Parameter x{"x", dl_dtype(kFloat32), true, false, {"n", "2"}, {"2", "1"}};
  const native::Parameter y{"y", dl_dtype(kFloat32), true, true, {"n", "2"}, {"2", "1"}};
  return {accumulate, {"accumulate", {x, y}}, nullptr};
}

Tensor filled(float value) {
  Tensor tensor(kFloat32, {3, 2});
  for (float& element : tensor.values<float>()) element = value;
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

TEST_CASE("a function is bound to its tensors and called as often as one likes", "[unit]") {
  const auto cpu = Processor::open("cpu:", 1);
  ResidentTensor x(*cpu, filled(4)), y(*cpu, kFloat32, {3, 2});
  const auto loaded = cpu->load(function(), {x.tensor(), y.tensor()});
  CHECK(y.read() == filled(0));  // not before it runs
  const RunResult result = loaded->run();
  CHECK(result.ok());
  CHECK_FALSE(result.cycles.has_value());
  CHECK(result.counters == isa::Counters());
  CHECK(y.read() == filled(4));
  // Inputs are read where they lie, at every call.
  x.write(filled(7));
  CHECK(loaded->run().ok());
  CHECK(y.read() == filled(11));
  x.write(filled(1));
  y.write(filled(0));
  CHECK(loaded->time({.number = 3, .repeat = 4, .min_ms = 0}).samples.size() == 4);
  CHECK(y.read() == filled(1 + 3 * 4));
  CHECK_THAT(ERROR_OF(loaded->time({.number = 0, .repeat = 1, .min_ms = 0})), ContainsSubstring("number is 0"));
}

TEST_CASE("tensors that do not fit a function are refused as they are bound", "[unit]") {
  const auto cpu = Processor::open("cpu:", 1);
  const ResidentTensor x(*cpu, kFloat32, {3, 2}), y(*cpu, kFloat32, {4, 2}), words(*cpu, kInt32, {3, 2}),
      flat(*cpu, kFloat32, {6}), wide(*cpu, kFloat32, {3, 3});
  const auto refusal = [&](const std::vector<const DLTensor*>& tensors) {
    return ERROR_OF(cpu->load(function(), tensors));
  };
  CHECK(refusal({x.tensor()}) == "accumulate takes 2 arguments, got 1");
  CHECK(refusal({x.tensor(), nullptr}) == "the argument y of accumulate is null, expected float32[n, 2]");
  CHECK(refusal({x.tensor(), words.tensor()}) ==
        "the argument y of accumulate has the type int32, expected float32[n, 2]");
  CHECK(refusal({flat.tensor(), x.tensor()}) ==
        "the argument x of accumulate has 1 dimensions, expected 2: float32[n, 2]");
  CHECK(refusal({x.tensor(), wide.tensor()}) ==
        "the argument y of accumulate has the size 3 in dimension 1, expected 2: float32[n, 2]");
  DLTensor elsewhere = *x.tensor();
  elsewhere.device.device_type = kDLCUDA;
  CHECK_THAT(refusal({&elsewhere, x.tensor()}), ContainsSubstring("expected host memory"));
  elsewhere = *x.tensor();
  elsewhere.data = nullptr;
  CHECK_THAT(refusal({x.tensor(), &elsewhere}), ContainsSubstring("has no data (null)"));
  const native::Parameter size{"size", dl_dtype(kInt32), false, false, {}, {}};
  CHECK_THAT(ERROR_OF(cpu->load({accumulate, {"f", {size}}, nullptr}, {x.tensor()})),
             ContainsSubstring("the argument size of f is a scalar, int32"));
  // What two of them have to do with each other is seen when it is called.
  const auto loaded = cpu->load(function(), {x.tensor(), y.tensor()});
  CHECK(ERROR_OF(loaded->run()) ==
        "the argument y of accumulate has the size 4 in dimension 0, expected n = 3: float32[n, 2]");
}

TEST_CASE("a processor says which options of a run it cannot follow", "[unit]") {
  const auto cpu = Processor::open("cpu:", 1);
  const ResidentTensor x(*cpu, filled(1)), y(*cpu, kFloat32, {3, 2});
  const auto loaded = cpu->load(function(), {x.tensor(), y.tensor()});
  RunOptions options;
  options.max_steps = 5;
  CHECK_THAT(ERROR_OF(loaded->run(options)), ContainsSubstring("a limit of 5 steps means nothing to a processor"));
  CHECK_THAT(ERROR_OF(loaded->time({}, options)), ContainsSubstring("a limit of 5 steps"));
  options = {};
  options.record_retirement = true;
  CHECK_THAT(ERROR_OF(loaded->run(options)), ContainsSubstring("no records of retired instructions"));
  options = {};
  options.interleaving_seed = 1;
  options.progress = [](uint64_t, uint64_t) { FAIL("a function has no instructions"); };
  CHECK(loaded->run(options).ok());
  std::stop_source source;
  options.stop = source.get_token();
  CHECK(loaded->run(options).ok());
  CHECK(loaded->time({.number = 1, .repeat = 2, .min_ms = 0}, options).samples.size() == 2);
  source.request_stop();
  const Tensor before = y.read();
  CHECK(loaded->run(options).status == sim::RunStatus::kStopped);
  CHECK_THAT(ERROR_OF(loaded->time({}, options)), ContainsSubstring("a run that was to be timed ended with stopped"));
  CHECK(y.read() == before);
}

}  // namespace vantage::test::driver_processor_processor_test
