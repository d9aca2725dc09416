#include "driver/rpc/service.h"

#include <openssl/rand.h>

#include <array>
#include <thread>

#include "driver/rpc/access.h"
#include "driver/rpc/messages.h"
#include "hw/spec/suggest.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

namespace {

constexpr size_t kLongestMessage = 2000;
constexpr auto kWatchInterval = std::chrono::milliseconds(50);

// 128 random bits: nobody guesses another's.
std::string new_key() {
  std::array<unsigned char, 16> bytes{};
  VANTAGE_CHECK(RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1);
  std::string key;
  for (const unsigned char byte : bytes) key += fmt::format("{:02x}", byte);
  return key;
}

std::span<const std::byte> bytes_of(const std::string& data) {
  return std::as_bytes(std::span(data.data(), data.size()));
}

}  // namespace

Service::Service(std::vector<std::unique_ptr<Offer>>& offers, ContentStore& store, Limits limits, std::string token,
                 ServerLog log)
    : offers_(offers), store_(store), limits_(limits), token_(std::move(token)), log_(std::move(log)) {
  // A thread of its own: a session's stream waits for clients that do not read.
  watcher_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::vector<std::shared_ptr<Session>> all;
      {
        const std::lock_guard lock(mutex_);
        for (const auto& [key, session] : sessions_) all.push_back(session);
      }
      for (const auto& session : all) {
        if (session != nullptr) session->watch();
      }
      std::this_thread::sleep_for(kWatchInterval);
    }
  });
}

void Service::close() {
  std::unordered_map<std::string, std::shared_ptr<Session>> ending;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    ending.swap(sessions_);
  }
  for (const auto& [key, session] : ending) {
    if (session != nullptr) session->close();
  }
}

Status Service::guarded(ServerContext& call, const char* what, const std::function<void()>& answer) {
  const auto refuse = [&](StatusCode code, std::string message) {
    // A status travels in a header; what a client quotes may be long.
    if (message.size() > kLongestMessage) message.replace(kLongestMessage, std::string::npos, " ...");
    log_(fmt::format("{} {} refused: {}", call.peer(), what, message));
    return Status(code, message);
  };
  try {
    if (!carries_token(call, token_)) {
      return refuse(StatusCode::UNAUTHENTICATED, "the call carries no token, or a wrong one");
    }
    answer();
    return Status::OK;
  } catch (const QuotaError& error) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, error.what());
  } catch (const SessionOver& error) {
    return refuse(StatusCode::FAILED_PRECONDITION, error.what());
  } catch (const Error& error) {
    return refuse(StatusCode::INVALID_ARGUMENT, error.what());
  } catch (const std::bad_alloc&) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, "the server has too little memory for that");
  } catch (const std::exception& error) {
    return refuse(StatusCode::INTERNAL, error.what());
  }
}

std::shared_ptr<Session> Service::session_of(const ServerContext& call) {
  const auto header = call.client_metadata().find("vantage-session");
  const std::lock_guard lock(mutex_);
  if (header != call.client_metadata().end()) {
    const auto found = sessions_.find(std::string(header->second.data(), header->second.size()));
    if (found != sessions_.end() && found->second != nullptr) return found->second;
  }
  throw SessionOver("there is no such session, or it is over; open the device again");
}

Status Service::with_session(ServerContext& call, const char* what, const std::function<void(Session&)>& answer) {
  std::shared_ptr<Session> session;
  const Status status = guarded(call, what, [&] {
    session = session_of(call);
    answer(*session);
  });
  if (session != nullptr && !status.ok()) session->log(fmt::format("{} refused: {}", what, status.error_message()));
  return status;
}

Offer& Service::offer(const std::string& name) {
  if (name.empty()) return *offers_.front();
  std::vector<std::string> names;
  for (const auto& offer : offers_) {
    if (offer->name == name) return *offer;
    names.push_back(offer->name);
  }
  fail("the server has no device '{}'{}", name, did_you_mean(name, names));
}

