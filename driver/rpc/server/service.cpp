#include "driver/rpc/server/service.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/json.h"
#include "base/sha256.h"
#include "base/suggest.h"
#include "driver/rpc/protocol/access.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/protocol/messages.h"
#include "driver/rpc/server/machine_memory.h"
#include "driver/rpc/server/teller.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

namespace {

constexpr size_t kLongestMessage = 2000;
// Of a configuration or a memory setting, as a session names them: they have some hundred.
constexpr size_t kLargestSetting = size_t{16} << 10;
constexpr auto kWatchInterval = std::chrono::milliseconds(20);
constexpr auto kMemoryInterval = std::chrono::milliseconds(200);

std::span<const std::byte> bytes_of(const std::string& data) {
  return std::as_bytes(std::span(data.data(), data.size()));
}

Session::GivenUp by(ServerContext* call) {
  return [call] { return call->IsCancelled(); };
}

// Lets a client who waits for long know that there is something to wait for.
class Heartbeat {
 public:
  explicit Heartbeat(std::function<void()> beat)
      : thread_([beat = std::move(beat)](const std::stop_token& stop) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any ended;
          while (!ended.wait_for(lock, stop, kInterval, [&] { return stop.stop_requested(); })) {
            if (stop.stop_requested()) return;
            try {
              beat();
            } catch (const Error&) {
              return;  // the client has gone, which others see too
            }
          }
        }) {}

 private:
  static constexpr std::chrono::seconds kInterval{10};
  std::jthread thread_;
};

std::string short_key(const std::string& key) {
  return key.substr(0, 8);
}

// Those that others leave free: every identity can have one.
size_t most_of_one(const Quota& limits, size_t identities) {
  return limits.sessions - std::min(limits.sessions - 1, std::max<size_t>(identities, 1) - 1);
}

}  // namespace

Service::Service(ServiceParts parts, Quota limits, ServerLog log)
    : parts_(parts),
      limits_(limits),
      log_(std::move(log)),
      sessions_(limits.sessions, most_of_one(limits, parts.identities.size())),
      streams_(limits.stream_idle_seconds) {
  watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

Service::~Service() = default;

void Service::close() {
  closing_.request_stop();
  streams_.close();
  sessions_.close();
}

void Service::watch(const std::stop_token& stop) {
  auto looked_at_memory = std::chrono::steady_clock::now();
  while (!stop.stop_requested()) {
    for (const auto& session : sessions_.all()) session->watch();
    for (const auto& device : parts_.devices) device->queue.look();
    streams_.look();
    parts_.refusals.look();
    if (const auto now = std::chrono::steady_clock::now(); now - looked_at_memory >= kMemoryInterval) {
      looked_at_memory = now;
      watch_memory();
    }
    std::this_thread::sleep_for(kWatchInterval);
  }
}

void Service::watch_memory() {
  const auto sessions = sessions_.all();
  for (const auto& session : sessions) session->watch_memory();
  if (available_memory() >= limits_.reserve) return;
  const auto largest = std::max_element(sessions.begin(), sessions.end(),
                                        [](const auto& a, const auto& b) { return a->resident() < b->resident(); });
  if (largest == sessions.end() || (*largest)->resident() == Bytes(0)) return;
  (*largest)->lose("the server's machine ran out of memory, and it took most");
}

void Service::greet(const ServerContext& call) {
  if (!call.IsCancelled()) parts_.gate.known(call.peer());
}

Status Service::guarded(ServerContext& call, const char* what, const std::function<void(const Caller&)>& answer) {
  ++calls_;
  const std::string peer = peer_of(call.peer());
  // `details` are for the log alone.
  const auto refuse = [&](StatusCode code, std::string message, const std::string& details = "") {
    parts_.gate.offence(call.peer());
    // A status travels in a header; what a client quotes may be long.
    if (message.size() > kLongestMessage) message.replace(kLongestMessage, std::string::npos, " ...");
    parts_.refusals.add(
        fmt::format("{} {}", what, static_cast<int>(code)),
        fmt::format("{} {} refused: {}{}{}", peer, what, message, details.empty() ? "" : ": ", details));
    return Status(code, message);
  };
  try {
    const std::string* const who = parts_.identities.of(call);
    if (who == nullptr) {
      return refuse(StatusCode::UNAUTHENTICATED, "the call carries no token, or a wrong one");
    }
    if (!parts_.identities.empty()) parts_.gate.known(call.peer());
    answer({*who, peer});
    return Status::OK;
  } catch (const QuotaError& error) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, error.what());
  } catch (const SessionOver& error) {
    return refuse(StatusCode::FAILED_PRECONDITION, error.what());
  } catch (const CallCancelled& error) {
    return refuse(StatusCode::CANCELLED, error.what());
  } catch (const ToolError& error) {
    const Status status =
        refuse(StatusCode::INTERNAL, "a tool that the server needs failed; its log has the reason", error.what());
    std::istringstream output(error.output());
    for (std::string line; std::getline(output, line);) log_("  | " + line);
    return status;
  } catch (const Error& error) {
    return refuse(StatusCode::INVALID_ARGUMENT, error.what());
  } catch (const ServerError& error) {
    return refuse(StatusCode::INTERNAL, error.what(), error.details());
  } catch (const std::bad_alloc&) {
    return refuse(StatusCode::RESOURCE_EXHAUSTED, "the server has too little memory for that");
  } catch (const std::exception& error) {
    return refuse(StatusCode::INTERNAL, "an error of its own; its log has it", error.what());
  }
}

