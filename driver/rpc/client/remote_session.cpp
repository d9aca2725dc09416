#include "driver/rpc/client/remote_session.h"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/alarm.h"
#include "base/error.h"
#include "base/sha256.h"
#include "driver/device/unreachable.h"
#include "driver/rpc/protocol/messages.h"
#include "driver/rpc/protocol/quota.h"

namespace vantage::rpc {

using driver::RunOptions;
using driver::RunResult;

namespace {

// Cancels a call from whose server nothing has come for so long, while it lives.
class Patience {
 public:
  explicit Patience(grpc::ClientContext& call) : call_(call), end_(kSilence, [this] { return look(); }) {}

  void heard() { last_ = Clock::now(); }
  bool is_over() const { return over_; }
  // A server that opens a session has something to say every ten seconds.
  static constexpr std::chrono::seconds kSilence{60};

 private:
  using Clock = std::chrono::steady_clock;

  std::optional<Alarm::Duration> look() {
    const auto left = last_.load() + kSilence - Clock::now();
    if (left > Clock::duration(0)) return left;
    over_ = true;
    call_.TryCancel();
    return std::nullopt;
  }

  grpc::ClientContext& call_;
  std::atomic<Clock::time_point> last_ = Clock::now();
  std::atomic<bool> over_ = false;
  Alarm end_;  // last: it looks at the others
};

// The same message again and again, with piece after piece of the bytes; at least once.
template <typename Request>
grpc::Status send_pieces(grpc::ClientWriter<Request>& writer, Request& request, std::span<const std::byte> bytes) {
  do {
    const auto piece = bytes.first(std::min<size_t>(bytes.size(), kPieceBytes));
    request.set_data(piece.data(), piece.size());
    if (!writer.Write(request)) break;  // the status says why
    bytes = bytes.subspan(piece.size());
  } while (!bytes.empty());
  writer.WritesDone();
  return writer.Finish();
}

// Below it asking takes longer than sending.
constexpr size_t kSmallContent = size_t{64} << 10;

// Of a run that was stopped from this side: nobody waited for what it has done.
RunResult stopped() {
  RunResult result;
  result.status = sim::RunStatus::kStopped;
  result.message = "the run was stopped";
  return result;
}

}  // namespace

// The session's stream: opened, then read by a thread of its own for what the server has to say.
class SessionStream {
 public:
  SessionStream(Connection& connection, const v1::AttachRequest& request,
                const std::function<void(const std::string&)>& progress, std::function<void(const std::string&)> log) {
    for (int attempt = 1; !attach(connection, request, progress, attempt == kAttempts); ++attempt) {
      std::this_thread::sleep_for(attempt * kPause);
    }
    reader_ = std::thread([this, log = std::move(log)] {
      v1::SessionEvent next;
      while (stream_->Read(&next)) {
        if (next.has_log() && log) log(next.log().text());
      }
      stream_->Finish();
    });
  }
  SessionStream(const SessionStream&) = delete;
  SessionStream& operator=(const SessionStream&) = delete;
  ~SessionStream() {
    context_->TryCancel();
    if (reader_.joinable()) reader_.join();
  }

  const v1::Opened& opened() const { return opened_; }

 private:
  // A server that is overrun by others may drop a connection that has not said anything yet.
  static constexpr int kAttempts = 4;
  static constexpr std::chrono::milliseconds kPause{50};