Status Service::List(ServerContext* call, const v1::ListRequest*, v1::ListReply* reply) {
  return guarded(*call, "List", [&] {
    for (const auto& offer : offers_) {
      v1::OfferedDevice& device = *reply->add_devices();
      device.set_name(offer->name);
      device.set_meaning(offer->kind.meaning);
      if (offer->config) device.set_config_json(offer->config->to_json().dump());
      device.set_runs_at_once(static_cast<uint32_t>(offer->runs_at_once));
      device.set_sessions(offer->sessions);
      device.set_waiting_runs(static_cast<uint32_t>(offer->queue.waiting()));
    }
  });
}

std::shared_ptr<Session> Service::open_session(ServerContext& call, const v1::AttachRequest& request,
                                               grpc::ServerWriter<v1::SessionEvent>& events) {
  Offer& device = offer(request.device());
  const std::string key = new_key();
  {
    const std::lock_guard lock(mutex_);
    if (closed_) throw SessionOver("the server is stopping");
    if (sessions_.size() >= static_cast<size_t>(limits_.sessions)) {
      throw QuotaError(fmt::format("all {} sessions of this server are taken; try again later", limits_.sessions));
    }
    sessions_.emplace(key, nullptr);
  }
  const auto forget = [&] {
    const std::lock_guard lock(mutex_);
    sessions_.erase(key);
  };
  try {
    const auto progress = [&](const std::string& line) {
      v1::SessionEvent event;
      event.mutable_log()->set_text(line);
      events.Write(event);
    };
    auto session =
        std::make_shared<Session>(key, device, limits_, request.config_json(), request.memory_json(), progress);
    const std::lock_guard lock(mutex_);
    if (closed_) throw SessionOver("the server is stopping");
    sessions_[key] = session;
    log_(fmt::format("{} session {}: opened {}", call.peer(), key.substr(0, 8), device.name));
    return session;
  } catch (...) {
    forget();
    throw;
  }
}

Status Service::Attach(ServerContext* call, const v1::AttachRequest* request,
                       grpc::ServerWriter<v1::SessionEvent>* events) {
  return guarded(*call, "Attach", [&] {
    const std::shared_ptr<Session> session = open_session(*call, *request, *events);
    v1::SessionEvent event;
    event.mutable_opened()->set_session(session->key());
    event.mutable_opened()->set_device(offer(request->device()).name);
    event.mutable_opened()->set_memory_bytes(session->memory_size().count());
    events->Write(event);
    const auto is_listed = [&] {
      const std::lock_guard lock(mutex_);
      return sessions_.count(session->key()) != 0;
    };
    while (!call->IsCancelled() && is_listed()) {
      for (std::string& line : session->take_log()) {
        event.mutable_log()->set_text(std::move(line));
        events->Write(event);
      }
      std::this_thread::sleep_for(kWatchInterval);
    }
    {
      const std::lock_guard lock(mutex_);
      sessions_.erase(session->key());
    }
    session->close();
    log_(fmt::format("{} session {}: over", call->peer(), session->key().substr(0, 8)));
  });
}

Status Service::Allocate(ServerContext* call, const v1::AllocateRequest* request, v1::AllocateReply* reply) {
  return with_session(*call, "Allocate",
                      [&](Session& session) { reply->set_address(session.allocate(Bytes(request->bytes())).count()); });
}

Status Service::Release(ServerContext* call, const v1::ReleaseRequest* request, v1::ReleaseReply*) {
  return with_session(*call, "Release", [&](Session& session) { session.release(Bytes(request->address())); });
}

Status Service::Write(ServerContext* call, grpc::ServerReader<v1::WriteRequest>* requests, v1::WriteReply*) {
  return with_session(*call, "Write", [&](Session& session) {
    v1::WriteRequest request;
    std::optional<Bytes> address;
    while (requests->Read(&request)) {
      if (!address) address = Bytes(request.address());
      session.write(*address, bytes_of(request.data()));
      *address += Bytes(request.data().size());
    }
  });
}

Status Service::Read(ServerContext* call, const v1::ReadRequest* request, grpc::ServerWriter<v1::ReadReply>* replies) {
  return with_session(*call, "Read", [&](Session& session) {
    Bytes address(request->address());
    v1::ReadReply reply;
    for (uint64_t left = request->bytes(); left > 0;) {
      const uint64_t size = std::min(left, kPieceBytes);
      reply.mutable_data()->resize(size);
      session.read(address, std::as_writable_bytes(std::span(*reply.mutable_data())));
      if (!replies->Write(reply)) return;  // nobody listens any more
      address += Bytes(size);
      left -= size;
    }
  });
}

