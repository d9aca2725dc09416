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
    if (over_ || stopped_ == number) stop_.request_stop();  // which came before the request itself
    return stop_.get_token();
  }
  // The one that runs, and all that come.
  void stop_all() {
    const std::lock_guard lock(mutex_);
    over_ = true;
    stop_.request_stop();
  }
  void stop(uint64_t number) {
    const std::lock_guard lock(mutex_);
    stopped_ = number;
    if (number == number_) stop_.request_stop();
  }

 private:
  std::mutex mutex_;
  uint64_t number_ = 0, stopped_ = 0;
  bool over_ = false;
  std::stop_source stop_;
};

// Reads the numbers of requests to stop, in a thread of its own: what else would see, in the middle of a run, that the
// server is gone?
class Control {
 public:
  Control(int file, std::function<void()> gone) : file_(file), gone_(std::move(gone)), thread_([this] { listen(); }) {}
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  ~Control() {
    ::shutdown(file_, SHUT_RDWR);  // the thread sees it as the server's end
    thread_.join();
    ::close(file_);
  }

  UnderWay& under_way() { return under_way_; }

 private:
  void listen() {
    for (uint64_t number = 0;;) {
      const ssize_t size = ::recv(file_, &number, sizeof number, MSG_WAITALL);
      if (size < 0 && errno == EINTR) continue;
      if (size != sizeof number) break;
      under_way_.stop(number);
    }
    under_way_.stop_all();
    if (gone_) gone_();
  }

  const int file_;
  const std::function<void()> gone_;
  UnderWay under_way_;
  std::thread thread_;
};

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

boards::FlashJob job_of(const v1::BitstreamJob& message) {
  return {message.name(),         message.bitstream(), message.config_json(),
          message.register_map(), message.clock_mhz(), message.force()};
}

}  // namespace

void host_workspace(Workspace& workspace, const HostFiles& files, const HostOptions& options) {
  Channel channel(files.channel);
  const SharedPiece shared(files.piece);
  Control control(files.control, options.gone);
  const auto progress = [&](const std::string& step) {
    v1::WorkspaceReply line;
    line.set_step(step);
    channel.send(line);
  };
  const auto answer = [&](const v1::WorkspaceRequest& request) {
    const std::stop_token stop = control.under_way().begin(request.number());
    v1::WorkspaceReply reply;
    if (request.has_open()) {
      *reply.mutable_open() = workspace.open(request.open(), progress, stop);
    } else if (request.has_write()) {
      workspace.write(Bytes(request.write().address()), piece_of(shared, request.write()), stop);
    } else if (request.has_read()) {
      workspace.read(Bytes(request.read().address()), piece_of(shared, request.read()), stop);
    } else if (request.has_flash()) {
      VANTAGE_CHECK(options.flash);
      options.flash(job_of(request.flash()), progress, stop);
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
