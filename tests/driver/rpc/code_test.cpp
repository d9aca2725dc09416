// Code of clients: it runs where it was sent, gives what it gives here, and can do nothing but compute.
#include "base/file.h"
#include "base/process.h"
#include "base/sha256.h"
#include "base/tensor/random.h"
#include "compiler/backend/cpu/jit.h"
#include "compiler/backend/cpu/library.h"
#include "compiler/ops/matmul/cpu_matmul.h"
#include "driver/rpc/client/remote_processor.h"
#include "driver/rpc/workspace/confine.h"
#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"
#include "tests/support/variable.h"

namespace vantage::test::driver_rpc_code_test {

using namespace vantage;
using namespace vantage::test;

namespace {

constexpr const char* kToken = "correct horse battery";

TestServer::Change with_token(double run_seconds = 60) {
  return [=](rpc::ServerOptions& o) {
    o.identities = rpc::Identities(std::vector<rpc::Identity>{{"ann", kToken}});
    o.limits.run_seconds = run_seconds;
  };
}

std::shared_ptr<rpc::Offer> offer(bool confined = true) {
  return std::make_shared<rpc::Offer>(rpc::offer_code(VANTAGE_WORKSPACE, confined));
}

// A tensor in the device's memory.
struct There {
  There(driver::Device& device, const Tensor& host)
      : shape(host.shape()), buffer(device.allocate(Bytes(host.bytes().size()))) {
    buffer.write(host.bytes());
    described.data = reinterpret_cast<void*>(buffer.address().count());  // NOLINT: an address of the device's
    described.device = {kDLCPU, 0};
    described.ndim = static_cast<int>(shape.size());
    described.dtype = dl_dtype(host.dtype());
    described.shape = shape.data();
  }
  Tensor read(DType dtype) const {
    Tensor host(dtype, shape);
    buffer.read(host.bytes());
    return host;
  }