  // False when the connection was there and is gone. Throws Error for any other failure, and for that as the last.
  bool attach(Connection& connection, const v1::AttachRequest& request,
              const std::function<void(const std::string&)>& progress, bool is_last) {
    context_ = connection.context();
    stream_ = connection.stub().Attach(context_.get(), request);
    Patience patience(*context_);
    v1::SessionEvent event;
    while (stream_->Read(&event)) {
      patience.heard();
      if (event.has_log() && progress && !event.log().text().empty()) progress(event.log().text());
      if (!event.has_opened()) continue;
      opened_ = event.opened();
      break;
    }
    if (!opened_.session().empty()) return true;
    const grpc::Status status = stream_->Finish();
    if (patience.is_over()) {
      throw driver::Unreachable(
          fmt::format("target '{}': the server said nothing for {} seconds; is it overloaded, or no `vantage serve`?",
                      connection.address().uri, Patience::kSilence.count()));
    }
    const bool was_there = status.error_code() == grpc::StatusCode::UNAVAILABLE &&
                           status.error_message().find("failed to connect") == std::string::npos;
    if (was_there && !is_last) return false;
    connection.require(status);
    fail("target '{}': the server opened no session", connection.address().uri);
  }

  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReader<v1::SessionEvent>> stream_;
  v1::Opened opened_;
  std::thread reader_;
};

RunResult launch(Connection& connection, v1::LaunchRequest request, const RunOptions& options) {
  *request.mutable_options() = to_message(options);
  const auto reply = connection.call(&v1::Devices::Stub::Launch, request, options.stop);
  return reply ? from_message(*reply) : stopped();
}

RemoteSession::RemoteSession(const std::string& uri, v1::AttachRequest request,
                             const std::function<void(const std::string&)>& progress,
                             std::function<void(const std::string&)> log)
    : connection_(driver::ServerAddress(uri)) {
  request.set_device(connection_.address().device);
  stream_ = std::make_unique<SessionStream>(connection_, request, progress, std::move(log));
  connection_.set_session(stream_->opened().session());
}

RemoteSession::~RemoteSession() = default;

const v1::Opened& RemoteSession::opened() const {
  return stream_->opened();
}

Bytes RemoteSession::allocate(Bytes size) {
  v1::AllocateRequest request;
  request.set_bytes(size.count());
  return Bytes(connection_.call(&v1::Devices::Stub::Allocate, request).address());
}

void RemoteSession::release(Bytes address) {
  v1::ReleaseRequest request;
  request.set_address(address.count());
  v1::ReleaseReply reply;
  // Called by destructors; a session that is over has nothing left to release.
  connection_.stub().Release(connection_.quick_context().get(), request, &reply);
}

void RemoteSession::write(Bytes address, std::span<const std::byte> bytes) {
  const auto context = connection_.quick_context(Bytes(bytes.size()));
  v1::WriteReply reply;
  const auto writer = connection_.stub().Write(context.get(), &reply);
  v1::WriteRequest request;
  request.set_address(address.count());
  connection_.require(send_pieces(*writer, request, bytes));
}

void RemoteSession::write_constant(Bytes address, std::span<const std::byte> bytes) {
  if (bytes.size() < kSmallContent) return write(address, bytes);
  v1::WriteContentRequest request;
  request.set_address(address.count());
  request.set_sha256(sha256({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  v1::WriteReply reply;
  const bool kept =
      send_content(request.sha256(), bytes) &&
      connection_.stub().WriteContent(connection_.quick_context(Bytes(bytes.size())).get(), request, &reply).ok();
  // Another client is sending the same, or the store is full: then it travels as any other bytes.
  if (!kept) write(address, bytes);
}

void RemoteSession::read(Bytes address, std::span<std::byte> bytes) {
  v1::ReadRequest request;
  request.set_address(address.count());
  request.set_bytes(bytes.size());
  const auto context = connection_.quick_context(Bytes(bytes.size()));
  const auto reader = connection_.stub().Read(context.get(), request);
  v1::ReadReply reply;
  while (reader->Read(&reply)) {
    if (reply.data().size() > bytes.size()) {
      fail("target '{}': the server sent more than was asked for", connection_.address().uri);
    }
    const auto piece = std::as_bytes(std::span(reply.data()));
    std::copy(piece.begin(), piece.end(), bytes.begin());
    bytes = bytes.subspan(piece.size());
  }
  connection_.require(reader->Finish());
  if (!bytes.empty()) fail("target '{}': the server sent less than was asked for", connection_.address().uri);
}

// Sends what the server does not have yet. False when it does not take it.
bool RemoteSession::send_content(const std::string& hash, std::span<const std::byte> bytes) {
  v1::FindContentRequest find;
  find.set_sha256(hash);
  find.set_bytes(bytes.size());
  const v1::ContentStatus there = connection_.call(&v1::Devices::Stub::FindContent, find);
  if (there.complete()) return true;
  const uint64_t received = std::min<uint64_t>(there.received(), bytes.size());
  // What someone else had begun may be something else: then all is sent.
  if (received > 0 && put_content(hash, bytes, received).ok()) return true;
  return put_content(hash, bytes, 0).ok();
}

grpc::Status RemoteSession::put_content(const std::string& hash, std::span<const std::byte> bytes, uint64_t offset) {
  const auto context = connection_.quick_context(Bytes(bytes.size()));
  v1::ContentStatus status;
  const auto writer = connection_.stub().PutContent(context.get(), &status);
  v1::PutContentRequest request;
  request.set_sha256(hash);
  request.set_bytes(bytes.size());
  request.set_offset(offset);
  return send_pieces(*writer, request, bytes.subspan(offset));
}

RemoteLoaded::~RemoteLoaded() {
  v1::UnloadRequest request;
  request.set_program(id_);
  v1::UnloadReply reply;
  // A session that is over has nothing left to unload.
  connection_.stub().Unload(connection_.quick_context().get(), request, &reply);
}

RunResult RemoteLoaded::run(const RunOptions& options) {
  v1::LaunchRequest request;
  request.set_program(id_);
  return launch(connection_, std::move(request), options);
}

driver::Timing RemoteLoaded::time(const driver::TimeOptions& time, const RunOptions& options) {
  v1::TimeRequest request;
  request.set_program(id_);
  *request.mutable_options() = to_message(options);
  request.set_number(static_cast<uint32_t>(std::max(time.number, 0)));
  request.set_repeat(static_cast<uint32_t>(std::max(time.repeat, 0)));
  request.set_min_ms(time.min_ms);
  const auto reply = connection_.call(&v1::Devices::Stub::Time, request, options.stop);
  if (!reply) fail("a run that was to be timed ended with {}", sim::failure(stopped()));
  return {{reply->seconds().begin(), reply->seconds().end()}, static_cast<int>(reply->number())};
}

}  // namespace vantage::rpc
