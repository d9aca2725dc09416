// What a server does when it cannot, or must not, do what it is asked: its limits, its own faults, clients that go
// silent.
#include <thread>

#include "base/file.h"
#include "base/sha256.h"
#include "tests/catch.h"
#include "tests/driver/rpc/test_server.h"

namespace vantage::test::driver_rpc_quota_test {

using namespace vantage;
using namespace vantage::test;

TEST_CASE("more retire records than a reply holds are refused with their number", "[unit]") {
  Script script;
  script.run = [] {
    sim::RunResult result;
    const Cycles late(uint64_t{1} << 60);
    result.retired.assign(2'000'000, {1'000'000, isa::Stage::kStore, late, late, late});
    return result;
  };
  const TestServer server(script);
  const auto device = server.open();
  CHECK_THAT(ERROR_OF(device->run({Bytes(0), 0}, {})),
             ContainsSubstring("the run's 2000000 retire records are more than a reply holds; run the program without "
                               "record_retirement"));
}

TEST_CASE("a session that fails as it begins leaves its place free", "[unit]") {
  std::atomic<bool> failed = false;
  const TestServer server({"fsim"}, [&](rpc::ServerOptions& o) {
    o.limits.sessions = 1;
    o.log = [&](const std::string& line) {
      if (line.find("opened") != std::string::npos && !failed.exchange(true)) throw InternalError("the log is gone");
    };
  });
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("the server failed"));
  CHECK(failed);
  const auto device = server.open();
  CHECK(server.sessions() == 1);
}

TEST_CASE("a session's place is free once its device is closed, not before", "[unit]") {
  Gate gate;
  Script script;
  script.close = [&] { gate.pass(); };
  const TestServer server(script, [](rpc::ServerOptions& o) { o.limits.sessions = 1; });
  server.open().reset();
  CHECK(eventually([&] { return gate.reached(); }));
  CHECK_THAT(ERROR_OF(server.open()), ContainsSubstring("all 1 sessions of this server are taken"));
  gate.open();
  CHECK(eventually([&] { return server.sessions() == 0; }));
  server.open();
}

TEST_CASE("a session has so many calls at once", "[unit]") {
  Gate gate;
  Script script;
  script.run = [&] {
    gate.pass();
    return sim::RunResult();
  };
  const TestServer server(script, [](rpc::ServerOptions& o) { o.limits.calls = 1; });
  const auto device = server.open();
  std::vector<std::byte> bytes(4);
  {
    const std::jthread caller([&] { device->run({Bytes(0), 0}, {}); });
    CHECK(eventually([&] { return gate.reached(); }));
    CHECK_THAT(ERROR_OF(device->read(Bytes(0), bytes)),
               ContainsSubstring("1 calls of the session are under way, which is as many as this server allows"));
    gate.open();
  }
  device->read(Bytes(0), bytes);
}

TEST_CASE("a program has so many tensors", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.tensors = 1; });
  const auto device = server.open();
  auto in = device->allocate(Bytes(128)), out = device->allocate(Bytes(32));
  CHECK_THAT(ERROR_OF(device->load(copy_program(), {{"in", &in}, {"out", &out}})),
             ContainsSubstring("2 tensors are more than the 1 that this server allows a program"));
}

