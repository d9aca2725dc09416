#include "tests/driver/rpc/test_server.h"

#include <grpcpp/generic/generic_stub.h>

#include <algorithm>
#include <thread>

#include "base/error.h"
#include "base/json.h"

namespace vantage::test {

namespace {

std::vector<rpc::Offer> offers_of(const std::vector<std::string>& schemes, bool in_processes) {
  std::vector<rpc::Offer> offers;
  for (const std::string& scheme : schemes) {
    const driver::AcceleratorKind* kind = driver::accelerator_kind_of(scheme + ":");
    VANTAGE_CHECK(kind != nullptr);
    // SystemC knows one simulation in a process.
    offers.push_back(in_processes ? rpc::offer_in_processes(*kind, std::nullopt, 2, VANTAGE_WORKSPACE)
                                  : rpc::offer_here(*kind, std::nullopt, scheme == "systemc" ? 1 : 2));
  }
  return offers;
}

}  // namespace

TestServer::TestServer(const std::vector<std::string>& schemes, const Change& change)
    : TestServer(change, offers_of(schemes, false)) {}

TestServer::TestServer(const Script& script, const Change& change)
    : TestServer(change, {rpc::offer_here(scripted(script), std::nullopt, 2)}) {}

TestServer::TestServer(Processes, const std::vector<std::string>& schemes, const Change& change)
    : TestServer(change, offers_of(schemes, true)) {}

TestServer::TestServer(const std::shared_ptr<rpc::Offer>& offer, const Change& change) : TestServer(change, {*offer}) {}

TestServer::TestServer(const Change& change, std::vector<rpc::Offer> offers) {
  rpc::ServerOptions options;
  options.listen = "127.0.0.1:0";
  options.contents = folder_.path();
  options.log = [this](const std::string& line) {
    const std::lock_guard lock(mutex_);
    log_.push_back(line);
  };
  if (change) change(options);
  if (!options.tls.empty()) scheme_ = "rpcs";
  server_ = std::make_unique<rpc::Server>(std::move(offers), std::move(options));
}

std::string TestServer::uri(const std::string& device) const {
  return scheme_ + "://" + server_->address() + (device.empty() ? "" : "/" + device);
}

std::unique_ptr<driver::Accelerator> TestServer::open(const isa::Config& config) const {
  return driver::open_accelerator(uri(), config);
}

bool TestServer::logged(const std::string& text) const {
  const std::lock_guard lock(mutex_);
  return std::any_of(log_.begin(), log_.end(), [&](const auto& line) { return line.find(text) != std::string::npos; });
}

uint32_t TestServer::sessions() const {
  return rpc::list_devices(uri()).at(0).sessions();
}

RawSession::RawSession(const TestServer& server) : connection_(driver::ServerAddress(server.uri())) {
  attached_ = connection_.context();
  events_ = connection_.stub().Attach(attached_.get(), v1::AttachRequest());
  v1::SessionEvent event;
  VANTAGE_CHECK(events_->Read(&event) && event.has_opened());
  connection_.set_session(event.opened().session());
}

RawSession::~RawSession() {
  attached_->TryCancel();
  events_->Finish();
}

RawReply call_with_bytes(const TestServer& server, const std::string& method, const std::string& bytes) {
  grpc::GenericStub stub(
      grpc::CreateChannel(driver::ServerAddress(server.uri()).host_and_port, grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  const grpc::Slice slice(bytes);
  const grpc::ByteBuffer request(&slice, 1);
  grpc::CompletionQueue queue;
  const auto call = stub.PrepareUnaryCall(&context, method, request, &queue);
  call->StartCall();
  RawReply reply;
  grpc::ByteBuffer buffer;
  call->Finish(&buffer, &reply.status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  VANTAGE_CHECK(queue.Next(&tag, &ok));
  grpc::Slice got;
  if (reply.status.ok() && buffer.DumpToSingleSlice(&got).ok()) reply.bytes.assign(got.begin(), got.end());
  return reply;
}

Program small_program(const std::string& instructions) {
  return assemble(".config " + isa::Config::vta_default().to_json().dump() +
                      "\n.tensor in acc 2 input\n.tensor out out 2 output\n" + instructions,
                  "small");
}

Program copy_program() {
  return small_program(
      "load.acc sram=0 dram=in+0 y=1 x=2 stride=2 push=next\n"
      "store.out sram=0 dram=out+0 y=1 x=2 stride=2 pop=prev push=prev\n"
      "finish pop=next\n");
}

bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 400; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
  }
  return false;
}

}  // namespace vantage::test
