// The calls of vantage.proto, answered from sessions on offered devices. service.cpp has what all calls share; those
// that are of one kind are in files of their own: service_attach, service_transfers, service_programs, service_flash.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "driver/rpc/protocol/vantage.grpc.pb.h"
#include "driver/rpc/server/audit_log.h"
#include "driver/rpc/server/gate.h"
#include "driver/rpc/server/identities.h"
#include "driver/rpc/server/session_table.h"
#include "driver/rpc/server/stream_watch.h"

namespace vantage::rpc {

// What the service works with, all of which outlives it.
struct ServiceParts {
  std::vector<std::unique_ptr<OfferedDevice>>& devices;
  ContentStore& store;
  const Identities& identities;
  Gate& gate;
  Refusals& refusals;
  AuditLog& audit;
};

class Service final : public v1::Devices::Service {
 public:
  Service(ServiceParts parts, Quota limits, ServerLog log);
  ~Service() override;

  // Ends all sessions and streams, and refuses new ones.
  void close();

  // What happens, for a page of metrics.
  std::string metrics() const;

  grpc::Status List(grpc::ServerContext*, const v1::ListRequest*, v1::ListReply*) override;
  grpc::Status Attach(grpc::ServerContext*, const v1::AttachRequest*, grpc::ServerWriter<v1::SessionEvent>*) override;
  grpc::Status Allocate(grpc::ServerContext*, const v1::AllocateRequest*, v1::AllocateReply*) override;
  grpc::Status Release(grpc::ServerContext*, const v1::ReleaseRequest*, v1::ReleaseReply*) override;
  grpc::Status Write(grpc::ServerContext*, grpc::ServerReader<v1::WriteRequest>*, v1::WriteReply*) override;
  grpc::Status Read(grpc::ServerContext*, const v1::ReadRequest*, grpc::ServerWriter<v1::ReadReply>*) override;
  grpc::Status FindContent(grpc::ServerContext*, const v1::FindContentRequest*, v1::ContentStatus*) override;
  grpc::Status PutContent(grpc::ServerContext*, grpc::ServerReader<v1::PutContentRequest>*,
                          v1::ContentStatus*) override;
  grpc::Status WriteContent(grpc::ServerContext*, const v1::WriteContentRequest*, v1::WriteReply*) override;
  grpc::Status Load(grpc::ServerContext*, const v1::LoadRequest*, v1::LoadReply*) override;
  grpc::Status LoadLibrary(grpc::ServerContext* call, const v1::LoadLibraryRequest* request,
                           v1::LoadLibraryReply* reply) override;
  grpc::Status Bind(grpc::ServerContext* call, const v1::BindRequest* request, v1::LoadReply* reply) override;
  grpc::Status Unload(grpc::ServerContext*, const v1::UnloadRequest*, v1::UnloadReply*) override;
  grpc::Status Launch(grpc::ServerContext*, const v1::LaunchRequest*, v1::LaunchReply*) override;
  grpc::Status Time(grpc::ServerContext*, const v1::TimeRequest*, v1::TimeReply*) override;
  grpc::Status ReadMicroOps(grpc::ServerContext*, const v1::ReadMicroOpsRequest*, v1::ReadMicroOpsReply*) override;
  grpc::Status Reset(grpc::ServerContext*, const v1::ResetRequest*, v1::ResetReply*) override;
  grpc::Status Flash(grpc::ServerContext*, grpc::ServerReaderWriter<v1::FlashEvent, v1::FlashRequest>*) override;

 private:
  // Who makes a call; not before it is known that he may.
  struct Caller {
    const std::string& who;
    std::string peer;
  };
  // How often sessions are looked at, and told what there is to tell.
  static constexpr auto kWatchInterval = std::chrono::milliseconds(20);

  static Session::GivenUp by(grpc::ServerContext* call);
  // A session's key as logs name it: the whole of it is what gives access.
  static std::string short_key(const std::string& key);
  // Its connection is known, since there is an answer for it.
  void greet(const grpc::ServerContext& call);
  // Runs `answer` for a caller that may call, and turns what it throws into a status.
  grpc::Status guarded(grpc::ServerContext& call, const char* what, const std::function<void(const Caller&)>& answer);
  // The same; a refusal is also in the session's own log.
  grpc::Status with_session(grpc::ServerContext& call, const char* what, const std::function<void(Session&)>& answer);
  // A request that the session's workspace answers as it is.
  grpc::Status forward(grpc::ServerContext& call, const char* what, const v1::WorkspaceRequest& request,
                       const std::function<void(v1::WorkspaceReply&)>& take = {});
  OfferedDevice& device(const std::string& name);
  // Opens a device in the slot, and tells of it until the session is over.
  void hold_session(grpc::ServerContext& call, const Caller& caller, const v1::AttachRequest& request,
                    SessionTable::Slot& slot, grpc::ServerWriter<v1::SessionEvent>& events);
  // In a thread of its own: a session's stream waits for clients that do not read.
  void watch(const std::stop_token& stop);
  // Ends the session that takes most, when the machine has too little memory left.
  void watch_memory();

  const ServiceParts parts_;
  const Quota limits_;
  const ServerLog log_;
  SessionTable sessions_;
  StreamWatch streams_;
  std::atomic_flag flashing_;
  std::stop_source closing_;
  std::atomic<uint64_t> calls_ = 0, sessions_opened_ = 0;
  std::jthread watcher_;  // last: it ends first
};

}  // namespace vantage::rpc
