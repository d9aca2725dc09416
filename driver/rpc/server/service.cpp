#include "driver/rpc/server/service.h"

#include <algorithm>
#include <sstream>
#include <thread>

#include "base/json.h"
#include "base/suggest.h"
#include "driver/rpc/protocol/access.h"
#include "driver/rpc/protocol/errors.h"
#include "driver/rpc/server/machine_memory.h"

namespace vantage::rpc {

using grpc::ServerContext;
using grpc::Status;
using grpc::StatusCode;

namespace {

constexpr size_t kLongestMessage = 2000;
constexpr auto kMemoryInterval = std::chrono::milliseconds(200);

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

Session::GivenUp Service::by(ServerContext* call) {
  return [call] { return call->IsCancelled(); };
}

std::string Service::short_key(const std::string& key) {
  return key.substr(0, 8);
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

}  // namespace vantage::rpc
