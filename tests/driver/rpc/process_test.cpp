// Sessions whose devices are in processes of their own: one that is lost, or does not stop, costs its client alone.
#include <signal.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "driver/rpc/workspace/workspace_process.h"
#include "tests/catch.h"
#include "tests/driver/rpc/bystander.h"

namespace vantage::test::driver_rpc_process_test {

using namespace vantage;
using namespace vantage::test;

namespace {

// Of this process, in the order in which they were started.
std::vector<pid_t> children() {
  std::vector<pid_t> pids;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream file(task.path() / "children");
    for (pid_t pid = 0; file >> pid;) pids.push_back(pid);
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

Program long_program() {
  return small_program("gemm uop=0:32 out=16383 in=16383 dst=0,0 src=0,0 wgt=0,0\nfinish\n");
}

}  // namespace

TEST_CASE("a session in a process of its own does what one here does", "[unit]") {
  const TestServer server(TestServer::Processes{}, {"fsim", "systemc"});
  Bystander first(server), second(server);
  CHECK(first.works());
  CHECK(second.works());
  CHECK(children().size() == 2);
  const auto device = driver::open_accelerator(server.uri("systemc"), isa::Config::vta_default());
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto program = device->load(copy_program(), {{"in", &in}, {"out", &out}});
  const auto result = program->run();
  CHECK(result.ok());
  CHECK(result.cycles.has_value());
  CHECK(program->time({.number = 2, .repeat = 2}).samples.size() == 2);
  CHECK(device->micro_ops().size() == isa::Config::vta_default().depth(isa::Memory::kUop).count());
  // Several pieces
  auto large = device->allocate(Bytes(3'000'000));
  std::vector<std::byte> bytes(3'000'000), got(3'000'000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 7 % 251);
  large.write(bytes);
  large.read(got);
  CHECK(got == bytes);
  // What is refused is refused as here
  CHECK_THAT(ERROR_OF(device->allocate(Bytes(UINT64_MAX))), ContainsSubstring("that this server gives to one"));
  CHECK_THAT(ERROR_OF(device->load(small_program("load.acc sram=0 dram=64 y=1 x=2 stride=2\nfinish\n"),
                                   {{"in", &in}, {"out", &out}})),
             ContainsSubstring("it names a fixed place in memory"));
}

TEST_CASE("what ends a session's process costs its client alone", "[unit]") {
  const TestServer server(TestServer::Processes{});
  Bystander bystander(server);
  const std::vector<pid_t> before = children();
  REQUIRE(before.size() == 1);
  for (const int signal : {SIGSEGV, SIGKILL}) {
    const auto device = server.open();
    std::vector<pid_t> after = children();
    after.erase(std::remove(after.begin(), after.end(), before.front()), after.end());
    REQUIRE(after.size() == 1);
    ::kill(after.front(), signal);
    // One that is dying may still answer: what ends it takes its time, with sanitizers above all.
    std::string refusal;
    CHECK(eventually([&] {
      std::vector<std::byte> bytes(4);
      try {
        device->read(Bytes(0), bytes);
      } catch (const Error& error) {
        refusal = error.what();
      }
      return !refusal.empty();
    }));
    CHECK_THAT(refusal, ContainsSubstring("its process is gone") || ContainsSubstring("there is no such session"));
    CHECK(eventually([&] { return server.sessions() == 1 && children() == before; }));
    CHECK(bystander.works());
  }
}

TEST_CASE("who is told that a process is gone is told how it ended", "[unit]") {
  rpc::WorkspaceProcess process(VANTAGE_WORKSPACE);
  REQUIRE(children().size() == 1);
  ::kill(children().front(), SIGABRT);  // which sanitizers leave alone
  CHECK_THAT(ERROR_OF(process.open({}, nullptr, {})), ContainsSubstring("it ended by signal 6, Aborted"));
  CHECK(process.is_gone());
  CHECK(children().empty());
}

TEST_CASE("what does not stop when it is asked to is ended", "[unit]") {
  const TestServer server(TestServer::Processes{}, {"fsim"}, [](rpc::ServerOptions& o) { o.limits.run_seconds = 0.1; });
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  const auto endless = device->load(long_program(), {{"in", &in}, {"out", &out}});
  CHECK_THAT(ERROR_OF(endless->run()), ContainsSubstring("the run took longer than the 0.1 seconds"));
  // One that stands still answers nothing
  const std::vector<pid_t> pids = children();
  REQUIRE(pids.size() == 1);
  ::kill(pids.front(), SIGSTOP);
  CHECK_THAT(
      ERROR_OF(endless->run()),
      ContainsSubstring("the run took longer than the 0.1 seconds that this server gives to one; its process did "
                        "not stop when it was asked to, and was ended"));
  CHECK(eventually([&] { return server.sessions() == 0 && children().empty(); }));
}

TEST_CASE("a server stops though a session's process does not", "[unit]") {
  TestServer server(TestServer::Processes{});
  const auto device = server.open();
  REQUIRE(children().size() == 1);
  ::kill(children().front(), SIGSTOP);
  std::vector<std::byte> bytes(4);
  const std::jthread caller([&] { CHECK_FALSE(ERROR_OF(device->read(Bytes(0), bytes)).empty()); });
  server.server().stop();
  CHECK(children().empty());
}

TEST_CASE("a session that does nothing for long is over", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.idle_seconds = 0.1; });
  const auto device = server.open();
  CHECK(eventually([&] { return server.sessions() == 0; }));
  CHECK(eventually([&] { return server.logged("it did nothing for"); }));
}

}  // namespace vantage::test::driver_rpc_process_test