Status Service::with_session(ServerContext& call, const char* what, const std::function<void(Session&)>& answer) {
  std::shared_ptr<Session> session;
  const Status status = guarded(call, what, [&](const Caller& caller) {
    const auto header = call.client_metadata().find("vantage-session");
    const bool has_key = header != call.client_metadata().end();
    session = sessions_.find(has_key ? std::string(header->second.data(), header->second.size()) : "", caller.who);
    const Session::Call under_way(*session);
    answer(*session);
  });
  if (session != nullptr && !status.ok()) session->log(fmt::format("{} refused: {}", what, status.error_message()));
  return status;
}

Status Service::forward(ServerContext& call, const char* what, const v1::WorkspaceRequest& request,
                        const std::function<void(v1::WorkspaceReply&)>& take) {
  return with_session(call, what, [&](Session& session) {
    v1::WorkspaceReply reply = session.call(request, by(&call));
    if (take) take(reply);
  });
}

OfferedDevice& Service::device(const std::string& name) {
  if (name.empty()) return *parts_.devices.front();
  std::vector<std::string> names;
  for (const auto& device : parts_.devices) {
    if (device->offer.name == name) return *device;
    names.push_back(device->offer.name);
  }
  fail("the server has no device '{}'{}", name, did_you_mean(name, names));
}

Status Service::List(ServerContext* call, const v1::ListRequest*, v1::ListReply* reply) {
  return guarded(*call, "List", [&](const Caller&) {
    for (const auto& device : parts_.devices) {
      const Offer& offer = device->offer;
      v1::OfferedDevice& message = *reply->add_devices();
      message.set_name(offer.name);
      message.set_meaning(offer.meaning);
      if (offer.config) message.set_config_json(offer.config->to_json().dump());
      message.set_runs_at_once(static_cast<uint32_t>(offer.runs_at_once));
      message.set_sessions(device->sessions);
      message.set_waiting_runs(static_cast<uint32_t>(device->queue.waiting()));
    }
    greet(*call);
  });
}

void Service::hold_session(ServerContext& call, const Caller& caller, const v1::AttachRequest& request,
                           SessionTable::Slot& slot, grpc::ServerWriter<v1::SessionEvent>& events) {
  OfferedDevice& offered = device(request.device());
  for (const std::string* setting : {&request.config_json(), &request.memory_json()}) {
    if (setting->size() > kLargestSetting) {
      fail("a setting of {} bytes is refused; expected at most {}", setting->size(), kLargestSetting);
    }
  }
  if (const Bytes available = available_memory(); available < limits_.reserve) {
    throw QuotaError(
        fmt::format("the server's machine has {} bytes of memory left, too few for a session; try again "
                    "later",
                    available.count()));
  }
  StreamWatch::Stream stream(streams_, call);
  std::mutex telling;
  const auto tell = [&](const std::string& line) {
    const std::lock_guard lock(telling);
    v1::SessionEvent event;
    event.mutable_log()->set_text(line);
    stream.wait([&] { return events.Write(event); });
    stream.moved(kPieceBytes);  // a session may last, however little there is to tell
  };
  const auto session = std::make_shared<Session>(slot.key(), offered, caller.who, limits_);
  slot.fill(session);
  Bytes memory;
  {
    const Heartbeat heartbeat([&] { tell(""); });
    memory = session->open(request.config_json(), request.memory_json(), by(&call), tell);
  }
  parts_.audit.add(
      "session opened",
      {{"who", caller.who}, {"peer", caller.peer}, {"session", short_key(slot.key())}, {"device", offered.offer.name}});
  v1::SessionEvent event;
  event.mutable_opened()->set_session(slot.key());
  event.mutable_opened()->set_device(offered.offer.name);
  event.mutable_opened()->set_memory_bytes(memory.count());
  log_(fmt::format("{} session {}: {} opened {}", caller.peer, short_key(slot.key()), caller.who, offered.offer.name));
  greet(call);
  events.Write(event);
  while (!call.IsCancelled() && !sessions_.closed()) {
    for (const std::string& line : session->take_log()) tell(line);
    if (const auto reason = session->end_reason()) throw SessionOver("the session is over: " + *reason);
    std::this_thread::sleep_for(kWatchInterval);
  }
}

