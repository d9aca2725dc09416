// A session by itself: what its time pays for, and how its waits end.
#include "driver/rpc/server/session.h"

#include <new>
#include <thread>

#include "base/json.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/simulators/kinds.h"
#include "hw/program/assembly.h"
#include "hw/program/program.h"
#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"

namespace vantage::test::driver_rpc_session_test {

using namespace vantage;
using namespace vantage::test;
using rpc::Session;

namespace {

bool goes_on() {
  return false;
}

rpc::Quota small_limits() {
  rpc::Quota limits;
  limits.memory = Bytes(1 << 20);
  return limits;
}

// A session on a device of its own, open.
class OpenSession : public Session {
 public:
  OpenSession(rpc::OfferedDevice& device, const rpc::Quota& limits) : Session("key", device, "anyone", limits) {
    open("", "", goes_on, nullptr);
  }

  uint64_t allocate(uint64_t bytes) {
    v1::WorkspaceRequest request;
    request.mutable_allocate()->set_bytes(bytes);
    return call(request, goes_on).allocate().address();
  }
  void release(uint64_t address) {
    v1::WorkspaceRequest request;
    request.mutable_release()->set_address(address);
    call(request, goes_on);
  }
  uint64_t load(const Program& program, const std::map<std::string, uint64_t>& tensors) {
    v1::WorkspaceRequest request;
    request.mutable_load()->set_program(serialize(program));
    for (const auto& [name, address] : tensors) {
      v1::TensorBuffer& tensor = *request.mutable_load()->add_tensors();
      tensor.set_name(name);
      tensor.set_address(address);
    }
    return call(request, goes_on).load().program();
  }
  void unload(uint64_t program) {
    v1::WorkspaceRequest request;
    request.mutable_unload()->set_program(program);
    call(request, goes_on);
  }
  // An image of no instructions.
  void run(const GivenUp& given_up = goes_on) {
    v1::WorkspaceRequest request;
    request.mutable_launch()->mutable_image();
    call(request, given_up);
  }
};

}  // namespace

TEST_CASE("the time of a run is the session's, however it ends", "[unit]") {
  const std::vector<std::function<void()>> ends = {
      [] {}, [] { throw Error("refused"); }, [] { throw InternalError("broken"); }, [] { throw std::bad_alloc(); }};
  for (const auto& end : ends) {
    Script script;
    script.run = [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      end();
      return sim::RunResult();
    };
    rpc::Quota limits = small_limits();
    limits.session_seconds = 0.001;
    rpc::OfferedDevice offer(rpc::offer_here(scripted(script), std::nullopt, 1));
    OpenSession session(offer, limits);
    try {
      session.run();
    } catch (const std::exception&) {
    }
    CHECK_THAT(ERROR_OF(session.run()), ContainsSubstring("seconds of loads and runs are used up"));
  }
}

TEST_CASE("what is placed for programs counts as memory of the session", "[unit]") {
  // As a board that is shared, the device has more than a session may take.
  driver::AcceleratorKind large = driver::functional_simulator();
  large.open = [open = large.open](const std::string& uri, const isa::Config& config,
                                   driver::AcceleratorOptions options) {
    options.dram = Bytes(8 << 20);
    return open(uri, config, options);
  };
  rpc::OfferedDevice offer(rpc::offer_here(large, std::nullopt, 1));
  const rpc::Quota limits = small_limits();
  OpenSession session(offer, limits);
  const Program program = assemble(".config " + isa::Config::vta_default().to_json().dump() + "\nfinish\n", "test");
  session.load(program, {});
  CHECK_THAT(
      ERROR_OF(session.allocate(limits.memory.count())),
      ContainsSubstring(fmt::format("{} bytes on top of the session's 16 are more than", limits.memory.count())));
  session.allocate(limits.memory.count() - 16);
  CHECK_THAT(ERROR_OF(session.load(program, {})),
             ContainsSubstring("the program's 16 bytes on top of the session's 1048576 are more than"));
  session.unload(1);
  session.load(program, {});
}

TEST_CASE("a wait for a turn ends as cancelled by its caller, or as over with its session", "[unit]") {
  rpc::OfferedDevice offer(rpc::offer_here(scripted({}), std::nullopt, 1));
  rpc::FairQueue::Client other(offer.queue.identity("other"));
  const auto turn = offer.queue.enter(other, {});
  OpenSession session(offer, small_limits());
  std::atomic<bool> gives_up = false;
  std::string ended;
  const auto run = [&] {
    try {
      session.run([&] { return gives_up.load(); });
    } catch (const rpc::CallCancelled& error) {
      ended = std::string("cancelled: ") + error.what();
    } catch (const rpc::SessionOver& error) {
      ended = std::string("over: ") + error.what();
    }
  };
  const auto waits = [&] { return offer.queue.waiting() == 1; };
  {
    const std::jthread caller(run);
    REQUIRE(eventually(waits));
    session.watch();
    CHECK(waits());
    gives_up = true;
    session.watch();
  }
  CHECK(ended == "cancelled: the run was given up while it waited for its turn");
  gives_up = false;
  {
    const std::jthread caller(run);
    REQUIRE(eventually(waits));
    session.close();
  }
  CHECK(ended == "over: the session is over: its run waited for a turn");
}

TEST_CASE("a program is loaded in a turn, and in the session's time", "[unit]") {
  rpc::OfferedDevice offer(rpc::offer_here(driver::functional_simulator(), std::nullopt, 1));
  rpc::Quota limits = small_limits();
  limits.session_seconds = 1e-9;
  OpenSession session(offer, limits);
  const uint64_t in = session.allocate(128), out = session.allocate(32);
  const auto load = [&] { session.load(copy_program(), {{"in", in}, {"out", out}}); };
  rpc::FairQueue::Client other(offer.queue.identity("other"));
  std::optional<rpc::FairQueue::Turn> turn = offer.queue.enter(other, {});
  {
    const std::jthread caller(load);
    CHECK(eventually([&] { return offer.queue.waiting() == 1; }));
    turn.reset();
  }
  CHECK_THAT(ERROR_OF(load()), ContainsSubstring("seconds of loads and runs are used up"));
}

TEST_CASE("a session has so many allocations and programs", "[unit]") {
  rpc::OfferedDevice offer(rpc::offer_here(driver::functional_simulator(), std::nullopt, 1));
  rpc::Quota limits = small_limits();
  limits.allocations = 3;
  limits.programs = 2;
  OpenSession session(offer, limits);
  const uint64_t in = session.allocate(128), out = session.allocate(32), more = session.allocate(1);
  CHECK(ERROR_OF(session.allocate(1)) ==
        "the session has 3 allocations, which is as many as this server allows; release some");
  session.release(more);
  session.allocate(1);
  const auto load = [&] { return session.load(copy_program(), {{"in", in}, {"out", out}}); };
  const uint64_t first = load();
  load();
  CHECK(ERROR_OF(load()) == "the session has 2 programs, which is as many as this server allows; unload some");
  CHECK_THROWS_AS(load(), rpc::QuotaError);
  session.unload(first);
  load();
}

}  // namespace vantage::test::driver_rpc_session_test
