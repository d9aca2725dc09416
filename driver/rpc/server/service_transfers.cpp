#include "driver/rpc/server/service.h"

#include "base/error.h"
#include "driver/rpc/protocol/messages.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;

namespace {

std::span<const std::byte> bytes_of(const std::string& data) {
  return std::as_bytes(std::span(data.data(), data.size()));
}

}  // namespace

Status Service::Write(ServerContext* call, grpc::ServerReader<v1::WriteRequest>* requests, v1::WriteReply*) {
  return with_session(*call, "Write", [&](Session& session) {
    v1::WriteRequest request;
    std::optional<Bytes> address;
    StreamWatch::Stream stream(streams_, *call);
    while (stream.wait([&] { return requests->Read(&request); })) {
      stream.moved(request.data().size());
      if (!address) address = Bytes(request.address());
      session.write(*address, bytes_of(request.data()), by(call));
      *address += Bytes(request.data().size());
    }
  });
}

Status Service::Read(ServerContext* call, const v1::ReadRequest* request, grpc::ServerWriter<v1::ReadReply>* replies) {
  return with_session(*call, "Read", [&](Session& session) {
    Bytes address(request->address());
    v1::ReadReply reply;
    StreamWatch::Stream stream(streams_, *call);
    for (uint64_t left = request->bytes(); left > 0;) {
      const uint64_t size = std::min(left, kPieceBytes);
      reply.mutable_data()->resize(size);
      session.read(address, std::as_writable_bytes(std::span(*reply.mutable_data())), by(call));
      if (!stream.wait([&] { return replies->Write(reply); })) return;  // nobody listens any more
      stream.moved(size);
      address += Bytes(size);
      left -= size;
    }
  });
}

Status Service::FindContent(ServerContext* call, const v1::FindContentRequest* request, v1::ContentStatus* reply) {
  return with_session(*call, "FindContent", [&](Session&) {
    const ContentStore::Status status = parts_.store.find(request->sha256(), request->bytes());
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::PutContent(ServerContext* call, grpc::ServerReader<v1::PutContentRequest>* requests,
                           v1::ContentStatus* reply) {
  return with_session(*call, "PutContent", [&](Session& session) {
    v1::PutContentRequest request;
    StreamWatch::Stream stream(streams_, *call);
    const auto next = [&] { return stream.wait([&] { return requests->Read(&request); }); };
    if (!next()) fail("an upload begins with a message that names its content; none came");
    ContentStore::Upload upload = parts_.store.put(request.sha256(), request.bytes(), request.offset());
    if (request.offset() > 0) {
      log_(fmt::format("session {}: the upload of {} goes on at byte {} of {}", short_key(session.key()),
                       request.sha256().substr(0, 8), request.offset(), request.bytes()));
    }
    do {
      stream.moved(request.data().size());
      upload.append(request.data());
    } while (next());
    const ContentStore::Status status = upload.finish();
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::WriteContent(ServerContext* call, const v1::WriteContentRequest* request, v1::WriteReply*) {
  return with_session(*call, "WriteContent", [&](Session& session) {
    session.write_content(Bytes(request->address()), parts_.store, request->sha256(), by(call));
  });
}

}  // namespace vantage::rpc