TEST_CASE("an upload or a download that stands still is cancelled", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.stream_idle_seconds = 0.2; });
  RawSession session(server);
  const auto noticed = [&](const std::string& call) {
    return eventually([&] { return server.logged(call + " refused: the client moved nothing for 0.2 seconds"); });
  };
  {
    const auto context = session.context();
    v1::WriteReply reply;
    const auto writer = session.stub().Write(context.get(), &reply);
    v1::WriteRequest request;
    request.set_data("some");
    CHECK(writer->Write(request));
    CHECK(noticed("Write"));
    CHECK(writer->Finish().error_code() == grpc::StatusCode::CANCELLED);
  }
  v1::PutContentRequest first;
  first.set_sha256(sha256("content"));
  first.set_bytes(7);
  {
    const auto context = session.context();
    v1::ContentStatus reply;
    const auto writer = session.stub().PutContent(context.get(), &reply);
    first.set_data("con");
    CHECK(writer->Write(first));
    CHECK(noticed("PutContent"));
    CHECK(writer->Finish().error_code() == grpc::StatusCode::CANCELLED);
  }
  {  // which others may send now
    const auto context = session.context();
    v1::ContentStatus reply;
    const auto writer = session.stub().PutContent(context.get(), &reply);
    first.set_offset(3);
    first.set_data("tent");
    CHECK(writer->Write(first));
    CHECK(writer->WritesDone());
    CHECK(writer->Finish().ok());
    CHECK(reply.complete());
  }
  const auto context = session.context();
  v1::ReadRequest all;
  all.set_bytes(uint64_t{1} << 30);
  const auto reader = session.stub().Read(context.get(), all);
  CHECK(noticed("Read"));
  context->TryCancel();
  reader->Finish();
}

TEST_CASE("an upload that trickles does not last", "[unit]") {
  const TestServer server({"fsim"}, [](rpc::ServerOptions& o) { o.limits.stream_idle_seconds = 0.2; });
  RawSession session(server);
  for (const std::string& piece : {std::string(), std::string("x")}) {
    const auto context = session.context();
    v1::ContentStatus reply;
    const auto writer = session.stub().PutContent(context.get(), &reply);
    v1::PutContentRequest request;
    request.set_sha256(sha256("content"));
    request.set_bytes(uint64_t{1} << 30);
    // Always in time for the next message, never in time for a content
    CHECK(eventually([&] {
      request.set_data(piece);
      return !writer->Write(request);
    }));
    CHECK(writer->Finish().error_code() == grpc::StatusCode::CANCELLED);
  }
}

TEST_CASE("what a tool of the server says is in the server's log", "[unit]") {
  Script script;
  script.open = [] {
    throw ToolError("verilator failed with status 1; the end of what it said:", "one\nin a folder\n");
  };
  const TestServer server(script);
  const std::string told = ERROR_OF(server.open());
  CHECK_THAT(told, ContainsSubstring("a tool that the server needs failed; its log has the reason"));
  CHECK_THAT(told, !ContainsSubstring("verilator") && !ContainsSubstring("folder"));
  CHECK(server.logged("verilator failed with status 1"));
  CHECK(server.logged("  | in a folder"));
}

TEST_CASE("a disk that fails is the server's fault, and says nothing of itself", "[unit]") {
  const TestServer server;
  RawSession session(server);
  std::filesystem::remove_all(server.contents());
  const auto context = session.context();
  v1::ContentStatus reply;
  const auto writer = session.stub().PutContent(context.get(), &reply);
  v1::PutContentRequest request;
  request.set_sha256(sha256("content"));
  request.set_bytes(7);
  writer->Write(request);
  writer->WritesDone();
  const grpc::Status status = writer->Finish();
  CHECK(status.error_code() == grpc::StatusCode::INTERNAL);
  CHECK(status.error_message() == "the server could not keep the content");
  CHECK(server.logged(server.contents().string()));
}

TEST_CASE("a content that rotted on the server is not delivered", "[unit]") {
  const TestServer server;
  const std::vector<std::byte> bytes(100'000, std::byte{7});
  const auto file = server.contents() / sha256(as_text(bytes));
  const auto arrives = [&] {
    const auto device = server.open();
    auto buffer = device->allocate(Bytes(bytes.size()));
    buffer.write_constant(bytes);
    std::vector<std::byte> got(bytes.size());
    buffer.read(got);
    return got == bytes;
  };
  CHECK(arrives());
  std::string rotten(as_text(bytes));
  rotten[50'000] = 'x';
  write_file(file, rotten);
  CHECK(arrives());
  CHECK(server.logged("was damaged where the server keeps it"));
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(arrives());
  CHECK(read_file(file, Bytes(1 << 20)) == as_text(bytes));
  std::filesystem::resize_file(file, 10);
  CHECK(arrives());
  CHECK(read_file(file, Bytes(1 << 20)) == as_text(bytes));
}

}  // namespace vantage::test::driver_rpc_quota_test