  std::vector<int64_t> shape;
  driver::Buffer buffer;
  DLTensor described{};
};

// The library that intruder.cpp is: functions of the form of native/abi.h with one parameter, int64[kFound].
constexpr int kFound = 16;
const std::vector<std::string> kIntruders = {"as_loaded", "as_called", "crashes", "goes_on"};

native::LibraryImage intruder() {
  const TemporaryFolder folder;
  const std::string source = (source_dir() / "tests" / "driver" / "rpc" / "intruder.cpp").string();
  run_tool({"c++", "-shared", "-fPIC", "-o", "code.so", source}, folder.path(), "g++");
  native::Parameter parameter;
  parameter.name = "x";
  parameter.dtype = {kDLInt, 64, 1};
  parameter.is_tensor = parameter.is_written = true;
  parameter.shape = {std::to_string(kFound)};
  parameter.strides = {"1"};
  native::Manifest manifest;
  manifest.triple = std::string(native::this_architecture()) + "-linux-gnu";
  std::string code = read_file(folder.path() / "code.so", Bytes(1 << 24));
  manifest.sha256 = sha256(code);
  for (const std::string& name : kIntruders) manifest.functions.push_back({name, {parameter}});
  return {to_text(manifest), std::move(code)};
}

}  // namespace

TEST_CASE("functions of a client's give there what they give here", "[unit]") {
  const Variable token("VANTAGE_TOKEN", kToken);
  const TestServer server(offer(), with_token());
  const auto processor = rpc::open_remote_processor(server.uri());
  CHECK(processor->architecture() == native::this_architecture());
  const MatmulShape shape{.m = 33, .n = 40, .k = 50};
  const cpu::Target target = cpu::host_target();
  const ir::PrimFunc function = ops::schedule_cpu_matmul(shape, target, 2).function();
  const native::LibraryImage image = cpu::link_library(cpu::compile_object({function}, target), target);
  processor->load_library(image, "matmul", {"matmul"});

  std::mt19937_64 random(1);
  Tensor a(kFloat32, {33, 50}), b(kFloat32, {50, 40});
  fill(a, random);
  fill(b, random);
  Tensor c(kFloat32, {33, 40});
  const There there_a(processor->device(), a), there_b(processor->device(), b), there_c(processor->device(), c);
  const auto loaded = processor->load(0, {&there_a.described, &there_b.described, &there_c.described});
  const driver::RunResult result = loaded->run();
  CHECK(result.ok());
  CHECK(result.seconds.value_or(-1) >= 0);
  CHECK(loaded->time({.number = 2, .repeat = 3}).samples.size() == 3);
  const DLTensor here_a = a.dl(), here_b = b.dl(), here_c = c.dl();
  cpu::jit(function)({&here_a, &here_b, &here_c});
  CHECK(there_c.read(kFloat32) == c);

  // What does not fit is refused as here.
  const auto refusal = [&](const std::vector<const DLTensor*>& tensors) {
    return ERROR_OF(processor->load(0, tensors));
  };
  CHECK_THAT(refusal({&there_a.described, &there_b.described}), ContainsSubstring("3"));
  CHECK_THAT(refusal({&there_b.described, &there_b.described, &there_c.described}), ContainsSubstring("A"));
  There large(processor->device(), Tensor(kFloat32, {33, 10}));
  large.shape[1] = 50;
  CHECK_THAT(refusal({&large.described, &there_b.described, &there_c.described}),
             ContainsSubstring("larger than its allocation"));
  large.described.data = reinterpret_cast<void*>(64);  // NOLINT: nobody's
  CHECK_THAT(refusal({&large.described, &there_b.described, &there_c.described}),
             ContainsSubstring("there is no allocation at address 64"));
  native::LibraryImage damaged = image;
  damaged.code[damaged.code.size() / 2] ^= 1;
  CHECK_THAT(ERROR_OF(processor->load_library(damaged, "matmul", {"matmul"})),
             ContainsSubstring("is not the library that manifest.json was written for"));
}

TEST_CASE("code of a client's can do nothing but compute", "[unit]") {
  if (!rpc::can_confine()) {
    WARN("SKIPPED: this machine's kernel has no filters of system calls");
    return;
  }
  const Variable token("VANTAGE_TOKEN", kToken);
  const TestServer server(offer(), with_token());
  const auto processor = rpc::open_remote_processor(server.uri());
  processor->load_library(intruder(), "intruder", kIntruders);
  const There found(processor->device(), Tensor(kInt64, {kFound}));
  for (size_t function = 0; function < 2; ++function) {
    CHECK(processor->load(function, {&found.described})->run().ok());
    const Tensor results = found.read(kInt64);
    INFO(kIntruders[function]);
    for (int64_t i = 0; i < 3; ++i) CHECK(results.integer(i) == -EACCES);
    for (int64_t i = 3; i < 14; ++i) CHECK(results.integer(i) == -EPERM);
  }
}

TEST_CASE("code that crashes or goes on for ever costs its client alone", "[unit]") {
  const Variable token("VANTAGE_TOKEN", kToken);
  const TestServer server(offer(), with_token(0.2));
  const native::LibraryImage image = intruder();
  const auto processor_with = [&](size_t function, const std::string& message) {
    const auto processor = rpc::open_remote_processor(server.uri());
    processor->load_library(image, "intruder", kIntruders);
    const There x(processor->device(), Tensor(kInt64, {kFound}));
    const auto loaded = processor->load(function, {&x.described});
    CHECK_THAT(ERROR_OF(loaded->run()), ContainsSubstring(message));
  };
  processor_with(2, "its process is gone");
  processor_with(3, "the run took longer than the 0.2 seconds");
  const auto next = rpc::open_remote_processor(server.uri());
  CHECK(next->device().allocate(Bytes(64)).size() == Bytes(64));
}

TEST_CASE("a server that takes code wants to know whose", "[unit]") {
  CHECK_THAT(ERROR_OF(TestServer(offer())),
             ContainsSubstring("'cpu' runs code that callers bring, so they need a token"));
  const TestServer simulators;
  CHECK_THAT(ERROR_OF(rpc::open_remote_processor(simulators.uri())),
             ContainsSubstring("the device 'fsim' is an accelerator, which runs no functions"));
  const Variable token("VANTAGE_TOKEN", kToken);
  const TestServer server(offer(), with_token());
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("is a processor, which runs no programs of an accelerator"));
}

}  // namespace vantage::test::driver_rpc_code_test
