// The calls of vantage.proto, answered from sessions on offered devices.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "driver/rpc/session_table.h"
#include "driver/rpc/stream_watch.h"
#include "driver/rpc/vantage.grpc.pb.h"

namespace vantage::rpc {

// A line of a server's log: who, in which session, and what.
using ServerLog = std::function<void(const std::string& line)>;

class Service final : public v1::Devices::Service {
 public:
  // Offers and store must outlive this. An empty token: anyone may call.
  Service(std::vector<std::unique_ptr<Offer>>& offers, ContentStore& store, Quota limits, std::string token,
          ServerLog log);

  // Ends all sessions, and refuses new ones.
  void close() { sessions_.close(); }

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
  grpc::Status Unload(grpc::ServerContext*, const v1::UnloadRequest*, v1::UnloadReply*) override;
  grpc::Status Launch(grpc::ServerContext*, const v1::LaunchRequest*, v1::LaunchReply*) override;
  grpc::Status Time(grpc::ServerContext*, const v1::TimeRequest*, v1::TimeReply*) override;
  grpc::Status ReadMicroOps(grpc::ServerContext*, const v1::ReadMicroOpsRequest*, v1::ReadMicroOpsReply*) override;
  grpc::Status Reset(grpc::ServerContext*, const v1::ResetRequest*, v1::ResetReply*) override;
  grpc::Status Flash(grpc::ServerContext*, grpc::ServerReaderWriter<v1::FlashEvent, v1::FlashRequest>*) override;

 private:
  // Runs `answer` for a caller that may call, and turns what it throws into a status.
  grpc::Status guarded(grpc::ServerContext& call, const char* what, const std::function<void()>& answer);
  // The same; a refusal is also in the session's own log.
  grpc::Status with_session(grpc::ServerContext& call, const char* what, const std::function<void(Session&)>& answer);
  Offer& offer(const std::string& name);
  // Opens a device in the slot, and tells of it until the session is over.
  void hold_session(grpc::ServerContext& call, const v1::AttachRequest& request, SessionTable::Slot& slot,
                    grpc::ServerWriter<v1::SessionEvent>& events);

  std::vector<std::unique_ptr<Offer>>& offers_;
  ContentStore& store_;
  const Quota limits_;
  const std::string token_;
  const ServerLog log_;
  SessionTable sessions_;
  StreamWatch streams_;
  std::jthread watcher_;  // last: it ends first
};

}  // namespace vantage::rpc
