#include "driver/rpc/workspace/workspace_host.h"

#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "base/error.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/workspace/channel.h"
#include "driver/rpc/workspace/shared_piece.h"

namespace vantage::rpc {

namespace {

// The request that is being answered, which the server may stop by its number.
class UnderWay {
 public:
  std::stop_token begin(uint64_t number) {
    const std::lock_guard lock(mutex_);
    number_ = number;
    stop_ = std::stop_source();
    if (stopped_ == number) stop_.request_stop();  // which came before the request itself
    return stop_.get_token();
  }
  void stop(uint64_t number) {
    const std::lock_guard lock(mutex_);
    stopped_ = number;
    if (number == number_) stop_.request_stop();
  }

 private:
  std::mutex mutex_;
  uint64_t number_ = 0, stopped_ = 0;
  std::stop_source stop_;
};

// In a thread of its own: what else would see, in the middle of a run, that the server is gone?
void listen(UnderWay& under_way) {
  for (uint64_t number = 0;;) {
    const ssize_t size = ::recv(kControlFile, &number, sizeof number, MSG_WAITALL);
    if (size < 0 && errno == EINTR) continue;
    if (size != sizeof number) ::_exit(0);
    under_way.stop(number);
  }
}

v1::WorkspaceReply failure(v1::Failure::Kind kind, const std::string& message, const std::string& output = "") {
  v1::WorkspaceReply reply;
  reply.mutable_failure()->set_kind(kind);
  reply.mutable_failure()->set_message(message);
  reply.mutable_failure()->set_output(output);
  return reply;
}

v1::WorkspaceReply guarded(const std::function<v1::WorkspaceReply()>& answer) {
  try {
    return answer();
  } catch (const QuotaError& error) {
    return failure(v1::Failure::QUOTA, error.what());
  } catch (const ToolError& error) {
    return failure(v1::Failure::TOOL, error.what(), error.output());
  } catch (const Error& error) {
    return failure(v1::Failure::CALLER, error.what());
  } catch (const std::bad_alloc&) {
    return failure(v1::Failure::MEMORY, "");
  } catch (const std::exception& error) {
    return failure(v1::Failure::OWN, error.what());
  }
}

std::span<std::byte> piece_of(const SharedPiece& shared, const v1::Piece& piece) {
  VANTAGE_CHECK(piece.bytes() <= shared.bytes().size());
  return shared.bytes().first(piece.bytes());
}

}  // namespace

void host_workspace(Workspace& workspace) {
  Channel channel(kChannelFile);
  const SharedPiece shared(kPieceFile);
  UnderWay under_way;
  std::thread(listen, std::ref(under_way)).detach();  // ends the process
  const auto answer = [&](const v1::WorkspaceRequest& request) {
    const std::stop_token stop = under_way.begin(request.number());
    v1::WorkspaceReply reply;
    if (request.has_open()) {
      const auto progress = [&](const std::string& step) {
        v1::WorkspaceReply line;
        line.set_step(step);
        channel.send(line);
      };
      reply.mutable_open()->set_memory_bytes(workspace.open(request.open(), progress, stop).count());
    } else if (request.has_write()) {
      workspace.write(Bytes(request.write().address()), piece_of(shared, request.write()), stop);
    } else if (request.has_read()) {
      workspace.read(Bytes(request.read().address()), piece_of(shared, request.read()), stop);
    } else {
      reply = workspace.call(request, stop);
    }
    return reply;
  };
  try {
    for (v1::WorkspaceRequest request;;) {
      channel.receive(request);
      channel.send(guarded([&] { return answer(request); }));
    }
  } catch (const ChannelClosed&) {
  }
}

}  // namespace vantage::rpc