Status Service::Attach(ServerContext* call, const v1::AttachRequest* request,
                       grpc::ServerWriter<v1::SessionEvent>* events) {
  return guarded(*call, "Attach", [&](const Caller& caller) {
    std::string key;
    struct Over {  // however it ends
      Service& service;
      const Caller& caller;
      const std::string& key;
      ~Over() {
        if (key.empty()) return;
        service.log_(fmt::format("{} session {}: over", caller.peer, short_key(key)));
        try {
          service.parts_.audit.add("session over",
                                   {{"who", caller.who}, {"peer", caller.peer}, {"session", short_key(key)}});
        } catch (const ServerError& error) {
          service.log_(fmt::format("{}: {}", error.what(), error.details()));
        }
      }
    } const over{*this, caller, key};
    SessionTable::Slot slot(sessions_, caller.who);
    key = slot.key();
    ++sessions_opened_;
    hold_session(*call, caller, *request, slot, *events);
  });
}

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

Status Service::Flash(ServerContext* call, grpc::ServerReaderWriter<v1::FlashEvent, v1::FlashRequest>* stream) {
  return guarded(*call, "Flash", [&](const Caller& caller) {
    // A bitstream is held in memory, and the call has a thread: there is one at a time.
    if (flashing_.test_and_set()) throw QuotaError("another client is flashing; try again later");
    struct Done {
      std::atomic_flag& flashing;
      ~Done() { flashing.clear(); }
    } const done{flashing_};
    v1::FlashRequest request;
    StreamWatch::Stream sent(streams_, *call);
    const auto next = [&] { return sent.wait([&] { return stream->Read(&request); }); };
    if (!next()) {
      fail("a bitstream begins with a message that says what it is; none came");
    }
    const Offer& offer = device(request.device()).offer;
    if (!offer.flash) {
      fail("the device '{}' cannot be flashed from here; a server of a board allows it with --allow-flash", offer.name);
    }
    boards::FlashJob job{.name = request.name(),
                         .bitstream = {},
                         .config_json = request.config_json(),
                         .register_map = request.register_map(),
                         .clock_mhz = request.clock_mhz(),
                         .force = request.force()};
    do {
      sent.moved(request.data().size());
      job.bitstream += request.data();
      if (job.bitstream.size() > kLargestMessage) {
        throw QuotaError(fmt::format("a bitstream of more than {} bytes is refused", kLargestMessage));
      }
    } while (next());
    greet(*call);
    parts_.audit.add("flash", {{"who", caller.who},
                               {"peer", caller.peer},
                               {"device", offer.name},
                               {"name", job.name},
                               {"sha256", sha256(job.bitstream)}});
    log_(fmt::format("{} {} flashes {} of {} bytes on {}", caller.peer, caller.who, job.name, job.bitstream.size(),
                     offer.name));
    Teller client([&](const std::string& step) {
      v1::FlashEvent event;
      event.set_step(step);
      StreamWatch::Stream told(streams_, *call);
      return told.wait([&] { return stream->Write(event); });
    });
    const auto told = [&](const std::string& step) {
      log_(fmt::format("{} flashing: {}", caller.peer, step));
      client.add(step);
    };
    offer.flash(job, told, closing_.get_token());
  });
}

std::string Service::metrics() const {
  std::string text;
  const auto add = [&](const char* name, const char* type, const char* help, const std::string& labels, auto value) {
    if (text.find(fmt::format("# TYPE {} ", name)) == std::string::npos) {
      text += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
    }
    text += fmt::format("{}{} {}\n", name, labels, value);
  };
  for (const auto& device : parts_.devices) {
    const std::string labels = fmt::format("{{device=\"{}\"}}", device->offer.name);
    add("vantage_sessions", "gauge", "Sessions that are open.", labels, device->sessions.load());
  }
  for (const auto& device : parts_.devices) {
    const std::string labels = fmt::format("{{device=\"{}\"}}", device->offer.name);
    add("vantage_waiting_runs", "gauge", "Loads and runs that wait for a turn.", labels, device->queue.waiting());
  }
  for (const auto& device : parts_.devices) {
    for (const auto& [who, seconds] : device->queue.seconds()) {
      add("vantage_turn_seconds_total", "counter", "Time of loads and runs.",
          fmt::format("{{device=\"{}\",identity=\"{}\"}}", device->offer.name, who), seconds);
    }
  }
  add("vantage_sessions_opened_total", "counter", "Sessions since the server began.", "", sessions_opened_.load());
  add("vantage_calls_total", "counter", "Calls since the server began.", "", calls_.load());
  add("vantage_refusals_total", "counter", "Calls and connections that were refused.", "", parts_.refusals.total());
  add("vantage_connections", "gauge", "Connections that are open.", "", parts_.gate.connections());
  add("vantage_available_memory_bytes", "gauge", "Memory that the machine has left.", "", available_memory().count());
  return text;
}

}  // namespace vantage::rpc