Status Service::FindContent(ServerContext* call, const v1::FindContentRequest* request, v1::ContentStatus* reply) {
  return with_session(*call, "FindContent", [&](Session&) {
    const ContentStore::Status status = store_.find(request->sha256());
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::PutContent(ServerContext* call, grpc::ServerReader<v1::PutContentRequest>* requests,
                           v1::ContentStatus* reply) {
  return with_session(*call, "PutContent", [&](Session&) {
    v1::PutContentRequest request;
    if (!requests->Read(&request)) fail("an upload begins with a message that names its content; none came");
    ContentStore::Upload upload = store_.put(request.sha256(), request.bytes(), request.offset());
    if (request.offset() > 0) {
      log_(fmt::format("{} the upload of {} goes on at byte {} of {}", call->peer(), request.sha256().substr(0, 8),
                       request.offset(), request.bytes()));
    }
    do {
      upload.append(request.data());
    } while (requests->Read(&request));
    const ContentStore::Status status = upload.finish();
    reply->set_received(status.received);
    reply->set_complete(status.complete);
  });
}

Status Service::WriteContent(ServerContext* call, const v1::WriteContentRequest* request, v1::WriteReply*) {
  return with_session(*call, "WriteContent", [&](Session& session) {
    session.write_content(Bytes(request->address()), store_, request->sha256());
  });
}

Status Service::Load(ServerContext* call, const v1::LoadRequest* request, v1::LoadReply* reply) {
  return with_session(*call, "Load", [&](Session& session) {
    std::map<std::string, Bytes> tensors;
    for (const v1::TensorBuffer& tensor : request->tensors()) tensors[tensor.name()] = Bytes(tensor.address());
    const Session::Placed placed = session.load(parse_program(request->program(), "the program"), tensors);
    reply->set_program(placed.id);
    *reply->mutable_image() = to_message(placed.image);
    for (const driver::Region& region : placed.regions) {
      v1::Region& message = *reply->add_regions();
      message.set_name(region.name);
      message.set_address(region.address.count());
      message.set_bytes(region.size.count());
      message.set_is_output(region.is_output);
    }
  });
}

Status Service::Unload(ServerContext* call, const v1::UnloadRequest* request, v1::UnloadReply*) {
  return with_session(*call, "Unload", [&](Session& session) { session.unload(request->program()); });
}

Status Service::Launch(ServerContext* call, const v1::LaunchRequest* request, v1::LaunchReply* reply) {
  return with_session(*call, "Launch", [&](Session& session) {
    const auto given_up = [call] { return call->IsCancelled(); };
    const driver::RunOptions options = from_message(request->options());
    const driver::RunResult result = request->has_image()
                                         ? session.run(from_message(request->image()), options, given_up)
                                         : session.run(request->program(), options, given_up);
    for (const std::string& warning : result.warnings) session.log("warning: " + warning);
    if (!result.ok()) session.log("the run ended with " + sim::failure(result));
    *reply = to_message(result);
  });
}

Status Service::Time(ServerContext* call, const v1::TimeRequest* request, v1::TimeReply* reply) {
  return with_session(*call, "Time", [&](Session& session) {
    const auto within = [](uint32_t value) { return static_cast<int>(std::min<uint32_t>(value, 1'000'000)); };
    const driver::TimeOptions time{within(request->number()), within(request->repeat()), request->min_ms()};
    const driver::Timing timing = session.time(request->program(), time, from_message(request->options()),
                                               [call] { return call->IsCancelled(); });
    reply->mutable_seconds()->Assign(timing.samples.begin(), timing.samples.end());
    reply->set_number(static_cast<uint32_t>(timing.number));
  });
}

Status Service::ReadMicroOps(ServerContext* call, const v1::ReadMicroOpsRequest*, v1::ReadMicroOpsReply* reply) {
  return with_session(*call, "ReadMicroOps", [&](Session& session) {
    for (const uint32_t word : session.micro_ops()) reply->add_words(word);
  });
}

Status Service::Reset(ServerContext* call, const v1::ResetRequest*, v1::ResetReply*) {
  return with_session(*call, "Reset", [&](Session& session) { session.reset(); });
}

}  // namespace vantage::rpc
