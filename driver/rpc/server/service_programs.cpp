#include "driver/rpc/server/service.h"

#include "base/sha256.h"
#include "driver/rpc/protocol/messages.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;

Status Service::Allocate(ServerContext* call, const v1::AllocateRequest* request, v1::AllocateReply* reply) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_allocate() = *request;
  return forward(*call, "Allocate", wanted, [&](v1::WorkspaceReply& got) { reply->Swap(got.mutable_allocate()); });
}

Status Service::Release(ServerContext* call, const v1::ReleaseRequest* request, v1::ReleaseReply*) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_release() = *request;
  return forward(*call, "Release", wanted);
}

Status Service::Load(ServerContext* call, const v1::LoadRequest* request, v1::LoadReply* reply) {
  return with_session(*call, "Load", [&](Session& session) {
    parts_.audit.add(
        "program",
        {{"who", session.who()}, {"session", short_key(session.key())}, {"sha256", sha256(request->program())}});
    v1::WorkspaceRequest wanted;
    *wanted.mutable_load() = *request;
    reply->Swap(session.call(wanted, by(call)).mutable_load());
  });
}

Status Service::LoadLibrary(ServerContext* call, const v1::LoadLibraryRequest* request, v1::LoadLibraryReply* reply) {
  return with_session(*call, "LoadLibrary", [&](Session& session) {
    parts_.audit.add(
        "code", {{"who", session.who()}, {"session", short_key(session.key())}, {"sha256", sha256(request->code())}});
    v1::WorkspaceRequest wanted;
    *wanted.mutable_load_library() = *request;
    reply->Swap(session.call(wanted, by(call)).mutable_load_library());
  });
}

Status Service::Bind(ServerContext* call, const v1::BindRequest* request, v1::LoadReply* reply) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_bind() = *request;
  return forward(*call, "Bind", wanted, [&](v1::WorkspaceReply& got) { reply->Swap(got.mutable_load()); });
}

Status Service::Unload(ServerContext* call, const v1::UnloadRequest* request, v1::UnloadReply*) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_unload() = *request;
  return forward(*call, "Unload", wanted);
}

Status Service::Launch(ServerContext* call, const v1::LaunchRequest* request, v1::LaunchReply* reply) {
  return with_session(*call, "Launch", [&](Session& session) {
    v1::WorkspaceRequest wanted;
    *wanted.mutable_launch() = *request;
    reply->Swap(session.call(wanted, by(call)).mutable_launch());
    for (const std::string& warning : reply->warnings()) session.log("warning: " + warning);
    if (reply->status() != sim::name(sim::RunStatus::kDone)) {
      session.log("the run ended with " + sim::failure(from_message(*reply)));
    }
  });
}

Status Service::Time(ServerContext* call, const v1::TimeRequest* request, v1::TimeReply* reply) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_time() = *request;
  return forward(*call, "Time", wanted, [&](v1::WorkspaceReply& got) { reply->Swap(got.mutable_time()); });
}

Status Service::ReadMicroOps(ServerContext* call, const v1::ReadMicroOpsRequest* request,
                             v1::ReadMicroOpsReply* reply) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_read_micro_ops() = *request;
  return forward(*call, "ReadMicroOps", wanted,
                 [&](v1::WorkspaceReply& got) { reply->Swap(got.mutable_read_micro_ops()); });
}

Status Service::Reset(ServerContext* call, const v1::ResetRequest* request, v1::ResetReply*) {
  v1::WorkspaceRequest wanted;
  *wanted.mutable_reset() = *request;
  return forward(*call, "Reset", wanted);
}

}  // namespace vantage::rpc
